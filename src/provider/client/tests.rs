use std::path::Path;

use serde_json::{Value, json};

use super::super::fake_server::{Answer, FakeServer, Split};
use super::super::message::{FinishReason, Message, Usage};
use super::super::profile;
use super::*;
use crate::provider::{ApiKey, ConnectFault};

mod exchanges;

const KEY: &str = "sk-very-secret-0123456789";

fn client_for(base_url: &str, model: &str) -> ChatClient {
    let route = ProviderRoute {
        profile: profile::CUSTOM,
        base_url: base_url.to_owned(),
        model: model.to_owned(),
        api_key: ApiKey::new(KEY),
        key_variable: Some("HERMES_API_KEY".to_owned()),
    };
    let quick = RetryPolicy {
        base: Duration::from_millis(1),
        loading: Duration::from_millis(4),
        ..RetryPolicy::default()
    };
    ChatClient::new(route).unwrap().with_retry(quick)
}

fn hello() -> Request {
    Request {
        messages: vec![Message::user("hello")],
        ..Request::default()
    }
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec::new(name, "d", &json!({"type": "object", "properties": {}})).unwrap()
}

/// Runs one turn; gives the outcome, the deltas as text and the number of requests.
async fn run(
    script: Vec<Answer>,
    request: &Request,
) -> (Result<Reply, ProviderError>, Vec<String>, usize) {
    let server = FakeServer::start(script).await;
    let client = client_for(&server.base_url, "m");
    let mut deltas = Vec::new();
    let outcome = client
        .complete(request, &mut |delta| {
            deltas.push(match delta {
                Delta::Text(text) => text.to_owned(),
                Delta::Reasoning(text) => format!("({text})"),
                Delta::ToolCall(name) => format!("<{name}>"),
                Delta::Retry { .. } => "retry".to_owned(),
            });
        })
        .await;
    (outcome, deltas, server.requests().len())
}

/// A stream of these events, then `[DONE]`.
fn sse(events: &[Value]) -> String {
    let events: Vec<_> = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    events.concat() + "data: [DONE]\n\n"
}

fn text_event(text: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {"content": text}}]})
}

fn stop_event() -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
}

#[tokio::test]
async fn text_is_shown_while_it_arrives_and_cjk_may_be_split_anywhere() {
    let stream = sse(&[text_event("天気は"), text_event("晴れ🌞です"), stop_event()]);
    for split in [Split::Every(1), Split::Every(2), Split::Random(3)] {
        let (outcome, deltas, _) = run(
            vec![Answer::new(200, stream.clone()).split(split)],
            &hello(),
        )
        .await;
        assert_eq!(outcome.unwrap().content, "天気は晴れ🌞です");
        assert_eq!(deltas, ["天気は", "晴れ🌞です"]);
    }
}

#[tokio::test]
async fn a_stream_cut_midway_is_an_error_and_isnt_repeated_once_text_was_shown() {
    let half = format!("data: {}\n\n", text_event("half an ans"));
    for answer in [Answer::new(200, half.clone()).cut(), Answer::new(200, half)] {
        let (outcome, deltas, requests) = run(vec![answer], &hello()).await;
        assert!(
            matches!(outcome, Err(ProviderError::StreamCut { received: 11, .. })),
            "{outcome:?}"
        );
        assert_eq!((deltas, requests), (vec!["half an ans".to_owned()], 1));
    }
}

#[tokio::test]
async fn a_stream_cut_before_any_text_is_repeated() {
    let nothing = Answer::new(
        200,
        format!(
            "data: {}\n\n",
            json!({"choices": [{"delta": {"role": "assistant"}}]})
        ),
    );
    let (outcome, deltas, requests) = run(
        vec![
            nothing.cut(),
            Answer::new(200, sse(&[text_event("ok"), stop_event()])),
        ],
        &hello(),
    )
    .await;
    assert_eq!(outcome.unwrap().content, "ok");
    assert_eq!(
        (deltas, requests),
        (vec!["retry".to_owned(), "ok".to_owned()], 2)
    );
}

#[tokio::test]
async fn a_finish_reason_without_done_is_a_whole_answer() {
    let stream = format!("data: {}\n\ndata: {}\n\n", text_event("ok"), stop_event());
    for answer in [
        Answer::new(200, stream.clone()),
        Answer::new(200, stream).cut(),
    ] {
        assert_eq!(run(vec![answer], &hello()).await.0.unwrap().content, "ok");
    }
}

