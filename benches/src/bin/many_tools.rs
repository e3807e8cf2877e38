//! Prints the source of a crate with many tools, to measure what they cost to compile.
//!
//! `many_tools SHAPE COUNT`. All shapes say the same: tools of four documented arguments, one of
//! them an enum, every second tool async.
//!
//! * `peer`: what one would write by hand for our design: derives, a static descriptor in
//!   `inventory`, a function that parses and one that serialises;
//! * `arguments`: `#[hermes_tool]` with the arguments in the parameter list;
//! * `struct`: `#[hermes_tool]` with a `#[hermes_schema]` struct.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

use std::env;
use std::process::ExitCode;

const HERMES: &str = "//! Many tools.
use hermes_core::prelude::*;
hermes_core::plugin! {}
";

const PEER: &str = r"//! Many tools.
use schemars::JsonSchema;
use serde::Deserialize;
use std::future::Future;
use std::pin::Pin;

pub type Answer = Result<String, String>;
pub type Later<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

pub enum Handler {
    Now(fn(&str) -> Answer),
    Later(for<'a> fn(&'a str) -> Later<'a>),
}

pub struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    pub schema: fn() -> serde_json::Value,
    pub handler: Handler,
}

inventory::collect!(Tool);

fn parse<T: serde::de::DeserializeOwned>(raw: &str) -> Result<T, String> {
    serde_json::from_str(raw).map_err(|error| error.to_string())
}

fn written<T: serde::Serialize>(value: Result<T, String>) -> Answer {
    serde_json::to_string(&value?).map_err(|error| error.to_string())
}

fn schema<T: JsonSchema>() -> serde_json::Value {
    schemars::SchemaGenerator::default().into_root_schema_for::<T>().into()
}
";

/// How a tool of this number is written, `@` standing for the number.
fn tool(shape: &str, is_async: bool) -> Option<String> {
    let mode = |derives: &str| {
        format!(
            "
/// How result @ is shown.
{derives}
pub enum Mode@ {{
    /// A short text.
    Short,
    /// A long text.
    Long,
    /// As it is.
    Raw,
}}
"
        )
    };
    let fields = "    /// Text that tool @ works on.
    text: String,
    /// Factor of tool @.
    factor: f64,
    /// Limit of tool @, if there is one.
    limit: Option<i64>,
    /// How tool @ shows its result.
    mode: Mode@,
";
    let body = |from: &str| {
        format!(
            r#"Ok(format!("@:{{}}:{{}}:{{:?}}:{{}}", {from}text, {from}factor, {from}limit, {from}mode as u8))"#
        )
    };
    let asynchronous = if is_async { "async " } else { "" };
    let own_struct = |derives: &str| {
        format!("\n/// Arguments of tool @.\n{derives}\npub struct Arguments@ {{\n{fields}}}\n")
    };
    Some(match shape {
        "peer" => {
            let derives = "#[derive(Deserialize, JsonSchema)]";
            let handler = if is_async {
                "Handler::Later(|raw| Box::pin(async move { written(tool_@(parse(raw)?).await) }))"
            } else {
                "Handler::Now(|raw| written(tool_@(parse(raw)?)))"
            };
            format!(
                "{}{}
/// Tool number @.
pub {asynchronous}fn tool_@(args: Arguments@) -> Answer {{
    {}
}}
inventory::submit! {{
    Tool {{
        name: \"tool_@\",
        description: \"Tool number @.\",
        schema: schema::<Arguments@>,
        handler: {handler},
    }}
}}
",
                mode(derives),
                own_struct(derives),
                body("args.")
            )
        }
        "struct" => format!(
            "{}{}
/// Tool number @.
#[hermes_tool]
pub {asynchronous}fn tool_@(args: Arguments@) -> Result<String, ToolError> {{
    {}
}}
",
            mode("#[hermes_schema]"),
            own_struct("#[hermes_schema]"),
            body("args.")
        ),
        "arguments" => format!(
            "{}
/// Tool number @.
#[hermes_tool]
pub {asynchronous}fn tool_@(
{fields}) -> Result<String, ToolError> {{
    {}
}}
",
            mode("#[hermes_schema]"),
            body("")
        ),
        _ => return None,
    })
}

fn source(shape: &str, count: usize) -> Option<String> {
    let tools = [tool(shape, false)?, tool(shape, true)?];
    let mut source = if shape == "peer" { PEER } else { HERMES }.to_owned();
    for number in 0..count {
        source.push_str(&tools[number % 2].replace('@', &number.to_string()));
    }
    Some(source)
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let source = match words.as_slice() {
        [shape, count] => count.parse().ok().and_then(|count| source(shape, count)),
        _ => None,
    };
    if let Some(source) = source {
        print!("{source}");
        return ExitCode::SUCCESS;
    }
    eprintln!("usage: many_tools peer|arguments|struct COUNT");
    ExitCode::from(2)
}
