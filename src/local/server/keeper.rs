//! The process that owns the engine. Plain threads: it lives long and should weigh little.

use super::door::{Event, LeaseId, accept};
use super::engine::{Engine, Health, open_log, secret};
use super::launch::Launch;
use super::obituary::Death;
use super::protocol::{Ask, Born, Say, line};
use super::record::{Record, remove};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a starter has to connect. One that was only slow finds another keeper or starts one.
const FIRST_LEASE: Duration = Duration::from_secs(3);
/// How often an engine is looked at while it loads.
const LOOK: Duration = Duration::from_millis(50);
/// How often an engine that runs is looked at, so that a dead one is noticed before it is asked.
const GLANCE: Duration = Duration::from_secs(5);
/// How often a port that somebody took in between is replaced by another.
const PORTS: u32 = 3;

/// Runs the keeper: reads a [`Launch`] from stdin, says on stdout where it listens, and stays until
/// nobody needs the engine.
pub(crate) fn run() -> ExitCode {
    // Out of the terminal's reach: Ctrl-C and a closed window are for the process in front.
    // An error says that it leads a group of its own already.
    #[cfg(unix)]
    if let Err(error) = rustix::process::setsid() {
        tracing::debug!(%error, "no session of its own");
    }
    let mut text = Vec::new();
    let launch = match io::stdin().read_to_end(&mut text) {
        Ok(_) => serde_json::from_slice::<Launch>(&text).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let keeper = launch.and_then(Keeper::born);
    let (born, code) = match &keeper {
        Ok(Some(keeper)) => (keeper.address(), ExitCode::SUCCESS),
        Ok(None) => (Born::Taken, ExitCode::SUCCESS),
        Err(message) => (
            Born::Failed {
                message: message.clone(),
            },
            ExitCode::FAILURE,
        ),
    };
    let mut stdout = io::stdout();
    if stdout
        .write_all(&line(&born))
        .and_then(|()| stdout.flush())
        .is_err()
    {
        return ExitCode::FAILURE;
    }
    if let Ok(Some(keeper)) = keeper {
        keeper.keep();
    }
    code
}

/// One process that uses the engine.
struct Lease {
    stream: TcpStream,
    /// Questions that are being answered.
    open: u32,
    /// Waits to hear that the engine is ready.
    waits: bool,
    /// Ever asked; one that didn't only looked around.
    has_begun: bool,
    said_bye: bool,
}

struct Keeper {
    launch: Launch,
    /// Held as long as the keeper lives; `None` where nothing can be written.
    _lock: Option<File>,
    record: Option<std::path::PathBuf>,
    listener: TcpListener,
    token: String,
    leases: BTreeMap<LeaseId, Lease>,
    engine: Option<Engine>,
    /// The port of the last start, wanted again after a sleep.
    port: Option<u16>,
    ports_left: u32,
    /// Since when nobody asks.
    idle_since: Instant,
    /// The starter came, or somebody else who asks.
    was_used: bool,
    /// The last process that ended said no goodbye.
    was_deserted: bool,
}

impl Keeper {
    /// `None` if another keeper has this server.
    fn born(mut launch: Launch) -> Result<Option<Self>, String> {
        let key = launch.key();
        let lock = match lock(&launch, &key) {
            Lock::Ours(file) => Some(file),
            Lock::Taken => return Ok(None),
            // Nothing can be written there: the server works, it only can't be found by others.
            Lock::Impossible => None,
        };
        // A home that can't be written is no reason to have no model.
        if open_log(&launch.log).is_err()
            && let Some(name) = launch.log.file_name()
        {
            launch.log = launch.run_folder.join(name);
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .map_err(|error| format!("no loopback port is free: {error}"))?;
        let port = listener
            .local_addr()
            .map_err(|error| error.to_string())?
            .port();
        let token = secret()?;
        let path = Record::path(&launch.run_folder, &key);
        let record = Record {
            weights: launch.weights.clone(),
            pid: std::process::id(),
            port,
            token: token.clone(),
        };
        let is_known = lock.is_some() && record.save(&path).is_ok();
        // A keeper that can't be found must not keep others from having theirs.
        let lock = lock.filter(|_| is_known);
        Ok(Some(Self {
            launch,
            _lock: lock,
            record: is_known.then_some(path),
            listener,
            token,
            leases: BTreeMap::new(),
            engine: None,
            port: None,
            ports_left: PORTS,
            idle_since: Instant::now(),
            was_used: false,
            was_deserted: false,
        }))
    }

    fn address(&self) -> Born {
        match self.listener.local_addr() {
            Ok(address) => Born::At {
                port: address.port(),
                token: self.token.clone(),
            },
            Err(error) => Born::Failed {
                message: error.to_string(),
            },
        }
    }

    /// Serves until nobody needs the engine. Spawns it from this thread, which ends last: the kernel
    /// takes the end of the thread that spawned for the end of the parent.
    fn keep(mut self) {
        let (sender, events) = channel();
        let token = self.token.clone();
        match self.listener.try_clone() {
            Ok(listener) => drop(thread::spawn(move || accept(&listener, &token, &sender))),
            Err(_) => return,
        }
        while self.is_needed() {
            match self.next(&events) {
                Some(Event::Opened(id, stream)) => {
                    self.leases.insert(
                        id,
                        Lease {
                            stream,
                            open: 0,
                            waits: false,
                            has_begun: false,
                            said_bye: false,
                        },
                    );
                }
                Some(Event::Asked(_, Ask::Stop)) => break,
                Some(Event::Asked(id, ask)) => self.asked(id, &ask),
                Some(Event::Closed(id)) => self.closed(id),
                None => {}
            }
            self.look();
        }
        if let Some(path) = &self.record {
            remove(path);
        }
        self.engine = None;
    }

    /// The next event, or `None` when it is time to look around.
    fn next(&self, events: &Receiver<Event>) -> Option<Event> {
        let wait = self.pause();
        match events.recv_timeout(wait) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            // The accepting thread never ends by itself.
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(wait);
                None
            }
        }
    }

    /// How long nothing will have to be done, if nobody asks.
    fn pause(&self) -> Duration {
        let left = |limit: Duration| limit.saturating_sub(self.idle_since.elapsed()).max(LOOK);
        if self.waits() {
            LOOK
        } else if !self.was_used {
            GLANCE.min(left(FIRST_LEASE))
        } else if self.engine.is_some() && !self.stays() {
            GLANCE.min(left(self.launch.keep_alive))
        } else {
            GLANCE
        }
    }

    /// Whether somebody waits for the engine.
    fn waits(&self) -> bool {
        self.leases.values().any(|lease| lease.waits)
    }

    /// Whether the engine stays however long ago the last question was. A process that only holds its
    /// lease lets it sleep; with no time to stay at all, it is there for as long as the process.
    fn stays(&self) -> bool {
        let is_asked = self.leases.values().any(|lease| lease.open > 0);
        is_asked || (self.launch.keep_alive.is_zero() && !self.leases.is_empty())
    }

    fn is_needed(&self) -> bool {
        if !self.leases.is_empty() {
            return true;
        }
        if !self.was_used {
            return self.idle_since.elapsed() < FIRST_LEASE;
        }
        self.engine.is_some()
            && !self.was_deserted
            && self.idle_since.elapsed() < self.launch.keep_alive
    }

    fn asked(&mut self, id: LeaseId, ask: &Ask) {
        if *ask == Ask::Begin && !self.waits() {
            // One that ended unasked, since the last glance, is no answer to this question.
            self.engine.take_if(Engine::has_ended);
        }
        let Some(lease) = self.leases.get_mut(&id) else {
            return;
        };
        match ask {
            Ask::Begin => {
                lease.open += 1;
                lease.waits = true;
                lease.has_begun = true;
                self.was_used = true;
                if !self.engine.as_ref().is_some_and(Engine::is_ready) {
                    say(&mut lease.stream, &Say::Starting);
                }
                if self.engine.is_none() {
                    self.ports_left = PORTS;
                }
            }
            Ask::End => {
                lease.open = lease.open.saturating_sub(1);
                self.idle_since = Instant::now();
            }
            Ask::Bye => lease.said_bye = true,
            Ask::Hello { .. } | Ask::Stop => {}
        }
    }

    fn closed(&mut self, id: LeaseId) {
        // Who only looked around neither ends the server nor keeps it.
        let used = self
            .leases
            .remove(&id)
            .filter(|lease| lease.has_begun || !lease.said_bye);
        if let Some(lease) = used {
            self.was_used = true;
            self.was_deserted = !lease.said_bye;
            self.idle_since = Instant::now();
        }
    }

    /// Starts, watches and stops the engine, and tells those who wait.
    fn look(&mut self) {
        let waits = self.waits();
        if self.engine.is_none() {
            if !waits {
                return;
            }
            match Engine::start(&self.launch, self.port) {
                Ok(engine) => {
                    self.port = Some(engine.port());
                    self.engine = Some(engine);
                }
                Err(message) => return self.tell(&Say::Failed { message }),
            }
        }
        if !self.stays() && self.idle_since.elapsed() >= self.launch.keep_alive {
            self.engine = None;
            return;
        }
        let Some(engine) = &mut self.engine else {
            return;
        };
        match engine.look(&self.launch) {
            Health::Ready if waits => {
                let ready = engine.endpoint();
                self.tell(&ready);
            }
            Health::Ready | Health::Loading => {}
            Health::Ended(death) => {
                self.engine = None;
                match death {
                    Death::PortTaken if self.ports_left > 1 => {
                        self.ports_left -= 1;
                        self.port = None;
                    }
                    Death::PortTaken => self.tell(&Say::Failed {
                        message: format!(
                            "the engine found no free port in {PORTS} tries; its log is `{}`",
                            self.launch.log.display()
                        ),
                    }),
                    Death::Other(message) => self.tell(&Say::Failed { message }),
                }
            }
        }
    }

    /// Answers all who wait.
    fn tell(&mut self, what: &Say) {
        let failed = matches!(what, Say::Failed { .. });
        for lease in self.leases.values_mut().filter(|lease| lease.waits) {
            lease.waits = false;
            if failed {
                lease.open = lease.open.saturating_sub(1);
            }
            say(&mut lease.stream, what);
        }
    }
}

fn say(stream: &mut TcpStream, what: &Say) {
    // A reader that is gone is noticed by the thread that reads from it.
    drop(stream.write_all(&line(what)));
}

enum Lock {
    Ours(File),
    Taken,
    Impossible,
}

fn lock(launch: &Launch, key: &str) -> Lock {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let mut folder = fs::DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    }
    if folder.create(&launch.run_folder).is_err() {
        return Lock::Impossible;
    }
    let path = launch.run_folder.join(format!("{key}.lock"));
    let Ok(file) = options.open(path) else {
        return Lock::Impossible;
    };
    match file.try_lock() {
        Ok(()) => Lock::Ours(file),
        Err(fs::TryLockError::WouldBlock) => Lock::Taken,
        Err(fs::TryLockError::Error(_)) => Lock::Impossible,
    }
}
