//! Crates that make life hard for expanded code: built, run, and one that must not resolve.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[expect(clippy::disallowed_methods, reason = "cargo runs cargo")]
fn cargo(manifest: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(words)
        .args(["--offline", "--manifest-path"])
        .arg(manifest)
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("hygiene"),
        )
        // Those of this run would rebuild everything with other flags.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("cargo runs")
}

#[test]
fn expanded_code_takes_nothing_for_granted() {
    let manifest = root().join("tests/fixtures/hygiene/Cargo.toml");
    let output = cargo(&manifest, &["test", "--quiet", "--workspace", "--lib"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}\n{stderr}");
    assert_eq!(
        stdout.matches("test result: ok. 1 passed").count(),
        6,
        "{stdout}"
    );
}

/// Core of two versions in one binary would be two registries, each with half of the tools.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the crates under test are made here"
)]
fn two_versions_of_core_do_not_resolve() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("two_cores");
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    // Resolving reads manifests only; so core's, without what it depends on, is enough.
    let real = std::fs::read_to_string(root().join("hermes-core/Cargo.toml")).unwrap();
    let links = real
        .lines()
        .find(|line| line.starts_with("links = "))
        .expect("core has a `links` key");
    for (name, version) in [("one", "0.1.0"), ("two", "0.2.0")] {
        write(
            &format!("{name}/Cargo.toml"),
            &format!(
                "[package]\nname = \"hermes-agent-core\"\nversion = \"{version}\"\nedition = \"2024\"\nbuild = \"build.rs\"\n{links}\n"
            ),
        );
        write(&format!("{name}/src/lib.rs"), "");
        write(&format!("{name}/build.rs"), "fn main() {}\n");
    }
    write(
        "Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\none = { package = \"hermes-agent-core\", path = \"one\" }\ntwo = { package = \"hermes-agent-core\", path = \"two\" }\n\n[workspace]\nexclude = [\"one\", \"two\"]\n",
    );
    write("src/lib.rs", "");
    let output = cargo(&folder.join("Cargo.toml"), &["generate-lockfile"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "two cores resolved: {stderr}");
    assert!(
        stderr.contains("hermes_agent_core_one_version_per_binary"),
        "{stderr}"
    );
}
