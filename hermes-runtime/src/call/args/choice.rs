//! `enum` and `const`: the exact member, or the only one meant.

use serde_json::Value;

use super::error::ArgsError;
use super::judge::{Judge, Judged, is_null_word};
use super::node::{Node, cut, one_line};
use super::number::Num;
use super::path::Path;
use super::schema;

impl Judge<'_> {
    /// Makes `node` a member of a closed list of values.
    ///
    /// Text counts as a member if it is equal to exactly one when letter case and outer blanks are
    /// ignored; members that aren't text are compared by their JSON spelling.
    pub(super) fn choose(
        &mut self,
        members: &[&Value],
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged {
        self.spend(members.len().try_into().unwrap_or(u64::MAX) / 64 + 1, path)?;
        if members.iter().any(|member| identical(node, member)) {
            return Ok(());
        }
        if self.checking {
            return Err(None);
        }
        let mut meant: Option<&Value> = None;
        let mut several = false;
        for member in members.iter().filter(|member| resembles(node, member)) {
            several |= meant.is_some_and(|other| other != *member);
            meant = Some(member);
        }
        if meant.is_none() && is_null_word(node) && members.iter().any(|member| member.is_null()) {
            return self.convert(node, Node::Null, path);
        }
        match meant {
            Some(member) if !several => {
                let made = Node::from_value(member.clone(), path)
                    .map_err(|error| Some(Box::new(error)))?;
                self.convert(node, made, path)
            }
            _ => self.refuse(|_| choice_error(members, node, path)),
        }
    }
}

/// The error that lists the members.
pub(super) fn choice_error(members: &[&Value], node: &Node, path: &Path<'_>) -> ArgsError {
    let allowed: Vec<String> = members
        .iter()
        .map(|member| cut(&member.to_string()))
        .collect();
    let nearest = match node {
        Node::Text(text) => {
            schema::nearest(text, members.iter().filter_map(|member| member.as_str())).map(one_line)
        }
        _ => None,
    };
    ArgsError::Choice {
        field: path.field(),
        allowed,
        got: node.shown(),
        nearest,
    }
}

/// The same JSON value in the same representation.
pub(super) fn identical(node: &Node, member: &Value) -> bool {
    match (node, member) {
        (Node::Null, Value::Null) => true,
        (Node::Bool(flag), Value::Bool(member)) => flag == member,
        (Node::Text(text), Value::String(member)) => text == member,
        (Node::Number(number), Value::Number(member)) => {
            let member = Num::from_json(member);
            (number.is_integer() || !member.is_integer())
                && number.compare(&member) == Some(std::cmp::Ordering::Equal)
        }
        (Node::List(items), Value::Array(members)) => {
            items.len() == members.len()
                && items
                    .iter()
                    .zip(members)
                    .all(|(item, member)| identical(item, member))
        }
        (Node::Object(object), Value::Object(members)) => {
            object.entries.len() == members.len()
                && object.conflicts.is_empty()
                && object.entries.iter().all(|(key, node)| {
                    members
                        .get(key)
                        .is_some_and(|member| identical(node, member))
                })
        }
        _ => false,
    }
}

/// Whether a value has a reading as this member.
pub(super) fn resembles(node: &Node, member: &Value) -> bool {
    match (node, member) {
        (Node::Text(text), Value::String(member)) => {
            let (text, member) = (text.trim(), member.trim());
            text == member || text.to_lowercase() == member.to_lowercase()
        }
        (Node::Text(text), Value::Number(member)) => {
            let member = Num::from_json(member);
            Num::from_text(text)
                .is_some_and(|number| number.compare(&member) == Some(std::cmp::Ordering::Equal))
        }
        (Node::Text(text), Value::Bool(_) | Value::Null) => {
            text.trim().eq_ignore_ascii_case(&member.to_string())
        }
        (Node::Number(number), Value::Number(member)) => {
            number.compare(&Num::from_json(member)) == Some(std::cmp::Ordering::Equal)
        }
        (Node::Number(number), Value::String(member)) => number
            .integer_spelling()
            .is_some_and(|spelling| spelling == *member),
        (Node::Bool(flag), Value::String(member)) => flag.to_string() == *member,
        _ => false,
    }
}
