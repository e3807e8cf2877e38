use super::*;

#[test]
fn the_project_is_tidy() {
    let workspace = Workspace::load().expect("cargo knows the workspace");
    let report = check(&workspace).expect("the files can be read");
    assert_eq!(report.faults, Vec::<String>::new());
}

#[test]
fn a_long_file_is_a_fault_and_a_longish_one_a_note() {
    let mut report = Report::default();
    check_rust_file("a.rs", &"x\n".repeat(801), &mut report);
    check_rust_file("b.rs", &"x\n".repeat(451), &mut report);
    check_rust_file("c.rs", &"x\n".repeat(450), &mut report);
    assert_eq!(
        report.faults,
        ["a.rs: 801 lines, 800 are allowed; split it by subject"]
    );
    assert_eq!(report.notes, ["b.rs: 451 lines"]);
}

#[test]
fn leftovers_are_found_with_their_line() {
    let mut report = Report::default();
    let text = concat!("fn f() {\n    to", "do!()\n}\n#[ig", "nore = \"slow\"]\n");
    check_rust_file("a.rs", text, &mut report);
    check_rust_file(
        "plugins/x/src/lib.rs",
        "// Not implemented: y.",
        &mut report,
    );
    check_rust_file(
        "plugins/x/tests/t.rs",
        "// Not implemented: y.",
        &mut report,
    );
    assert_eq!(report.faults.len(), 3, "{:?}", report.faults);
    assert!(report.faults[0].starts_with("a.rs:2: "));
    assert!(report.faults[1].starts_with("a.rs:4: "));
    assert!(report.faults[2].starts_with("plugins/x/src/lib.rs:1: "));
}

#[test]
fn a_folder_of_one_machine_is_told_from_a_longer_path() {
    for line in ["see /{}x", "(/{}a)", "\"/{}\"", "path=/{}x"] {
        assert_eq!(
            machine_folder(&line.replace("{}", "home/")),
            Some("home/"),
            "{line}"
        );
    }
    for line in [
        "docs/{}x",
        "$HOME/{}x",
        "#/{}x",
        "https://example.org/{}",
        "~/{}",
    ] {
        assert_eq!(machine_folder(&line.replace("{}", "home/")), None, "{line}");
    }
}

#[test]
fn ui_cases_and_messages_come_in_pairs() {
    let files = [
        "fail/a.rs",
        "fail/b.rs",
        "fail/b.stderr",
        "fail/c.stderr",
        "pass/d.rs",
    ];
    let files = files.map(|file| format!("hermes-macros/tests/ui/tool/{file}"));
    let mut report = Report::default();
    check_ui_pairs(&files, &mut report);
    assert_eq!(report.faults.len(), 2, "{:?}", report.faults);
    assert!(report.faults[0].contains("fail/a.rs: has no .stderr"));
    assert!(report.faults[1].contains("fail/c.stderr: belongs to no case"));
}

#[test]
fn without_git_the_files_are_walked() {
    let mut files = Vec::new();
    walk(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut files).expect("our own folder");
    assert!(files.contains(&"src/steps/tidy.rs".to_owned()), "{files:?}");
}
