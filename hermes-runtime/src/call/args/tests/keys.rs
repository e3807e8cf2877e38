//! "Value by schema": null, unknown keys, and how schemas are put together.

use serde_json::json;

use super::super::Undeclared;
use super::{check, check_as, x};

#[test]
fn null_means_null_or_not_given() {
    let maybe = r#"{"type":["integer","null"]}"#;
    x(maybe, "null", "null");
    for word in [r#""null""#, r#""None""#, r#""NULL""#] {
        x(maybe, word, "null");
    }
    x(maybe, r#""none""#, "error: `x` must be an integer or null");
    x(r#"{"type":["string","null"]}"#, r#""null""#, r#""null""#);
    x(
        r#"{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}"#,
        r#""None""#,
        "null",
    );
    let optional = r#"{"type":"object","properties":{"limit":{"type":"integer","default":10},"q":{"type":"string"}},"required":["q"]}"#;
    check(optional, r#"{"q":"a","limit":null}"#, r#"{"q":"a"}"#);
    check(
        optional,
        r#"{"q":null,"limit":null}"#,
        "error: `q` must be text, got null",
    );
    check(
        optional,
        r#"{"q":"a","other":null}"#,
        r#"{"q":"a","other":null}"#,
    );
}

#[test]
fn unknown_keys_are_refused_kept_or_dropped() {
    let closed = r#"{"type":"object","properties":{"path":{"type":"string"},"mode":{"type":"string"}},"required":["path"],"additionalProperties":false}"#;
    check(
        closed,
        r#"{"path":"a","paht":1}"#,
        "error: `paht` is not an argument here; did you mean `path`?; allowed: path, mode",
    );
    check(
        closed,
        r#"{"path":"a","x y\n":1}"#,
        r#"error: `["x y\n"]` is not an argument here; allowed"#,
    );
    check(
        closed,
        r#"{"file_path":"a"}"#,
        "error: `path` is missing (text); arguments are: path, mode; got `file_path`, did you mean `path`?",
    );
    let merged = r#"{"type":"object","properties":{"a":{"type":"integer"}},"allOf":[{"properties":{"b":{"type":"integer"}}}],"unevaluatedProperties":false}"#;
    check(merged, r#"{"a":"1","b":"2"}"#, r#"{"a":1,"b":2}"#);
    check(
        merged,
        r#"{"a":1,"c":2}"#,
        "error: `c` is not an argument here; allowed: a, b",
    );

    let typed = json!({"type":"object","properties":{
        "a":{"type":"integer"},
        "in":{"type":"object","properties":{"b":{"type":"integer"}}},
        "map":{"type":"object","additionalProperties":{"type":"object","properties":{"c":{"type":"integer"}}}},
        "any":true,
        "bare":{"type":"object"},
        "list":{"type":"array","items":{"anyOf":[{"type":"object","properties":{"d":{"type":"integer"}}},{"type":"null"}]}},
    }});
    for (raw, expected) in [
        (r#"{"a":"1","z":2}"#, r#"{"a":1}"#),
        (r#"{"z":1,"z":2,"y":{"x":1,"x":2},"w":1e400}"#, "{}"),
        (r#"{"in":{"b":1,"z":2,"z":3}}"#, r#"{"in":{"b":1}}"#),
        (r#"{"in":"{\"b\":1,\"z\":2}"}"#, r#"{"in":{"b":1}}"#),
        (r#"{"map":{"k":{"c":1,"z":2}}}"#, r#"{"map":{"k":{"c":1}}}"#),
        (
            r#"{"any":{"k":{"z":1}},"bare":{"z":1}}"#,
            r#"{"any":{"k":{"z":1}},"bare":{"z":1}}"#,
        ),
        (
            r#"{"list":[{"d":"1","z":2},null]}"#,
            r#"{"list":[{"d":1},null]}"#,
        ),
        (r#"{"a":1,"a":2}"#, "error: `a` is given twice"),
        (
            r#"{"map":{"k":{},"k":{"c":1}}}"#,
            "error: `map.k` is given twice",
        ),
        (r#"{"any":{"k":1,"k":2}}"#, "error: `any.k` is given twice"),
    ] {
        check_as(&typed, raw, Undeclared::Drop, expected);
    }
    check_as(
        &json!({"type":"object"}),
        r#"{"z":1}"#,
        Undeclared::Drop,
        "{}",
    );
    let flat =
        json!({"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":true});
    check_as(
        &flat,
        r#"{"a":1,"z":2}"#,
        Undeclared::Drop,
        r#"{"a":1,"z":2}"#,
    );
    let tagged = json!({"type":"object","properties":{"a":{"type":"integer"}},"oneOf":[
        {"type":"object","properties":{"k":{"const":"x"},"p":{"type":"integer"}},"required":["k"]},
        {"type":"object","properties":{"k":{"const":"y"},"q":{"type":"integer"}},"required":["k"]}]});
    check_as(
        &tagged,
        r#"{"a":1,"k":"y","q":"1","p":2,"z":3}"#,
        Undeclared::Drop,
        r#"{"a":1,"k":"y","q":1}"#,
    );
}

#[test]
fn references_parts_and_odd_schemas_are_followed() {
    let tree = r##"{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"}},"required":["root"],
        "$defs":{"Node":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}}},"required":["v"]}}}"##;
    check(
        tree,
        r#"{"root":{"v":"1","kids":[{"v":"2","kids":"[{\"v\": \"3\"}]"}]}}"#,
        r#"{"root":{"v":1,"kids":[{"v":2,"kids":[{"v":3}]}]}}"#,
    );
    check(
        tree,
        r#"{"root":{"v":1,"kids":[{"kids":[]}]}}"#,
        "error: `root.kids[0].v` is missing",
    );
    x(
        r#"{"allOf":[{"type":"integer"},{"minimum":3}]}"#,
        r#""4""#,
        "4",
    );
    x(
        r#"{"allOf":[{"type":"integer"},{"minimum":3}]}"#,
        r#""2""#,
        "error: `x`",
    );
    x(
        r#"{"$ref":"https://elsewhere.example/schema"}"#,
        r#""4""#,
        r#""4""#,
    );
    x(
        "false",
        "1",
        "error: `x` can't be judged: no value is allowed here",
    );
    x("true", r#"{"a":[1.50,null]}"#, r#"{"a":[1.5,null]}"#);
    x(
        r##"{"$ref":"#/properties/x"}"##,
        "1",
        "error: its schema refers to itself without end",
    );
    x(
        r##"{"anyOf":[{"$ref":"#/properties/x"},{"$ref":"#/properties/x"}]}"##,
        "1",
        "error: `x` can't be judged: its schema has too many overlapping forms",
    );
    x(
        r#"{"allOf":[{"type":"string"},{"type":"integer"}]}"#,
        "0",
        "error: `x` must be text or an integer, got 0",
    );
}
