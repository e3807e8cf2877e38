use serde_json::{Value, json};

use super::*;
use crate::provider::decode::{Decoder, SizeLimits};

fn tools() -> Vec<ToolSpec> {
    let names = ["get_weather", "get_time", "now", "web", "web_search"];
    names
        .iter()
        .map(|name| ToolSpec::new(name, "d", &json!({})).unwrap())
        .collect()
}

/// Decodes a stream of these `tool_calls` deltas: `id name arguments` of every call.
fn calls(deltas: &[Value]) -> Vec<String> {
    let reply = reply(
        &deltas
            .iter()
            .map(|calls| json!({"delta": {"tool_calls": calls}}))
            .collect::<Vec<_>>(),
        "stop",
    );
    assert_eq!(reply.finish, FinishReason::ToolCalls);
    reply
        .tool_calls
        .iter()
        .map(|call| format!("{} {} {}", call.id, call.name, call.arguments.as_str()))
        .collect()
}

fn reply(choices: &[Value], finish: &str) -> Reply {
    let tools = tools();
    let mut decoder = Decoder::new(&tools, SizeLimits::default());
    let last = json!({"delta": {}, "finish_reason": finish});
    for choice in choices.iter().chain([&last]) {
        let event = format!("data: {}\n\n", json!({"choices": [choice]}));
        decoder.push(event.as_bytes(), &mut |_| ()).unwrap();
    }
    decoder.finish(&mut |_| ()).unwrap()
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the cases below read better so"
)]
fn piece(index: Value, id: Value, name: Value, arguments: Value) -> Value {
    json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}})
}

