//! One program run: printed as a user would type it, then run or captured.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// A command line, built up word by word.
#[derive(Clone)]
pub(crate) struct Program {
    /// What is printed, for example `cargo` or `hermes`.
    shown: String,
    /// What is started; differs from `shown` for programs we built ourselves.
    path: PathBuf,
    words: Vec<String>,
    variables: Vec<(String, String)>,
    /// Variables that aren't worth showing: paths of this run, colours.
    quiet_variables: Vec<(String, String)>,
    folder: PathBuf,
}

/// What a captured program left behind.
pub(crate) struct Captured {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Program {
    /// The cargo that started us, so that a toolchain chosen on the command line holds.
    ///
    /// `words` are split at spaces; a word with a space in it goes through [`Program::arg`].
    pub(crate) fn cargo(root: &Path, words: &str) -> Self {
        let path = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
        Self::at("cargo", path, root).args(words.split_whitespace())
    }

    /// A program at `path`, shown as `shown`.
    pub(crate) fn at(shown: &str, path: PathBuf, folder: &Path) -> Self {
        Self {
            shown: shown.to_owned(),
            path,
            words: Vec::new(),
            variables: Vec::new(),
            quiet_variables: Vec::new(),
            folder: folder.to_owned(),
        }
    }

    pub(crate) fn arg(mut self, word: impl Into<String>) -> Self {
        self.words.push(word.into());
        self
    }

    pub(crate) fn args<T: Into<String>>(mut self, words: impl IntoIterator<Item = T>) -> Self {
        self.words.extend(words.into_iter().map(Into::into));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn quiet_env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        let value = value.as_ref().to_string_lossy().into_owned();
        self.quiet_variables.push((name.to_owned(), value));
        self
    }

    /// Prints the command line and runs it, its output going to ours.
    pub(crate) fn run(&self) -> Result<()> {
        println!("$ {self}");
        let status = self
            .command()
            .stdin(Stdio::null())
            .status()
            .with_context(|| format!("can't start `{}`", self.shown))?;
        if !status.success() {
            bail!("`{self}` ended with {status}");
        }
        Ok(())
    }

    /// Runs it without printing anything; a non-zero exit code is the caller's business.
    pub(crate) fn capture(&self) -> Result<Captured> {
        let Output {
            status,
            stdout,
            stderr,
        } = self
            .command()
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("can't start `{}`", self.shown))?;
        Ok(Captured {
            code: status.code(),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        })
    }

    /// Starts it, unheard, and gives the process.
    pub(crate) fn start(&self) -> Result<Child> {
        self.command()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("can't start `{}`", self.shown))
    }

    /// The standard output of a program that must succeed.
    pub(crate) fn read(&self) -> Result<String> {
        let captured = self.capture()?;
        if captured.code != Some(0) {
            bail!(
                "`{self}` ended with {:?}:\n{}",
                captured.code,
                captured.stderr.trim_end()
            );
        }
        Ok(captured.stdout)
    }

    /// The standard output, read as JSON, of a program that must succeed.
    pub(crate) fn read_json(&self) -> Result<Value> {
        serde_json::from_str(&self.read()?).with_context(|| format!("`{self}` printed no JSON"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.words).current_dir(&self.folder);
        for (name, value) in self.variables.iter().chain(&self.quiet_variables) {
            command.env(name, value);
        }
        command
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.variables {
            write!(f, "{name}={} ", quoted(value))?;
        }
        f.write_str(&self.shown)?;
        for word in &self.words {
            write!(f, " {}", quoted(word))?;
        }
        Ok(())
    }
}

/// A word as a shell would need it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if !word.contains('\'') {
        // `expression='2**16'` reads better than `'expression=2**16'`.
        if let Some((key, value)) = word.split_once('=')
            && key.chars().all(plain)
            && !value.is_empty()
        {
            return format!("{key}='{value}'");
        }
        return format!("'{word}'");
    }
    let escaped: String = word
        .chars()
        .flat_map(|c| "\\\"$`!".contains(c).then_some('\\').into_iter().chain([c]))
        .collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests;
