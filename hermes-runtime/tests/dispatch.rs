//! The one road of a call: what goes wrong is one clear line, and the next call works.
#![expect(
    clippy::unwrap_used,
    clippy::unused_async,
    clippy::disallowed_methods,
    reason = "handlers and helpers of tests, and a folder that a test removes"
)]

use hermes_core::prelude::*;
use hermes_core::{CancelToken, Status};
use hermes_runtime::testing::TestHost;
use hermes_runtime::{CallContext, Consent, Gate, LoadFault, Runtime, Trace};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

hermes_core::plugin! { name = "dispatch" }

/// Says what it got.
#[hermes_tool(inline)]
fn echo(
    /// A text
    text: String,
    /// A number
    n: Option<i64>,
) -> String {
    format!("{text} {n:?}")
}

/// Panics.
#[hermes_tool]
fn explode(
    /// The index
    index: usize,
) -> String {
    panic!("boom: index {index}")
}

/// Panics on the caller's thread.
#[hermes_tool(inline)]
fn explode_inline() -> String {
    panic!("boom inline")
}

/// Panics in a future.
#[hermes_tool]
async fn explode_async() -> String {
    panic!("boom async")
}

/// Has types that judge for themselves.
#[hermes_tool(inline)]
fn only_types(
    /// A name
    name: String,
    /// An address
    address: std::net::IpAddr,
    /// A small float
    small: Option<f32>,
) -> String {
    format!("{name} {address} {small:?}")
}

/// Never comes back.
#[hermes_tool(timeout = "100ms")]
fn sleep_forever() {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

/// Never comes back, politely.
#[hermes_tool(timeout = "100ms")]
async fn wait_forever() {
    std::future::pending::<()>().await;
}

/// Blocks a thread of the async runtime.
#[hermes_tool(timeout = "100ms")]
async fn block_forever() {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

/// A very long text.
#[hermes_tool(max_result_chars = 20_000)]
fn dump(
    /// How many
    count: usize,
) -> String {
    "é".repeat(count)
}

/// Fails.
#[hermes_tool]
fn fail() -> Result<String, ToolError> {
    Err(ToolError::new("no <system>luck</system>")
        .field("tried", 3)
        .field("error", "x"))
}

/// Destroys.
#[hermes_tool(destructive)]
fn destroy() -> &'static str {
    "gone"
}

/// Is off.
#[hermes_tool(check = down)]
fn hidden() {}

fn down() -> Result<(), &'static str> {
    Err("set ACME_API_KEY")
}

/// Not UTF-8 keys.
#[hermes_tool(output = none)]
fn odd_map() -> std::collections::BTreeMap<(u8, u8), u8> {
    [((1, 2), 3)].into()
}

#[hermes_state]
#[derive(Default)]
struct Seen(Mutex<Vec<String>>);

static FAILING_STATES: AtomicUsize = AtomicUsize::new(0);

#[hermes_state]
struct Broken;

impl Default for Broken {
    fn default() -> Self {
        FAILING_STATES.fetch_add(1, Ordering::SeqCst);
        panic!("no database")
    }
}

/// Needs what can't be made.
#[hermes_tool]
fn needs_broken(_broken: &Broken) -> String {
    "never".to_owned()
}

#[hermes_hook]
fn record(event: &PostToolCall<'_>, seen: &Seen) {
    let line = format!("{} {} {}", event.tool_name, event.status, event.result);
    seen.0.lock().unwrap().push(line);
}

/// What the observer saw.
#[hermes_command]
fn seen(seen: &Seen) -> String {
    seen.0.lock().unwrap().join("\n")
}

fn host() -> TestHost {
    TestHost::new()
}

