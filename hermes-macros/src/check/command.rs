use super::function::{has_description, no_arg, signature};
use super::types::from_json;
use crate::errors::Errors;
use crate::model::{CommandWords, Function, ParamKind};
use syn::{LitStr, Type};

pub(crate) fn command(function: &Function, words: &CommandWords, errors: &mut Errors) {
    signature("#[hermes_command]", &function.sig, errors);
    has_description(function, words.description.is_some(), "a command", errors);
    command_name(function, words.name.as_ref(), errors);
    let mut raws = function.params.iter().filter(|param| param.kind.is_sent());
    if let Some(raw) = raws.next()
        && !matches!(raw.kind, ParamKind::Str)
    {
        errors.at(
            &raw.ty,
            "what follows a command's name is one text: take `raw: &str`",
        );
    }
    for second in raws {
        errors.at(
            &second.ty,
            "one `raw: &str` is all that follows a command's name; take the words out of it",
        );
    }
    no_arg(&function.params, "a command", errors);
    for param in &function.params {
        if matches!(&param.ty, Type::Reference(reference) if reference.mutability.is_some()) {
            from_json(param, errors);
        }
    }
}

fn command_name(function: &Function, given: Option<&LitStr>, errors: &mut Errors) {
    // What all chat platforms' menus accept.
    let fits = |name: &str| {
        name.len() <= 32
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let rule = "must match ^[a-z][a-z0-9-]{0,31}$, without `/`";
    match given {
        Some(name) if !fits(&name.value()) => {
            errors.at(name, format!("command name `{}` {rule}", name.value()));
        }
        None if !fits(&command_name_of(function)) => errors.at(
            &function.sig.ident,
            format!(
                "command name `{}` {rule}; give another by `name = \"…\"`",
                function.plain_name()
            ),
        ),
        _ => {}
    }
}

/// `my_status` is called as `/my-status`.
pub(crate) fn command_name_of(function: &Function) -> String {
    function.plain_name().replace('_', "-")
}
