//! The form of a schema that goes out to a model.

use serde_json::{Map, Value};

/// Number formats that schemars writes for Rust types; no provider knows them, some refuse them.
const RUST_FORMATS: &[&str] = &[
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
    "uint128", "uint", "float", "double",
];

/// Drops what no provider needs and some refuse: `$schema`, titles, Rust number formats, the null
/// arm of optional properties (optionality is said by `required`), boolean schemas.
pub(super) fn lower(schema: &Value) -> Value {
    match schema {
        Value::Bool(true) => Value::Object(Map::new()),
        Value::Bool(false) => serde_json::json!({"not": {}}),
        Value::Object(object) => Value::Object(lower_object(object)),
        other => other.clone(),
    }
}

fn lower_object(object: &Map<String, Value>) -> Map<String, Value> {
    let required: Vec<&str> = object
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut out = Map::new();
    for (key, value) in object {
        let lowered = match key.as_str() {
            "$schema" | "title" => continue,
            "format"
                if value
                    .as_str()
                    .is_some_and(|text| RUST_FORMATS.contains(&text)) =>
            {
                continue;
            }
            "properties" => match value {
                Value::Object(properties) => Value::Object(
                    properties
                        .iter()
                        .map(|(name, property)| {
                            let lowered = lower(property);
                            let optional = !required.contains(&name.as_str());
                            (
                                name.clone(),
                                if optional {
                                    without_null(lowered)
                                } else {
                                    lowered
                                },
                            )
                        })
                        .collect(),
                ),
                other => other.clone(),
            },
            "$defs" | "patternProperties" => match value {
                Value::Object(named) => Value::Object(
                    named
                        .iter()
                        .map(|(name, schema)| (name.clone(), lower(schema)))
                        .collect(),
                ),
                other => other.clone(),
            },
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => match value {
                Value::Array(branches) => Value::Array(branches.iter().map(lower).collect()),
                other => other.clone(),
            },
            "items" | "not" => lower(value),
            // Here a boolean is no schema that a provider could refuse.
            "additionalProperties" if value.is_object() => lower(value),
            _ => value.clone(),
        };
        out.insert(key.clone(), lowered);
    }
    in_reading_order(out)
}

/// The order in which a reader wants them, whatever the generator's was; the same bytes always.
fn in_reading_order(object: Map<String, Value>) -> Map<String, Value> {
    let rank = |key: &str| match key {
        "type" => 0,
        "description" => 1,
        "properties" => 3,
        "required" => 4,
        "$defs" => 5,
        _ => 2,
    };
    let mut entries: Vec<(String, Value)> = object.into_iter().collect();
    entries.sort_by_key(|(key, _)| rank(key));
    entries.into_iter().collect()
}

/// An optional property without its null arm.
fn without_null(schema: Value) -> Value {
    let Value::Object(mut object) = schema else {
        return schema;
    };
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|ty| ty != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            object.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(members)) = object.get_mut("enum") {
        members.retain(|member| !member.is_null());
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = object.get_mut(key) else {
            continue;
        };
        branches.retain(|branch| branch.get("type").and_then(Value::as_str) != Some("null"));
        if let [Value::Object(only)] = branches.as_slice() {
            // The field's own words win over the type's.
            let mut only = only.clone();
            object.remove(key);
            for (name, value) in std::mem::take(&mut object) {
                only.insert(name, value);
            }
            object = only;
        }
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::lower;
    use serde_json::json;

    #[test]
    fn optional_properties_lose_null_and_required_ones_keep_it() {
        let schema = json!({
            "$schema": "x", "title": "T", "type": "object",
            "properties": {
                "a": {"type": ["integer", "null"], "format": "uint8", "default": null},
                "b": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}], "description": "B"},
                "c": {"type": ["string", "null"], "format": "date"},
                "d": true,
            },
            "required": ["c", "d"],
        });
        assert_eq!(
            lower(&schema),
            json!({
                "type": "object",
                "properties": {
                    "a": {"type": "integer"},
                    "b": {"type": "string", "enum": ["x"], "description": "B"},
                    "c": {"type": ["string", "null"], "format": "date"},
                    "d": {},
                },
                "required": ["c", "d"],
            })
        );
    }

    #[test]
    fn a_property_called_title_or_format_is_data() {
        let schema = json!({"type": "object", "properties": {"title": {"type": "string"}, "format": {"type": "string"}}});
        assert_eq!(lower(&schema), schema);
    }
}
