//! Examples are tested where plugins are tested. A binary of its own: what is linked here is wrong.
#![expect(clippy::unwrap_used, reason = "a test")]

use hermes_core::prelude::*;
use hermes_core::{ToolExample, ToolItem};
use hermes_runtime::testing::TestHost;
use hermes_runtime::{ExampleCall, LoadFault, Runtime};
use std::panic::{AssertUnwindSafe, catch_unwind};

hermes_core::plugin! { name = "examples" }

/// How to count.
#[hermes_schema]
enum Unit {
    /// Years of 365 days
    Year,
    /// Days
    Day,
}

/// Says how old something is.
#[hermes_tool(
    inline,
    example(ask = "How old is the oak?", args = { "name": "oak", "unit": "year" }),
    example(ask = "And in days?", args = r#"{"name": "oak", "unit": "day", "digits": 2}"#),
)]
fn age(
    /// Of what
    name: &str,
    /// How to count
    unit: Unit,
    /// Digits behind the point
    digits: Option<u8>,
) -> String {
    format!("{name} {} {digits:?}", matches!(unit, Unit::Day))
}

/// Is off.
#[hermes_tool(inline, check = never, example(ask = "Go on!", args = {}))]
fn off() {}

fn never() -> bool {
    false
}

/// Asks a machine.
#[hermes_tool(
    inline,
    example(ask = "Is it there?", args = { "address": "127.0.0.1" }),
    example(ask = "Is the other one there?", args = { "address": "localhost" }),
)]
fn ping(
    /// Its address
    address: std::net::IpAddr,
) -> String {
    address.to_string()
}

/// A whole search.
#[hermes_schema]
struct Search {
    /// For what
    query: String,
    /// How many
    limit: Option<u8>,
}

/// Searches. Every example but the first is wrong.
#[hermes_tool(
    inline,
    example(ask = "right", args = { "query": "a", "limit": 1 }),
    example(ask = "a key too many", args = { "query": "a", "units": "km" }),
    example(ask = "one too few", args = { "limit": 1 }),
    example(ask = "a text for a number", args = { "query": "a", "limit": "5" }),
    example(ask = "a number for a text", args = { "query": [1] }),
    example(ask = "a number above its range", args = { "query": "a", "limit": 256 }),
    example(ask = "null for a text", args = { "query": null }),
)]
fn search(args: Search) -> String {
    format!("{} {:?}", args.query, args.limit)
}

/// Written without the macro, as a host's own tool may be.
#[derive(Clone, Copy)]
struct ByHand;

impl ToolItem for ByHand {
    fn def() -> &'static hermes_core::ToolDef {
        static DEF: hermes_core::ToolDef = hermes_core::ToolDef::new(
            "by_hand",
            "Is written by hand.",
            hermes_core::Origin::new("by_hand", "by_hand.rs", 1, 1),
            |_| Some(object_schema()),
            hermes_core::Handler::Inline(|_, _| Ok(ToolOutput::text("done"))),
        )
        .with_examples(
            &[
                ToolExample::new("Broken", "{"),
                ToolExample::new("Panic", "{}"),
            ],
            |_| panic!("it reads nothing"),
        );
        &DEF
    }
}

fn object_schema() -> hermes_core::__private::Schema {
    hermes_core::__private::Schema::try_from(json!({"type": "object"})).unwrap()
}

fn faults(runtime: &Runtime) -> Vec<String> {
    let faults = runtime.faults();
    assert!(
        faults
            .iter()
            .all(|fault| matches!(fault, LoadFault::BadExample { .. }))
    );
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn right_examples_are_offered_by_tool_and_in_order() {
    let builder = || Runtime::builder().explicit().tool(OffTool).tool(AgeTool);
    let host = TestHost::of(builder());
    let call = |example: &ExampleCall| (example.tool, example.ask, example.args);
    let examples: Vec<_> = host.runtime().examples().iter().map(call).collect();
    assert_eq!(
        examples,
        [
            (
                "age",
                "How old is the oak?",
                r#"{"name":"oak","unit":"year"}"#
            ),
            (
                "age",
                "And in days?",
                r#"{"name":"oak","unit":"day","digits":2}"#
            ),
        ]
    );
    let host = TestHost::of(builder().explicit());
    assert_eq!(faults(host.runtime()), [""; 0]);
}

#[test]
fn a_wrong_example_names_tool_ask_and_fault() {
    let runtime = Runtime::builder()
        .explicit()
        .tool(SearchTool)
        .tool(PingTool)
        .tool(ByHand)
        .build();
    assert_eq!(
        faults(&runtime),
        [
            r#"tool `by_hand`: the example "Broken" is wrong: truncated text in the arguments: it ends inside a value after 1 characters; send the call again, complete, with less text or in several calls"#,
            r#"tool `by_hand`: the example "Panic" is wrong: reading it panicked: it reads nothing"#,
            r#"tool `ping`: the example "Is the other one there?" is wrong: `address`: invalid IP address syntax, got "localhost""#,
            r#"tool `search`: the example "a key too many" is wrong: it needs repairs (/units: undeclared key dropped); write the arguments as the tool wants them: {"query":"a"}"#,
            r#"tool `search`: the example "one too few" is wrong: `query` is missing (text: For what); arguments are: query, limit"#,
            r#"tool `search`: the example "a text for a number" is wrong: it needs repairs (/limit: "5" read as 5); write the arguments as the tool wants them: {"query":"a","limit":5}"#,
            r#"tool `search`: the example "a number for a text" is wrong: `query` must be text, got [1]; send for example "text""#,
            r#"tool `search`: the example "a number above its range" is wrong: `limit` must be an integer from 0 to 255 or null, got 256"#,
            r#"tool `search`: the example "null for a text" is wrong: `query` must be text, got null; send for example "text""#,
        ]
    );
}

#[test]
fn a_test_host_of_a_wrong_example_panics() {
    let panic = catch_unwind(AssertUnwindSafe(TestHost::new)).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert_eq!(text.lines().count(), 7, "{text}");
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("tool `ping`: the example \"Is the other one there?\" is wrong: "),
        "{text}"
    );
}
