//! JSON written in Rust literals.

use super::{is_number, text};
use crate::errors::Errors;
use crate::model::Json;
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Lit, LitStr};

const OBJECT: &str = "the arguments are one object; write `args = { \"name\": \"value\" }`";

/// One object, in literals or as a text; `None` if it is none (the faults are then recorded).
pub(crate) fn object(tokens: &TokenStream, errors: &mut Errors) -> Option<Json> {
    let mut writer = Writer {
        json: Json::default(),
        depth: 0,
        sound: true,
        errors,
    };
    let chunk: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match chunk.as_slice() {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            return object(&group.stream(), errors);
        }
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => writer.object(group),
        [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
            Lit::Str(text) => return from_text(&text, errors),
            _ => writer.fault(tokens, OBJECT),
        },
        _ => writer.fault(tokens, OBJECT),
    }
    writer.sound.then_some(writer.json)
}

fn from_text(literal: &LitStr, errors: &mut Errors) -> Option<Json> {
    let source = literal.value();
    match text::object(&source) {
        Ok((text, keys)) => Some(Json {
            text,
            keys: keys
                .iter()
                .map(|key| LitStr::new(key, literal.span()))
                .collect(),
        }),
        Err(text::Fault::NoObject) => {
            errors.at(literal, OBJECT);
            None
        }
        Err(text::Fault::Twice(key)) => {
            errors.at(literal, twice(&key));
            None
        }
        Err(text::Fault::Syntax(fault)) => {
            errors.at(literal, format!("this text is no JSON: {fault}"));
            None
        }
    }
}

fn twice(key: &str) -> String {
    format!("`{key}` stands here twice; leave one of them out")
}

struct Writer<'a> {
    json: Json,
    /// How many objects and lists are open.
    depth: usize,
    sound: bool,
    errors: &'a mut Errors,
}

