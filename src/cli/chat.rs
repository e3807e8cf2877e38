mod show;

use super::{End, Ended, FAILED, INTERRUPTED, block_on};
use crate::agent::{Event, Outcome, Turn, system_prompt};
use crate::config::Config;
use crate::host;
use crate::model::{Choice, ChoiceError};
use crate::provider::{Message, RouteFlags};
use crate::term::{line, note, one_line, plain, stdout_is_terminal};
use hermes_core::{CallIds, CancelToken};
use hermes_runtime::{CallContext, Consent, Runtime};
use show::{Form, Show};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::timeout;

/// `hermes chat`
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Who answers: flags, then HERMES_BASE_URL, HERMES_MODEL, HERMES_PROVIDER and the provider's key variable (OPENAI_API_KEY, OPENROUTER_API_KEY, …), then `model:` in config.yaml, then a local model that is there.\n\nThe answer goes to stdout, tool calls to stderr. Exit codes: 0 answered, 1 the provider failed, 2 nobody to ask, 130 interrupted."
)]
pub(super) struct Chat {
    /// Ask this once and print the answer; `/name …` runs a slash command
    #[arg(short, long, value_name = "TEXT")]
    query: String,
    /// The model
    #[arg(short, long)]
    model: Option<String>,
    /// The provider: openai, openrouter, ollama, custom, …
    #[arg(long)]
    provider: Option<String>,
    /// The provider's address, up to and including /v1
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Most requests to the model
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u16).range(1..))]
    max_turns: u16,
    /// Say yes to every tool and guard that asks for approval
    #[arg(long)]
    yolo: bool,
    /// Only the answer: no tool calls on stderr
    #[arg(short = 'Q', long)]
    quiet: bool,
    /// Print one JSON object: the answer and the tool calls
    #[arg(long)]
    json: bool,
    /// Most tokens of the tools' examples before a small local model; 0 sends none
    #[arg(long, value_name = "TOKENS")]
    examples: Option<u32>,
}

impl Chat {
    pub(super) fn run(self, config: &Config) -> Ended {
        let is_json = self.json;
        let ended = self.answer(config);
        if let (true, Err(End::Usage(error, _))) = (is_json, &ended) {
            Show::new(Form::Json).end(None, Some(error), None);
        }
        ended
    }

    fn answer(self, config: &Config) -> Ended {
        if self.query.trim().is_empty() {
            return Err(End::usage(
                "the question is empty; write hermes chat -q \"…\"",
            ));
        }
        let runtime = host::runtime(config);
        if let Some(command) = self.query.strip_prefix('/') {
            return slash(&runtime, command);
        }
        let flags = RouteFlags {
            provider: self.provider.clone(),
            model: self.model.clone(),
            base_url: self.base_url.clone(),
        };
        let choice = Choice::by(&flags, config).map_err(|error| no_choice(&error))?;
        block_on(self.ask(&runtime, choice))?
    }

    async fn ask(&self, runtime: &Runtime, choice: Choice) -> Ended {
        let form = match (self.json, self.quiet) {
            (true, _) => Form::Json,
            (_, true) => Form::Quiet,
            _ => Form::Full,
        };
        let who = (choice.provider().to_owned(), choice.model().to_owned());
        let cancel = CancelToken::new();
        let mut show = Show::new(form);
        let ended = {
            let turn = self.turn(runtime, choice, cancel.clone(), &mut show);
            tokio::select! {
                // The signal is caught from its first poll on, so that comes before the request.
                biased;
                _ = tokio::signal::ctrl_c() => None,
                outcome = turn => Some(outcome),
            }
        };
        let Some(ended) = ended else {
            cancel.cancel();
            show.break_line();
            note("interrupted");
            return Err(End::Code(INTERRUPTED));
        };
        let (answer, fault) = match ended {
            Ok(Outcome::Answer { text, cut }) => {
                show.answer(&text);
                if let Some(cut) = cut {
                    note(&format!("hermes: the answer {cut}"));
                }
                let is_blank = text.trim().is_empty();
                (
                    Some(text),
                    is_blank.then(|| "the model answered nothing".to_owned()),
                )
            }
            Ok(Outcome::StepLimit(steps)) => (
                None,
                Some(format!(
                    "no answer after {steps} requests; raise --max-turns if the task is that long"
                )),
            ),
            Err(fault) => (None, Some(fault)),
        };
        let who = Some((who.0.as_str(), who.1.as_str()));
        show.end(answer.as_deref(), fault.as_deref(), who);
        match fault {
            None => Ok(()),
            Some(fault) => {
                show.break_line();
                note(&format!("hermes: {fault}"));
                Err(End::Code(FAILED))
            }
        }
    }

