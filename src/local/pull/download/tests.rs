use super::{Download, Patience, download};
use crate::local::pull::error::{Fault, PullError};
use crate::local::pull::event::Event;
use crate::local::pull::range_server::{RangeServer, Reply};
use crate::local::store::disk::Checksum;
use crate::local::test_folder::TestFolder;
use crate::provider::ProxySettings;
use std::path::PathBuf;
use std::time::Duration;

const LENGTH: usize = 3_000_000;

/// Bytes in which no part is like another.
fn body() -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(LENGTH).collect()
}

fn hash(bytes: &[u8]) -> String {
    let mut checksum = Checksum::new();
    checksum.add(bytes);
    checksum.hex()
}

fn patience() -> Patience {
    Patience {
        connect: Duration::from_secs(5),
        stall: Duration::from_millis(300),
        retries: 5,
        backoff: Duration::from_millis(1),
    }
}

struct Outcome {
    result: Result<PathBuf, Fault>,
    events: Vec<Event>,
}

impl Outcome {
    fn skipped(self) -> String {
        match self.result.unwrap_err() {
            Fault::Skip(why) => why,
            Fault::Fail(error) => panic!("it failed: {error}"),
        }
    }

    fn failed(self) -> PullError {
        match self.result.unwrap_err() {
            Fault::Skip(why) => panic!("it was skipped: {why}"),
            Fault::Fail(error) => error,
        }
    }
}

async fn fetch(folder: &TestFolder, url: &str, body: &[u8]) -> Outcome {
    let sha256 = hash(body);
    let wanted = Download {
        what: "tiny",
        url,
        bytes: body.len() as u64,
        sha256: &sha256,
    };
    let mut events = Vec::new();
    let result = download(
        &wanted,
        folder.path(),
        &ProxySettings::default(),
        &patience(),
        &mut |event| events.push(event),
    )
    .await;
    Outcome { result, events }
}

/// Puts the beginning of a download there.
fn begin(folder: &TestFolder, body: &[u8], part: &[u8]) {
    folder.file(&format!("{}.part", hash(body)), part);
}

fn check(outcome: Outcome, body: &[u8]) {
    let path = outcome.result.unwrap();
    assert!(std::fs::read(path).unwrap() == body, "other bytes");
}

#[tokio::test]
async fn a_download_goes_on_where_an_earlier_one_stopped() {
    let (folder, body) = (TestFolder::new(), body());
    begin(&folder, &body, &body[..1_000_000]);
    let served = body.clone();
    let server = RangeServer::start(move |asked| Reply::range(&served, asked)).await;
    let outcome = fetch(&folder, &server.url("/f"), &body).await;
    assert_eq!(
        outcome.events[0],
        Event::Started {
            what: "tiny".to_owned(),
            source: "127.0.0.1".to_owned(),
            bytes: LENGTH as u64,
            resumed_at: 1_000_000,
        }
    );
    check(outcome, &body);
    assert_eq!(server.sent(), LENGTH - 1_000_000);
}

