//! A `llama-server` that runs while somebody needs it.
//!
//! ```text
//! hermes chat ──lease──┐
//! hermes chat ──lease──┤ keeper ── engine (llama-server, loopback)
//! ```
//!
//! A **keeper**, this program under a hidden subcommand, owns the engine. Every process that asks holds a
//! **lease**, an open connection to the keeper; so the keeper sees the end of a process whatever ended it.
//! The engine stops when nobody has asked for a while, and at once when the last process ends without
//! saying goodbye. It can't outlive the keeper: on Linux the kernel kills it with its parent.
//!
//! **Invariant:** the engine listens on loopback and wants a key that is made anew for each start and
//! stands in no argument list, log or message.

mod door;
mod engine;
mod guard;
mod keeper;
mod launch;
mod lease;
mod obituary;
mod protocol;
mod record;

pub(crate) use guard::run as run_guard;
pub(crate) use keeper::run as run_keeper;
pub(crate) use launch::Launch;
pub(crate) use lease::{Lease, ServerError, connect};
pub(crate) use record::{Running, running, stop};

/// This program, to be run again. Also after an update put another in its place: a keeper may be older
/// than the file that it came from.
#[expect(
    clippy::disallowed_methods,
    reason = "this program itself, for a model that the operator chose"
)]
fn this_program() -> std::io::Result<std::process::Command> {
    let path = std::env::current_exe()?;
    #[cfg(target_os = "linux")]
    {
        let mut command = std::process::Command::new("/proc/self/exe");
        std::os::unix::process::CommandExt::arg0(&mut command, path);
        Ok(command)
    }
    #[cfg(not(target_os = "linux"))]
    Ok(std::process::Command::new(path))
}

/// Hidden subcommands by which this program runs itself.
pub(crate) const KEEPER: &str = "local-keeper";
pub(crate) const GUARD: &str = "local-engine";
