//! Whether a tool's check lets it be seen, with a cache and a grace period.

use crate::clock::Clock;
use crate::contain::catch;
use hermes_core::Availability;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an answer holds.
const FRESH: Duration = Duration::from_secs(30);
/// How long after its last success a failing check is taken for a hiccup.
const GRACE: Duration = Duration::from_mins(1);

/// How long a check may think.
const LIMIT: Duration = Duration::from_secs(2);

/// The cache of one check.
#[derive(Default)]
pub(crate) struct Checked(Mutex<Known>);

#[derive(Default)]
struct Known {
    answer: Option<(Instant, Availability)>,
    last_success: Option<Instant>,
    /// Shared with the thread of a check that has not come back.
    running: Arc<AtomicBool>,
}

/// Asks on a thread of its own: a check that hangs hides its tool and holds up nobody.
fn ask_in_time(check: fn() -> Availability, running: &Arc<AtomicBool>) -> Availability {
    let late = || Err(format!("its check did not answer within {LIMIT:?}"));
    if running.swap(true, Ordering::AcqRel) {
        return late();
    }
    let (tx, rx) = channel();
    let ended = Arc::clone(running);
    let thread = std::thread::Builder::new().name("hermes-check".to_owned());
    let started = thread.spawn(move || {
        let answer = catch(check);
        ended.store(false, Ordering::Release);
        // Fails if nobody waits any more.
        drop(tx.send(answer));
    });
    if let Err(error) = started {
        running.store(false, Ordering::Release);
        return Err(format!("no thread for its check: {error}"));
    }
    match rx.recv_timeout(LIMIT) {
        Ok(Ok(answer)) => answer,
        Ok(Err(panic)) => Err(format!("its check panicked: {panic}")),
        Err(_) => late(),
    }
}

impl Checked {
    /// Asks the check, or its cache.
    pub(crate) fn ask(
        &self,
        name: &str,
        check: fn() -> Availability,
        clock: &Clock,
    ) -> Availability {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock.now();
        if let Some((at, answer)) = &known.answer
            && now.saturating_duration_since(*at) < FRESH
        {
            return answer.clone();
        }
        let answer = ask_in_time(check, &known.running);
        match answer {
            Ok(()) => known.last_success = Some(now),
            Err(reason) => {
                let in_grace = known
                    .last_success
                    .is_some_and(|last| now.saturating_duration_since(last) < GRACE);
                if in_grace {
                    // Not cached: the next call asks again.
                    known.answer = None;
                    tracing::warn!(tool = name, reason, "check failed, tool kept for now");
                    return Ok(());
                }
                tracing::debug!(tool = name, reason, "tool is not available");
                known.answer = Some((now, Err(reason.clone())));
                return Err(reason);
            }
        }
        known.answer = Some((now, Ok(())));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Checked;
    use crate::clock::Clock;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::{Duration, Instant};

    static UP: AtomicBool = AtomicBool::new(true);

    fn check() -> Result<(), String> {
        if UP.load(Ordering::SeqCst) {
            Ok(())
        } else {
            Err("down".to_owned())
        }
    }

    #[test]
    fn a_hiccup_is_forgiven_for_a_minute() {
        let seconds = Arc::new(AtomicU64::new(0));
        let start = Instant::now();
        let clock = Clock::new({
            let seconds = Arc::clone(&seconds);
            move || start + Duration::from_secs(seconds.load(Ordering::SeqCst))
        });
        let checked = Checked::default();
        let at = |second: u64, up: bool| {
            seconds.store(second, Ordering::SeqCst);
            UP.store(up, Ordering::SeqCst);
            checked.ask("t", check, &clock).is_ok()
        };
        assert!(at(0, true));
        assert!(at(29, false), "the answer is fresh");
        assert!(at(31, false), "within the grace period");
        assert!(!at(92, false), "the grace period is over");
        assert!(!at(100, true), "the failure is fresh");
        assert!(at(123, true), "asked again");
    }

    #[test]
    fn a_check_that_hangs_hides_the_tool_and_is_not_started_again() {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        fn hangs() -> Result<(), String> {
            STARTED.fetch_add(1, Ordering::SeqCst);
            loop {
                std::thread::sleep(Duration::from_hours(1));
            }
        }
        let checked = Checked::default();
        let start = Instant::now();
        let later = Clock::new(move || start + Duration::from_mins(5));
        for clock in [Clock::default(), later] {
            let answer = checked.ask("t", hangs, &clock);
            assert_eq!(answer, Err("its check did not answer within 2s".to_owned()));
        }
        assert_eq!(STARTED.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_check_that_panics_hides_the_tool() {
        fn panics() -> Result<(), String> {
            panic!("no")
        }
        let answer = Checked::default().ask("t", panics, &Clock::default());
        assert_eq!(answer, Err("its check panicked: no".to_owned()));
    }
}
