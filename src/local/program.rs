//! Programs that pulling runs: found on the path, run with their words kept from the terminal, and
//! ended with all that they started when nobody waits for them any more.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};

/// Longest line that is kept, in bytes.
const MOST_LINE: usize = 4096;
/// Lines of a program's end that are kept: pip's errors stand before their stack.
const MOST_LINES: usize = 200;

/// The first executable file of a name in the absolute folders of a search path.
pub(crate) fn find(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(path?)
        // A relative folder means another program in each working folder.
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|program| is_executable(program))
}

/// Whether a path is a file that may be run.
pub(crate) fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    metadata.is_file()
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// The last lines of both its outputs.
    pub(crate) lines: Vec<String>,
}

impl Ended {
    /// The line that says best what went wrong: the last that calls itself an error, else the last.
    pub(crate) fn complaint(&self) -> String {
        let last = |is_it: &dyn Fn(&str) -> bool| {
            let mut lines = self.lines.iter().rev().map(|line| line.trim());
            lines.find(|line| !line.is_empty() && is_it(line))
        };
        let line = last(&|line| line.starts_with("ERROR:"))
            .or_else(|| last(&|line| line.to_ascii_lowercase().contains("error:")))
            .or_else(|| last(&|_| true));
        match line {
            Some(line) => crate::term::one_line(line, 240),
            None => self.status.to_string(),
        }
    }
}

/// A program to run, without input.
pub(crate) struct Run {
    command: Command,
}

impl Run {
    #[expect(
        clippy::disallowed_methods,
        reason = "runs pip and a pulled engine for the user's own command, never for a model"
    )]
    pub(crate) fn new(program: &Path) -> Self {
        let mut command = Command::new(program);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // A package's build code has no business with them.
        for name in hermes_runtime::env::key_names() {
            command.env_remove(name);
        }
        // A group of its own: a build's compilers end with it.
        #[cfg(unix)]
        command.process_group(0);
        Self { command }
    }

    #[must_use]
    pub(crate) fn args<I: IntoIterator<Item: AsRef<OsStr>>>(mut self, arguments: I) -> Self {
        self.command.args(arguments);
        self
    }

    #[must_use]
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    #[must_use]
    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    async fn spawn(&mut self) -> io::Result<Child> {
        // A file just written counts as busy while a child that another thread is starting holds
        // its handle: between fork and exec.
        for _ in 0..50 {
            match self.command.spawn() {
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                spawned => return spawned,
            }
        }
        self.command.spawn()
    }

    /// Runs it to its end; each line of either output goes to `on_line`.
    ///
    /// Dropping the future ends the program and what it started.
    pub(crate) async fn complete(
        mut self,
        limit: Duration,
        on_line: &mut (dyn FnMut(&str) + Send),
    ) -> io::Result<Ended> {
        let mut child = self.spawn().await?;
        let group = Group::of(&child);
        let mut outputs = (
            child.stdout.take().map(lines_of),
            child.stderr.take().map(lines_of),
        );
        let mut kept = std::collections::VecDeque::new();
        let run = async {
            loop {
                let line = tokio::select! {
                    line = next(&mut outputs.0), if outputs.0.is_some() => line,
                    line = next(&mut outputs.1), if outputs.1.is_some() => line,
                    else => break,
                };
                let Some(line) = line else { continue };
                on_line(&line);
                if kept.len() == MOST_LINES {
                    kept.pop_front();
                }
                kept.push_back(line);
            }
            child.wait().await
        };
        let status = tokio::time::timeout(limit, run)
            .await
            .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        drop(group);
        Ok(Ended {
            status,
            lines: kept.into(),
        })
    }
}

/// An output, and the line that has begun.
struct Lines {
    reader: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    line: Vec<u8>,
}

fn lines_of(output: impl AsyncRead + Send + Unpin + 'static) -> Lines {
    Lines {
        reader: BufReader::new(Box::new(output)),
        line: Vec::new(),
    }
}

/// The next line, cut; at the end of the output it is taken away. May be dropped at any time: what
/// was read of a line is kept.
async fn next(output: &mut Option<Lines>) -> Option<String> {
    let Lines { reader, line } = output.as_mut()?;
    let is_over = loop {
        let available = match reader.fill_buf().await {
            Ok([]) | Err(_) => break true,
            Ok(available) => available,
        };
        // Progress bars go back to the start of their line.
        let end = available
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r'));
        let taken = &available[..end.unwrap_or(available.len())];
        let room = MOST_LINE.saturating_sub(line.len());
        line.extend_from_slice(&taken[..taken.len().min(room)]);
        let used = taken.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            break false;
        }
    };
    let line = std::mem::take(line);
    if is_over {
        *output = None;
    }
    (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned())
}

/// Ends a process group when dropped.
struct Group(#[cfg(unix)] Option<rustix::process::Pid>);

impl Group {
    #[cfg(unix)]
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(rustix::process::Pid::from_raw))
    }

    #[cfg(not(unix))]
    fn of(_: &Child) -> Self {
        Self()
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        if let Some(id) = self.0 {
            // Most often there is nobody left in it, which is an error of no interest.
            rustix::process::kill_process_group(id, rustix::process::Signal::KILL).ok();
        }
    }
}

/// Asks an engine for its version, which loads its libraries and shows whether it starts at all.
pub(crate) async fn probe(program: &Path, libraries: &Path) -> Result<(), String> {
    let variable = if cfg!(target_os = "macos") {
        "DYLD_LIBRARY_PATH"
    } else {
        "LD_LIBRARY_PATH"
    };
    let ended = Run::new(program)
        .args(["--version"])
        .env(variable, libraries)
        .complete(Duration::from_mins(1), &mut |_| {})
        .await
        .map_err(|error| match error.kind() {
            // The kernel says this when the loader that a program names is missing.
            io::ErrorKind::NotFound => {
                "it is built for another C library than this system's".to_owned()
            }
            _ => error.to_string(),
        })?;
    if ended.status.success() {
        return Ok(());
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if ended.status.signal() == Some(rustix::process::Signal::ILL.as_raw()) {
            return Err("it uses instructions that this processor lacks".to_owned());
        }
    }
    Err(ended.complaint())
}

#[cfg(test)]
mod tests;
