//! The built host as a program: where it is, and a home folder of its own.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use crate::program::Program;
use crate::workspace::Workspace;

/// `target/debug/hermes`, run with one home folder.
pub(crate) struct Hermes {
    binary: PathBuf,
    root: PathBuf,
    home: PathBuf,
    /// Removed at the end if we made it.
    is_temporary: bool,
}

impl Hermes {
    /// The binary of the last dev build, with the user's `HERMES_HOME` or an empty one.
    pub(crate) fn with_users_home(workspace: &Workspace) -> Result<Self> {
        match std::env::var_os("HERMES_HOME").filter(|home| !home.is_empty()) {
            // Relative to where the user stands, not to where we run the program.
            Some(home) => Self::at(workspace, std::path::absolute(home)?, false),
            None => Self::with_empty_home(workspace),
        }
    }

    pub(crate) fn with_empty_home(workspace: &Workspace) -> Result<Self> {
        let name = format!("hermes-xtask-home-{}", std::process::id());
        let home = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&home).with_context(|| format!("can't make {}", home.display()))?;
        Self::at(workspace, home, true)
    }

    fn at(workspace: &Workspace, home: PathBuf, is_temporary: bool) -> Result<Self> {
        let file = format!("hermes{}", std::env::consts::EXE_SUFFIX);
        let binary = workspace.target.join("debug").join(file);
        if !binary.is_file() {
            bail!("cargo left no {}", binary.display());
        }
        Ok(Self {
            binary,
            root: workspace.root.clone(),
            home,
            is_temporary,
        })
    }

    pub(crate) fn has_empty_home(&self) -> bool {
        self.is_temporary
    }

    /// `hermes …`, shown like this.
    pub(crate) fn program(&self) -> Program {
        Program::at("hermes", self.binary.clone(), &self.root).quiet_env("HERMES_HOME", &self.home)
    }
}

impl Drop for Hermes {
    fn drop(&mut self) {
        if self.is_temporary {
            // Only rubbish in the temporary folder is at stake.
            drop(std::fs::remove_dir_all(&self.home));
        }
    }
}
