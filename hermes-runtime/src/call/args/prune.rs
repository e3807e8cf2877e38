//! Undeclared keys: which they are, and dropping them for typed tools.
//!
//! A key that guards don't see must not reach a handler, and what a handler's type ignores must
//! not reach guards. So it goes after conversion, before anybody looks.

use serde_json::{Map, Value};

use super::judge::Judge;
use super::list::element;
use super::node::Node;
use super::path::Path;
use super::repair::RepairKind;
use super::schema::target;

/// In-place schema steps (references, parts, branches) followed for one value.
const STEPS: usize = 64;

/// Dropped keys of one object that are noted as repairs.
const NOTED: usize = 64;

/// What the schemas that hold for one object say about its keys.
#[derive(Default)]
pub(super) struct Shape<'s> {
    properties: Vec<&'s Map<String, Value>>,
    /// Schemas of the values of a map.
    values: Vec<&'s Value>,
    /// Other keys are data: the type is a map, has `flatten`, or nothing is known.
    pub(super) open: bool,
    /// Whether any schema spoke about keys.
    spoken: bool,
}

impl<'s> Shape<'s> {
    pub(super) fn declares(&self, key: &str) -> bool {
        self.properties
            .iter()
            .any(|properties| properties.contains_key(key))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> {
        self.properties
            .iter()
            .flat_map(|properties| properties.keys())
            .map(String::as_str)
    }

    fn of(&self, key: &str) -> Vec<&'s Value> {
        let declared: Vec<_> = self
            .properties
            .iter()
            .filter_map(|properties| properties.get(key))
            .collect();
        if declared.is_empty() {
            self.values.clone()
        } else {
            declared
        }
    }
}

impl<'s> Judge<'s> {
    /// Drops undeclared keys at every depth. `node` is valid.
    pub(super) fn prune(&mut self, schemas: &[&'s Value], node: &mut Node, path: &Path<'_>) {
        if schemas.is_empty() {
            return;
        }
        match node {
            Node::List(items) => {
                // Lists of scalars, which long lists are, have nothing to drop.
                if items
                    .iter()
                    .all(|item| !matches!(item, Node::List(_) | Node::Object(_)))
                {
                    return;
                }
                let mut parts = Vec::new();
                for schema in schemas {
                    self.parts(schema, node, &mut parts, STEPS, path);
                }
                let Node::List(items) = node else { return };
                for (position, item) in items.iter_mut().enumerate() {
                    if matches!(item, Node::List(_) | Node::Object(_)) {
                        let elements: Vec<_> = parts
                            .iter()
                            .filter_map(|map| element(map, position))
                            .collect();
                        self.prune(&elements, item, &path.index(position));
                    }
                }
            }
            Node::Object(_) => {
                let mut shape = Shape::default();
                for schema in schemas {
                    self.shape(schema, node, &mut shape, path);
                }
                // Only the root is known to be a struct if nothing is said about its keys.
                if !shape.spoken && path.depth() > 0 {
                    shape.open = true;
                }
                let Node::Object(object) = node else { return };
                if !shape.open {
                    let mut dropped = Vec::new();
                    object.entries.retain(|(key, _)| {
                        let declared = shape.declares(key);
                        if !declared && dropped.len() < NOTED {
                            dropped.push(key.clone());
                        }
                        declared
                    });
                    object.conflicts.retain(|key| shape.declares(key));
                    for key in &dropped {
                        // Never fails: nothing is being checked here.
                        self.repaired(&path.key(key), RepairKind::Dropped).ok();
                    }
                }
                for (key, node) in &mut object.entries {
                    if matches!(node, Node::List(_) | Node::Object(_)) {
                        self.prune(&shape.of(key), node, &path.key(key));
                    }
                }
            }
            Node::Null | Node::Bool(_) | Node::Number(_) | Node::Text(_) => {}
        }
    }

    /// What `schema` says about the keys of `node`: its own words, its parts', and those of the
    /// branches that hold.
    pub(super) fn shape(
        &mut self,
        schema: &'s Value,
        node: &mut Node,
        shape: &mut Shape<'s>,
        path: &Path<'_>,
    ) {
        if matches!(schema, Value::Bool(true)) || schema.as_object().is_some_and(Map::is_empty) {
            shape.open = true;
            return;
        }
        let mut parts = Vec::new();
        if !self.parts(schema, node, &mut parts, STEPS, path) {
            shape.open = true;
        }
        for map in parts {
            if let Some(properties) = map.get("properties").and_then(Value::as_object) {
                shape.spoken = true;
                shape.properties.push(properties);
            }
            match map.get("additionalProperties") {
                None => {}
                Some(Value::Bool(false)) => shape.spoken = true,
                Some(values) => {
                    shape.spoken = true;
                    shape.open = true;
                    shape.values.push(values);
                }
            }
            if let Some(patterns) = map.get("patternProperties").and_then(Value::as_object) {
                shape.spoken = true;
                shape.open |= !patterns.is_empty();
                shape.values.extend(patterns.values());
            }
        }
    }

    /// The schema objects that hold for `node` together. `false` if there may be more.
    fn parts(
        &mut self,
        schema: &'s Value,
        node: &mut Node,
        parts: &mut Vec<&'s Map<String, Value>>,
        steps: usize,
        path: &Path<'_>,
    ) -> bool {
        let Value::Object(map) = schema else {
            return !matches!(schema, Value::Bool(true));
        };
        if steps == 0 || self.spend(1, path).is_err() {
            return false;
        }
        let mut complete = true;
        parts.push(map);
        if let Some(target) = target(self.root, map) {
            complete &= self.parts(target, node, parts, steps - 1, path);
        }
        for part in map
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            complete &=
                self.parts(part, node, parts, steps - 1, path) || *part == Value::Bool(true);
        }
        // Keywords that aren't judged may still declare names.
        for key in ["if", "then", "else"] {
            if let Some(part) = map.get(key).filter(|part| part.is_object()) {
                complete &= self.parts(part, node, parts, steps - 1, path);
            }
        }
        for part in map
            .get("dependentSchemas")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::values)
        {
            complete &= self.parts(part, node, parts, steps - 1, path);
        }
        for key in ["anyOf", "oneOf"] {
            for branch in map.get(key).and_then(Value::as_array).into_iter().flatten() {
                if self.holds(branch, node, path) {
                    // A branch that takes anything makes the keys data.
                    let anything = branch.as_object().is_some_and(Map::is_empty);
                    complete &= self.parts(branch, node, parts, steps - 1, path) && !anything;
                }
            }
        }
        complete
    }
}
