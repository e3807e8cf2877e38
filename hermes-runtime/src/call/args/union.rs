//! Unions: a valid value stays; a tag chooses; else the only branch that a conversion fits.

use serde_json::{Map, Value};

use super::choice::{choice_error, identical, resembles};
use super::error::ArgsError;
use super::judge::{Judge, Judged, could_become, is_null_word};
use super::node::Node;
use super::path::Path;
use super::repair::RepairKind;
use super::schema::{describe, example, members, required, resolve, types};

impl<'s> Judge<'s> {
    /// `anyOf` and `oneOf` alike: a value that fits two branches of a `oneOf` is still readable.
    pub(super) fn union(
        &mut self,
        branches: &'s [Value],
        schema: &'s Value,
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged {
        for branch in branches {
            if self.holds(branch, node, path) {
                return Ok(());
            }
        }
        self.spend(1, path)?;
        if self.checking {
            return Err(None);
        }
        let lists: Option<Vec<_>> = branches
            .iter()
            .map(|branch| members(self.root, branch))
            .collect();
        if let Some(lists) = lists {
            return self.choose(&lists.concat(), node, path);
        }
        if is_null_word(node)
            && branches
                .iter()
                .any(|branch| self.holds(branch, &mut Node::Null, path))
        {
            return self.convert(node, Node::Null, path);
        }
        let mut candidates: Vec<&'s Value> = branches
            .iter()
            .filter(|branch| may_fit(self.root, branch, node))
            .collect();
        if let [_, _, ..] = candidates.as_slice() {
            let objects = candidates
                .iter()
                .all(|branch| wants_object(self.root, branch));
            if objects && let Node::Text(text) = &*node {
                let object = self.read_nested(text, path)?;
                if matches!(object, Node::Object(_)) {
                    self.repaired(path, RepairKind::Parsed)?;
                    *node = object;
                    if candidates
                        .iter()
                        .any(|branch| self.holds(branch, node, path))
                    {
                        return Ok(());
                    }
                }
            }
            if objects && let Node::Object(_) = &*node {
                candidates = self.tagged(candidates, node, path)?;
            }
        }
        match candidates.as_slice() {
            [] => self.refuse(|judge| ArgsError::Type {
                field: path.field(),
                expected: describe(judge.root, schema),
                got: node.shown(),
                example: branches
                    .first()
                    .and_then(|branch| example(judge.root, branch)),
            }),
            [branch] => self
                .judge(branch, node, path)
                .map_err(|fault| match fault.as_deref() {
                    // The value is of no type that the union wants; so say all of them.
                    Some(ArgsError::Type {
                        field,
                        got,
                        example,
                        ..
                    }) if field.pointer() == path.pointer() => Some(Box::new(ArgsError::Type {
                        field: field.clone(),
                        expected: describe(self.root, schema),
                        got: got.clone(),
                        example: example.clone(),
                    })),
                    _ => fault,
                }),
            several => self.only_fit(several, schema, node, path),
        }
    }

    /// Keeps the branches whose tag is the value's; a tag is a property with one possible value in
    /// every branch.
    fn tagged(
        &mut self,
        branches: Vec<&'s Value>,
        node: &Node,
        path: &Path<'_>,
    ) -> Judged<Vec<&'s Value>> {
        let Node::Object(object) = node else {
            return Ok(branches);
        };
        let Some((name, tags)) = tags(self.root, &branches) else {
            return Ok(branches);
        };
        let allowed: Vec<&Value> = tags.iter().map(|(tag, _)| *tag).collect();
        let Some(given) = object.get(name) else {
            return self.refuse(|judge| {
                let mut arguments: Vec<String> = Vec::new();
                let maps = branches.iter().filter_map(|branch| {
                    resolve(judge.root, branch).get("properties")?.as_object()
                });
                for name in maps.flat_map(Map::keys) {
                    if !arguments.contains(name) {
                        arguments.push(name.clone());
                    }
                }
                let about = format!(
                    "one of {}",
                    allowed
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(", ")
                );
                ArgsError::Missing {
                    field: path.key(name).field(),
                    about,
                    arguments,
                    nearest: None,
                }
            });
        };
        let pick = |fits: fn(&Node, &Value) -> bool| -> Vec<&'s Value> {
            tags.iter()
                .filter(|(tag, _)| fits(given, tag))
                .map(|(_, branch)| *branch)
                .collect()
        };
        let exact = pick(identical);
        let chosen = if exact.is_empty() {
            pick(resembles)
        } else {
            exact
        };
        if chosen.is_empty() {
            return self.refuse(|_| choice_error(&allowed, given, &path.key(name)));
        }
        Ok(chosen)
    }

    /// Tries every branch; exactly one result may come out.
    fn only_fit(
        &mut self,
        branches: &[&'s Value],
        schema: &'s Value,
        node: &mut Node,
        path: &Path<'_>,
    ) -> Judged {
        let mark = self.repairs.len();
        let mut found: Option<(Node, Vec<_>)> = None;
        let mut faults = Vec::new();
        for branch in branches {
            self.spend(node.weight(), path)?;
            let mut made = node.clone();
            match self.judge(branch, &mut made, path) {
                Ok(()) => {
                    let repairs = self.repairs.split_off(mark);
                    if found.as_ref().is_some_and(|(other, _)| !other.same(&made)) {
                        return self.refuse(|judge| ArgsError::Ambiguous {
                            field: path.field(),
                            expected: describe(judge.root, schema),
                            got: node.shown(),
                        });
                    }
                    found = Some((made, repairs));
                }
                Err(fault) => {
                    self.repairs.truncate(mark);
                    faults.push((*branch, fault));
                }
            }
        }
        if let Some((made, repairs)) = found {
            *node = made;
            self.repairs.extend(repairs);
            return Ok(());
        }
        // The branch that was meant explains best: the one whose keys are all there, or the only
        // one of the value's own type.
        let meant = |test: &dyn Fn(&Value) -> bool| {
            let mut fitting = faults.iter().filter(|(branch, _)| test(branch));
            fitting
                .next()
                .filter(|_| fitting.next().is_none())
                .and_then(|(_, fault)| fault.clone())
        };
        let keys = meant(&|branch| has_required(self.root, branch, node));
        match keys.or_else(|| meant(&|branch| same_type(self.root, branch, node))) {
            Some(fault) => Err(Some(fault)),
            None => self.refuse(|judge| ArgsError::Type {
                field: path.field(),
                expected: describe(judge.root, schema),
                got: node.shown(),
                example: None,
            }),
        }
    }
}

