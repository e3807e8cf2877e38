//! The bounded pool for plain functions. A call that outstays its time is abandoned: its thread is
//! counted and left alone, its place in the pool is free again. Threads are never joined, so the
//! process can always exit. (Tokio's own blocking pool waits for its threads when a runtime ends.)

use crate::contain::catch;
use hermes_core::CancelToken;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};

/// Calls that run at the same time.
const PLACES: usize = 32;
/// Abandoned threads beyond which no more work is taken.
const MOST_ABANDONED: usize = 64;
/// How long an idle thread waits for work.
const IDLE: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

/// Why work gave no value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// Its time passed.
    Timeout(Duration),
    /// The caller gave up.
    Cancelled,
    /// It panicked, with this text.
    Panicked(String),
    /// The pool can't run it.
    Full(String),
}

pub(crate) struct Threads {
    shared: Arc<Shared>,
    places: Semaphore,
}

#[derive(Default)]
struct Shared {
    idle: Mutex<Vec<(usize, Sender<Job>)>>,
    started: AtomicUsize,
    /// For an instant below zero, when a thread ends while it is being abandoned.
    abandoned: AtomicIsize,
}

impl Threads {
    pub(crate) fn new() -> Self {
        Self {
            shared: Arc::default(),
            places: Semaphore::new(PLACES),
        }
    }

    /// Threads that still run a call nobody waits for.
    pub(crate) fn abandoned(&self) -> usize {
        usize::try_from(self.shared.abandoned.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Runs `work` on a thread of the pool, for at most `limit`.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        cancel: &CancelToken,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let abandoned = self.abandoned();
        if abandoned >= MOST_ABANDONED {
            return Err(Stopped::Full(format!(
                "{abandoned} earlier calls ran out of time and still run; wait for them or restart the host"
            )));
        }
        // Waiting for a place is not the work's own time.
        let place = tokio::time::timeout(limit, self.places.acquire());
        // Held by this side, not by the thread: abandoning gives the place back.
        let _place = tokio::select! {
            biased;
            place = place => match place {
                Ok(Ok(place)) => place,
                _ => return Err(Stopped::Full(format!(
                    "waited {limit:?} for one of {PLACES} threads, all of which are busy; try again"
                ))),
            },
            () = cancel.cancelled() => return Err(Stopped::Cancelled),
        };
        let (tx, rx) = oneshot::channel();
        let ended = Ended::default();
        let of_job = ended.clone();
        let shared = Arc::clone(&self.shared);
        self.start(Box::new(move || {
            let result = catch(work);
            if of_job.is_second() {
                shared.abandoned.fetch_sub(1, Ordering::Relaxed);
            }
            // Fails if nobody waits any more.
            drop(tx.send(result));
        }))
        .map_err(|error| Stopped::Full(format!("no thread can be started: {error}")))?;
        let _waiting = Waiting {
            shared: &self.shared,
            ended,
        };
        tokio::select! {
            biased;
            result = tokio::time::timeout(limit, rx) => match result {
                Ok(Ok(Ok(value))) => Ok(value),
                Ok(Ok(Err(panic))) => Err(Stopped::Panicked(panic)),
                Ok(Err(_)) => Err(Stopped::Panicked("its thread was lost".to_owned())),
                Err(_) => Err(Stopped::Timeout(limit)),
            },
            () = cancel.cancelled() => Err(Stopped::Cancelled),
        }
    }

    fn start(&self, job: Job) -> std::io::Result<()> {
        let mut job = job;
        // An idle thread may give up at this very moment; then the job comes back.
        while let Some((_, worker)) = self.shared.idle().pop() {
            match worker.send(job) {
                Ok(()) => return Ok(()),
                Err(back) => job = back.0,
            }
        }
        let shared = Arc::clone(&self.shared);
        let id = self.shared.started.fetch_add(1, Ordering::Relaxed);
        std::thread::Builder::new()
            .name(format!("hermes-tool-{id}"))
            .spawn(move || shared.work(id, job))
            .map(drop)
    }
}

impl Shared {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<(usize, Sender<Job>)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, id: usize, first: Job) {
        first();
        let (tx, rx) = channel::<Job>();
        loop {
            self.idle().push((id, tx.clone()));
            let job = match rx.recv_timeout(IDLE) {
                Ok(job) => job,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    let mut idle = self.idle();
                    if let Some(at) = idle.iter().position(|(other, _)| *other == id) {
                        idle.swap_remove(at);
                        return;
                    }
                    drop(idle);
                    // Somebody has just taken this thread off the list: a job is on its way.
                    match rx.recv() {
                        Ok(job) => job,
                        Err(_) => return,
                    }
                }
            };
            job();
        }
    }
}

