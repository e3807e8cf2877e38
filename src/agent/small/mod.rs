//! How a small model is asked.
//!
//! Models of a few hundred million parameters don't call tools by themselves. What helps, measured with
//! one of 135 million (`docs/local-model.md` has the figures):
//!
//! 1. Whether a tool is wanted is decided by how near the question is to the tools' examples. The model
//!    can't tell: with tools before it, it calls one of everything or of nothing.
//! 2. A question for a tool goes out with short instructions, the nearest example as an earlier turn,
//!    and a grammar that lets the model write nothing but a valid call or an answer.
//! 3. A result goes out anew, as a short question without all that, and the answer has to hold it. A failure
//!    for good is told by us: the model would dress it as a result.
//!
//! A question that is near to no example is asked as a big model would be, the smallest without tools. Big
//! models are always asked so: they know how to call tools, and examples cost them tokens.

mod envelope;
mod examples;
mod result;

pub(crate) use examples::Example;

use crate::provider::{FinishReason, Message, RawArguments, Reply, Request, ToolCall, ToolSpec};
use envelope::Said;
use examples::Examples;
use serde_json::Map;

/// Longest call: a small model that hasn't ended by then repeats itself.
const MOST_CALL_TOKENS: u32 = 256;
/// Longest answer.
const MOST_ANSWER_TOKENS: u32 = 512;
/// Most examples before a question. With more, the question is a smaller part of what the model reads.
const MOST_EXAMPLES: usize = 1;
/// How often a call that failed may be made anew.
const TRIES: usize = 3;

/// The way a small model is asked.
#[derive(Debug)]
pub(crate) struct SmallModel {
    examples: Examples,
    /// Most tokens of examples.
    tokens: usize,
    /// It can make something of tools beside a question that is near to no example. A smaller one repeats
    /// their schemas to the user.
    knows_tools: bool,
}

/// What the next step is for.
#[derive(Clone, Copy)]
enum Step<'m> {
    /// A valid call, if the model doesn't prefer to answer.
    Call,
    /// Text that tells a result.
    Tell { question: &'m str, result: &'m str },
    /// Nothing: a call failed for good.
    Fail { result: &'m str },
    /// Whatever the model does.
    Free,
}

impl SmallModel {
    /// With these examples, of which at most `tokens` tokens are sent.
    pub(crate) fn new(examples: Vec<Example>, tokens: usize, knows_tools: bool) -> Self {
        Self {
            examples: Examples::new(examples),
            tokens,
            knows_tools,
        }
    }

    /// The answer, if nothing is left to be asked: what a tool refused for good. `may_retry` is false if
    /// somebody said no to a call: a model this small would look for a way around that.
    pub(crate) fn last_word(
        &self,
        messages: &[Message],
        tools: &[ToolSpec],
        may_retry: bool,
    ) -> Option<String> {
        match self.step(messages, tools, may_retry) {
            Step::Fail { result } => Some(result::failure(result)),
            _ => None,
        }
    }

    /// The request for the next step of a conversation.
    pub(crate) fn request(&self, messages: &[Message], tools: &[ToolSpec]) -> Request {
        let mut request = self.request_for(self.step(messages, tools, true), messages, tools);
        // A model that wasn't made for the marks of its chat template writes them as text and goes on.
        let marks = serde_json::json!(["<|im_end|>", "<|im_start|>"]);
        request.extra.insert("stop".to_owned(), marks);
        request
    }

    fn request_for(&self, step: Step<'_>, messages: &[Message], tools: &[ToolSpec]) -> Request {
        match step {
            Step::Call => {
                let on_offer = self.on_offer(messages, tools);
                let tools = on_offer.as_slice();
                let mut extra = Map::new();
                extra.insert("response_format".to_owned(), envelope::format(tools));
                Request {
                    messages: self.call_turns(messages, tools),
                    temperature: Some(0.0),
                    max_tokens: Some(MOST_CALL_TOKENS),
                    extra,
                    ..Request::default()
                }
            }
            Step::Tell { question, result } => Request {
                messages: vec![
                    Message::system("You are a helpful assistant."),
                    Message::user(result::question(question, result)),
                ],
                temperature: Some(0.0),
                max_tokens: Some(MOST_ANSWER_TOKENS),
                ..Request::default()
            },
            // A failure for good is no question; see `last_word`.
            Step::Free | Step::Fail { .. } => Request {
                messages: messages.to_vec(),
                tools: if self.knows_tools || self.tokens == 0 {
                    tools.to_vec()
                } else {
                    Vec::new()
                },
                temperature: Some(0.0),
                max_tokens: Some(MOST_ANSWER_TOKENS),
                ..Request::default()
            },
        }
    }

