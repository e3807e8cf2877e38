//! `plugins`, `doctor`, `completions`, and how wrong usage ends.

use crate::support::{Hermes, hermes};
use serde_json::Value;

#[cfg(feature = "plugin-calculator")]
#[test]
fn plugins_are_listed_with_what_they_bring() {
    hermes(["plugins", "list"])
        .exits(0)
        .prints("Plugins (1):\n  ✓ calculator v1.0.0 (2 tools, 1 hooks)\n")
        .notes("");
    let plugins = hermes(["plugins", "ls", "--json"])
        .exits(0)
        .notes("")
        .json();
    assert_eq!(
        plugins,
        serde_json::json!([{
            "name": "calculator",
            "status": "enabled",
            "version": "1.0.0",
            "description": "Exact arithmetic and unit conversion",
            "source": "compiled",
            "tools": 2,
            "hooks": 1,
            "commands": 1,
            "error": null,
        }])
    );
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn info_shows_all_of_a_plugin() {
    let ran = hermes(["plugins", "info", "calculator"]);
    ran.exits(0).notes("");
    for part in [
        "hermes-plugin-calculator 1.0.0",
        "unit_convert",
        "keep (post_tool_call)",
        "/calcstats",
        "calculator: ",
    ] {
        assert!(ran.out.contains(part), "no {part:?} in {}", ran.out);
    }
    let plugin = hermes(["plugins", "info", "calculator", "--json"])
        .exits(0)
        .notes("")
        .json();
    assert_eq!(
        plugin["tools"],
        serde_json::json!(["calculate", "unit_convert"])
    );
    assert_eq!(plugin["hooks"][0]["event"], "post_tool_call");
    assert_eq!(plugin["skills"][0]["name"], "calculator");
    assert!(plugin["skills"][0]["description"].is_string());
}

#[test]
fn an_unknown_plugin_is_answered_with_what_is_compiled_in() {
    let ran = hermes(["plugins", "info", "wether"]);
    ran.exits(1).prints("");
    ran.says(&[
        "hermes: no plugin `wether`; ",
        "\n\nhint: plugins are chosen when hermes is built",
    ]);
}

#[test]
fn doctor_is_content_with_an_empty_home() {
    let ran = hermes(["doctor"]);
    ran.exits(0).notes("");
    for label in [
        "hermes ",
        "home ",
        "config ",
        "variables ",
        "provider ",
        "tools ",
    ] {
        assert!(
            ran.out.lines().any(|line| line.starts_with(label)),
            "no {label} in {}",
            ran.out
        );
    }
    let report = hermes(["doctor", "--json"]).exits(0).notes("").json();
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["config"], Value::Null);
    assert_eq!(report["faults"], serde_json::json!([]));
    assert_eq!(report["variables"], serde_json::json!(["HERMES_HOME"]));
}

#[test]
fn doctor_says_who_would_answer_and_keeps_the_key() {
    let ran = Hermes::new(["doctor"])
        .secret("OPENAI_API_KEY", "sk-doctor-must-not-tell")
        .env("HERMES_MODEL", "gpt-5-mini")
        .run();
    ran.exits(0);
    let expected = "openai at https://api.openai.com/v1, model gpt-5-mini, key from OPENAI_API_KEY";
    assert!(ran.out.contains(expected), "{}", ran.out);
}

#[test]
fn completions_are_made_for_each_shell() {
    for (shell, sign) in [
        ("bash", "_hermes()"),
        ("zsh", "#compdef hermes"),
        ("fish", "complete -c hermes"),
    ] {
        let ran = hermes(["completions", shell]);
        ran.exits(0).notes("");
        for part in [sign, "tools", "plugins", "doctor", "chat", "completions"] {
            assert!(ran.out.contains(part), "no {part} for {shell}");
        }
    }
    hermes(["completions", "tcsh"])
        .exits(2)
        .prints("")
        .says(&["tcsh"]);
}

#[test]
fn help_and_version_are_data() {
    hermes(["--version"])
        .exits(0)
        .prints(concat!("hermes ", env!("CARGO_PKG_VERSION"), "\n"))
        .notes("");
    for args in [
        &["--help"][..],
        &["tools", "--help"],
        &["tools", "call", "--help"],
        &["chat", "--help"],
    ] {
        let ran = Hermes::new(args).run();
        ran.exits(0).notes("");
        assert!(ran.out.contains("Usage: hermes"), "{}", ran.out);
    }
}

#[test]
fn wrong_usage_is_exit_code_2_and_nothing_on_stdout() {
    for args in [
        &[][..],
        &["tool"],
        &["tools"],
        &["tools", "call"],
        &["tools", "list", "--jsn"],
        &["plugins"],
        &["chat"],
        &["chat", "-q", "hi", "--max-turns", "0"],
        &["chat", "-q", " "],
        &["chat", "-q", "/no_such_command"],
    ] {
        let ran = Hermes::new(args).run();
        ran.exits(2).prints("");
        assert!(!ran.err.is_empty());
    }
    hermes(["tol"]).says(&["error: unrecognized subcommand 'tol'"]);
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn a_slash_command_answers_without_a_model() {
    hermes(["chat", "-q", "/calcstats"])
        .exits(0)
        .prints("No tool calls yet.\n")
        .notes("");
    hermes(["chat", "-q", "/calcstats reset"])
        .exits(0)
        .prints("Call log emptied.\n");
    hermes(["chat", "-q", "/calcstats now"])
        .exits(1)
        .prints("")
        .says(&["unknown word `now`"]);
}
