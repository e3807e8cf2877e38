//! What loaded, what didn't, and why.

use hermes_core::{Origin, PluginDef, SkillDef};
use std::fmt;

/// What is in the binary and what became of it.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct LoadReport {
    /// The plugins, by name.
    pub plugins: Vec<PluginReport>,
    /// What is wrong with the binary or its items.
    pub faults: Vec<LoadFault>,
}

/// One plugin.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PluginReport {
    /// Its manifest.
    pub def: &'static PluginDef,
    /// On or off.
    pub status: PluginStatus,
    /// Names of its tools, sorted.
    pub tools: Vec<&'static str>,
    /// Names of its hooks with their events.
    pub hooks: Vec<(&'static str, &'static str)>,
    /// Names of its slash commands, sorted.
    pub commands: Vec<&'static str>,
}

impl PluginReport {
    /// Its skills.
    pub const fn skills(&self) -> &'static [SkillDef] {
        self.def.skills()
    }
}

/// Whether a plugin is on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginStatus {
    /// It is.
    Enabled,
    /// It isn't, for this reason.
    Disabled(String),
}

/// Something that was left out, with its place and the cure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadFault {
    /// A feature promised a crate that registered nothing.
    MissingPlugin {
        /// The crate.
        krate: String,
    },
    /// Items of a crate without a manifest.
    NoManifest {
        /// The crate.
        krate: String,
        /// One of its items.
        item: String,
    },
    /// A manifest without items, skills or anything else.
    EmptyPlugin {
        /// The plugin.
        plugin: String,
    },
    /// Two plugins of one name.
    SamePlugin {
        /// The name.
        plugin: String,
        /// The crates.
        crates: [String; 2],
    },
    /// A second tool of a name; the first stays.
    DuplicateTool {
        /// The name.
        tool: String,
        /// Where the one that stays stands.
        kept: Place,
        /// Where the other one stands.
        refused: Place,
    },
    /// Two plugins' commands of one name; neither is taken.
    DuplicateCommand {
        /// The name.
        command: String,
        /// Where they stand.
        places: [Place; 2],
    },
    /// A tool whose arguments are no object; it is left out.
    BadSchema {
        /// The tool.
        tool: String,
        /// What is wrong.
        reason: String,
    },
    /// An example of a tool whose arguments the tool doesn't take as they stand.
    BadExample {
        /// The tool.
        tool: String,
        /// What the example's user says.
        ask: String,
        /// What is wrong.
        reason: String,
    },
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(String);

impl From<&Origin> for Place {
    fn from(origin: &Origin) -> Self {
        Self(format!(
            "{}:{} ({})",
            origin.file(),
            origin.line(),
            origin.krate()
        ))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for LoadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingPlugin { krate } => write!(
                f,
                "crate `{krate}` is linked by a feature and registered no manifest; put `hermes_core::plugin! {{}}` at its root"
            ),
            Self::NoManifest { krate, item } => write!(
                f,
                "`{item}` belongs to crate `{krate}`, which has no manifest; put `hermes_core::plugin! {{}}` at its root"
            ),
            Self::EmptyPlugin { plugin } => write!(
                f,
                "plugin {plugin} registers nothing; are its items behind a `cfg`, or without their attribute?"
            ),
            Self::SamePlugin { plugin, crates } => write!(
                f,
                "crates `{}` and `{}` are both plugin {plugin}; rename one by `plugin! {{ name = \"…\" }}`",
                crates[0], crates[1]
            ),
            Self::DuplicateTool {
                tool,
                kept,
                refused,
            } => write!(
                f,
                "tool `{tool}` is defined at {kept} and again at {refused}; the second is left out, rename one"
            ),
            Self::DuplicateCommand { command, places } => write!(
                f,
                "command /{command} is defined at {} and at {}; neither is taken, rename one",
                places[0], places[1]
            ),
            Self::BadSchema { tool, reason } => write!(f, "tool `{tool}` is left out: {reason}"),
            Self::BadExample { tool, ask, reason } => {
                write!(f, "tool `{tool}`: the example {ask:?} is wrong: {reason}")
            }
        }
    }
}

impl LoadReport {
    /// The plugin that would bring a tool of this name, and the reason why it is off.
    pub fn off(&self, tool: &str) -> Option<(&'static str, &str)> {
        self.plugins.iter().find_map(|plugin| match &plugin.status {
            PluginStatus::Disabled(reason) if plugin.tools.contains(&tool) => {
                Some((plugin.def.name(), reason.as_str()))
            }
            _ => None,
        })
    }

    /// The discovery log, a line each: level and text.
    pub fn log(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![(
            "DEBUG",
            format!("scanned this binary: {} manifests", self.plugins.len()),
        )];
        for plugin in &self.plugins {
            let def = plugin.def;
            lines.push((
                "DEBUG",
                format!(
                    "manifest key={} name={} version={} kind=standalone source=compiled path={}",
                    def.name(),
                    def.name(),
                    def.version(),
                    def.origin().file()
                ),
            ));
            match &plugin.status {
                PluginStatus::Enabled => lines.push((
                    "INFO",
                    format!(
                        "loaded {}: {} tools, {} hooks, 0 middleware, {} slash commands, 0 CLI commands",
                        def.name(),
                        plugin.tools.len(),
                        plugin.hooks.len(),
                        plugin.commands.len()
                    ),
                )),
                PluginStatus::Disabled(reason) => {
                    lines.push(("INFO", format!("skipped {}: {reason}", def.name())));
                }
            }
        }
        lines.extend(self.faults.iter().map(|fault| ("ERROR", fault.to_string())));
        lines
    }
}
