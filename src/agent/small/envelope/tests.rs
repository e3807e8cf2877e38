use super::{Said, answer, call, format, listing, open};
use crate::provider::ToolSpec;
use serde_json::{Value, json};

fn tool(name: &str, description: &str, parameters: &Value) -> ToolSpec {
    ToolSpec::new(name, description, parameters).unwrap()
}

fn schema(tools: &[ToolSpec]) -> Value {
    format(tools)["json_schema"]["schema"].clone()
}

#[test]
fn each_tool_is_one_way_and_an_answer_another() {
    let tools = [
        tool(
            "a",
            "A.",
            &json!({"type": "object", "properties": {"x": {"type": "integer", "description": "X", "default": 1}}, "required": ["x"]}),
        ),
        tool("b", "B.", &json!({"type": "object", "properties": {}})),
    ];
    let schema = schema(&tools);
    assert_eq!(schema["oneOf"].as_array().unwrap().len(), 3);
    assert_eq!(
        schema["oneOf"][0]["properties"]["tool"],
        json!({"const": "a"})
    );
    assert_eq!(
        schema["oneOf"][0]["properties"]["arguments"],
        json!({"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]})
    );
    assert_eq!(schema["oneOf"][2]["required"], json!(["answer"]));
}

#[test]
fn without_tools_there_is_only_the_answer() {
    assert_eq!(
        schema(&[])["properties"],
        json!({"answer": {"type": "string"}})
    );
}

#[test]
fn definitions_of_two_tools_with_one_name_stay_apart() {
    let node = |of: &str| {
        json!({
            "type": "object",
            "properties": {"root": {"$ref": "#/$defs/Node"}},
            "$defs": {"Node": {"type": of, "items": {"$ref": "#/$defs/Node"}}},
        })
    };
    let schema = schema(&[
        tool("a", "A.", &node("array")),
        tool("b", "B.", &node("object")),
    ]);
    assert_eq!(
        schema["oneOf"][1]["properties"]["arguments"]["properties"]["root"],
        json!({"$ref": "#/$defs/b.Node"})
    );
    assert_eq!(
        schema["$defs"]["a.Node"],
        json!({"type": "array", "items": {"$ref": "#/$defs/a.Node"}})
    );
    assert_eq!(schema["$defs"]["b.Node"]["type"], "object");
}

#[test]
fn a_schema_that_refers_to_itself_still_does() {
    let schema = schema(&[tool(
        "a",
        "A.",
        &json!({"type": "object", "properties": {"child": {"$ref": "#"}}}),
    )]);
    let way = &schema["oneOf"][0]["properties"]["arguments"];
    assert_eq!(way, &json!({"$ref": "#/$defs/a."}));
    assert_eq!(schema["$defs"]["a."]["properties"]["child"], *way);
}

#[test]
fn a_property_called_like_a_keyword_stays() {
    let parameters = json!({"type": "object", "properties": {
        "pattern": {"type": "string", "pattern": "\\d+"},
        "format": {"type": "string", "format": "date"},
    }});
    let schema = schema(&[tool("a", "A.", &parameters)]);
    assert_eq!(
        schema["oneOf"][0]["properties"]["arguments"]["properties"],
        json!({"pattern": {"type": "string"}, "format": {"type": "string"}})
    );
}

#[test]
fn the_listing_is_a_signature_and_a_sentence() {
    let parameters = json!({
        "type": "object",
        "properties": {
            "place": {"type": "string"},
            "days": {"type": "integer"},
            "units": {"type": "string", "enum": ["metric", "imperial"]},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["place"],
    });
    assert_eq!(
        listing(&[tool(
            "weather",
            "Get the weather.\nMore. And more.",
            &parameters
        )]),
        "\nweather(place: string, days?: integer, units?: \"metric\"|\"imperial\", tags?: string[]) - Get the weather."
    );
}

#[test]
fn what_was_put_in_comes_out() {
    let said = open(&call("a\"b", "{\"x\":1}"));
    let expected = Said::Call {
        tool: "a\"b".to_owned(),
        arguments: "{\"x\":1}".to_owned(),
    };
    assert_eq!(said, Some(expected));
    assert_eq!(
        open(&answer("ä\n\"")),
        Some(Said::Answer("ä\n\"".to_owned()))
    );
}

#[test]
fn what_was_cut_off_gives_what_there_is_and_never_a_whole_call() {
    let text = call("calculate", "{\"expression\": \"2 ** 16\"}");
    for end in 0..text.len() {
        match open(&text[..end]) {
            None => {}
            Some(Said::Call { tool, arguments }) => {
                assert_eq!(tool, "calculate");
                // The closing brace of the envelope alone may be missing.
                let whole = "{\"expression\": \"2 ** 16\"}";
                assert!(arguments == whole || serde_json::from_str::<Value>(&arguments).is_err());
            }
            Some(Said::Answer(_)) => panic!("no answer in {:?}", &text[..end]),
        }
    }
    let text = answer("Grüße \u{1f980}");
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        match open(&text[..end]) {
            None => assert!(end <= 11, "{:?}", &text[..end]),
            Some(Said::Answer(answer)) => assert!("Grüße \u{1f980}".starts_with(&answer)),
            Some(Said::Call { .. }) => panic!("no call in {:?}", &text[..end]),
        }
    }
}

#[test]
fn plain_text_and_other_json_are_no_envelope() {
    for text in [
        "",
        "Hello",
        "{}",
        "[1]",
        "{\"tool\":",
        "{\"x\": 1}",
        "{\"answer\": 5}",
        "\"a\"",
    ] {
        assert_eq!(open(text), None, "{text:?}");
    }
}
