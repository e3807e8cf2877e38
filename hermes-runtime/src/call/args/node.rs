//! The tree between text and [`Value`]: exact numbers, remembered duplicates.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value};

use super::error::ArgsError;
use super::number::Num;
use super::path::Path;

/// Levels of nesting that are read; the same as `serde_json`'s, so that whatever passes here can be
/// read again from its text.
pub(super) const MAX_DEPTH: usize = 127;

/// Longest copy of a value in a message, in characters.
const SHOWN: usize = 80;

/// Objects up to this many keys are searched by eye, larger ones by hash.
const FEW: usize = 16;

/// A JSON value before the schema has judged it.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(Num),
    Text(String),
    List(Vec<Node>),
    Object(Box<Object>),
}

/// An object; keys are unique.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    pub(super) entries: Vec<(String, Node)>,
    /// Keys that stood there again with a different value; the first value is in `entries`.
    pub(super) conflicts: Vec<String>,
}

impl Object {
    /// Takes entries as written. The flag tells whether equal duplicates were merged.
    pub(super) fn from_entries(entries: Vec<(String, Node)>) -> (Self, bool) {
        let mut again = Vec::new();
        if entries.len() <= FEW {
            for (position, (key, _)) in entries.iter().enumerate() {
                if let Some(first) = entries
                    .iter()
                    .take(position)
                    .position(|(other, _)| other == key)
                {
                    again.push((position, first));
                }
            }
        } else {
            let mut seen = HashMap::with_capacity(entries.len());
            for (position, (key, _)) in entries.iter().enumerate() {
                if let Some(first) = seen.get(key.as_str()) {
                    again.push((position, *first));
                } else {
                    seen.insert(key.as_str(), position);
                }
            }
        }
        if again.is_empty() {
            return (
                Self {
                    entries,
                    conflicts: Vec::new(),
                },
                false,
            );
        }
        let mut merged = false;
        let mut conflicts = Vec::new();
        for (position, first) in &again {
            match (entries.get(*position), entries.get(*first)) {
                (Some((_, one)), Some((_, other))) if one.same(other) => merged = true,
                (Some((key, _)), _) => conflicts.push(key.clone()),
                (None, _) => {}
            }
        }
        let mut again = again.into_iter().map(|(position, _)| position).peekable();
        let entries = entries
            .into_iter()
            .enumerate()
            .filter(|(position, _)| again.next_if_eq(position).is_none())
            .map(|(_, entry)| entry)
            .collect();
        (Self { entries, conflicts }, merged)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, node)| node)
    }

    /// The plain object.
    ///
    /// # Errors
    /// [`ArgsError::Duplicate`] and [`ArgsError::Range`] for what no schema has judged before.
    pub(super) fn into_map(self, path: &Path<'_>) -> Result<Map<String, Value>, ArgsError> {
        if let Some(key) = self.conflicts.first() {
            return Err(ArgsError::Duplicate {
                field: path.key(key).field(),
            });
        }
        let mut map = Map::with_capacity(self.entries.len());
        for (key, node) in self.entries {
            let value = node.into_value(&path.key(&key))?;
            map.insert(key, value);
        }
        Ok(map)
    }

    fn same(&self, other: &Self) -> bool {
        if self.entries.len() != other.entries.len()
            || !self.conflicts.is_empty()
            || !other.conflicts.is_empty()
        {
            return false;
        }
        if self.entries.len() <= FEW {
            return self
                .entries
                .iter()
                .all(|(key, node)| other.get(key).is_some_and(|found| node.same(found)));
        }
        let index: HashMap<&str, &Node> = other
            .entries
            .iter()
            .map(|(key, node)| (key.as_str(), node))
            .collect();
        self.entries.iter().all(|(key, node)| {
            index
                .get(key.as_str())
                .is_some_and(|found| node.same(found))
        })
    }
}

