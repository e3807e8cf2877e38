//! A model that answers at once: every request gets the same streamed answer, or first the call
//! of a tool where `--tool-call` is given and the request holds no tool's result yet.
//!
//! Prints its address, then serves until it is stopped. Connections stay open.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::thread;

const ANSWER: &[&str] = &[
    r#"{"role":"assistant","content":""}"#,
    r#"{"content":"Hello"}"#,
    r#"{"content":" there."}"#,
];
const CALL: &[&str] = &[
    r#"{"role":"assistant","content":null}"#,
    r#"{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"calculate","arguments":""}}]}"#,
    r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"expression\":"}}]}"#,
    r#"{"tool_calls":[{"index":0,"function":{"arguments":"\"2**16\"}"}}]}"#,
];

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// A whole HTTP response with a chunk for each event.
fn response(deltas: &[&str], finish: &str) -> Vec<u8> {
    let chunk = |delta: &str, finish: &str| {
        format!(
            r#"{{"id":"x","object":"chat.completion.chunk","created":0,"model":"instant","choices":[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]}}"#
        )
    };
    let mut events: Vec<String> = deltas.iter().map(|delta| chunk(delta, "null")).collect();
    events.push(chunk("{}", &format!("{finish:?}")));
    events.push("[DONE]".to_owned());
    let mut out = HEAD.to_vec();
    for event in events {
        let event = format!("data: {event}\n\n");
        out.extend(format!("{:x}\r\n{event}\r\n", event.len()).bytes());
    }
    out.extend(b"0\r\n\r\n");
    out
}

/// The body of the next request, `None` at the end of the connection.
fn request(from: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<u8>>> {
    let mut length = 0;
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    while !line.trim_end().is_empty() {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        line.clear();
        from.read_line(&mut line)?;
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(Some(body))
}

fn serve(stream: TcpStream, answer: &[u8], call: Option<&[u8]>) -> io::Result<()> {
    const RESULT: &[u8] = br#""role":"tool""#;
    stream.set_nodelay(true)?;
    let mut to = stream.try_clone()?;
    let mut from = BufReader::new(stream);
    while let Some(body) = request(&mut from)? {
        let has_result = body.windows(RESULT.len()).any(|part| part == RESULT);
        to.write_all(call.filter(|_| !has_result).unwrap_or(answer))?;
    }
    Ok(())
}

fn run(calls: bool) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("http://{}/v1", listener.local_addr()?);
    io::stdout().flush()?;
    for stream in listener.incoming() {
        let stream = stream?;
        thread::spawn(move || {
            let call = calls.then(|| response(CALL, "tool_calls"));
            if let Err(error) = serve(stream, &response(ANSWER, "stop"), call.as_deref()) {
                eprintln!("instant_model: {error}");
            }
        });
    }
    Ok(())
}

fn main() -> ExitCode {
    let calls = env::args().skip(1).any(|word| word == "--tool-call");
    if let Err(error) = run(calls) {
        eprintln!("instant_model: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
