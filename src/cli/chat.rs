use super::{End, Ended, FAILED, INTERRUPTED, block_on};
use crate::agent::{Event, Outcome, Turn, system_prompt};
use crate::config::Config;
use crate::host;
use crate::provider::{
    ChatClient, Delta, Message, ProviderRoute, ProxySettings, RouteError, RouteFlags,
};
use crate::term::{line, note, one_line, part, plain, stdout_is_terminal};
use hermes_core::{CallIds, CancelToken};
use hermes_runtime::{CallContext, Consent, Runtime, env};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// `hermes chat`
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Who answers: flags, then HERMES_BASE_URL, HERMES_MODEL, HERMES_PROVIDER and the provider's key variable (OPENAI_API_KEY, OPENROUTER_API_KEY, …), then `model:` in config.yaml.\n\nThe answer goes to stdout, tool calls to stderr. Exit codes: 0 answered, 1 the provider failed, 2 nobody to ask, 130 interrupted."
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
}

impl Chat {
    pub(super) fn run(self, config: &Config) -> Ended {
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
        let route = ProviderRoute::resolve(&flags, &env::var, &config.model)
            .map_err(|error| no_route(&error))?;
        let client = ChatClient::new(route)
            .map_err(|error| no_route(&error))?
            .with_proxies(ProxySettings::from_lookup(&env::var))
            .with_unseen_output(!stdout_is_terminal());
        block_on(self.ask(&runtime, &client))?
    }

    async fn ask(&self, runtime: &Runtime, client: &ChatClient) -> Ended {
        let cancel = CancelToken::new();
        let turn = Turn {
            runtime,
            client,
            ids: Arc::new(ids()),
            cancel: cancel.clone(),
            consent: if self.yolo {
                Consent::Given
            } else {
                Consent::Nobody
            },
            max_steps: usize::from(self.max_turns),
        };
        let has_tools = !runtime.definitions().is_empty();
        let mut messages = vec![
            Message::system(system_prompt(has_tools)),
            Message::user(self.query.as_str()),
        ];
        let mut show = Show::new(self.quiet);
        let ended = {
            let mut on_event = |event: Event<'_>| show.event(&event);
            let run = turn.run(&mut messages, &mut on_event);
            tokio::select! {
                // The signal is caught from its first poll on, so that comes before the request.
                biased;
                _ = tokio::signal::ctrl_c() => None,
                outcome = run => Some(outcome),
            }
        };
        match ended {
            None => {
                cancel.cancel();
                show.break_line();
                note("interrupted");
                Err(End::Code(INTERRUPTED))
            }
            Some(Ok(Outcome::Answer { text, cut })) => {
                show.answer(&text);
                if let Some(cut) = cut {
                    note(&format!("hermes: the answer {cut}"));
                }
                if text.trim().is_empty() {
                    note("hermes: the model answered nothing");
                    return Err(End::Code(FAILED));
                }
                Ok(())
            }
            Some(Ok(Outcome::StepLimit(steps))) => {
                show.break_line();
                note(&format!(
                    "hermes: no answer after {steps} requests; raise --max-turns if the task is that long"
                ));
                Err(End::Code(FAILED))
            }
            Some(Err(error)) => {
                show.break_line();
                note(&format!("hermes: {error}"));
                Err(End::Code(FAILED))
            }
        }
    }
}

/// Nobody to ask is wrong usage: the request can't even be made.
fn no_route(error: &RouteError) -> End {
    let hints = match error {
        RouteError::NoProvider => vec![
            "with a key: export OPENAI_API_KEY=… and hermes chat --model gpt-5-mini -q \"…\""
                .to_owned(),
            "with a local server: export HERMES_BASE_URL=http://127.0.0.1:8080/v1 HERMES_MODEL=any"
                .to_owned(),
        ],
        _ => Vec::new(),
    };
    End::Usage(error.to_string(), hints)
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

/// Shows a turn: the answer on stdout, live on a terminal; tool calls on stderr.
struct Show {
    live: bool,
    quiet: bool,
    /// Text of this step that isn't shown yet, since it may be a tool call.
    held: String,
    /// Text of this step is on the terminal.
    shown: bool,
}

impl Show {
    fn new(quiet: bool) -> Self {
        Self {
            live: stdout_is_terminal(),
            quiet,
            held: String::new(),
            shown: false,
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Delta(Delta::Text(text)) if self.live => self.text(text),
            Event::Delta(Delta::Retry { reason, delay }) => {
                self.break_line();
                note(&format!(
                    "hermes: {}; trying again in {delay:.1?}",
                    one_line(reason, 300)
                ));
            }
            Event::NotTheAnswer => {
                self.break_line();
                self.held.clear();
            }
            Event::Calling(call) if !self.quiet => {
                let args = one_line(call.arguments.as_str(), 200);
                note(&format!("→ {} {args}", one_line(&call.name, 80)));
            }
            Event::Called(reply) if !self.quiet => {
                let mark = if reply.is_ok() { '✓' } else { '✗' };
                note(&format!("  {mark} {}", one_line(reply.json(), 200)));
            }
            Event::NotRun(call) if !self.quiet => {
                note(&format!("→ {}: cut off, not run", one_line(&call.name, 80)));
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.shown {
            part(&plain(text));
            return;
        }
        self.held.push_str(text);
        // What begins like this may turn out to be a tool call written as text.
        let begin = self.held.trim_start();
        if begin.is_empty() || begin.starts_with(['{', '[', '<', '`']) {
            return;
        }
        let held = std::mem::take(&mut self.held);
        part(&plain(held.trim_start()));
        self.shown = true;
    }

    fn break_line(&mut self) {
        if std::mem::take(&mut self.shown) {
            part("\n");
        }
    }

    fn answer(&mut self, text: &str) {
        if self.shown {
            self.break_line();
        } else if !text.trim().is_empty() {
            line(&plain(text.trim()));
        }
    }
}
