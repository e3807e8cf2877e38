//! The attribute grammar: `word`, `word = value`, separated by commas. Strict: nothing is ignored.

use super::example::{EXAMPLE, example};
use super::words;
use crate::errors::Errors;
use crate::model::{CommandWords, Flag, HookWords, Millis, PluginWords, SchemaWords, ToolWords};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, Ident, LitBool, LitInt, LitStr, Path, Token};

/// One word with what stands behind it.
pub(super) struct Word {
    pub(super) name: Ident,
    /// The tokens behind `=`; `None` if there is no `=`.
    value: Option<TokenStream>,
    /// Parentheses, behind a word that has words of its own.
    pub(super) inside: Option<Group>,
}

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input).map_err(|error| {
            syn::Error::new(error.span(), "a word goes here, as in `word = value`")
        })?;
        let mut inside = None;
        if name == EXAMPLE && input.peek(syn::token::Paren) {
            inside = Some(input.parse()?);
            if !input.is_empty() {
                return Err(input.error(format!(
                    "unexpected text after `{name}(…)`; write `,` between words"
                )));
            }
        }
        let value = if input.parse::<Option<Token![=]>>()?.is_some() {
            Some(input.parse()?)
        } else if input.is_empty() {
            None
        } else {
            return Err(input.error(format!(
                "unexpected text after `{name}`; write `{name} = value`, and `,` between words"
            )));
        };
        Ok(Self {
            name,
            value,
            inside,
        })
    }
}

impl Word {
    pub(super) fn is(&self, word: &str) -> bool {
        self.name == word
    }

    /// The value as a `T`; `example` shows what to write.
    pub(super) fn value<T: Parse>(&self, example: &str, errors: &mut Errors) -> Option<T> {
        let Some(tokens) = self.value.as_ref().filter(|value| !value.is_empty()) else {
            errors.at(
                &self.name,
                format!(
                    "`{}` needs a value; write `{} = {example}`",
                    self.name, self.name
                ),
            );
            return None;
        };
        if let Ok(value) = syn::parse2(tokens.clone()) {
            Some(value)
        } else {
            errors.at(
                tokens,
                format!(
                    "wrong value for `{}`; write `{} = {example}`",
                    self.name, self.name
                ),
            );
            None
        }
    }

    fn flag(&self, errors: &mut Errors) -> Option<Flag> {
        let value = match &self.value {
            None => None,
            Some(_) => Some(self.value::<LitBool>("false", errors)?),
        };
        Some(Flag {
            word: self.name.clone(),
            value,
        })
    }

    /// A bare word.
    fn bare(&self, errors: &mut Errors) -> Option<Ident> {
        if let Some(value) = &self.value {
            let value = if value.is_empty() {
                self.name.to_token_stream()
            } else {
                value.clone()
            };
            errors.at(
                value,
                format!("`{0}` takes no value; write `{0}` alone", self.name),
            );
            return None;
        }
        Some(self.name.clone())
    }

    /// A text that isn't blank.
    pub(super) fn text(&self, example: &str, errors: &mut Errors) -> Option<LitStr> {
        let text: LitStr = self.value(example, errors)?;
        if text.value().trim().is_empty() {
            errors.at(
                &text,
                format!("`{}` is blank; write `{0} = {example}`", self.name),
            );
        }
        Some(text)
    }

    /// A text, or an expression that the compiler makes one of.
    fn description(&self, errors: &mut Errors) -> Option<Expr> {
        let expr: Expr = self.value("\"What it does\"", errors)?;
        if matches!(&expr, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Str(_))) {
            self.text("\"What it does\"", errors);
        }
        Some(expr)
    }

    fn millis(&self, errors: &mut Errors) -> Option<Millis> {
        let text: LitStr = self.value("\"30s\"", errors)?;
        if let Some(millis) = parse_millis(&text.value()) {
            Some(Millis {
                word: self.name.clone(),
                millis,
            })
        } else {
            errors.at(
                &text,
                format!(
                    "`{}` is no time limit; write a number and `ms`, `s` or `m`, for example \"30s\"",
                    text.value()
                ),
            );
            None
        }
    }
}

/// `500ms`, `30s`, `2m`; more than zero.
fn parse_millis(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        _ => return None,
    };
    let number: u64 = digits.trim().parse().ok()?;
    number.checked_mul(factor).filter(|millis| *millis > 0)
}

/// Splits at commas first, so that a fault in one word hides none in another. Whether all words are
/// known: an unknown one may be another, misspelt.
pub(super) fn each_word(
    attribute: &str,
    known: &[&str],
    args: TokenStream,
    errors: &mut Errors,
    mut take: impl FnMut(&Word, &mut Errors),
) -> bool {
    let mut all_known = true;
    let mut seen: Vec<Ident> = Vec::new();
    let mut chunk = TokenStream::new();
    let mut finish = |chunk: &mut TokenStream, errors: &mut Errors| {
        let tokens = std::mem::take(chunk);
        if tokens.is_empty() {
            return;
        }
        let Some(word) = errors.keep(Word::parse.parse2(tokens)) else {
            all_known = false;
            return;
        };
        let name = word.name.to_string();
        if word.inside.is_none() && seen.contains(&word.name) {
            errors.at(
                &word.name,
                format!("`{name}` stands here twice; leave one of them out"),
            );
            return;
        }
        seen.push(word.name.clone());
        if known.contains(&name.as_str()) {
            take(&word, errors);
        } else {
            all_known = false;
            // Names that Hermes' Python version knows and this one never will.
            if name.starts_with("kanban_") && attribute == "#[hermes_hook]" {
                errors.at(
                    &word.name,
                    format!(
                        "there is no event `{name}`: Hermes-rs has no board; leave this hook out"
                    ),
                );
                return;
            }
            let help = match words::nearest(&name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", words::list(known)),
            };
            errors.at(
                &word.name,
                format!("unknown argument `{name}` for {attribute}; {help}"),
            );
        }
    };
    for token in args {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                if chunk.is_empty() {
                    errors.at(punct.to_token_stream(), "a word is missing before this `,`");
                }
                finish(&mut chunk, errors);
            }
            _ => chunk.extend([token]),
        }
    }
    finish(&mut chunk, errors);
    all_known
}

