//! "Text to object", each rule with its negative twins.

use super::super::{Undeclared, normalise, normalise_value};
use super::check;
use serde_json::{Value, json};

const OPEN: &str = r#"{"type":"object","properties":{"a":{},"b":{}}}"#;

#[test]
fn rule_1_no_text_is_no_arguments() {
    for raw in [
        "",
        "  \n",
        "null",
        " null ",
        r#""""#,
        r#""null""#,
        "```\n```",
    ] {
        check(OPEN, raw, "{}");
        check(
            r#"{"type":"object","properties":{"p":{"type":"string","description":"The file to read. Relative."}},"required":["p"]}"#,
            raw,
            "error: `p` is missing (text: The file to read); arguments are: p",
        );
    }
}

#[test]
fn rule_2_strict_json_is_an_object_without_contradictions() {
    check(
        OPEN,
        r#"{"a":1,"a":2}"#,
        "error: `a` is given twice with different values",
    );
    check(
        OPEN,
        r#"{"a":{"k":[1,{"z":1,"z":true}]}}"#,
        "error: `a.k[1].z` is given twice",
    );
    check(
        OPEN,
        r#"{"a":{"k":1,"l":2},"b":1,"a":{"l":2,"k":1}}"#,
        r#"{"a":{"k":1,"l":2},"b":1}"#,
    );
    check(OPEN, r#"{"u":1,"u":2}"#, "error: `u` is given twice");
    check(OPEN, r#""{\"a\":1}""#, r#"{"a":1}"#);
    check(OPEN, r#""\"{\\\"a\\\":1}\"""#, r#"{"a":1}"#);
    let thrice = serde_json::to_string(r#""\"{\\\"a\\\":1}\"""#).unwrap();
    check(OPEN, &thrice, "error: must be a JSON object");
    for raw in [
        "[1]",
        "5",
        "true",
        "\"hello\"",
        "hello",
        "Here you go: {}",
        "-5x",
        "[[]]",
        "None",
        "'a'",
    ] {
        check(
            OPEN,
            raw,
            "error: the arguments must be a JSON object, got ",
        );
    }
}

#[test]
fn rule_3_a_fence_goes_if_it_is_around_everything() {
    for raw in [
        "```json\n{\"a\":1}\n```",
        "```\n{\"a\":1}```",
        "```{\"a\":1}```",
        " ````JSON {\"a\":1} ````\n",
        "```python\n{'a': 1}\n```",
    ] {
        check(OPEN, raw, r#"{"a":1}"#);
    }
    check(
        OPEN,
        r#"{"a":"```json\n{}\n```"}"#,
        r#"{"a":"```json\n{}\n```"}"#,
    );
    check(OPEN, "```json\n{\"a\":1}\n", "error: truncated");
    check(OPEN, "```json\n{\"a\":1}\n``` and so on", "error: ");
    check(
        OPEN,
        "text ```json\n{\"a\":1}\n```",
        "error: the arguments must be a JSON object",
    );
}

#[test]
fn rule_3_control_characters_are_taken_literally() {
    check(
        OPEN,
        "{\"a\":\"one\ntwo\tthree\u{1}\"}",
        r#"{"a":"one\ntwo\tthree\u0001"}"#,
    );
    check(
        OPEN,
        "{\"a\":\"one\ntwo\u{7f}\", \"b\": \"\\n\"}",
        "{\"a\":\"one\\ntwo\u{7f}\",\"b\":\"\\n\"}",
    );
    check(OPEN, "{\"a\":\n\u{1}1}", "error: invalid JSON");
}

#[test]
fn rule_3_a_stray_backslash_is_literal_unless_it_makes_others_doubtful() {
    check(OPEN, r#"{"a":"^\d+\s*$"}"#, r#"{"a":"^\\d+\\s*$"}"#);
    check(OPEN, r#"{"a":"say \"\d\""}"#, r#"{"a":"say \"\\d\""}"#);
    check(OPEN, r#"{"a":"it\'s"}"#, r#"{"a":"it\\'s"}"#);
    check(OPEN, r#"{"a":"\d","b":"\n"}"#, r#"{"a":"\\d","b":"\n"}"#);
    check(OPEN, r#"{"a":"C:\dir\new"}"#, r"error: invalid escape `\d`");
    check(OPEN, r#"{"a":"\w \\d"}"#, r"error: invalid escape `\w`");
    check(OPEN, r#"{"a":"\t\d"}"#, r"error: invalid escape `\d`");
    check(
        OPEN,
        r#"{"a":"C:\users"}"#,
        r"error: invalid escape `\users`",
    );
    check(OPEN, r#"{"a":"\ud83c"}"#, r"error: invalid escape `\ud83c`");
    check(OPEN, r#"{"a":"\ud83c\u0041"}"#, "error: invalid escape");
    check(OPEN, r#"{"a":"\udf89"}"#, "error: invalid escape");
    check(OPEN, r#"{"a":"\ud83c\udf89\/\u00e9"}"#, r#"{"a":"🎉/é"}"#);
}

#[test]
fn rule_3_a_comma_before_a_bracket_goes() {
    check(OPEN, r#"{"a":[1,2 , ],}"#, r#"{"a":[1,2]}"#);
    check(OPEN, r#"{"a":",}",}"#, r#"{"a":",}"}"#);
    for raw in [
        r#"{"a":[,]}"#,
        r#"{"a":[1,,]}"#,
        r#"{"a":[1,,2]}"#,
        r"{,}",
        r#"{"a":1,,}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a" 1}"#,
        r#"{"a"::1}"#,
        "{a:1}",
    ] {
        check(OPEN, raw, "error: invalid JSON in the arguments: expected ");
    }
}

#[test]
fn rule_3_a_complete_python_literal_is_read() {
    check(
        OPEN,
        r#"{'a': [True, False, None, 1.5, -2], "b": 'it\'s "so"',}"#,
        r#"{"a":[true,false,null,1.5,-2],"b":"it's \"so\""}"#,
    );
    check(
        OPEN,
        r#"{'a': "it's", 'b': '\x41\u00e9\101\n'}"#,
        r#"{"a":"it's","b":"Aé\u0041\n"}"#,
    );
    check(OPEN, r#"{"a": True}"#, r#"{"a":true}"#);
    check(OPEN, r"{'a': '^\d+$'}", r#"{"a":"^\\d+$"}"#);
    check(OPEN, r"{'a': '\d\n'}", "error: invalid escape");
    check(
        OPEN,
        r"{'a': true}",
        "error: expected one notation throughout, JSON or Python, got `true`",
    );
    check(OPEN, r#"{"a": true, "b": False}"#, "error: ");
    for raw in [
        "{'a': (1, 2)}",
        "{'a': r'x'}",
        "{1: 2}",
        "{'a'}",
        "{'a': 'b' 'c'}",
        "{'a': undefined}",
    ] {
        check(OPEN, raw, "error: ");
    }
}

#[test]
fn rule_4_equal_objects_count_once() {
    check(OPEN, r#"{"a":1,"b":2}{"b":2,"a":1}"#, r#"{"a":1,"b":2}"#);
    check(OPEN, "{}\n{} {\"a\":1}", r#"{"a":1}"#);
    check(OPEN, "{}{}", "{}");
    check(OPEN, "{'a':1}{'a':1}", r#"{"a":1}"#);
    check(OPEN, r#"{"a":1}{"a":2}"#, "error: got 2 JSON objects");
    check(
        OPEN,
        r#"{}{"a":1}{"a":2}{"a":3}{"a":1}"#,
        "error: got 3 JSON objects",
    );
    check(OPEN, r#"{"a":1}{}"#, "error: got 2 JSON objects");
    check(OPEN, r#"{"a":1}{"a":"#, "error: truncated");
    for raw in [
        r#"{"a":1}}"#,
        r#"{"a":1},{"a":1}"#,
        r#"{"a":1}[1]"#,
        r#"{"a":1} done"#,
    ] {
        check(OPEN, raw, "error: expected nothing after the object");
    }
}

#[test]
fn rule_5_an_unfinished_text_is_never_closed() {
    for raw in [
        "{",
        r#"{""#,
        r#"{"a"#,
        r#"{"a""#,
        r#"{"a":"#,
        r#"{"a":1"#,
        r#"{"a":1,"#,
        r#"{"a":"x"#,
        r#"{"a":"x\"#,
        r#"{"a":"\u00"#,
        r#"{"a":"\ud83c"#,
        r#"{"a":tr"#,
        r#"{"a":-"#,
        r#"{"a":1."#,
        r#"{"a":1e"#,
        r#"{"a":[1,"#,
        r#"{"a":{"b":1}"#,
        "{'a': 'x",
        "{'a': Tr",
        "\"{\\\"a\\\":1",
        r#""{\"a\":1""#,
        "[",
        "[1",
        "{\"a\":\"x\ny",
    ] {
        check(
            OPEN,
            raw,
            "error: truncated text in the arguments: it ends inside a value after ",
        );
    }
}

#[test]
fn rule_6_what_is_not_finite_or_not_flat_is_refused() {
    for (raw, token) in [
        (r#"{"a":NaN}"#, "`NaN`"),
        (r#"{"a":[-Infinity]}"#, "`-Infinity`"),
        (r#"{"a":Infinity,}"#, "`Infinity`"),
        ("{'a': nan}", "`nan`"),
        ("NaN", "`NaN`"),
    ] {
        check(
            OPEN,
            raw,
            &format!("error: {token} in the arguments is not a JSON value"),
        );
    }
    check(OPEN, r#"{"a":"NaN"}"#, r#"{"a":"NaN"}"#);
    let nested = |levels: usize| format!("{{\"a\":{}1{}}}", "[".repeat(levels), "]".repeat(levels));
    normalise("t", &json!(true), &nested(126), Undeclared::Keep).unwrap();
    check(
        OPEN,
        &nested(127),
        "error: recursion limit: more than 127 levels of nesting in the arguments",
    );
    check(OPEN, &"[".repeat(1 << 20), "error: recursion limit");
    check(OPEN, &"{\"a\":".repeat(1 << 18), "error: recursion limit");
    // Text in text may not go deeper either.
    let inner = serde_json::to_string(&format!("{}1{}", "[".repeat(126), "]".repeat(126))).unwrap();
    check(
        r#"{"type":"object","properties":{"a":{"type":"array"}}}"#,
        &format!("{{\"a\":{inner}}}"),
        &nested(126),
    );
    let inner = serde_json::to_string(&format!("{}1{}", "[".repeat(127), "]".repeat(127))).unwrap();
    check(
        r#"{"type":"object","properties":{"a":{"type":"array"}}}"#,
        &format!("{{\"a\":{inner}}}"),
        "error: levels of nesting in `a`",
    );
    let mut deep = json!(1);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let error =
        normalise_value("t", &json!(true), json!({"a": deep}), Undeclared::Keep).unwrap_err();
    assert!(error.to_string().starts_with("recursion limit"), "{error}");
}

#[test]
fn rule_7_a_layer_goes_if_it_cannot_be_data() {
    let command =
        r#"{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}"#;
    for raw in [
        r#"{"arguments":{"command":"ls"}}"#,
        r#"{"input":{"command":"ls"}}"#,
        r#"{"parameters":"{\"command\":\"ls\"}"}"#,
        r#"{"arguments":"{'command': 'ls'}"}"#,
        r#"{"name":"the_tool","arguments":{"command":"ls"}}"#,
        r#"{"arguments":"{\"command\":\"ls\"}","name":"the_tool"}"#,
    ] {
        check(command, raw, r#"{"command":"ls"}"#);
    }
    for raw in [
        r#"{"args":{"command":"ls"}}"#,
        r#"{"name":"other","arguments":{"command":"ls"}}"#,
        r#"{"name":"the_tool","input":{"command":"ls"}}"#,
        r#"{"arguments":["ls"]}"#,
        r#"{"arguments":"ls"}"#,
        r#"{"arguments":{"command":"ls"},"x":1}"#,
    ] {
        check(command, raw, "error: `command` is missing");
    }
    check(
        command,
        r#"{"arguments":{"input":{"command":"ls"}}}"#,
        "error: nested under `arguments`",
    );
    check(
        OPEN,
        r#"{"arguments":{"arguments":{"a":1}}}"#,
        "error: the arguments are nested under `arguments`; send its content directly",
    );
    for data in [
        r#"{"type":"object","properties":{"input":{"type":"object"}}}"#,
        r#"{"type":"object","additionalProperties":true}"#,
        r#"{"type":"object","additionalProperties":{"type":"object"}}"#,
        r#"{"type":"object"}"#,
        "true",
        r#"{"type":"object","anyOf":[{"properties":{"input":{}}}]}"#,
    ] {
        check(data, r#"{"input":{"a":1}}"#, r#"{"input":{"a":1}}"#);
    }
    let named = r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;
    check(
        named,
        r#"{"name":"the_tool","arguments":{"name":"x"}}"#,
        r#"{"name":"the_tool","arguments":{"name":"x"}}"#,
    );
    // A null that goes must not lay a layer bare.
    check(
        r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#,
        r#"{"input":{"n":1},"n":null}"#,
        "error: nested under `input`",
    );
}

#[test]
fn a_delivered_value_is_read_like_its_text() {
    let schema =
        json!({"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}});
    let good = [
        (json!({"n": "5", "s": 5}), json!({"n": 5, "s": "5"})),
        (json!({"n": 14380.0}), json!({"n": 14380})),
        (json!(null), json!({})),
        (json!("{\"n\": 1}"), json!({"n": 1})),
        (json!({"input": {"n": 1}}), json!({"n": 1})),
    ];
    for (value, expected) in good {
        let args = normalise_value("t", &schema, value, Undeclared::Keep)
            .unwrap()
            .args;
        assert_eq!(Value::Object(args), expected);
    }
    for value in [
        json!([1]),
        json!(5),
        json!({"n": 9_007_199_254_740_992.0}),
        json!({"n": 1e300}),
        json!({"s": 1.0}),
    ] {
        normalise_value("t", &schema, value, Undeclared::Keep).unwrap_err();
    }
}

#[test]
fn repairs_say_what_was_done_and_where() {
    let schema = json!({"type":"object","properties":{"list":{"type":"array","items":{"type":"integer"}},"e":{"enum":["low"]}}});
    let raw = "```json\n{\"list\": \"[1, \\\"2\\\"]\", \"e\": \"LOW\", \"z\": 1,}\n```";
    let repairs = normalise("t", &schema, raw, Undeclared::Drop)
        .unwrap()
        .repairs;
    let shown: Vec<String> = repairs.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "code fence removed",
            "trailing comma removed",
            "/list: text parsed",
            "/list/1: \"2\" read as 2",
            "/e: \"LOW\" read as \"low\"",
            "/z: undeclared key dropped",
        ]
    );
}
