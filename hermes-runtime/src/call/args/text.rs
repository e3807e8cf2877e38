//! Text → one object (rules 1 to 6 of the case files' README; rule 7 is [`wrapper`](super::wrapper)).

use std::collections::HashSet;

use super::error::ArgsError;
use super::node::{MAX_DEPTH, Node, Object, quoted};
use super::parse::{Dialect, Fault, ParseError, Parsed, parse};
use super::path::Field;
use super::repair::RepairKind;

/// How often a root string is decoded.
const DECODES: usize = 2;

/// The object a text holds, and what was repaired for it.
pub(super) struct Reading {
    pub(super) object: Object,
    pub(super) repairs: Vec<RepairKind>,
}

/// Reads the raw arguments.
///
/// The first success wins; text that parses strictly is never touched.
///
/// # Errors
/// Every [`ArgsError`] about notation, with the root as its field.
pub(super) fn read(raw: &str) -> Result<Reading, ArgsError> {
    let mut repairs = Vec::new();
    let object = decode(raw, DECODES, &mut repairs)?;
    Ok(Reading { object, repairs })
}

fn decode(raw: &str, decodes: usize, repairs: &mut Vec<RepairKind>) -> Result<Object, ArgsError> {
    let text = raw.trim();
    if text.is_empty() || text == "null" {
        return Ok(Object::default());
    }
    let parsed = match unfenced(text) {
        None => read_any(text, 0),
        Some((inner, closed)) => {
            repairs.push(RepairKind::CodeFence);
            if inner.is_empty() && closed {
                return Ok(Object::default());
            }
            // Without its end, what the fence holds may be incomplete as well.
            read_any(inner, 0).and_then(|parsed| {
                if closed {
                    Ok(parsed)
                } else {
                    Err(ParseError {
                        at: text.len(),
                        fault: Fault::Truncated,
                    })
                }
            })
        }
    };
    let parsed = match parsed {
        Ok(parsed) => parsed,
        // Plain words are no attempt at JSON.
        Err(ParseError {
            fault: Fault::Expected(..) | Fault::Escape(_),
            ..
        }) if is_prose(text) => {
            return Err(ArgsError::NotObject { got: shown(text) });
        }
        Err(ParseError {
            fault: Fault::Token(token),
            ..
        }) if is_prose(text) && !is_special(&token) => {
            return Err(ArgsError::NotObject { got: shown(text) });
        }
        Err(error) => return Err(explain(error, Field::default(), text)),
    };
    repairs.extend(parsed.repairs);
    let mut documents = parsed.documents;
    if documents.len() > 1 {
        return one_of(documents, repairs);
    }
    match documents.pop() {
        Some(Node::Object(object)) => Ok(*object),
        Some(Node::Text(inner)) if decodes > 0 => {
            repairs.push(RepairKind::Decoded);
            decode(&inner, decodes - 1, repairs)
        }
        Some(other) => Err(ArgsError::NotObject {
            got: format!("{} ({})", other.shown(), other.kind()),
        }),
        None => Ok(Object::default()),
    }
}

/// Several objects in a row: equal ones count once, empty leading ones don't count.
fn one_of(documents: Vec<Node>, repairs: &mut Vec<RepairKind>) -> Result<Object, ArgsError> {
    let empty = documents
        .iter()
        .take_while(|node| matches!(node, Node::Object(object) if object.entries.is_empty()))
        .count();
    let mut rest = documents.into_iter().skip(empty);
    let Some(first) = rest.next() else {
        repairs.push(RepairKind::RepeatedObject);
        return Ok(Object::default());
    };
    let rest: Vec<Node> = rest.collect();
    if rest.iter().any(|node| !node.same(&first)) {
        let distinct: HashSet<u64> = rest.iter().chain([&first]).map(Node::digest).collect();
        return Err(ArgsError::Several {
            count: distinct.len().max(2),
        });
    }
    if empty > 0 {
        repairs.push(RepairKind::EmptyObject);
    }
    if !rest.is_empty() {
        repairs.push(RepairKind::RepeatedObject);
    }
    match first {
        Node::Object(object) => Ok(*object),
        _ => Ok(Object::default()),
    }
}

/// Reads text that stands where the schema wants a list or an object.
///
/// # Errors
/// As [`read`], about `field`.
pub(super) fn read_nested(
    text: &str,
    depth: usize,
    field: impl FnOnce() -> Field,
) -> Result<Node, ArgsError> {
    let text = text.trim();
    let fault = match read_any(text, depth) {
        Ok(mut parsed) if parsed.documents.len() == 1 => match parsed.documents.pop() {
            Some(node) => return Ok(node),
            None => Fault::Truncated,
        },
        Ok(parsed) => {
            return Err(ArgsError::Several {
                count: parsed.documents.len(),
            });
        }
        Err(error) => return Err(explain(error, field(), text)),
    };
    Err(explain(ParseError { at: 0, fault }, field(), text))
}

/// Strict first, then lenient JSON, then a Python literal. If none fits, the attempt that got
/// farthest is the one worth explaining.
fn read_any(text: &str, depth: usize) -> Result<Parsed, ParseError> {
    let strict = match parse(text, Dialect::Strict, depth) {
        Err(error) if error.fault != Fault::Depth => error,
        decided => return decided,
    };
    let mut farthest = strict;
    for dialect in [Dialect::Lenient, Dialect::Python] {
        match parse(text, dialect, depth) {
            Ok(parsed) => return Ok(parsed),
            // Of equal ones the later is the more forgiving and so the truer; but JSON's own words
            // are not at fault in JSON.
            Err(error)
                if error.at > farthest.at
                    || (error.at == farthest.at && dialect == Dialect::Lenient) =>
            {
                farthest = error;
            }
            Err(_) => {}
        }
    }
    Err(farthest)
}

/// What a code fence around everything holds, and whether the fence is closed.
fn unfenced(text: &str) -> Option<(&str, bool)> {
    let rest = text.trim_start_matches('`');
    let ticks = text.len() - rest.len();
    if ticks < 3 {
        return None;
    }
    let rest = rest
        .trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'));
    let inner = rest.trim_end_matches('`');
    let closing = rest.len() - inner.len();
    Some((inner.trim(), closing >= 3))
}

fn explain(error: ParseError, field: Field, text: &str) -> ArgsError {
    match error.fault {
        Fault::Truncated => ArgsError::Truncated {
            field,
            length: text.chars().count(),
        },
        Fault::Token(token) => ArgsError::Token { field, token },
        Fault::Escape(escape) => ArgsError::Escape { field, escape },
        Fault::Depth => ArgsError::Depth {
            field,
            limit: MAX_DEPTH,
        },
        Fault::Expected(expected, near) => ArgsError::Syntax {
            field,
            expected,
            near,
        },
    }
}

fn is_prose(text: &str) -> bool {
    !text.starts_with(['{', '[', '"', '\'', '`'])
}

fn is_special(token: &str) -> bool {
    let word = token.trim_start_matches('-');
    ["nan", "inf", "infinity"]
        .iter()
        .any(|special| word.eq_ignore_ascii_case(special))
}

fn shown(text: &str) -> String {
    super::node::cut(&quoted(text))
}

#[cfg(test)]
mod tests;