#[tokio::test]
async fn html_with_status_200_asks_about_the_base_url() {
    let page = "<!DOCTYPE html>\n<html><head><title>Welcome</title></head></html>";
    let (outcome, _, requests) = run(
        vec![Answer::new(200, page).header("content-type", "text/html")],
        &hello(),
    )
    .await;
    let error = outcome.unwrap_err();
    assert!(matches!(
        error,
        ProviderError::NotAReply {
            kind: BodyKind::Html,
            ..
        }
    ));
    assert!(
        error
            .to_string()
            .contains("answered with HTML, not a chat completion; is `base_url` right?"),
        "{error}"
    );
    assert_eq!(requests, 1);
}

#[tokio::test]
async fn other_bodies_with_status_200_are_no_answer() {
    for (body, kind) in [
        ("", BodyKind::Empty),
        ("Internal proxy says hi", BodyKind::Text),
        ("error, sorry", BodyKind::Text),
        (r#"{"ok":true}"#, BodyKind::Json),
        (r"[1,2]", BodyKind::Json),
        (r#"{"choices":[]}"#, BodyKind::Json),
    ] {
        let (outcome, _, _) = run(vec![Answer::new(200, body)], &hello()).await;
        assert!(
            matches!(outcome, Err(ProviderError::NotAReply { kind: got, .. }) if got == kind),
            "{body}: {outcome:?}"
        );
    }
}

#[tokio::test]
async fn retry_after_is_honoured_and_then_the_answer_comes() {
    let busy =
        Answer::new(429, r#"{"error":{"message":"slow down"}}"#).header("retry-after", "0.05");
    let start = std::time::Instant::now();
    let (outcome, deltas, requests) = run(
        vec![
            busy,
            Answer::new(200, sse(&[text_event("ok"), stop_event()])),
        ],
        &hello(),
    )
    .await;
    assert_eq!(outcome.unwrap().content, "ok");
    assert!(start.elapsed() >= Duration::from_millis(50));
    assert_eq!(
        (deltas, requests),
        (vec!["retry".to_owned(), "ok".to_owned()], 2)
    );
}

#[tokio::test]
async fn a_retry_after_beyond_the_cap_is_told_instead_of_waited_for() {
    let busy =
        Answer::new(429, r#"{"error":{"message":"daily limit"}}"#).header("retry-after", "3600");
    let (outcome, _, requests) = run(vec![busy], &hello()).await;
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "custom limits the rate: daily limit; try again in 3600s"
    );
    assert_eq!(requests, 1);
}

#[tokio::test]
async fn each_status_makes_as_many_requests_as_it_deserves() {
    for (status, body, requests) in [
        (401, r#"{"error":{"message":"no"}}"#, 1),
        (403, "", 1),
        (400, r#"{"error":{"message":"no"}}"#, 1),
        (404, "", 1),
        (402, "", 1),
        (413, "", 1),
        (429, "", 3),
        (500, "", 3),
        (502, "<html>bad gateway</html>", 3),
        (503, r#"{"error":{"message":"overloaded"}}"#, 3),
        (529, "", 3),
        (
            500,
            r#"{"error":{"message":"[json.exception.parse_error.101] parse error"}}"#,
            1,
        ),
    ] {
        let (outcome, deltas, sent) = run(vec![Answer::new(status, body)], &hello()).await;
        assert!(outcome.is_err());
        assert_eq!(
            (sent, deltas.len()),
            (requests, requests - 1),
            "{status} {body}"
        );
    }
}

#[tokio::test]
async fn a_loading_model_is_waited_for() {
    let loading = Answer::new(
        503,
        r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
    );
    let ready = Answer::new(200, sse(&[text_event("ok"), stop_event()]));
    let (outcome, _, requests) = run(vec![loading.clone(), ready], &hello()).await;
    assert_eq!((outcome.unwrap().content.as_str(), requests), ("ok", 2));
    assert!(matches!(
        run(vec![loading], &hello()).await.0,
        Err(ProviderError::Loading { .. })
    ));
}

#[tokio::test]
async fn an_error_inside_the_stream_is_an_error_of_its_kind() {
    let frames = [
        (
            json!({"error": {"message": "too many", "code": 429}}),
            "custom limits the rate: too many",
        ),
        (
            json!({"error": {"message": "boom", "type": "server_error"}}),
            "custom has an internal error (500): boom",
        ),
        (
            json!({"error": "plain words"}),
            "custom has an internal error (200): plain words",
        ),
        (
            json!({"object": "error", "message": "old vLLM", "code": 400}),
            "the provider refused the request (400): old vLLM",
        ),
    ];
    for (frame, text) in frames {
        let stream = sse(&[text_event("begun"), frame]);
        let (outcome, _, requests) = run(vec![Answer::new(200, stream)], &hello()).await;
        assert_eq!(
            (outcome.unwrap_err().to_string().as_str(), requests),
            (text, 1)
        );
    }
    let named = "event: error\ndata: {\"message\":\"named event\"}\n\n";
    let (outcome, ..) = run(vec![Answer::new(200, named)], &hello()).await;
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "custom has an internal error (200): named event"
    );
    let xai = sse(&[json!({"error": {"message": "Invalid arguments passed to the model"}})]);
    let request = Request {
        tools: vec![tool("a"), tool("b")],
        ..hello()
    };
    let (outcome, ..) = run(vec![Answer::new(200, xai)], &request).await;
    assert!(
        matches!(
            outcome,
            Err(ProviderError::ToolSchemaRefused { tool: None, .. })
        ),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_server_that_ignores_stream_may_answer_plainly() {
    let body = json!({"choices": [{"message": {"content": "plain"}, "finish_reason": "stop"}]})
        .to_string();
    let (outcome, deltas, _) = run(
        vec![Answer::new(200, format!("\n {body}")).split(Split::Every(1))],
        &hello(),
    )
    .await;
    assert_eq!(
        (outcome.unwrap().content.as_str(), deltas),
        ("plain", vec!["plain".to_owned()])
    );
    let half = Answer::new(200, &body[..body.len() - 20]);
    assert!(matches!(
        run(vec![half], &hello()).await.0,
        Err(ProviderError::StreamCut { .. })
    ));
}

#[tokio::test]
async fn sizes_are_bounded() {
    let server = FakeServer::start(vec![
        Answer::new(200, format!("data: {}", "x".repeat(2000))),
        Answer::new(200, sse(&vec![text_event(&"y".repeat(100)); 30])),
        Answer::new(200, format!("{{{}", " ".repeat(3000))),
    ])
    .await;
    let client = client_for(&server.base_url, "m").with_size_limits(SizeLimits {
        event: 1000,
        reply: 2000,
    });
    for what in ["an event of the stream", "the answer", "the answer"] {
        let error = client.complete(&hello(), &mut |_| ()).await.unwrap_err();
        assert!(
            matches!(error, ProviderError::TooLarge { what: got, .. } if got == what),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn no_message_shows_the_key() {
    let echo = format!(r#"{{"error":{{"message":"bad key {KEY}"}}}}"#);
    for status in [200, 400, 401, 404, 429, 500] {
        let (outcome, _, _) = run(vec![Answer::new(status, echo.clone())], &hello()).await;
        let error = outcome.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
        assert!(error.to_string().contains("***"), "{error}");
    }
    let client = client_for("http://127.0.0.1:1/v1?key=hidden", "m");
    let error = client.complete(&hello(), &mut |_| ()).await.unwrap_err();
    let shown = format!("{client:?} {:?} {error} {error:?}", client.route().api_key);
    assert!(!shown.contains(KEY) && !shown.contains("hidden"), "{shown}");
}

#[tokio::test]
async fn the_request_is_what_the_api_wants() {
    let server = FakeServer::start(vec![Answer::new(
        200,
        sse(&[text_event("ok"), stop_event()]),
    )])
    .await;
    let client = client_for(&format!("{}/?v=1", server.base_url), "m");
    client.complete(&hello(), &mut |_| ()).await.unwrap();
    let request = &server.requests()[0];
    assert!(
        request.starts_with("POST /v1/chat/completions?v=1 HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(
        request.contains(&format!("\r\nauthorization: Bearer {KEY}\r\n")),
        "{request}"
    );
    let body = request.split_once("\r\n\r\n").unwrap().1;
    assert_eq!(
        body,
        r#"{"model":"m","messages":[{"role":"user","content":"hello"}],"stream":true,"stream_options":{"include_usage":true}}"#
    );
}

#[tokio::test]
async fn a_connection_serves_several_requests() {
    let server = FakeServer::start(vec![Answer::new(
        200,
        sse(&[text_event("ok"), stop_event()]),
    )])
    .await;
    let client = client_for(&server.base_url, "m");
    for _ in 0..3 {
        client.complete(&hello(), &mut |_| ()).await.unwrap();
    }
    assert_eq!((server.requests().len(), server.connections()), (3, 1));
}

#[tokio::test]
async fn a_server_that_refuses_stream_options_is_asked_without() {
    let refusal = Answer::new(
        400,
        r#"{"error":{"message":"Unrecognized request argument: stream_options"}}"#,
    );
    let server = FakeServer::start(vec![
        refusal,
        Answer::new(200, sse(&[text_event("ok"), stop_event()])),
    ])
    .await;
    let client = client_for(&server.base_url, "m");
    client.complete(&hello(), &mut |_| ()).await.unwrap();
    client.complete(&hello(), &mut |_| ()).await.unwrap();
    let with: Vec<_> = server
        .requests()
        .iter()
        .map(|request| request.contains("stream_options"))
        .collect();
    assert_eq!(with, [true, false, false]);
}

#[tokio::test]
async fn a_redirect_isnt_followed() {
    let away =
        Answer::new(308, "").header("location", "https://user:pw@elsewhere.example/v1?token=x");
    let (outcome, _, requests) = run(vec![away], &hello()).await;
    let Err(ProviderError::Redirected { location, .. }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(
        (location.as_str(), requests),
        ("https://elsewhere.example/v1", 1)
    );
}

#[tokio::test]
async fn nobody_listening_is_said_at_once() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let mut retries = 0;
    let error = client_for(&url, "m")
        .complete(&hello(), &mut |_| retries += 1)
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            ProviderError::Connect {
                fault: ConnectFault::Refused,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(retries, 0);
}

#[tokio::test]
async fn a_server_without_tls_and_one_that_is_silent_are_told_apart() {
    use tokio::io::AsyncWriteExt;
    for (speaks, fault) in [(true, ConnectFault::Tls), (false, ConnectFault::Timeout)] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let mut connections = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                if speaks {
                    stream
                        .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                        .await
                        .unwrap();
                }
                connections.push(stream);
            }
        });
        let time = TimeLimits {
            connect: Duration::from_millis(200),
            ..TimeLimits::default()
        };
        let client = client_for(&url, "m").with_time_limits(time);
        let error = client.complete(&hello(), &mut |_| ()).await.unwrap_err();
        let ProviderError::Connect { fault: got, .. } = error else {
            panic!("{error:?}")
        };
        // A system without certificates can't get as far as the handshake.
        assert!(got == fault || got == ConnectFault::Setup, "{got:?}");
    }
}

#[tokio::test]
async fn silence_ends_in_a_timeout() {
    let late = Answer::new(200, "").delay(Duration::from_secs(30));
    let server = FakeServer::start(vec![late]).await;
    let time = TimeLimits {
        first_byte: Duration::from_millis(30),
        ..TimeLimits::default()
    };
    let client = client_for(&server.base_url, "m").with_time_limits(time);
    let error = client.complete(&hello(), &mut |_| ()).await.unwrap_err();
    assert!(matches!(error, ProviderError::Timeout { .. }), "{error:?}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn dropping_the_future_closes_the_connection() {
    let server = FakeServer::start(vec![Answer::new(200, "").delay(Duration::from_secs(30))]).await;
    let client = client_for(&server.base_url, "m");
    let turn = tokio::time::timeout(Duration::from_millis(100), async {
        client.complete(&hello(), &mut |_| ()).await
    });
    assert!(turn.await.is_err());
    for _ in 0..100 {
        if server.abandoned() == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the server still waits");
}

#[tokio::test]
async fn models_are_listed() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes/llamacpp/00-models.json");
    let exchange: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let server = FakeServer::start(vec![Answer::new(
        200,
        exchange["response"]["body"].to_string(),
    )])
    .await;
    let models = client_for(&server.base_url, "m").models().await.unwrap();
    assert_eq!(models, ["SmolLM2-135M-Instruct.Q4_1"]);
    assert!(server.requests()[0].starts_with("GET /v1/models "));
}

#[tokio::test]
async fn a_plain_request_goes_through_the_proxy_but_loopback_doesnt() {
    let proxy = FakeServer::start(vec![Answer::new(
        200,
        sse(&[text_event("proxied"), stop_event()]),
    )])
    .await;
    let address = proxy.base_url.trim_end_matches("/v1").to_owned();
    let lookup = |name: &str| (name == "http_proxy").then(|| address.clone());
    let proxies = ProxySettings::from_lookup(&lookup);
    let client = client_for("http://models.example/v1", "m").with_proxies(proxies.clone());
    assert_eq!(
        client
            .complete(&hello(), &mut |_| ())
            .await
            .unwrap()
            .content,
        "proxied"
    );
    assert!(
        proxy.requests()[0].starts_with("POST http://models.example/v1/chat/completions HTTP/1.1")
    );

    let direct = FakeServer::start(vec![Answer::new(
        200,
        sse(&[text_event("direct"), stop_event()]),
    )])
    .await;
    let client = client_for(&direct.base_url, "m").with_proxies(proxies);
    assert_eq!(
        client
            .complete(&hello(), &mut |_| ())
            .await
            .unwrap()
            .content,
        "direct"
    );
}

#[tokio::test]
async fn the_future_can_be_spawned() {
    let server = FakeServer::start(vec![Answer::new(
        200,
        sse(&[text_event("ok"), stop_event()]),
    )])
    .await;
    let client = client_for(&server.base_url, "m");
    let task = tokio::spawn(async move { client.complete(&hello(), &mut |_| ()).await });
    assert_eq!(task.await.unwrap().unwrap().content, "ok");
}