impl Node {
    /// Takes a value that was delivered as one.
    ///
    /// # Errors
    /// [`ArgsError::Depth`].
    pub(super) fn from_value(value: Value, path: &Path<'_>) -> Result<Self, ArgsError> {
        let deep = path.depth() >= MAX_DEPTH && matches!(value, Value::Array(_) | Value::Object(_));
        if deep {
            return Err(ArgsError::Depth {
                field: path.field(),
                limit: MAX_DEPTH,
            });
        }
        Ok(match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(flag),
            Value::Number(number) => Self::Number(Num::from_json(&number)),
            Value::String(text) => Self::Text(text),
            Value::Array(items) => {
                let mut list = Vec::with_capacity(items.len());
                for (position, item) in items.into_iter().enumerate() {
                    list.push(Self::from_value(item, &path.index(position))?);
                }
                Self::List(list)
            }
            Value::Object(map) => {
                let mut entries = Vec::with_capacity(map.len());
                for (key, value) in map {
                    let node = Self::from_value(value, &path.key(&key))?;
                    entries.push((key, node));
                }
                Self::Object(Box::new(Object {
                    entries,
                    conflicts: Vec::new(),
                }))
            }
        })
    }

    /// The plain value. A number becomes what `serde_json` makes of it: an integer within
    /// i64/u64, else the nearest double.
    ///
    /// # Errors
    /// See [`Object::into_map`].
    pub(super) fn into_value(self, path: &Path<'_>) -> Result<Value, ArgsError> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(flag),
            Self::Number(number) => match number.json() {
                Some(number) => Value::Number(number),
                None => {
                    return Err(ArgsError::Range {
                        field: path.field(),
                        expected: "a finite number".to_owned(),
                        got: Self::Number(number).shown(),
                    });
                }
            },
            Self::Text(text) => Value::String(text),
            Self::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for (position, item) in items.into_iter().enumerate() {
                    list.push(item.into_value(&path.index(position))?);
                }
                Value::Array(list)
            }
            Self::Object(object) => Value::Object(object.into_map(path)?),
        })
    }

    /// Structural equality; key order doesn't count, number spelling does. Costs no more than the
    /// smaller side.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => one == other,
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::List(one), Self::List(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| one.same(other))
            }
            (Self::Object(one), Self::Object(other)) => one.same(other),
            _ => false,
        }
    }

    /// A hash that agrees with [`Node::same`].
    pub(super) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(self).hash(&mut hasher);
        match self {
            Self::Null => {}
            Self::Bool(flag) => flag.hash(&mut hasher),
            Self::Number(number) => number.spelling().hash(&mut hasher),
            Self::Text(text) => text.hash(&mut hasher),
            Self::List(items) => items
                .iter()
                .for_each(|item| item.digest().hash(&mut hasher)),
            Self::Object(object) => {
                let sum = object.entries.iter().fold(0_u64, |sum, (key, node)| {
                    let mut entry = DefaultHasher::new();
                    (key, node.digest()).hash(&mut entry);
                    sum.wrapping_add(entry.finish())
                });
                sum.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// Values in it, itself included, and its text by the dozen: a measure of the work it makes.
    pub(super) fn weight(&self) -> u64 {
        match self {
            Self::Null | Self::Bool(_) | Self::Number(_) => 1,
            Self::Text(text) => 1 + u64::try_from(text.len() / 12).unwrap_or(u64::MAX),
            Self::List(items) => items.iter().fold(1, |sum, item| sum + item.weight()),
            Self::Object(object) => object
                .entries
                .iter()
                .fold(1, |sum, (_, node)| sum + 1 + node.weight()),
        }
    }

    /// What a message shows of it: JSON on one line, cut off.
    pub(super) fn shown(&self) -> String {
        let mut out = String::new();
        self.show(&mut out, &mut (SHOWN + 1));
        cut(&out)
    }

    fn show(&self, out: &mut String, left: &mut usize) {
        match self {
            Self::Null => push(out, "null", left),
            Self::Bool(flag) => push(out, if *flag { "true" } else { "false" }, left),
            Self::Number(number) => push(out, &number.spelling(), left),
            Self::Text(text) => push(out, &quoted(text), left),
            Self::List(items) => {
                push(out, "[", left);
                for (position, item) in items.iter().enumerate() {
                    if *left == 0 {
                        break;
                    }
                    if position > 0 {
                        push(out, ",", left);
                    }
                    item.show(out, left);
                }
                push(out, "]", left);
            }
            Self::Object(object) => {
                push(out, "{", left);
                for (position, (key, node)) in object.entries.iter().enumerate() {
                    if *left == 0 {
                        break;
                    }
                    if position > 0 {
                        push(out, ",", left);
                    }
                    push(out, &quoted(key), left);
                    push(out, ":", left);
                    node.show(out, left);
                }
                push(out, "}", left);
            }
        }
    }

    /// What kind of value it is, in the words of messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Appends what is left to be shown.
fn push(out: &mut String, text: &str, left: &mut usize) {
    for character in text.chars().take(*left) {
        out.push(character);
        *left -= 1;
    }
}

/// Cuts a copy of a value for a message.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The text with control characters escaped.
pub(super) fn one_line(text: &str) -> String {
    text.chars().fold(String::new(), |mut line, character| {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
        line
    })
}

/// JSON spelling of the start of a text.
pub(super) fn quoted(text: &str) -> String {
    let start: String = text.chars().take(SHOWN + 1).collect();
    serde_json::to_string(&start).unwrap_or_default()
}
