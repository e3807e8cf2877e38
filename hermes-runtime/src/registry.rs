//! The frozen registry: what is on, sorted, without conflicts. Read without locks.

use crate::availability::Checked;
use crate::clock::Clock;
use crate::collect::Collected;
use crate::gate::Gate;
use crate::hooks::{Hook, Hooks};
use crate::report::{LoadFault, LoadReport, PluginReport, PluginStatus};
use crate::schema::Canonical;
use hermes_core::{
    Availability, CommandDef, EventKind, Handled, Handler, Item, PluginDef, ToolContext, ToolDef,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

pub(crate) struct Registry {
    /// By name.
    tools: Vec<Tool>,
    /// For each length of a name the tools of it: few are left to compare with.
    by_length: Vec<Vec<(&'static str, usize)>>,
    /// By name.
    commands: Vec<&'static CommandDef>,
    pub(crate) hooks: Hooks,
    report: LoadReport,
}

/// A tool and what is found out about it on first use.
pub(crate) struct Tool {
    pub(crate) def: &'static ToolDef,
    plugin: Option<&'static PluginDef>,
    schema: OnceLock<Result<Canonical, String>>,
    direct: OnceLock<Option<InlineFn>>,
    checked: Checked,
}

/// The function of an `inline` tool.
pub(crate) type InlineFn = fn(&ToolContext, &str) -> Handled;

impl Tool {
    fn new(def: &'static ToolDef, plugin: Option<&'static PluginDef>) -> Self {
        Self {
            def,
            plugin,
            schema: OnceLock::new(),
            direct: OnceLock::new(),
            checked: Checked::default(),
        }
    }

    /// The plugin's name; an explicitly registered tool of no plugin belongs to its crate.
    pub(crate) fn plugin(&self) -> &'static str {
        self.plugin
            .map_or_else(|| self.def.origin().krate(), PluginDef::name)
    }

    pub(crate) fn toolset(&self) -> &'static str {
        self.def.toolset().unwrap_or_else(|| self.plugin())
    }

    /// The function of a tool that takes text as it comes: `inline`, without a check, with nothing
    /// for the operator to approve, with arguments that serde alone reads as the long road does.
    pub(crate) fn direct(&self) -> Option<InlineFn> {
        *self.direct.get_or_init(|| {
            let Handler::Inline(run) = self.def.handler() else {
                return None;
            };
            let unconditional =
                self.def.check().is_none() && self.def.hints().destructive != Some(true);
            (unconditional && self.schema().is_ok_and(Canonical::is_direct)).then_some(run)
        })
    }

    /// Its schemas, built on first use.
    pub(crate) fn schema(&self) -> Result<&Canonical, &str> {
        self.schema
            .get_or_init(|| Canonical::of(self.def))
            .as_ref()
            .map_err(String::as_str)
    }

    pub(crate) fn available(&self, clock: &Clock) -> Availability {
        match self.def.check() {
            None => Ok(()),
            Some(check) => self.checked.ask(self.def.name(), check, clock),
        }
    }
}

impl Registry {
    pub(crate) fn build(collected: Collected, gate: &Gate) -> Self {
        let Collected {
            plugins,
            items,
            mut faults,
        } = collected;
        let mut reports: Vec<PluginReport> = plugins
            .into_iter()
            .map(|def| PluginReport {
                def,
                status: gate
                    .refuses(def.name())
                    .map_or(PluginStatus::Enabled, |reason| {
                        PluginStatus::Disabled(reason.to_owned())
                    }),
                tools: Vec::new(),
                hooks: Vec::new(),
                commands: Vec::new(),
            })
            .collect();
        let mut tools: Vec<Tool> = Vec::new();
        let mut hooks = Hooks::default();
        let mut commands: BTreeMap<&str, Vec<&'static CommandDef>> = BTreeMap::new();
        for item in items {
            let krate = item.origin().krate();
            let mut report = reports
                .iter_mut()
                .find(|report| report.def.origin().krate() == krate);
            let off = report
                .as_ref()
                .is_some_and(|report| report.status != PluginStatus::Enabled);
            let plugin = report.as_ref().map(|report| report.def);
            match item {
                Item::Tool(def) => {
                    if let Some(report) = &mut report {
                        report.tools.push(def.name());
                    }
                    if !off {
                        tools.push(Tool::new(def, plugin));
                    }
                }
                Item::Hook(def) => {
                    if let Some(report) = &mut report {
                        report.hooks.push((def.name(), def.event().as_str()));
                    }
                    if !off {
                        hooks.add(Hook::new(def, plugin.map_or(krate, PluginDef::name)));
                    }
                }
                Item::Command(def) => {
                    if let Some(report) = &mut report {
                        report.commands.push(def.name());
                    }
                    if !off {
                        commands.entry(def.name()).or_default().push(def);
                    }
                }
                _ => {}
            }
        }
        // Stable: of two tools of one name the first by plugin and place comes first.
        tools.sort_by_key(|tool| tool.def.name());
        let mut refused = BTreeSet::new();
        tools.dedup_by(|later, kept| {
            let same = later.def.name() == kept.def.name();
            if same {
                refused.insert((later.def.name(), later.def.origin().krate()));
                faults.push(LoadFault::DuplicateTool {
                    tool: kept.def.name().to_owned(),
                    kept: kept.def.origin().into(),
                    refused: later.def.origin().into(),
                });
            }
            same
        });
        let mut taken = Vec::new();
        for (name, defs) in commands {
            match defs.as_slice() {
                [one] => taken.push(*one),
                [one, two, ..] => {
                    faults.push(LoadFault::DuplicateCommand {
                        command: name.to_owned(),
                        places: [one.origin().into(), two.origin().into()],
                    });
                    for def in defs {
                        for report in &mut reports {
                            if report.def.origin().krate() == def.origin().krate() {
                                report.commands.retain(|command| *command != name);
                            }
                        }
                    }
                }
                [] => {}
            }
        }
        for report in &mut reports {
            let krate = report.def.origin().krate();
            report
                .tools
                .retain(|tool| !refused.contains(&(*tool, krate)));
            report.tools.sort_unstable();
            report.commands.sort_unstable();
        }
        hooks.sort();
        let names = || tools.iter().map(|tool| tool.def.name());
        let longest = names().map(str::len).max().unwrap_or(0);
        let mut by_length = vec![Vec::new(); longest + 1];
        for (at, name) in names().enumerate() {
            by_length[name.len()].push((name, at));
        }
        Self {
            tools,
            by_length,
            commands: taken,
            hooks,
            report: LoadReport {
                plugins: reports,
                faults,
            },
        }
    }

    #[inline]
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        let alike = self.by_length.get(name.len())?;
        let (_, at) = alike.iter().find(|(other, _)| *other == name)?;
        self.tools.get(*at)
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    pub(crate) fn command(&self, name: &str) -> Option<&'static CommandDef> {
        self.commands
            .binary_search_by(|command| command.name().cmp(name))
            .ok()
            .map(|at| self.commands[at])
    }

    pub(crate) fn commands(&self) -> &[&'static CommandDef] {
        &self.commands
    }

    pub(crate) const fn report(&self) -> &LoadReport {
        &self.report
    }

    /// Whether anybody looks at calls.
    pub(crate) fn hooked(&self) -> bool {
        self.hooks.has(EventKind::PreToolCall) || self.hooks.has(EventKind::PostToolCall)
    }
}
