//! The command line: one file per command, clap's types and a call.

mod arguments;
mod chat;
mod completions;
mod doctor;
mod examples;
mod model;
mod plugins;
mod tools;

use crate::config::Config;
use crate::{local, logs, term};
use clap::{ArgAction, CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// The task or tool failed.
const FAILED: u8 = 1;
/// Wrong usage, also of a configuration file.
const USAGE: u8 = 2;
/// Interrupted by the user.
const INTERRUPTED: u8 = 130;

/// An agent whose tools are typed Rust functions, compiled in.
#[derive(Debug, Parser)]
#[command(
    name = "hermes",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    /// Say more on stderr; repeat for still more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ask the agent
    Chat(chat::Chat),
    /// List, inspect and call tools, without a model
    #[command(subcommand)]
    Tools(tools::Tools),
    /// The model that answers: list, choose, test; get one for this machine
    #[command(subcommand)]
    Model(model::ModelCommand),
    /// What is compiled in
    #[command(subcommand)]
    Plugins(plugins::Plugins),
    /// Check the installation and say what is missing
    Doctor(doctor::Doctor),
    /// Print a shell's completion script
    Completions(completions::Completions),
    /// Owns the engine of local models; run by this program itself
    #[command(hide = true)]
    LocalKeeper,
    /// Becomes the engine; run by the keeper
    #[command(hide = true)]
    LocalEngine {
        /// The keeper's process
        parent: u32,
        /// The engine
        program: OsString,
        /// Its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// What a command ends with, if it isn't success.
enum End {
    /// This exit code; everything is said.
    Code(u8),
    /// Wrong usage: this text, then exit 2.
    Usage(String, Vec<String>),
}

impl End {
    fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into(), Vec::new())
    }
}

type Ended = Result<(), End>;

/// See [`crate::run`].
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Command::LocalKeeper => return local::server::run_keeper(),
        Command::LocalEngine {
            parent,
            program,
            arguments,
        } => return local::server::run_guard(*parent, program, arguments),
        _ => {}
    }
    logs::start(cli.verbose);
    logs::quiet_contained_panics();
    let ended = match cli.command {
        Command::Completions(command) => {
            command.run(&mut Cli::command());
            Ok(())
        }
        // What a broken file does is for the doctor to say, beside all the rest.
        Command::Doctor(command) => command.run(Config::load()),
        command => config().and_then(|config| match command {
            Command::Chat(command) => command.run(&config),
            Command::Tools(command) => command.run(&config),
            Command::Model(command) => command.run(&config),
            Command::Plugins(command) => command.run(&config),
            // Handled above.
            Command::Doctor(_)
            | Command::Completions(_)
            | Command::LocalKeeper
            | Command::LocalEngine { .. } => Ok(()),
        }),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(End::Code(code)) => ExitCode::from(code),
        Err(End::Usage(text, hints)) => {
            term::fault(&text, &hints);
            ExitCode::from(USAGE)
        }
    }
}

fn config() -> Result<Config, End> {
    Config::load().map_err(|error| End::usage(error.to_string()))
}

/// Prints any value as pretty JSON.
fn print_json(value: &serde_json::Value) {
    // Writing a `Value` to a string can't fail; the compact form stands in for the impossible.
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
    term::line(&text);
}

/// A tokio runtime that never waits for work that was left behind.
fn block_on<F: Future>(future: F) -> Result<F::Output, End> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| {
            term::fault(&format!("no threads can be started: {error}"), &[]);
            End::Code(FAILED)
        })?;
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(output)
}