    /// One turn; the error is what to tell the user.
    async fn turn(
        &self,
        runtime: &Runtime,
        choice: Choice,
        cancel: CancelToken,
        show: &mut Show,
    ) -> Result<Outcome, String> {
        let name = choice.model().to_owned();
        let is_told = !self.quiet && !self.json;
        let starting = move || {
            if is_told {
                note(&format!("hermes: starting the local model {name} …"));
            }
        };
        let log = choice.log().map(|log| log.display().to_string());
        let mut open = std::pin::pin!(choice.open(runtime, self.examples, starting));
        let opened = loop {
            match (timeout(PATIENCE, &mut open).await, &log) {
                (Ok(opened), _) => break opened,
                (Err(_), Some(log)) if is_told => {
                    note(&format!("hermes: it isn't ready yet; its log is `{log}`"));
                }
                (Err(_), _) => {}
            }
        };
        let mut model = opened.map_err(|error| error.to_string())?;
        let small = model.small.take();
        let ids = Arc::new(ids());
        let has_tools = !runtime.definitions().is_empty();
        let mut messages = vec![
            Message::system(system_prompt(has_tools)),
            Message::user(self.query.as_str()),
        ];
        let mut is_first = true;
        let ended = loop {
            model.client = model
                .client
                .with_unseen_output(self.json || !stdout_is_terminal());
            let turn = Turn {
                runtime,
                client: &model.client,
                ids: Arc::clone(&ids),
                cancel: cancel.clone(),
                consent: if self.yolo {
                    Consent::Given
                } else {
                    Consent::Nobody
                },
                max_steps: usize::from(self.max_turns),
                small: small.as_ref(),
            };
            let mut on_event = |event: Event<'_>| show.event(&event);
            match turn.run(&mut messages, &mut on_event).await {
                Ok(outcome) => break Ok(outcome),
                // What was done so far stands in the messages; the turn goes on from there.
                Err(error) if std::mem::take(&mut is_first) => {
                    if let Err(text) = model.open_again(error).await {
                        break Err(text);
                    }
                }
                Err(error) => break Err(model.explained(&error)),
            }
        };
        model.end();
        ended
    }
}

/// After so long a wait for a local model a user is told where to look.
const PATIENCE: Duration = Duration::from_secs(10);

/// Nobody to ask is wrong usage: the request can't even be made.
fn no_choice(error: &ChoiceError) -> End {
    End::Usage(error.to_string(), error.hints())
}

fn ids() -> CallIds {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let session = format!("{:x}-{:x}", since.as_millis(), std::process::id());
    let mut ids = CallIds::default();
    ids.task.clone_from(&session);
    ids.turn = format!("{session}-1");
    ids.session = session;
    ids
}

fn slash(runtime: &Runtime, text: &str) -> Ended {
    let (name, raw) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let call = CallContext::new(Arc::new(ids()));
    match block_on(runtime.command(name, raw.trim(), &call))? {
        Some(Ok(said)) => {
            if !said.is_empty() {
                line(&plain(&said));
            }
            Ok(())
        }
        Some(Err(error)) => {
            note(&format!("hermes: /{name}: {error}"));
            Err(End::Code(FAILED))
        }
        None => {
            let known: Vec<String> = runtime
                .commands()
                .iter()
                .map(|command| format!("/{}", command.name()))
                .collect();
            let known = if known.is_empty() {
                "there are none".to_owned()
            } else {
                known.join(", ")
            };
            Err(End::usage(format!(
                "no command /{}; {known}",
                one_line(name, 40)
            )))
        }
    }
}
