use super::function::{inline_is_sync, no_arg, signature};
use super::types::{from_json, spelled};
use crate::errors::Errors;
use crate::model::{Function, HookWords, Param, ParamKind};
use crate::parse::words;
use syn::{ReturnType, Type};

pub(crate) fn hook(function: &Function, words: &HookWords, errors: &mut Errors) {
    signature("#[hermes_hook]", &function.sig, errors);
    // The role is read off the type.
    if let ReturnType::Type(_, ty) = &function.sig.output
        && matches!(**ty, Type::ImplTrait(_))
    {
        errors.at(
            ty,
            format!(
                "`{}` doesn't say what the hook is for; return nothing or `Verdict`",
                spelled(ty)
            ),
        );
    }
    inline_is_sync(&function.sig, words.inline.as_ref(), errors);
    if let (Some(inline), Some(timeout)) = (&words.inline, &words.timeout) {
        errors.at(
            &timeout.word,
            format!("an `{inline}` hook has no time limit; leave out one of the two"),
        );
    }
    let mut params = function.params.iter();
    match params.next() {
        None if function.sig.inputs.is_empty() => errors.at(
            &function.sig.ident,
            "a hook takes its event first; write `event: &PreToolCall<'_>` or `event: &PostToolCall<'_>`",
        ),
        None => {}
        Some(_) if event_too_late(&function.params, errors) => return,
        Some(first) => event_param(first, words, errors),
    }
    only_injected(params, "a hook", errors);
    no_arg(&function.params, "a hook", errors);
}

/// The event stands among the parameters, in a place that isn't the first.
fn event_too_late(params: &[Param], errors: &mut Errors) -> bool {
    let is_event = |param: &&Param| match &param.kind {
        ParamKind::Inject(Type::Path(path)) => path
            .path
            .segments
            .last()
            .is_some_and(|last| words::EVENTS.iter().any(|(_, ty)| last.ident == ty)),
        _ => false,
    };
    let Some(event) = params.iter().skip(1).find(is_event) else {
        return false;
    };
    let message = if params.first().as_ref().is_some_and(is_event) {
        "a hook has one event; write a second hook"
    } else {
        "the event comes first; move it before the other parameters"
    };
    errors.at(&event.ty, message);
    true
}

fn event_param(first: &Param, words: &HookWords, errors: &mut Errors) {
    if matches!(&first.ty, Type::Reference(reference) if reference.mutability.is_some()) {
        errors.at(
            &first.ty,
            "all hooks of an event see the same one; write `&` without `mut`",
        );
        return;
    }
    let ParamKind::Inject(Type::Path(path)) = &first.kind else {
        errors.at(
            &first.ty,
            "a hook takes its event first, by reference; write `event: &PreToolCall<'_>` or `event: &PostToolCall<'_>`",
        );
        return;
    };
    // Only a spelling that is an event's can disagree; an alias is left to the compiler.
    let (Some(named), Some(last)) = (&words.event, path.path.segments.last()) else {
        return;
    };
    let by_type = words::EVENTS.iter().find(|(_, ty)| last.ident == ty);
    if let Some((event, _)) = by_type
        && named != event
    {
        errors.at(
            named,
            format!(
                "`{}` is the event `{event}`; leave `{named}` out or change the type",
                last.ident
            ),
        );
    }
}

fn only_injected<'a>(params: impl Iterator<Item = &'a Param>, what: &str, errors: &mut Errors) {
    for param in params {
        if matches!(&param.ty, Type::Reference(reference) if reference.mutability.is_some()) {
            from_json(param, errors);
        } else if param.kind.is_sent() {
            errors.at(
                &param.ty,
                format!(
                    "{what} gets nothing else from outside; take `&T`, made by `#[hermes_state]`"
                ),
            );
        }
    }
}
