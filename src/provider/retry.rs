//! When to send a request again.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::error::ProviderError;

/// How patient the client is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Requests in all, the first included.
    pub tries: u32,
    /// First wait; doubles with every try.
    pub base: Duration,
    /// Longest wait, also for `Retry-After`: a provider that asks for more gets its error shown.
    pub cap: Duration,
    /// How long to wait for a local server that loads its model; not counted as tries.
    pub loading: Duration,
    /// Part of a wait that is random, 0 to 1, so that many clients don't return at once.
    pub jitter: f64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            tries: 3,
            base: Duration::from_millis(500),
            cap: Duration::from_mins(1),
            loading: Duration::from_mins(2),
            jitter: 0.25,
        }
    }
}

impl RetryPolicy {
    /// Every failure is final.
    pub fn never() -> Self {
        Self {
            tries: 1,
            loading: Duration::ZERO,
            ..Self::default()
        }
    }
}

/// The state of one request's tries. Pure: it says how long to wait, the caller waits.
#[derive(Debug)]
pub(super) struct Schedule {
    policy: RetryPolicy,
    failures: u32,
    loading_waits: u32,
    loading_spent: Duration,
}

impl Schedule {
    /// Before the first try.
    pub(super) fn new(policy: RetryPolicy) -> Self {
        Self {
            policy,
            failures: 0,
            loading_waits: 0,
            loading_spent: Duration::ZERO,
        }
    }

    /// The wait before the next try, or `None` to give up with `error`.
    ///
    /// `shown` says that the user has seen a part of the answer; then nothing is repeated, since
    /// the second answer may differ from the half on the screen.
    pub(super) fn after(&mut self, error: &ProviderError, shown: bool) -> Option<Duration> {
        if shown || !error.is_retryable() {
            return None;
        }
        if matches!(error, ProviderError::Loading { .. }) {
            return self.after_loading();
        }
        self.failures += 1;
        if self.failures >= self.policy.tries {
            return None;
        }
        let asked = match error {
            ProviderError::RateLimited { retry_after, .. }
            | ProviderError::Unavailable { retry_after, .. } => *retry_after,
            _ => None,
        };
        match asked {
            Some(wait) => (wait <= self.policy.cap).then_some(wait),
            None => Some(self.back_off(self.failures - 1)),
        }
    }

    fn after_loading(&mut self) -> Option<Duration> {
        let left = self.policy.loading.saturating_sub(self.loading_spent);
        if left.is_zero() {
            return None;
        }
        // No more than 4 s, so that a model which is ready isn't kept waiting.
        let wait = self.back_off(self.loading_waits.min(3)).min(left);
        self.loading_waits += 1;
        self.loading_spent += wait;
        Some(wait)
    }

    fn back_off(&self, exponent: u32) -> Duration {
        let wait = self.policy.base.saturating_mul(1 << exponent.min(16));
        let factor = 1.0 + self.policy.jitter.clamp(0.0, 1.0) * random();
        wait.mul_f64(factor).min(self.policy.cap)
    }
}

/// A number in 0..1. `RandomState` is seeded by the system; no crate is needed for this.
fn random() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 40;
    f64::from(u32::try_from(bits).unwrap_or(0)) / f64::from(1 << 24)
}

/// Reads a `Retry-After` value: seconds (also with a fraction) or an HTTP date.
///
/// A date in the past means no wait; anything unreadable is ignored.
pub(super) fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Some(seconds) = value
        .parse::<f64>()
        .ok()
        .filter(|seconds| !seconds.is_nan())
    {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    let date = UNIX_EPOCH + Duration::from_secs(parse_http_date(value)?);
    Some(date.duration_since(now).unwrap_or_default())
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970. RFC 9110 §5.6.7 has two obsolete
/// forms more, which no server sends any longer.
fn parse_http_date(value: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut words = value.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let year: u64 = words.next()?.parse().ok()?;
    let mut clock = words.next()?.splitn(3, ':').map(str::parse::<u64>);
    let (hour, minute, second) = (
        clock.next()?.ok()?,
        clock.next()?.ok()?,
        clock.next()?.ok()?,
    );
    let in_range = words.next() == Some("GMT")
        && (1970..=9999).contains(&year)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    if !in_range {
        return None;
    }
    // Days from civil (Howard Hinnant): years begin in March, so the leap day comes last.
    let shifted = if month > 2 { year } else { year - 1 };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + day_of_year - 719_468;
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests;
