//! Judging a value by a schema: the walk, and conversions of scalars.
//!
//! One walker does both jobs. *Converting* it repairs in place and explains what it can't;
//! *checking* (see [`Judge::holds`]) every needed conversion is a plain no. So "valid" and "needs no
//! conversion" can't drift apart.
//!
//! Keywords judged: `type`, `enum`, `const`, `$ref`, `allOf`, `anyOf`, `oneOf`, `properties`,
//! `required`, `additionalProperties`, `patternProperties` (names are not matched, see
//! [`object`](super::object)), `unevaluatedProperties: false`, `items`, `prefixItems`, `minimum`,
//! `maximum`, their exclusive forms, `multipleOf`, integer formats, `minLength`, `maxLength`,
//! `minItems`, `maxItems`, `uniqueItems`. Not here: `pattern` and text formats, which belong to the
//! argument's own type, and `not`, `if`, `contains`, `dependent*`, which no argument type makes.

use serde_json::{Map, Value};

use super::error::ArgsError;
use super::node::{Node, quoted};
use super::number::{Num, Whole};
use super::path::Path;
use super::repair::{Repair, RepairKind};
use super::schema;
use super::text::read_nested;

/// Schemas entered above one another; honest ones need two or three per level of nesting.
const NESTED: usize = 800;

/// Work allowed per unit of [`Node::weight`], and to begin with. An honest schema needs below 10.
const WORK: u64 = 64;
const WORK_AT_LEAST: u64 = 1_000_000;

/// Repairs that are recorded; a model with more of them has made its point.
const RECORDED: usize = 256;

/// Nothing, or why not. While checking, the reason isn't worked out.
pub(super) type Judged<T = ()> = Result<T, Option<Box<ArgsError>>>;

/// The walker and what it has seen.
pub(super) struct Judge<'s> {
    pub(super) root: &'s Value,
    pub(super) repairs: Vec<Repair>,
    pub(super) checking: bool,
    budget: u64,
    /// Repairs made so far, recorded or not, kept or not.
    changes: u64,
    nested: usize,
}

impl<'s> Judge<'s> {
    pub(super) fn new(root: &'s Value, weight: u64) -> Self {
        let budget = weight.saturating_mul(WORK).saturating_add(WORK_AT_LEAST);
        Self {
            root,
            repairs: Vec::new(),
            checking: false,
            budget,
            changes: 0,
            nested: 0,
        }
    }

