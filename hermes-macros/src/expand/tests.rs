//! What users compile, as they would read it; and how much of it there is.

use proc_macro2::TokenStream;
use quote::quote;

/// Prints an expansion. Words that only the compiler can fill in stay as they are.
fn check(name: &str, tokens: TokenStream) {
    let file = syn::parse2(tokens).expect("an expansion is a list of items");
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(name, prettyplease::unparse(&file));
    });
}

fn tool() -> TokenStream {
    super::tool(
        quote!(read_only, timeout = "2s", check = ready),
        &quote! {
            /// Get current weather for a location.
            async fn weather(
                /// City name
                location: &str,
                /// Temperature units
                #[arg(default)]
                units: Units,
                client: &Client,
            ) -> Result<Weather, ToolError> {
                client.ask(location, units)
            }
        },
    )
}

#[test]
fn a_tool_of_inline_arguments() {
    check("a_tool_of_inline_arguments", tool());
}

#[test]
fn a_tool_of_one_struct() {
    check(
        "a_tool_of_one_struct",
        super::tool(
            quote!(inline, crate = ::hc),
            &quote! {
                /// Adds.
                pub fn add(args: Add) -> i64 {
                    args.a + args.b
                }
            },
        ),
    );
}

fn tool_with_examples(examples: &TokenStream) -> TokenStream {
    super::tool(
        quote!(inline #examples),
        &quote! {
            /// Get current weather for a location.
            fn weather(
                /// City name
                location: &str,
                /// For how many days
                days: Maybe<u8>,
            ) -> Weather {
                Weather::of(location, days)
            }
        },
    )
}

#[test]
fn a_tool_with_examples() {
    let examples = quote! {
        , example(ask = "Weather in London?", args = { "location": "London", "days": 1 })
        , example(ask = "Weather in Paris?", args = r#"{ "location": "Paris" }"#)
    };
    check("a_tool_with_examples", tool_with_examples(&examples));
}

#[test]
fn a_hook() {
    check(
        "a_hook",
        super::hook(
            quote!(inline, priority = 3),
            &quote! {
                fn judge(event: &PreToolCall<'_>, log: &Log) -> Verdict {
                    Verdict::Allow
                }
            },
        ),
    );
}

#[test]
fn a_command() {
    check(
        "a_command",
        super::command(
            quote!(args_hint = "[reset]"),
            &quote! {
                /// Show how often each tool ran.
                fn callstats(raw: &str, log: &Log) -> String {
                    String::new()
                }
            },
        ),
    );
}

#[test]
fn a_schema() {
    check(
        "a_schema",
        super::schema(
            quote!(),
            &quote! {
                enum Shape {
                    /// Round
                    Circle {
                        /// From the middle to the edge
                        #[arg(default = 1.0)]
                        radius: f64,
                    },
                    /// Nothing
                    Empty,
                }
            },
        ),
    );
}

#[test]
fn a_state() {
    check(
        "a_state",
        super::state(
            quote!(),
            &quote! {
                #[derive(Default)]
                struct Log;
            },
        ),
    );
}

#[test]
fn a_plugin() {
    check("a_plugin", super::plugin(quote!(name = "weather")));
}

#[test]
fn a_fault_leaves_the_function_and_a_stub() {
    check(
        "a_fault_leaves_the_function_and_a_stub",
        super::tool(
            quote!(toolst = "math"),
            &quote! {
                /// Does it.
                fn work() {}
            },
        ),
    );
}

/// Groups count as one token and their contents as theirs.
fn size(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|token| match token {
            proc_macro2::TokenTree::Group(group) => 1 + size(group.stream()),
            _ => 1,
        })
        .sum()
}

#[test]
fn an_example_costs_little() {
    let example =
        |ask: &str| quote!(, example(ask = #ask, args = { "location": "London", "days": 1 }));
    let sizes = [quote!(), example("a"), {
        let (one, two) = (example("a"), example("b"));
        quote!(#one #two)
    }]
    .map(|examples| size(tool_with_examples(&examples)));
    // The first brings the function that reads arguments.
    assert!(sizes[1] - sizes[0] <= 100, "{sizes:?}");
    assert!(sizes[2] - sizes[1] <= 20, "{sizes:?}");
}

#[test]
fn an_expansion_stays_small() {
    // As measured, and a tenth. More is a reason to move code into hermes-core.
    let limit = 1_159;
    let size = size(tool());
    assert!(size <= limit, "{size} tokens, the limit is {limit}");
}
