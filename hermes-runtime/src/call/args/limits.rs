//! Ranges and sizes.
//!
//! `pattern` is not checked here: the argument's own type does that (a `#[arg(pattern)]` of ours, or
//! the MCP server), so that no regular expression of a stranger's schema runs in this process.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::error::ArgsError;
use super::judge::{Judge, Judged, shown_text};
use super::node::Node;
use super::number::{Num, Whole};
use super::path::Path;
use super::schema;

impl Judge<'_> {
    /// `minimum` and its kin, `multipleOf`, integer formats; a number must also be finite.
    pub(super) fn number_limits(
        &self,
        map: &Map<String, Value>,
        schema: &Value,
        number: &Num,
        path: &Path<'_>,
    ) -> Judged {
        let limit = |key: &str| map.get(key).and_then(Value::as_number).map(Num::from_json);
        let order = |key: &str| limit(key).and_then(|limit| number.compare(&limit));
        let in_format = match (schema::format_range(map), number.whole()) {
            (Some((low, high)), Whole::Exact(whole)) => (low..=high).contains(&whole),
            (None, _) | (_, Whole::Fraction) => true,
            (Some(_), Whole::TooLarge) => false,
        };
        let fits = in_format
            && order("minimum") != Some(Ordering::Less)
            && order("maximum") != Some(Ordering::Greater)
            && !matches!(
                order("exclusiveMinimum"),
                Some(Ordering::Less | Ordering::Equal)
            )
            && !matches!(
                order("exclusiveMaximum"),
                Some(Ordering::Greater | Ordering::Equal)
            );
        let got = || Node::Number(number.clone()).shown();
        if !fits {
            return self.refuse(|judge| ArgsError::Range {
                field: path.field(),
                expected: schema::describe(judge.root, schema),
                got: got(),
            });
        }
        if !schema::types(map).is_empty() && !number.double().is_finite() {
            return self.refuse(|_| ArgsError::Range {
                field: path.field(),
                expected: "a finite number".to_owned(),
                got: got(),
            });
        }
        match limit("multipleOf") {
            Some(step) if !number.is_multiple_of(&step) => self.refuse(|_| ArgsError::Range {
                field: path.field(),
                expected: format!("a multiple of {}", step.spelling()),
                got: got(),
            }),
            _ => Ok(()),
        }
    }

    /// `minLength` and `maxLength`, in characters.
    pub(super) fn text_limits(
        &self,
        map: &Map<String, Value>,
        text: &str,
        path: &Path<'_>,
    ) -> Judged {
        let (Some(low), Some(high)) = (
            count(map, "minLength", 0),
            count(map, "maxLength", usize::MAX),
        ) else {
            return Ok(());
        };
        if low == 0 && high == usize::MAX {
            return Ok(());
        }
        let length = text.chars().count();
        if (low..=high).contains(&length) {
            return Ok(());
        }
        self.refuse(|_| ArgsError::Size {
            field: path.field(),
            expected: words(low, high, "characters"),
            got: format!("{length}: {}", shown_text(text)),
        })
    }

    /// `minItems`, `maxItems`, `uniqueItems`.
    pub(super) fn list_limits(
        &self,
        map: &Map<String, Value>,
        items: &[Node],
        path: &Path<'_>,
    ) -> Judged {
        let low = count(map, "minItems", 0).unwrap_or(0);
        let high = count(map, "maxItems", usize::MAX).unwrap_or(usize::MAX);
        if !(low..=high).contains(&items.len()) {
            return self.refuse(|_| ArgsError::Size {
                field: path.field(),
                expected: words(low, high, "items"),
                got: items.len().to_string(),
            });
        }
        if map.get("uniqueItems") != Some(&Value::Bool(true)) {
            return Ok(());
        }
        let mut seen: HashMap<u64, &Node> = HashMap::with_capacity(items.len());
        for item in items {
            if let Some(other) = seen.insert(item.digest(), item)
                && other.same(item)
            {
                return self.refuse(|_| ArgsError::Size {
                    field: path.field(),
                    expected: "each item once".to_owned(),
                    got: format!("{} twice", item.shown()),
                });
            }
        }
        Ok(())
    }
}

/// A count in a schema; `None` if it is no count.
fn count(map: &Map<String, Value>, key: &str, default: usize) -> Option<usize> {
    match map.get(key) {
        None => Some(default),
        Some(value) => value.as_u64().and_then(|count| usize::try_from(count).ok()),
    }
}

fn words(low: usize, high: usize, noun: &str) -> String {
    match (low, high) {
        (low, usize::MAX) => format!("at least {low} {noun}"),
        (0, high) => format!("at most {high} {noun}"),
        (low, high) if low == high => format!("exactly {low} {noun}"),
        (low, high) => format!("{low} to {high} {noun}"),
    }
}
