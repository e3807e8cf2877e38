//! Rule 7: one spurious layer around the arguments, if the schema proves that it isn't data.

use serde_json::{Map, Value};

use super::node::{Node, Object};
use super::path::Field;
use super::repair::RepairKind;
use super::schema::target;
use super::text::read_nested;

/// Keys that models put around their arguments.
const KEYS: [&str; 3] = ["arguments", "input", "parameters"];

/// Schemas looked at in search of a declaration; a tool with more of them at its root is left alone.
const STEPS: usize = 256;

/// Takes the inner object out of a layer. `None`: there is none, or it may be data.
///
/// A layer is a single key `arguments`, `input` or `parameters`, or exactly `name` (with the called
/// tool's name) and `arguments`; the schema declares none of these keys and is no map.
pub(super) fn unwrap(tool: &str, root: &Value, object: &mut Object) -> Option<RepairKind> {
    let key = wrapper_key(tool, root, object)?;
    let position = object.entries.iter().position(|(name, _)| name == key)?;
    let (_, inner) = object.entries.get_mut(position)?;
    *object = match std::mem::replace(inner, Node::Null) {
        Node::Object(inner) => *inner,
        Node::Text(text) => {
            let Ok(Node::Object(read)) = read_nested(&text, 0, Field::default) else {
                *inner = Node::Text(text);
                return None;
            };
            *read
        }
        other => {
            *inner = other;
            return None;
        }
    };
    Some(RepairKind::Wrapper(key))
}

/// The key of a layer that [`unwrap`] would remove.
pub(super) fn wrapped(tool: &str, root: &Value, object: &Object) -> Option<&'static str> {
    let key = wrapper_key(tool, root, object)?;
    let layer = match object.get(key)? {
        Node::Object(_) => true,
        Node::Text(text) => matches!(read_nested(text, 0, Field::default), Ok(Node::Object(_))),
        _ => false,
    };
    layer.then_some(key)
}

fn wrapper_key(tool: &str, root: &Value, object: &Object) -> Option<&'static str> {
    let key = match object.entries.as_slice() {
        [(only, _)] => KEYS.into_iter().find(|key| only == key)?,
        [_, _] => match (object.get("name")?, object.get("arguments")?) {
            (Node::Text(name), _)
                if name == tool && !may_declare(root, root, "name", &mut { STEPS }) =>
            {
                "arguments"
            }
            _ => return None,
        },
        _ => return None,
    };
    let data = !object.conflicts.is_empty()
        || may_declare(root, root, key, &mut { STEPS })
        || !speaks(root, root, &mut { STEPS });
    (!data).then_some(key)
}

/// Whether any part or branch of the schema has the key, or takes any key as data.
fn may_declare(root: &Value, schema: &Value, key: &str, steps: &mut usize) -> bool {
    let Value::Object(map) = schema else {
        return schema.as_bool().unwrap_or(false);
    };
    if *steps == 0 {
        return true;
    }
    *steps -= 1;
    let has = |keyword: &str| map.get(keyword).and_then(Value::as_object);
    has("properties").is_some_and(|properties| properties.contains_key(key))
        || has("patternProperties").is_some_and(|patterns| !patterns.is_empty())
        || !matches!(
            map.get("additionalProperties"),
            None | Some(Value::Bool(false))
        )
        || parts(root, map).any(|part| may_declare(root, part, key, steps))
}

/// Whether the schema says anything about keys at all.
fn speaks(root: &Value, schema: &Value, steps: &mut usize) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    map.contains_key("properties")
        || map.get("additionalProperties") == Some(&Value::Bool(false))
        || parts(root, map).any(|part| speaks(root, part, steps))
}

fn parts<'s>(root: &'s Value, map: &'s Map<String, Value>) -> impl Iterator<Item = &'s Value> {
    let lists = ["allOf", "anyOf", "oneOf"]
        .into_iter()
        .filter_map(|key| map.get(key)?.as_array())
        .flatten();
    let single = ["if", "then", "else"]
        .into_iter()
        .filter_map(|key| map.get(key));
    let dependent = map
        .get("dependentSchemas")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::values);
    target(root, map)
        .into_iter()
        .chain(lists)
        .chain(single)
        .chain(dependent)
}
