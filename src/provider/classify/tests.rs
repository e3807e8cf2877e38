use serde_json::json;

use super::*;

fn tools() -> Vec<ToolSpec> {
    ["alpha", "beta", "gamma"]
        .iter()
        .map(|name| ToolSpec::new(name, "d", &json!({"type": "object", "title": name})).unwrap())
        .collect()
}

fn classified(status: u16, body: &str) -> ProviderError {
    let tools = tools();
    let context = Context {
        provider: "p",
        model: "m",
        url: "http://h/v1",
        key_variable: Some("KEY"),
        key: None,
        tools: &tools,
    };
    classify(status, None, body, context)
}

#[test]
fn overflow_is_recognised_in_the_words_of_each_provider() {
    for (status, message, counts) in [
        (
            400,
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 5012 tokens. Please reduce the length of the messages.",
            Some((5012, 4096)),
        ),
        (
            400,
            "This model's maximum context length is 2048 tokens. However, you requested 3000 tokens (2000 in the messages, 1000 in the completion).",
            Some((3000, 2048)),
        ),
        (
            400,
            "prompt is too long: 210000 tokens > 200000 maximum",
            Some((210_000, 200_000)),
        ),
        (
            400,
            "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
            Some((1_048_577, 1_048_576)),
        ),
        (
            400,
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            Some((537_812, 131_072)),
        ),
        (
            400,
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
            Some((40_000, 32_768)),
        ),
        (
            422,
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens",
            Some((5000, 4097)),
        ),
        (
            500,
            "the request exceeds the available context size. try increasing the context size",
            None,
        ),
        (
            400,
            "Your input exceeds the context window of this model.",
            None,
        ),
    ] {
        let error = classified(status, &json!({"error": {"message": message}}).to_string());
        let (prompt_tokens, limit) =
            counts.map_or((None, None), |(prompt, limit)| (Some(prompt), Some(limit)));
        assert_eq!(
            error,
            ProviderError::ContextOverflow {
                prompt_tokens,
                limit
            },
            "{message}"
        );
    }
}

#[test]
fn a_refused_tool_is_named() {
    for (status, body, tool) in [
        (
            400,
            json!({"error": {"message": "Invalid schema for function 'beta': In context=(), 'x' is not valid.", "param": "tools[1].function.parameters", "code": "invalid_function_parameters"}}),
            Some("beta"),
        ),
        (
            400,
            json!({"error": {"message": "Invalid schema", "param": "tools[2].function.parameters"}}),
            Some("gamma"),
        ),
        (
            400,
            json!({"error": {"message": "Invalid 'tools[0].function.name': string does not match pattern."}}),
            Some("alpha"),
        ),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "tools.2.custom.input_schema: JSON schema is invalid."}}),
            Some("gamma"),
        ),
        (
            400,
            json!([{"error": {"code": 400, "message": "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties: should be non-empty"}}]),
            Some("beta"),
        ),
        (
            400,
            json!({"error": {"message": "JSON schema conversion failed:\nUnrecognized schema: {\"type\":\"object\",\"title\":\"gamma\"}"}}),
            Some("gamma"),
        ),
        (
            400,
            json!({"error": {"message": "failed to parse grammar"}}),
            None,
        ),
        (
            400,
            json!({"error": {"message": "tools.function.parameters is not a valid moonshot flavored json schema"}}),
            None,
        ),
        (
            400,
            json!({"error": {"message": "Invalid schema for function 'nobody': bad"}}),
            None,
        ),
        (422, json!({"detail": "tools.99.function: bad"}), None),
    ] {
        let error = classified(status, &body.to_string());
        let ProviderError::ToolSchemaRefused { tool: named, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(named.as_deref(), tool, "{body}");
    }
    let about_a_call = classified(
        400,
        r#"{"error":{"message":"messages[2].tool_calls[0].id is bad"}}"#,
    );
    assert!(
        matches!(about_a_call, ProviderError::BadRequest { .. }),
        "{about_a_call:?}"
    );
}

#[test]
fn each_refusal_says_what_to_do() {
    for (status, body, text) in [
        (
            401,
            r#"{"error":{"message":"Incorrect API key"}}"#,
            "p refused the key (401): Incorrect API key; check `KEY`",
        ),
        (
            403,
            "",
            "p refused the key (403): no explanation given; check `KEY`",
        ),
        (
            404,
            r#"{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}"#,
            "p has no model `m`: The model `m` does not exist; choose one with `--model`",
        ),
        (
            404,
            r#"{"error":"model 'm' not found"}"#,
            "p has no model `m`: model 'm' not found; choose one with `--model`",
        ),
        (
            400,
            r#"{"error":{"message":"m is not a valid model ID","code":400}}"#,
            "p has no model `m`: m is not a valid model ID; choose one with `--model`",
        ),
        (
            404,
            "<html>",
            "http://h/v1 doesn't exist there (an HTML page); is `base_url` right, does it need `/v1` at the end?",
        ),
        (
            404,
            r#"{"detail":"Not Found"}"#,
            "http://h/v1 doesn't exist there (Not Found); is `base_url` right, does it need `/v1` at the end?",
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
            "p wants payment: You exceeded your current quota; check the account's credit",
        ),
        (
            402,
            r#"{"error":{"message":"Insufficient credits"}}"#,
            "p wants payment: Insufficient credits; check the account's credit",
        ),
        (
            503,
            r#"{"error":{"message":"Loading model"}}"#,
            "the model is still loading at http://h/v1; try again in a moment",
        ),
        (
            400,
            r#"{"error":{"message":"Provider returned error","metadata":{"raw":"bad thing"}}}"#,
            "the provider refused the request (400): Provider returned error: bad thing",
        ),
        (
            400,
            "{\"error\":{\"message\":\"two\\nlines\\u001b[31m\"}}",
            "the provider refused the request (400): two lines [31m",
        ),
        (418, "{}", "the provider refused the request (418): {}"),
    ] {
        assert_eq!(classified(status, body).to_string(), text, "{body}");
    }
}

#[test]
fn hostile_bodies_are_cut_to_a_line() {
    let long = classified(400, &"語\n".repeat(100_000)).to_string();
    assert!(long.chars().count() < 600 && !long.contains('\n'));
    for body in [
        "null",
        "[]",
        "[[]]",
        "5",
        "\"x\"",
        "{\"error\":null}",
        "{\"error\":[]}",
        "{\"error\":{\"message\":{}}}",
    ] {
        assert!(!classified(400, body).to_string().is_empty());
    }
}
