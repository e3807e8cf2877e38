//! An API key that can't be printed by accident.

use hermes_core::Secret;

/// A secret sent as `Authorization: Bearer …`. `Debug` prints `***`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey(Secret<String>);

impl ApiKey {
    /// Wraps a key; surrounding blanks (a line end from a file) are dropped.
    ///
    /// Returns `None` for an empty key, so that `OPENAI_API_KEY=` counts as not set.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(Secret::new(key.to_owned())))
    }

    /// The key itself. Callers must not print or store it.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// Replaces the key, wherever it occurs in `text`, by `***`: some servers echo it.
    pub(crate) fn scrub(&self, text: &str) -> String {
        text.replace(self.expose(), "***")
    }
}