/// Set by whichever ends first, the work or the waiting for it.
#[derive(Clone, Default)]
struct Ended(Arc<AtomicBool>);

impl Ended {
    /// Marks an end; whether the other side had ended before.
    fn is_second(&self) -> bool {
        self.0.swap(true, Ordering::AcqRel)
    }
}

/// Counts the thread as abandoned if the waiting ends before the work.
struct Waiting<'a> {
    shared: &'a Shared,
    ended: Ended,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if !self.ended.is_second() {
            self.shared.abandoned.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Stopped, Threads};
    use hermes_core::CancelToken;
    use std::sync::mpsc;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn values_and_panics_come_back() {
        let threads = Threads::new();
        let cancel = CancelToken::new();
        assert_eq!(threads.run(LONG, &cancel, || 7).await, Ok(7));
        let boom = threads.run(LONG, &cancel, || -> u8 { panic!("boom {}", 1) });
        assert_eq!(boom.await, Err(Stopped::Panicked("boom 1".to_owned())));
    }

    #[tokio::test]
    async fn an_abandoned_thread_is_counted_until_it_ends() {
        let threads = Threads::new();
        let (release, wait) = mpsc::channel::<()>();
        let limit = Duration::from_millis(30);
        let stopped = threads
            .run(limit, &CancelToken::new(), move || wait.recv().is_ok())
            .await;
        assert_eq!(stopped, Err(Stopped::Timeout(limit)));
        assert_eq!(threads.abandoned(), 1);
        release.send(()).unwrap();
        for _ in 0..200 {
            if threads.abandoned() == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the thread is still counted");
    }

    #[tokio::test]
    async fn cancelling_answers_at_once() {
        let threads = Threads::new();
        let cancel = CancelToken::new();
        let (_release, wait) = mpsc::channel::<()>();
        let other = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            other.cancel();
        });
        let stopped = threads
            .run(LONG, &cancel, move || wait.recv().is_ok())
            .await;
        assert_eq!(stopped, Err(Stopped::Cancelled));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_burst_waits_its_turn_and_abandons_nothing() {
        let threads = std::sync::Arc::new(Threads::new());
        let calls: Vec<_> = (0..super::PLACES * 6)
            .map(|_| {
                let threads = std::sync::Arc::clone(&threads);
                tokio::spawn(async move {
                    let nap = || std::thread::sleep(Duration::from_millis(50));
                    threads
                        .run(Duration::from_millis(400), &CancelToken::new(), nap)
                        .await
                })
            })
            .collect();
        for call in calls {
            // On a slow machine one may find no place; none may be started without time to end.
            let result = call.await.unwrap();
            assert!(
                matches!(result, Ok(()) | Err(Stopped::Full(_))),
                "{result:?}"
            );
        }
        assert_eq!(threads.abandoned(), 0);
    }

    #[tokio::test]
    async fn hung_calls_do_not_use_up_the_pool() {
        let threads = Threads::new();
        let cancel = CancelToken::new();
        let mut releases = Vec::new();
        for _ in 0..super::MOST_ABANDONED {
            let (release, wait) = mpsc::channel::<()>();
            releases.push(release);
            let limit = Duration::from_millis(1);
            let stopped = threads
                .run(limit, &cancel, move || wait.recv().is_ok())
                .await;
            assert!(matches!(stopped, Err(Stopped::Timeout(_))), "{stopped:?}");
        }
        let refused = threads.run(LONG, &cancel, || ()).await;
        assert!(matches!(refused, Err(Stopped::Full(_))), "{refused:?}");
        drop(releases);
        while threads.abandoned() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(threads.run(LONG, &cancel, || 1).await, Ok(1));
    }
}
