//! The order of a call. Steps nobody subscribed to are skipped.

use super::args::{Undeclared, normalise};
use super::cap::cap;
use super::envelope::ToolReply;
use super::names::unknown;
use super::trace::Stages;
use super::{CallContext, Consent};
use crate::contain::catch;
use crate::hooks::Judgement;
use crate::registry::Tool;
use crate::runtime::Inner;
use crate::threads::Stopped;
use hermes_core::{
    CancelToken, EventData, EventKind, Fault, Handled, Handler, Scope, Status, ToolCallData,
    ToolContext, ToolOutput, ToolResultData,
};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Above this an `inline` tool is named in the log: it holds up its caller's thread.
const SLOW_INLINE: Duration = Duration::from_millis(100);

/// The short road: text straight into an `inline` tool's types and its result out, where nobody
/// else needs to see either. `None` if the call must take the long road; the handler has then not
/// run.
pub(crate) fn quick(
    inner: &Arc<Inner>,
    name: &str,
    raw: &str,
    call: &CallContext,
) -> Option<ToolReply> {
    let tool = inner.registry.tool(name)?;
    let run = tool.direct()?;
    let unseen = !inner.registry.hooked() && call.trace.is_none() && !call.cancel.is_cancelled();
    let object = raw.bytes().find(|byte| !byte.is_ascii_whitespace()) == Some(b'{');
    if !unseen || !object {
        return None;
    }
    let ctx = ToolContext::new(inner.scope(call));
    let start = Instant::now();
    // The rare fault is boxed, so that the usual output is moved at little cost.
    let result = catch(|| run(&ctx, raw).map_err(Box::new));
    let took = start.elapsed();
    match result {
        // Nearly always. `unusual` says the same of it, but moves the reply from step to step.
        Ok(Ok(output)) if took <= SLOW_INLINE && output.as_json().len() <= limit(inner, tool) => {
            Some(ToolReply::ok(output.into_json()).took(took))
        }
        Ok(Err(fault)) if matches!(*fault, Fault::Arguments(_)) => None,
        result => Some(unusual(inner, tool, result, took)),
    }
}

/// What else an `inline` tool may end with.
#[cold]
fn unusual(
    inner: &Inner,
    tool: &Tool,
    result: Result<Result<ToolOutput, Box<Fault>>, String>,
    took: Duration,
) -> ToolReply {
    let result = result
        .map(|handled| handled.map_err(|fault| *fault))
        .map_err(Stopped::Panicked);
    capped(inner, tool, outcome(tool, result, took)).0
}

/// The long road.
pub(crate) async fn full(
    inner: &Arc<Inner>,
    name: &str,
    raw: &str,
    call: &CallContext,
) -> ToolReply {
    let mut stages = Stages::new(call.trace.as_ref());
    let Some(tool) = inner.registry.tool(name) else {
        return ToolReply::refusal(Status::Error, &unknown(&inner.registry, name));
    };
    let refuse = |status, text: &str| ToolReply::refusal(status, &format!("{name}: {text}"));
    if let Err(reason) = tool.available(&inner.clock) {
        return refuse(Status::Error, &format!("not available: {reason}"));
    }
    let schema = match tool.schema() {
        Ok(schema) => schema,
        Err(reason) => return refuse(Status::Error, reason),
    };
    stages.end("lookup", || {
        format!("{} of plugin {}", tool.def.name(), tool.plugin())
    });

    let scope = inner.scope(call);
    let args = match normalise(name, schema.input(), raw, Undeclared::Drop) {
        Ok(normalised) => {
            stages.end("arguments", || {
                let repairs: Vec<String> =
                    normalised.repairs.iter().map(ToString::to_string).collect();
                let repairs = if repairs.is_empty() {
                    "as sent".to_owned()
                } else {
                    repairs.join(", ")
                };
                format!("{} ({repairs})", Value::Object(normalised.args.clone()))
            });
            Arc::new(normalised.args)
        }
        Err(error) => {
            stages.end("arguments", || error.to_string());
            let reply = refuse(Status::Error, &error.to_string());
            let nothing = Arc::new(Map::new());
            let reply = finish(inner, tool, &scope, call, nothing, reply, &mut stages).await;
            return reply;
        }
    };

    let permitted = permitted(inner, tool, &scope, call, &args, &mut stages).await;
    let reply = if let Err(reason) = permitted {
        ToolReply::refusal(Status::Blocked, &reason)
    } else {
        let text = match serde_json::to_string(&*args) {
            Ok(text) => text,
            Err(error) => return refuse(Status::Error, &error.to_string()),
        };
        let (result, took) = handle(inner, tool, &scope, text, &call.cancel).await;
        let reply = match result {
            Ok(Err(Fault::Arguments(error))) => {
                refuse(Status::Error, &judged_by_type(&args, &error)).took(took)
            }
            result => outcome(tool, result, took),
        };
        stages.end("handler", || {
            format!("{} {}", reply.status(), shortened(reply.json()))
        });
        reply
    };
    finish(inner, tool, &scope, call, args, reply, &mut stages).await
}

