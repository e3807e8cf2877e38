//! Pipes, locales and colours.

use crate::support::{Hermes, hermes};

/// A command with an answer on stdout, one with words on stderr, and both kinds of error.
const COMMANDS: [&[&str]; 6] = [
    &["doctor"],
    &["tools", "list"],
    &["plugins", "list"],
    &["tools", "show", "calculate"],
    &["--help"],
    &["tools", "--nonsense"],
];

#[test]
fn the_locale_changes_nothing() {
    for args in COMMANDS {
        let plain = Hermes::new(args).run();
        for locale in ["tr_TR.UTF-8", "C", "POSIX", "de_DE.ISO-8859-1", "nonsense"] {
            let ran = Hermes::new(args)
                .env("LC_ALL", locale)
                .env("LANG", locale)
                .run();
            assert_eq!(ran.code, plain.code);
            // The folder of the home is another one, and `doctor` names it.
            if args != ["doctor"] {
                ran.prints(&plain.out).notes(&plain.err);
            }
        }
    }
}

#[cfg(feature = "plugin-calculator")]
#[test]
fn turkish_letters_do_not_change_names() {
    // In a Turkish locale the lower case of `I` is another letter.
    Hermes::new([
        "tools",
        "call",
        "unit_convert",
        "value=1",
        "from_unit=IN",
        "to_unit=Inches",
    ])
    .env("LC_ALL", "tr_TR.UTF-8")
    .run()
    .exits(0)
    .prints("{\"input\":\"1 IN\",\"result\":1.0,\"output\":\"1.0 Inches\"}\n");
}

#[test]
fn no_colour_means_none_and_a_pipe_gets_none_either() {
    // That there are no escape codes is checked on every run.
    for args in COMMANDS {
        for (name, value) in [
            ("NO_COLOR", "1"),
            ("CLICOLOR_FORCE", "1"),
            ("TERM", "xterm-256color"),
            ("RUST_LOG", "trace"),
        ] {
            Hermes::new(args)
                .env(name, value)
                .env("HERMES_PLUGINS_DEBUG", "1")
                .run();
            Hermes::new(["-vvv"]).args(args).env(name, value).run();
        }
    }
}

#[test]
fn logs_of_any_loudness_stay_off_stdout() {
    let plain = hermes(["tools", "list", "--json"]);
    hermes(["-vvv", "tools", "list", "--json"])
        .exits(0)
        .prints(&plain.out);
}

/// Runs the binary by a shell, which can close what `std` can't.
#[cfg(unix)]
fn by_shell(script: &str) -> crate::support::Ran {
    Hermes::of("/bin/sh", ["-c", script, crate::support::program()])
        .env("PATH", "/usr/bin:/bin")
        .run()
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for command in [
        "completions bash",
        "tools list",
        "doctor --json",
        "--help",
        "tools list --help",
    ] {
        let ran = by_shell(&format!(
            "{{ \"$0\" {command}; echo \"code $?\" >&2; }} | head -c 0"
        ));
        ran.prints("").says(&["code 0\n"]);
    }
}

#[cfg(unix)]
#[test]
fn closed_standard_streams_do_no_harm() {
    by_shell("\"$0\" tools list --json >&-; echo $?").prints("0\n");
    by_shell("\"$0\" plugins info nope 2>&-; echo $?")
        .prints("1\n")
        .notes("");
    by_shell("\"$0\" --nonsense 2>&-; echo $?")
        .prints("2\n")
        .notes("");
    by_shell("\"$0\" tools call nope - <&-; echo $?").notes("");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_is_a_failure() {
    by_shell("\"$0\" tools list --json > /dev/full; echo $?")
        .prints("1\n")
        .says(&["hermes: stdout can't be written: No space left on device"]);
}
