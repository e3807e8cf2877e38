//! What holds for any text, any value and a family of schemas; and the time it may take.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::parse::{Dialect, parse};
use super::super::path::Path;
use super::super::{Undeclared, normalise, normalise_value};

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "integer", "format": "int32"})),
        Just(json!({"type": "integer", "minimum": 0})),
        Just(json!({"type": "number"})),
        Just(json!({"type": "string"})),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": ["integer", "null"]})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"type": "null"})),
        Just(json!({"enum": ["low", "HIGH", 1, null]})),
        Just(json!({"type": "string", "const": "a"})),
        Just(json!({"type": "object"})),
        Just(json!({})),
        Just(json!(true)),
        Just(json!({"$ref": "#"})),
        Just(json!({"type": "integer", "anyOf": [{"type": "string"}, {"type": "integer"}]})),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let properties = prop::collection::btree_map("[a-e]|input|name", inner.clone(), 0..4);
        prop_oneof![
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items})),
            prop::collection::vec(inner.clone(), 1..3)
                .prop_map(|items| json!({"type": "array", "prefixItems": items})),
            inner
                .clone()
                .prop_map(|values| json!({"type": "object", "additionalProperties": values})),
            prop::collection::vec(inner.clone(), 1..4)
                .prop_map(|branches| json!({"anyOf": branches})),
            prop::collection::vec(inner, 1..3).prop_map(|parts| json!({"allOf": parts})),
            (properties, prop::option::of(any::<bool>()), any::<bool>()).prop_map(
                |(properties, other, required)| {
                    let mut schema = json!({"type": "object", "properties": properties});
                    if required && let Some(first) = properties.keys().next() {
                        schema["required"] = json!([first]);
                    }
                    if let Some(other) = other {
                        schema["additionalProperties"] = other.into();
                    }
                    schema
                }
            ),
        ]
    })
}

fn root() -> impl Strategy<Value = Value> {
    (
        prop::collection::btree_map("[a-e]|input", schema(), 0..5),
        any::<bool>(),
    )
        .prop_map(|(properties, closed)| {
            let mut schema = json!({"type": "object", "properties": properties});
            if closed {
                schema["additionalProperties"] = false.into();
            }
            schema
        })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-300_i32..300).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-100.0..100.0).prop_map(Value::from),
        Just(json!(3.0)),
        Just(json!(1e300)),
        "low|HIGH| high |a|A|null|None|True|5|1e2|-7.0|[1]|[\"a\",]|\\{\"a\": \"1\"\\}|\\{'b': None\\}|x".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-e]|input|arguments|name", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-e]|input|arguments", value(), 0..5)
        .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>()))
}

