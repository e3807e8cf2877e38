//! Who is asked, and with which key.

use crate::support::{Hermes, Ran, Server, says};

const KEY: &str = "sk-the-users-own-key-for-openai";

/// Asks with OpenAI's key in the environment; it must never leave for another address.
fn ask(server: &Server, set: impl Fn(Hermes) -> Hermes) -> Ran {
    let ran = set(Hermes::new(["chat", "-q", "hi"]).secret("OPENAI_API_KEY", KEY)).run();
    for request in server.requests() {
        assert_eq!(request.header("authorization"), None);
        assert!(!request.head.contains(KEY) && !request.body.contains(KEY));
    }
    ran
}

#[test]
fn the_address_is_taken_from_every_source_and_gets_no_other_providers_key() {
    let server = Server::start([says("here")]);
    let url = server.base_url();
    let config = format!("model:\n  default: m\n  base_url: {url}\n");
    ask(&server, |run| {
        run.args(["--base-url", &url, "--model", "m"])
    })
    .exits(0)
    .prints("here\n");
    ask(&server, |run| {
        run.env("HERMES_BASE_URL", &url).env("HERMES_MODEL", "m")
    })
    .exits(0)
    .prints("here\n");
    ask(&server, |run| run.config(&config))
        .exits(0)
        .prints("here\n");
    assert_eq!(server.requests().len(), 3);
    for request in server.requests() {
        assert_eq!(request.json()["model"], "m");
    }
}

#[test]
fn flags_go_before_environment_and_environment_before_the_file() {
    let (flag, env, file) = (
        Server::start([says("flag")]),
        Server::start([says("env")]),
        Server::start([says("file")]),
    );
    let config = format!(
        "model: {{default: m, provider: custom, base_url: \"{}\"}}",
        file.base_url()
    );
    let with_env = |run: Hermes| run.env("HERMES_BASE_URL", env.base_url()).config(&config);
    ask(&env, with_env).exits(0).prints("env\n");
    ask(&flag, |run| {
        with_env(run).args(["--base-url", &flag.base_url()])
    })
    .exits(0)
    .prints("flag\n");
    ask(&file, |run| run.config(&config))
        .exits(0)
        .prints("file\n");
    // A provider in the file doesn't mix with an address in the environment.
    let openai = "model: {default: m, provider: openai}";
    ask(&env, |run| {
        run.env("HERMES_BASE_URL", env.base_url()).config(openai)
    })
    .exits(0)
    .prints("env\n");
}

#[test]
fn a_key_for_the_address_is_sent_there() {
    let server = Server::start([says("here")]);
    let config = format!(
        "model: {{default: m, base_url: \"{}\", api_key_env: MY_KEY}}",
        server.base_url()
    );
    Hermes::new(["chat", "-q", "hi"])
        .secret("MY_KEY", "k-1")
        .config(config)
        .run()
        .exits(0);
    Hermes::new(["chat", "-q", "hi", "-m", "m"])
        .secret("HERMES_API_KEY", "k-2")
        .env("HERMES_BASE_URL", server.base_url())
        .run()
        .exits(0);
    let keys: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.header("authorization").unwrap().to_owned())
        .collect();
    assert_eq!(keys, ["Bearer k-1", "Bearer k-2"]);
}

#[test]
fn nobody_to_ask_is_wrong_usage_with_two_hints() {
    let ran = Hermes::new(["chat", "-q", "hi"]).run();
    ran.exits(2).prints("").says(&[
        "hermes: no provider chosen",
        "OPENAI_API_KEY",
        "HERMES_BASE_URL",
    ]);
    assert_eq!(
        ran.err
            .lines()
            .filter(|line| line.starts_with("hint: "))
            .count(),
        2
    );
}

#[test]
fn a_provider_without_its_key_names_the_variable() {
    Hermes::new(["chat", "-q", "hi", "--provider", "openai", "--model", "m"])
        .run()
        .exits(2)
        .prints("")
        .notes("hermes: openai needs a key; set `OPENAI_API_KEY`\n");
    Hermes::new(["chat", "-q", "hi", "--provider", "opnai", "--model", "m"])
        .run()
        .exits(2)
        .notes("hermes: no provider `opnai`; did you mean `openai`?\n");
}

#[test]
fn an_address_without_a_model_says_how_to_name_one() {
    Hermes::new(["chat", "-q", "hi", "--base-url", "http://127.0.0.1:9/v1"])
        .run()
        .exits(2)
        .prints("")
        .says(&["no model chosen", "--model"]);
}

#[test]
fn an_address_that_is_none_is_wrong_usage_and_not_repeated() {
    for address in ["localhost:8080", "ftp://x/v1", "http://user:pass-word@x/v1"] {
        let ran = Hermes::new(["chat", "-q", "hi", "-m", "m", "--base-url", address]).run();
        ran.exits(2).prints("").says(&["`base_url`"]);
        assert!(!ran.err.contains("pass-word"));
    }
}

#[test]
fn a_key_with_a_line_end_inside_is_named_and_not_shown() {
    Hermes::new([
        "chat",
        "-q",
        "hi",
        "-m",
        "m",
        "--base-url",
        "http://127.0.0.1:9/v1",
    ])
    .secret("HERMES_API_KEY", "sk-first\nsk-second")
    .run()
    .exits(2)
    .says(&["`HERMES_API_KEY`"]);
}
