//! Runs plugins' futures on an async runtime of their own: one that blocks its thread, as an async
//! function must not, holds up other plugins' futures at most. The caller's timers and signals go on.

use crate::contain::{marked, panic_text};
use crate::threads::Stopped;
use hermes_core::CancelToken;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::AbortHandle;

/// Threads of one runtime. When all are blocked it is left behind and another one started.
const THREADS: usize = 4;
/// Blocked threads beyond which no more work is taken.
const MOST_BLOCKED: isize = 64;
/// How long a task that was told to end may take before its thread counts as blocked.
const LAST_STEP: Duration = Duration::from_millis(50);

#[derive(Default)]
pub(crate) struct Tasks {
    current: Mutex<Option<Current>>,
    blocked: Arc<AtomicIsize>,
}

struct Current {
    runtime: Runtime,
    blocked: usize,
}

impl Tasks {
    /// Threads that a future blocks beyond its time.
    pub(crate) fn blocked(&self) -> usize {
        usize::try_from(self.blocked.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Runs a future for at most `limit`; a panic inside becomes its text.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        cancel: &CancelToken,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Stopped> {
        let blocked = self.blocked();
        if self.blocked.load(Ordering::Relaxed) >= MOST_BLOCKED {
            return Err(Stopped::Full(format!(
                "{blocked} earlier async calls still block their threads; restart the host"
            )));
        }
        let handle = self
            .handle()
            .map_err(|error| Stopped::Full(format!("no threads can be started: {error}")))?;
        let mut task = handle.spawn(marked(future));
        // A caller that goes away ends the task too.
        let _ends = AbortOnDrop(task.abort_handle());
        let result = tokio::select! {
            biased;
            joined = tokio::time::timeout(limit, &mut task) => match joined {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(error)) => return Err(match error.try_into_panic() {
                    Ok(payload) => Stopped::Panicked(panic_text(payload)),
                    Err(_) => Stopped::Cancelled,
                }),
                Err(_) => Err(Stopped::Timeout(limit)),
            },
            () = cancel.cancelled() => Err(Stopped::Cancelled),
        };
        task.abort();
        if tokio::time::timeout(LAST_STEP, &mut task).await.is_err() {
            self.leave_behind(task, &handle);
        }
        result
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn handle(&self) -> std::io::Result<Handle> {
        let mut current = self.current();
        if let Some(current) = &*current {
            return Ok(current.runtime.handle().clone());
        }
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("hermes-async")
            .enable_all()
            .build()?;
        let handle = runtime.handle().clone();
        *current = Some(Current {
            runtime,
            blocked: 0,
        });
        Ok(handle)
    }

    /// Counts a blocked thread until its future ends, if it ever does.
    fn leave_behind<T: Send + 'static>(&self, task: tokio::task::JoinHandle<T>, handle: &Handle) {
        self.blocked.fetch_add(1, Ordering::Relaxed);
        let blocked = Arc::clone(&self.blocked);
        // On the caller's runtime, which isn't blocked.
        tokio::spawn(async move {
            drop(task.await);
            blocked.fetch_sub(1, Ordering::Relaxed);
        });
        let mut current = self.current();
        if let Some(inner) = &mut *current
            && inner.runtime.handle().id() == handle.id()
        {
            inner.blocked += 1;
            if inner.blocked >= THREADS
                && let Some(full) = current.take()
            {
                full.runtime.shutdown_background();
            }
        }
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        // Dropping a runtime waits for its threads, and panics inside another runtime.
        if let Some(current) = self.current().take() {
            current.runtime.shutdown_background();
        }
    }
}

struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::{Stopped, THREADS, Tasks};
    use hermes_core::CancelToken;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(20);
    const SHORT: Duration = Duration::from_millis(30);

    #[tokio::test]
    async fn values_panics_and_timeouts_come_back() {
        let tasks = Tasks::default();
        let cancel = CancelToken::new();
        assert_eq!(tasks.run(LONG, &cancel, async { 7 }).await, Ok(7));
        let boom = tasks.run(LONG, &cancel, async { panic!("boom") });
        assert_eq!(
            boom.await,
            Err::<(), _>(Stopped::Panicked("boom".to_owned()))
        );
        let never = tasks.run(SHORT, &cancel, std::future::pending::<()>());
        assert_eq!(never.await, Err(Stopped::Timeout(SHORT)));
        assert_eq!(tasks.blocked(), 0);
    }

    #[tokio::test]
    async fn futures_that_block_their_threads_hold_up_nobody() {
        let tasks = Tasks::default();
        let cancel = CancelToken::new();
        let released = Arc::new(AtomicBool::new(false));
        for _ in 0..THREADS * 2 {
            let released = Arc::clone(&released);
            let blocks = tasks.run(SHORT, &cancel, async move {
                while !released.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
            assert_eq!(blocks.await, Err(Stopped::Timeout(SHORT)));
        }
        assert_eq!(tasks.blocked(), THREADS * 2);
        assert_eq!(tasks.run(LONG, &cancel, async { 7 }).await, Ok(7));
        released.store(true, Ordering::SeqCst);
        while tasks.blocked() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
