//! Becomes the engine, and sees to it that the engine doesn't outlive the keeper.

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs `program` in this process' place.
///
/// `parent` is the keeper's process. On Linux the kernel is told to kill this process when the keeper
/// ends, however it ends; that survives `exec`. Returns only if the program can't be run.
#[cfg(unix)]
pub(crate) fn run(parent: u32, program: &OsString, arguments: &[OsString]) -> ExitCode {
    use std::os::unix::process::CommandExt as _;
    #[cfg(target_os = "linux")]
    {
        let kill = Some(rustix::process::Signal::KILL);
        let is_orphan = || {
            let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
            now != i32::try_from(parent).ok()
        };
        // The keeper may have ended before the kernel was told.
        if rustix::process::set_parent_process_death_signal(kill).is_err() || is_orphan() {
            return ExitCode::FAILURE;
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    #[expect(
        clippy::disallowed_methods,
        reason = "the engine that the operator pulled or has on PATH"
    )]
    let error = std::process::Command::new(program).args(arguments).exec();
    // The keeper reads this from the log.
    crate::term::note(&format!("{CANT_RUN}{error}"));
    ExitCode::from(127)
}

/// There is nothing that ties a child to its parent here; the keeper starts the engine itself.
#[cfg(not(unix))]
pub(crate) fn run(_: u32, _: &OsString, _: &[OsString]) -> ExitCode {
    ExitCode::FAILURE
}

/// Begins the line that says why.
pub(super) const CANT_RUN: &str = "hermes: the engine can't be run: ";
