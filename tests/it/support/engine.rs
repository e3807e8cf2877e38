//! A machine with a local model: weights of a few bytes, and a `llama-server` that is this test binary.
//!
//! The engine's environment is filtered, so all that the stand-in has to know lies in files beside it.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write and remove their own folders only"
)]

use super::server::{self, Answer, Request};
use super::table::{Process, Started};
use super::{Hermes, Home, says};
use hermes_runtime::env;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// No server is longer on its way.
const PATIENCE: Duration = Duration::from_secs(10);

/// A cache folder with a model, an engine on the path and a home.
pub(crate) struct Local {
    pub(crate) home: Home,
}

impl Local {
    /// With a small model, `tiny`, and an engine that says hello.
    pub(crate) fn new() -> Self {
        let local = Self::without_model();
        local.model("tiny", 256);
        local
    }

    pub(crate) fn without_model() -> Self {
        let local = Self { home: Home::new() };
        fs::create_dir_all(local.folder().join("bin")).unwrap();
        let link = |of: &Path, name: &str| {
            std::os::unix::fs::symlink(of, local.folder().join("bin").join(name)).unwrap();
        };
        // Links, since a file just written can't be run while another thread starts a process.
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/support/llama-server.sh");
        link(&script, "llama-server");
        link(&std::env::current_exe().unwrap(), "stand-in");
        local.mode("ready");
        local.answers([says("Hello from the engine.")]);
        local
    }

    /// The folder of all that belongs to it.
    pub(crate) fn folder(&self) -> &Path {
        self.home.outer()
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder().join("cache")
    }

    /// Adds weights; of a thousand million parameters they are no small model.
    pub(crate) fn model(&self, name: &str, parameters: u64) -> PathBuf {
        let path = self.cache().join("models").join(format!("{name}.gguf"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, weights(parameters)).unwrap();
        path
    }

    /// What the next engine does: `ready`; `slow MILLISECONDS`; `never`; `taken TIMES`; `signal NAME`;
    /// `inside`, a script around it that stays.
    pub(crate) fn mode(&self, mode: &str) {
        fs::write(self.folder().join("mode"), format!("{mode}\n")).unwrap();
    }

    /// The next engine writes these lines and ends with this code.
    pub(crate) fn says(&self, lines: &str, code: u8) {
        fs::write(self.folder().join("words"), format!("{lines}\n")).unwrap();
        self.mode(&format!("says {code}"));
    }

    /// One answer a request; the last is repeated.
    pub(crate) fn answers(&self, answers: impl IntoIterator<Item = Answer>) {
        let answers: Vec<Value> = answers.into_iter().map(|answer| answer.to_json()).collect();
        fs::write(
            self.folder().join("answers"),
            Value::from(answers).to_string(),
        )
        .unwrap();
    }

    /// The binary on this machine.
    pub(crate) fn hermes<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Hermes {
        Hermes::new(args)
            .env("HOME", self.folder())
            .env("HERMES_HOME", self.home.path())
            .env("HERMES_CACHE", self.cache())
            .env("PATH", self.folder().join("bin"))
    }

    /// A question to `tiny`.
    pub(crate) fn ask(&self, question: &str) -> Hermes {
        self.hermes(["chat", "--provider", "local", "--model", "tiny", "-q"])
            .args([question])
    }

    /// All engines that were started, with their keepers, in order.
    pub(crate) fn started(&self) -> Vec<Started> {
        let text = fs::read_to_string(self.folder().join("engines")).unwrap_or_default();
        text.lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(engine, keeper)| Started {
                engine: Process(engine.parse().unwrap()),
                keeper: Process(keeper.parse().unwrap()),
            })
            .collect()
    }

    /// The only engine that was started.
    #[track_caller]
    pub(crate) fn only(&self) -> Started {
        let started = self.started();
        assert_eq!(started.len(), 1, "{started:?}");
        started[0]
    }

    /// The engine inside the script, in mode `inside`.
    pub(crate) fn inside(&self) -> Process {
        let text = fs::read_to_string(self.folder().join("inside")).unwrap();
        Process(text.parse().unwrap())
    }

    /// What an engine was started with.
    pub(crate) fn arguments(&self, engine: Process) -> Vec<String> {
        arguments(self.folder(), engine.0)
    }

    /// All that the engines were asked.
    pub(crate) fn requests(&self) -> Vec<Request> {
        requests(self.folder())
    }

