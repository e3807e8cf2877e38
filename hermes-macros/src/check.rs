//! Rules that need more than one node. Each says why it must hold.

use crate::errors::Errors;
use crate::model::{
    CommandWords, Flag, Function, HookWords, Param, ParamKind, SchemaWords, ToolWords,
};
use crate::parse::words;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    Attribute, Fields, GenericArgument, Item, LitStr, Meta, PathArguments, ReturnType, Signature,
    Type,
};

pub(crate) fn tool(function: &Function, words: &ToolWords, errors: &mut Errors) {
    signature("#[hermes_tool]", &function.sig, errors);
    tool_name(function, words, errors);
    has_description(function, words.description.is_some(), "a tool", errors);
    let typed = typed_args(&function.params);
    for param in &function.params {
        from_json(param, errors);
        // A model that doesn't know what an argument is for invents one.
        if param.kind.from_model() && typed.is_none() && param.docs.is_blank() {
            errors.at(
                &param.name,
                format!(
                    "argument `{}` needs a doc comment: the model reads it; write `/// …` above it",
                    param.name.unraw()
                ),
            );
        }
        default_allowed(param, typed.is_some(), errors);
    }
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
    let mut from_model = params.iter().filter(|param| param.kind.from_model());
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

fn has_description(function: &Function, given: bool, what: &str, errors: &mut Errors) {
    if !given && function.docs.is_blank() {
        errors.at(
            &function.sig.ident,
            format!("{what} needs a description; write a doc comment `/// …` above it"),
        );
    }
}

fn default_allowed(param: &Param, typed: bool, errors: &mut Errors) {
    if param.default.is_none() {
        return;
    }
    if typed {
        errors.at(
            &param.name,
            "`args` is the whole argument struct; put `#[arg(default)]` on its fields",
        );
    } else if !param.kind.from_model() {
        errors.at(
            &param.name,
            format!("`{}` is injected, so it has no default", param.name),
        );
    }
}

/// What a registered function can't have: each would leave the model or the registry guessing.
fn signature(attribute: &str, sig: &Signature, errors: &mut Errors) {
    if !sig.generics.params.is_empty() {
        errors.at(
            &sig.generics.params,
            format!("{attribute} takes no generic function: a schema needs a concrete type"),
        );
    }
    if let Some(clause) = &sig.generics.where_clause {
        errors.at(clause, format!("{attribute} takes no `where` clause"));
    }
    if let Some(abi) = &sig.abi {
        errors.at(abi, format!("{attribute} takes no `extern` function"));
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        errors.at(
            &sig.safety,
            format!("{attribute} takes no `unsafe` function"),
        );
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(
            variadic,
            format!("{attribute} takes a fixed number of parameters"),
        );
    }
}

fn inline_is_sync(sig: &Signature, inline: Option<&syn::Ident>, errors: &mut Errors) {
    if let (Some(inline), Some(_)) = (inline, &sig.asyncness) {
        errors.at(
            inline,
            "`inline` runs at once on the caller's thread, so the function can't be `async`",
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
            "`destructive` contradicts `read_only`: what changes nothing destroys nothing",
        );
    }
}

/// An opaque type has no schema that could be named.
fn returns_a_value(sig: &Signature, errors: &mut Errors) {
    if let ReturnType::Type(_, ty) = &sig.output {
        match &**ty {
            Type::ImplTrait(_) => {
                errors.at(ty, "write the concrete type: `impl Trait` has no schema")
            }
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

/// Types that are known by their spelling not to come from JSON; the rest is left to traits.
fn from_json(param: &Param, errors: &mut Errors) {
    match &param.ty {
        Type::Reference(reference) if reference.mutability.is_some() => errors.at(
            &param.ty,
            "calls run side by side, so nothing is lent as `&mut`; take `&T` and put a `Mutex` inside",
        ),
        Type::Reference(reference) => {
            if let Some(better) = borrowed(&reference.elem) {
                errors.at(&param.ty, format!("`{}` can't be built from JSON; {better}", spelled(&param.ty)));
            }
        }
        Type::ImplTrait(_) | Type::TraitObject(_) => errors.at(
            &param.ty,
            "write a concrete type: a schema is made from it",
        ),
        Type::Ptr(_) | Type::FnPtr(_) | Type::Never(_) | Type::Infer(_) => errors.at(
            &param.ty,
            format!("`{}` can't be built from JSON", spelled(&param.ty)),
        ),
        Type::Path(path) if param.kind.from_model() => {
            // `Option<&str>`, `Vec<&str>`: nothing would own the text.
            for segment in &path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
                    continue;
                };
                for argument in &arguments.args {
                    if let GenericArgument::Type(inner @ Type::Reference(_)) = argument {
                        errors.at(
                            inner,
                            format!("nothing owns `{}` here; use `String` or `Vec<T>`", spelled(inner)),
                        );
                    }
                }
            }
        }
        _ => {}
    }
}

/// What to write instead of a reference that is neither from the model nor a state.
fn borrowed(elem: &Type) -> Option<&'static str> {
    let Type::Path(path) = elem else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    match name.as_str() {
        "Path" | "OsStr" | "CStr" => Some("use `String` or `&str`"),
        "String" => Some("use `&str`"),
        "Vec" => Some("use `&[T]`"),
        "Option" => Some("use `Option<T>` without `&`"),
        "bool" | "char" | "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize"
        | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => Some("take it by value, without `&`"),
        _ => None,
    }
}

/// A type's tokens without the spaces that printing puts between them.
fn spelled(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    text.replace("& ", "&")
        .replace(" < ", "<")
        .replace(" >", ">")
        .replace(" :: ", "::")
}

pub(crate) fn hook(function: &Function, words: &HookWords, errors: &mut Errors) {
    signature("#[hermes_hook]", &function.sig, errors);
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
            "a hook takes its event first: `event: &PreToolCall<'_>` or `event: &PostToolCall<'_>`",
        ),
        None => {}
        Some(first) => event_param(first, words, errors),
    }
    only_injected(params, "a hook", errors);
}

