use super::example::examples;
use super::function::{has_description, inline_is_sync, signature};
use super::types::{from_json, spelled};
use crate::errors::Errors;
use crate::model::{Flag, Function, Param, ParamKind, ToolWords};
use syn::ext::IdentExt;
use syn::{ReturnType, Signature, Type};

pub(crate) fn tool(function: &Function, words: &ToolWords, errors: &mut Errors) {
    signature("#[hermes_tool]", &function.sig, errors);
    tool_name(function, words, errors);
    has_description(function, words.description.is_some(), "a tool", errors);
    let typed = typed_args(&function.params);
    for param in &function.params {
        from_json(param, errors);
        // A model that doesn't know what an argument is for invents one.
        if param.kind.is_sent() && typed.is_none() && param.docs.is_blank() {
            errors.at(
                &param.name,
                format!(
                    "argument `{}` needs a doc comment: the model reads it; write `/// …` above it",
                    param.name.unraw()
                ),
            );
        }
        default_allowed(param, errors);
    }
    examples(function, &words.examples, errors);
    // The author must choose: inline work runs on the caller's thread, where nothing can stop it.
    if let (Some(inline), Some(timeout)) = (&words.inline, &words.timeout) {
        errors.at(
            &timeout.word,
            format!("`{inline}` work has no time limit; leave out one of the two"),
        );
    }
    inline_is_sync(&function.sig, words.inline.as_ref(), errors);
    contradiction(words.read_only.as_ref(), words.destructive.as_ref(), errors);
    returns_a_value(&function.sig, errors);
}

/// A sole model parameter called `args` holds all arguments.
pub(crate) fn typed_args(params: &[Param]) -> Option<&Param> {
    let mut from_model = params.iter().filter(|param| param.kind.is_sent());
    let first = from_model.next()?;
    let sole = from_model.next().is_none();
    let owned = matches!(first.kind, ParamKind::Owned);
    (sole && owned && !first.marked_arg && first.name == "args").then_some(first)
}

fn tool_name(function: &Function, words: &ToolWords, errors: &mut Errors) {
    // The strictest of the providers' rules: a name outside of it fails the whole request.
    let fits = |name: &str| {
        name.len() <= 63
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    let rule = "must match ^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$";
    match &words.name {
        Some(name) if !fits(&name.value()) => {
            errors.at(name, format!("tool name `{}` {rule}", name.value()));
        }
        None if !fits(&function.plain_name()) => errors.at(
            &function.sig.ident,
            format!(
                "tool name `{}` {rule}; give another by `name = \"…\"`",
                function.plain_name()
            ),
        ),
        _ => {}
    }
}

fn default_allowed(param: &Param, errors: &mut Errors) {
    if param.default.is_some() && !param.kind.is_sent() {
        errors.at(
            &param.name,
            format!(
                "`{}` is injected, so it has no default; leave out `#[arg]`",
                param.name.unraw()
            ),
        );
    }
}

fn contradiction(read_only: Option<&Flag>, destructive: Option<&Flag>, errors: &mut Errors) {
    if let (Some(read_only), Some(destructive)) = (read_only, destructive)
        && read_only.is_on()
        && destructive.is_on()
    {
        errors.at(
            &destructive.word,
            "`destructive` contradicts `read_only`: what changes nothing destroys nothing; leave out one of the two",
        );
    }
}

/// An opaque type has no schema that could be named.
fn returns_a_value(sig: &Signature, errors: &mut Errors) {
    if let ReturnType::Type(_, ty) = &sig.output {
        match &**ty {
            Type::ImplTrait(_) => errors.at(
                ty,
                format!("`{}` has no schema; write a concrete type", spelled(ty)),
            ),
            Type::Reference(reference)
                if reference
                    .lifetime
                    .as_ref()
                    .is_none_or(|l| l.ident != "static") =>
            {
                errors.at(ty, "a result is an owned value: write `String` instead of `&str`, `T` instead of `&T`");
            }
            _ => {}
        }
    }
}
