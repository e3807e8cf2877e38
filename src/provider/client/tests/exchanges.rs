//! Every recorded exchange of a real server, replayed.

use super::*;

/// What a recorded exchange must decode to.
enum Expected {
    Text(&'static str, FinishReason, [u64; 3]),
    Calls(&'static [(&'static str, &'static str)], Option<[u64; 3]>),
    Error(ProviderError),
}

fn expected(name: &str, url: &str) -> Expected {
    use Expected::{Calls, Error, Text};
    use FinishReason::{Length, Stop};
    let provider = || "custom".to_owned();
    match &name[..2] {
        "00" => Error(ProviderError::NotAReply {
            url: url.to_owned(),
            kind: BodyKind::Json,
            excerpt: r#"{ "models": [ { "name": "SmolLM2-135M-Instruct.Q4_1", "model": "SmolLM2-135M-Ins…"#
                .to_owned(),
        }),
        "01" => Text("Hello, I'm here to help with any creative writing project.", Stop, [26, 14, 0]),
        "02" => Text("Hello, I'm here to help with any creative writing project.", Stop, [26, 14, 25]),
        "03" => Calls(&[("calculate", r#"{"expression": "17 * 23"}"#)], Some([1088, 34, 8])),
        "04" => Calls(&[("calculate", r#"{"expression": "17 * 23"}"#)], Some([1088, 34, 1087])),
        "05" => Calls(
            &[("calculate", r#"{"expression": "6 * 7"}"#), ("calculate", r#"{"expression": "30 - 9"}"#)],
            Some([754, 65, 550]),
        ),
        "06" => Calls(
            &[("calculate", r#"{"expression": "6 * 7"}"#), ("calculate", r#"{"expression": "30 - 9"}"#)],
            None,
        ),
        "07" => Text("17 times 23 is 391.", Stop, [746, 13, 462]),
        "08" => Text(
            r#"{"tool": "calculate", "arguments": {"expression": "17 * 23"}}"#,
            Stop,
            [542, 22, 8],
        ),
        "09" => Text("2 to the power of 16 is 2^16, which is 256.\n\n", Length, [474, 24, 457]),
        "10" => Error(ProviderError::ToolSchemaRefused { tool: Some("f".to_owned()), message: GRAMMAR.to_owned() }),
        "11" => Error(ProviderError::BadRequest { status: 400, message: GRAMMAR.to_owned() }),
        "12" | "13" => Error(ProviderError::ContextOverflow { prompt_tokens: Some(6021), limit: Some(4096) }),
        "14" => Error(ProviderError::BadRequest { status: 400, message: "'messages' is required".to_owned() }),
        "15" => Error(ProviderError::BadRequest {
            status: 500,
            message: "[json.exception.parse_error.101] parse error at line 1, column 15: syntax error while parsing \
                      value - unexpected end of input; expected '[', '{', or a literal"
                .to_owned(),
        }),
        "16" => Error(ProviderError::EndpointNotFound { url: url.to_owned(), message: "File Not Found".to_owned() }),
        "17" => Error(ProviderError::BadRequest {
            status: 500,
            message: "Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at \
                      line 1, column 2: syntax error while parsing object key - invalid literal; last read: '{o'; \
                      expected string literal"
                .to_owned(),
        }),
        "18" => Text("I'm here to help with any kind", Length, [15, 8, 12]),
        "19" => Text("The story is about a young woman named", Length, [26, 8, 12]),
        "20" | "21" => Error(ProviderError::Loading { url: url.to_owned() }),
        "22" => Error(ProviderError::NotAReply {
            url: url.to_owned(),
            kind: BodyKind::Json,
            excerpt: r#"{ "status": "ok" }"#.to_owned(),
        }),
        "23" | "24" => Error(ProviderError::Unauthorized {
            provider: provider(),
            status: 401,
            variable: Some("HERMES_API_KEY".to_owned()),
            message: "Invalid API Key".to_owned(),
        }),
        "25" => Text("What is 2*3?\n", Length, [30, 8, 0]),
        other => panic!("no expectation for exchange {other}"),
    }
}

const GRAMMAR: &str = "Unable to generate parser for this template. Automatic parser generation failed: JSON schema \
                       conversion failed: Error resolving ref #/$defs/Nope: $defs not in \
                       {\"type\":\"object\",\"properties\":{\"p\":{\"$ref\":\"#/$defs/Nope\"}},\"required\":[\"p\"]}";

/// A cassette; the body stays as recorded, order of keys included.
#[derive(serde::Deserialize)]
struct Exchange {
    request: Value,
    response: Recorded,
}

#[derive(serde::Deserialize)]
struct Recorded {
    status: u16,
    headers: std::collections::BTreeMap<String, String>,
    body: Option<Box<serde_json::value::RawValue>>,
    sse: Option<String>,
}

#[tokio::test]
async fn every_recorded_exchange_decodes_however_it_is_cut_up() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes/llamacpp");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    assert_eq!(names.len(), 26);
    for path in names {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let exchange: Exchange =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let Recorded {
            status,
            headers,
            body,
            sse,
        } = exchange.response;
        let body = sse.unwrap_or_else(|| body.unwrap().get().to_owned());
        let tools = exchange.request["body"]["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|tool| {
                let tool = &tool["function"];
                ToolSpec::new(tool["name"].as_str().unwrap(), "d", &tool["parameters"]).unwrap()
            });
        let request = Request {
            tools: tools.collect(),
            ..hello()
        };
        for split in [
            Split::Whole,
            Split::Every(1),
            Split::Random(1),
            Split::Random(7),
        ] {
            let mut answer = Answer::new(status, body.clone()).split(split);
            for (key, value) in headers
                .iter()
                .filter(|(key, _)| *key != "transfer-encoding")
            {
                answer = answer.header(key, value);
            }
            let server = FakeServer::start(vec![answer]).await;
            let client = client_for(&server.base_url, "m");
            let outcome = client.complete(&request, &mut |_| ()).await;
            let url = format!("{}/chat/completions", server.base_url);
            check(name, outcome, expected(name, &url));
        }
    }
}

fn check(name: &str, outcome: Result<Reply, ProviderError>, expected: Expected) {
    let usage = |[prompt_tokens, completion_tokens, cached_tokens]: [u64; 3]| Usage {
        prompt_tokens,
        completion_tokens,
        cached_tokens,
    };
    match expected {
        Expected::Error(error) => assert_eq!(outcome.unwrap_err(), error, "{name}"),
        Expected::Text(content, finish, tokens) => {
            let reply = outcome.unwrap();
            assert_eq!(reply.content, content, "{name}");
            assert_eq!(
                (reply.finish, reply.usage),
                (finish, Some(usage(tokens))),
                "{name}"
            );
            assert_eq!(reply.tool_calls, [], "{name}");
        }
        Expected::Calls(calls, tokens) => {
            let reply = outcome.unwrap();
            let got: Vec<_> = reply
                .tool_calls
                .iter()
                .map(|call| (call.name.as_str(), call.arguments.as_str()))
                .collect();
            assert_eq!(got, calls, "{name}");
            assert!(
                reply
                    .tool_calls
                    .iter()
                    .all(|call| call.id.len() == 32 && !call.truncated),
                "{name}"
            );
            assert_eq!(
                (reply.content.as_str(), reply.finish),
                ("", FinishReason::ToolCalls),
                "{name}"
            );
            assert_eq!(reply.usage, tokens.map(usage), "{name}");
        }
    }
}
