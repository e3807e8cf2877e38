//! The `llama-server` child: its start, whether it is ready, and why it ended.

use super::launch::{Launch, hex};
use super::obituary::{self, Death};
use super::protocol::Say;
use ring::rand::{SecureRandom as _, SystemRandom};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A log above this is moved aside at the next start.
const LOG_LIMIT: u64 = 1024 * 1024;
/// How much of the log is read to find out why the engine ended.
const LOG_TAIL: u64 = 16 * 1024;

/// A running child.
pub(super) struct Engine {
    child: Child,
    port: u16,
    api_key: String,
    since: Instant,
    /// Where this start's part of the log begins.
    log_from: u64,
    is_ready: bool,
}

/// How it stands.
pub(super) enum Health {
    Loading,
    Ready,
    Ended(Death),
}

impl Engine {
    /// Starts it on `port`, or on a free one.
    pub(super) fn start(launch: &Launch, port: Option<u16>) -> Result<Self, String> {
        if let Some(message) = obituary::too_little_memory(launch) {
            return Err(message);
        }
        let free = port.filter(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok());
        let port = match free {
            Some(port) => port,
            None => free_port().map_err(|error| format!("no loopback port is free: {error}"))?,
        };
        let api_key = secret()?;
        let (log, log_from) = open_log(&launch.log).map_err(|error| {
            format!(
                "the log `{}` can't be written: {error}",
                launch.log.display()
            )
        })?;
        let errors = log.try_clone().map_err(|error| error.to_string())?;
        let mut command = command(launch, port)?;
        command
            .env("LLAMA_API_KEY", &api_key)
            // A crash would start a debugger, which takes seconds and hides the reason.
            .env("GGML_NO_BACKTRACE", "1")
            // Kept prompts, in MiB; the engine's own limit of 8 GiB is more than the machine may have. By
            // variables, since engines that don't know one pass it over.
            .env("LLAMA_ARG_CACHE_RAM", "256")
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors);
        if let Some(folder) = &launch.library_folder {
            command.env(LIBRARY_PATH, library_path(folder));
        }
        let child = command
            .spawn()
            .map_err(|error| format!("`{}` can't be started: {error}", launch.program.display()))?;
        Ok(Self {
            child,
            port,
            api_key,
            since: Instant::now(),
            log_from,
            is_ready: false,
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn endpoint(&self) -> Say {
        Say::Ready {
            base_url: format!("http://127.0.0.1:{}/v1", self.port),
            api_key: self.api_key.clone(),
        }
    }

    /// Whether it was ready at the last look.
    pub(super) fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Whether it isn't running any more, or is about to end: the port goes before the process.
    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None)) || (self.is_ready && !listens(self.port))
    }

    /// Looks; quick, except that an engine which doesn't answer costs half a second.
    pub(super) fn look(&mut self, launch: &Launch) -> Health {
        match self.child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => {
                let log = self.log(&launch.log);
                return Health::Ended(obituary::of(status, &log, launch));
            }
            Err(error) => return Health::Ended(Death::Other(error.to_string())),
        }
        if !self.is_ready {
            self.is_ready = is_healthy(self.port);
        }
        if self.is_ready {
            return Health::Ready;
        }
        if self.since.elapsed() > launch.patience {
            self.kill();
            return Health::Ended(Death::Other(format!(
                "the engine wasn't ready after {:?}; its log is `{}`",
                launch.patience,
                launch.log.display()
            )));
        }
        Health::Loading
    }

    /// What it wrote since its start.
    fn log(&self, path: &Path) -> String {
        let read = || -> io::Result<String> {
            let mut file = File::open(path)?;
            let end = file.metadata()?.len();
            file.seek(SeekFrom::Start(
                self.log_from.max(end.saturating_sub(LOG_TAIL)),
            ))?;
            let mut bytes = Vec::new();
            file.take(LOG_TAIL).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        read().unwrap_or_default()
    }

    /// The process group that the child leads.
    #[cfg(unix)]
    fn group(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(i32::try_from(self.child.id()).ok()?)
    }

    /// Ends it and waits for that.
    pub(super) fn kill(&mut self) {
        // It holds nothing that a polite request would save, and may be stuck in loading. What is called
        // `llama-server` may be a script that started the engine.
        #[cfg(unix)]
        if let Some(group) = self.group() {
            // Nobody is left in it, most likely, if the child has ended.
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(target_os = "macos")]
const LIBRARY_PATH: &str = "DYLD_LIBRARY_PATH";
#[cfg(not(target_os = "macos"))]
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";

/// The engine's folder before those that are set.
fn library_path(folder: &Path) -> std::ffi::OsString {
    let mut path = folder.as_os_str().to_owned();
    if let Some(more) = hermes_runtime::env::os(LIBRARY_PATH) {
        path.push(":");
        path.push(more);
    }
    path
}

/// The engine under its guard. The keeper's environment is filtered already.
#[cfg(unix)]
fn command(launch: &Launch, port: u16) -> Result<Command, String> {
    let mut command = super::this_program()
        .map_err(|error| format!("this program can't find itself: {error}"))?;
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
        .arg(super::GUARD)
        .arg(std::process::id().to_string())
        .arg(&launch.program)
        .args(launch.arguments(port));
    Ok(command)
}

#[cfg(not(unix))]
#[expect(
    clippy::disallowed_methods,
    reason = "the engine that the operator pulled or has on PATH"
)]
fn command(launch: &Launch, port: u16) -> Result<Command, String> {
    let mut command = Command::new(&launch.program);
    command.args(launch.arguments(port));
    Ok(command)
}

fn free_port() -> io::Result<u16> {
    // Somebody may take it before the engine does; then another is tried.
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port())
}

/// A random word that only this user's processes learn.
pub(super) fn secret() -> Result<String, String> {
    let mut bytes = [0; 24];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| "the system gives no random numbers".to_owned())?;
    Ok(hex(&bytes))
}

/// The log, opened for adding, and where this start's part begins.
pub(super) fn open_log(path: &Path) -> io::Result<(File, u64)> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > LOG_LIMIT) {
        fs::rename(path, path.with_extension("log.1"))?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    let from = file.metadata()?.len();
    Ok((file, from))
}

fn listens(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // One that is too busy to answer in time still listens.
    !TcpStream::connect_timeout(&address, Duration::from_millis(500))
        .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

/// Whether `/health` says 200; 503 means that it loads.
fn is_healthy(port: u16) -> bool {
    let ask = || -> io::Result<bool> {
        let patience = Duration::from_millis(500);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.write_all(b"GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")?;
        let mut start = [0; 12];
        stream.read_exact(&mut start)?;
        Ok(start.starts_with(b"HTTP/1.") && start.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}
