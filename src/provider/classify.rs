//! Refusals → [`ProviderError`].
//!
//! Providers agree on neither status codes nor shapes, so this goes by status, then by the
//! error's `code` and `type`, and last by the wording, with the phrases kept in tables.

use std::time::Duration;

use serde_json::Value;

use super::error::ProviderError;
use super::key::ApiKey;
use super::message::ToolSpec;

/// What the request was, as far as errors need it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    /// Provider name.
    pub provider: &'a str,
    /// Model asked for.
    pub model: &'a str,
    /// Address asked, without user name and query.
    pub url: &'a str,
    /// Where the key came from, or should come from.
    pub key_variable: Option<&'a str>,
    /// The key, to take it out of messages that echo it.
    pub key: Option<&'a ApiKey>,
    /// Tools sent, to name the one an index points at.
    pub tools: &'a [ToolSpec],
}

/// Wordings of "too many tokens", lower case.
const OVERFLOW: &[&str] = &[
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "exceeds the available context size",
    "maximum prompt length",
    "prompt is too long",
    "input is too long",
    "input token count",
    "context window",
    "exceeds the context",
    "context length of only",
    "reduce the length of the messages",
    "tokens + `max_new_tokens` must be",
];

/// Wordings of "one of your tools is bad", lower case; those that name it are parsed apart.
const TOOL_SCHEMA: &[&str] = &[
    "invalid schema for function",
    "invalid_function_parameters",
    "function.parameters",
    "function_declarations",
    "input_schema",
    "inputschema",
    "unable to generate parser",
    "failed to parse grammar",
    "json schema conversion failed",
    "invalid arguments passed to the model",
];

/// Wordings of a 5xx that a request of ours caused; repeating it is of no use.
const OUR_FAULT: &[&str] = &[
    "parse_error",
    "parse error",
    "failed to parse",
    "syntax error",
    "type_error",
];

/// Explains an error answer. `status` 200 stands for an error object inside a stream.
pub(super) fn classify(
    status: u16,
    retry_after: Option<Duration>,
    body: &str,
    context: Context<'_>,
) -> ProviderError {
    let report = Report::read(body);
    let message = scrubbed(&report.message, context.key);
    let status = if status == 200 {
        report.status().unwrap_or(200)
    } else {
        status
    };
    let provider = || context.provider.to_owned();
    let lower = format!("{} {} {}", report.kind, report.code, report.message).to_lowercase();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));

    // By meaning, before the status: these come with 400, 413, 422, 500 or inside a 200.
    if status != 429 && has(OVERFLOW) {
        let (prompt_tokens, limit) = report.token_counts();
        return ProviderError::ContextOverflow {
            prompt_tokens,
            limit,
        };
    }
    if matches!(status, 200 | 400 | 422 | 500)
        && !context.tools.is_empty()
        && (has(TOOL_SCHEMA)
            || tool_index(&report.place).is_some()
            || tool_index(&report.message).is_some())
    {
        let tool = name_tool(&report, context.tools);
        return ProviderError::ToolSchemaRefused { tool, message };
    }
    let about_model = report.code == "model_not_found"
        || (lower.contains("model")
            && has(&[
                "not found",
                "does not exist",
                "not exist",
                "not a valid model",
                "no such model",
                "unknown model",
                "no endpoints found",
            ]));
    match status {
        401 | 403 => ProviderError::Unauthorized {
            provider: provider(),
            status,
            variable: context.key_variable.map(str::to_owned),
            message,
        },
        402 => ProviderError::QuotaExhausted {
            provider: provider(),
            message,
        },
        429 if has(&[
            "insufficient_quota",
            "exceeded your current quota",
            "insufficient balance",
        ]) =>
        {
            ProviderError::QuotaExhausted {
                provider: provider(),
                message,
            }
        }
        429 => ProviderError::RateLimited {
            provider: provider(),
            retry_after,
            message,
        },
        400 | 404 | 422 if about_model => ProviderError::ModelNotFound {
            provider: provider(),
            model: context.model.to_owned(),
            message,
        },
        404 | 405 => ProviderError::EndpointNotFound {
            url: context.url.to_owned(),
            message,
        },
        413 => ProviderError::ContextOverflow {
            prompt_tokens: None,
            limit: None,
        },
        503 if has(&[
            "loading model",
            "model is loading",
            "model is still loading",
        ]) =>
        {
            ProviderError::Loading {
                url: context.url.to_owned(),
            }
        }
        500..=599 if has(OUR_FAULT) => ProviderError::BadRequest { status, message },
        502..=504 | 520..=529 | 408 => ProviderError::Unavailable {
            provider: provider(),
            status,
            retry_after,
            message,
        },
        200 | 500..=599 => ProviderError::Server {
            provider: provider(),
            status,
            message,
        },
        _ => ProviderError::BadRequest { status, message },
    }
}

/// An error body, whatever its shape.
#[derive(Debug, Default)]
struct Report {
    message: String,
    kind: String,
    code: String,
    /// `param` of OpenAI: the path of the field at fault.
    place: String,
    prompt_tokens: Option<u64>,
    limit: Option<u64>,
}

