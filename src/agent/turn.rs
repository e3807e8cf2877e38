use super::small::SmallModel;
use crate::provider::{
    ChatClient, Delta, FinishReason, Message, ProviderError, RawArguments, Reply, Request,
    ToolCall, ToolSpec, recover_calls,
};
use hermes_core::{CallIds, CancelToken, Status};
use hermes_runtime::args::{Undeclared, normalise};
use hermes_runtime::{CallContext, Consent, Runtime, ToolReply};
use serde::de::IgnoredAny;
use std::sync::Arc;

/// One turn: from the user's message to the final answer.
pub(crate) struct Turn<'a> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) client: &'a ChatClient,
    pub(crate) ids: Arc<CallIds>,
    pub(crate) cancel: CancelToken,
    pub(crate) consent: Consent,
    /// Most model requests.
    pub(crate) max_steps: usize,
    /// How the model is asked if it is a small one.
    pub(crate) small: Option<&'a SmallModel>,
}

/// What happens on the way, for showing it.
pub(crate) enum Event<'a> {
    /// A piece of the model's answer.
    Delta(Delta<'a>),
    /// A step's text ended; it belongs to a step with tool calls, or was a call itself.
    NotTheAnswer,
    /// A tool is about to be called.
    Calling(&'a ToolCall),
    /// It answered.
    Called(&'a ToolReply),
    /// A call was cut off in the middle and not run.
    NotRun(&'a ToolCall),
}

/// How a turn ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The model's last text, and why it may not be all of it.
    Answer {
        text: String,
        cut: Option<&'static str>,
    },
    /// The model still wanted tools after this many requests.
    StepLimit(usize),
}

impl Turn<'_> {
    /// Runs the turn and adds to `messages`, which ends with the user's message.
    ///
    /// # Errors
    /// What the provider said; `messages` then still ends before the failed step.
    pub(crate) async fn run(
        &self,
        messages: &mut Vec<Message>,
        on_event: &mut (dyn FnMut(Event<'_>) + Send),
    ) -> Result<Outcome, ProviderError> {
        let tools = self.specs();
        let mut small = self.small;
        let mut step = 0;
        let mut may_retry = true;
        while step < self.max_steps {
            if let Some(text) = small.and_then(|small| small.last_word(messages, &tools, may_retry))
            {
                messages.push(Message::assistant(text.as_str()));
                return Ok(Outcome::Answer { text, cut: None });
            }
            let request = match small {
                Some(small) => small.request(messages, &tools),
                None => Request {
                    messages: messages.clone(),
                    tools: tools.clone(),
                    ..Request::default()
                },
            };
            let mut on_delta = |delta: Delta<'_>| on_event(Event::Delta(delta));
            let mut reply = match self.client.complete(&request, &mut on_delta).await {
                Ok(reply) => reply,
                // No grammar can be made from some tool's schema: the model is asked plainly.
                Err(
                    error @ (ProviderError::BadRequest { .. }
                    | ProviderError::ToolSchemaRefused { .. }),
                ) if request.extra.contains_key("response_format") => {
                    tracing::warn!(%error, "the model can't be held to valid calls");
                    small = None;
                    continue;
                }
                Err(error) => return Err(error),
            };
            step += 1;
            if let Some(small) = small {
                small.read(&mut reply, messages, &tools);
            }
            recover(&mut reply, &tools);
            if reply.tool_calls.is_empty() {
                let cut = match reply.finish {
                    FinishReason::Length => Some("was cut off at the model's output limit"),
                    FinishReason::ContentFilter => Some("was withheld in part by the provider"),
                    _ => None,
                };
                let text = reply.content.clone();
                messages.push(reply.into_message());
                return Ok(Outcome::Answer { text, cut });
            }
            on_event(Event::NotTheAnswer);
            let calls = reply.tool_calls.clone();
            reply.tool_calls.iter_mut().for_each(mend);
            messages.push(reply.into_message());
            // In the order of the calls: a later one may rest on an earlier one's effect.
            for call in &calls {
                let (result, status) = self.call(call, on_event).await;
                may_retry &= !matches!(status, Status::Blocked | Status::Cancelled);
                messages.push(Message::tool_result(call, result));
            }
        }
        Ok(Outcome::StepLimit(self.max_steps))
    }

    /// The available tools, as the provider's request has them.
    fn specs(&self) -> Vec<ToolSpec> {
        self.runtime
            .definitions()
            .into_iter()
            .filter_map(|tool| ToolSpec::new(tool.name, tool.description, tool.parameters).ok())
            .collect()
    }

    async fn call(
        &self,
        call: &ToolCall,
        on_event: &mut (dyn FnMut(Event<'_>) + Send),
    ) -> (String, Status) {
        if call.truncated {
            on_event(Event::NotRun(call));
            let error = format!(
                "{}: the arguments were truncated and the tool did not run; send the whole call again, shorter if need be",
                call.name
            );
            return (
                serde_json::json!({ "error": error }).to_string(),
                Status::Error,
            );
        }
        on_event(Event::Calling(call));
        let context = CallContext::new(Arc::clone(&self.ids))
            .with_call_id(&call.id)
            .with_cancel(self.cancel.clone())
            .with_consent(self.consent);
        let reply = self
            .runtime
            .call(&call.name, call.arguments.as_str(), &context)
            .await;
        on_event(Event::Called(&reply));
        let status = reply.status();
        (reply.into_json(), status)
    }
}

/// Arguments that could be repaired stand in the history as they were understood: a provider
/// refuses what is no JSON, and a model repeats what it sees.
fn mend(call: &mut ToolCall) {
    let raw = call.arguments.as_str();
    if call.truncated || serde_json::from_str::<IgnoredAny>(raw).is_ok() {
        return;
    }
    let any_object = serde_json::json!({"type": "object"});
    if let Ok(read) = normalise(&call.name, &any_object, raw, Undeclared::Keep) {
        call.arguments = RawArguments::new(serde_json::Value::Object(read.args).to_string());
    }
}

/// A call that the model wrote as text is a call.
pub(crate) fn recover(reply: &mut Reply, tools: &[ToolSpec]) {
    if !reply.tool_calls.is_empty() {
        return;
    }
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    if let Some((calls, rest)) = recover_calls(&reply.content, &names) {
        reply.tool_calls = calls;
        reply.content = rest;
    }
}
