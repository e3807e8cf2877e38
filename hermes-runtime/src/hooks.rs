//! Runs hooks: in order, each contained. A failing observer is logged once; a failing guard blocks.

use crate::contain::catch;
use crate::tasks::Tasks;
use crate::threads::{Stopped, Threads};
use hermes_core::{
    CancelToken, EventData, EventKind, HookContext, HookDef, HookHandler, HookRole, Judged, Scope,
    Verdict,
};
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time limit of a hook that doesn't say another.
const LIMIT: Duration = Duration::from_secs(5);

/// What runs plugins' functions.
pub(crate) struct Engines {
    pub(crate) threads: Threads,
    pub(crate) tasks: Tasks,
}

#[derive(Default)]
pub(crate) struct Hooks {
    pre_tool_call: Vec<Hook>,
    post_tool_call: Vec<Hook>,
}

pub(crate) struct Hook {
    def: &'static HookDef,
    plugin: &'static str,
    reported: AtomicBool,
}

/// What the guards said, all together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    Allowed,
    /// The reasons for asking the operator.
    Asked(Vec<String>),
    Blocked(String),
}

impl Hook {
    pub(crate) const fn new(def: &'static HookDef, plugin: &'static str) -> Self {
        Self {
            def,
            plugin,
            reported: AtomicBool::new(false),
        }
    }

    /// The answer, or why there is none.
    async fn run(
        &self,
        engines: &Engines,
        scope: &Scope,
        data: &Arc<EventData>,
    ) -> Result<Option<Verdict>, String> {
        let ctx = HookContext::new(scope.clone());
        let limit = self.def.timeout().unwrap_or(LIMIT);
        // A hook belongs to the host: the caller's giving up doesn't stop it.
        let never = CancelToken::new();
        let judged: Result<Judged, Stopped> = match self.def.handler() {
            HookHandler::Inline(run) => catch(|| run(&ctx, data)).map_err(Stopped::Panicked),
            HookHandler::Blocking(run) => {
                let data = Arc::clone(data);
                engines
                    .threads
                    .run(limit, &never, move || run(&ctx, &data))
                    .await
            }
            HookHandler::Async(run) => {
                let data = Arc::clone(data);
                let future = async move { run(&ctx, &data).await };
                engines.tasks.run(limit, &never, future).await
            }
        };
        match judged {
            Ok(Ok(verdict)) => Ok(verdict),
            Ok(Err(error)) => Err(error.to_string()),
            Err(Stopped::Timeout(limit)) => Err(format!("timed out after {limit:?}")),
            Err(Stopped::Panicked(text)) => Err(format!("panicked: {text}")),
            Err(Stopped::Full(text)) => Err(text),
            Err(Stopped::Cancelled) => Err("cancelled".to_owned()),
        }
    }

    fn report(&self, error: &str) {
        let (hook, plugin) = (self.def.name(), self.plugin);
        if self.reported.swap(true, Ordering::Relaxed) {
            tracing::debug!(hook, plugin, error, "hook failed again");
        } else {
            tracing::warn!(hook, plugin, error, "hook failed");
        }
    }
}

impl Hooks {
    pub(crate) fn add(&mut self, hook: Hook) {
        match hook.def.event() {
            EventKind::PreToolCall => self.pre_tool_call.push(hook),
            EventKind::PostToolCall => self.post_tool_call.push(hook),
            _ => {}
        }
    }

    /// By priority; equal ones stay in the order of plugins and places.
    pub(crate) fn sort(&mut self) {
        for hooks in [&mut self.pre_tool_call, &mut self.post_tool_call] {
            hooks.sort_by_key(|hook| Reverse(hook.def.priority()));
        }
    }

    pub(crate) const fn has(&self, event: EventKind) -> bool {
        match event {
            EventKind::PreToolCall => !self.pre_tool_call.is_empty(),
            EventKind::PostToolCall => !self.post_tool_call.is_empty(),
            _ => false,
        }
    }

    /// Runs the hooks of `pre_tool_call` until one blocks; tells `seen` about each.
    pub(crate) async fn judge(
        &self,
        engines: &Engines,
        scope: &Scope,
        data: &Arc<EventData>,
        mut seen: impl FnMut(&str, &str),
    ) -> Judgement {
        let mut asked = Vec::new();
        for hook in &self.pre_tool_call {
            let name = hook.def.name();
            match (hook.run(engines, scope, data).await, hook.def.role()) {
                (Ok(None), HookRole::Observer) => seen(name, "watched"),
                (Ok(Some(Verdict::Allow)), _) => seen(name, "allowed"),
                (Ok(Some(Verdict::Ask { reason })), _) => {
                    seen(name, "asks the operator");
                    asked.push(reason);
                }
                (Ok(Some(Verdict::Block { reason })), _) => {
                    seen(name, "blocked");
                    return Judgement::Blocked(reason);
                }
                (Err(error), HookRole::Observer) => {
                    seen(name, "failed, skipped");
                    hook.report(&error);
                }
                // A guard that gives no judgement has not allowed anything.
                (failed, _) => {
                    let error = failed.err().unwrap_or_else(|| "no verdict".to_owned());
                    seen(name, "failed, blocked");
                    hook.report(&error);
                    return Judgement::Blocked(format!(
                        "blocked: guard `{name}` of plugin {} failed: {error}",
                        hook.plugin
                    ));
                }
            }
        }
        if asked.is_empty() {
            Judgement::Allowed
        } else {
            Judgement::Asked(asked)
        }
    }

    /// Runs the hooks of `post_tool_call`.
    pub(crate) async fn watch(&self, engines: &Engines, scope: &Scope, data: &Arc<EventData>) {
        for hook in &self.post_tool_call {
            if let Err(error) = hook.run(engines, scope, data).await {
                hook.report(&error);
            }
        }
    }
}