#[test]
fn fragments_become_the_calls_the_model_meant() {
    let null = || Value::Null;
    let weather = |place: &str| format!(r#"{{"place":"{place}"}}"#);
    let cases: Vec<(&str, Vec<Value>, Vec<&str>)> = vec![
        (
            "the usual way: header, then fragments by index",
            vec![
                json!([piece(json!(0), json!("a"), json!("get_time"), json!(""))]),
                json!([piece(json!(0), null(), null(), json!("{\"z\""))]),
                json!([piece(json!(1), json!("b"), json!("now"), json!("{}"))]),
                json!([piece(json!(0), null(), null(), json!(":1}"))]),
            ],
            vec![r#"a get_time {"z":1}"#, "b now {}"],
        ),
        (
            "indices with a gap, above 0, or sent as text",
            vec![
                json!([piece(json!(3), json!("a"), json!("now"), json!("{}"))]),
                json!([piece(json!("7"), json!("b"), json!("now"), json!("{}"))]),
            ],
            vec!["a now {}", "b now {}"],
        ),
        (
            "no index: a new id begins a call, fragments without one continue the last",
            vec![
                json!([piece(null(), json!("a"), json!("get_time"), json!("{"))]),
                json!([piece(null(), null(), null(), json!("}"))]),
                json!([piece(null(), json!("b"), json!("now"), json!("{"))]),
                json!([piece(null(), null(), null(), json!("}"))]),
            ],
            vec!["a get_time {}", "b now {}"],
        ),
        (
            "no index and no id: a new name begins a call",
            vec![
                json!([piece(null(), null(), json!("get_time"), json!("{"))]),
                json!([piece(null(), null(), null(), json!("}"))]),
                json!([piece(null(), null(), json!("now"), json!("{}"))]),
            ],
            vec!["call_1 get_time {}", "call_2 now {}"],
        ),
        (
            "two calls, both at index 0",
            vec![
                json!([piece(
                    json!(0),
                    json!("a"),
                    json!("get_weather"),
                    json!(weather("Rome"))
                )]),
                json!([piece(
                    json!(0),
                    json!("b"),
                    json!("get_weather"),
                    json!("{\"place\":")
                )]),
                json!([piece(json!(0), null(), null(), json!("\"Oslo\"}"))]),
            ],
            vec![
                r#"a get_weather {"place":"Rome"}"#,
                r#"b get_weather {"place":"Oslo"}"#,
            ],
        ),
        (
            "two calls at index 0 whose fragments alternate, ids in each",
            vec![
                json!([piece(json!(0), json!("a"), json!("now"), json!("{\"x\":"))]),
                json!([piece(json!(0), json!("b"), json!("now"), json!("{\"y\":"))]),
                json!([piece(json!(0), json!("a"), null(), json!("1}"))]),
                json!([piece(json!(0), json!("b"), null(), json!("2}"))]),
            ],
            vec![r#"a now {"x":1}"#, r#"b now {"y":2}"#],
        ),
        (
            "a complete object followed by `{` is a new call, even without any id",
            vec![
                json!([piece(
                    json!(0),
                    null(),
                    json!("now"),
                    json!("{\"x\":\"}\"}")
                )]),
                json!([piece(json!(0), null(), json!("now"), json!("{\"x\":2}"))]),
            ],
            vec![r#"call_1 now {"x":"}"}"#, r#"call_2 now {"x":2}"#],
        ),
        (
            "id and name in every fragment",
            vec![
                json!([piece(
                    json!(0),
                    json!("a"),
                    json!("web_search"),
                    json!("{\"q\":")
                )]),
                json!([piece(
                    json!(0),
                    json!("a"),
                    json!("web_search"),
                    json!("\"x\"}")
                )]),
            ],
            vec![r#"a web_search {"q":"x"}"#],
        ),
        (
            "the whole call once more at the end",
            vec![
                json!([piece(json!(0), json!("a"), json!("now"), json!("{\"q\":"))]),
                json!([piece(json!(0), json!("a"), null(), json!("1}"))]),
                json!([piece(
                    json!(0),
                    json!("a"),
                    json!("now"),
                    json!("{\"q\":1}")
                )]),
            ],
            vec![r#"a now {"q":1}"#],
        ),
        (
            "a name in fragments, also where the first is a known name",
            vec![
                json!([piece(json!(0), json!("a"), json!("get_"), null())]),
                json!([piece(json!(0), null(), json!("time"), json!("{}"))]),
                json!([piece(json!(1), json!("b"), json!("web"), null())]),
                json!([piece(json!(1), null(), json!("_search"), json!("{}"))]),
            ],
            vec!["a get_time {}", "b web_search {}"],
        ),
        (
            "arguments as an object, kept to the byte",
            vec![json!([piece(
                json!(0),
                json!("a"),
                json!("now"),
                json!({"x": [1, 2]})
            )])],
            vec![r#"a now {"x":[1,2]}"#],
        ),
        (
            "an empty object first, the text afterwards",
            vec![
                json!([piece(json!(0), json!("a"), json!("now"), json!({}))]),
                json!([piece(json!(0), null(), null(), json!("{\"x\":1}"))]),
            ],
            vec![r#"a now {"x":1}"#],
        ),
        (
            "whole calls in one event, without index and id, the same function twice",
            vec![json!([
                piece(null(), json!(""), json!("now"), json!("{}")),
                piece(null(), json!(""), json!("now"), json!("{}")),
            ])],
            vec!["call_1 now {}", "call_2 now {}"],
        ),
        (
            "two calls without arguments in one event, both at index 0",
            vec![json!([
                piece(json!(0), null(), json!("now"), json!("")),
                piece(json!(0), null(), json!("get_time"), json!("")),
            ])],
            vec!["call_1 now ", "call_2 get_time "],
        ),
        (
            "an id twice: the later call is renamed",
            vec![
                json!([piece(json!(0), json!("a"), json!("now"), json!("{}"))]),
                json!([piece(json!(1), json!("a"), json!("get_time"), json!("{}"))]),
            ],
            vec!["a now {}", "a_2 get_time {}"],
        ),
        (
            "a made-up id doesn't meet a real one",
            vec![
                json!([piece(json!(0), json!("call_2"), json!("now"), json!("{}"))]),
                json!([piece(json!(1), json!(""), json!("now"), json!("{}"))]),
            ],
            vec!["call_2 now {}", "call_3 now {}"],
        ),
    ];
    for (what, deltas, expected) in cases {
        assert_eq!(calls(&deltas), expected, "{what}");
    }
}

#[test]
fn a_call_cut_off_by_the_limit_says_so() {
    let call = |arguments: &str| {
        let pieces = json!([piece(json!(0), json!("a"), json!("now"), json!(arguments))]);
        [json!({"delta": {"tool_calls": pieces}})]
    };
    for (arguments, finish, truncated) in [
        (r#"{"x": "unfin"#, "length", true),
        // Routers rewrite the reason.
        (r#"{"x": "unfin"#, "tool_calls", true),
        (r#"{"x": tru"#, "tool_calls", true),
        ("", "length", true),
        ("", "tool_calls", false),
        (r#"{"x": 1}"#, "length", false),
        // Wrong, but whole: the runtime may repair or refuse it.
        (r#"{"x": 1,}"#, "tool_calls", false),
        ("{'x': 1}", "stop", false),
    ] {
        let reply = reply(&call(arguments), finish);
        assert_eq!(
            reply.tool_calls[0].truncated, truncated,
            "{arguments} {finish}"
        );
        assert_eq!(reply.tool_calls[0].arguments.as_str(), arguments);
        assert_eq!(reply.finish == FinishReason::Length, finish == "length");
    }
}

#[test]
fn content_in_all_its_shapes_is_text() {
    for (delta, content, reasoning) in [
        (json!({"content": null}), "", None),
        (json!({"content": "a"}), "a", None),
        (
            json!({"content": "a", "reasoning_content": "r"}),
            "a",
            Some("r"),
        ),
        (json!({"content": "", "reasoning": "r"}), "", Some("r")),
        (
            json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
            "ab",
            None,
        ),
        (
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "r"}]}, {"type": "text", "text": "a"}]}),
            "a",
            Some("r"),
        ),
        (
            json!({"content": null, "refusal": "I can't"}),
            "I can't",
            None,
        ),
    ] {
        let reply = reply(&[json!({"delta": delta})], "stop");
        assert_eq!(
            (reply.content.as_str(), reply.reasoning.as_deref()),
            (content, reasoning),
            "{delta}"
        );
    }
}

#[test]
fn the_predecessor_of_tool_calls_is_read() {
    let deltas = [
        json!({"delta": {"function_call": {"name": "now", "arguments": "{\"x\""}}}),
        json!({"delta": {"function_call": {"arguments": ":1}"}}}),
    ];
    let reply = reply(&deltas, "function_call");
    assert_eq!(reply.tool_calls[0].arguments.as_str(), r#"{"x":1}"#);
    assert_eq!(reply.finish, FinishReason::ToolCalls);
}

#[test]
fn a_call_is_announced_once_when_its_arguments_begin() {
    let tools = tools();
    let mut decoder = Decoder::new(&tools, SizeLimits::default());
    let mut seen = Vec::new();
    let mut sink = |delta: Delta<'_>| seen.push(format!("{delta:?}"));
    for calls in [
        json!([piece(json!(0), json!("a"), json!("get_"), json!(""))]),
        json!([piece(json!(0), json!("a"), json!("time"), json!("{"))]),
        json!([piece(json!(0), json!("a"), Value::Null, json!("}"))]),
        json!([piece(json!(1), json!("b"), json!("now"), json!(""))]),
    ] {
        let event = json!({"choices": [{"delta": {"tool_calls": calls}}]});
        decoder
            .push(format!("data: {event}\n\n").as_bytes(), &mut sink)
            .unwrap();
    }
    decoder.push(b"data: [DONE]\n\n", &mut sink).unwrap();
    decoder.finish(&mut sink).unwrap();
    assert_eq!(seen, [r#"ToolCall("get_time")"#, r#"ToolCall("now")"#]);
}

#[test]
fn half_an_escaped_emoji_isnt_an_error() {
    let mut decoder = Decoder::new(&[], SizeLimits::default());
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\ndata: [DONE]\n\n";
    decoder.push(event.as_bytes(), &mut |_| ()).unwrap();
    let content = decoder.finish(&mut |_| ()).unwrap().content;
    assert!(
        content.starts_with('a') && content.contains('\u{FFFD}'),
        "{content}"
    );
}

#[test]
fn thousands_of_calls_are_refused() {
    let mut decoder = Decoder::new(&[], SizeLimits::default());
    let call = piece(Value::Null, Value::Null, json!("now"), json!("{}"));
    let event = json!({"choices": [{"delta": {"tool_calls": vec![call; 2000]}}]});
    assert!(
        decoder
            .push(format!("data: {event}\n\n").as_bytes(), &mut |_| ())
            .is_err()
    );
}
