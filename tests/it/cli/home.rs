//! `HERMES_HOME` in every state, and `config.yaml` in it.

use crate::support::Hermes;

/// Commands that need no home.
const COMMANDS: [&[&str]; 4] = [
    &["doctor"],
    &["tools", "list"],
    &["plugins", "list"],
    &["tools", "list", "--json"],
];

#[test]
fn nothing_is_written_into_a_home_that_nobody_asked_for() {
    for args in COMMANDS {
        let ran = Hermes::new(args).run();
        ran.exits(0);
        assert_eq!(ran.home.files(), Vec::<String>::new(), "{args:?}");
    }
}

#[test]
fn hermes_works_without_any_home() {
    for args in COMMANDS {
        Hermes::new(args)
            .without("HOME")
            .without("HERMES_HOME")
            .run()
            .exits(0);
    }
    let ran = Hermes::new(["doctor"])
        .without("HOME")
        .without("HERMES_HOME")
        .run();
    assert!(
        ran.out
            .contains("none: neither HERMES_HOME nor HOME is set"),
        "{}",
        ran.out
    );
}

#[test]
fn an_empty_hermes_home_means_the_one_below_home() {
    let ran = Hermes::new(["doctor"]).env("HERMES_HOME", "").run();
    let expected = ran.home.outer().join(".hermes").display().to_string();
    assert!(ran.exits(0).out.contains(&expected), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn a_home_that_is_read_only_is_enough() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    for args in COMMANDS {
        let run = Hermes::new(args);
        let home = run.home.path();
        set_permissions(&home, Permissions::from_mode(0o555)).unwrap();
        let ran = run.run();
        set_permissions(&home, Permissions::from_mode(0o755)).unwrap();
        ran.exits(0);
    }
}

#[test]
fn a_home_that_is_a_file_is_named_by_doctor_and_stops_nothing() {
    for args in COMMANDS {
        let run = Hermes::new(args);
        run.home.write("file", "");
        let file = run.home.path().join("file");
        run.env("HERMES_HOME", file).run().exits(0);
    }
    let run = Hermes::new(["doctor"]);
    run.home.write("file", "");
    let file = run.home.path().join("file");
    let ran = run.env("HERMES_HOME", file).run();
    assert!(ran.out.contains("is a file, not a folder"), "{}", ran.out);
}

#[test]
fn a_broken_config_stops_every_command_and_names_file_and_line() {
    for args in COMMANDS {
        let ran = Hermes::new(args)
            .config("plugins:\n  disabled: []\nmodel:\n  default: [\n")
            .run();
        let file = ran.home.path().join("config.yaml").display().to_string();
        ran.exits(2).says(&[&file, "line 4 column 12"]);
        assert_eq!(ran.err.lines().count(), 1);
        // The doctor tells the rest all the same.
        assert_eq!(ran.out.is_empty(), *args != ["doctor"], "{}", ran.out);
    }
    // A script of completions is made from the program alone.
    Hermes::new(["completions", "bash"])
        .config("model: [")
        .run()
        .exits(0);
}

#[test]
fn a_config_of_the_wrong_shape_says_what_belongs_there() {
    for (config, parts) in [
        (
            "plugins:\nmodel: 5\n",
            &["line 2", "expected `model` as a model's name"][..],
        ),
        ("model:\n  default: ok\n  base_url: [1]\n", &["line 3"]),
        (
            "plugins:\n  disabled: calculator\n",
            &["line 2 column 13", "sequence"],
        ),
        ("- a\n- b\n", &["line 1 column 1", "mapping"]),
    ] {
        let ran = Hermes::new(["plugins", "list"]).config(config).run();
        ran.exits(2).prints("").says(parts);
        assert!(!ran.err.contains("Raw"), "a Rust type's name: {}", ran.err);
    }
    Hermes::new(["plugins", "list"])
        .config(b"model: \xff\n")
        .run()
        .exits(2)
        .says(&["UTF-8"]);
}

#[test]
fn a_config_that_says_nothing_is_fine() {
    for config in [
        "",
        "\n\n",
        "# nothing yet\n",
        "model:\nplugins:\n",
        "gateway: {telegram: {x: 1}}\n",
        "---\n",
    ] {
        Hermes::new(["plugins", "list"])
            .config(config)
            .run()
            .exits(0);
    }
}

#[test]
fn the_model_is_a_name_or_a_mapping() {
    for config in [
        "model: tiny\n",
        "model: {default: tiny}\n",
        "model:\n  default: tiny\n  other: 1\n",
    ] {
        let ran = Hermes::new(["doctor"])
            .config(config)
            .env("HERMES_BASE_URL", "http://127.0.0.1:9/v1")
            .run();
        assert!(
            ran.exits(0).out.contains("model tiny"),
            "{config}: {}",
            ran.out
        );
    }
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn a_plugin_is_off_if_the_config_says_so_and_every_command_tells_why() {
    for (config, reason) in [
        ("plugins: {disabled: [calculator]}", "disabled via config"),
        ("plugins: {enabled: []}", "not enabled in config"),
        ("plugins: {enabled: [weather]}", "not enabled in config"),
        (
            "plugins: {enabled: [calculator], disabled: [calculator]}",
            "disabled via config",
        ),
    ] {
        let run = |args: &[&str]| Hermes::new(args).config(config).run();
        run(&["tools", "list", "--json"]).exits(0).prints("[]\n");
        run(&["tools", "list"])
            .exits(0)
            .prints("")
            .says(&["No tools are on", "hermes plugins list"]);
        run(&["tools", "call", "calculate", "expression=1"]).exits(1).prints(&format!(
            "{{\"error\":\"calculate: no such tool; it belongs to plugin calculator, which is off: {reason}\"}}\n"
        ));
        run(&["tools", "show", "calculate"])
            .exits(1)
            .says(&["plugin calculator, which is off", reason]);
        run(&["plugins", "list"]).exits(0).prints(&format!(
            "Plugins (1):\n  ✗ calculator v1.0.0 (2 tools, 1 hooks) [disabled] — {reason}\n"
        ));
        let plugins = run(&["plugins", "list", "--json"]).json();
        assert_eq!(plugins[0]["status"], "disabled");
        assert_eq!(plugins[0]["error"], reason);
        run(&["chat", "-q", "/calcstats"])
            .exits(2)
            .says(&["no command /calcstats"]);
    }
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn a_plugin_that_is_enabled_by_name_is_on() {
    Hermes::new(["tools", "call", "calculate", "expression=1"])
        .config("plugins: {enabled: [calculator, weather]}")
        .run()
        .exits(0);
}

#[test]
fn the_discovery_log_goes_to_stderr_if_asked_for() {
    for yes in ["1", "true", "YES", "on"] {
        let ran = Hermes::new(["plugins", "list"])
            .env("HERMES_PLUGINS_DEBUG", yes)
            .run();
        ran.exits(0)
            .says(&["[plugins] DEBUG scanned this binary: "]);
        for line in ran.err.lines().filter(|line| line.starts_with('[')) {
            let level = line
                .strip_prefix("[plugins] ")
                .and_then(|rest| rest.split(' ').next());
            assert!(matches!(level, Some("DEBUG" | "INFO" | "ERROR")), "{line}");
        }
        assert!(!ran.out.contains("[plugins]"));
    }
    for no in ["0", "", "no"] {
        let ran = Hermes::new(["plugins", "list"])
            .env("HERMES_PLUGINS_DEBUG", no)
            .run();
        assert!(!ran.err.contains("[plugins]"), "{}", ran.err);
    }
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn the_discovery_log_has_manifests_counts_and_reasons() {
    let run = |config| {
        Hermes::new(["plugins", "list"])
            .env("HERMES_PLUGINS_DEBUG", "1")
            .config(config)
            .run()
    };
    run("").says(&[
        "[plugins] DEBUG scanned this binary: 1 manifests\n",
        "[plugins] DEBUG manifest key=calculator name=calculator version=1.0.0 kind=standalone source=compiled path=",
        "[plugins] INFO loaded calculator: 2 tools, 1 hooks, 0 middleware, 1 slash commands, 0 CLI commands\n",
    ]);
    run("plugins: {disabled: [calculator]}")
        .says(&["[plugins] INFO skipped calculator: disabled via config\n"]);
    let ran = Hermes::new(["plugins", "list"]).run();
    ran.notes("");
}

#[test]
fn doctor_names_what_the_home_asks_for_and_the_binary_has_not() {
    let run = Hermes::new(["doctor"]).config("plugins:\n  disabled: [calculater]\n");
    run.home
        .write("plugins/weather/plugin.yaml", "name: weather\n");
    let ran = run.run();
    ran.exits(0);
    assert!(
        ran.out
            .contains("config names plugin `calculater`, which isn't compiled in"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("plugins/weather is a plugin of Python Hermes and is not loaded"),
        "{}",
        ran.out
    );
}
