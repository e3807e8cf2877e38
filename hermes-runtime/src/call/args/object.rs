//! Objects: declared properties, unknown keys, missing ones, nulls that mean "not given".

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::error::ArgsError;
use super::judge::{Judge, Judged};
use super::node::{Node, Object, cut, one_line};
use super::path::Path;
use super::prune::Shape;
use super::repair::RepairKind;
use super::schema::{about, nearest, required};

/// Unknown keys that are compared with known names for a message.
const COMPARED: usize = 16;

/// Declared names that a message may list.
const NAMED: usize = 200;

impl<'s> Judge<'s> {
    pub(super) fn object(
        &mut self,
        map: &'s Map<String, Value>,
        object: &mut Object,
        path: &Path<'_>,
    ) -> Judged {
        let properties = map.get("properties").and_then(Value::as_object);
        let declared = |key: &str| properties.and_then(|properties| properties.get(key));
        // An undeclared conflict counts only if the key stays, which isn't decided here.
        if let Some(key) = object.conflicts.iter().find(|key| declared(key).is_some()) {
            return self.refuse(|_| ArgsError::Duplicate {
                field: path.key(key).field(),
            });
        }
        self.remove_nulls(map, object, path)?;
        self.required(map, object, path)?;
        let other = others(map);
        if other == Some(&Value::Bool(false))
            && let Some((key, _)) = object
                .entries
                .iter()
                .find(|(key, _)| declared(key).is_none())
        {
            let names = || {
                properties
                    .into_iter()
                    .flat_map(Map::keys)
                    .map(String::as_str)
            };
            return self.refuse(|_| unknown(key, names, path));
        }
        for (key, node) in &mut object.entries {
            let schema = properties
                .and_then(|properties| properties.get(key))
                .or(other);
            if let Some(schema) = schema {
                self.judge(schema, node, &path.key(key))?;
            }
        }
        Ok(())
    }

    /// `null` for an optional property without null means "not given".
    fn remove_nulls(
        &mut self,
        map: &'s Map<String, Value>,
        object: &mut Object,
        path: &Path<'_>,
    ) -> Judged {
        let Some(properties) = map.get("properties").and_then(Value::as_object) else {
            return Ok(());
        };
        let mut removed = HashSet::new();
        for (key, node) in &mut object.entries {
            let (Node::Null, Some(schema)) = (&*node, properties.get(key)) else {
                continue;
            };
            let here = path.key(key);
            if self.holds(schema, node, &here) {
                continue;
            }
            if required(map).any(|name| name == key) {
                return self.refuse(|judge| judge.type_error(schema, node, &here));
            }
            self.repaired(&here, RepairKind::NullRemoved)?;
            removed.insert(key.clone());
        }
        if !removed.is_empty() {
            object.entries.retain(|(key, _)| !removed.contains(key));
        }
        Ok(())
    }

    fn required(
        &mut self,
        map: &'s Map<String, Value>,
        object: &Object,
        path: &Path<'_>,
    ) -> Judged {
        let missing = if object.entries.len() <= COMPARED {
            required(map).find(|name| object.get(name).is_none())
        } else {
            let present: HashSet<&str> =
                object.entries.iter().map(|(key, _)| key.as_str()).collect();
            required(map).find(|name| !present.contains(name))
        };
        match missing {
            None => Ok(()),
            Some(name) => self.refuse(|judge| judge.missing(name, map, object, path)),
        }
    }

    fn missing(
        &self,
        name: &str,
        map: &Map<String, Value>,
        object: &Object,
        path: &Path<'_>,
    ) -> ArgsError {
        let properties = map.get("properties").and_then(Value::as_object);
        let unknown = object
            .entries
            .iter()
            .map(|(key, _)| key.as_str())
            .filter(|key| properties.is_none_or(|properties| !properties.contains_key(*key)))
            .take(COMPARED);
        let meant = nearest(name, unknown).map(|given| Box::new((one_line(given), one_line(name))));
        ArgsError::Missing {
            field: path.key(name).field(),
            about: about(
                self.root,
                properties.and_then(|properties| properties.get(name)),
            ),
            arguments: properties
                .into_iter()
                .flat_map(Map::keys)
                .take(NAMED)
                .map(|name| cut(&one_line(name)))
                .collect(),
            nearest: meant,
        }
    }

    /// `unevaluatedProperties: false`: no key that neither the schema nor a part of it declares.
    pub(super) fn close(&mut self, schema: &'s Value, node: &mut Node, path: &Path<'_>) -> Judged {
        let mut shape = Shape::default();
        self.shape(schema, node, &mut shape, path);
        let Node::Object(object) = node else {
            return Ok(());
        };
        match object
            .entries
            .iter()
            .find(|(key, _)| !shape.open && !shape.declares(key))
        {
            None => Ok(()),
            Some((key, _)) => self.refuse(|_| unknown(key, || shape.names(), path)),
        }
    }
}

/// The schema of keys that `properties` doesn't name; `None` lets them pass unjudged.
///
/// Names are not matched against `patternProperties` (no stranger's regular expression runs here):
/// the keys pass, and are judged only where a single pattern is the only way in.
fn others(map: &Map<String, Value>) -> Option<&Value> {
    let additional = map.get("additionalProperties");
    match map.get("patternProperties").and_then(Value::as_object) {
        Some(patterns) if !patterns.is_empty() => {
            let only = patterns.len() == 1 && additional == Some(&Value::Bool(false));
            only.then(|| patterns.values().next()).flatten()
        }
        _ => additional,
    }
}

fn unknown<'n, N: Iterator<Item = &'n str>>(
    key: &str,
    names: impl Fn() -> N,
    path: &Path<'_>,
) -> ArgsError {
    ArgsError::Unknown {
        field: path.key(key).field(),
        allowed: names()
            .take(NAMED)
            .map(|name| cut(&one_line(name)))
            .collect(),
        nearest: nearest(key, names().take(NAMED)).map(one_line),
    }
}
