//! The engine's key stays between keeper, engine and those who ask; keys of providers stay out of both.

use crate::support::Local;
use std::fs;
use std::path::Path;

/// Every file below a folder.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            all.push((path.display().to_string(), text));
        }
    }
    all
}

#[test]
fn the_key_stands_in_no_argument_log_file_or_message() {
    let local = Local::new();
    let ran = local.ask("Hi").args(["-vvv"]).run();
    ran.exits(0);
    let started = local.only();
    let environment = started.engine.environment();
    let key = environment
        .lines()
        .find_map(|line| line.strip_prefix("LLAMA_API_KEY="))
        .unwrap();
    assert!(key.len() >= 32, "{key}");
    assert!(local.requests()[0].head.contains(key));
    let token = local.record()["token"].as_str().unwrap().to_owned();
    for secret in [key, &token] {
        assert!(!ran.out.contains(secret) && !ran.err.contains(secret));
        for process in [started.engine, started.keeper] {
            assert!(!process.command_line().contains(secret));
        }
        assert!(!local.arguments(started.engine).join(" ").contains(secret));
        for (name, text) in files(&local.home.path()) {
            assert!(!text.contains(secret), "{name}");
        }
    }
    assert!(!started.keeper.environment().contains(key));
    for (name, text) in files(&local.cache()) {
        assert!(!text.contains(key), "{name}");
    }
    // The next engine has another.
    started.engine.kill();
    local.ask("Hi").run().exits(0);
    assert!(!local.started()[1].engine.environment().contains(key));
}

#[test]
fn keys_of_providers_reach_neither_keeper_nor_engine() {
    let local = Local::new();
    let ran = local
        .ask("Hi")
        .secret("OPENAI_API_KEY", "sk-openai-0123456789")
        .secret("HERMES_API_KEY", "sk-hermes-0123456789")
        .secret("AWS_SECRET_ACCESS_KEY", "aws-0123456789")
        .env("GGML_NOTHING", "1")
        // Nor do the weights' answers go through anybody else.
        .env("HTTP_PROXY", "http://127.0.0.1:9")
        .env("ALL_PROXY", "http://127.0.0.1:9")
        .run();
    ran.exits(0);
    let started = local.only();
    for process in [started.keeper, started.engine] {
        let environment = process.environment();
        assert!(!environment.contains("0123456789"), "{environment}");
        assert!(environment.contains("GGML_NOTHING=1"), "{environment}");
    }
    assert!(!local.requests()[0].head.contains("0123456789"));
}
