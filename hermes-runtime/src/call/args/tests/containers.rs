//! "Value by schema": lists, objects and unions, each row with its negative twins.

use super::x;

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
fn a_flat_list_for_a_list_of_lists_needs_one_reading() {
    let rows = r#"{"type":"array","items":{"type":"array","items":{"type":"integer"}}}"#;
    x(rows, "[[1,2]]", "[[1,2]]");
    x(rows, "[]", "[]");
    x(
        rows,
        "[1,2]",
        "error: `x` can be read in several ways (a list of lists), got [1,2]",
    );
    x(rows, "[[1],2]", "[[1],[2]]");
    let pairs = r#"{"type":"array","items":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2}}"#;
    x(pairs, r#"["a", 1]"#, r#"[["a",1]]"#);
    x(pairs, r#"[["a", "1"]]"#, r#"[["a",1]]"#);
    x(pairs, r#"["a", "b"]"#, "error: `x[0]`");
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
fn a_union_keeps_what_fits_and_else_takes_the_only_conversion() {
    let key = r#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#;
    x(key, r#""42""#, r#""42""#);
    x(key, "42", "42");
    x(key, "true", r#""true""#);
    x(key, "5.0", "5");
    x(key, "{}", "error: `x` must be text or an integer, got {}");
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