#[tokio::test]
async fn twenty_cuts_cost_no_byte_twice() {
    let (folder, body) = (TestFolder::new(), body());
    let served = body.clone();
    let server = RangeServer::start(move |asked| {
        let reply = Reply::range(&served, asked);
        if asked.number == 20 {
            return reply;
        }
        let random = (asked.number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        reply.cut(usize::try_from(random).unwrap() % 280_000)
    })
    .await;
    let outcome = fetch(&folder, &server.url("/f"), &body).await;
    let retries = outcome.events.iter();
    let retries = retries.filter(|event| matches!(event, Event::Retrying { .. }));
    assert_eq!(retries.count(), 20);
    check(outcome, &body);
    assert_eq!(server.asked().len(), 21);
    // A reset can lose what was under way; loopback loses nothing here.
    assert!(server.sent() <= LENGTH + 64 * 1024, "{}", server.sent());
}

#[tokio::test]
async fn a_server_without_ranges_is_read_from_the_start() {
    let (folder, body) = (TestFolder::new(), body());
    begin(&folder, &body, &body[..1_000_000]);
    let served = body.clone();
    let server = RangeServer::start(move |_| Reply::whole(&served)).await;
    check(fetch(&folder, &server.url("/f"), &body).await, &body);
    assert_eq!(server.asked()[0].start, Some(1_000_000));
}

#[tokio::test]
async fn a_range_that_was_not_asked_for_is_not_appended() {
    for range in [
        "bytes 0-2999999/3000000",
        "bytes 1000000-2999999/4000000",
        "odd",
    ] {
        let (folder, body) = (TestFolder::new(), body());
        begin(&folder, &body, &body[..1_000_000]);
        let served = body.clone();
        let server = RangeServer::start(move |asked| match asked.start {
            Some(_) => {
                let mut asked = asked.clone();
                asked.start = None;
                let mut reply = Reply::range(&served, &asked).header("content-range", range);
                reply.status = 206;
                reply
            }
            None => Reply::whole(&served),
        })
        .await;
        check(fetch(&folder, &server.url("/f"), &body).await, &body);
        assert_eq!(server.asked()[1].start, None);
    }
}

#[tokio::test]
async fn a_range_that_is_refused_starts_over() {
    let (folder, body) = (TestFolder::new(), body());
    begin(&folder, &body, &body[..1_000_000]);
    let served = body.clone();
    let server = RangeServer::start(move |asked| match asked.start {
        Some(_) => Reply::status(416),
        None => Reply::whole(&served),
    })
    .await;
    check(fetch(&folder, &server.url("/f"), &body).await, &body);
}

#[tokio::test]
async fn what_is_whole_is_only_checked() {
    let (folder, body) = (TestFolder::new(), body());
    begin(&folder, &body, &body);
    // Nobody listens there.
    check(fetch(&folder, "http://127.0.0.1:1/f", &body).await, &body);
}

#[tokio::test]
async fn wrong_bytes_are_deleted_and_named() {
    let (folder, body) = (TestFolder::new(), body());
    let mut wrong = body.clone();
    wrong[2_000_000] ^= 1;
    let actual = hash(&wrong);
    let server = RangeServer::start(move |asked| Reply::range(&wrong, asked)).await;
    let outcome = fetch(&folder, &server.url("/f"), &body).await;
    let PullError::WrongChecksum {
        expected,
        actual: named,
        ..
    } = outcome.failed()
    else {
        panic!("another error");
    };
    assert_eq!((expected, named), (hash(&body), actual));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn more_than_was_promised_is_refused() {
    let (folder, body) = (TestFolder::new(), body());
    let mut long = body.clone();
    long.extend([0; 10]);
    let served = long.clone();
    let server = RangeServer::start(move |_| Reply::whole(&served)).await;
    let outcome = fetch(&folder, &server.url("/f"), &body).await;
    assert_eq!(
        outcome.skipped(),
        "it sends 3000010 bytes where 3000000 are expected"
    );
    // And without a word about the length.
    let server = RangeServer::start(move |_| Reply::chunked(&long)).await;
    let outcome = fetch(&folder, &server.url("/f"), &body).await;
    assert!(matches!(outcome.failed(), PullError::TooLong { .. }));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_source_that_refuses_is_left_at_once() {
    for status in [403, 404, 500, 503] {
        let (folder, body) = (TestFolder::new(), body());
        let server = RangeServer::start(move |_| Reply::status(status)).await;
        let why = fetch(&folder, &server.url("/f"), &body).await.skipped();
        assert!(why.starts_with(&format!("it answers {status}")), "{why}");
        assert_eq!(server.asked().len(), 1);
    }
    let (folder, body) = (TestFolder::new(), body());
    let outcome = fetch(&folder, "http://127.0.0.1:1/f", &body).await;
    assert!(outcome.events.is_empty());
    assert!(outcome.skipped().contains("refused"));
}

#[tokio::test]
async fn a_server_that_is_busy_in_between_is_asked_again() {
    let (folder, body) = (TestFolder::new(), body());
    let served = body.clone();
    let server = RangeServer::start(move |asked| match asked.number {
        0 => Reply::range(&served, asked).cut(1_000_000),
        1 => Reply::status(503),
        _ => Reply::range(&served, asked),
    })
    .await;
    check(fetch(&folder, &server.url("/f"), &body).await, &body);
}

#[tokio::test]
async fn silence_is_ended_and_the_rest_fetched() {
    let (folder, body) = (TestFolder::new(), body());
    let served = body.clone();
    let server = RangeServer::start(move |asked| match asked.number {
        0 => Reply::range(&served, asked).stall(1_000_000),
        _ => Reply::range(&served, asked),
    })
    .await;
    check(fetch(&folder, &server.url("/f"), &body).await, &body);
    assert_eq!(server.asked()[1].start, Some(1_000_000));
}

#[tokio::test]
async fn a_transfer_that_never_gets_further_says_how_to_go_on() {
    let (folder, body) = (TestFolder::new(), body());
    let served = body.clone();
    let server = RangeServer::start(move |asked| {
        let after = if asked.number == 0 { 1_000_000 } else { 0 };
        Reply::range(&served, asked).cut(after)
    })
    .await;
    let error = fetch(&folder, &server.url("/f"), &body).await.failed();
    let text = error.to_string();
    assert!(text.contains("broke off at 1 MB of 3 MB"), "{text}");
    assert!(
        text.ends_with("run the same command again to go on there"),
        "{text}"
    );
    assert_eq!(server.asked().len(), 1 + 5);
    // What is there stays for next time.
    let part = folder.path().join(format!("{}.part", hash(&body)));
    assert_eq!(part.metadata().unwrap().len(), 1_000_000);
}

#[tokio::test]
async fn redirects_are_followed_a_few_times_and_never_to_plain_http_elsewhere() {
    let (folder, body) = (TestFolder::new(), body());
    let served = body.clone();
    let server = RangeServer::start(move |asked| match asked.path.as_str() {
        "/a" => Reply::redirect("/b/c?x=1"),
        "/b/c?x=1" => Reply::redirect("d"),
        "/b/d" => Reply::range(&served, asked),
        "/plain" => Reply::redirect("http://example.com/f"),
        "/file" => Reply::redirect("file:///etc/passwd"),
        _ => Reply::redirect("/loop"),
    })
    .await;
    check(fetch(&folder, &server.url("/a"), &body).await, &body);
    let folder = TestFolder::new();
    let why = fetch(&folder, &server.url("/plain"), &body).await.skipped();
    assert_eq!(why, "`http://example.com/f` isn't encrypted (https)");
    let why = fetch(&folder, &server.url("/file"), &body).await.skipped();
    assert!(why.contains("file:///etc/passwd"), "{why}");
    let before = server.asked().len();
    let why = fetch(&folder, &server.url("/loop"), &body).await.skipped();
    assert_eq!(why, "it redirects more than 5 times");
    assert_eq!(server.asked().len() - before, 6);
}

#[tokio::test]
async fn plain_http_to_another_machine_is_refused() {
    let folder = TestFolder::new();
    let why = fetch(&folder, "http://example.com/f", b"x").await.skipped();
    assert_eq!(why, "`http://example.com/f` isn't encrypted (https)");
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = TestFolder::new();
    let file = folder.file("file", b"");
    let inside = file.join("downloads");
    let wanted = Download {
        what: "tiny",
        url: "http://127.0.0.1:1/f",
        bytes: 1,
        sha256: "0",
    };
    let proxies = ProxySettings::default();
    let result = download(&wanted, &inside, &proxies, &patience(), &mut |_| {}).await;
    let Err(Fault::Fail(error)) = result else {
        panic!("no error");
    };
    let named = format!("`{}", inside.display());
    assert!(error.to_string().starts_with(&named), "{error}");
}

#[tokio::test]
async fn too_little_room_is_noticed_before_anything_comes() {
    let folder = TestFolder::new();
    let wanted = Download {
        what: "tiny",
        url: "http://127.0.0.1:1/f",
        bytes: u64::MAX / 2,
        sha256: "0",
    };
    let proxies = ProxySettings::default();
    let result = download(&wanted, folder.path(), &proxies, &patience(), &mut |_| {}).await;
    let Err(Fault::Fail(error)) = result else {
        panic!("no error");
    };
    assert!(error.to_string().contains("free and"), "{error}");
}
