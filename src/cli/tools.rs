use super::arguments::{check_declared, raw_arguments};
use super::examples::{examples_json, print_examples};
use super::{End, Ended, FAILED, block_on, print_json};
use crate::config::Config;
use crate::host;
use crate::term::{line, note, one_line};
use hermes_core::{CallIds, Hints};
use hermes_runtime::{CallContext, Consent, Runtime, ToolView, Trace};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// `hermes tools …`
#[derive(Debug, clap::Subcommand)]
pub(super) enum Tools {
    /// List the tools
    #[command(visible_alias = "ls")]
    List {
        /// Only those of this toolset
        #[arg(long)]
        toolset: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a tool: what it does, its arguments, its result, examples
    Show {
        /// The tool
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON schema of a tool's arguments, as a model gets it
    Schema {
        /// The tool
        name: String,
    },
    /// Call a tool and print its result as JSON
    #[command(
        after_help = "Examples:\n  hermes tools call calculate expression='2**16'\n  hermes tools call calculate '{\"expression\": \"2**16\"}'\n  echo '{\"expression\": \"2**16\"}' | hermes tools call calculate -\n\nExit code 1 if the tool answers with an error."
    )]
    Call {
        /// The tool
        name: String,
        /// The arguments: `key=value …`, one JSON object, or `-` to read JSON from stdin
        args: Vec<String>,
        /// Print each step to stderr, with its time and what it changed
        #[arg(long)]
        explain: bool,
        /// Say yes to a tool or guard that asks for approval
        #[arg(long)]
        yes: bool,
        /// Always JSON; here for symmetry with the listings
        #[arg(long, hide = true)]
        json: bool,
    },
}

impl Tools {
    pub(super) fn run(self, config: &Config) -> Ended {
        match self {
            Self::List { toolset, json } => list(&host::runtime(config), toolset.as_deref(), json),
            Self::Show { name, json } => show(&host::runtime(config), &name, json),
            Self::Schema { name } => {
                let runtime = host::runtime(config);
                let tool = find(&runtime, &name)?;
                print_json(schema_of(&tool)?.wire());
                Ok(())
            }
            Self::Call {
                name,
                args,
                explain,
                yes,
                ..
            } => {
                let runtime = host::runtime(config);
                let raw = raw_arguments(&runtime, &name, &args)?;
                call(&runtime, &name, &raw, explain, yes)
            }
        }
    }
}

/// Four characters are about one token, of name, description and schema together.
fn tokens(tool: &ToolView<'_>) -> usize {
    let schema = tool
        .schema()
        .map_or(0, |schema| schema.wire().to_string().len());
    (tool.def().name().len() + tool.def().description().len() + schema).div_ceil(4)
}

fn list(runtime: &Runtime, toolset: Option<&str>, as_json: bool) -> Ended {
    let tools: Vec<ToolView<'_>> = runtime
        .tools()
        .filter(|tool| toolset.is_none_or(|toolset| tool.toolset() == toolset))
        .collect();
    if let Some(toolset) = toolset
        && tools.is_empty()
    {
        let mut known: Vec<&str> = runtime.tools().map(|tool| tool.toolset()).collect();
        known.dedup();
        known.sort_unstable();
        known.dedup();
        return Err(End::usage(format!(
            "no toolset `{}`; there are: {}",
            one_line(toolset, 80),
            known.join(", ")
        )));
    }
    if as_json {
        let all: Vec<Value> = tools
            .iter()
            .map(|tool| {
                let available = tool.available();
                json!({
                    "name": tool.def().name(),
                    "toolset": tool.toolset(),
                    "plugin": tool.plugin(),
                    "description": tool.def().description(),
                    "available": available.is_ok(),
                    "reason": available.err(),
                    "tokens": tokens(tool),
                })
            })
            .collect();
        print_json(&Value::Array(all));
        return Ok(());
    }
    if tools.is_empty() {
        if runtime.report().plugins.is_empty() {
            note("No tools are compiled in. Build with a plugin, for example:");
            note("  cargo build --features plugin-calculator");
        } else {
            note(
                "No tools are on. See `hermes plugins list` for what is compiled in, and why it is off.",
            );
        }
        return Ok(());
    }
    let width = |of: fn(&ToolView<'_>) -> usize| tools.iter().map(of).max().unwrap_or(0);
    let names = width(|tool| tool.def().name().chars().count());
    let toolsets = width(|tool| tool.toolset().chars().count());
    for tool in &tools {
        let about = match tool.available() {
            Ok(()) => one_line(tool.def().description(), 72),
            Err(reason) => format!("[not available: {}]", one_line(&reason, 55)),
        };
        line(&format!(
            "{:<names$}  {:<toolsets$}  {about}",
            tool.def().name(),
            tool.toolset()
        ));
    }
    Ok(())
}

fn find<'a>(runtime: &'a Runtime, name: &str) -> Result<ToolView<'a>, End> {
    runtime.tool(name).ok_or_else(|| {
        let near = runtime.tools_like(name);
        let help = if let Some((plugin, reason)) = runtime.report().off(name) {
            format!("it belongs to plugin {plugin}, which is off: {reason}")
        } else if near.is_empty() {
            "see `hermes tools list`".to_owned()
        } else {
            format!("did you mean {}?", near.join(", "))
        };
        note(&format!("hermes: no tool `{}`; {help}", one_line(name, 80)));
        End::Code(FAILED)
    })
}

