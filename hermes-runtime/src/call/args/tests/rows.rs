//! "Value by schema", each row with its negative twins.

use serde_json::json;

use super::super::Undeclared;
use super::{check, check_as};

/// One argument `x`, required, of the given schema.
#[track_caller]
fn x(schema: &str, value: &str, expected: &str) {
    let expected = if expected.starts_with("error: ") {
        expected.to_owned()
    } else {
        format!("{{\"x\":{expected}}}")
    };
    check(
        &format!(r#"{{"type":"object","properties":{{"x":{schema}}},"required":["x"]}}"#),
        &format!("{{\"x\":{value}}}"),
        &expected,
    );
}

#[test]
fn an_integer_is_read_exactly_or_not_at_all() {
    let any = r#"{"type":"integer"}"#;
    for (value, expected) in [
        ("42", "42"),
        (r#""42""#, "42"),
        (r#"" 7 ""#, "7"),
        (r#""+7""#, "7"),
        (r#""-7""#, "-7"),
        (r#""1_000""#, "1000"),
        (r#""4.0""#, "4"),
        ("14380.0", "14380"),
        ("1e3", "1000"),
        ("1.5e1", "15"),
        (r#""1E+3""#, "1000"),
        ("120e-1", "12"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("9007199254740993", "9007199254740993"),
        (r#""9007199254740993""#, "9007199254740993"),
        ("9007199254740993.0", "9007199254740993"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("0e999999999999999999999", "0"),
    ] {
        x(any, value, expected);
    }
    for value in [
        "2.5",
        r#""4.5""#,
        r#""0x10""#,
        r#""010""#,
        r#""""#,
        r#"" ""#,
        r#""ten""#,
        r#""1,000""#,
        r#""1__0""#,
        r#""_1""#,
        r#""+-1""#,
        r#""1e""#,
        r#""--1""#,
        r#""٣""#,
        "true",
        "null",
        "[1]",
        "{}",
        "1e-1",
        "1e-999999999999999999999",
    ] {
        x(any, value, "error: `x` must be an integer, got ");
    }
    for value in [
        "18446744073709551616",
        "-9223372036854775809",
        "1e400",
        r#""1e400""#,
        "1e999999999999999999999",
    ] {
        x(
            any,
            value,
            "error: `x` must be an exact integer from -9223372036854775808 to 18446744073709551615",
        );
    }
}

#[test]
fn an_integer_stays_in_its_range() {
    x(
        r#"{"type":"integer","format":"uint8","minimum":0}"#,
        "255",
        "255",
    );
    x(
        r#"{"type":"integer","format":"uint8","minimum":0}"#,
        r#""256""#,
        "error: `x` must be an integer from 0 to 255, got 256",
    );
    x(
        r#"{"type":"integer","format":"uint8"}"#,
        "-1",
        "error: `x` must be an integer from 0 to 255, got -1",
    );
    x(
        r#"{"type":"integer","format":"int8"}"#,
        "-129",
        "error: from -128 to 127",
    );
    x(
        r#"{"type":"integer","format":"int64"}"#,
        "9223372036854775808",
        "error: `x` must be an integer from -9223372036854775808 to 9223372036854775807",
    );
    x(
        r#"{"type":"integer","format":"uint64","minimum":0}"#,
        "18446744073709551616",
        "error: `x`",
    );
    x(
        r#"{"type":"integer","minimum":1,"maximum":10}"#,
        "11",
        "error: an integer from 1 to 10, got 11",
    );
    x(
        r#"{"type":"integer","exclusiveMinimum":1}"#,
        "1",
        "error: an integer of at least above 1",
    );
    x(
        r#"{"type":"integer","maximum":9007199254740992.0}"#,
        "9007199254740993",
        "error: `x`",
    );
    x(r#"{"type":"integer","multipleOf":5}"#, "15", "15");
    x(
        r#"{"type":"integer","multipleOf":5}"#,
        "16",
        "error: `x` must be a multiple of 5, got 16",
    );
}

#[test]
fn a_number_is_finite() {
    let any = r#"{"type":"number","format":"double"}"#;
    for (value, expected) in [
        (r#""3.14""#, "3.14"),
        (r#""5""#, "5"),
        ("5", "5"),
        (r#""1e3""#, "1000.0"),
        (r#"".5""#, "0.5"),
        (r#""-1_000.5""#, "-1000.5"),
        ("0.1", "0.1"),
        ("12345678901234567890123", "1.2345678901234568e22"),
    ] {
        x(any, value, expected);
    }
    for value in [
        r#""nan""#,
        r#""inf""#,
        r#""NaN""#,
        r#""Infinity""#,
        r#""ten""#,
        r#""3,14""#,
        "true",
        "[]",
        "null",
    ] {
        x(any, value, "error: `x` must be a number, got ");
    }
    x(
        any,
        r#""ten""#,
        r#"error: `x` must be a number, got "ten"; send for example 10"#,
    );
    x(
        any,
        "1e400",
        "error: `x` must be a finite number, got 1e400",
    );
    x(any, r#""-1e400""#, "error: `x` must be a finite number");
    x(
        r#"{"type":"number","minimum":0.5,"maximum":1}"#,
        "0.25",
        "error: `x` must be a number from 0.5 to 1, got 0.25",
    );
    x(
        r#"{"type":"number","exclusiveMaximum":1}"#,
        r#""1.0""#,
        "error: `x`",
    );
    x(r#"{"type":"number","multipleOf":0.1}"#, "0.3", "0.3");
    x("{}", "1e400", "error: `x` must be a finite number");
}

#[test]
fn a_boolean_is_one_of_two_words() {
    let any = r#"{"type":"boolean"}"#;
    for (value, expected) in [
        ("true", "true"),
        (r#""TRUE""#, "true"),
        (r#""False""#, "false"),
        (r#""tRuE""#, "true"),
    ] {
        x(any, value, expected);
    }
    for value in [
        r#""yes""#,
        r#""1""#,
        "1",
        "0",
        r#""""#,
        r#"" true ""#,
        "null",
        "[true]",
        r#""t""#,
    ] {
        x(any, value, "error: `x` must be true or false, got ");
    }
}

#[test]
fn text_takes_what_has_one_spelling() {
    let any = r#"{"type":"string"}"#;
    for (value, expected) in [
        ("12345", r#""12345""#),
        ("-1", r#""-1""#),
        ("true", r#""true""#),
        (
            "123456789012345678901234567890",
            r#""123456789012345678901234567890""#,
        ),
        (r#""020""#, r#""020""#),
        (r#""{\"a\": 1}""#, r#""{\"a\": 1}""#),
        (r#""[1]""#, r#""[1]""#),
        (r#""null""#, r#""null""#),
        (r#""""#, r#""""#),
    ] {
        x(any, value, expected);
    }
    for value in [
        "1.5",
        "1.0",
        "1e3",
        "{}",
        r#"{"a":1}"#,
        "[]",
        r#"["a"]"#,
        "null",
    ] {
        x(any, value, "error: `x` must be text, got ");
    }
    x(r#"{"type":"string","maxLength":3}"#, r#""äöü""#, r#""äöü""#);
    x(
        r#"{"type":"string","maxLength":3}"#,
        "1234",
        r#"error: `x` must have at most 3 characters, got 4: "1234""#,
    );
    x(
        r#"{"type":"string","minLength":1}"#,
        r#""""#,
        "error: `x` must have at least 1 characters",
    );
}

#[test]
fn a_list_comes_as_itself_as_text_or_as_its_only_element() {
    let texts = r#"{"type":"array","items":{"type":"string"}}"#;
    let integers = r#"{"type":"array","items":{"type":"integer"}}"#;
    x(texts, r#""a""#, r#"["a"]"#);
    x(texts, r#""[\"a\", \"b\"]""#, r#"["a","b"]"#);
    x(texts, r#"" ['a', 'b',]""#, r#"["a","b"]"#);
    x(texts, "[1, true]", r#"["1","true"]"#);
    x(integers, "5", "[5]");
    x(integers, r#""[1, 2]""#, "[1,2]");
    x(integers, r#"["1", 2.0]"#, "[1,2]");
    x(integers, "[]", "[]");
    x(texts, r#""[broken""#, "error: truncated text in `x`");
    x(
        texts,
        r#""[broken]""#,
        "error: `broken` in `x` is not a JSON value",
    );
    x(texts, r#""[link](https://a.example)""#, "error: `x`");
    x(texts, r#""[NaN]""#, "error: `NaN` in `x`");
    x(
        texts,
        "5",
        "error: `x` must be a list, got 5; send for example [\"text\"]",
    );
    x(texts, r#"{"a":1}"#, "error: `x` must be a list");
    x(texts, "null", "error: `x` must be a list, got null");
    x(
        integers,
        r#""5""#,
        "error: `x` must be a list, got \"5\"; send for example [10]",
    );
    x(
        integers,
        "[1, \"two\"]",
        "error: `x[1]` must be an integer, got \"two\"",
    );
    x(
        integers,
        "[null]",
        "error: `x[0]` must be an integer, got null",
    );
    x(
        r#"{"type":"array","items":{"type":"integer"},"minItems":2}"#,
        "5",
        "error: `x` must have at least 2 items, got 1",
    );
    x(
        r#"{"type":"array","items":{"type":"integer"},"uniqueItems":true}"#,
        r#"[1, "1"]"#,
        "error: `x` must have each item once, got 1 twice",
    );
    x(
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2}"#,
        r#"["1", 2]"#,
        r#"[1,"2"]"#,
    );
    x(
        r#"{"type":"array","prefixItems":[{"type":"integer"}],"items":false}"#,
        "[1, 2]",
        "error: `x` must have at most 1 items",
    );
    x(
        r#"{"type":"array","items":[{"type":"integer"}]}"#,
        r#"["1", "2"]"#,
        r#"[1,"2"]"#,
    );
}

#[test]
fn an_object_comes_as_itself_or_as_text() {
    let point = r#"{"type":"object","properties":{"k":{"type":"integer"}},"required":["k"]}"#;
    x(point, r#""{\"k\": \"1\"}""#, r#"{"k":1}"#);
    x(point, r#""{'k': 1}""#, r#"{"k":1}"#);
    x(point, r#""{\"k\": 1""#, "error: truncated text in `x`");
    x(
        point,
        r#""x""#,
        "error: `x` must be an object with `k`, got \"x\"",
    );
    x(
        point,
        "[1]",
        "error: `x` must be an object with `k`, got [1]",
    );
    x(
        point,
        "{}",
        "error: `x.k` is missing (an integer); arguments are: k",
    );
    x(point, r#"{"k":"a"}"#, "error: `x.k` must be an integer");
    x(
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
        r#"{"a":"1","b":2.0}"#,
        r#"{"a":1,"b":2}"#,
    );
    x(
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
        r#"{"a":null}"#,
        "error: `x.a` must be an integer, got null",
    );
    x(
        r#"{"type":"object","patternProperties":{"^\\d+$":{"type":"integer"}},"additionalProperties":false}"#,
        r#"{"1":"1"}"#,
        r#"{"1":1}"#,
    );
}

#[test]
fn an_enum_takes_the_only_member_meant() {
    let level = r#"{"type":"string","enum":["low","high"]}"#;
    x(level, r#""low""#, r#""low""#);
    x(level, r#"" LOW\n""#, r#""low""#);
    x(
        level,
        r#""lo""#,
        r#"error: `x` must be one of "low", "high", got "lo"; did you mean `low`?"#,
    );
    x(level, "1", "error: `x` must be one of");
    x(level, "null", "error: `x` must be one of");
    x(r#"{"enum":["a","A"]}"#, r#""A""#, r#""A""#);
    x(
        r#"{"enum":["a","A"]}"#,
        r#"" a ""#,
        "error: `x` must be one of",
    );
    x(r#"{"enum":[1,2.5,true,null]}"#, r#""1""#, "1");
    x(r#"{"enum":[1,2.5,true,null]}"#, "1.0", "1");
    x(r#"{"enum":[1,2.5,true,null]}"#, r#""2.50""#, "2.5");
    x(r#"{"enum":[1,2.5,true,null]}"#, r#""None""#, "null");
    x(r#"{"enum":["1","2"]}"#, "2", r#""2""#);
    x(r#"{"enum":[[1],{"a":1}]}"#, r#"{"a":1}"#, r#"{"a":1}"#);
    x(
        r#"{"enum":[[1],{"a":1}]}"#,
        r#"{"a":2}"#,
        "error: must be one of [1], {\"a\":1}, got",
    );
    x(r#"{"const":"on"}"#, r#""ON""#, r#""on""#);
    x(
        r#"{"oneOf":[{"const":"a","description":"A."},{"enum":["b","c"]}]}"#,
        r#""B""#,
        r#""b""#,
    );
    x(
        r#"{"oneOf":[{"const":"a","description":"A."},{"enum":["b","c"]}]}"#,
        r#""d""#,
        r#"error: `x` must be one of "a", "b", "c""#,
    );
}

#[test]
fn a_union_keeps_what_fits_and_else_takes_the_only_conversion() {
    let key = r#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#;
    x(key, r#""42""#, r#""42""#);
    x(key, "42", "42");
    x(key, "true", r#""true""#);
    x(key, "5.0", "5");
    x(key, "5.5", "error: `x` must be text or an integer, got 5.5");
    x(r#"{"type":["integer","boolean"]}"#, r#""5""#, "5");
    x(r#"{"type":["integer","boolean"]}"#, r#""True""#, "true");
    x(r#"{"type":["integer","number"]}"#, r#""5""#, "5");
    x(
        r#"{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"string"}}]}"#,
        r#""5""#,
        "error: `x` can be read in several ways (an integer or a list), got \"5\"",
    );
    x(
        r#"{"type":["integer","array"]}"#,
        r#""5""#,
        "error: `x` can be read in several ways",
    );
    x(
        r#"{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"string"}]}"#,
        r#""[\"a\"]""#,
        r#""[\"a\"]""#,
    );
    x(
        r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"],"additionalProperties":false}]}"#,
        r#"{"b":"1"}"#,
        r#"{"b":1}"#,
    );
    x(
        r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"],"additionalProperties":false}]}"#,
        r#"{"b":"z"}"#,
        "error: `x.b` must be an integer",
    );
}

#[test]
fn a_tag_chooses_the_branch() {
    let shape = r#"{"oneOf":[
        {"type":"object","properties":{"kind":{"type":"string","const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
        {"type":"object","properties":{"kind":{"type":"string","enum":["rect"]},"w":{"type":"integer"}},"required":["kind","w"]}]}"#;
    x(
        shape,
        r#"{"kind":"circle","r":"2.5"}"#,
        r#"{"kind":"circle","r":2.5}"#,
    );
    x(
        shape,
        r#"{"kind":"RECT","w":"2"}"#,
        r#"{"kind":"rect","w":2}"#,
    );
    x(
        shape,
        r#""{\"kind\":\"rect\",\"w\":\"2\"}""#,
        r#"{"kind":"rect","w":2}"#,
    );
    x(
        shape,
        r#"{"kind":"rect","w":"2.5"}"#,
        "error: `x.w` must be an integer",
    );
    x(
        shape,
        r#"{"kind":"oval","r":1}"#,
        r#"error: `x.kind` must be one of "circle", "rect", got "oval""#,
    );
    x(
        shape,
        r#"{"r":1}"#,
        r#"error: `x.kind` is missing (one of "circle", "rect"); arguments are: kind, r, w"#,
    );
    x(
        shape,
        "5",
        "error: `x` must be an object with `kind`, `r` or an object with `kind`, `w`, got 5",
    );
    let optional = format!(r#"{{"anyOf":[{shape},{{"type":"null"}}]}}"#);
    x(
        &optional,
        r#"{"kind":"rect","w":"2"}"#,
        r#"{"kind":"rect","w":2}"#,
    );
    x(
        &optional,
        r#"{"kind":"rect","w":"b"}"#,
        "error: `x.w` must be an integer",
    );
    x(&optional, r#""null""#, "null");
}

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
}
