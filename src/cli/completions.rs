use crate::term;
use clap_complete::Shell;

/// `hermes completions SHELL`
#[derive(Debug, clap::Args)]
pub(super) struct Completions {
    /// The shell to print it for
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, command: &mut clap::Command) {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, command, "hermes", &mut script);
        term::part(&String::from_utf8_lossy(&script));
    }
}
