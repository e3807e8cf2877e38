use super::super::{Ended, print_json};
use super::folders;
use crate::config::Config;
use crate::local::catalog::{MODELS, Model};
use crate::local::cpu::Machine;
use crate::local::server::{self, Running};
use crate::local::store::{self, Weights, disk};
use crate::model::Choice;
use crate::provider::RouteFlags;
use crate::term::{line, one_line};
use hermes_runtime::env;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A size for people.
pub(super) fn size(bytes: u64) -> String {
    disk::size(bytes)
}

/// One row.
struct Row {
    name: String,
    bytes: u64,
    licence: String,
    path: Option<PathBuf>,
    /// Whether it is on this machine.
    is_here: bool,
    is_in_use: bool,
    server: Option<u32>,
}

pub(super) fn run(config: &Config, json: bool) -> Ended {
    let folders = folders()?;
    let there = store::models(&folders, MODELS);
    let running = server::running(&folders);
    let choice = Choice::by(&RouteFlags::default(), config);
    let in_use = choice
        .as_ref()
        .ok()
        .map(|choice| (choice.provider().to_owned(), choice.model().to_owned()));
    let is_in_use = |name: &str| {
        in_use
            .as_ref()
            .is_some_and(|(provider, model)| provider == "local" && model == name)
    };
    let pulled = there
        .usable
        .iter()
        .map(|weights| here(weights, is_in_use(&weights.name), &running));
    let missing = MODELS
        .iter()
        .filter(|model| {
            there
                .usable
                .iter()
                .all(|weights| weights.name != model.name)
        })
        .map(not_here);
    let rows: Vec<Row> = pulled.chain(missing).collect();
    let engine = store::engine(&folders, &Machine::this(), env::path().as_deref());
    let broken: Vec<String> = there.broken.iter().map(ToString::to_string).collect();
    if json {
        print_json(&json!({
            "in_use": in_use.as_ref().map(|(provider, model)| json!({"provider": provider, "model": model})),
            "models": rows.iter().map(Row::json).collect::<Vec<_>>(),
            "engine": engine.as_ref().ok().map(|engine| json!({
                "program": engine.program,
                "origin": engine.origin,
                "version": engine.version,
            })),
            "engine_error": engine.as_ref().err().map(ToString::to_string),
            "broken": broken,
        }));
        return Ok(());
    }
    let width = rows
        .iter()
        .map(|row| row.name.chars().count())
        .max()
        .unwrap_or(0);
    for row in &rows {
        let mark = if row.is_in_use { '*' } else { ' ' };
        let name = one_line(&row.name, 60);
        line(&format!(
            "{mark} {name:width$}  {:>9}  {:12}  {}",
            size(row.bytes),
            one_line(&row.licence, 24),
            row.state()
        ));
    }
    for fault in &broken {
        line(&format!("✗ {}", one_line(fault, 400)));
    }
    match &engine {
        Ok(engine) => line(&format!("engine: {}", engine.origin)),
        Err(error) => line(&format!("engine: {error}")),
    }
    match (&in_use, &choice) {
        (Some((provider, model)), _) => line(&format!("in use: {model} ({provider})")),
        (None, Err(error)) => line(&format!("in use: none: {error}")),
        (None, Ok(_)) => {}
    }
    Ok(())
}

fn here(weights: &Weights, is_in_use: bool, running: &[Running]) -> Row {
    let server = running.iter().find(|server| server.weights == weights.path);
    Row {
        name: weights.name.clone(),
        bytes: weights.bytes,
        licence: weights.licence.clone().unwrap_or_else(|| "?".to_owned()),
        path: Some(weights.path.clone()),
        is_here: true,
        is_in_use,
        server: server.map(|server| server.pid),
    }
}

fn not_here(model: &Model) -> Row {
    Row {
        name: model.name.to_owned(),
        bytes: model.bytes,
        licence: model.licence.to_owned(),
        path: None,
        is_here: false,
        is_in_use: false,
        server: None,
    }
}

impl Row {
    fn state(&self) -> String {
        match (self.is_here, self.server) {
            (false, _) => format!("hermes model pull {}", self.name),
            (true, Some(pid)) => format!("here; its server is there, keeper {pid}"),
            (true, None) => "here".to_owned(),
        }
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "bytes": self.bytes,
            "licence": self.licence,
            "path": self.path,
            "here": self.is_here,
            "in_use": self.is_in_use,
            "keeper": self.server,
        })
    }
}
