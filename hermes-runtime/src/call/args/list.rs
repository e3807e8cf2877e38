//! Lists: element by element, and what may become one.

use serde_json::{Map, Value};

use super::error::ArgsError;
use super::judge::{Judge, Judged};
use super::node::Node;
use super::path::Path;
use super::repair::RepairKind;
use super::schema::{describe, resolve, types};

/// The schema of the elements behind the tuple part.
fn items(map: &Map<String, Value>) -> Option<&Value> {
    // An array of schemas under `items` is the tuple of drafts before 2020-12.
    match map.get("items") {
        Some(Value::Array(_)) => map.get("additionalItems"),
        other => other,
    }
}

/// The schemas of the first elements.
pub(super) fn prefix(map: &Map<String, Value>) -> &[Value] {
    let tuple = map.get("prefixItems").or_else(|| map.get("items"));
    tuple.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The schema of the element at a position.
pub(super) fn element(map: &Map<String, Value>, position: usize) -> Option<&Value> {
    prefix(map).get(position).or_else(|| items(map))
}

impl<'s> Judge<'s> {
    pub(super) fn list(
        &mut self,
        map: &'s Map<String, Value>,
        list: &mut [Node],
        path: &Path<'_>,
    ) -> Judged {
        let tuple = prefix(map).len();
        if items(map) == Some(&Value::Bool(false)) && list.len() > tuple {
            return self.refuse(|_| ArgsError::Size {
                field: path.field(),
                expected: format!("at most {tuple} items"),
                got: list.len().to_string(),
            });
        }
        for (position, item) in list.iter_mut().enumerate() {
            if let Some(schema) = element(map, position) {
                self.judge(schema, item, &path.index(position))?;
            }
        }
        self.list_limits(map, list, path)
    }

    /// A list from something else: text that is one, or one value that is valid as an element.
    ///
    /// # Errors
    /// Text that begins like a list but is none.
    pub(super) fn listed(
        &mut self,
        schema: &'s Value,
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged<Option<(Node, RepairKind)>> {
        match node {
            Node::List(_) | Node::Null => return Ok(None),
            Node::Text(text) if text.trim_start().starts_with('[') => {
                let list = self.read_nested(text, path)?;
                return Ok(matches!(list, Node::List(_)).then_some((list, RepairKind::Parsed)));
            }
            _ => {}
        }
        let valid = match schema.as_object().and_then(|map| element(map, 0)) {
            Some(schema) => self.holds(schema, node, &path.index(0)),
            None => true,
        };
        Ok(valid.then(|| (Node::List(vec![node.clone()]), RepairKind::Listed)))
    }

    /// A list where a list of lists belongs: one element in itself, or elements that each want to
    /// become a list. The first is taken if the second doesn't fit; both is one reading too many.
    pub(super) fn list_in_list(
        &mut self,
        map: &'s Map<String, Value>,
        schema: &'s Value,
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged {
        let Node::List(list) = &*node else {
            return Ok(());
        };
        let Some(inner) = element(map, 0) else {
            return Ok(());
        };
        let flat = list.iter().any(|item| !matches!(item, Node::List(_)));
        let wants_lists = || {
            resolve(self.root, inner)
                .as_object()
                .is_some_and(|map| types(map) == ["array"])
        };
        if self.checking || !flat || !wants_lists() || !self.holds(inner, node, &path.index(0)) {
            return Ok(());
        }
        let mark = self.repairs.len();
        let mut copy = node.clone();
        let each = match &mut copy {
            Node::List(items) => self.list(map, items, path).is_ok(),
            _ => false,
        };
        self.repairs.truncate(mark);
        if each {
            return self.refuse(|judge| ArgsError::Ambiguous {
                field: path.field(),
                expected: format!("{} of lists", describe(judge.root, schema)),
                got: node.shown(),
            });
        }
        self.repaired(path, RepairKind::Listed)?;
        let inner = std::mem::replace(node, Node::Null);
        *node = Node::List(vec![inner]);
        Ok(())
    }
}