fn undeclared() -> impl Strategy<Value = Undeclared> {
    prop_oneof![Just(Undeclared::Keep), Just(Undeclared::Drop)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: if cfg!(debug_assertions) { 300 } else { 10_000 }, ..ProptestConfig::default() })]

    #[test]
    fn a_normalised_object_is_never_changed_again(schema in root(), args in arguments(), undeclared in undeclared()) {
        let text = args.to_string();
        for first in [normalise("t", &schema, &text, undeclared), normalise_value("t", &schema, args.clone(), undeclared)] {
            let Ok(first) = first else { continue };
            let again = normalise_value("t", &schema, Value::Object(first.args.clone()), undeclared).unwrap();
            prop_assert_eq!(&again.args, &first.args);
            prop_assert!(again.repairs.is_empty(), "{:?}", again.repairs);
            let text = Value::Object(first.args.clone()).to_string();
            let again = normalise("t", &schema, &text, undeclared).unwrap();
            prop_assert_eq!(&again.args, &first.args);
            prop_assert!(again.repairs.is_empty(), "{:?}", again.repairs);
        }
    }

    #[test]
    fn without_repairs_nothing_changed(schema in root(), args in arguments(), undeclared in undeclared()) {
        if let Ok(normalised) = normalise_value("t", &schema, args.clone(), undeclared)
            && normalised.repairs.is_empty()
        {
            prop_assert_eq!(Value::Object(normalised.args), args);
        }
    }

    #[test]
    fn any_text_is_answered_on_one_line(schema in root(), raw in "\\PC*|[{}\\[\\]\",:'\\\\ntu0-9e.+\\- \n`TrueNaN]{0,40}") {
        for undeclared in [Undeclared::Keep, Undeclared::Drop] {
            if let Err(error) = normalise("t", &schema, &raw, undeclared) {
                let message = error.to_string();
                prop_assert!(!message.contains('\n') && message.chars().count() < 2000, "{}", message);
            }
        }
    }

    #[test]
    fn broken_arguments_are_answered(schema in root(), args in arguments(), cut in any::<prop::sample::Index>(), put in "[{}\\[\\]\",:'\\\\\n`]{0,2}") {
        let text = args.to_string();
        let at = (0..=cut.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let (head, tail) = text.split_at(at);
        drop(normalise("t", &schema, &format!("{head}{put}{tail}"), Undeclared::Drop));
        if !head.trim().is_empty() && at < text.len() {
            let message = normalise("t", &schema, head, Undeclared::Keep).unwrap_err().to_string();
            prop_assert!(message.contains("truncated"), "{}: {}", head, message);
        }
    }

    #[test]
    fn strict_parsing_is_serde_jsons(raw in "[{}\\[\\]\",:\\\\ntubd0-9aef.+\\- \n/]{0,12}|(\\{\"a\":[0-9.eE+\\-]{1,6}\\})|(\"\\\\[\"\\\\/bfnrtu0-9a-fD]{0,12}\")") {
        let ours = parse(&raw, Dialect::Strict, 0);
        match serde_json::from_str::<Value>(&raw) {
            Ok(theirs) => {
                let ours = ours.unwrap().documents.pop().unwrap().into_value(&Path::ROOT);
                // A duplicate is our error alone.
                if let Ok(ours) = ours {
                    prop_assert_eq!(ours, theirs);
                }
            }
            Err(error) => {
                let several = ours.as_ref().is_ok_and(|parsed| parsed.documents.len() > 1);
                let large = error.to_string().contains("out of range");
                prop_assert!(ours.is_err() || several || large, "{}: {}", raw, error);
            }
        }
    }
}

/// 10 MB of each (1 MB in debug builds); generous bounds, since debug builds are tested on busy machines.
#[test]
fn large_arguments_take_linear_time() {
    const SIZE: usize = if cfg!(debug_assertions) {
        1 << 20
    } else {
        10 << 20
    };
    let limit = if cfg!(debug_assertions) {
        Duration::from_secs(15)
    } else {
        Duration::from_secs(4)
    };
    let fill = |unit: &str| unit.repeat(SIZE / unit.len());
    let list = |unit: &str| format!("{{\"a\":[{}0]}}", fill(unit));
    let keys = |text: &dyn Fn(usize) -> String| {
        format!(
            "{{{}\"end\":1}}",
            (0..SIZE / 16).map(text).collect::<String>()
        )
    };
    let open = json!({"type": "object", "properties": {"a": {"type": "array"}}});
    let integers = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}});
    let union = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}, {"type": "boolean"}]}}}});
    let text = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for (name, schema, raw) in [
        ("one text", &text, format!("{{\"a\":\"{}\"}}", fill("x"))),
        (
            "text with escapes",
            &text,
            format!("{{\"a\":\"{}\"}}", fill("\\n")),
        ),
        (
            "stray backslashes",
            &text,
            format!("{{\"a\":\"{}\"}}", fill("\\d")),
        ),
        ("integers", &open, list("1,")),
        ("integers as text", &integers, list("\"1\",")),
        ("integers as text in a union", &union, list("\"1\",")),
        (
            "list as text",
            &open,
            serde_json::to_string(&json!({"a": format!("[{}0]", fill("1,"))})).unwrap(),
        ),
        ("many keys", &open, keys(&|n| format!("\"k{n:09}\":1,"))),
        (
            "one key again and again",
            &open,
            keys(&|_| "\"kkkkkkkkkk\":1,".to_owned()),
        ),
        (
            "one key, other values",
            &open,
            keys(&|n| format!("\"k\":{n:010},").replace(":0", ":1")),
        ),
        ("small objects in a list", &open, list("{\"a\":1},")),
        ("equal objects", &open, fill("{\"a\":[]}")),
        (
            "different objects",
            &open,
            (0..SIZE / 12)
                .map(|n| format!("{{\"a\":{n:06}}}").replace(":0", ":1"))
                .collect(),
        ),
        ("empty objects", &open, fill("{}")),
        ("opening brackets", &open, fill("[")),
        ("opening braces", &open, fill("{")),
        ("nested objects", &open, fill("{\"a\":")),
        ("backticks", &open, fill("`")),
        ("fences", &open, fill("```json\n")),
        ("quotes", &open, fill("\"")),
        ("backslashes", &open, fill("\\")),
        (
            "unfinished text",
            &open,
            format!("{{\"a\":\"{}", fill("'x")),
        ),
        (
            "one number",
            &integers,
            format!("{{\"a\":[{}]}}", fill("9")),
        ),
        ("python", &open, format!("{{'a':[{}None]}}", fill("'x',"))),
        (
            "unknown keys",
            &json!({"type":"object","properties":{"path":{}},"required":["path"],"additionalProperties":false}),
            keys(&|n| format!("\"p{n:09}\":1,")),
        ),
        (
            "one long unknown key",
            &json!({"type":"object","properties":{"path":{}},"additionalProperties":false}),
            format!("{{\"{}\":1}}", fill("path")),
        ),
    ] {
        let start = Instant::now();
        let outcome = normalise("t", schema, &raw, Undeclared::Drop);
        let took = start.elapsed();
        let outcome = outcome.map_or_else(
            |error| error.to_string(),
            |normalised| format!("ok, {} repairs", normalised.repairs.len()),
        );
        println!(
            "{name:30} {:5} ms  {}",
            took.as_millis(),
            outcome.chars().take(100).collect::<String>()
        );
        assert!(took < limit, "{name}: {took:?}");
    }
}

