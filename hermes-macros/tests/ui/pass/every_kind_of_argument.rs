//! Types are judged by traits: aliases, paths and foreign types with plain derives all work.

use hermes_core::ToolItem;
use hermes_core::prelude::*;
use std::collections::BTreeMap;

hermes_core::plugin! {}

type Maybe<T> = std::option::Option<T>;

#[hermes_schema]
#[derive(Default)]
enum Units {
    /// Celsius
    #[default]
    Metric,
    /// Fahrenheit
    Imperial,
}

#[hermes_schema]
struct Tree {
    /// Its name
    name: String,
    /// What hangs on it
    #[arg(default)]
    children: Vec<Tree>,
}

#[hermes_schema]
struct Page<T> {
    /// What is on it
    items: Vec<T>,
}

macro_rules! paris {
    ($text:literal, $number:expr) => {
        /// Takes what a macro gives.
        #[hermes_tool(inline, example(ask = $text, args = { "city": $text, "days": $number }))]
        fn from_a_macro(
            /// A city
            city: &str,
            /// A number
            days: i8,
        ) -> usize {
            city.len() + usize::from(days > 0)
        }
    };
}

paris!("Paris", -1);

/// Takes everything.
#[hermes_tool(
    output = none,
    example(
        ask = "Everything!",
        args = {
            "text": "a \"text\"",
            "texts": ["a", r"\b"],
            "tree": { "name": "root", "children": [{ "name": "leaf" }] },
            "page": { "items": [] },
            "words": {},
            "anything": [1.50, -2e3, true, null],
            "type": false,
            "count": 1,
        },
    ),
    example(
        ask = "Everything once more!",
        args = r#"{"text": "a", "texts": [], "number": null, "tree": {"name": "root"}, "page": {"items": []},
            "words": {"a": [1]}, "anything": null, "type": true, "count": 2}"#,
    ),
)]
fn everything(
    /// A text
    text: &str,
    /// Texts
    texts: &[String],
    /// Maybe a number
    number: Maybe<f64>,
    /// Units
    #[arg(default)]
    units: Units,
    /// A tree
    tree: Tree,
    /// Pages
    page: Page<Tree>,
    /// Words by name
    words: BTreeMap<String, Vec<u8>>,
    /// Anything
    anything: Value,
    /// A word of the language
    r#type: bool,
    /// Changed inside
    mut count: u8,
    /// A list with a default
    #[arg(default = ["a".to_owned()])]
    list: &[String],
    /// A text with a default
    #[arg(default = "km")]
    unit: &str,
    #[inject] ctx: &ToolContext,
    cancel: &CancelToken,
) {
    count += 1;
    let _ = (text, texts, number, matches!(units, Units::Imperial), tree.name, tree.children.len());
    let _ = (page.items.len(), words, anything, r#type, count, list, unit, ctx, cancel);
}

/// One argument that happens to be called `args`.
#[hermes_tool]
fn one(
    /// Words of a command line
    #[arg]
    args: Vec<String>,
) -> Vec<String> {
    args
}

fn main() {
    let examples = EverythingTool::def().examples();
    assert_eq!(examples[0].ask(), "Everything!");
    assert_eq!(
        examples[0].args(),
        r#"{"text":"a \"text\"","texts":["a","\\b"],"tree":{"name":"root","children":[{"name":"leaf"}]},"page":{"items":[]},"words":{},"anything":[1.50,-2e3,true,null],"type":false,"count":1}"#
    );
    for def in [EverythingTool::def(), FromAMacroTool::def()] {
        let decode = def.decode().expect("a tool with examples has it");
        for example in def.examples() {
            decode(example.args()).expect("they fit the types");
        }
        assert!(decode("{}").is_err());
    }
    assert!(OneTool::def().decode().is_none());
}
