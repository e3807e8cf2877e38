use serde_json::json;

use super::*;
use crate::provider::profile;

fn encoded(request: &Request, profile: &Profile) -> Value {
    let encoding = Encoding {
        model: "m",
        profile,
        stream_options: profile.stream_options,
    };
    serde_json::from_slice(&encode(request, encoding).unwrap()).unwrap()
}

fn conversation() -> Vec<Message> {
    let call = ToolCall {
        id: "c1".to_owned(),
        name: "calc".to_owned(),
        arguments: "{oops".into(),
        truncated: true,
    };
    let result = Message::tool_result(&call, r#"{"error":"not JSON"}"#);
    let calling = Message::Assistant {
        content: String::new(),
        tool_calls: vec![call],
        reasoning: Some("r".to_owned()),
    };
    vec![Message::system("s"), Message::user("hi"), calling, result]
}

#[test]
fn a_conversation_becomes_messages_no_provider_refuses() {
    let request = Request {
        messages: conversation(),
        ..Request::default()
    };
    assert_eq!(
        encoded(&request, profile::CUSTOM)["messages"],
        json!([
            {"role": "system", "content": "s"},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "calc", "arguments": "{\"_unparsed\":\"{oops\"}"}}
            ]},
            {"role": "tool", "content": "{\"error\":\"not JSON\"}", "tool_call_id": "c1"},
        ])
    );
}

#[test]
fn thinking_goes_back_only_where_it_is_wanted() {
    let request = Request {
        messages: conversation(),
        ..Request::default()
    };
    let deepseek = profile::find("deepseek").unwrap();
    assert_eq!(
        encoded(&request, deepseek)["messages"][2]["reasoning_content"],
        "r"
    );
    assert_eq!(
        encoded(&request, profile::CUSTOM)["messages"][2].get("reasoning_content"),
        None
    );
    let mut messages = conversation();
    if let Message::Assistant { reasoning, .. } = &mut messages[2] {
        *reasoning = None;
    }
    let request = Request {
        messages,
        ..Request::default()
    };
    assert_eq!(
        encoded(&request, deepseek)["messages"][2]["reasoning_content"],
        " "
    );
}

#[test]
fn tools_go_out_byte_for_byte_and_equal_requests_are_equal_bytes() {
    let schema = r#"{"type":"object","properties":{"z":{},"a":{}}}"#;
    let tool = ToolSpec::from_text("calc", "adds", schema.to_owned()).unwrap();
    let request = Request {
        tools: vec![tool],
        tool_choice: ToolChoice::Tool("calc".to_owned()),
        temperature: Some(0.5),
        max_tokens: Some(9),
        ..Request::default()
    };
    let write = || {
        let encoding = Encoding {
            model: "m",
            profile: profile::CUSTOM,
            stream_options: false,
        };
        String::from_utf8(encode(&request, encoding).unwrap()).unwrap()
    };
    assert_eq!(
        write(),
        format!(
            r#"{{"model":"m","messages":[],"tools":[{{"type":"function","function":{{"name":"calc","description":"adds","parameters":{schema}}}}}],"tool_choice":{{"type":"function","function":{{"name":"calc"}}}},"temperature":0.5,"stream":true,"max_tokens":9}}"#
        )
    );
    assert_eq!(write(), write());
}

#[test]
fn fields_follow_the_provider_and_extra_ones_dont_override() {
    let extra =
        json!({"model": "other", "stream": false, "max_tokens": 1, "top_p": 0.1, "temperature": 1});
    let request = Request {
        max_tokens: Some(7),
        extra: extra.as_object().unwrap().clone(),
        tool_choice: ToolChoice::Required,
        ..Request::default()
    };
    let openai = profile::find("openai").unwrap();
    assert_eq!(
        encoded(&request, openai),
        json!({"model": "m", "messages": [], "stream": true, "stream_options": {"include_usage": true},
            "max_completion_tokens": 7, "max_tokens": 1, "top_p": 0.1, "temperature": 1})
    );
    let mistral = encoded(&request, profile::find("mistral").unwrap());
    assert_eq!(
        (&mistral["max_tokens"], mistral.get("stream_options")),
        (&json!(7), None)
    );
}
