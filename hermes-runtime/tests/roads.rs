//! The short road (text straight into the types) and the long one (parse, repair, convert) agree:
//! attaching a hook that does nothing, which forces the long road, changes no result.

use hermes_core::prelude::*;
use hermes_runtime::Runtime;
use hermes_runtime::testing::TestHost;
use proptest::prelude::*;

hermes_core::plugin! { name = "roads" }

/// All kinds of scalars.
#[hermes_tool(inline, output = none)]
fn scalars(
    /// Text
    text: &str,
    /// Byte
    byte: u8,
    /// Signed
    signed: i64,
    /// Unsigned
    unsigned: Option<u64>,
    /// Float
    float: Option<f64>,
    /// Flag
    #[arg(default)]
    flag: bool,
    /// List
    #[arg(default)]
    list: &[i32],
) -> Value {
    json!([text, byte, signed, unsigned, float, flag, list])
}

#[hermes_schema]
struct Whole {
    /// Text
    text: String,
    /// Count
    #[arg(default = 4)]
    count: i32,
    /// Tags
    tags: Option<Vec<String>>,
}

/// The same as a struct.
#[hermes_tool(inline, output = none)]
fn whole(args: Whole) -> Value {
    json!([args.text, args.count, args.tags])
}

/// Nothing but options.
#[hermes_tool(inline, output = none)]
fn options(
    /// Text
    text: Option<String>,
    /// Count
    count: Option<u16>,
) -> Value {
    json!([text, count])
}

/// No arguments.
#[hermes_tool(inline)]
fn nothing() -> bool {
    true
}

#[hermes_hook(inline)]
fn looks_on(_event: &PreToolCall<'_>) {}

fn host(hooked: bool) -> TestHost {
    let builder = Runtime::builder()
        .explicit()
        .tool(ScalarsTool)
        .tool(WholeTool)
        .tool(OptionsTool)
        .tool(NothingTool);
    TestHost::of(if hooked {
        builder.hook(LooksOnHook)
    } else {
        builder
    })
}

/// JSON values that are awkward for one road or the other.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "1",
            "-1",
            "0",
            "-0",
            "1.0",
            "1.5",
            "1e2",
            "1e400",
            "-0.0",
            "255",
            "256",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "18446744073709551616",
            "123456789012345678901234567890",
            "0.1",
            "5e-324",
            "1.7976931348623159e308",
            "true",
            "false",
            "null",
            "\"\"",
            "\"a\"",
            "\"1\"",
            "\" 7 \"",
            "\"true\"",
            "\"null\"",
            "\"[1,2]\"",
            "\"\\ud83c\\udf89\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"\\d\"",
            "\"é\"",
            "[]",
            "[1]",
            "[1,\"2\"]",
            "[[1]]",
            "[null]",
            "[1,2,3]",
            "{}",
            "{\"a\":1}",
            "{\"a\":1,\"a\":2}",
            "NaN",
            "Infinity",
            "'a'",
            "True",
            "[1,]",
            "01",
            "+1",
            ".5",
            "1_000",
        ])
        .prop_map(str::to_owned),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_filter_map("finite", |f| f.is_finite().then(|| f.to_string())),
        any::<String>().prop_map(|text| json!(text).to_string()),
    ]
}

fn raw() -> impl Strategy<Value = String> {
    let keys = vec![
        "text",
        "byte",
        "signed",
        "unsigned",
        "float",
        "flag",
        "list",
        "count",
        "tags",
        "extra",
        "arguments",
        "input",
        "name",
    ];
    let pair =
        (prop::sample::select(keys), value()).prop_map(|(key, value)| format!("\"{key}\":{value}"));
    let pairs = prop::collection::vec(pair, 0..9);
    let good = Just(vec![
        "\"text\":\"a\"".to_owned(),
        "\"byte\":1".to_owned(),
        "\"signed\":-1".to_owned(),
    ]);
    // Half of them start from what is right.
    (prop_oneof![good, Just(Vec::new())], pairs, 0..10_u8).prop_map(|(mut all, pairs, form)| {
        all.extend(pairs);
        let body = all.join(",");
        match form {
            0 => format!(" \n{{ {body} }} "),
            1 => format!("[{body}]"),
            2 => format!("{{\"arguments\":{{{body}}}}}"),
            3 => format!("{{{body}}}{{{body}}}"),
            4 => format!("{{{body},}}"),
            _ => format!("{{{body}}}"),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_hook_that_does_nothing_changes_no_result(
        tool in prop::sample::select(vec!["scalars", "whole", "options", "nothing"]),
        raw in raw(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let (short, long) = runtime.block_on(async {
            (host(false).call_raw(tool, &raw).await, host(true).call_raw(tool, &raw).await)
        });
        prop_assert_eq!(short.json(), long.json(), "{} {}", tool, raw);
    }
}

#[test]
fn positional_lists_and_layers_are_read_alike() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime without drivers");
    runtime.block_on(async {
        for raw in [
            r#"["a",1,2]"#,
            r#"{"arguments":{}}"#,
            r#"{"arguments":{"text":"a"}}"#,
            r#"{"name":"options","arguments":{"text":"a"}}"#,
            r#"{"text":"a","extra":1,"extra":2}"#,
            "{}",
            "",
        ] {
            for tool in ["scalars", "whole", "options", "nothing"] {
                let (short, long) = (
                    host(false).call_raw(tool, raw).await,
                    host(true).call_raw(tool, raw).await,
                );
                assert_eq!(short.json(), long.json(), "{tool} {raw}");
            }
        }
    });
}
