use crate::clock::Clock;
use crate::collect::{self, Collected};
use crate::gate::Gate;
use crate::registry::Registry;
use crate::runtime::{Limits, Runtime};
use hermes_core::{CommandItem, HookItem, Item, ToolItem};
use std::path::PathBuf;
use std::time::Duration;

/// Puts a [`Runtime`] together.
#[derive(Debug)]
#[must_use = "call `build`"]
pub struct Builder {
    linked: bool,
    expected: Vec<&'static str>,
    items: Vec<Item>,
    gate: Gate,
    clock: Clock,
    limits: Limits,
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self {
            linked: true,
            expected: Vec::new(),
            items: Vec::new(),
            gate: Gate::default(),
            clock: Clock::default(),
            limits: Limits::default(),
        }
    }

    /// Takes nothing from the linker, only what is named here.
    pub fn explicit(mut self) -> Self {
        self.linked = false;
        self
    }

    /// Crates that must have registered a manifest, as the build script knows them.
    pub fn expect_crates(mut self, crates: &[&'static str]) -> Self {
        self.expected.extend_from_slice(crates);
        self
    }

    /// Registers a tool: the hidden type beside its function, `WeatherTool` for `weather`.
    pub fn tool<T: ToolItem>(mut self, _: T) -> Self {
        self.items.push(Item::Tool(T::def()));
        self
    }

    /// Registers a hook: the hidden type beside its function, `CountHook` for `count`.
    pub fn hook<H: HookItem>(mut self, _: H) -> Self {
        self.items.push(Item::Hook(H::def()));
        self
    }

    /// Registers a slash command: the hidden type beside its function, `EchoCommand` for `echo`.
    pub fn command<C: CommandItem>(mut self, _: C) -> Self {
        self.items.push(Item::Command(C::def()));
        self
    }

    /// Which plugins are on.
    pub fn gate(mut self, gate: Gate) -> Self {
        self.gate = gate;
        self
    }

    /// The time that caches go by.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Where results above the size limit are kept whole. Without it they are cut.
    pub fn results_folder(mut self, folder: PathBuf) -> Self {
        self.limits.results_folder = Some(folder);
        self
    }

    /// The time limit of tools that don't say another; 60 s if not given.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// The result limit, in characters, of tools that don't say another; 100,000 if not given.
    pub const fn max_result_chars(mut self, chars: usize) -> Self {
        self.limits.max_result_chars = chars;
        self
    }

    /// Freezes the registry. What is wrong with single items is in [`Runtime::report`].
    pub fn build(self) -> Runtime {
        let mut collected = if self.linked {
            collect::linked(&self.expected)
        } else {
            Collected::default()
        };
        for item in self.items {
            let known = collected
                .items
                .iter()
                .any(|other| other.origin() == item.origin() && other.name() == item.name());
            if !known {
                collected.items.push(item);
            }
        }
        let registry = Registry::build(collected, &self.gate);
        for fault in &registry.report().faults {
            tracing::warn!(%fault, "plugin fault");
        }
        Runtime::new(registry, self.clock, self.limits)
    }
}