    /// The files of keepers that are there.
    pub(crate) fn records(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.cache().join("run")) else {
            return Vec::new();
        };
        entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect()
    }

    /// The only keeper's file.
    #[track_caller]
    pub(crate) fn record(&self) -> Value {
        let records = self.records();
        assert_eq!(records.len(), 1, "{records:?}");
        serde_json::from_slice(&fs::read(&records[0]).unwrap()).unwrap()
    }

    /// Waits until something is so.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, within: Duration, is_so: impl Fn(&Self) -> bool) {
        let since = Instant::now();
        while !is_so(self) {
            assert!(
                since.elapsed() < within,
                "not after {within:?}: {what}; {:?}",
                self.started()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    pub(crate) fn until_started(&self, count: usize) {
        self.until("the engine is started", PATIENCE, |local| {
            local.started().len() >= count
        });
    }

    #[track_caller]
    pub(crate) fn until_asked(&self, count: usize) {
        self.until("the engine is asked", PATIENCE, |local| {
            local.requests().len() >= count
        });
    }

    /// Waits until no keeper and no engine is left.
    #[track_caller]
    pub(crate) fn until_gone(&self, within: Duration) {
        self.until("keepers and engines are gone", within, |local| {
            local
                .started()
                .iter()
                .all(|one| !one.engine.is_there() && !one.keeper.is_there())
                && local.records().is_empty()
        });
    }

    /// What the engines wrote.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.home.path().join("logs/local-tiny.log")).unwrap_or_default()
    }

    /// A text of the program without what differs from run to run.
    pub(crate) fn filtered(&self, text: &str) -> String {
        text.replace(self.folder().to_str().unwrap(), "[FOLDER]")
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let records = self.records();
        let known = records
            .iter()
            .filter_map(|path| serde_json::from_slice::<Value>(&fs::read(path).ok()?).ok())
            .filter_map(|record| Some(Process(record["pid"].as_u64()?.try_into().ok()?)));
        let started = self.started();
        let keepers = started.iter().map(|one| one.keeper);
        for keeper in known.chain(keepers) {
            keeper.kill();
        }
        for one in started {
            one.engine.kill();
        }
    }
}

/// A head that is in order, with a chat template that knows tools, and no weights.
fn weights(parameters: u64) -> Vec<u8> {
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(3_u32.to_le_bytes());
    // Tensors, entries.
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend(3_u64.to_le_bytes());
    for (key, value) in [
        ("general.architecture", "llama"),
        ("general.license", "mit"),
        ("tokenizer.chat_template", "{% if tools %}{% endif %}"),
    ] {
        text(&mut bytes, key);
        bytes.extend(8_u32.to_le_bytes());
        text(&mut bytes, value);
    }
    text(&mut bytes, "output.weight");
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(parameters.to_le_bytes());
    // Of a kind that nobody knows, so that its size isn't checked.
    bytes.extend(999_u32.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes
}

fn arguments(folder: &Path, id: i32) -> Vec<String> {
    let bytes = fs::read(folder.join(format!("argv.{id}"))).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

fn requests(folder: &Path) -> Vec<Request> {
    let text = fs::read_to_string(folder.join("requests")).unwrap_or_default();
    text.lines()
        // The last may be half written.
        .filter_map(|line| serde_json::from_str::<[String; 2]>(line).ok())
        .map(|[head, body]| Request {
            head,
            body,
            at: Instant::now(),
        })
        .collect()
}

/// Serves, in a process that `llama-server.sh` has become; as a test it does nothing.
#[test]
fn stand_in() {
    let Some(folder) = env::os("STAND_IN_FOLDER").map(PathBuf::from) else {
        return;
    };
    let own: i32 = std::process::id().try_into().unwrap();
    let outer = env::os("STAND_IN_PROCESS").unwrap();
    let id = outer.to_str().unwrap().parse().unwrap();
    let arguments = arguments(&folder, id);
    let at = arguments.iter().position(|word| word == "--port").unwrap();
    let port: u16 = arguments[at + 1].parse().unwrap();
    let mode = fs::read_to_string(folder.join("mode")).unwrap();
    let mut words = mode.split_whitespace();
    let (mode, number) = (
        words.next().unwrap(),
        words.next().map_or(0, |word| word.parse().unwrap()),
    );
    if mode == "inside" {
        fs::write(folder.join("inside"), own.to_string()).unwrap();
    }
    let starts = fs::read_to_string(folder.join("engines")).unwrap();
    if mode == "taken" && starts.lines().count() <= number {
        println!("main: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: {port}");
        std::process::exit(1);
    }
    let ready = match mode {
        "slow" => Some(Instant::now() + Duration::from_millis(number.try_into().unwrap())),
        "never" => None,
        _ => Some(Instant::now()),
    };
    let key = format!("Bearer {}", env::os("LLAMA_API_KEY").unwrap().display());
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let turn = Mutex::new(());
    thread::scope(|scope| {
        for stream in listener.incoming() {
            let serve = || {
                let is_ready = ready.is_some_and(|ready| ready <= Instant::now());
                // The other side may go away at any time.
                drop(stream.and_then(|stream| answer(stream, &folder, &key, is_ready, &turn)));
            };
            scope.spawn(serve);
        }
    });
}

fn answer(
    mut stream: TcpStream,
    folder: &Path,
    key: &str,
    is_ready: bool,
    turn: &Mutex<()>,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let Some(request) = server::read(&mut stream)? else {
        return Ok(());
    };
    let plain = |status, word: &str| Answer::new(status, json!({"status": word}).to_string());
    if !is_ready {
        plain(503, "Loading model").send(&mut stream)?;
    } else if request.head.starts_with("GET /health ") {
        plain(200, "ok").send(&mut stream)?;
    } else if request.header("authorization") != Some(key) {
        plain(401, "Invalid API Key").send(&mut stream)?;
    } else {
        let answer = {
            let _turn = turn.lock().unwrap();
            let count = requests(folder).len();
            let mut log = OpenOptions::new()
                .append(true)
                .create(true)
                .open(folder.join("requests"))?;
            writeln!(log, "{}", json!([request.head, request.body]))?;
            let answers: Value = serde_json::from_slice(&fs::read(folder.join("answers"))?)?;
            let answers = answers.as_array().unwrap();
            Answer::of_json(&answers[count.min(answers.len() - 1)])
        };
        answer.send(&mut stream)?;
    }
    Ok(())
}
