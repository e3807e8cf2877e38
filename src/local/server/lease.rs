//! The side of a process that asks.

use super::KEEPER;
use super::launch::Launch;
use super::protocol::{Ask, Born, Say, line, read};
use super::record::{Record, connect as connect_to};
use crate::provider::ApiKey;
use hermes_runtime::env;
use std::io::{self, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::task::spawn_blocking;

/// How long two processes that start at the same time wait for one another.
const OTHER_STARTER: Duration = Duration::from_secs(10);

/// Why the local model can't be asked.
#[derive(Debug, Error)]
pub(crate) enum ServerError {
    #[error("{0}")]
    Engine(String),
    #[error("the local server's keeper can't be started: {0}")]
    Keeper(String),
    #[error("the local server's keeper is gone: {0}")]
    Lost(io::Error),
}

/// Where the engine answers, until the end of the question.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(crate) base_url: String,
    pub(crate) api_key: ApiKey,
}

/// A share in a running server. Dropping it says goodbye; a process that ends without doing so is taken
/// for a crashed one.
#[derive(Debug)]
pub(crate) struct Lease {
    launch: Launch,
    stream: TcpStream,
}

/// Finds the server of this launch, or a keeper for it; the engine starts with the first question.
pub(crate) async fn connect(launch: Launch) -> Result<Lease, ServerError> {
    blocking(move || {
        let stream = find_or_start(&launch)?;
        Ok(Lease { launch, stream })
    })
    .await
}

impl Lease {
    /// Makes sure that the engine runs; `starting` hears if that takes a while. [`Lease::end`] ends the
    /// question.
    pub(crate) async fn begin(
        self,
        mut starting: impl FnMut() + Send + 'static,
    ) -> Result<(Self, Endpoint), ServerError> {
        blocking(move || {
            let mut lease = self;
            let endpoint = match lease.ask(&mut starting) {
                // The keeper was killed since; another one serves as well.
                Err(ServerError::Lost(_)) => {
                    lease.stream = find_or_start(&lease.launch)?;
                    lease.ask(&mut starting)
                }
                other => other,
            }?;
            Ok((lease, endpoint))
        })
        .await
    }

    /// The engine's log.
    pub(crate) fn log(&self) -> &Path {
        &self.launch.log
    }

    /// The question is answered.
    pub(crate) fn end(&mut self) {
        // A keeper that is gone has nothing to be told.
        drop(self.stream.write_all(&line(&Ask::End)));
    }

    fn ask(&mut self, starting: &mut dyn FnMut()) -> Result<Endpoint, ServerError> {
        self.stream
            .write_all(&line(&Ask::Begin))
            .map_err(ServerError::Lost)?;
        // The keeper says nothing unasked, so the reader holds nothing back.
        let mut reader = BufReader::new(&self.stream);
        loop {
            match read(&mut reader).map_err(ServerError::Lost)? {
                Some(Say::Ready { base_url, api_key }) => {
                    let api_key = ApiKey::new(&api_key)
                        .ok_or_else(|| ServerError::Engine("the keeper gave no key".to_owned()))?;
                    return Ok(Endpoint { base_url, api_key });
                }
                Some(Say::Starting) => starting(),
                Some(Say::Failed { message }) => return Err(ServerError::Engine(message)),
                Some(Say::Welcome) => {}
                None => return Err(ServerError::Lost(io::ErrorKind::UnexpectedEof.into())),
            }
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        drop(self.stream.write_all(&line(&Ask::Bye)));
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ServerError> + Send + 'static,
) -> Result<T, ServerError> {
    spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(ServerError::Keeper(error.to_string())))
}

fn find_or_start(launch: &Launch) -> Result<TcpStream, ServerError> {
    let path = Record::path(&launch.run_folder, &launch.key());
    let since = Instant::now();
    loop {
        if let Some(stream) = Record::load(&path).and_then(|record| record.connect()) {
            return Ok(stream);
        }
        match start(launch).map_err(|error| ServerError::Keeper(error.to_string()))? {
            Born::At { port, token } => match connect_to(port, &token) {
                Some(stream) => return Ok(stream),
                // It was killed, or gave up on a starter that was too slow.
                None if since.elapsed() < OTHER_STARTER => {}
                None => return Err(ServerError::Keeper("it doesn't answer".to_owned())),
            },
            Born::Failed { message } => return Err(ServerError::Keeper(message)),
            // Its file will be there in a moment; or it is about to end, and then the lock is free.
            Born::Taken if since.elapsed() < OTHER_STARTER => {
                thread::sleep(Duration::from_millis(50));
            }
            Born::Taken => {
                let holder = Record::load(&path).map_or_else(
                    || "another one".to_owned(),
                    |record| format!("process {}", record.pid),
                );
                return Err(ServerError::Keeper(format!(
                    "{holder} holds `{}` and doesn't answer; end it, and ask again",
                    path.with_extension("lock").display()
                )));
            }
        }
    }
}

/// Starts a keeper and hears where it listens.
fn start(launch: &Launch) -> io::Result<Born> {
    let mut command = super::this_program()?;
    command
        .arg(KEEPER)
        // Keys of providers are none of the engine's business.
        .env_clear()
        .envs(env::for_engine())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let launch = serde_json::to_vec(launch)?;
    // The keeper stays when we end. With the caller's pipes and locks in its hands, a script that waits for
    // their end would wait for it.
    #[cfg(unix)]
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    // Whoever starts a process must wait for it, or it stays in the table.
    thread::spawn(move || child.wait());
    let mut born = None;
    if let (Some(mut stdin), Some(stdout)) = (stdin, stdout) {
        stdin.write_all(&launch)?;
        drop(stdin);
        born = read(&mut BufReader::new(stdout))?;
    }
    born.ok_or_else(|| io::Error::other("it ended without a word"))
}
