//! Whether a tool takes its own examples as they stand.

use crate::call::args::{Undeclared, normalise};
use crate::call::judged_by_type;
use crate::contain::catch;
use crate::registry::Tool;
use crate::report::LoadFault;
use hermes_core::{Fault, ToolExample};
use serde_json::Value;

/// One fault for each wrong example. A tool without a usable schema has none: that is a fault of its
/// own.
pub(crate) fn faults(tool: &Tool) -> Vec<LoadFault> {
    let def = tool.def;
    let wrong = def.examples().iter().filter_map(|example| {
        Some(LoadFault::BadExample {
            tool: def.name().to_owned(),
            ask: example.ask().to_owned(),
            reason: wrong(tool, example)?,
        })
    });
    wrong.collect()
}

/// The road of a call up to the handler. A repair is for models; who writes an example knows better.
fn wrong(tool: &Tool, example: &ToolExample) -> Option<String> {
    let schema = tool.schema().ok()?;
    let name = tool.def.name();
    let normalised = match normalise(name, schema.input(), example.args(), Undeclared::Drop) {
        Ok(normalised) => normalised,
        Err(error) => return Some(error.to_string()),
    };
    if !normalised.repairs.is_empty() {
        let repairs: Vec<String> = normalised.repairs.iter().map(ToString::to_string).collect();
        return Some(format!(
            "it needs repairs ({}); write the arguments as the tool wants them: {}",
            repairs.join(", "),
            Value::Object(normalised.args)
        ));
    }
    let decode = tool.def.decode()?;
    let text = Value::Object(normalised.args.clone()).to_string();
    match catch(|| decode(&text)) {
        Ok(Err(Fault::Arguments(error))) => Some(judged_by_type(&normalised.args, &error)),
        // Reading makes no other fault.
        Ok(_) => None,
        Err(panic) => Some(format!("reading it panicked: {panic}")),
    }
}
