//! `example(…)`, a word of `#[hermes_tool]` with words of its own.

use super::args::{Word, each_word};
use super::{json, words};
use crate::errors::Errors;
use crate::model::Example;

/// The word, which may stand several times.
pub(super) const EXAMPLE: &str = "example";

/// `example(ask = "…", args = { … })`
pub(super) fn example(word: &Word, errors: &mut Errors) -> Option<Example> {
    let Some(inside) = &word.inside else {
        errors.at(
            &word.name,
            "`example` needs words of its own; write `example(ask = \"…\", args = { … })`",
        );
        return None;
    };
    let mut found = Example::default();
    let mut missing = words::EXAMPLE.to_vec();
    let all_known = each_word(
        "example(…)",
        words::EXAMPLE,
        inside.stream(),
        errors,
        |word, errors| {
            missing.retain(|other| !word.is(other));
            if word.is("ask") {
                found.ask = word.text("\"What's the weather in London?\"", errors);
            } else {
                found.args = word
                    .value("{ \"name\": \"value\" }", errors)
                    .and_then(|tokens| json::object(&tokens, errors))
                    .map(|json| (word.name.clone(), json));
            }
        },
    );
    for missing in missing.into_iter().filter(|_| all_known) {
        let help = if missing == "ask" {
            "what a user says; write `ask = \"…\"`"
        } else {
            "the call that answers it; write `args = { … }`"
        };
        errors.at(&word.name, format!("`{missing}` is missing: {help}"));
    }
    Some(found)
}
