use super::*;

fn exact() -> RetryPolicy {
    RetryPolicy {
        jitter: 0.0,
        ..RetryPolicy::default()
    }
}

fn limited(retry_after: Option<Duration>) -> ProviderError {
    ProviderError::RateLimited {
        provider: "p".to_owned(),
        retry_after,
        message: String::new(),
    }
}

fn cut() -> ProviderError {
    ProviderError::StreamCut {
        received: 0,
        detail: String::new(),
    }
}

/// The waits until the schedule gives up, in milliseconds.
fn waits(policy: RetryPolicy, error: &ProviderError) -> Vec<u128> {
    let mut schedule = Schedule::new(policy);
    std::iter::from_fn(|| schedule.after(error, false))
        .map(|wait| wait.as_millis())
        .take(100)
        .collect()
}

#[test]
fn waits_double_until_the_tries_are_used_up() {
    assert_eq!(waits(exact(), &cut()), [500, 1000]);
    assert_eq!(
        waits(
            RetryPolicy {
                tries: 9,
                ..exact()
            },
            &cut()
        ),
        [500, 1000, 2000, 4000, 8000, 16000, 32000, 60000]
    );
    assert!(waits(RetryPolicy::never(), &cut()).is_empty());
}

#[test]
fn the_wait_the_provider_asks_for_counts_up_to_the_cap() {
    assert_eq!(
        waits(exact(), &limited(Some(Duration::from_secs(7)))),
        [7000, 7000]
    );
    assert_eq!(waits(exact(), &limited(Some(Duration::ZERO))), [0, 0]);
    assert_eq!(waits(exact(), &limited(None)), [500, 1000]);
    assert!(waits(exact(), &limited(Some(Duration::from_secs(61)))).is_empty());
}

#[test]
fn a_loading_model_is_waited_for_by_time_not_by_tries() {
    let loading = ProviderError::Loading { url: String::new() };
    let waits = waits(exact(), &loading);
    assert_eq!(waits[..5], [500, 1000, 2000, 4000, 4000]);
    assert_eq!(waits.iter().sum::<u128>(), 120_000);
}

#[test]
fn nothing_is_repeated_once_the_user_has_seen_text() {
    assert_eq!(Schedule::new(exact()).after(&cut(), true), None);
}

#[test]
fn jitter_adds_at_most_its_part() {
    for _ in 0..100 {
        let wait = Schedule::new(RetryPolicy::default())
            .after(&cut(), false)
            .unwrap();
        assert!((500..=625).contains(&wait.as_millis()), "{wait:?}");
    }
}

#[test]
fn retry_after_is_read_in_both_forms() {
    let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
    for (value, seconds) in [
        ("0", Some(0.0)),
        ("120", Some(120.0)),
        (" 1.5 ", Some(1.5)),
        ("-3", Some(0.0)),
        ("Sun, 06 Nov 1994 08:49:40 GMT", Some(3.0)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0.0)),
        ("Sat, 05 Nov 1994 08:49:37 GMT", Some(0.0)),
        ("Mon, 06 Nov 1995 08:49:37 GMT", Some(31_536_000.0)),
        ("soon", None),
        ("NaN", None),
        ("inf", None),
        ("Sun, 06 Nov 1994 08:49:37 CET", None),
        ("Sun, 41 Nov 1994 08:49:37 GMT", None),
        ("", None),
    ] {
        assert_eq!(
            parse_retry_after(value, now).map(|wait| wait.as_secs_f64()),
            seconds,
            "{value}"
        );
    }
}

#[test]
fn http_dates_count_leap_days() {
    for (date, seconds) in [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Tue, 01 Dec 2026 00:00:00 GMT", 1_796_083_200),
    ] {
        assert_eq!(parse_http_date(date), Some(seconds), "{date}");
    }
}
