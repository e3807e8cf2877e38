//! Which schemas let the raw text go straight into the handler's type.
//!
//! The long road repairs, converts and drops undeclared keys before serde sees anything. Serde
//! alone gives the same answer only where it is at least as strict as that road. So a type that
//! ignores undeclared keys is never direct, and this looks for what else serde isn't strict about:
//! nested structs (they also read arrays and ignore unknown keys), enums (a unit variant also reads
//! as `{"name": null}`), limits it doesn't know, 32-bit floats (an overflow becomes infinity). What
//! remains, and fails, takes the long road.

use serde_json::{Map, Value};

pub(super) fn is_direct(schema: &Value) -> bool {
    let Some(root) = schema.as_object() else {
        return false;
    };
    let known = ["type", "properties", "required", "description", "title"];
    if root.keys().any(|key| !known.contains(&key.as_str())) {
        return false;
    }
    match root.get("properties") {
        None => true,
        Some(Value::Object(properties)) => {
            properties.values().all(|property| is_plain(property, true))
        }
        Some(_) => false,
    }
}

/// A scalar, or a list of scalars, without a limit that serde wouldn't enforce itself.
fn is_plain(schema: &Value, lists: bool) -> bool {
    let Some(object) = schema.as_object() else {
        return false;
    };
    let known = [
        "type",
        "format",
        "minimum",
        "maximum",
        "description",
        "default",
        "title",
    ];
    let list = ["type", "items", "description", "default", "title"];
    match scalar_type(object) {
        Some("string" | "boolean") => object.keys().all(|key| {
            known.contains(&key.as_str())
                && !["format", "minimum", "maximum"].contains(&key.as_str())
        }),
        Some("integer") => {
            object.keys().all(|key| known.contains(&key.as_str())) && has_own_range(object)
        }
        Some("number") => {
            object.keys().all(|key| known.contains(&key.as_str()))
                && object.get("format").and_then(Value::as_str) == Some("double")
                && !object.contains_key("minimum")
                && !object.contains_key("maximum")
        }
        Some("array") if lists => {
            object.keys().all(|key| list.contains(&key.as_str()))
                && object
                    .get("items")
                    .is_some_and(|items| is_plain(items, false))
        }
        _ => false,
    }
}

/// The one type besides `null`.
fn scalar_type(object: &Map<String, Value>) -> Option<&str> {
    match object.get("type")? {
        Value::String(one) => Some(one),
        Value::Array(several) => {
            let mut real = several
                .iter()
                .filter_map(Value::as_str)
                .filter(|ty| *ty != "null");
            let first = real.next()?;
            real.next().is_none().then_some(first)
        }
        _ => None,
    }
}

/// Whether the limits are those of the Rust type itself.
fn has_own_range(object: &Map<String, Value>) -> bool {
    let range = |key: &str| object.get(key).map(Value::as_i64);
    let (minimum, maximum) = (range("minimum"), range("maximum"));
    match object.get("format").and_then(Value::as_str) {
        Some("int64" | "int32" | "int") => minimum.is_none() && maximum.is_none(),
        Some("uint64" | "uint32" | "uint") => minimum == Some(Some(0)) && maximum.is_none(),
        Some("uint8") => minimum == Some(Some(0)) && maximum == Some(Some(255)),
        Some("uint16") => minimum == Some(Some(0)) && maximum == Some(Some(65535)),
        Some("int8") => minimum == Some(Some(-128)) && maximum == Some(Some(127)),
        Some("int16") => minimum == Some(Some(-32768)) && maximum == Some(Some(32767)),
        _ => false,
    }
}