#[test]
fn an_exponential_schema_is_cut_off() {
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/T"}}, "$defs": {
        "T": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/T"}}, {"type": "array", "items": {"$ref": "#/$defs/T"}, "minItems": 1}]},
    }});
    let raw = format!("{{\"x\":{}1{}}}", "[".repeat(120), "]".repeat(120));
    let start = Instant::now();
    let error = normalise("t", &schema, &raw, Undeclared::Keep).unwrap_err();
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert!(
        error.to_string().contains("can't be judged") || error.to_string().contains("must be"),
        "{error}"
    );
}

#[test]
fn a_long_chain_of_references_does_not_exhaust_the_stack() {
    let link = |next: usize| json!({"anyOf": [{"$ref": format!("#/$defs/{next}")}, {"type": "integer", "minimum": 10}]});
    let chain: Map<String, Value> = (0..2000).map(|n| (n.to_string(), link(n + 1))).collect();
    let schema =
        json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/0"}}, "$defs": chain});
    for raw in [r#"{"x":"5"}"#, r#"{"x":5}"#] {
        normalise("t", &schema, raw, Undeclared::Keep).unwrap_err();
    }
    // Honest recursion, as deep as text can be.
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/T"}}, "$defs": {
        "T": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/U"}, {"type": "string"}]},
        "U": {"type": "object", "properties": {"v": {"type": "integer"}, "t": {"$ref": "#/$defs/T"}}, "required": ["v"]},
    }});
    let raw = format!(
        "{{\"x\":{}null{}}}",
        "{\"v\":\"1\",\"t\":".repeat(125),
        "}".repeat(125)
    );
    let normalised = normalise("t", &schema, &raw, Undeclared::Drop).unwrap();
    assert_eq!(normalised.repairs.len(), 125);
}

/// What a usual call costs.
#[test]
fn a_small_call_takes_microseconds() {
    let schema = json!({"type": "object", "properties": {
        "value": {"type": "number"}, "from_unit": {"type": "string"}, "to_unit": {"type": "string"}, "digits": {"type": ["integer", "null"]},
    }, "required": ["value", "from_unit", "to_unit"]});
    let raw = r#"{"value": 12.5, "from_unit": "km", "to_unit": "mi", "digits": 3}"#;
    let rounds = 20_000;
    let start = Instant::now();
    for _ in 0..rounds {
        normalise("unit_convert", &schema, raw, Undeclared::Drop).unwrap();
    }
    let each = start.elapsed() / rounds;
    println!("a small call: {each:?}");
    assert!(each < Duration::from_millis(1), "{each:?}");
}