    fn step<'m>(&self, messages: &'m [Message], tools: &[ToolSpec], may_retry: bool) -> Step<'m> {
        let question = question(messages);
        let is_for_a_tool = !tools.is_empty() && self.tokens > 0 && self.examples.is_near(question);
        if !is_for_a_tool {
            return Step::Free;
        }
        match messages.last() {
            Some(Message::Tool { content, .. }) if !result::is_error(content) => Step::Tell {
                question,
                result: content,
            },
            Some(Message::Tool { content, .. })
                if !may_retry || tries(messages) >= TRIES || is_repeated(messages) =>
            {
                Step::Fail { result: content }
            }
            _ => Step::Call,
        }
    }

    /// First the nearest example's tool alone: a model this small knows less about which tool is meant than
    /// the example does. If that went wrong, any.
    fn on_offer(&self, messages: &[Message], tools: &[ToolSpec]) -> Vec<ToolSpec> {
        let nearest = self.examples.nearest(question(messages), 1, usize::MAX);
        let is_first = tries(messages) == 0;
        let is_meant = |tool: &&ToolSpec| nearest.iter().any(|example| example.tool == tool.name);
        let meant: Vec<ToolSpec> = tools.iter().filter(is_meant).cloned().collect();
        if is_first && !meant.is_empty() {
            meant
        } else {
            tools.to_vec()
        }
    }

    fn call_turns(&self, messages: &[Message], tools: &[ToolSpec]) -> Vec<Message> {
        let mut turns = vec![Message::system(instructions(tools))];
        let known = |tool: &str| tools.iter().any(|spec| spec.name == tool);
        for example in self
            .examples
            .nearest(question(messages), MOST_EXAMPLES, self.tokens)
        {
            if known(&example.tool) {
                turns.push(Message::user(example.ask.as_str()));
                let call = envelope::call(&example.tool, &example.arguments);
                turns.push(Message::assistant(call));
            }
        }
        turns.extend(messages.iter().filter_map(plain));
        turns
    }

    /// Reads the reply to [`SmallModel::request`]: opens its envelope, and adds the result to an answer
    /// that doesn't hold it.
    pub(crate) fn read(&self, reply: &mut Reply, messages: &[Message], tools: &[ToolSpec]) {
        match self.step(messages, tools, true) {
            Step::Free | Step::Fail { .. } => {}
            Step::Tell { result, .. } => {
                if reply.tool_calls.is_empty() {
                    result::complete(&mut reply.content, result);
                }
            }
            Step::Call => open(reply, messages.len()),
        }
    }
}

/// What the user said last.
fn question(messages: &[Message]) -> &str {
    let last = messages.iter().rev().find_map(|message| match message {
        Message::User { content } => Some(content.as_str()),
        _ => None,
    });
    last.unwrap_or_default()
}

/// Calls since the question.
fn tries(messages: &[Message]) -> usize {
    messages
        .iter()
        .rev()
        .take_while(|message| !matches!(message, Message::User { .. }))
        .filter(|message| matches!(message, Message::Tool { .. }))
        .count()
}

/// Whether the last call is the one before it again.
fn is_repeated(messages: &[Message]) -> bool {
    let mut calls = messages.iter().rev().filter_map(|message| match message {
        Message::Assistant { tool_calls, .. } => tool_calls.first(),
        _ => None,
    });
    match (calls.next(), calls.next()) {
        (Some(last), Some(before)) => {
            tries(messages) > 1 && last.name == before.name && last.arguments == before.arguments
        }
        _ => false,
    }
}

fn open(reply: &mut Reply, number: usize) {
    match envelope::open(&reply.content) {
        None => {}
        Some(Said::Answer(text)) => reply.content = text,
        Some(Said::Call { tool, arguments }) => {
            let arguments = RawArguments::new(arguments);
            let truncated = arguments.is_truncated();
            reply.content = String::new();
            reply.finish = FinishReason::ToolCalls;
            reply.tool_calls = vec![ToolCall {
                id: format!("call_{number}"),
                name: tool,
                arguments,
                truncated,
            }];
        }
    }
}

fn instructions(tools: &[ToolSpec]) -> String {
    format!(
        "You are a helpful assistant with tools. Reply with JSON only: {{\"tool\": NAME, \"arguments\": {{...}}}} \
         to use a tool, or {{\"answer\": TEXT}} to talk.\nTools:{}",
        envelope::listing(tools)
    )
}

/// A message as it stands in the conversation with a small model: envelopes and their results.
fn plain(message: &Message) -> Option<Message> {
    Some(match message {
        // The instructions for small models stand in its place.
        Message::System { .. } => return None,
        Message::User { .. } => message.clone(),
        Message::Assistant {
            content,
            tool_calls,
            ..
        } => match tool_calls.as_slice() {
            [] => Message::assistant(envelope::answer(content)),
            calls => {
                let calls = calls
                    .iter()
                    .map(|call| envelope::call(&call.name, call.arguments.as_str()));
                Message::assistant(calls.collect::<Vec<_>>().join("\n"))
            }
        },
        Message::Tool { content, .. } => Message::user(format!("Result: {content}")),
    })
}

#[cfg(test)]
mod tests;
