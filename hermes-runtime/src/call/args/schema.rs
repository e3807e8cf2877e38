//! Reading a JSON schema: references, types, and words for messages.

use serde_json::{Map, Value};

use super::node::cut;
use super::number::Num;

/// References followed in a row; a cycle is longer than any honest chain.
const HOPS: usize = 32;

/// Members that a union of constants may have.
const MEMBERS: usize = 4096;

/// Longer names are no misspelling of anything.
const NAME: usize = 64;

/// The schema a `$ref` points to, if it is inside the document. Others say nothing we can check.
pub(super) fn target<'s>(root: &'s Value, schema: &Map<String, Value>) -> Option<&'s Value> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    if pointer.contains('%') {
        root.pointer(&percent_decoded(pointer))
    } else {
        root.pointer(pointer)
    }
}

fn percent_decoded(pointer: &str) -> String {
    let mut parts = pointer.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        if let Some(byte) = part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok())
        {
            bytes.push(byte);
            bytes.extend_from_slice(part.get(2..).unwrap_or_default().as_bytes());
        } else {
            bytes.push(b'%');
            bytes.extend_from_slice(part.as_bytes());
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Follows references that stand alone, to the schema that says something.
pub(super) fn resolve<'s>(root: &'s Value, mut schema: &'s Value) -> &'s Value {
    for _ in 0..HOPS {
        match schema
            .as_object()
            .filter(|map| !map.contains_key("type"))
            .and_then(|map| target(root, map))
        {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// The allowed types; empty if any is.
pub(super) fn types(schema: &Map<String, Value>) -> &[Value] {
    match schema.get("type") {
        Some(Value::Array(types)) => types,
        Some(name @ Value::String(_)) => std::slice::from_ref(name),
        _ => &[],
    }
}

/// The members of `const`, `enum` or a union of nothing but these.
pub(super) fn members<'s>(root: &'s Value, schema: &'s Value) -> Option<Vec<&'s Value>> {
    let mut found = Vec::new();
    collect_members(root, schema, &mut found, HOPS).then_some(found)
}

fn collect_members<'s>(
    root: &'s Value,
    schema: &'s Value,
    found: &mut Vec<&'s Value>,
    hops: usize,
) -> bool {
    let Some(map) = resolve(root, schema).as_object() else {
        return false;
    };
    if let Some(member) = map.get("const") {
        found.push(member);
        return true;
    }
    if let Some(members) = map.get("enum").and_then(Value::as_array) {
        found.extend(members);
        return true;
    }
    let branches = map
        .get("oneOf")
        .or_else(|| map.get("anyOf"))
        .and_then(Value::as_array);
    match branches {
        Some(branches) if hops > 0 && !branches.is_empty() && !map.contains_key("properties") => {
            branches.iter().all(|branch| {
                found.len() < MEMBERS && collect_members(root, branch, found, hops / 2)
            })
        }
        _ => false,
    }
}

/// What a value must be, in words: "an integer from 0 to 255", "text or null".
pub(super) fn describe(root: &Value, schema: &Value) -> String {
    let mut forms = Vec::new();
    collect_forms(root, schema, &mut forms, 3);
    forms.dedup();
    match forms.len() {
        0 => "a valid value".to_owned(),
        1..=8 => forms.join(" or "),
        _ => format!("one of {} forms", forms.len()),
    }
}

fn collect_forms(root: &Value, schema: &Value, forms: &mut Vec<String>, depth: usize) {
    let Some(map) = resolve(root, schema).as_object() else {
        return;
    };
    if let Some(members) = members(root, schema) {
        forms.extend(
            members
                .iter()
                .take(10)
                .map(|member| cut(&member.to_string())),
        );
        return;
    }
    for name in types(map).iter().filter_map(Value::as_str) {
        forms.push(match name {
            "integer" => ranged("an integer", integer_range(map)),
            "number" => ranged("a number", number_range(map)),
            "string" => "text".to_owned(),
            "boolean" => "true or false".to_owned(),
            "array" => "a list".to_owned(),
            "object" => object_form(map),
            other => other.to_owned(),
        });
    }
    if forms.is_empty() && depth > 0 {
        for key in ["anyOf", "oneOf", "allOf"] {
            for branch in map
                .get(key)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .take(12)
            {
                let mut own = Vec::new();
                collect_forms(root, branch, &mut own, depth - 1);
                forms.extend(own);
            }
        }
    }
}

/// An object by what it must hold, which tells the branches of a union apart.
fn object_form(map: &Map<String, Value>) -> String {
    let names: Vec<_> = required(map)
        .take(4)
        .map(|name| format!("`{}`", cut(name)))
        .collect();
    if names.is_empty() {
        "an object".to_owned()
    } else {
        format!("an object with {}", names.join(", "))
    }
}

/// A limit in words: its spelling, and whether it is outside the range itself.
type Limit = Option<(String, bool)>;

fn ranged(noun: &str, (low, high): (Limit, Limit)) -> String {
    let lower = |(low, outside): (String, bool)| {
        format!("{} {low}", if outside { "above" } else { "of at least" })
    };
    let upper = |(high, outside): (String, bool)| {
        format!("{} {high}", if outside { "below" } else { "of at most" })
    };
    match (low, high) {
        (Some((low, false)), Some((high, false))) => format!("{noun} from {low} to {high}"),
        (Some(low), Some(high)) => format!("{noun} {} and {}", lower(low), upper(high)),
        (Some(low), None) => format!("{noun} {}", lower(low)),
        (None, Some(high)) => format!("{noun} {}", upper(high)),
        (None, None) => noun.to_owned(),
    }
}

fn number_range(map: &Map<String, Value>) -> (Limit, Limit) {
    let limit = |key: &str, outside: bool| {
        Some((
            map.get(key).filter(|value| value.is_number())?.to_string(),
            outside,
        ))
    };
    (
        limit("minimum", false).or_else(|| limit("exclusiveMinimum", true)),
        limit("maximum", false).or_else(|| limit("exclusiveMaximum", true)),
    )
}

fn integer_range(map: &Map<String, Value>) -> (Limit, Limit) {
    let (low, high) = number_range(map);
    let format = format_range(map);
    (
        low.or_else(|| format.map(|(low, _)| (low.to_string(), false))),
        high.or_else(|| format.map(|(_, high)| (high.to_string(), false))),
    )
}

/// The range that a Rust number format stands for, as far as JSON values hold it.
pub(super) fn format_range(map: &Map<String, Value>) -> Option<(i128, i128)> {
    let range = |low: i128, high: i128| Some((low, high));
    match map.get("format")?.as_str()? {
        "int8" => range(i8::MIN.into(), i8::MAX.into()),
        "int16" => range(i16::MIN.into(), i16::MAX.into()),
        "int32" => range(i32::MIN.into(), i32::MAX.into()),
        "int" | "int64" => range(i64::MIN.into(), i64::MAX.into()),
        "uint8" => range(0, u8::MAX.into()),
        "uint16" => range(0, u16::MAX.into()),
        "uint32" => range(0, u32::MAX.into()),
        "uint" | "uint64" | "uint128" => range(0, u64::MAX.into()),
        _ => None,
    }
}

/// A value that would do, for a message: the schema's own example or the simplest one.
pub(super) fn example(root: &Value, schema: &Value) -> Option<String> {
    let map = resolve(root, schema).as_object()?;
    let own = map
        .get("examples")
        .and_then(|examples| examples.get(0))
        .or_else(|| map.get("default"));
    if let Some(own) = own.filter(|own| !own.is_null()) {
        return Some(cut(&own.to_string()));
    }
    if let Some(members) = members(root, schema) {
        return members
            .iter()
            .find(|member| !member.is_null())
            .map(|member| cut(&member.to_string()));
    }
    match types(map).first()?.as_str()? {
        "integer" | "number" => {
            let ten = Num::Int(10);
            let limit = |key: &str| map.get(key).and_then(Value::as_number).map(Num::from_json);
            let low = limit("minimum")
                .filter(|low| low.compare(&ten) == Some(std::cmp::Ordering::Greater));
            let high = limit("maximum")
                .filter(|high| high.compare(&ten) == Some(std::cmp::Ordering::Less));
            let exclusive =
                map.contains_key("exclusiveMinimum") || map.contains_key("exclusiveMaximum");
            (!exclusive).then(|| low.or(high).unwrap_or(ten).spelling().into_owned())
        }
        "boolean" => Some("true".to_owned()),
        "string" => Some("\"text\"".to_owned()),
        "array" => match map.get("items").and_then(|items| example(root, items)) {
            Some(item) if item.len() < 40 => Some(format!("[{item}]")),
            _ => None,
        },
        _ => None,
    }
}

/// Type and start of the description of an argument, on one line.
pub(super) fn about(root: &Value, schema: Option<&Value>) -> String {
    let Some(schema) = schema else {
        return "required".to_owned();
    };
    let kind = describe(root, schema);
    let text = schema
        .get("description")
        .or_else(|| resolve(root, schema).get("description"))
        .and_then(Value::as_str);
    let text = text
        .unwrap_or_default()
        .chars()
        .take(400)
        .collect::<String>();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = text
        .split(". ")
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    if sentence.is_empty() {
        kind
    } else {
        format!("{kind}: {}", cut(sentence))
    }
}

/// The names in `required`.
pub(super) fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The name that was most likely meant: a slip of the pen, or one name inside the other.
pub(super) fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if given.is_empty() || given.len() > NAME {
        return None;
    }
    let given = given.to_lowercase();
    names
        .filter(|name| !name.is_empty() && name.len() <= NAME)
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let short = given.chars().count().min(lower.chars().count());
            let distance = strsim::damerau_levenshtein(&given, &lower);
            let inside = short >= 3 && (given.contains(&lower) || lower.contains(&given));
            (inside || distance <= (short / 3).max(usize::from(short > 1)))
                .then_some((distance, name))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
