use super::*;

/// All events of a stream fed in portions of `size` bytes; `!` marks errors.
fn events(stream: &[u8], size: usize) -> Vec<String> {
    let mut parser = SseParser::new(1000);
    let mut seen = Vec::new();
    let mut note = |event: Event<'_>| {
        let mark = if event.is_error { "!" } else { "" };
        seen.push(format!("{mark}{}", event.data));
    };
    for portion in stream.chunks(size) {
        parser.feed(portion);
        while let Some(event) = parser.next_event().unwrap() {
            note(event);
        }
    }
    if let Some(event) = parser.finish() {
        note(event);
    }
    seen
}

#[test]
fn events_are_the_same_however_the_stream_is_cut_up() {
    let cases: [(&str, &[&str]); 12] = [
        ("data: a\n\ndata: b\n\n", &["a", "b"]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]),
        ("data: a\r\rdata: b\r\r", &["a", "b"]),
        ("data:a\n\ndata:  b\n\n", &["a", " b"]),
        ("data: a\ndata: b\n\n", &["a\nb"]),
        ("data\ndata: b\n\n", &["\nb"]),
        (": keep-alive\n\n\n\ndata: a\n: more\n\n", &["a"]),
        (
            "event: message\nid: 1\nretry: 5\nnonsense\ndata: a\n\n",
            &["a"],
        ),
        ("event: error\ndata: a\n\ndata: b\n\n", &["!a", "b"]),
        ("error: a\n\n", &["!a"]),
        ("event: error\n\ndata: a\n\n", &["a"]),
        (
            "\u{FEFF}data: 天気🌞\n\ndata: no blank line",
            &["天気🌞", "no blank line"],
        ),
    ];
    for (stream, expected) in cases {
        for size in [1, 2, 3, 5, 7, stream.len()] {
            assert_eq!(
                events(stream.as_bytes(), size),
                expected,
                "{stream:?} by {size}"
            );
        }
    }
}

#[test]
fn bytes_that_arent_utf8_are_replaced() {
    assert_eq!(events(b"data: a\xFFb\n\n", 1), ["a\u{FFFD}b"]);
}

#[test]
fn an_endless_event_is_refused() {
    for stream in [
        "data: ".to_owned() + &"x".repeat(2000),
        "data: 0123456789\n".repeat(200),
    ] {
        let mut parser = SseParser::new(1000);
        let refused = stream.as_bytes().chunks(100).any(|portion| {
            parser.feed(portion);
            parser.next_event().is_err()
        });
        assert!(refused);
    }
}