impl Writer<'_> {
    fn fault(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.sound = false;
        self.errors.at(tokens, message);
    }

    fn object(&mut self, group: &Group) {
        let mut seen: Vec<String> = Vec::new();
        self.depth += 1;
        self.json.text.push('{');
        for (at, chunk) in self.chunks(group).iter().enumerate() {
            if at > 0 {
                self.json.text.push(',');
            }
            let Some((key, value)) = self.pair(chunk) else {
                continue;
            };
            if seen.contains(&key.value()) {
                self.fault(&key, twice(&key.value()));
                continue;
            }
            seen.push(key.value());
            self.string(&key.value());
            self.json.text.push(':');
            self.value(value);
            if self.depth == 1 {
                self.json.keys.push(key);
            }
        }
        self.json.text.push('}');
        self.depth -= 1;
    }

    fn list(&mut self, group: &Group) {
        self.depth += 1;
        self.json.text.push('[');
        for (at, chunk) in self.chunks(group).iter().enumerate() {
            if at > 0 {
                self.json.text.push(',');
            }
            self.value(chunk);
        }
        self.json.text.push(']');
        self.depth -= 1;
    }

    /// What stands between commas; nothing behind the last one.
    fn chunks(&mut self, group: &Group) -> Vec<Vec<TokenTree>> {
        let mut chunks = vec![Vec::new()];
        for token in group.stream() {
            match (&token, chunks.last_mut()) {
                (TokenTree::Punct(punct), Some(last)) if punct.as_char() == ',' => {
                    if last.is_empty() {
                        self.fault(
                            punct.to_token_stream(),
                            "a value is missing before this `,`",
                        );
                    } else {
                        chunks.push(Vec::new());
                    }
                }
                (_, Some(last)) => last.push(token),
                (_, None) => {}
            }
        }
        if chunks.last().is_some_and(Vec::is_empty) {
            chunks.pop();
        }
        chunks
    }

    /// `"key": value`
    fn pair<'c>(&mut self, chunk: &'c [TokenTree]) -> Option<(LitStr, &'c [TokenTree])> {
        let (first, rest) = chunk.split_first()?;
        let key = match first {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => group.stream(),
            other => other.to_token_stream(),
        };
        let Ok(key) = syn::parse2::<LitStr>(key) else {
            let spelling = match first {
                TokenTree::Ident(_) | TokenTree::Literal(_) => first.to_string(),
                _ => "name".to_owned(),
            };
            self.fault(
                first,
                format!(
                    "a key is a text; write `\"{}\": value`",
                    spelling.trim_matches('\'')
                ),
            );
            return None;
        };
        match rest.split_first() {
            Some((TokenTree::Punct(colon), value)) if colon.as_char() == ':' => {
                if value.is_empty() {
                    self.no_value(&key);
                    return None;
                }
                Some((key, value))
            }
            Some((other, _)) => {
                self.fault(
                    other,
                    format!("a `:` goes here; write `{}: value`", key.token()),
                );
                None
            }
            None => {
                self.no_value(&key);
                None
            }
        }
    }

    fn no_value(&mut self, key: &LitStr) {
        self.fault(
            key,
            format!("a value is missing; write `{}: value`", key.token()),
        );
    }

    fn value(&mut self, chunk: &[TokenTree]) {
        match chunk {
            [TokenTree::Group(group)] => match group.delimiter() {
                Delimiter::Brace => self.object(group),
                Delimiter::Bracket => self.list(group),
                Delimiter::None => {
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.value(&inside);
                }
                Delimiter::Parenthesis => {
                    self.fault(group, "a list stands in brackets; write `[ … ]`");
                }
            },
            [TokenTree::Ident(word)] => self.word(word),
            [TokenTree::Literal(literal)] => self.literal(literal),
            [TokenTree::Punct(minus), number] if minus.as_char() == '-' => match number {
                TokenTree::Literal(number) => self.number(number, "-"),
                other => self.fault(other, "a number goes behind `-`"),
            },
            // A literal behind a value: a comma was forgotten.
            [
                TokenTree::Literal(_) | TokenTree::Group(_),
                next @ TokenTree::Literal(_),
                ..,
            ]
            | [
                TokenTree::Punct(_),
                TokenTree::Literal(_),
                next @ TokenTree::Literal(_),
                ..,
            ] => {
                self.fault(next, "a `,` is missing before this");
            }
            other => {
                let tokens: TokenStream = other.iter().cloned().collect();
                self.fault(&tokens, no_value(&tokens));
            }
        }
    }

    fn word(&mut self, word: &Ident) {
        let text = word.to_string();
        let better = match text.as_str() {
            "true" | "false" | "null" => {
                self.json.text.push_str(&text);
                return;
            }
            "True" | "TRUE" => "true",
            "False" | "FALSE" => "false",
            "None" | "Null" | "NULL" | "nil" => "null",
            _ => {
                self.fault(word, no_value(word));
                return;
            }
        };
        self.fault(word, format!("`{text}` is no JSON value; write `{better}`"));
    }

    fn literal(&mut self, literal: &Literal) {
        match Lit::new(literal.clone()) {
            Lit::Str(text) if text.suffix().is_empty() => self.string(&text.value()),
            Lit::Int(_) | Lit::Float(_) => self.number(literal, ""),
            Lit::Char(text) => self.fault(
                literal,
                format!(
                    "`{literal}` is no JSON value; write `\"{}\"`",
                    text.value().escape_default()
                ),
            ),
            _ => self.fault(literal, no_value(literal)),
        }
    }

    /// `sign` stands before it.
    fn number(&mut self, literal: &Literal, sign: &str) {
        let text = literal.to_string();
        let digits = match Lit::new(literal.clone()) {
            Lit::Int(number) => number.base10_digits().to_owned(),
            Lit::Float(number) => number.base10_digits().to_owned(),
            _ => {
                self.fault(literal, format!("a number goes behind `{sign}`"));
                return;
            }
        };
        if is_number(&text) {
            self.json.text.push_str(sign);
            self.json.text.push_str(&text);
        } else {
            self.fault(
                literal,
                format!(
                    "`{text}` is no JSON number; write `{sign}{}`",
                    plain(&digits)
                ),
            );
        }
    }

    fn string(&mut self, value: &str) {
        use std::fmt::Write as _;
        let out = &mut self.json.text;
        out.push('"');
        for c in value.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                c if c < ' ' => {
                    // A `String` takes everything.
                    write!(out, "\\u{:04x}", u32::from(c)).unwrap_or_default();
                }
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

/// Digits as syn gives them, without suffix and `_`, as JSON has them.
fn plain(digits: &str) -> String {
    let short = digits.trim_start_matches('0');
    let zero = if short.starts_with(|c: char| c.is_ascii_digit()) {
        ""
    } else {
        "0"
    };
    let end = if digits.ends_with('.') { "0" } else { "" };
    format!("{zero}{short}{end}")
}

fn no_value(tokens: impl ToTokens) -> String {
    format!(
        "`{}` is no JSON value; write a text in double quotes, a number, `true`, `false`, `null`, `[ … ]` or `{{ … }}`",
        tokens.to_token_stream().to_string().replace(" :: ", "::")
    )
}
