//! Hooks: observers can't harm, guards can't be skipped.
#![expect(clippy::unused_async, reason = "an async hook of a test need not wait")]

use hermes_core::Status;
use hermes_core::prelude::*;
use hermes_runtime::testing::TestHost;
use hermes_runtime::{CallContext, Consent, Runtime};
use std::time::Duration;

hermes_core::plugin! { name = "hooks" }

/// Adds one.
#[hermes_tool(inline)]
fn add_one(
    /// A number
    n: i64,
) -> i64 {
    n + 1
}

#[hermes_hook]
fn watches(event: &PreToolCall<'_>) {
    assert_eq!(event.tool_name, "add_one");
}

#[hermes_hook(inline)]
fn watcher_panics(_event: &PreToolCall<'_>) {
    panic!("watcher")
}

#[hermes_hook(inline, priority = 5)]
fn blocks_thirteen(event: &PreToolCall<'_>) -> Verdict {
    // Guards see the repaired arguments.
    if event.args.get("n") == Some(&json!(13)) {
        Verdict::block("13 brings bad luck")
    } else {
        Verdict::Allow
    }
}

#[hermes_hook]
async fn asks(event: &PreToolCall<'_>) -> Result<Verdict, Error> {
    let n = event
        .args
        .get("n")
        .and_then(Value::as_i64)
        .ok_or_else(|| Error::new("no n"))?;
    Ok(if n > 100 {
        Verdict::ask("more than 100")
    } else {
        Verdict::Allow
    })
}

#[hermes_hook(inline)]
fn guard_panics(_event: &PreToolCall<'_>) -> Verdict {
    panic!("guard down")
}

#[hermes_hook]
fn guard_fails(_event: &PreToolCall<'_>) -> Result<Verdict, Error> {
    let _: i32 = "x".parse()?;
    Ok(Verdict::Allow)
}

#[hermes_hook(timeout = "50ms")]
async fn guard_hangs(_event: &PreToolCall<'_>) -> Verdict {
    std::future::pending().await
}

#[hermes_hook(timeout = "50ms")]
fn guard_hangs_on_a_thread(_event: &PreToolCall<'_>) -> Verdict {
    std::thread::sleep(Duration::from_hours(1));
    Verdict::Allow
}

#[hermes_hook(timeout = "50ms")]
fn observer_hangs(_event: &PostToolCall<'_>) {
    std::thread::sleep(Duration::from_hours(1));
}

/// Searches.
#[hermes_tool(inline, name = "search")]
fn search_here() -> &'static str {
    "here"
}

/// Searches too. Such a twin doesn't link outside of tests.
#[hermes_tool(inline, name = "search")]
fn search_there() -> &'static str {
    "there"
}

/// Repeats.
#[hermes_command(name = "twin")]
fn twin_one(raw: &str) -> String {
    raw.to_owned()
}

/// Repeats too.
#[hermes_command(name = "twin")]
fn twin_two(raw: &str) -> String {
    raw.to_owned()
}

#[tokio::test]
async fn of_two_tools_of_a_name_the_first_stays_and_both_places_are_named() {
    let builder = Runtime::builder().explicit();
    let host = TestHost::of(builder.tool(SearchHereTool).tool(SearchThereTool));
    let reply = host.call("search", json!({})).await;
    assert_eq!(reply.json(), r#"{"result":"here"}"#);
    let faults: Vec<String> = host
        .runtime()
        .faults()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].starts_with("tool `search` is defined at "),
        "{}",
        faults[0]
    );
    assert_eq!(faults[0].matches("hooks.rs:").count(), 2);
}

#[tokio::test]
async fn of_two_commands_of_a_name_neither_is_taken() {
    let builder = Runtime::builder().explicit();
    let host = TestHost::of(builder.command(TwinOneCommand).command(TwinTwoCommand));
    assert!(host.runtime().commands().is_empty());
    assert_eq!(host.runtime().faults().len(), 1);
}

fn with(builder: impl FnOnce(hermes_runtime::Builder) -> hermes_runtime::Builder) -> TestHost {
    TestHost::of(builder(Runtime::builder().explicit().tool(AddOneTool)))
}

#[tokio::test]
async fn observers_that_panic_or_hang_change_nothing() {
    let host = with(|b| {
        b.hook(WatchesHook)
            .hook(WatcherPanicsHook)
            .hook(ObserverHangsHook)
    });
    let reply = host.call("add_one", json!({"n": 1})).await;
    assert_eq!(reply.json(), r#"{"result":2}"#);
}

#[tokio::test]
async fn a_guard_blocks_with_its_reason_and_sees_repaired_arguments() {
    let host = with(|b| b.hook(BlocksThirteenHook));
    let reply = host.call("add_one", json!({"n": "13"})).await;
    assert_eq!(reply.status(), Status::Blocked);
    assert_eq!(reply.json(), r#"{"error":"13 brings bad luck"}"#);
    assert!(host.call("add_one", json!({"n": 12})).await.is_ok());
}

#[tokio::test]
async fn a_guard_that_gives_no_verdict_blocks() {
    for (host, reason) in [
        (with(|b| b.hook(GuardPanicsHook)), "panicked: guard down"),
        (
            with(|b| b.hook(GuardFailsHook)),
            "invalid digit found in string",
        ),
        (with(|b| b.hook(GuardHangsHook)), "timed out after 50ms"),
        (
            with(|b| b.hook(GuardHangsOnAThreadHook)),
            "timed out after 50ms",
        ),
    ] {
        let reply = host.call("add_one", json!({"n": 1})).await;
        assert_eq!(reply.status(), Status::Blocked, "{}", reply.json());
        assert!(reply.error().unwrap().ends_with(reason), "{}", reply.json());
    }
}

#[tokio::test]
async fn a_guard_that_asks_needs_consent() {
    let host = with(|b| b.hook(AsksHook));
    assert!(host.call("add_one", json!({"n": 100})).await.is_ok());
    let reply = host.call("add_one", json!({"n": 101})).await;
    assert_eq!(reply.status(), Status::Blocked);
    assert!(reply.error().unwrap().contains("more than 100"));
    let host = host.with_call(CallContext::default().with_consent(Consent::Given));
    assert!(host.call("add_one", json!({"n": 101})).await.is_ok());
}

#[tokio::test]
async fn arguments_that_do_not_parse_reach_no_guard() {
    let host = with(|b| b.hook(GuardPanicsHook));
    let reply = host.call("add_one", json!({"n": "x"})).await;
    assert_eq!(reply.status(), Status::Error);
}

#[tokio::test]
async fn a_hook_that_does_nothing_changes_no_result() {
    let bare = with(|b| b);
    let hooked = with(|b| b.hook(WatchesHook));
    for raw in [
        r#"{"n":1}"#,
        r#"{"n":"1"}"#,
        r#"{"n":1.0}"#,
        r#"{"n":1,"x":2}"#,
        r#"{"n":1,"n":2}"#,
        r#"{"n":1,"n":1}"#,
        "[1]",
        "",
        "null",
        r#"{"n":null}"#,
        r#"{"n":9223372036854775807}"#,
        r#"{"n":-0}"#,
        r#"{"n":1e2}"#,
        r#"{"arguments":{"n":1}}"#,
        r#" {"n" : 1 } "#,
        r#"{"n":1}x"#,
        r#"{"n":1,"x":{"a":1,"a":2}}"#,
        r#"{"n":1,"x":1e999}"#,
    ] {
        let one = bare.call_raw("add_one", raw).await;
        let other = hooked.call_raw("add_one", raw).await;
        assert_eq!(one.json(), other.json(), "{raw}");
    }
}
