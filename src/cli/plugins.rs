use super::{End, Ended, print_json};
use crate::config::Config;
use crate::host;
use crate::term::{line, note, one_line};
use hermes_runtime::{PluginReport, PluginStatus, Runtime};
use serde_json::{Value, json};
use std::fs;

/// `hermes plugins …`
#[derive(Debug, clap::Subcommand)]
pub(super) enum Plugins {
    /// List the plugins compiled in
    #[command(visible_alias = "ls")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show all that a plugin brings
    Info {
        /// The plugin
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Plugins {
    pub(super) fn run(self, config: &Config) -> Ended {
        let runtime = host::runtime(config);
        match self {
            Self::List { json } => {
                list(&runtime, json);
                Ok(())
            }
            Self::Info { name, json } => info(&runtime, &name, json),
        }
    }
}

fn list(runtime: &Runtime, as_json: bool) {
    let plugins = &runtime.report().plugins;
    if as_json {
        let all: Vec<Value> = plugins
            .iter()
            .map(|plugin| {
                let (status, error) = status(plugin);
                json!({
                    "name": plugin.def.name(),
                    "status": status,
                    "version": plugin.def.version(),
                    "description": plugin.def.description(),
                    "source": "compiled",
                    "tools": plugin.tools.len(),
                    "hooks": plugin.hooks.len(),
                    "commands": plugin.commands.len(),
                    "error": error,
                })
            })
            .collect();
        print_json(&Value::Array(all));
        return;
    }
    if plugins.is_empty() {
        note("No plugins are compiled in. Build with one, for example:");
        note("  cargo build --features plugin-calculator");
        return;
    }
    line(&format!("Plugins ({}):", plugins.len()));
    for plugin in plugins {
        line(&format!("  {}", summary(plugin)));
    }
}

/// `✓ calculator v1.0.0 (2 tools, 1 hooks)`
fn summary(plugin: &PluginReport) -> String {
    let def = plugin.def;
    let (mark, state) = match &plugin.status {
        PluginStatus::Enabled => ('✓', String::new()),
        PluginStatus::Disabled(reason) => ('✗', format!(" [disabled] — {reason}")),
        _ => ('?', String::new()),
    };
    let counts: Vec<String> = [(plugin.tools.len(), "tools"), (plugin.hooks.len(), "hooks")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let counts = if counts.is_empty() {
        String::new()
    } else {
        format!(" ({})", counts.join(", "))
    };
    format!("{mark} {} v{}{counts}{state}", def.name(), def.version())
}

fn status(plugin: &PluginReport) -> (&'static str, Option<&str>) {
    match &plugin.status {
        PluginStatus::Disabled(reason) => ("disabled", Some(reason)),
        _ => ("enabled", None),
    }
}

/// Name and description of a skill, from the head of its file.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct SkillHead {
    name: Option<String>,
    description: Option<String>,
}

/// The plugin's skills; a debug build reads the folder anew.
fn skills(plugin: &PluginReport) -> Vec<SkillHead> {
    plugin
        .skills()
        .iter()
        .map(|skill| {
            let fresh = plugin.def.skill_folder().and_then(|folder| {
                fs::read_to_string(format!("{folder}/{}/SKILL.md", skill.folder)).ok()
            });
            let text = fresh.as_deref().unwrap_or(skill.text);
            let head = text
                .strip_prefix("---")
                .and_then(|rest| rest.split_once("\n---"))
                .map_or("", |(head, _)| head);
            let mut head: SkillHead = serde_saphyr::from_str(head).unwrap_or_default();
            head.name.get_or_insert_with(|| skill.folder.to_owned());
            head
        })
        .collect()
}

fn info(runtime: &Runtime, name: &str, as_json: bool) -> Ended {
    let plugins = &runtime.report().plugins;
    let Some(plugin) = plugins.iter().find(|plugin| plugin.def.name() == name) else {
        let known: Vec<&str> = plugins.iter().map(|plugin| plugin.def.name()).collect();
        let known = if known.is_empty() {
            "no plugin is compiled in".to_owned()
        } else {
            format!("compiled in: {}", known.join(", "))
        };
        note(&format!(
            "hermes: no plugin `{}`; {known}",
            one_line(name, 80)
        ));
        note("");
        note("hint: plugins are chosen when hermes is built: cargo build --features plugin-NAME");
        return Err(End::Code(super::FAILED));
    };
    let def = plugin.def;
    let skills = skills(plugin);
    if as_json {
        let (status, error) = status(plugin);
        let hooks: Vec<Value> = plugin
            .hooks
            .iter()
            .map(|(name, event)| json!({"name": name, "event": event}))
            .collect();
        let skills: Vec<Value> = skills
            .iter()
            .map(|skill| json!({"name": skill.name, "description": skill.description}))
            .collect();
        print_json(&json!({
            "name": def.name(),
            "version": def.version(),
            "description": def.description(),
            "authors": def.authors().split(':').filter(|author| !author.is_empty()).collect::<Vec<_>>(),
            "package": def.package(),
            "status": status,
            "error": error,
            "tools": plugin.tools,
            "hooks": hooks,
            "commands": plugin.commands,
            "skills": skills,
        }));
        return Ok(());
    }
    line(&summary(plugin));
    if !def.description().is_empty() {
        line(def.description());
    }
    line("");
    line(&format!("  package   {} {}", def.package(), def.version()));
    if !def.authors().is_empty() {
        line(&format!("  authors   {}", def.authors().replace(':', ", ")));
    }
    let rows = |label: &str, rows: Vec<String>| {
        for (at, row) in rows.iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            line(&format!("  {label:<9} {row}"));
        }
    };
    rows(
        "tools",
        plugin.tools.iter().map(|tool| (*tool).to_owned()).collect(),
    );
    rows(
        "hooks",
        plugin
            .hooks
            .iter()
            .map(|(name, event)| format!("{name} ({event})"))
            .collect(),
    );
    rows(
        "commands",
        plugin
            .commands
            .iter()
            .map(|command| format!("/{command}"))
            .collect(),
    );
    rows(
        "skills",
        skills
            .iter()
            .map(|skill| {
                let name = skill.name.as_deref().unwrap_or_default();
                let about = skill.description.as_deref().unwrap_or_default();
                format!("{name}: {about}")
            })
            .collect(),
    );
    Ok(())
}