fn schema_of<'a>(tool: &ToolView<'a>) -> Result<&'a hermes_runtime::Canonical, End> {
    tool.schema().map_err(|reason| {
        note(&format!("hermes: tool `{}`: {reason}", tool.def().name()));
        End::Code(FAILED)
    })
}

/// `read-only, idempotent`
fn hints(hints: Hints) -> Vec<&'static str> {
    [
        (hints.read_only, "read-only", "not read-only"),
        (hints.destructive, "destructive", "not destructive"),
        (hints.idempotent, "idempotent", "not idempotent"),
        (hints.open_world, "open world", "closed world"),
    ]
    .into_iter()
    .filter_map(|(hint, yes, no)| hint.map(|hint| if hint { yes } else { no }))
    .collect()
}

fn show(runtime: &Runtime, name: &str, as_json: bool) -> Ended {
    let tool = find(runtime, name)?;
    let schema = schema_of(&tool)?;
    let def = tool.def();
    if as_json {
        let available = tool.available();
        print_json(&json!({
            "name": def.name(),
            "toolset": tool.toolset(),
            "plugin": tool.plugin(),
            "description": def.description(),
            "available": available.is_ok(),
            "reason": available.err(),
            "hints": {
                "read_only": def.hints().read_only,
                "destructive": def.hints().destructive,
                "idempotent": def.hints().idempotent,
                "open_world": def.hints().open_world,
            },
            "parameters": schema.wire(),
            "result": schema.output(),
            "examples": examples_json(def),
        }));
        return Ok(());
    }
    let emoji = def
        .emoji()
        .map_or_else(String::new, |emoji| format!("{emoji} "));
    line(&format!(
        "{emoji}{}  (plugin {}, toolset {})",
        def.name(),
        tool.plugin(),
        tool.toolset()
    ));
    if let Err(reason) = tool.available() {
        line(&format!("not available: {}", one_line(&reason, 200)));
    }
    line("");
    line(def.description());
    let hints = hints(def.hints());
    if !hints.is_empty() {
        line("");
        line(&format!("hints: {}", hints.join(", ")));
    }
    line("");
    print_fields("arguments", schema.wire());
    if let Some(output) = schema.output() {
        line("");
        print_fields("result", output);
    }
    print_examples(runtime, &tool);
    Ok(())
}

/// The properties of an object's schema, a line each.
fn print_fields(label: &str, schema: &Value) {
    let empty = Map::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    if properties.is_empty() {
        line(&format!("{label}: none"));
        return;
    }
    line(&format!("{label}:"));
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let width = properties
        .keys()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    for (name, property) in properties {
        let ty = type_of(property);
        let need = if required.contains(&name.as_str()) {
            ""
        } else {
            ", optional"
        };
        let about = property
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let default = property
            .get("default")
            .map_or_else(String::new, |default| format!(" (default {default})"));
        line(&format!(
            "  {name:<width$}  {ty}{need}  {}{default}",
            one_line(about, 100)
        ));
    }
}

fn type_of(schema: &Value) -> String {
    if let Some(members) = schema.get("enum").and_then(Value::as_array) {
        let members: Vec<String> = members
            .iter()
            .map(|member| {
                member
                    .as_str()
                    .map_or_else(|| member.to_string(), str::to_owned)
            })
            .collect();
        return members.join("|");
    }
    match schema.get("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(several)) => several
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("|"),
        _ => "any".to_owned(),
    }
}

fn call(runtime: &Runtime, name: &str, raw: &str, explain: bool, yes: bool) -> Ended {
    check_declared(runtime, name, raw)?;
    let trace = Trace::default();
    let mut context = CallContext::new(Arc::new(CallIds::default()));
    if explain {
        context = context.with_trace(trace.clone());
    }
    if yes {
        context = context.with_consent(Consent::Given);
    }
    let reply = block_on(runtime.call(name, raw, &context))?;
    for step in trace.steps() {
        note(&format!(
            "{:>9.1?}  {:<14} {}",
            step.took,
            step.stage,
            one_line(&step.note, 300)
        ));
    }
    line(reply.json());
    if reply.is_ok() {
        Ok(())
    } else {
        Err(End::Code(FAILED))
    }
}
