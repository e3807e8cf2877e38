use super::{End, Ended, FAILED, print_json};
use crate::config::{Config, ConfigError};
use crate::host;
use crate::model::Choice;
use crate::provider::RouteFlags;
use crate::term::line;
use hermes_runtime::{PluginStatus, Runtime, env};
use serde_json::json;
use std::fs;
use std::path::Path;

/// `hermes doctor`
#[derive(Debug, clap::Args)]
pub(super) struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(super) fn run(&self, loaded: Result<Config, ConfigError>) -> Ended {
        let (config, broken) = match loaded {
            Ok(config) => (config, None),
            Err(error) => (Config::without_file(), Some(error.to_string())),
        };
        self.report(&config, broken.as_deref())?;
        match broken {
            None => Ok(()),
            Some(error) => Err(End::usage(error)),
        }
    }

    /// `broken` is what is wrong with the configuration; `config` then says nothing of it.
    fn report(&self, config: &Config, broken: Option<&str>) -> Ended {
        let runtime = host::runtime(config);
        let faults: Vec<String> = runtime.faults().iter().map(ToString::to_string).collect();
        let home = config.home.as_ref().map(|home| home.display().to_string());
        let file = config.file.as_ref().map(|file| file.display().to_string());
        let provider = match broken {
            None => provider(config),
            // Nothing answers before the file is mended.
            Some(_) => Err("the configuration isn't valid".to_owned()),
        };
        let set: Vec<&str> = env::ALL
            .iter()
            .map(|variable| variable.name)
            .filter(|name| env::var(name).is_some())
            .collect();
        let unavailable: Vec<(&str, String)> = runtime
            .tools()
            .filter_map(|tool| Some((tool.def().name(), tool.available().err()?)))
            .collect();
        let unknown = unknown_plugins(config, &runtime);
        let folders = config
            .home
            .as_deref()
            .map(plugin_folders)
            .unwrap_or_default();
        if self.json {
            print_json(&json!({
                "version": env!("CARGO_PKG_VERSION"),
                "home": home,
                "config": file,
                "config_error": broken,
                "variables": set,
                "provider": provider.as_ref().ok(),
                "provider_error": provider.as_ref().err(),
                "plugins": runtime.report().plugins.len(),
                "tools": runtime.tools().count(),
                "unavailable": unavailable.iter().map(|(tool, reason)| json!({"tool": tool, "reason": reason})).collect::<Vec<_>>(),
                "unknown_plugins": unknown,
                "plugin_folders": folders,
                "faults": faults,
            }));
        } else {
            let row = |label: &str, text: &str| line(&format!("{label:<10} {text}"));
            row("hermes", env!("CARGO_PKG_VERSION"));
            let not_a_folder = config.home.as_ref().is_some_and(|home| home.is_file());
            let remark = if not_a_folder {
                " is a file, not a folder: nothing can be kept"
            } else {
                ""
            };
            match &home {
                Some(home) => row("home", &format!("{home}{remark}")),
                None => row("home", "none: neither HERMES_HOME nor HOME is set"),
            }
            let no_file = "none (config.yaml in the home folder)";
            row("config", broken.or(file.as_deref()).unwrap_or(no_file));
            row(
                "variables",
                &if set.is_empty() {
                    "none set".to_owned()
                } else {
                    set.join(", ")
                },
            );
            match &provider {
                Ok(text) => row("provider", text),
                Err(text) => row("provider", &format!("none: {text}")),
            }
            for plugin in &runtime.report().plugins {
                let state = match &plugin.status {
                    PluginStatus::Disabled(reason) => format!("off: {reason}"),
                    _ => "on".to_owned(),
                };
                row(
                    "plugin",
                    &format!("{} {}: {state}", plugin.def.name(), plugin.def.version()),
                );
            }
            row("tools", &runtime.tools().count().to_string());
            for (tool, reason) in &unavailable {
                row("off", &format!("{tool}: {reason}"));
            }
            for name in &unknown {
                row(
                    "note",
                    &format!("config names plugin `{name}`, which isn't compiled in"),
                );
            }
            for folder in &folders {
                row(
                    "note",
                    &format!(
                        "plugins/{folder} is a plugin of Python Hermes and is not loaded: plugins are compiled in"
                    ),
                );
            }
            for fault in &faults {
                row("fault", fault);
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(End::Code(FAILED))
        }
    }
}

/// Names in `plugins.enabled` and `plugins.disabled` that no plugin here has. No fault: the file may be
/// shared with another host; but a misspelt name disables nothing.
fn unknown_plugins<'a>(config: &'a Config, runtime: &Runtime) -> Vec<&'a str> {
    let known = |name: &&str| {
        runtime
            .report()
            .plugins
            .iter()
            .any(|plugin| plugin.def.name() == *name)
    };
    let named = config
        .gate
        .enabled
        .iter()
        .flatten()
        .chain(&config.gate.disabled);
    named
        .map(String::as_str)
        .filter(|name| !known(name))
        .collect()
}

/// Folders of Python Hermes' plugins in the shared home. What isn't in the binary is never called on.
fn plugin_folders(home: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(home.join("plugins")) else {
        return Vec::new();
    };
    let mut folders: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| {
            ["plugin.yaml", "plugin.yml"]
                .iter()
                .any(|name| entry.path().join(name).is_file())
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    folders
}

/// Who would answer; never the key itself.
fn provider(config: &Config) -> Result<String, String> {
    let choice = Choice::by(&RouteFlags::default(), config).map_err(|error| error.to_string())?;
    let route = match choice {
        Choice::Local(local) => {
            return Ok(format!(
                "local, model {}: {}",
                local.name(),
                local.description()
            ));
        }
        Choice::Remote(client) => client.route().clone(),
    };
    let key = match (&route.api_key, &route.key_variable) {
        (Some(_), Some(variable)) => format!("key from {variable}"),
        (Some(_), None) => "with a key".to_owned(),
        (None, _) => "no key".to_owned(),
    };
    Ok(format!(
        "{} at {}, model {}, {key}",
        route.profile.name, route.base_url, route.model
    ))
}
