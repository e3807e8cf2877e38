use super::*;

fn call(id: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "calc".to_owned(),
        arguments: arguments.into(),
        truncated: false,
    }
}

fn calling(calls: &[ToolCall]) -> Message {
    Message::Assistant {
        content: String::new(),
        tool_calls: calls.to_vec(),
        reasoning: None,
    }
}

fn result(id: &str, content: &str) -> Message {
    Message::tool_result(&call(id, ""), content)
}

/// One word a message: `user`, `calls:ids`, `id=content`.
fn prepared(messages: &[Message], rules: HistoryRules) -> Vec<String> {
    let word = |message: &Message| match message {
        Message::System { .. } => "system".to_owned(),
        Message::User { .. } => "user".to_owned(),
        Message::Assistant {
            content,
            tool_calls,
            ..
        } if tool_calls.is_empty() => format!("said:{content}"),
        Message::Assistant { tool_calls, .. } => {
            let ids: Vec<_> = tool_calls.iter().map(|call| call.id.as_str()).collect();
            format!("calls:{}", ids.join(","))
        }
        Message::Tool {
            call_id, content, ..
        } => {
            format!(
                "{call_id}={}",
                if content == NO_RESULT {
                    "none"
                } else {
                    content
                }
            )
        }
    };
    prepare(messages, rules)
        .iter()
        .map(|message| word(message))
        .collect()
}

#[test]
fn every_call_has_exactly_one_result() {
    let user = || Message::user("u");
    let cases: [(&str, Vec<Message>, &[&str]); 9] = [
        (
            "fine already",
            vec![
                Message::system("s"),
                user(),
                calling(&[call("a", "")]),
                result("a", "1"),
                Message::assistant("x"),
            ],
            &["system", "user", "calls:a", "a=1", "said:x"],
        ),
        (
            "missing",
            vec![
                calling(&[call("a", ""), call("b", "")]),
                result("b", "2"),
                user(),
            ],
            &["calls:a,b", "a=none", "b=2", "user"],
        ),
        (
            "order of results",
            vec![
                calling(&[call("a", ""), call("b", "")]),
                result("b", "2"),
                result("a", "1"),
            ],
            &["calls:a,b", "a=1", "b=2"],
        ),
        (
            "without a call",
            vec![result("z", "0"), user(), result("y", "0")],
            &["user"],
        ),
        (
            "two results",
            vec![
                calling(&[call("a", "")]),
                result("a", "1"),
                result("a", "2"),
            ],
            &["calls:a", "a=1"],
        ),
        (
            "an id again in a later turn",
            vec![
                calling(&[call("a", "")]),
                result("a", "1"),
                calling(&[call("a", "")]),
                result("a", "2"),
            ],
            &["calls:a", "a=1", "calls:a_3", "a_3=2"],
        ),
        (
            "an id twice in one turn",
            vec![
                calling(&[call("a", ""), call("a", "")]),
                result("a", "1"),
                result("a", "2"),
            ],
            &["calls:a,a_3", "a=1", "a_3=2"],
        ),
        (
            "an empty id",
            vec![calling(&[call("", "")]), result("", "1")],
            &["calls:call", "call=1"],
        ),
        (
            "an empty assistant message",
            vec![user(), Message::assistant(" "), user()],
            &["user", "user"],
        ),
    ];
    for (what, messages, expected) in cases {
        let once = prepared(&messages, HistoryRules::default());
        assert_eq!(once, expected, "{what}");
        let again: Vec<_> = prepare(&messages, HistoryRules::default())
            .into_iter()
            .map(Cow::into_owned)
            .collect();
        assert_eq!(
            prepared(&again, HistoryRules::default()),
            once,
            "{what}, twice"
        );
    }
}

#[test]
fn mistral_gets_nine_letters_and_a_bridge() {
    let rules = HistoryRules {
        mistral: true,
        ..HistoryRules::default()
    };
    let messages = [
        calling(&[call("call_abc", ""), call("abcdefghi", "")]),
        result("call_abc", "1"),
        Message::user("u"),
    ];
    let words = prepared(&messages, rules);
    let id = words[1].strip_suffix("=1").unwrap();
    assert!(
        id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        "{id}"
    );
    assert_eq!(
        words,
        [
            &format!("calls:{id},abcdefghi"),
            &format!("{id}=1"),
            "abcdefghi=none",
            "said:…",
            "user"
        ]
    );
    assert_eq!(prepared(&messages, rules), words, "stable");
}

#[test]
fn replayed_arguments_are_always_an_object() {
    for (arguments, expected) in [
        (r#"{"x": 1}"#, r#"{"x": 1}"#),
        (" {\"x\":1}\n", " {\"x\":1}\n"),
        ("", "{}"),
        ("  ", "{}"),
        ("null", "{}"),
        ("{oops", r#"{"_unparsed":"{oops"}"#),
        (r#"{"x": 1,}"#, r#"{"_unparsed":"{\"x\": 1,}"}"#),
        ("[1]", r#"{"_unparsed":"[1]"}"#),
        ("5", r#"{"_unparsed":"5"}"#),
        ("{} {}", r#"{"_unparsed":"{} {}"}"#),
    ] {
        assert_eq!(legal_arguments(&arguments.into()), expected, "{arguments}");
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    assert!(legal_arguments(&RawArguments::new(deep)).starts_with("{\"_unparsed\""));
}

#[test]
fn replayed_names_are_legal() {
    let long = "x".repeat(80);
    for (name, expected) in [
        ("calc", "calc"),
        ("Web-Search_2", "Web-Search_2"),
        ("a.b c/ü", "a_b_c__"),
        ("", "unnamed"),
        (&long, &long[..64]),
    ] {
        assert_eq!(legal_name(name), expected);
    }
}
