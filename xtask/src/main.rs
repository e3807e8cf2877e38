//! The project's own commands: `cargo xtask ci`, `cargo xtask demo`.
//!
//! Uses none of our crates. It drives cargo and the built binary, so it works when the rest
//! doesn't compile.

#![expect(
    clippy::disallowed_methods,
    reason = "running programs and reading CI's environment is this program's work"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool: its terminal is its only output"
)]

mod ci;
mod demo;
mod e2e;
mod hermes;
mod program;
mod steps;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The project's own commands"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run everything the gate runs
    Ci(ci::Options),
    /// Build the host with the calculator and show what it does
    Demo(demo::Options),
    /// Ask a real model on this machine, which is pulled for it
    E2e(e2e::Options),
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Ci(options) => ci::run(&options),
        Task::Demo(options) => demo::run(&options),
        Task::E2e(options) => e2e::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
