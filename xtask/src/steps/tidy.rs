//! Rules no compiler checks: names that must agree, file sizes, leftovers. Also a test.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{Context, Outcome};
use crate::program::Program;
use crate::workspace::{HOST, Workspace};

/// A longer file has more than one subject.
const MOST_LINES: usize = 800;
/// From here on a file is mentioned.
const MANY_LINES: usize = 450;

/// Text that mustn't stand in Rust files. Written in two parts, so that this file isn't found.
const LEFTOVERS: &[(&str, &str)] = &[
    (concat!("todo", "!("), "an open end belongs into an issue"),
    (
        concat!("unimplemented", "!("),
        "an open end belongs into an issue",
    ),
    (concat!("dbg", "!("), "left over from debugging"),
    (
        concat!("#[ig", "nore"),
        "a test that doesn't run proves nothing",
    ),
];

/// Text that mustn't stand in a tool's source, in any case: a tool that only pretends.
const PRETENCES: &[&str] = &["not implemented", "not yet implemented", "coming soon"];

/// Folders of somebody's machine. The slash at the front is added, so that this file isn't found.
const MACHINE_FOLDERS: &[&str] = &["work/", "root/", "home/", "Users/"];

/// Files that may name such folders, by the beginning of their path, and why.
const MAY_NAME_FOLDERS: &[(&str, &str)] = &[
    // (path prefix, reason)
    ("tests/cassettes/", "recorded as they came"),
];

pub(super) fn run(context: &Context) -> Result<Outcome> {
    let report = check(&context.workspace)?;
    for note in &report.notes {
        println!("note: {note}");
    }
    for fault in &report.faults {
        println!("{fault}");
    }
    if !report.faults.is_empty() {
        bail!("{} faults", report.faults.len());
    }
    println!("{} files are tidy", report.files);
    Ok(Outcome::Passed)
}

#[derive(Default)]
struct Report {
    files: usize,
    notes: Vec<String>,
    faults: Vec<String>,
}

fn check(workspace: &Workspace) -> Result<Report> {
    let mut report = Report::default();
    let files = project_files(&workspace.root, &mut report)?;
    report.files = files.len();
    for file in &files {
        // A file that isn't UTF-8 is data, and so is one that is deleted but still in the index.
        let Ok(text) = std::fs::read_to_string(workspace.root.join(file)) else {
            continue;
        };
        if Path::new(file).extension() == Some("rs".as_ref()) {
            check_rust_file(file, &text, &mut report);
        }
        check_machine_folders(file, &text, &mut report);
    }
    check_ui_pairs(&files, &mut report);
    check_plugins(workspace, &mut report)?;
    check_changelog(&workspace.root, &mut report);
    Ok(report)
}

/// The files git knows or would add, relative to the root, with `/`; sorted.
///
/// Without git (a source archive, somebody else's checkout) every file outside build folders.
fn project_files(root: &Path, report: &mut Report) -> Result<Vec<String>> {
    let git = Program::at("git", PathBuf::from("git"), root).args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]);
    let mut files: Vec<String> = if let Ok(names) = git.read() {
        names.split_terminator('\0').map(str::to_owned).collect()
    } else {
        let note = "git can't list the files here, so ignored ones are read too";
        report.notes.push(note.to_owned());
        let mut files = Vec::new();
        walk(root, "", &mut files)?;
        files
    };
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

