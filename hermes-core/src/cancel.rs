use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Tells a running tool that nobody waits for its answer any more. Clones share one signal.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Signal>);

#[derive(Default)]
struct Signal {
    cancelled: AtomicBool,
    waiting: Mutex<Vec<Waker>>,
}

impl CancelToken {
    /// A token that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels, once and for all clones.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        let waiting = std::mem::take(
            &mut *self
                .0
                .waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Whether it was cancelled; cheap enough for a loop.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Waits until it is cancelled.
    pub fn cancelled(&self) -> Cancelled<'_> {
        Cancelled(self)
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelToken")
            .field(&self.is_cancelled())
            .finish()
    }
}

/// The future of [`CancelToken::cancelled`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Cancelled<'a>(&'a CancelToken);

impl Future for Cancelled<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let signal = &self.0.0;
        if self.0.is_cancelled() {
            return Poll::Ready(());
        }
        let mut waiting = signal
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Looked at again under the lock: `cancel` may have emptied the list in between.
        if self.0.is_cancelled() {
            return Poll::Ready(());
        }
        if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
            waiting.push(cx.waker().clone());
        }
        Poll::Pending
    }
}