/// Guards, then the operator. The error is the reason for not running.
async fn permitted(
    inner: &Arc<Inner>,
    tool: &Tool,
    scope: &Scope,
    call: &CallContext,
    args: &Arc<Map<String, Value>>,
    stages: &mut Stages<'_>,
) -> Result<(), String> {
    let name = tool.def.name();
    let mut reasons = Vec::new();
    if inner.registry.hooks.has(EventKind::PreToolCall) {
        let data = Arc::new(EventData::PreToolCall(call_data(tool, call, args)));
        let mut notes = Vec::new();
        let judgement = inner
            .registry
            .hooks
            .judge(&inner.engines, scope, &data, |hook, what| {
                notes.push(format!("{hook}: {what}"));
            })
            .await;
        stages.end("pre_tool_call", || notes.join(", "));
        match judgement {
            Judgement::Allowed => {}
            Judgement::Asked(asked) => reasons = asked,
            Judgement::Blocked(reason) => return Err(reason),
        }
    }
    if tool.def.hints().destructive == Some(true) {
        reasons.push("it may destroy something".to_owned());
    }
    if reasons.is_empty() {
        return Ok(());
    }
    let reasons = reasons.join("; ");
    let consent = call.consent == Consent::Given;
    stages.end("approval", || {
        format!(
            "{} ({reasons})",
            if consent { "given" } else { "nobody to ask" }
        )
    });
    if consent {
        return Ok(());
    }
    Err(format!(
        "{name}: needs the operator's approval ({reasons}), and nobody can be asked here"
    ))
}

/// Runs the handler as its kind says, within its limits.
async fn handle(
    inner: &Arc<Inner>,
    tool: &Tool,
    scope: &Scope,
    args: String,
    cancel: &CancelToken,
) -> (Result<Handled, Stopped>, Duration) {
    let ctx = ToolContext::new(scope.clone());
    let limit = tool.def.timeout().unwrap_or(inner.limits.timeout);
    let start = Instant::now();
    let result = if cancel.is_cancelled() {
        Err(Stopped::Cancelled)
    } else {
        match tool.def.handler() {
            Handler::Inline(run) => catch(|| run(&ctx, &args)).map_err(Stopped::Panicked),
            Handler::Blocking(run) => {
                inner
                    .engines
                    .threads
                    .run(limit, cancel, move || run(&ctx, &args))
                    .await
            }
            Handler::Async(run) => {
                let future = async move { run(&ctx, &args).await };
                inner.engines.tasks.run(limit, cancel, future).await
            }
        }
    };
    (result, start.elapsed())
}

/// What a type says of a value that its schema let pass, with the argument's name instead of a column
/// of a text that nobody saw.
pub(crate) fn judged_by_type(args: &Map<String, Value>, error: &serde_json::Error) -> String {
    const SHOWN: usize = 80;
    let text = error.to_string();
    let said = text.split(" at line ").next().unwrap_or(&text);
    // The text was `{"key":value,…}`: the column falls into one pair.
    let mut end = 1;
    for (key, value) in args {
        let value = value.to_string();
        end += Value::from(key.as_str()).to_string().len() + 1 + value.len() + 1;
        if error.column() < end {
            let got: String = value.chars().take(SHOWN).collect();
            let more = if got.len() < value.len() { "…" } else { "" };
            return format!("`{key}`: {said}, got {got}{more}");
        }
    }
    said.to_owned()
}

