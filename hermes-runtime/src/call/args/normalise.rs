//! The road from end to end.

use serde_json::{Map, Value};

use super::error::ArgsError;
use super::judge::Judge;
use super::node::{Node, Object};
use super::path::Path;
use super::repair::{Repair, RepairKind};
use super::text;
use super::wrapper;

/// What happens to keys that an open object's schema doesn't declare.
///
/// A closed object refuses them in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undeclared {
    /// They stay: dynamic tools, MCP tools, `check-args`.
    Keep,
    /// They go, at every depth, with whatever they hold (an undeclared key given twice is no
    /// error): typed tools. A map keeps its keys: `additionalProperties` given as a schema or
    /// `true`, `patternProperties`, an empty schema, or a nested object whose schema says nothing
    /// about keys.
    Drop,
}

/// The canonical arguments and how they came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The argument object; valid by the schema.
    pub args: Map<String, Value>,
    /// What was changed, at most a few hundred entries.
    pub repairs: Vec<Repair>,
}

/// Turns the raw text a model sent into the argument object of `tool`.
///
/// Normalising the result again changes nothing. A number that the schema takes as a `number`, or
/// as anything, becomes what JSON parsers make of it: an integer within i64/u64, else the nearest
/// double.
///
/// # Errors
/// [`ArgsError`] with one line for the model, without the tool's name.
pub fn normalise(
    tool: &str,
    schema: &Value,
    raw: &str,
    undeclared: Undeclared,
) -> Result<Normalised, ArgsError> {
    let reading = text::read(raw)?;
    let repairs = reading
        .repairs
        .into_iter()
        .map(|kind| Repair {
            pointer: String::new(),
            kind,
        })
        .collect();
    by_schema(tool, schema, reading.object, repairs, undeclared)
}

/// The same for arguments that were delivered as a value, or replaced by a hook.
///
/// A double from 2^53 on is refused where an integer is wanted: its digits are lost already.
///
/// # Errors
/// As [`normalise`].
pub fn normalise_value(
    tool: &str,
    schema: &Value,
    value: Value,
    undeclared: Undeclared,
) -> Result<Normalised, ArgsError> {
    match Node::from_value(value, &Path::ROOT)? {
        Node::Object(object) => by_schema(tool, schema, *object, Vec::new(), undeclared),
        Node::Null => by_schema(tool, schema, Object::default(), Vec::new(), undeclared),
        Node::Text(text) => normalise(tool, schema, &text, undeclared),
        other => Err(ArgsError::NotObject {
            got: format!("{} ({})", other.shown(), other.kind()),
        }),
    }
}

fn by_schema(
    tool: &str,
    schema: &Value,
    mut object: Object,
    mut repairs: Vec<Repair>,
    undeclared: Undeclared,
) -> Result<Normalised, ArgsError> {
    if let Some(kind @ RepairKind::Wrapper(key)) = wrapper::unwrap(tool, schema, &mut object) {
        repairs.push(Repair {
            pointer: String::new(),
            kind,
        });
        if wrapper::wrapped(tool, schema, &object).is_some() {
            return Err(ArgsError::Wrapped { key });
        }
    }
    let mut node = Node::Object(Box::new(object));
    let mut judge = Judge::new(schema, node.weight());
    judge
        .judge(schema, &mut node, &Path::ROOT)
        .map_err(reason)?;
    if undeclared == Undeclared::Drop {
        judge.prune(&[schema], &mut node, &Path::ROOT);
    }
    judge.settle().map_err(reason)?;
    repairs.append(&mut judge.repairs);
    let Node::Object(object) = node else {
        return Err(ArgsError::NotObject { got: node.shown() });
    };
    // A null that was removed may have laid a layer bare; what is left would be read differently
    // the next time.
    if !repairs.is_empty()
        && let Some(key) = wrapper::wrapped(tool, schema, &object)
    {
        return Err(ArgsError::Wrapped { key });
    }
    let args = object.into_map(&Path::ROOT)?;
    Ok(Normalised { args, repairs })
}

/// Outside of checking there is always a reason.
fn reason(fault: Option<Box<ArgsError>>) -> ArgsError {
    fault.map_or(
        ArgsError::Schema {
            field: Path::ROOT.field(),
            reason: "it contradicts itself",
        },
        |fault| *fault,
    )
}