pub(crate) fn tool_words(args: TokenStream, errors: &mut Errors) -> ToolWords {
    let mut found = ToolWords::default();
    each_word(
        "#[hermes_tool]",
        words::TOOL,
        args,
        errors,
        |word, errors| match word.name.to_string().as_str() {
            "name" => found.name = word.value("\"my_tool\"", errors),
            "description" => found.description = word.description(errors),
            "toolset" => found.toolset = word.text("\"math\"", errors),
            "emoji" => found.emoji = word.value("\"🧮\"", errors),
            "check" => found.check = word.value("path::to_fn", errors),
            "read_only" => found.read_only = word.flag(errors),
            "destructive" => found.destructive = word.flag(errors),
            "idempotent" => found.idempotent = word.flag(errors),
            "open_world" => found.open_world = word.flag(errors),
            "inline" => found.inline = word.bare(errors),
            "timeout" => found.timeout = word.millis(errors),
            EXAMPLE => found.examples.extend(example(word, errors)),
            "max_result_chars" => {
                found.max_result_chars = word.value::<LitInt>("20_000", errors).filter(|number| {
                    let fits = number.base10_parse::<usize>().is_ok_and(|chars| chars > 0);
                    if !fits {
                        errors.at(
                            number,
                            "`max_result_chars` is a number of characters above 0, for example 20_000",
                        );
                    }
                    fits
                });
            }
            "output" => {
                if let Some(value) = word.value::<Ident>("none", errors) {
                    found.output_none = value == "none";
                    if !found.output_none {
                        errors.at(
                            &value,
                            "`output` knows only `none`; leave it out, and the schema comes from the return type",
                        );
                    }
                }
            }
            _ => found.krate = word.value("path::to::hermes_core", errors),
        },
    );
    found
}

pub(crate) fn hook_words(args: TokenStream, errors: &mut Errors) -> HookWords {
    let mut found = HookWords::default();
    each_word(
        "#[hermes_hook]",
        words::HOOK,
        args,
        errors,
        |word, errors| match word.name.to_string().as_str() {
            "priority" => found.priority = word.value("10", errors),
            "timeout" => found.timeout = word.millis(errors),
            "inline" => found.inline = word.bare(errors),
            "crate" => found.krate = word.value("path::to::hermes_core", errors),
            _ => {
                if let Some(event) = word.bare(errors) {
                    if let Some(earlier) = &found.event {
                        errors.at(
                            &event,
                            format!(
                                "a hook has one event, and `{earlier}` stands here already; write a second hook"
                            ),
                        );
                        return;
                    }
                    found.event = Some(event);
                }
            }
        },
    );
    found
}

pub(crate) fn command_words(args: TokenStream, errors: &mut Errors) -> CommandWords {
    let mut found = CommandWords::default();
    each_word(
        "#[hermes_command]",
        words::COMMAND,
        args,
        errors,
        |word, errors| match word.name.to_string().as_str() {
            "name" => found.name = word.value("\"my-command\"", errors),
            "description" => found.description = word.description(errors),
            "args_hint" => found.args_hint = word.value("\"[reset]\"", errors),
            _ => found.krate = word.value("path::to::hermes_core", errors),
        },
    );
    found
}

pub(crate) fn schema_words(args: TokenStream, errors: &mut Errors) -> SchemaWords {
    let mut found = SchemaWords::default();
    each_word(
        "#[hermes_schema]",
        words::SCHEMA,
        args,
        errors,
        |word, errors| {
            if word.is("crate") {
                found.krate = word.value("path::to::hermes_core", errors);
            } else {
                found.allow_undocumented = word.bare(errors).is_some();
            }
        },
    );
    found
}

pub(crate) fn state_crate(args: TokenStream, errors: &mut Errors) -> Option<Path> {
    let mut found = None;
    each_word(
        "#[hermes_state]",
        words::STATE,
        args,
        errors,
        |word, errors| {
            found = word.value("path::to::hermes_core", errors);
        },
    );
    found
}

pub(crate) fn plugin_words(args: TokenStream, errors: &mut Errors) -> PluginWords {
    let mut found = PluginWords::default();
    each_word(
        "plugin!",
        words::PLUGIN,
        args,
        errors,
        |word, errors| match word.name.to_string().as_str() {
            "name" => found.name = word.value("\"my-plugin\"", errors),
            "skills" => found.skills = word.value("\"skills\"", errors),
            _ => found.krate = word.value("path::to::hermes_core", errors),
        },
    );
    found
}

/// The words of `#[arg(…)]`.
pub(super) fn arg_words(
    args: TokenStream,
    errors: &mut Errors,
) -> Option<crate::model::ArgDefault> {
    let mut found = None;
    each_word("#[arg]", words::ARG, args, errors, |word, errors| {
        found = match &word.value {
            None => Some(crate::model::ArgDefault::Type),
            Some(_) => word
                .value::<Expr>("expression", errors)
                .map(crate::model::ArgDefault::Expr),
        };
    });
    found
}
