//! What a scripted model says, in the wire format.

use super::Answer;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// One event of a stream.
pub(crate) fn chunk(delta: &Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    })
}

/// A streamed answer of these events.
pub(crate) fn events(events: &[Value]) -> Answer {
    let mut body = String::new();
    for event in events {
        body.extend(["data: ", &event.to_string(), "\n\n"]);
    }
    body.push_str("data: [DONE]\n\n");
    Answer::new(200, body).header("content-type", "text/event-stream")
}

/// A streamed text, a few characters an event.
pub(crate) fn says(text: &str) -> Answer {
    let characters: Vec<char> = text.chars().collect();
    let mut stream = vec![chunk(&json!({"role": "assistant", "content": null}), None)];
    for piece in characters.chunks(7) {
        let piece: String = piece.iter().collect();
        stream.push(chunk(&json!({"content": piece}), None));
    }
    stream.push(chunk(&json!({}), Some("stop")));
    events(&stream)
}

/// Streamed tool calls `(id, name, arguments)`, as OpenAI sends them: with an index, the name
/// first, then the arguments in pieces.
pub(crate) fn calls(calls: &[(&str, &str, &str)]) -> Answer {
    let mut pieces = Vec::new();
    for (index, (id, name, arguments)) in calls.iter().enumerate() {
        let middle = (0..=arguments.len() / 2)
            .rfind(|at| arguments.is_char_boundary(*at))
            .unwrap();
        let (first, second) = arguments.split_at(middle);
        pieces.push(json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": first}}));
        pieces.push(json!({"index": index, "function": {"arguments": second}}));
    }
    fragments(&pieces, "tool_calls")
}

/// A stream of these pieces of tool calls, one an event.
pub(crate) fn fragments(pieces: &[Value], finish: &str) -> Answer {
    let mut stream = vec![chunk(&json!({"role": "assistant", "content": null}), None)];
    stream.extend(
        pieces
            .iter()
            .map(|piece| chunk(&json!({"tool_calls": [piece]}), None)),
    );
    stream.push(chunk(&json!({}), Some(finish)));
    events(&stream)
}

/// The same as one JSON text, from a server that doesn't stream.
pub(crate) fn message(message: &Value, finish: &str) -> Answer {
    let body = json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    });
    Answer::new(200, body.to_string()).header("content-type", "application/json")
}

/// The answer of a recorded exchange.
pub(crate) fn cassette(name: &str) -> Answer {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cassettes/llamacpp")
        .join(format!("{name}.json"));
    let exchange: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let response = &exchange["response"];
    let status = response["status"].as_u64().unwrap().try_into().unwrap();
    let body = response["sse"]
        .as_str()
        .map_or_else(|| response["body"].to_string(), str::to_owned);
    Answer::new(status, body)
}
