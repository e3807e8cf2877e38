use serde_json::json;

use super::*;

#[test]
fn events_without_blank_lines_between_are_read() {
    let mut decoder = Decoder::new(&[], SizeLimits::default());
    let event = |text: &str| json!({"choices": [{"delta": {"content": text}}]});
    let stream = format!(
        "data: {}\ndata: {}\ndata: [DONE]\n\n",
        event("a"),
        event("b")
    );
    decoder.push(stream.as_bytes(), &mut |_| ()).unwrap();
    assert_eq!(decoder.finish(&mut |_| ()).unwrap().content, "ab");
}

#[test]
fn done_at_once_is_no_answer() {
    let mut decoder = Decoder::new(&[], SizeLimits::default());
    decoder.push(b"data: [DONE]\n\n", &mut |_| ()).unwrap();
    assert!(matches!(
        decoder.finish(&mut |_| ()),
        Err(Fault::Cut { received: 0, .. })
    ));
}

#[test]
fn an_event_that_isnt_json_ends_the_answer_as_an_error() {
    let mut decoder = Decoder::new(&[], SizeLimits::default());
    let fault = decoder
        .push(b"data: {\"choices\": [{\n\n", &mut |_| ())
        .unwrap_err();
    assert_eq!(
        fault,
        Fault::Cut {
            received: 0,
            detail: "not JSON: {\"choices\": [{".to_owned()
        }
    );
}