    /// Makes `node` valid, or says why that isn't possible. After an error `node` may be half
    /// converted.
    pub(super) fn judge(&mut self, schema: &'s Value, node: &mut Node, path: &Path<'_>) -> Judged {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => {
                return self.refuse(|_| schema_fault(path, "no value is allowed here"));
            }
            _ => return Ok(()),
        };
        self.spend(1, path)?;
        if self.nested >= NESTED {
            return self.refuse(|_| schema_fault(path, "its schema refers to itself without end"));
        }
        self.nested += 1;
        let judged = self.keywords(map, schema, node, path);
        self.nested -= 1;
        judged
    }

    fn keywords(
        &mut self,
        map: &'s Map<String, Value>,
        schema: &'s Value,
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged {
        let before = self.changes;
        if let Some(target) = schema::target(self.root, map) {
            self.judge(target, node, path)?;
        }
        if map.contains_key("const") || map.contains_key("enum") {
            let members = schema::members(self.root, schema).unwrap_or_default();
            self.choose(&members, node, path)?;
        } else {
            self.types(map, schema, node, path)?;
        }
        self.list_in_list(map, schema, node, path)?;
        match node {
            Node::Number(number) => self.number_limits(map, schema, number, path)?,
            Node::Text(text) => self.text_limits(map, text, path)?,
            Node::List(items) => self.list(map, items, path)?,
            Node::Object(object) => self.object(map, object, path)?,
            Node::Null | Node::Bool(_) => {}
        }
        if let Some(parts) = map.get("allOf").and_then(Value::as_array) {
            for part in parts {
                self.judge(part, node, path)?;
            }
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(branches) = map.get(key).and_then(Value::as_array) {
                self.union(branches, schema, node, path)?;
            }
        }
        // What one part converted, another may not accept any more.
        if self.changes != before && several_parts(map) && !self.holds(schema, node, path) {
            return self.refuse(|judge| judge.type_error(schema, node, path));
        }
        if map.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
            self.close(schema, node, path)?;
        }
        Ok(())
    }

    /// Whether a value is valid as it is.
    pub(super) fn holds(&mut self, schema: &'s Value, node: &mut Node, path: &Path<'_>) -> bool {
        let before = std::mem::replace(&mut self.checking, true);
        let holds = self.judge(schema, node, path).is_ok();
        self.checking = before;
        holds
    }

    fn types(
        &mut self,
        map: &'s Map<String, Value>,
        schema: &'s Value,
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged {
        let types = schema::types(map);
        if types.is_empty()
            || types
                .iter()
                .filter_map(Value::as_str)
                .any(|name| is_a(node, name))
        {
            return Ok(());
        }
        if self.checking {
            return Err(None);
        }
        let wants = |name: &str| types.iter().any(|known| known == name);
        if wants("null") && is_null_word(node) {
            return self.convert(node, Node::Null, path);
        }
        let mut found: Option<(Node, RepairKind)> = None;
        let mut refused = None;
        for name in types.iter().filter_map(Value::as_str) {
            if !could_become(node, name) {
                continue;
            }
            match self.conversion(name, schema, node, path) {
                Ok(None) => {}
                Ok(Some((made, _)))
                    if found.as_ref().is_some_and(|(other, _)| !other.same(&made)) =>
                {
                    return self.refuse(|judge| ArgsError::Ambiguous {
                        field: path.field(),
                        expected: schema::describe(judge.root, schema),
                        got: node.shown(),
                    });
                }
                Ok(made) => found = made,
                Err(error) => refused = Some(error),
            }
        }
        match (found, refused) {
            (Some((made, kind)), _) => {
                self.repaired(path, kind)?;
                *node = made;
                Ok(())
            }
            (None, Some(error)) => Err(error),
            (None, None) => self.refuse(|judge| judge.type_error(schema, node, path)),
        }
    }

    /// What a value of another type becomes, if that loses nothing.
    ///
    /// # Errors
    /// It has the right shape but is broken.
    fn conversion(
        &mut self,
        wanted: &str,
        schema: &'s Value,
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged<Option<(Node, RepairKind)>> {
        let made = match (wanted, &*node) {
            ("integer", Node::Number(number)) => self.integer(number, schema, path)?,
            ("integer", Node::Text(text)) => match Num::from_text(text) {
                Some(number) => self.integer(&number, schema, path)?,
                None => None,
            },
            ("number", Node::Text(text)) => Num::from_text(text).map(Node::Number),
            ("boolean", Node::Text(text)) if text.eq_ignore_ascii_case("true") => {
                Some(Node::Bool(true))
            }
            ("boolean", Node::Text(text)) if text.eq_ignore_ascii_case("false") => {
                Some(Node::Bool(false))
            }
            ("string", Node::Bool(flag)) => Some(Node::Text(flag.to_string())),
            ("string", Node::Number(number)) => number.integer_spelling().map(Node::Text),
            ("object", Node::Text(text)) => {
                let object = self.read_nested(text, path)?;
                return Ok(
                    matches!(object, Node::Object(_)).then_some((object, RepairKind::Parsed))
                );
            }
            ("array", _) => return self.listed(schema, node, path),
            _ => None,
        };
        Ok(made.map(|made| {
            let kind = RepairKind::Converted {
                from: node.shown(),
                to: made.shown(),
            };
            (made, kind)
        }))
    }

    /// The exact integer; `None` for a fraction.
    fn integer(&mut self, number: &Num, schema: &Value, path: &Path<'_>) -> Judged<Option<Node>> {
        let whole = match number.whole() {
            Whole::Fraction => return Ok(None),
            Whole::Exact(whole) => Num::from_whole(whole),
            Whole::TooLarge => None,
        };
        match whole {
            Some(whole) => Ok(Some(Node::Number(whole))),
            None => self.refuse(|judge| ArgsError::Range {
                field: path.field(),
                expected: match schema::describe(judge.root, schema) {
                    plain if plain == "an integer" => {
                        format!("an exact integer from {} to {}", i64::MIN, u64::MAX)
                    }
                    ranged => ranged,
                },
                got: Node::Number(number.clone()).shown(),
            }),
        }
    }

    /// Parses text that stands for a list or an object.
    pub(super) fn read_nested(&mut self, text: &str, path: &Path<'_>) -> Judged<Node> {
        self.spend(1 + u64::try_from(text.len() / 12).unwrap_or(u64::MAX), path)?;
        read_nested(text, path.depth(), || path.field()).map_err(|error| Some(Box::new(error)))
    }

    /// Replaces a value by its exact reading.
    pub(super) fn convert(&mut self, node: &mut Node, made: Node, path: &Path<'_>) -> Judged {
        if self.checking {
            return Err(None);
        }
        self.repaired(
            path,
            RepairKind::Converted {
                from: node.shown(),
                to: made.shown(),
            },
        )?;
        *node = made;
        Ok(())
    }

    /// Notes a repair that is about to be made; while checking, that is a no.
    pub(super) fn repaired(&mut self, path: &Path<'_>, kind: RepairKind) -> Judged {
        if self.checking {
            return Err(None);
        }
        self.changes += 1;
        if self.repairs.len() < RECORDED {
            self.repairs.push(Repair {
                pointer: path.pointer(),
                kind,
            });
        }
        Ok(())
    }

    /// Takes work off the budget.
    pub(super) fn spend(&mut self, work: u64, path: &Path<'_>) -> Judged {
        self.budget = self.budget.saturating_sub(work);
        if self.budget == 0 {
            return self
                .refuse(|_| schema_fault(path, "its schema has too many overlapping forms"));
        }
        Ok(())
    }

    /// Whether the budget is used up; answers given since then mean nothing.
    ///
    /// # Errors
    /// [`ArgsError::Schema`].
    pub(super) fn settle(&mut self) -> Judged {
        self.spend(0, &Path::ROOT)
    }

    /// No, with the reason only where somebody reads it.
    pub(super) fn refuse<T>(&self, reason: impl FnOnce(&Self) -> ArgsError) -> Judged<T> {
        Err((!self.checking).then(|| Box::new(reason(self))))
    }

    pub(super) fn type_error(&self, schema: &Value, node: &Node, path: &Path<'_>) -> ArgsError {
        ArgsError::Type {
            field: path.field(),
            expected: schema::describe(self.root, schema),
            got: node.shown(),
            example: schema::example(self.root, schema),
        }
    }
}

fn schema_fault(path: &Path<'_>, reason: &'static str) -> ArgsError {
    ArgsError::Schema {
        field: path.field(),
        reason,
    }
}

/// Whether more than one group of keywords may convert a value.
fn several_parts(map: &Map<String, Value>) -> bool {
    let own = [
        "type",
        "enum",
        "const",
        "properties",
        "items",
        "additionalProperties",
    ]
    .iter()
    .any(|key| map.contains_key(*key));
    let parts = map
        .get("allOf")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    let others = ["$ref", "anyOf", "oneOf"]
        .iter()
        .filter(|key| map.contains_key(**key))
        .count();
    usize::from(own) + parts + others > 1
}

/// Whether a value has a type as it is. `14380.0` is no integer here: serde would refuse it.
fn is_a(node: &Node, name: &str) -> bool {
    match (node, name) {
        (Node::Null, "null")
        | (Node::Bool(_), "boolean")
        | (Node::Number(_), "number")
        | (Node::Text(_), "string")
        | (Node::List(_), "array")
        | (Node::Object(_), "object") => true,
        (Node::Number(number), "integer") => number.is_integer(),
        _ => false,
    }
}

/// Whether the conversion to a type is worth a try; cheap, and exact enough that most unions have
/// one candidate left.
pub(super) fn could_become(node: &Node, name: &str) -> bool {
    if is_a(node, name) {
        return true;
    }
    match (node, name) {
        (Node::Null, _) | (_, "null") => is_null_word(node) && name == "null",
        (Node::Text(text), "integer" | "number") => Num::from_text(text).is_some(),
        (Node::Text(text), "boolean") => {
            text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
        }
        (Node::Text(text), "object") => text.trim_start().starts_with('{'),
        (Node::Number(number), "integer") => number.whole() != Whole::Fraction,
        (Node::Number(number), "string") => number.integer_spelling().is_some(),
        (Node::Bool(_), "string") | (_, "array") => true,
        _ => false,
    }
}

/// Words that models write for null: JSON's in any case, and Python's.
pub(super) fn is_null_word(node: &Node) -> bool {
    matches!(node, Node::Text(text) if text.eq_ignore_ascii_case("null") || text == "None")
}

/// What a text shows of itself in messages.
pub(super) fn shown_text(text: &str) -> String {
    super::node::cut(&quoted(text))
}
