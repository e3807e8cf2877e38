//! What the linker brought together: manifests and items, checked against each other and put into
//! one order, since neither `linkme` nor `inventory` promises any.

use crate::report::LoadFault;
use hermes_core::{Item, Origin, PLUGINS, PluginDef};
use std::collections::BTreeSet;

/// Manifests by name, items by plugin and place.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) plugins: Vec<&'static PluginDef>,
    pub(crate) items: Vec<Item>,
    pub(crate) faults: Vec<LoadFault>,
}

/// All that is linked. `expected` are the crates that the build promised.
pub(crate) fn linked(expected: &[&str]) -> Collected {
    let items = inventory::iter::<Item>.into_iter().copied();
    check(PLUGINS.iter(), items, expected)
}

fn check(
    plugins: impl Iterator<Item = &'static PluginDef>,
    items: impl Iterator<Item = Item>,
    expected: &[&str],
) -> Collected {
    let mut found = Collected::default();
    let mut crates = BTreeSet::new();
    for def in plugins {
        // A test binary may hold a library twice: as itself under test, and through a dependency.
        if crates.insert(def.origin().krate()) {
            found.plugins.push(def);
        }
    }
    found
        .plugins
        .sort_by_key(|def| (def.name(), def.origin().krate()));
    for pair in found.plugins.windows(2) {
        if let [one, two] = pair
            && one.name() == two.name()
        {
            found.faults.push(LoadFault::SamePlugin {
                plugin: one.name().to_owned(),
                crates: [
                    one.origin().krate().to_owned(),
                    two.origin().krate().to_owned(),
                ],
            });
        }
    }
    for krate in expected.iter().filter(|krate| !crates.contains(**krate)) {
        found.faults.push(LoadFault::MissingPlugin {
            krate: (*krate).to_owned(),
        });
    }
    let mut seen: BTreeSet<(Origin, &str)> = BTreeSet::new();
    let mut homeless: BTreeSet<&str> = BTreeSet::new();
    for item in items {
        if !seen.insert((*item.origin(), item.name())) {
            continue;
        }
        let krate = item.origin().krate();
        if crates.contains(krate) {
            found.items.push(item);
        } else if homeless.insert(krate) {
            found.faults.push(LoadFault::NoManifest {
                krate: krate.to_owned(),
                item: item.name().to_owned(),
            });
        }
    }
    let names: Vec<(&str, &str)> = found
        .plugins
        .iter()
        .map(|def| (def.origin().krate(), def.name()))
        .collect();
    let plugin_of = |item: &Item| {
        let krate = item.origin().krate();
        names
            .iter()
            .find(|(of, _)| *of == krate)
            .map(|(_, name)| *name)
    };
    found.items.sort_by_key(|item| {
        let origin = item.origin();
        (
            plugin_of(item),
            origin.file(),
            origin.line(),
            origin.column(),
            item.name(),
        )
    });
    for def in &found.plugins {
        let krate = def.origin().krate();
        let has_items = found
            .items
            .iter()
            .any(|item| item.origin().krate() == krate);
        if !has_items && def.skills().is_empty() {
            found.faults.push(LoadFault::EmptyPlugin {
                plugin: def.name().to_owned(),
            });
        }
    }
    found
}