fn event_param(first: &Param, words: &HookWords, errors: &mut Errors) {
    let ParamKind::Inject(Type::Path(path)) = &first.kind else {
        errors.at(
            &first.ty,
            "a hook takes its event first, by reference: `event: &PostToolCall<'_>`",
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
        } else if param.kind.from_model() {
            errors.at(
                &param.ty,
                format!(
                    "{what} gets nothing else from outside; take `&T`, made by `#[hermes_state]`"
                ),
            );
        }
    }
}

pub(crate) fn command(function: &Function, words: &CommandWords, errors: &mut Errors) {
    signature("#[hermes_command]", &function.sig, errors);
    has_description(function, words.description.is_some(), "a command", errors);
    command_name(function, words.name.as_ref(), errors);
    let mut raws = function
        .params
        .iter()
        .filter(|param| param.kind.from_model());
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
            "one `raw: &str` is all that follows a command's name",
        );
    }
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

/// A struct or enum under `#[hermes_schema]`.
pub(crate) fn schema(item: &Item, words: &SchemaWords, errors: &mut Errors) {
    match item {
        Item::Struct(item) => fields(&item.fields, words, errors),
        Item::Enum(item) => {
            for variant in &item.variants {
                no_alias(&variant.attrs, errors);
                if !words.allow_undocumented && crate::model::Docs::of(&variant.attrs).is_blank() {
                    errors.at(
                        &variant.ident,
                        format!(
                            "variant `{}` needs a doc comment: the model reads it",
                            variant.ident
                        ),
                    );
                }
                if matches!(variant.fields, Fields::Named(_)) {
                    fields(&variant.fields, words, errors);
                }
            }
        }
        other => errors.at(other, "#[hermes_schema] goes on a struct or an enum"),
    }
}

fn fields(fields: &Fields, words: &SchemaWords, errors: &mut Errors) {
    for field in fields {
        no_alias(&field.attrs, errors);
        if let Some(name) = &field.ident
            && !words.allow_undocumented
            && crate::model::Docs::of(&field.attrs).is_blank()
        {
            errors.at(
                name,
                format!(
                    "field `{}` needs a doc comment: the model reads it",
                    name.unraw()
                ),
            );
        }
    }
}

/// A second name would reach the handler unseen by guards.
fn no_alias(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        if !attr.path().is_ident("serde") {
            continue;
        }
        let Meta::List(list) = &attr.meta else {
            continue;
        };
        // Unknown words are serde's to judge, so faults of this walk are not ours to report.
        let _: syn::Result<()> = list.parse_nested_meta(|meta| {
            if meta.path.is_ident("alias") {
                errors.at(
                    &meta.path,
                    "no `alias`: guards would not see a second name; use `rename`",
                );
            }
            if meta.input.peek(syn::Token![=]) {
                let _: syn::Expr = meta.value()?.parse()?;
            } else if meta.input.peek(syn::token::Paren) {
                let inside;
                syn::parenthesized!(inside in meta.input);
                let _: proc_macro2::TokenStream = inside.parse()?;
            }
            Ok(())
        });
    }
}
