//! A folder for one run, removed with its value.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write and remove their own folders only"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty `HERMES_HOME`, inside a folder that stands in for the user's home.
pub(crate) struct Home {
    outer: PathBuf,
}

impl Home {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("it-{}-{number}", std::process::id());
        let outer = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(outer.join("hermes")).unwrap();
        Self { outer }
    }

    /// What `HERMES_HOME` names.
    pub(crate) fn path(&self) -> PathBuf {
        self.outer.join("hermes")
    }

    /// What `HOME` names.
    pub(crate) fn outer(&self) -> &Path {
        &self.outer
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Everything in it, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // A folder that can't be removed is no reason to fail a test that passed.
        drop(fs::remove_dir_all(&self.outer));
    }
}
