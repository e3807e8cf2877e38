//! One way of calling a trivial tool, many times: JSON text in, JSON text out.
//!
//! `dispatch WAY REPETITIONS`. Nothing is measured here: `run.sh` runs it under valgrind with N
//! and 2N repetitions, whose difference is N calls and no start-up. With a third word `time` it
//! prints nanoseconds per call.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

use hermes_core::prelude::*;
use hermes_runtime::{CallContext, Runtime};
use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

hermes_core::plugin! { name = "bench" }

const RAW: &str = r#"{"name":"Ada","n":3}"#;
const ANSWER: &str = r#"{"name":"Ada","doubled":6}"#;

/// What `greet` answers.
#[hermes_schema]
struct Greeting {
    /// Who was greeted
    name: String,
    /// Twice the number
    doubled: i64,
}

/// Greets a person.
#[hermes_tool(inline)]
fn greet(
    /// The person's name
    name: String,
    /// Any whole number
    n: i64,
) -> Greeting {
    Greeting {
        name,
        doubled: n * 2,
    }
}

/// Adds two numbers.
#[hermes_tool(inline)]
fn add(
    /// One number
    a: i64,
    /// Another
    b: i64,
) -> i64 {
    a + b
}

/// Gives a text back.
#[hermes_tool(inline)]
fn repeat(
    /// Any text
    text: String,
) -> String {
    text
}

/// What `greet_the_long_way` takes.
#[hermes_schema]
struct Greet {
    /// The person's name
    name: String,
    /// Any whole number
    n: i64,
}

/// Greets a person. A struct of one's own ignores undeclared keys, so it isn't read directly.
#[hermes_tool(inline)]
fn greet_the_long_way(args: Greet) -> Greeting {
    greet(args.name, args.n)
}

/// Looks on.
#[hermes_hook(inline)]
fn look(_event: &PostToolCall<'_>) {}

/// What a program without a framework does.
mod peer {
    use serde::{Deserialize, Serialize};

    #[derive(Deserialize)]
    struct Greet {
        name: String,
        n: i64,
    }

    #[derive(Deserialize)]
    struct Add {
        a: i64,
        b: i64,
    }

    #[derive(Deserialize)]
    struct Repeat {
        text: String,
    }

    #[derive(Serialize)]
    struct Greeting {
        name: String,
        doubled: i64,
    }

    #[derive(Serialize)]
    struct Wrapped<T> {
        result: T,
    }

    pub(super) fn call(name: &str, raw: &str) -> Result<String, serde_json::Error> {
        match name {
            "add" => {
                let Add { a, b } = serde_json::from_str(raw)?;
                serde_json::to_string(&Wrapped { result: a + b })
            }
            "greet" => {
                let Greet { name, n } = serde_json::from_str(raw)?;
                serde_json::to_string(&Greeting {
                    name,
                    doubled: n * 2,
                })
            }
            "repeat" => {
                let Repeat { text } = serde_json::from_str(raw)?;
                serde_json::to_string(&Wrapped { result: text })
            }
            _ => Ok(format!(r#"{{"error":"no tool `{name}`"}}"#)),
        }
    }
}

/// Which road `Runtime::call` takes is decided by who looks on and by the tool's schema.
async fn ours(runtime: &Runtime, tool: &str, repetitions: u64) {
    let context = CallContext::default();
    for _ in 0..repetitions {
        let reply = runtime
            .call(black_box(tool), black_box(RAW), &context)
            .await;
        assert_eq!(black_box(reply.json()), ANSWER);
    }
}

fn run(way: &str, repetitions: u64) -> Option<()> {
    let builder = Runtime::builder()
        .explicit()
        .tool(GreetTool)
        .tool(AddTool)
        .tool(RepeatTool)
        .tool(GreetTheLongWayTool);
    let (runtime, tool) = match way {
        "peer" => {
            for _ in 0..repetitions {
                let answer = peer::call(black_box("greet"), black_box(RAW)).ok()?;
                assert_eq!(black_box(answer.as_str()), ANSWER);
            }
            return Some(());
        }
        "ours" => (builder.build(), "greet"),
        "long" => (builder.build(), "greet_the_long_way"),
        "hooked" => (builder.hook(LookHook).build(), "greet"),
        _ => return None,
    };
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .ok()?;
    tokio.block_on(ours(&runtime, tool, repetitions));
    Some(())
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        [way, repetitions] => repetitions.parse().ok().and_then(|n| run(way, n)),
        [way, repetitions, "time"] => repetitions.parse().ok().and_then(|n| time(way, n)),
        _ => None,
    };
    if done.is_none() {
        eprintln!("usage: dispatch peer|ours|long|hooked REPETITIONS [time]");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

/// The least of fifty batches: the one that was disturbed least.
fn time(way: &str, repetitions: u64) -> Option<()> {
    let mut least = None;
    for _ in 0..50 {
        let start = Instant::now();
        run(way, repetitions)?;
        let took = start.elapsed().as_nanos() / u128::from(repetitions.max(1));
        least = Some(least.map_or(took, |least: u128| least.min(took)));
    }
    println!("{}", least?);
    Some(())
}
