use std::collections::BTreeSet;

/// Which plugins are on. Compiling one in is the opt-in; the operator can narrow it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gate {
    /// `plugins.enabled`: if given, only these are on.
    pub enabled: Option<BTreeSet<String>>,
    /// `plugins.disabled`: these are off, whatever else is said.
    pub disabled: BTreeSet<String>,
}

impl Gate {
    /// Why a plugin is off, `None` if it is on.
    pub(crate) fn refuses(&self, plugin: &str) -> Option<&'static str> {
        if self.disabled.contains(plugin) {
            return Some("disabled via config");
        }
        match &self.enabled {
            Some(enabled) if !enabled.contains(plugin) => Some("not enabled in config"),
            _ => None,
        }
    }
}
