use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// The time that caches and grace periods go by; tests bring their own.
#[derive(Clone, Default)]
pub struct Clock(Option<Arc<dyn Fn() -> Instant + Send + Sync>>);

impl Clock {
    /// A clock that asks `now`.
    pub fn new(now: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(now)))
    }

    pub(crate) fn now(&self) -> Instant {
        self.0.as_ref().map_or_else(Instant::now, |now| now())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
