//! Processes of keepers and engines, as the table of processes has them.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// How long the kernel may take to end one.
const PATIENCE: Duration = Duration::from_secs(10);

/// An engine and the keeper that started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Started {
    pub(crate) engine: Process,
    pub(crate) keeper: Process,
}

/// A process of a keeper or of an engine, maybe one that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process(pub(crate) i32);

impl Process {
    /// Whether it runs. One that nobody waits for has ended too; another of its number isn't it.
    pub(crate) fn is_there(self) -> bool {
        let state = self.state();
        !matches!(state, None | Some('Z' | 'X')) && self.is_ours()
    }

    /// As in `/proc/PID/stat`.
    pub(crate) fn state(self) -> Option<char> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0)).ok()?;
        stat.rsplit_once(')')?.1.trim_start().chars().next()
    }

    fn is_ours(self) -> bool {
        let line = self.command_line();
        ["local-keeper", "local-engine", "llama-server", "stand-in"]
            .iter()
            .any(|word| line.contains(word))
    }

    pub(crate) fn command_line(self) -> String {
        self.read("cmdline").replace('\0', " ")
    }

    /// Its variables, one a line.
    pub(crate) fn environment(self) -> String {
        self.read("environ").replace('\0', "\n")
    }

    fn read(self, file: &str) -> String {
        let bytes = fs::read(format!("/proc/{}/{file}", self.0)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Ends it as nothing can be prepared for, and waits for that.
    pub(crate) fn kill(self) {
        let since = Instant::now();
        while self.is_there() && since.elapsed() < PATIENCE {
            let id = rustix::process::Pid::from_raw(self.0).unwrap();
            // It may have ended since.
            rustix::process::kill_process(id, rustix::process::Signal::KILL).ok();
            thread::sleep(Duration::from_millis(1));
        }
    }
}
