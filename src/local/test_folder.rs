//! A folder of a test's own, removed when the test ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) struct TestFolder(PathBuf);

#[expect(clippy::disallowed_methods, reason = "a folder of the test's own")]
impl TestFolder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hermes-local-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    #[cfg(unix)]
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.file(name, format!("#!/bin/sh\n{text}\n").as_bytes());
        self.allow_running(&path);
        path
    }

    #[cfg(unix)]
    pub(crate) fn allow_running(&self, path: &Path) {
        use std::os::unix::fs::PermissionsExt as _;
        assert!(path.starts_with(&self.0));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

impl Drop for TestFolder {
    #[expect(clippy::disallowed_methods, reason = "a folder of the test's own")]
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
