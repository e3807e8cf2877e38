//! `hermes model …`, `hermes doctor`, and which model answers.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write and remove their own folders only"
)]

use crate::support::{Local, Ran, calls, says};
use serde_json::json;
use std::fs;
use std::time::Duration;

const HELLO: &str = "Hello from the engine.\n";
const NO_ENGINE_HOME: &str = "/nonexistent";

/// A keeper's number is another from run to run.
fn without_keepers(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once("keeper ") {
        Some((head, _)) => format!("{head}keeper [PID]"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn model(local: &Local, args: &[&str]) -> Ran {
    local.hermes(["model"]).args(args).run()
}

#[test]
fn the_list_shows_what_is_here_what_can_be_had_and_what_answers() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    local.model("big", 7_000_000_000);
    local
        .home
        .write("config.yaml", "model: {provider: local, default: tiny}\n");
    fs::write(local.cache().join("models/broken.gguf"), "no gguf").unwrap();
    let ran = model(&local, &["list"]);
    ran.exits(0).notes("");
    insta::assert_snapshot!(without_keepers(&local.filtered(&ran.out)), @"
      big                    224 bytes  mit           here
    * tiny                   224 bytes  mit           here; its server is there, keeper [PID]
      qwen2.5-0.5b-instruct     491 MB  Apache-2.0    hermes model pull qwen2.5-0.5b-instruct
      smollm2-135m-instruct      98 MB  Apache-2.0    hermes model pull smollm2-135m-instruct
    ✗ `[FOLDER]/cache/models/broken.gguf` can't be used as weights: it is no GGUF file; get the file again from where it came
    engine: `[FOLDER]/bin/llama-server`, found on the `PATH`
    in use: tiny (local)
    ");
    let ran = model(&local, &["list", "--json"]);
    let list = ran.exits(0).json();
    assert_eq!(
        list["in_use"],
        json!({"provider": "local", "model": "tiny"})
    );
    let tiny = list["models"]
        .as_array()
        .unwrap()
        .iter()
        .find(|model| model["name"] == "tiny")
        .unwrap();
    assert!(tiny["path"].as_str().unwrap().ends_with("models/tiny.gguf"));
    assert_eq!(
        tiny,
        &json!({"path": tiny["path"], "name": "tiny", "bytes": 224, "licence": "mit", "here": true, "in_use": true, "keeper": local.only().keeper.0})
    );
    assert_eq!(list["engine_error"], json!(null));
    assert_eq!(list["broken"].as_array().unwrap().len(), 1);
}

#[test]
fn a_model_in_use_stands_in_the_config_beside_its_comments() {
    let local = Local::new();
    local
        .home
        .write("config.yaml", "# mine\nplugins:\n  disabled: [] # none\n");
    let ran = model(&local, &["use", "tiny"]);
    ran.exits(0).notes("");
    let text = || fs::read_to_string(local.home.path().join("config.yaml")).unwrap();
    assert!(
        text().starts_with("# mine\nplugins:\n  disabled: [] # none\n"),
        "{}",
        text()
    );
    local
        .hermes(["chat", "-q", "Hi"])
        .run()
        .exits(0)
        .prints(HELLO);
    model(&local, &["use", "openai/gpt-5-mini"]).exits(0);
    let doctor = local.hermes(["doctor"]).env("OPENAI_API_KEY", "sk-x").run();
    assert!(
        doctor
            .out
            .contains("model gpt-5-mini, key from OPENAI_API_KEY"),
        "{}",
        doctor.out
    );
    // A path is kept whole, so that it holds from any folder.
    let path = local.folder().join("elsewhere.gguf");
    fs::copy(local.cache().join("models/tiny.gguf"), &path).unwrap();
    model(&local, &["use", path.to_str().unwrap()]).exits(0);
    assert!(text().contains(path.to_str().unwrap()), "{}", text());
    local
        .hermes(["chat", "-q", "Hi"])
        .run()
        .exits(0)
        .prints(HELLO);
    assert!(text().starts_with("# mine\n"), "{}", text());
}

#[test]
fn a_model_that_cant_be_used_changes_nothing() {
    let local = Local::new();
    for (name, parts) in [
        ("tinny", &["no model `tinny`", "did you mean `tiny`?"][..]),
        (
            "qwen2.5-0.5b-instruct",
            &["hermes model pull qwen2.5-0.5b-instruct"],
        ),
        ("./no.gguf", &["`./no.gguf` isn't there"]),
        ("openai/", &[]),
        ("nobody/model", &[]),
        ("", &[]),
    ] {
        let ran = model(&local, &["use", name]);
        ran.exits(2).prints("").says(parts);
    }
    assert!(local.home.files().is_empty());
    // A file that can't be written.
    fs::create_dir(local.home.path().join("config.yaml")).unwrap();
    model(&local, &["use", "tiny"]).exits(2);
}

#[test]
fn a_test_asks_for_a_sentence_and_a_call() {
    let local = Local::new();
    local.answers([
        says("Hello!"),
        says(r#"{"tool": "city_time", "arguments": {"city": "Lisbon"}}"#),
    ]);
    let ran = model(&local, &["test", "tiny"]);
    ran.exits(0).notes("hermes: starting the local model …\n");
    let marks: Vec<&str> = ran.out.lines().filter(|line| line.contains('✓')).collect();
    assert_eq!(marks.len(), 2, "{}", ran.out);

    let local = Local::new();
    local.answers([says("Hello!"), says("It is late.")]);
    let ran = model(&local, &["test"]);
    ran.exits(1);
    assert!(
        ran.out.contains("✗") && ran.out.contains("no tool call, but: It is late."),
        "{}",
        ran.out
    );
    let ran = model(&local, &["test", "--json"]);
    assert_eq!(ran.exits(1).json()["call"]["ok"], false);

    // A large one calls in its own way.
    let local = Local::without_model();
    local.model("large", 7_000_000_000);
    local.answers([
        says("Hello!"),
        calls(&[("a", "city_time", "{\"city\": \"Lisbon\"}")]),
    ]);
    model(&local, &["test", "large"]).exits(0);

    let local = Local::new();
    local.says("no", 3);
    let ran = model(&local, &["test", "tiny"]);
    ran.exits(1).says(&["exit status: 3; it said last: no"]);
    model(&local, &["test", "tinny"])
        .exits(2)
        .says(&["did you mean `tiny`?"]);
}

#[test]
fn a_model_that_is_removed_takes_its_server_along() {
    let local = Local::new();
    local.ask("Hi").run().exits(0);
    let started = local.only();
    let ran = model(&local, &["remove", "tiny"]);
    ran.exits(0).notes("");
    assert!(!started.keeper.is_there() && !started.engine.is_there());
    local.until_gone(Duration::from_secs(1));
    assert!(!local.cache().join("models/tiny.gguf").exists());
    let ran = model(&local, &["remove", "tiny"]);
    ran.exits(2).says(&["no model `tiny`"]);
    model(&local, &["remove"]).exits(2);
    model(&local, &["remove", "../models/tiny"]).exits(2);
}

#[test]
fn a_relative_cache_folder_is_the_same_for_every_command() {
    let local = Local::new();
    let run = |args: &[&str]| {
        let run = local.hermes(["-v"]).args(args).env("HERMES_CACHE", "cache");
        run.folder(local.folder()).run()
    };
    run(&["chat", "--provider", "local", "--model", "tiny", "-q", "Hi"])
        .exits(0)
        .prints(HELLO);
    assert!(run(&["model", "list"]).out.contains("its server is there"));
    local.ask("Hi").run().exits(0).notes("");
    run(&["model", "remove", "tiny"]).exits(0);
    local.until_gone(Duration::from_secs(1));
}

#[test]
fn a_pull_of_an_unknown_name_names_those_that_are_known() {
    let local = Local::without_model();
    let ran = model(&local, &["pull", "smollm2-135m"]);
    ran.exits(2)
        .prints("")
        .says(&["did you mean `smollm2-135m-instruct`?"]);
    let ran = model(&local, &["pull", "gpt"]);
    ran.exits(2).says(&[
        "known are qwen2.5-0.5b-instruct, smollm2-135m-instruct",
        "hint: ",
    ]);
}

#[test]
fn a_dry_run_tells_sizes_licences_and_sources_without_a_network() {
    let local = Local::without_model();
    let ran = model(&local, &["pull", "--dry-run"]);
    ran.exits(0)
        .prints("")
        .says(&["491", "Apache-2.0", "huggingface.co", "engine: there"]);
    // Nothing on the path: no engine, no pip.
    let ran = local
        .hermes(["model", "pull", "--dry-run"])
        .env("PATH", NO_ENGINE_HOME)
        .run();
    ran.exits(0).says(&["MIT", "github.com"]);
    assert!(!local.cache().exists());
}

#[test]
fn with_nothing_at_all_both_ways_are_named() {
    let local = Local::without_model();
    let ran = local.hermes(["chat", "-q", "x"]).run();
    ran.exits(2).prints("");
    insta::assert_snapshot!(ran.err, @r#"
    hermes: no provider chosen; set a provider's key such as `OPENAI_API_KEY`, or `HERMES_BASE_URL` for a server of your own

    hint: without a key: hermes model pull gets a small model for this machine
    hint: with a key: export OPENAI_API_KEY=… and hermes chat --model gpt-5-mini -q "…"
    "#);
    let ran = local
        .hermes(["chat", "--provider", "local", "-q", "x"])
        .run();
    ran.exits(2).prints("");
    insta::assert_snapshot!(ran.err, @r#"
    hermes: no local model is on this machine

    hint: without a key: hermes model pull gets a small model for this machine
    hint: with a key: export OPENAI_API_KEY=… and hermes chat --model gpt-5-mini -q "…"
    "#);
    let doctor = local.hermes(["doctor"]).run();
    assert!(
        doctor.exits(0).out.contains("provider   none: "),
        "{}",
        doctor.out
    );
}

#[test]
fn without_a_key_the_model_that_is_there_answers() {
    let local = Local::new();
    local
        .hermes(["chat", "-q", "x"])
        .run()
        .exits(0)
        .prints(HELLO);
    let doctor = local.hermes(["doctor"]).run();
    let row = doctor
        .exits(0)
        .out
        .lines()
        .find(|line| line.starts_with("provider"))
        .unwrap()
        .to_owned();
    insta::assert_snapshot!(local.filtered(&row), @"provider   local, model tiny: [FOLDER]/cache/models/tiny.gguf with `[FOLDER]/bin/llama-server`, found on the `PATH`");
    // A key is a choice.
    let doctor = local.hermes(["doctor"]).env("OPENAI_API_KEY", "sk-x").run();
    assert!(!doctor.out.contains("local, model"), "{}", doctor.out);
}

#[test]
fn without_a_home_and_a_cache_it_is_said() {
    let local = Local::new();
    for args in [
        &["chat", "--provider", "local", "-q", "x"][..],
        &["model", "list"],
        &["model", "pull", "--dry-run"],
        &["model", "remove", "tiny"],
    ] {
        let run = local
            .hermes(args.to_vec())
            .without("HOME")
            .without("HERMES_CACHE")
            .without("HERMES_HOME");
        let ran = run.run();
        ran.exits(2).notes("hermes: there is nowhere to keep a local model: neither HERMES_CACHE nor HOME is set\n");
    }
    // The cache alone is enough.
    let run = local.ask("Hi").without("HOME").without("HERMES_HOME");
    run.run().exits(0).prints(HELLO);
}

#[test]
fn an_engine_that_is_missing_is_told_before_anything_starts() {
    let local = Local::new();
    let ran = local.ask("Hi").env("PATH", NO_ENGINE_HOME).run();
    ran.exits(2).prints("").notes("hermes: no `llama-server` on this machine; run `hermes model pull` or put one on the `PATH`\n");
    assert!(local.records().is_empty());
}

#[test]
fn a_program_that_reads_json_gets_json_of_wrong_usage_too() {
    let local = Local::new();
    for args in [
        ["model", "test", "gone", "--json"].as_slice(),
        &[
            "chat",
            "--provider",
            "local",
            "--model",
            "gone",
            "--json",
            "-q",
            "Hi",
        ],
    ] {
        let ran = local.hermes(args.iter().copied()).run();
        let error = ran.exits(2).json()["error"].clone();
        assert!(error.as_str().unwrap().contains("gone"), "{error}");
    }
}
