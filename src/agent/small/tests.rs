use super::{Example, SmallModel};
use crate::provider::{FinishReason, Message, RawArguments, Reply, Request, ToolCall, ToolSpec};
use serde_json::json;

fn tools() -> Vec<ToolSpec> {
    let parameters =
        json!({"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]});
    vec![ToolSpec::new("double", "Double a number. Exactly.", &parameters).unwrap()]
}

fn small(tokens: usize) -> SmallModel {
    let example = |tool: &str, ask: &str| Example {
        ask: ask.to_owned(),
        tool: tool.to_owned(),
        arguments: "{\"x\": 4}".to_owned(),
    };
    SmallModel::new(
        vec![example("double", "Twice 4?"), example("hidden", "Twice 5?")],
        tokens,
        true,
    )
}

/// The request, a line per message.
fn lines(request: &Request) -> Vec<String> {
    request
        .messages
        .iter()
        .map(|message| match message {
            Message::System { content } => format!("system: {content}"),
            Message::User { content } => format!("user: {content}"),
            Message::Assistant { content, .. } => format!("assistant: {content}"),
            Message::Tool { content, .. } => format!("tool: {content}"),
        })
        .collect()
}

fn ways(request: &Request) -> usize {
    let schema = &request.extra["response_format"]["json_schema"]["schema"];
    schema["oneOf"].as_array().map_or(1, Vec::len)
}

/// Whether the model can write nothing but an envelope.
fn is_forced(request: &Request) -> bool {
    request.extra.contains_key("response_format")
}

fn reply(content: &str) -> Reply {
    Reply {
        content: content.to_owned(),
        reasoning: None,
        tool_calls: Vec::new(),
        finish: FinishReason::Stop,
        usage: None,
        model: None,
    }
}

#[test]
fn a_question_goes_out_with_instructions_talk_and_examples_of_known_tools() {
    let messages = [
        Message::system("You are Hermes."),
        Message::user("Twice 21?"),
    ];
    let request = small(600).request(&messages, &tools());
    insta::assert_snapshot!(lines(&request).join("\n"), @r#"
    system: You are a helpful assistant with tools. Reply with JSON only: {"tool": NAME, "arguments": {...}} to use a tool, or {"answer": TEXT} to talk.
    Tools:
    double(x: number) - Double a number.
    user: Twice 4?
    assistant: {"tool": "double", "arguments": {"x": 4}}
    user: Twice 21?
    "#);
    assert_eq!(ways(&request), 2);
    assert!(request.tools.is_empty());
}

#[test]
fn a_model_that_knows_no_tools_gets_none_beside_talk() {
    let tiny = SmallModel::new(Vec::new(), 600, false);
    let request = tiny.request(&[Message::user("Who wrote Hamlet?")], &tools());
    assert!(request.tools.is_empty());
}

#[test]
fn talk_and_a_model_without_examples_are_asked_plainly() {
    for (tokens, question) in [(600, "Who wrote Hamlet?"), (0, "Twice 21?")] {
        let messages = [Message::user(question)];
        let request = small(tokens).request(&messages, &tools());
        assert_eq!(request.messages, messages);
        assert_eq!(request.tools.len(), 1);
        assert!(!is_forced(&request));
    }
}

#[test]
fn after_a_result_the_model_answers_and_after_an_error_it_may_call_again() {
    let call = ToolCall {
        id: "call_1".to_owned(),
        name: "double".to_owned(),
        arguments: RawArguments::new("{\"x\": 21}"),
        truncated: false,
    };
    let asked = Message::Assistant {
        content: String::new(),
        tool_calls: vec![call.clone()],
        reasoning: None,
    };
    let question = Message::user("Twice 21?");
    let error = Message::tool_result(&call, "{\"error\": \"no\"}");
    let result = Message::tool_result(&call, "{\"result\": 42}");

    let request = small(600).request(&[question.clone(), asked.clone(), result.clone()], &tools());
    assert_eq!(
        lines(&request),
        [
            "system: You are a helpful assistant.",
            "user: Twice 21?\nThe tool's result: 42\nAnswer in one sentence with this result."
        ]
    );
    assert!(!is_forced(&request) && request.tools.is_empty());

    let mut messages = vec![question];
    let other = |x: u32| {
        let mut call = call.clone();
        call.arguments = RawArguments::new(format!("{{\"x\": {x}}}"));
        Message::Assistant {
            content: String::new(),
            tool_calls: vec![call],
            reasoning: None,
        }
    };
    for x in [21, 22] {
        messages.extend([other(x), error.clone()]);
        let request = small(600).request(&messages, &tools());
        assert_eq!(ways(&request), 2);
        assert_eq!(
            lines(&request).last().unwrap(),
            "user: Result: {\"error\": \"no\"}"
        );
        assert_eq!(small(600).last_word(&messages, &tools(), true), None);
    }
    let failed = Some("That didn't work: no".to_owned());
    // Somebody said no, the same call again, one too many: that was all.
    assert_eq!(small(600).last_word(&messages, &tools(), false), failed);
    for x in [22, 23] {
        let mut messages = messages.clone();
        messages.extend([other(x), error.clone()]);
        assert_eq!(small(600).last_word(&messages, &tools(), true), failed);
    }
    assert_eq!(small(600).last_word(&[], &tools(), false), None);
}

#[test]
fn a_reply_is_opened_and_plain_text_stays() {
    let messages = [Message::user("Twice 21?")];
    let read = |text: &str| {
        let mut reply = reply(text);
        small(600).read(&mut reply, &messages, &tools());
        reply
    };
    let call = read("{\"tool\": \"double\", \"arguments\": {\"x\": 21}}");
    assert_eq!(call.content, "");
    assert_eq!(call.tool_calls[0].id, "call_1");
    assert_eq!(call.tool_calls[0].arguments.as_str(), "{\"x\": 21}");
    assert!(!call.tool_calls[0].truncated);
    assert!(read("{\"tool\": \"double\", \"arguments\": {\"x\": 2").tool_calls[0].truncated);
    assert_eq!(read("{\"answer\": \"Hello\"}").content, "Hello");
    assert_eq!(read("Hello").content, "Hello");
}

#[test]
fn first_the_nearest_tool_alone_is_on_offer_and_after_an_error_any() {
    let parameters = json!({"type": "object", "properties": {"x": {"type": "number"}}});
    let spec = |name: &str| ToolSpec::new(name, "Works on a number.", &parameters).unwrap();
    let tools = [spec("double"), spec("halve")];
    let question = Message::user("Twice 21?");
    let listed = |request: &Request| -> Vec<bool> {
        let first = lines(request).remove(0);
        ["double(", "halve("]
            .map(|name| first.contains(name))
            .to_vec()
    };
    let request = small(600).request(std::slice::from_ref(&question), &tools);
    assert_eq!((listed(&request), ways(&request)), (vec![true, false], 2));

    let call = ToolCall {
        id: "call_1".to_owned(),
        name: "double".to_owned(),
        arguments: RawArguments::new("{}"),
        truncated: false,
    };
    let asked = Message::Assistant {
        content: String::new(),
        tool_calls: vec![call.clone()],
        reasoning: None,
    };
    let error = Message::tool_result(&call, "{\"error\": \"no\"}");
    let request = small(600).request(&[question, asked, error], &tools);
    assert_eq!((listed(&request), ways(&request)), (vec![true, true], 3));
}
