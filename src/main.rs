//! `hermes`: chat with an agent that uses the tools compiled in, or call them from a shell.

use std::process::ExitCode;

fn main() -> ExitCode {
    hermes::run()
}