impl Report {
    fn read(body: &str) -> Self {
        let Ok(mut value) = serde_json::from_str::<Value>(body) else {
            let message = if body.trim().is_empty() {
                "no explanation given".to_owned()
            } else if body.trim_start().starts_with('<') {
                "an HTML page".to_owned()
            } else {
                body.to_owned()
            };
            return Self {
                message,
                ..Self::default()
            };
        };
        // Google wraps its errors in a list.
        if let Value::Array(list) = &mut value {
            value = list.first_mut().map(Value::take).unwrap_or_default();
        }
        let error = value
            .get("error")
            .filter(|error| !error.is_null())
            .unwrap_or(&value);
        let field = |name: &str| {
            error
                .get(name)
                .or_else(|| value.get(name))
                .map(plain)
                .unwrap_or_default()
        };
        let number = |name: &str| error.get(name).and_then(Value::as_u64);
        let mut message = error.as_str().map(str::to_owned).unwrap_or_default();
        for name in ["message", "detail", "error_description", "error"] {
            if message.is_empty() {
                message = field(name);
            }
        }
        // OpenRouter puts the words of the provider behind it here.
        let raw = error
            .pointer("/metadata/raw")
            .map(plain)
            .unwrap_or_default();
        if !raw.is_empty() {
            message = format!("{message}: {raw}");
        }
        if message.is_empty() {
            body.clone_into(&mut message);
        }
        Self {
            message,
            kind: field("type"),
            code: field("code"),
            place: field("param"),
            prompt_tokens: number("n_prompt_tokens"),
            limit: number("n_ctx"),
        }
    }

    /// The status that an error inside a stream would have had.
    fn status(&self) -> Option<u16> {
        let number = self
            .code
            .parse()
            .ok()
            .filter(|code| (400..600).contains(code));
        number.or_else(|| {
            let word = format!("{} {}", self.kind, self.code);
            let table: [(&str, u16); 8] = [
                ("rate_limit", 429),
                ("overloaded", 529),
                ("unavailable", 503),
                ("authentication", 401),
                ("permission", 403),
                ("not_found", 404),
                ("invalid_request", 400),
                ("server_error", 500),
            ];
            table
                .iter()
                .find(|(part, _)| word.contains(part))
                .map(|(_, status)| *status)
        })
    }

    /// Tokens sent and allowed: from fields, else the first two large numbers of the message.
    /// The prompt is the larger one, or there would be no error.
    fn token_counts(&self) -> (Option<u64>, Option<u64>) {
        if self.prompt_tokens.is_some() || self.limit.is_some() {
            return (self.prompt_tokens, self.limit);
        }
        let mut numbers = self
            .message
            .split(|char: char| !char.is_ascii_digit() && char != ',')
            .filter_map(|number| number.replace(',', "").parse::<u64>().ok())
            .filter(|number| *number >= 256);
        match (numbers.next(), numbers.next()) {
            (Some(first), Some(second)) => (Some(first.max(second)), Some(first.min(second))),
            _ => (None, None),
        }
    }
}

/// A field as text: strings as they are, other values as JSON, null as nothing.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Finds the tool that a refusal is about.
fn name_tool(report: &Report, tools: &[ToolSpec]) -> Option<String> {
    // OpenAI: Invalid schema for function 'xyz': …
    let lower = report.message.to_lowercase();
    let quoted = lower.find("for function ").and_then(|start| {
        let rest = report.message.get(start + "for function ".len()..)?;
        let quote = rest
            .chars()
            .next()
            .filter(|char| matches!(char, '\'' | '"' | '`'))?;
        rest[1..].split(quote).next()
    });
    if let Some(name) = quoted.filter(|name| tools.iter().any(|tool| tool.name == *name)) {
        return Some(name.to_owned());
    }
    if let Some(tool) = tool_index(&report.place)
        .or_else(|| tool_index(&report.message))
        .and_then(|i| tools.get(i))
    {
        return Some(tool.name.clone());
    }
    // llama.cpp prints the schema instead of the name; it helps if just one tool has it.
    let mut quoting = tools
        .iter()
        .filter(|tool| report.message.contains(&compact(tool)));
    match (quoting.next(), quoting.next(), tools) {
        (Some(tool), None, _) | (None, _, [tool]) => Some(tool.name.clone()),
        _ => None,
    }
}

/// The schema without blanks and with its order of keys, as llama.cpp prints it.
fn compact(tool: &ToolSpec) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let keep = |char: &char| {
        if in_string {
            in_string = *char != '"' || escaped;
            escaped = *char == '\\' && !escaped;
            return true;
        }
        in_string = *char == '"';
        !char.is_ascii_whitespace()
    };
    tool.parameters.get().chars().filter(keep).collect()
}

/// The number in `tools[3]`, `tools.3`, `function_declarations[3]`.
fn tool_index(text: &str) -> Option<usize> {
    let number = |rest: &str| -> Option<usize> {
        let rest = rest.strip_prefix(['[', '.'])?;
        let end = rest
            .find(|char: char| !char.is_ascii_digit())
            .unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    // Google has all functions in `tools[0]`, so the inner number counts.
    ["function_declarations", "functionDeclarations", "tools"]
        .iter()
        .find_map(|word| {
            text.match_indices(word)
                .find_map(|(at, _)| number(&text[at + word.len()..]))
        })
}

/// A provider's words for the terminal: without the key, on one line, of bounded length.
pub(super) fn scrubbed(message: &str, key: Option<&ApiKey>) -> String {
    let message = key.map_or_else(|| message.to_owned(), |key| key.scrub(message));
    one_line(&message, 500)
}

/// Control characters and line ends become single blanks; text beyond `limit` characters is cut.
pub(super) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    // Bounded before the work: bodies may be large.
    for char in text.trim().chars().take(limit * 4) {
        if char.is_control() || char.is_whitespace() {
            if !line.ends_with(' ') {
                line.push(' ');
            }
        } else {
            line.push(char);
        }
    }
    if let Some((end, _)) = line.char_indices().nth(limit) {
        line.truncate(end);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests;
