//! The engine as this host sets it up.

use crate::config::Config;
use crate::{plugins, term};
use hermes_runtime::{Runtime, env};

/// The engine with all linked plugins, gated by the configuration.
pub(crate) fn runtime(config: &Config) -> Runtime {
    let mut builder = Runtime::builder()
        .expect_crates(plugins::CRATES)
        .gate(config.gate.clone());
    if let Some(home) = &config.home {
        builder = builder.results_folder(home.join("results"));
    }
    let runtime = builder.build();
    if env::is_on(env::PLUGINS_DEBUG) {
        for (level, text) in runtime.report().log() {
            term::note(&format!("[plugins] {level} {text}"));
        }
    }
    runtime
}
