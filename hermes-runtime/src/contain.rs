//! A plugin's panic ends its call, not the host.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether this thread runs plugin code whose panic will be caught and reported as a result. A
/// binary's panic hook may stay silent then.
pub fn in_contained_call() -> bool {
    DEPTH.with(|depth| depth.get() > 0)
}

struct Inside;

impl Inside {
    fn enter() -> Self {
        DEPTH.with(|depth| depth.set(depth.get() + 1));
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get().saturating_sub(1)));
    }
}

/// Runs `work`; a panic becomes its text.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let inside = Inside::enter();
    // What `work` shares with others is behind locks whose poisoning is handled.
    let result = catch_unwind(AssertUnwindSafe(work)).map_err(panic_text);
    drop(inside);
    result
}

/// Polls a future with the same mark set, so that a panic inside is known to be contained.
pub(crate) async fn marked<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|cx| {
        let _inside = Inside::enter();
        future.as_mut().poll(cx)
    })
    .await
}

/// The text of a panic.
pub(crate) fn panic_text(payload: Box<dyn Any + Send>) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        // A payload of the plugin's own type may panic again when it is dropped, and so may that
        // one's payload.
        std::mem::forget(payload);
        "without a text".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::catch;

    struct PanicsInDrop;

    impl Drop for PanicsInDrop {
        fn drop(&mut self) {
            panic!("again");
        }
    }

    #[test]
    fn a_payload_that_panics_when_it_is_dropped_is_contained() {
        let caught = catch(|| std::panic::panic_any(PanicsInDrop));
        assert_eq!(caught, Err("without a text".to_owned()));
    }
}
