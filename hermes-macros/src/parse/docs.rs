//! Doc comments → the text a model reads.

use crate::model::Docs;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Headings that are for readers of the source, not for a model.
const SOURCE_ONLY: &[&str] = &["Arguments", "Errors", "Examples", "Panics", "Safety"];

impl Docs {
    /// Takes the doc attributes out of a list.
    pub(crate) fn take(attrs: &mut Vec<Attribute>) -> Self {
        let (docs, rest) = std::mem::take(attrs)
            .into_iter()
            .partition(|attr| attr.path().is_ident("doc"));
        *attrs = rest;
        Self { attrs: docs }.only_text()
    }

    /// Copies the doc attributes of a list.
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let attrs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
        Self {
            attrs: attrs.cloned().collect(),
        }
        .only_text()
    }

    /// `#[doc(hidden)]` and the like are no text.
    fn only_text(mut self) -> Self {
        self.attrs
            .retain(|attr| matches!(attr.meta, Meta::NameValue(_)));
        self
    }

    /// Whether there is no text at all.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self.lines(), Some(lines) if for_model(&lines).is_empty())
    }

    /// The lines, `None` if one of them is known to the compiler only (`include_str!`).
    fn lines(&self) -> Option<Vec<String>> {
        let mut lines = Vec::new();
        for attr in &self.attrs {
            let Meta::NameValue(pair) = &attr.meta else {
                continue;
            };
            let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &pair.value
            else {
                return None;
            };
            // `split`, not `lines`: an empty doc line is a paragraph's end.
            lines.extend(text.value().split('\n').map(|line| {
                let line = line.trim_end();
                line.strip_prefix(' ').unwrap_or(line).to_owned()
            }));
        }
        Some(lines)
    }

    /// The text as an expression: a literal without source-only parts, or a `concat!`.
    pub(crate) fn text(&self) -> TokenStream {
        if let Some(lines) = self.lines() {
            let text = for_model(&lines);
            return quote!(#text);
        }
        let parts = self.attrs.iter().filter_map(|attr| match &attr.meta {
            Meta::NameValue(pair) => Some(&pair.value),
            _ => None,
        });
        quote!(::core::concat!(#(#parts, "\n"),*))
    }
}

/// Leaves out the parts under source-only headings, and blank lines around the rest.
fn for_model(lines: &[String]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut skipping = false;
    let mut fenced = false;
    for line in lines {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if !fenced && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim();
            skipping = SOURCE_ONLY.contains(&heading);
        }
        if !skipping {
            kept.push(line);
        }
    }
    kept.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::for_model;

    fn check(docs: &str, expected: &str) {
        let lines: Vec<String> = docs.lines().map(str::to_owned).collect();
        assert_eq!(for_model(&lines), expected);
    }

    #[test]
    fn parts_for_readers_of_the_source_are_left_out() {
        check(
            "Says hello.\n\n# Errors\nNever.\n\n# When\nAlways.\n",
            "Says hello.\n\n# When\nAlways.",
        );
    }

    #[test]
    fn a_heading_inside_a_code_block_is_text() {
        check("A\n```\n# Errors\n```\nB", "A\n```\n# Errors\n```\nB");
    }

    #[test]
    fn blank_lines_between_paragraphs_stay() {
        check("\nA\n\nB\n\n", "A\n\nB");
    }
}