fn outcome(tool: &Tool, result: Result<Handled, Stopped>, took: Duration) -> ToolReply {
    let name = tool.def.name();
    if took > SLOW_INLINE && matches!(tool.def.handler(), Handler::Inline(_)) {
        tracing::warn!(
            tool = name,
            ?took,
            "inline tool is slow and holds up its caller"
        );
    }
    let refuse = |status, text: String| ToolReply::refusal(status, &format!("{name}: {text}"));
    let reply = match result {
        Ok(Ok(output)) => ToolReply::ok(output.into_json()),
        Ok(Err(Fault::Failed(error))) => ToolReply::tool_error(&error),
        Ok(Err(Fault::Arguments(error))) => refuse(Status::Error, error.to_string()),
        Ok(Err(Fault::Unavailable(error))) => refuse(Status::Error, error.to_string()),
        Err(Stopped::Timeout(limit)) => {
            refuse(Status::Timeout, format!("timed out after {limit:?}"))
        }
        Err(Stopped::Cancelled) => refuse(Status::Cancelled, "cancelled".to_owned()),
        Err(Stopped::Panicked(text)) => {
            // The reply is the report.
            tracing::debug!(tool = name, panic = text, "tool panicked");
            refuse(Status::Error, format!("panicked: {text}"))
        }
        Err(Stopped::Full(text)) => refuse(Status::Error, text),
    };
    reply.took(took)
}

/// Observers, then the size cap.
async fn finish(
    inner: &Arc<Inner>,
    tool: &Tool,
    scope: &Scope,
    call: &CallContext,
    args: Arc<Map<String, Value>>,
    reply: ToolReply,
    stages: &mut Stages<'_>,
) -> ToolReply {
    if inner.registry.hooks.has(EventKind::PostToolCall) {
        let data = Arc::new(EventData::PostToolCall(ToolResultData {
            call: call_data(tool, call, &args),
            result: Arc::from(reply.json()),
            status: reply.status(),
            error: reply.error().map(str::to_owned),
            duration: reply.duration(),
        }));
        inner
            .registry
            .hooks
            .watch(&inner.engines, scope, &data)
            .await;
        stages.end("post_tool_call", || "told the observers".to_owned());
    }
    let (reply, cut) = capped(inner, tool, reply);
    if let Some(cut) = cut {
        stages.end("size cap", || cut);
    }
    reply
}

/// The result limit, in characters.
fn limit(inner: &Inner, tool: &Tool) -> usize {
    tool.def
        .max_result_chars()
        .unwrap_or(inner.limits.max_result_chars)
}

fn capped(inner: &Inner, tool: &Tool, reply: ToolReply) -> (ToolReply, Option<String>) {
    let limit = limit(inner, tool);
    // Bytes are never fewer than characters.
    if reply.json().len() <= limit {
        return (reply, None);
    }
    let (status, error, took) = (
        reply.status(),
        reply.error().map(str::to_owned),
        reply.duration(),
    );
    let (json, cut) = cap(
        reply.into_json(),
        limit,
        inner.limits.results_folder.as_deref(),
    );
    (ToolReply::again(status, json, error, took), cut)
}

fn call_data(tool: &Tool, call: &CallContext, args: &Arc<Map<String, Value>>) -> ToolCallData {
    ToolCallData {
        tool_name: tool.def.name(),
        args: Arc::clone(args),
        session_id: call.ids.session.clone(),
        task_id: call.ids.task.clone(),
        call_id: call.call_id.as_deref().unwrap_or_default().to_owned(),
    }
}

/// A result for a line of the trace.
fn shortened(json: &str) -> String {
    const SHOWN: usize = 200;
    match json.char_indices().nth(SHOWN) {
        None => json.to_owned(),
        Some((at, _)) => format!("{}…", &json[..at]),
    }
}