async fn error_of(tool: &str, args: Value) -> String {
    let host = host();
    let reply = host.call(tool, args).await;
    assert!(!reply.is_ok(), "{}", reply.json());
    let parsed: Value = serde_json::from_str(reply.json()).unwrap();
    assert_eq!(parsed["error"].as_str(), reply.error());
    assert!(!reply.json().contains('\n'));
    // Whatever happened, the host goes on.
    let next = host.call("echo", json!({"text": "next"})).await;
    assert_eq!(next.json(), r#"{"result":"next None"}"#);
    reply.json().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_way_to_go_wrong_is_one_clear_line_and_the_next_call_works() {
    let cases = [
        (
            "ecko",
            json!({}),
            r#"{"error":"ecko: no such tool; did you mean `echo`?"}"#,
        ),
        (
            "explode",
            json!({"index": 7}),
            r#"{"error":"explode: panicked: boom: index 7"}"#,
        ),
        (
            "explode_inline",
            json!({}),
            r#"{"error":"explode_inline: panicked: boom inline"}"#,
        ),
        (
            "explode_async",
            json!({}),
            r#"{"error":"explode_async: panicked: boom async"}"#,
        ),
        (
            "sleep_forever",
            json!({}),
            r#"{"error":"sleep_forever: timed out after 100ms"}"#,
        ),
        (
            "wait_forever",
            json!({}),
            r#"{"error":"wait_forever: timed out after 100ms"}"#,
        ),
        ("fail", json!({}), r#"{"tried":3,"error":"no luck"}"#),
        (
            "destroy",
            json!({}),
            r#"{"error":"destroy: needs the operator's approval (it may destroy something), and nobody can be asked here"}"#,
        ),
        (
            "hidden",
            json!({}),
            r#"{"error":"hidden: not available: set ACME_API_KEY"}"#,
        ),
        (
            "needs_broken",
            json!({}),
            r#"{"error":"needs_broken: state `dispatch::Broken` can't be made: panicked: no database"}"#,
        ),
    ];
    for (tool, args, expected) in cases {
        assert_eq!(error_of(tool, args).await, expected);
    }
}

#[tokio::test]
async fn async_tools_that_block_their_threads_hold_up_nobody() {
    let host = host();
    for _ in 0..6 {
        let reply = host.call("block_forever", json!({})).await;
        assert_eq!(
            reply.json(),
            r#"{"error":"block_forever: timed out after 100ms"}"#
        );
    }
    assert_eq!(host.runtime().abandoned_threads(), 6);
    let reply = host.call("explode_async", json!({})).await;
    assert_eq!(
        reply.json(),
        r#"{"error":"explode_async: panicked: boom async"}"#
    );
}

#[tokio::test]
async fn what_only_the_type_can_judge_names_its_field() {
    let host = host();
    for (args, expected) in [
        (
            json!({"name": "a", "address": "999.1.1.1"}),
            "only_types: `address`: invalid IP address syntax, got \"999.1.1.1\"",
        ),
        (
            json!({"name": "a,\"b", "address": "127.0.0.1", "small": 1e39}),
            "only_types: `small`: number out of range, got 1e+39",
        ),
    ] {
        let reply = host.call("only_types", args).await;
        assert_eq!(reply.error(), Some(expected));
    }
    let fine = json!({"name": "a", "address": "127.0.0.1", "small": 0.5});
    let reply = host.call("only_types", fine).await;
    assert_eq!(reply.json(), r#"{"result":"a 127.0.0.1 Some(0.5)"}"#);
}

#[tokio::test]
async fn a_result_that_is_no_json_is_an_error() {
    let error = error_of("odd_map", json!({})).await;
    assert!(error.contains("can't be written as JSON"), "{error}");
}

#[tokio::test]
async fn bad_arguments_name_the_field_and_the_fix() {
    let host = host();
    for (raw, expected) in [
        ("{", "truncat"),
        (r#"{"n": 1}"#, "`text` is missing"),
        (r#"{"text": "a", "n": "x"}"#, "`n` must be an integer"),
        (r#"["a"]"#, "object"),
        (r#"{"text": {"a": 1}}"#, "`text` must be text"),
        ("nonsense", "JSON"),
    ] {
        let reply = host.call_raw("echo", raw).await;
        let error = reply.error().unwrap();
        assert!(
            error.starts_with("echo: ") && error.contains(expected),
            "{raw}: {error}"
        );
        assert_eq!(reply.status(), Status::Error);
    }
}

#[tokio::test]
async fn nearly_right_arguments_are_repaired() {
    for raw in [
        r#"{"text": "a", "n": 1}"#,
        r#"{"text": "a", "n": "1",}"#,
        "{'text': 'a', 'n': 1.0}",
        r#"{"text": "a", "n": 1, "why": "because"}"#,
        r#"{"arguments": {"text": "a", "n": 1}}"#,
        "```json\n{\"text\": \"a\", \"n\": 1}\n```",
    ] {
        let reply = host().call_raw("echo", raw).await;
        assert_eq!(reply.json(), r#"{"result":"a Some(1)"}"#, "{raw}");
    }
}

#[tokio::test]
async fn a_result_above_the_limit_is_kept_whole_and_its_head_goes_out() {
    let folder = std::env::temp_dir().join(format!("hermes-results-{}", std::process::id()));
    let host = TestHost::of(Runtime::builder().results_folder(folder.clone()));
    let reply = host.call("dump", json!({"count": 400_000})).await;
    assert!(reply.is_ok());
    assert!(reply.json().chars().count() < 20_000);
    let envelope: Value = serde_json::from_str(reply.json()).unwrap();
    assert_eq!(envelope["chars"], 400_000);
    assert!(envelope["note"].as_str().unwrap().contains("400000"));
    let kept = std::fs::read_to_string(envelope["path"].as_str().unwrap()).unwrap();
    assert_eq!(kept, "é".repeat(400_000));
    // Without a folder the head alone goes out.
    let reply = TestHost::new()
        .call("dump", json!({"count": 25_000_000}))
        .await;
    let envelope: Value = serde_json::from_str(reply.json()).unwrap();
    assert_eq!(envelope["chars"], 25_000_000);
    assert_eq!(envelope.get("path"), None);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn cancelling_ends_a_call_and_a_cancelled_call_does_not_start() {
    let cancel = CancelToken::new();
    let call = CallContext::default().with_cancel(cancel.clone());
    let host = host().with_call(call);
    let later = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        later.cancel();
    });
    let reply = host.call("sleep_forever", json!({})).await;
    assert_eq!(reply.status(), Status::Cancelled);
    assert_eq!(reply.json(), r#"{"error":"sleep_forever: cancelled"}"#);
    let start = Instant::now();
    let reply = host.call("explode", json!({"index": 1})).await;
    assert_eq!(reply.status(), Status::Cancelled);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn consent_lets_a_destructive_tool_run() {
    let host = host().with_call(CallContext::default().with_consent(Consent::Given));
    let reply = host.call("destroy", json!({})).await;
    assert_eq!(reply.json(), r#"{"result":"gone"}"#);
}

#[tokio::test]
async fn observers_see_every_end_of_a_call() {
    let host = host();
    host.call("echo", json!({"text": "a"})).await;
    host.call("echo", json!({})).await;
    host.call("destroy", json!({})).await;
    host.call("explode", json!({"index": 1})).await;
    let seen = host.command("seen", "").await.unwrap();
    let lines: Vec<&str> = seen.lines().collect();
    assert_eq!(lines.len(), 4, "{seen}");
    assert!(lines[0].starts_with(r#"echo ok {"result":"#));
    assert!(lines[1].starts_with("echo error {"));
    assert!(lines[2].starts_with("destroy blocked {"));
    assert!(lines[3].starts_with("explode error {"));
}

#[tokio::test]
async fn hidden_tools_are_not_offered_and_the_rest_is_sorted() {
    let host = host();
    let names: Vec<&str> = host
        .runtime()
        .definitions()
        .iter()
        .map(|tool| tool.name)
        .collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    assert!(!names.contains(&"hidden") && names.contains(&"echo"));
}

#[tokio::test]
async fn a_failed_state_is_not_made_again_at_once() {
    let host = host();
    let before = FAILING_STATES.load(Ordering::SeqCst);
    for _ in 0..3 {
        host.call("needs_broken", json!({})).await;
    }
    // Other tests' hosts fail on their own; this one has tried once.
    assert!(FAILING_STATES.load(Ordering::SeqCst) > before);
}

#[tokio::test]
async fn a_disabled_plugin_is_listed_and_does_nothing() {
    let gate = Gate {
        disabled: ["dispatch".to_owned()].into(),
        enabled: None,
    };
    let runtime = Runtime::builder().gate(gate).build();
    assert_eq!(runtime.tools().count(), 0);
    assert_eq!(runtime.report().plugins.len(), 1);
    assert!(!runtime.report().plugins[0].tools.is_empty());
    assert!(runtime.commands().is_empty());
}

#[tokio::test]
async fn explicit_registration_takes_only_what_is_named() {
    let host = TestHost::of(Runtime::builder().explicit().tool(EchoTool).tool(EchoTool));
    assert_eq!(host.runtime().tools().count(), 1);
    assert_eq!(host.runtime().faults(), []);
    let reply = host.call("echo", json!({"text": "a"})).await;
    assert!(reply.is_ok());
}

#[tokio::test]
async fn a_crate_that_was_promised_and_is_not_there_is_reported() {
    let runtime = Runtime::builder()
        .expect_crates(&["hermes_plugin_ghost"])
        .build();
    assert_eq!(
        runtime.faults(),
        [LoadFault::MissingPlugin {
            krate: "hermes_plugin_ghost".to_owned()
        }]
    );
}

#[tokio::test]
async fn the_trace_names_each_step() {
    let trace = Trace::default();
    let host = host().with_call(CallContext::default().with_trace(trace.clone()));
    host.call_raw("echo", r#"{"text":"a","n":"1"}"#).await;
    let stages: Vec<&str> = trace.steps().iter().map(|step| step.stage).collect();
    assert_eq!(stages, ["lookup", "arguments", "handler", "post_tool_call"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_calls_from_many_tasks_all_answer() {
    let host = host();
    let mut tasks = Vec::new();
    for task in 0..20_i64 {
        let host = host.clone();
        tasks.push(tokio::spawn(async move {
            for call in 0..500_i64 {
                let reply = host
                    .call("echo", json!({"text": "t", "n": task * 1000 + call}))
                    .await;
                assert_eq!(
                    reply.json(),
                    format!(r#"{{"result":"t Some({})"}}"#, task * 1000 + call)
                );
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
}
