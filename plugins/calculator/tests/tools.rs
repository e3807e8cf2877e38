//! Both tools, the log and the command, through a host as they are used: by raw arguments.

use hermes_plugin_calculator as _;
use hermes_runtime::testing::TestHost;

/// `calculate`: the expression as a JSON value, and the whole answer.
const CALCULATE: &[(&str, &str)] = &[
    (r#""2**16""#, r#"{"expression":"2**16","result":65536}"#),
    (r#""2^16""#, r#"{"expression":"2^16","result":65536}"#),
    (
        r#""sqrt(144)""#,
        r#"{"expression":"sqrt(144)","result":12.0}"#,
    ),
    (
        r#""pi * 5**2""#,
        r#"{"expression":"pi * 5**2","result":78.53981633974483}"#,
    ),
    (
        r#""sqrt(2)*pi""#,
        r#"{"expression":"sqrt(2)*pi","result":4.442882938158366}"#,
    ),
    (
        r#""0.1+0.2""#,
        r#"{"expression":"0.1+0.2","result":0.30000000000000004}"#,
    ),
    (
        r#""9007199254740993""#,
        r#"{"expression":"9007199254740993","result":9007199254740993}"#,
    ),
    (
        r#""2**100""#,
        r#"{"expression":"2**100","result":1267650600228229401496703205376}"#,
    ),
    (
        r#""round(2.5)""#,
        r#"{"expression":"round(2.5)","result":2}"#,
    ),
    (r#""7//2""#, r#"{"expression":"7//2","result":3}"#),
    (r#""7%-3""#, r#"{"expression":"7%-3","result":-2}"#),
    ("42", r#"{"expression":"42","result":42}"#),
    // Errors of the arithmetic.
    (
        r#""1/0""#,
        r#"{"expression":"1/0","error":"Division by zero"}"#,
    ),
    (
        r#""1.0/0""#,
        r#"{"expression":"1.0/0","error":"Division by zero"}"#,
    ),
    (
        r#""0**-1""#,
        r#"{"expression":"0**-1","error":"Division by zero"}"#,
    ),
    (
        r#""sqrt(-1)""#,
        r#"{"expression":"sqrt(-1)","error":"Invalid: math domain error"}"#,
    ),
    (
        r#""log(0)""#,
        r#"{"expression":"log(0)","error":"Invalid: math domain error"}"#,
    ),
    (r#""""#, r#"{"error":"No expression provided"}"#),
    (r#"" \t ""#, r#"{"error":"No expression provided"}"#),
    // Errors of the arguments.
    (
        "null",
        r#"{"error":"calculate: `expression` must be text, got null; send for example \"text\""}"#,
    ),
    (
        "[1]",
        r#"{"error":"calculate: `expression` must be text, got [1]; send for example \"text\""}"#,
    ),
];

/// `calculate`: expressions that are refused, and how the error begins.
const REFUSED: &[(&str, &str)] = &[
    ("foo(1)", "Invalid: "),
    ("2 +", "Invalid: "),
    ("factorial(-1)", "Invalid: "),
    ("factorial(2.5)", "Invalid: "),
    ("(-1)**0.5", "Invalid: "),
    ("1e400", "Invalid: "),
    ("1e308*10", "Invalid: "),
    ("1e400-1e400", "Invalid: "),
    ("factorial(3000)", "Invalid: "),
    ("2**20000", "Invalid: "),
    ("10**5000", "Invalid: "),
    ("9**9**9", "Invalid: "),
    ("factorial(10**6)", "Invalid: "),
    ("(lambda:1)()", "Invalid: "),
    ("'a'*3", "Invalid: "),
    ("[1,2]", "Invalid: "),
    ("__import__('os')", "Invalid: "),
    ("().__class__.__base__.__subclasses__()", "Invalid: "),
];

/// `unit_convert`: raw arguments, and the whole answer.
const CONVERT: &[(&str, &str)] = &[
    (
        r#"{"value":100,"from_unit":"F","to_unit":"C"}"#,
        r#"{"input":"100 F","result":37.7778,"output":"37.7778 C"}"#,
    ),
    (
        r#"{"value":"100","from_unit":"f","to_unit":"c"}"#,
        r#"{"input":"100 f","result":37.7778,"output":"37.7778 c"}"#,
    ),
    (
        r#"{"value":5,"from_unit":"km","to_unit":"mi"}"#,
        r#"{"input":"5 km","result":3.106856,"output":"3.106856 mi"}"#,
    ),
    (
        r#"{"value":1.5,"from_unit":"TB","to_unit":"GB"}"#,
        r#"{"input":"1.5 TB","result":1536.0,"output":"1536.0 GB"}"#,
    ),
    (
        r#"{"value":1.5,"from_unit":"terabytes","to_unit":"gigabytes"}"#,
        r#"{"input":"1.5 terabytes","result":1536.0,"output":"1536.0 gigabytes"}"#,
    ),
    (
        r#"{"value":1,"from_unit":" min ","to_unit":"s"}"#,
        r#"{"input":"1 min","result":60.0,"output":"60.0 s"}"#,
    ),
    (
        r#"{"value":1,"from_unit":"mb","to_unit":"kb"}"#,
        r#"{"input":"1 mb","result":1024.0,"output":"1024.0 kb"}"#,
    ),
    (
        r#"{"value":1,"from_unit":"in","to_unit":"cm"}"#,
        r#"{"input":"1 in","result":2.54,"output":"2.54 cm"}"#,
    ),
    (
        r#"{"value":1,"from_unit":"ms","to_unit":"s"}"#,
        r#"{"input":"1 ms","result":0.001,"output":"0.001 s"}"#,
    ),
    (
        r#"{"value":0,"from_unit":"K","to_unit":"F"}"#,
        r#"{"input":"0 K","result":-459.67,"output":"-459.67 F"}"#,
    ),
    // Refused.
    (
        r#"{"value":-500,"from_unit":"C","to_unit":"K"}"#,
        r#"{"error":"Conversion failed: -500 C is below absolute zero (-273.15 C)"}"#,
    ),
    (
        r#"{"value":1,"from_unit":"furlong","to_unit":"m"}"#,
        r#"{"error":"Cannot convert furlong → m"}"#,
    ),
    (
        r#"{"value":1,"from_unit":"kg","to_unit":"m"}"#,
        r#"{"error":"Cannot convert kg → m"}"#,
    ),
    (
        r#"{"value":1,"from_unit":" ","to_unit":"m"}"#,
        r#"{"error":"Need value, from_unit, and to_unit"}"#,
    ),
    (
        r#"{"value":1e308,"from_unit":"km","to_unit":"in"}"#,
        r#"{"error":"Conversion failed: 1e+308 km is too large to convert to in"}"#,
    ),
    (
        r#"{"value":"abc","from_unit":"km","to_unit":"mi"}"#,
        r#"{"error":"unit_convert: `value` must be a number, got \"abc\"; send for example 10"}"#,
    ),
];

/// `unit_convert`: arguments that are refused, and the argument that the error names.
const NAMED: &[(&str, &str)] = &[
    (r#"{"from_unit":"km","to_unit":"mi"}"#, "`value`"),
    (
        r#"{"value":null,"from_unit":"km","to_unit":"mi"}"#,
        "`value`",
    ),
    (
        r#"{"value":"1e400","from_unit":"km","to_unit":"m"}"#,
        "`value`",
    ),
    (
        r#"{"value":"NaN","from_unit":"km","to_unit":"m"}"#,
        "`value`",
    ),
    (r#"{"value":NaN,"from_unit":"km","to_unit":"m"}"#, "`NaN`"),
    (
        r#"{"value":1,"from_unit":null,"to_unit":"m"}"#,
        "`from_unit`",
    ),
    (r#"{"value":1,"from_unit":"m"}"#, "`to_unit`"),
];

#[tokio::test]
async fn calculate_answers_as_specified() {
    let host = TestHost::new();
    for (expression, expected) in CALCULATE {
        let reply = host
            .call_raw("calculate", &format!("{{\"expression\":{expression}}}"))
            .await;
        assert_eq!(reply.json(), *expected);
        assert_eq!(reply.is_ok(), !expected.contains("\"error\""), "{expected}");
    }
}

#[tokio::test]
async fn what_is_no_arithmetic_or_too_large_is_refused_by_name() {
    let host = TestHost::new();
    for (expression, beginning) in REFUSED {
        let raw = format!("{{\"expression\":\"{expression}\"}}");
        let reply = host.call_raw("calculate", &raw).await;
        let error = reply.error().unwrap_or_default();
        assert!(
            error.starts_with(beginning),
            "{expression}: {}",
            reply.json()
        );
        let quoted = format!("{{\"expression\":\"{expression}\",\"error\":\"");
        assert!(reply.json().starts_with(&quoted), "{}", reply.json());
    }
}

#[tokio::test]
async fn unit_convert_answers_as_specified() {
    let host = TestHost::new();
    for (raw, expected) in CONVERT {
        let reply = host.call_raw("unit_convert", raw).await;
        assert_eq!(reply.json(), *expected, "{raw}");
    }
}

#[tokio::test]
async fn unit_convert_names_the_argument_that_is_wrong() {
    let host = TestHost::new();
    for (raw, name) in NAMED {
        let reply = host.call_raw("unit_convert", raw).await;
        let error = reply.error().unwrap_or_default();
        assert!(
            error.starts_with("unit_convert: "),
            "{raw}: {}",
            reply.json()
        );
        assert!(error.contains(name), "{raw}: {}", reply.json());
    }
}

#[tokio::test]
async fn every_example_is_answered() {
    let host = TestHost::new();
    let examples = host.runtime().examples();
    let of = |tool| {
        examples
            .iter()
            .filter(|example| example.tool == tool)
            .count()
    };
    assert_eq!((of("calculate"), of("unit_convert")), (12, 9));
    for example in examples {
        let reply = host.call_raw(example.tool, example.args).await;
        assert!(reply.is_ok(), "{}: {}", example.ask, reply.json());
    }
}

#[tokio::test]
async fn the_manifest_counts_what_there_is() {
    let host = TestHost::new();
    let plugins = &host.runtime().report().plugins;
    assert_eq!(plugins.len(), 1);
    let plugin = &plugins[0];
    assert_eq!(
        (plugin.def.name(), plugin.def.version()),
        ("calculator", "1.0.0")
    );
    assert_eq!(plugin.tools, ["calculate", "unit_convert"]);
    assert_eq!(plugin.hooks, [("keep", "post_tool_call")]);
    assert_eq!(plugin.commands, ["calcstats"]);
    assert_eq!(plugin.skills().len(), 1);
    assert!(host.runtime().faults().is_empty());
    assert_eq!(
        host.runtime().tool("calculate").map(|tool| tool.toolset()),
        Some("calculator")
    );
}

#[tokio::test]
async fn calcstats_counts_the_last_hundred_calls_of_any_end() {
    let host = TestHost::new();
    let stats = async |raw| host.command("calcstats", raw).await;
    assert_eq!(stats("").await.unwrap(), "No tool calls yet.");
    host.call_raw(
        "unit_convert",
        r#"{"value":1,"from_unit":"km","to_unit":"m"}"#,
    )
    .await;
    host.call_raw("unit_convert", r#"{"value":"ten"}"#).await;
    host.call_raw("calculate", r#"{"expression":"1/0"}"#).await;
    // A tool that doesn't exist was never called.
    host.call_raw("calculat", "{}").await;
    assert_eq!(
        stats("").await.unwrap(),
        "Last 3 calls, 1 sessions:\n  calculate: 1\n  unit_convert: 2"
    );
    for _ in 0..99 {
        host.call_raw("calculate", r#"{"expression":"1"}"#).await;
    }
    assert_eq!(
        stats("").await.unwrap(),
        "Last 100 calls, 1 sessions:\n  calculate: 100"
    );
    assert_eq!(stats("reset").await.unwrap(), "Call log emptied.");
    assert_eq!(stats("").await.unwrap(), "No tool calls yet.");
    let error = stats("now").await.unwrap_err().to_string();
    assert_eq!(
        error,
        "unknown word `now`; write /calcstats or /calcstats reset"
    );
}

#[tokio::test]
async fn two_hosts_keep_two_logs() {
    let (one, two) = (TestHost::new(), TestHost::new());
    one.call_raw("calculate", r#"{"expression":"1"}"#).await;
    assert_eq!(
        one.command("calcstats", "").await.unwrap(),
        "Last 1 calls, 1 sessions:\n  calculate: 1"
    );
    assert_eq!(
        two.command("calcstats", "").await.unwrap(),
        "No tool calls yet."
    );
}
