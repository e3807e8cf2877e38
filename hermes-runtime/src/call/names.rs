//! Names like an unknown one.

use crate::registry::Registry;

/// How alike two names must be, from 0 to 1, to be offered.
const ALIKE: f64 = 0.6;
/// How many are offered.
const OFFERED: usize = 3;

/// The most alike registered tools, best first.
pub(crate) fn nearest(registry: &Registry, name: &str) -> Vec<&'static str> {
    // A name from a model may be a page long; no tool's is.
    if name.chars().count() > 200 {
        return Vec::new();
    }
    let name = name.to_lowercase();
    let mut scored: Vec<(f64, &'static str)> = registry
        .tools()
        .iter()
        .map(|tool| tool.def.name())
        .map(|known| {
            let alike = strsim::normalized_damerau_levenshtein(&name, &known.to_lowercase());
            // `convert` for `unit_convert`, `calc` for `calculate`.
            let part = name.len() >= 4 && (known.contains(&name) || name.contains(known));
            (if part { alike.max(ALIKE) } else { alike }, known)
        })
        .filter(|(alike, _)| *alike >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.truncate(OFFERED);
    scored.into_iter().map(|(_, name)| name).collect()
}

/// What to tell a caller of an unknown tool.
pub(super) fn unknown(registry: &Registry, name: &str) -> String {
    let shown: String = name.chars().take(80).collect();
    let near = nearest(registry, name);
    let help = if let Some((plugin, reason)) = registry.report().off(name) {
        format!("it belongs to plugin {plugin}, which is off: {reason}")
    } else if !near.is_empty() {
        format!("did you mean {}?", list(&near))
    } else if registry.tools().is_empty() {
        "there are no tools".to_owned()
    } else {
        let all: Vec<&str> = registry
            .tools()
            .iter()
            .map(|tool| tool.def.name())
            .take(30)
            .collect();
        format!("there are {}", list(&all))
    };
    format!("{shown}: no such tool; {help}")
}

fn list(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
