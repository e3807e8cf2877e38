use super::{direct, wire};
use crate::contain::catch;
use hermes_core::{SchemaFn, ToolDef};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// The schemas of one tool, built on first use from its types.
#[derive(Debug)]
pub struct Canonical {
    input: Value,
    output: OnceLock<Option<Value>>,
    output_fn: Option<SchemaFn>,
    wire: OnceLock<Value>,
    direct: bool,
}

impl Canonical {
    pub(crate) fn of(def: &ToolDef) -> Result<Self, String> {
        let input = catch(|| generate(def.input()))
            .map_err(|panic| format!("its schema can't be made: {panic}"))?
            .ok_or("it has no schema")?;
        if input.get("type").and_then(Value::as_str) != Some("object") {
            return Err(
                "its arguments are no object; put `#[hermes_schema]` on a struct with named fields"
                    .to_owned(),
            );
        }
        Ok(Self {
            direct: def.strict_arguments() && direct::is_direct(&input),
            input,
            output: OnceLock::new(),
            output_fn: def.output(),
            wire: OnceLock::new(),
        })
    }

    /// What arguments are checked and converted by: JSON schema draft 2020-12, subschemas inlined
    /// unless they are recursive.
    pub const fn input(&self) -> &Value {
        &self.input
    }

    /// The schema of the result, always an object; `None` if the tool has none.
    pub fn output(&self) -> Option<&Value> {
        self.output
            .get_or_init(|| {
                let schema = catch(|| generate(self.output_fn?)).ok()??;
                let schema = wire::lower(&schema);
                Some(if schema.get("type").and_then(Value::as_str) == Some("object") {
                    schema
                } else {
                    json!({"type": "object", "properties": {"result": schema}, "required": ["result"]})
                })
            })
            .as_ref()
    }

    /// The arguments' schema as a model gets it: without `$schema`, titles, Rust number formats.
    pub fn wire(&self) -> &Value {
        self.wire.get_or_init(|| {
            let mut schema = wire::lower(&self.input);
            // Some providers refuse an object without it.
            if let Value::Object(root) = &mut schema {
                root.entry("properties").or_insert_with(|| json!({}));
            }
            schema
        })
    }

    /// Whether text may go straight into the type; see the `direct` module.
    pub(crate) const fn is_direct(&self) -> bool {
        self.direct
    }
}

/// A schema with the definitions of its recursive parts.
fn generate(write: SchemaFn) -> Option<Value> {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator();
    let mut schema = write(&mut generator)?.to_value();
    let definitions: Map<String, Value> = generator.take_definitions(true);
    if let Value::Object(object) = &mut schema
        && !definitions.is_empty()
    {
        object.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Some(schema)
}
