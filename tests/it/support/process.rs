//! Runs the built binary and says what it did.

use super::Home;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// No run takes longer; one that does is killed, and its test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// The binary with these arguments, an empty home and nothing else in the environment.
pub(crate) fn hermes<const N: usize>(args: [&str; N]) -> Ran {
    Hermes::new(args).run()
}

/// The program under test.
pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_hermes")
}

/// One run of the binary, not yet started.
pub(crate) struct Hermes {
    pub(crate) home: Home,
    command: Command,
    stdin: Vec<u8>,
    secrets: Vec<String>,
}

impl Hermes {
    pub(crate) fn new<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Self {
        Self::of(program(), args)
    }

    /// Another program in the same surroundings, such as a shell that starts the binary.
    #[expect(
        clippy::disallowed_methods,
        reason = "tests start the binary under test"
    )]
    pub(crate) fn of<A: AsRef<OsStr>>(program: &str, args: impl IntoIterator<Item = A>) -> Self {
        let home = Home::new();
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            .env("HOME", home.outer())
            .env("HERMES_HOME", home.path())
            .current_dir(home.outer());
        Self {
            home,
            command,
            stdin: Vec::new(),
            secrets: Vec::new(),
        }
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// The folder in which it runs.
    #[cfg(target_os = "linux")]
    pub(crate) fn folder(mut self, folder: &std::path::Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// A variable whose value must not come out of the process again.
    pub(crate) fn secret(mut self, name: &str, value: &str) -> Self {
        self.secrets.push(value.to_owned());
        self.env(name, value)
    }

    pub(crate) fn config(self, yaml: impl AsRef<[u8]>) -> Self {
        self.home.write("config.yaml", yaml);
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    pub(crate) fn run(self) -> Ran {
        self.start().wait()
    }

    pub(crate) fn start(mut self) -> Running {
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let bytes = self.stdin;
        // A program that doesn't read its stdin closes it early; that is no fault.
        thread::spawn(move || drop(stdin.write_all(&bytes)));
        let out = child.stdout.take().map(reader);
        let err = child.stderr.take().map(reader);
        Running {
            child,
            out,
            err,
            since: Instant::now(),
            home: self.home,
            secrets: self.secrets,
        }
    }
}

fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).expect("output is UTF-8")
    })
}

/// A run that hasn't ended.
pub(crate) struct Running {
    child: Child,
    out: Option<JoinHandle<String>>,
    err: Option<JoinHandle<String>>,
    since: Instant,
    pub(crate) home: Home,
    secrets: Vec<String>,
}

impl Running {
    /// Ends it as nothing can be prepared for.
    pub(crate) fn kill(mut self) -> Home {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.home
    }

    /// As the key Ctrl-C does.
    #[cfg(unix)]
    #[expect(
        clippy::disallowed_methods,
        reason = "std can't send signals, a shell can"
    )]
    pub(crate) fn interrupt(&self) {
        let id = self.child.id().to_string();
        let status = Command::new("/bin/sh")
            .args(["-c", "kill -INT \"$0\"", &id])
            .status()
            .unwrap();
        assert!(status.success());
    }

    pub(crate) fn wait(mut self) -> Ran {
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if self.since.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("no end after {PATIENCE:?}");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let took = self.since.elapsed();
        let text = |pipe: Option<JoinHandle<String>>| pipe.unwrap().join().unwrap();
        let ran = Ran {
            code: status.code(),
            out: text(self.out),
            err: text(self.err),
            took,
            home: self.home,
        };
        ran.check(&self.secrets);
        ran
    }
}

/// What a run did.
pub(crate) struct Ran {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) took: Duration,
    pub(crate) home: Home,
}

impl Ran {
    /// What holds for every run, whatever it was for.
    fn check(&self, secrets: &[String]) {
        for (name, text) in [("stdout", &self.out), ("stderr", &self.err)] {
            assert!(
                !text.contains('\u{1b}'),
                "an escape code on {name}: {text:?}"
            );
            assert!(!text.contains("panicked at"), "a panic on {name}: {text}");
            for secret in secrets {
                assert!(!text.contains(secret), "a secret on {name}: {text}");
            }
        }
    }

    /// It ended with this code.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        assert_eq!(
            self.code,
            Some(code),
            "stdout: {}\nstderr: {}",
            self.out,
            self.err
        );
        self
    }

    /// This and nothing else went to stdout.
    #[track_caller]
    pub(crate) fn prints(&self, text: &str) -> &Self {
        assert_eq!(self.out, text, "stderr: {}", self.err);
        self
    }

    /// This and nothing else went to stderr.
    #[track_caller]
    pub(crate) fn notes(&self, text: &str) -> &Self {
        assert_eq!(self.err, text, "stdout: {}", self.out);
        self
    }

    /// Stderr holds each of these.
    #[track_caller]
    pub(crate) fn says(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(
                self.err.contains(part),
                "no {part:?} in stderr: {}",
                self.err
            );
        }
        self
    }

    /// Stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}\nstderr: {}", self.out, self.err))
    }
}
