use super::*;

const TOOLS: &[&str] = &["calc", "web_search"];

/// The calls as `name arguments`, then the remaining text; `-` if the text stays text.
fn recovered(text: &str) -> String {
    match recover_calls(text, TOOLS) {
        None => "-".to_owned(),
        Some((calls, rest)) => {
            let calls: Vec<_> = calls
                .iter()
                .map(|call| format!("{} {}", call.name, call.arguments.as_str()))
                .collect();
            format!("{} | {rest}", calls.join("; "))
        }
    }
}

#[test]
fn written_calls_are_found_in_every_form() {
    let call = r#"{"name": "calc", "arguments": {"x": 1}}"#;
    let one = r#"calc {"x": 1} | "#;
    let two = r#"calc {"x": 1}; calc {"x": 1} | "#;
    let cases = [
        (call.to_owned(), one.to_owned()),
        (format!("\n  {call}\n"), one.to_owned()),
        (
            r#"{"name":"calc","parameters":{"x": 1}}"#.to_owned(),
            one.to_owned(),
        ),
        (
            r#"{"tool":"calc","arguments":{"x": 1}}"#.to_owned(),
            one.to_owned(),
        ),
        (
            r#"{"type":"function","function":{"name":"calc","arguments":{"x": 1}}}"#.to_owned(),
            one.to_owned(),
        ),
        (
            r#"{"type":"function","function":"calc","parameters":{"x": 1}}"#.to_owned(),
            one.to_owned(),
        ),
        (
            r#"{"name":"calc","arguments":"{\"x\": 1}"}"#.to_owned(),
            one.to_owned(),
        ),
        (format!("[{call}, {call}]"), two.to_owned()),
        (format!("{call}\n{call}"), two.to_owned()),
        (format!("{call}; {call}"), two.to_owned()),
        (format!("```json\n{call}\n```"), one.to_owned()),
        (format!("```\n[{call}]\n```"), one.to_owned()),
        (format!("```json\n{call}"), one.to_owned()),
        (
            format!("Let me calculate.\n```json\n{call}\n```"),
            format!("{one}Let me calculate."),
        ),
        (format!("<tool_call>\n{call}\n</tool_call>"), one.to_owned()),
        (
            format!("<tool_call>\n{call}\n</tool_call>\n<tool_call>{call}</tool_call>"),
            two.to_owned(),
        ),
        (format!("<tool_call>{call}"), one.to_owned()),
        (
            format!("<tool_call>{call}</tool_call><|im_end|>"),
            one.to_owned(),
        ),
        (
            format!("<tool_call>```json\n{call}\n```</tool_call>"),
            one.to_owned(),
        ),
        (
            format!("I'll look. <tool_call>{call}</tool_call>"),
            format!("{one}I'll look."),
        ),
        (format!("<|python_tag|>{call}<|eom_id|>"), one.to_owned()),
        (format!("<|python_tag|>{call}; {call}"), two.to_owned()),
        (format!("[TOOL_CALLS][{call}]"), one.to_owned()),
        (format!("[TOOL_CALLS] [{call}]</s>"), one.to_owned()),
        (
            r#"<function=calc>{"x": 1}</function>"#.to_owned(),
            one.to_owned(),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(recovered(&text), expected, "{text}");
    }
}

#[test]
fn prose_stays_prose() {
    let call = r#"{"name": "calc", "arguments": {"x": 1}}"#;
    let cases = [
        String::new(),
        "no call at all".to_owned(),
        format!("To call the tool you would write {call} in your answer."),
        format!("{call} is what I would send."),
        format!("```json\n{call}\n```\nThis is how a call looks."),
        format!("```python\nprint({call})\n```"),
        format!("<tool_call>{call}</tool_call> And then I would read the result."),
        r#"{"name": "unknown", "arguments": {}}"#.to_owned(),
        r#"[{"name": "calc", "arguments": {}}, {"name": "unknown", "arguments": {}}]"#.to_owned(),
        r#"{"name": "calc"}"#.to_owned(),
        r#"{"name": "calc", "age": 3}"#.to_owned(),
        r#"{"arguments": {"x": 1}}"#.to_owned(),
        r#"{"name": "calc", "arguments": {"x": 1"#.to_owned(),
        r#"<tool_call>{"name": "calc", "arguments": {"x": 1"#.to_owned(),
        "[1, 2, 3]".to_owned(),
        "<function=calc>not json</function>".to_owned(),
        format!("{} ```json\n{call}\n```", "A long essay. ".repeat(40)),
        format!("First.\nSecond.\nThird.\n```json\n{call}\n```"),
    ];
    for text in cases {
        assert_eq!(recovered(&text), "-", "{text}");
    }
}

#[test]
fn recovered_calls_have_ids_and_are_checked_for_being_cut_off() {
    let text =
        r#"[{"name":"calc","arguments":"{\"x\": 1"},{"name":"web_search","arguments":null}]"#;
    assert_eq!(recover_calls(text, TOOLS), None, "null isn't arguments");
    let text = r#"[{"name":"calc","arguments":"{\"x\": 1"},{"name":"web_search","arguments":{}}]"#;
    let (calls, _) = recover_calls(text, TOOLS).unwrap();
    assert_eq!(
        (calls[0].id.as_str(), calls[1].id.as_str()),
        ("call_1", "call_2")
    );
    assert_eq!((calls[0].truncated, calls[1].truncated), (true, false));
}

#[test]
fn hostile_text_takes_linear_time() {
    let call = r#"{"name":"calc","arguments":{}}"#;
    let hostile = [
        "<tool_call>".repeat(50_000),
        "```json\n".repeat(80_000),
        "{\"a\":".repeat(150_000),
        "[".repeat(900_000) + "{",
        "<function=".repeat(50_000) + "{",
        format!("{call}\n").repeat(20_000),
        format!("<tool_call>{call}").repeat(15_000),
        format!("<tool_call>{call}</tool_call>").repeat(15_000),
    ];
    let start = std::time::Instant::now();
    for text in hostile {
        recover_calls(&text, TOOLS);
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