fn may_fit(root: &Value, branch: &Value, node: &Node) -> bool {
    match resolve(root, branch) {
        Value::Bool(allowed) => *allowed,
        Value::Object(map) => {
            let types = types(map);
            types.is_empty()
                || types
                    .iter()
                    .filter_map(Value::as_str)
                    .any(|name| could_become(node, name))
        }
        _ => true,
    }
}

fn wants_object(root: &Value, branch: &Value) -> bool {
    resolve(root, branch)
        .as_object()
        .is_some_and(|map| types(map) == ["object"])
}

fn same_type(root: &Value, branch: &Value, node: &Node) -> bool {
    let Some(map) = resolve(root, branch).as_object() else {
        return false;
    };
    let name = match node {
        Node::Null => "null",
        Node::Bool(_) => "boolean",
        Node::Number(_) => "number",
        Node::Text(_) => "string",
        Node::List(_) => "array",
        Node::Object(_) => "object",
    };
    types(map)
        .iter()
        .any(|known| known == name || name == "number" && known == "integer")
}

fn has_required(root: &Value, branch: &Value, node: &Node) -> bool {
    let (Some(map), Node::Object(object)) = (resolve(root, branch).as_object(), node) else {
        return false;
    };
    let mut names = required(map).peekable();
    names.peek().is_some() && names.all(|name| object.get(name).is_some())
}

/// The property that has one possible value in each branch, and these values.
fn tags<'s>(
    root: &'s Value,
    branches: &[&'s Value],
) -> Option<(&'s str, Vec<(&'s Value, &'s Value)>)> {
    let properties = |branch: &'s Value| {
        resolve(root, branch)
            .get("properties")
            .and_then(Value::as_object)
    };
    let first = properties(branches.first()?)?;
    first.iter().find_map(|(name, _)| {
        let tags: Option<Vec<_>> = branches
            .iter()
            .map(|branch| Some((only_value(properties(branch)?.get(name)?)?, *branch)))
            .collect();
        Some((name.as_str(), tags?))
    })
}

fn only_value(schema: &Value) -> Option<&Value> {
    schema
        .get("const")
        .or_else(|| match schema.get("enum")?.as_array()?.as_slice() {
            [only] => Some(only),
            _ => None,
        })
}