fn walk(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<()> {
    let entries = std::fs::read_dir(folder);
    for entry in entries.with_context(|| format!("can't read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && name != "target" && name != ".git" {
            walk(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn check_rust_file(file: &str, text: &str, report: &mut Report) {
    let lines = text.lines().count();
    if lines > MOST_LINES {
        let fault = format!("{file}: {lines} lines, {MOST_LINES} are allowed; split it by subject");
        report.faults.push(fault);
    } else if lines > MANY_LINES {
        report.notes.push(format!("{file}: {lines} lines"));
    }

    let is_tool =
        (file.starts_with("plugins/") && file.contains("/src/")) || file.starts_with("src/builtin");
    for (number, line) in (1..).zip(text.lines()) {
        for (leftover, why) in LEFTOVERS {
            if line.contains(leftover) {
                report
                    .faults
                    .push(format!("{file}:{number}: `{leftover}`: {why}"));
            }
        }
        let lower = line.to_lowercase();
        for pretence in PRETENCES {
            if is_tool && lower.contains(pretence) {
                let fault =
                    format!("{file}:{number}: \"{pretence}\" in a tool: do it or leave it out");
                report.faults.push(fault);
            }
        }
    }
}

/// A path that holds on one machine only makes a test or a document wrong everywhere else.
fn check_machine_folders(file: &str, text: &str, report: &mut Report) {
    if MAY_NAME_FOLDERS
        .iter()
        .any(|(prefix, _)| file.starts_with(prefix))
    {
        return;
    }
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(folder) = machine_folder(line) {
            let fault = format!("{file}:{number}: /{folder} is a folder of one machine");
            report.faults.push(fault);
        }
    }
}

fn machine_folder(line: &str) -> Option<&'static str> {
    // Part of a longer path, an address or a JSON pointer: `docs/home/`, `$HOME/work/`, `#/root/`.
    let goes_on = |c: char| c.is_alphanumeric() || "_-.~#}>*/$".contains(c);
    MACHINE_FOLDERS.iter().copied().find(|folder| {
        let slash_and_folder = format!("/{folder}");
        line.match_indices(&slash_and_folder)
            .any(|(at, _)| !line[..at].ends_with(goes_on))
    })
}

/// Each failing UI case has its expected messages beside it, and no message file is orphaned.
fn check_ui_pairs(files: &[String], report: &mut Report) {
    let has = |file: &String| files.binary_search(file).is_ok();
    for file in files
        .iter()
        .filter(|file| file.starts_with("hermes-macros/tests/ui/"))
    {
        if let Some(stem) = file.strip_suffix(".rs") {
            let compiles = file.contains("/pass/");
            let expected = format!("{stem}.stderr");
            if !compiles && !has(&expected) {
                let cure = "bless it with `TRYBUILD=overwrite`, then read it";
                report
                    .faults
                    .push(format!("{file}: has no .stderr; {cure}"));
            }
            if compiles && has(&expected) {
                report
                    .faults
                    .push(format!("{expected}: a case under pass/ has no messages"));
            }
        } else if let Some(stem) = file.strip_suffix(".stderr")
            && !has(&format!("{stem}.rs"))
        {
            report.faults.push(format!("{file}: belongs to no case"));
        }
    }
}

/// One word, four places: `plugins/x`, package `hermes-plugin-x`, feature `plugin-x`, manifest `x`.
///
/// The manifest's name is made from the package's, so three are left to compare.
fn check_plugins(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let host = workspace.package(HOST)?;
    let plugins = workspace.root.join("plugins");
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(&plugins).context("there is no plugins folder")? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    folders.sort_unstable();

    for name in &folders {
        let folder = plugins.join(name);
        let faults = &mut report.faults;
        let mut fault = |text: &str| faults.push(format!("plugins/{name}: {text}"));
        let package = format!("hermes-plugin-{name}");
        match workspace
            .packages
            .iter()
            .find(|package| package.folder == folder)
        {
            None => fault("isn't a member of the workspace"),
            Some(found) if found.name != package => {
                fault(&format!("its package is `{}`, not `{package}`", found.name));
            }
            Some(found) if !found.is_default_member => fault("isn't among the default-members"),
            Some(_) => {}
        }
        let feature = format!("plugin-{name}");
        let line = format!("dep:{package}");
        match feature_of(host, &feature) {
            None => fault(&format!(
                "the host needs the feature `{feature} = [\"{line}\"]`"
            )),
            Some(on) if !on.contains(&line) => {
                fault(&format!("the host's feature `{feature}` lacks \"{line}\""));
            }
            Some(_) => {}
        }
        if !feature_of(host, "all-plugins").is_some_and(|on| on.contains(&feature)) {
            fault(&format!(
                "the host's feature `all-plugins` lacks \"{feature}\""
            ));
        }
        if !host
            .dependencies
            .iter()
            .any(|one| one.name == package && one.optional)
        {
            fault(&format!("the host has no optional dependency `{package}`"));
        }
        if !folder.join("README.md").is_file() {
            fault("has no README.md");
        }
        match std::fs::read_to_string(folder.join("src/lib.rs")) {
            Err(_) => fault("has no src/lib.rs"),
            Ok(text) if !text.starts_with("//!") => fault("src/lib.rs doesn't begin with `//!`"),
            Ok(_) => {}
        }
    }

    for feature in workspace.plugin_features()? {
        let name = feature.trim_start_matches("plugin-");
        if !folders.iter().any(|folder| folder == name) {
            report.faults.push(format!(
                "Cargo.toml: `{feature}` has no folder plugins/{name}"
            ));
        }
    }
    Ok(())
}

fn feature_of<'a>(package: &'a crate::workspace::Package, name: &str) -> Option<&'a [String]> {
    let found = package.features.iter().find(|(feature, _)| feature == name);
    found.map(|(_, on)| on.as_slice())
}

fn check_changelog(root: &Path, report: &mut Report) {
    let text = std::fs::read_to_string(root.join("CHANGELOG.md")).unwrap_or_default();
    let is_heading = |line: &str| line.starts_with('#') && line.contains("Unreleased");
    if !text.lines().any(is_heading) {
        report
            .faults
            .push("CHANGELOG.md: has no heading \"Unreleased\"".to_owned());
    }
}

#[cfg(test)]
mod tests;
