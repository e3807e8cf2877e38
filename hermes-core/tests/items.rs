//! What the attributes make of ordinary functions, seen through the definitions alone.
#![expect(
    clippy::unwrap_used,
    clippy::unused_async,
    reason = "helpers of tests, and async items that need not wait"
)]

use hermes_core::prelude::*;
use hermes_core::{CallIds, Fault, Handler, Host, Item, PLUGINS, Scope, StateDef, ToolItem};
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

hermes_core::plugin! { name = "items" }

#[hermes_state]
#[derive(Default)]
struct Count(AtomicUsize);

#[hermes_schema]
#[derive(Default, Debug, PartialEq)]
enum Units {
    /// Celsius
    #[default]
    Metric,
    /// Fahrenheit
    VeryImperial,
}

#[hermes_schema]
enum Shape {
    /// Round
    Circle {
        /// From the middle to the edge, in metres
        radius: f64,
    },
    /// Nothing
    Empty,
}

#[hermes_schema]
struct Report {
    /// What was found
    text: String,
    /// How many calls there were
    calls: usize,
}

/// Report on things.
///
/// Two paragraphs.
///
/// # Errors
/// Not for the model.
#[hermes_tool(read_only, timeout = "2s", toolset = "demo")]
fn report(
    /// Which things
    name: &str,
    /// Numbers to look at
    numbers: &[i64],
    /// Units to use
    #[arg(default)]
    units: Units,
    /// How often
    #[arg(default = 3)]
    times: u8,
    /// A shape
    shape: Option<Shape>,
    count: &Count,
    ctx: &ToolContext,
) -> Result<Report, ToolError> {
    let calls = count.0.fetch_add(1, Ordering::SeqCst) + 1;
    if name.is_empty() {
        return Err(ToolError::new("no name").field("calls", calls));
    }
    let _: i32 = if name == "NaN" { name.parse()? } else { 0 };
    Ok(Report {
        text: format!(
            "{name} {numbers:?} {units:?} {times} {} {}",
            shape.is_some(),
            ctx.session_id()
        ),
        calls,
    })
}

#[hermes_schema]
struct Whole {
    /// A text
    text: String,
    /// A number
    #[arg(default = 7)]
    number: u32,
}

/// Takes a struct.
#[hermes_tool(inline)]
fn whole(args: Whole) -> String {
    format!("{} {}", args.text, args.number)
}

/// Says nothing.
#[hermes_tool(destructive, output = none, check = ready)]
async fn quiet() {}

fn ready() -> Result<(), &'static str> {
    Err("not today")
}

/// Watches.
#[hermes_hook(inline, priority = 2)]
fn watch(event: &PostToolCall<'_>, count: &Count) {
    count.0.fetch_add(event.tool_name.len(), Ordering::SeqCst);
}

#[hermes_hook]
async fn judge(event: &PreToolCall<'_>) -> Result<Verdict, Error> {
    Ok(if event.tool_name == "quiet" {
        Verdict::block("hush")
    } else {
        Verdict::Allow
    })
}

/// Says what follows.
#[hermes_command(args_hint = "[text]")]
fn my_echo(raw: &str) -> String {
    raw.to_owned()
}

#[derive(Default)]
struct Plain {
    states: Mutex<Vec<(&'static StateDef, Arc<dyn Any + Send + Sync>)>>,
}

impl Host for Plain {
    fn state(&self, def: &'static StateDef) -> Result<Arc<dyn Any + Send + Sync>, Error> {
        let mut states = self.states.lock().unwrap();
        if let Some((_, state)) = states.iter().find(|(known, _)| known.key() == def.key()) {
            return Ok(Arc::clone(state));
        }
        let state = def.make()?;
        states.push((def, Arc::clone(&state)));
        Ok(state)
    }
}

fn context() -> ToolContext {
    ToolContext::new(Scope::new(
        Arc::new(Plain::default()),
        Arc::new(CallIds::default()),
        None,
        CancelToken::new(),
    ))
}

fn run<T: ToolItem>(raw: &str) -> Result<String, Fault> {
    let ctx = context();
    match T::def().handler() {
        Handler::Inline(run) | Handler::Blocking(run) => run(&ctx, raw).map(ToolOutput::into_json),
        Handler::Async(_) => panic!("not a plain function"),
    }
}

#[test]
fn inline_arguments_defaults_and_state_reach_the_function() {
    let answer = run::<ReportTool>(r#"{"name":"a","numbers":[1,2],"units":"very_imperial"}"#);
    assert_eq!(
        answer.unwrap(),
        r#"{"text":"a [1, 2] VeryImperial 3 false ","calls":1}"#
    );
}

#[test]
fn a_typed_struct_and_its_default_reach_the_function() {
    assert_eq!(
        run::<WholeTool>(r#"{"text":"x"}"#).unwrap(),
        r#"{"result":"x 7"}"#
    );
}

#[test]
fn undeclared_keys_are_left_to_the_repairing_road() {
    let fault = run::<ReportTool>(r#"{"name":"a","numbers":[],"extra":1}"#).unwrap_err();
    assert!(matches!(fault, Fault::Arguments(_)), "{fault:?}");
}

#[test]
fn errors_keep_their_fields_and_any_error_becomes_one() {
    let Fault::Failed(error) = run::<ReportTool>(r#"{"name":"","numbers":[]}"#).unwrap_err() else {
        panic!("another fault");
    };
    assert_eq!(error, ToolError::new("no name").field("calls", 1));
    let Fault::Failed(error) = run::<ReportTool>(r#"{"name":"NaN","numbers":[]}"#).unwrap_err()
    else {
        panic!("another fault");
    };
    assert_eq!(error.message(), "invalid digit found in string");
}

#[test]
fn the_definition_holds_what_the_attribute_says() {
    let def = ReportTool::def();
    assert_eq!(def.description(), "Report on things.\n\nTwo paragraphs.");
    assert_eq!(def.toolset(), Some("demo"));
    assert_eq!(def.hints().read_only, Some(true));
    assert_eq!(def.timeout().unwrap().as_secs(), 2);
    assert_eq!(
        QuietTool::def().check().unwrap()(),
        Err("not today".to_owned())
    );
    assert!(QuietTool::def().output().is_none());
}

#[test]
fn every_item_registers_itself_once() {
    let mut names: Vec<&str> = hermes_core::__private::inventory::iter::<Item>
        .into_iter()
        .map(Item::name)
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["judge", "my-echo", "quiet", "report", "watch", "whole"]
    );
    let plugins: Vec<&str> = PLUGINS.iter().map(hermes_core::PluginDef::name).collect();
    assert_eq!(plugins, ["items"]);
}

#[test]
fn the_schema_comes_from_types_and_docs() {
    let mut generator = hermes_core::__private::schemars::generate::SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    let schema = ReportTool::def().input()(&mut generator).unwrap();
    let schema = schema.as_value();
    assert_eq!(
        schema["properties"]["name"],
        json!({"type": "string", "description": "Which things"})
    );
    assert_eq!(schema["properties"]["times"]["default"], 3);
    assert_eq!(schema["required"], json!(["name", "numbers"]));
    assert_eq!(schema.get("additionalProperties"), None);
}
