use super::super::{End, Ended, FAILED, INTERRUPTED, block_on};
use super::listing::size;
use super::{SMALLEST, folders};
use crate::local::catalog::{DEFAULT, ENGINES, FALLBACK, MODELS, Model};
use crate::local::cpu::Machine;
use crate::local::pull::{self, Item, Patience, Plan, Progress, Site, Way, Wish};
use crate::local::store;
use crate::provider::ProxySettings;
use crate::term::{fault, line, note};
use hermes_runtime::env;

/// `hermes model pull`
#[derive(Debug, clap::Args)]
pub(crate) struct Pull {
    /// The model; a small one if left out
    name: Option<String>,
    /// The engine alone
    #[arg(long, conflicts_with = "name")]
    engine: bool,
    /// Build the engine here if none fits this machine: minutes, and a C++ compiler
    #[arg(long)]
    build: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

impl Pull {
    pub(super) fn run(self) -> Ended {
        let models = if self.engine {
            Vec::new()
        } else {
            self.models()?
        };
        let site = Site {
            folders: folders()?,
            machine: Machine::this(),
            search_path: env::path(),
            proxies: ProxySettings::from_lookup(&env::var),
            patience: Patience::default(),
        };
        let wish = Wish {
            models: &models,
            engines: ENGINES,
            may_build: self.build,
        };
        let plan = pull::plan(&site, &wish);
        tell(&plan);
        if self.dry_run {
            return Ok(());
        }
        let pulled = block_on(async {
            let mut progress = Progress::new();
            let mut show = |event| progress.show(&event);
            tokio::select! {
                biased;
                _ = tokio::signal::ctrl_c() => None,
                pulled = pull::run(&site, &plan, &mut show) => Some(pulled),
            }
        })?;
        let Some(pulled) = pulled else {
            note("interrupted; the same command goes on where it stopped");
            return Err(End::Code(INTERRUPTED));
        };
        let pulled = pulled.map_err(|error| {
            fault(&error.to_string(), &error.hints());
            End::Code(FAILED)
        })?;
        if let Some((name, _)) = pulled.model {
            line(&format!(
                "{name} is ready: hermes chat --model {name} --provider local -q \"…\""
            ));
        } else if let Some(engine) = pulled.engine {
            line(&format!("the engine is ready: {}", engine.display()));
        }
        Ok(())
    }

    /// The model, then those that will do instead: for a name that was given, none.
    fn models(&self) -> Result<Vec<Model>, End> {
        let Some(name) = &self.name else {
            return Ok(vec![DEFAULT, FALLBACK]);
        };
        if let Some(model) = MODELS.iter().find(|model| model.name == name) {
            return Ok(vec![*model]);
        }
        let names = MODELS.iter().map(|model| model.name.to_owned());
        let hint = match store::nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "known are {}",
                MODELS
                    .iter()
                    .map(|model| model.name)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        };
        Err(End::Usage(
            format!("no model `{name}` can be pulled; {hint}"),
            vec![format!(
                "any .gguf file will do without a pull: hermes chat --provider local --model FILE.gguf; the smallest that can be pulled is {SMALLEST}"
            )],
        ))
    }
}

/// Before anything is fetched: what, from where, how large, under which licence.
fn tell(plan: &Plan) {
    for item in &plan.items {
        tell_item(item);
    }
    if plan.missing().next().is_some() {
        note(&format!(
            "in all {} if each first source answers",
            size(plan.bytes())
        ));
    }
}

fn tell_item(item: &Item) {
    let word = item.kind.word();
    if let Some(path) = &item.present {
        note(&format!("{word}: there, {}", path.display()));
        return;
    }
    for (at, way) in item.ways.iter().enumerate() {
        let lead = if at == 0 {
            word.to_owned()
        } else {
            " or".to_owned()
        };
        note(&format!("{lead}: {}", of(way)));
    }
    for (source, why) in &item.closed {
        note(&format!(" not: {source}: {why}"));
    }
}

fn of(way: &Way) -> String {
    let time = way
        .build_minutes
        .map(|minutes| format!(", about {minutes} minutes"))
        .unwrap_or_default();
    format!(
        "{}, {}{time}, {}, from {}",
        way.what,
        size(way.bytes),
        way.licence,
        way.source
    )
}
