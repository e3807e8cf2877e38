use super::tool::typed_args;
use crate::errors::Errors;
use crate::model::{Example, Function, Param, ParamKind};
use crate::parse::words;
use syn::Type;
use syn::ext::IdentExt;

/// What can be said of examples without knowing types; the rest is checked by tests, by the schema.
pub(super) fn examples(function: &Function, examples: &[Example], errors: &mut Errors) {
    let mut asked: Vec<String> = Vec::new();
    for example in examples {
        if let Some(ask) = &example.ask {
            let said = ask.value();
            if asked.contains(&said) {
                errors.at(
                    ask,
                    "another example of this tool asks the same; leave one of them out",
                );
            }
            asked.push(said);
        }
        // What a typed struct has is in its definition, which isn't here; and a parameter without a
        // name is a mistake of its own.
        let all_read = function.params.len() == function.sig.inputs.len();
        if all_read && typed_args(&function.params).is_none() {
            keys(function, example, errors);
        }
    }
}

/// Keys are arguments, and arguments are there.
fn keys(function: &Function, example: &Example, errors: &mut Errors) {
    let Some((word, json)) = &example.args else {
        return;
    };
    let names: Vec<String> = sent(function).map(name).collect();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut strange = false;
    for key in &json.keys {
        let value = key.value();
        if known.contains(&value.as_str()) {
            continue;
        }
        strange = true;
        let help = match words::nearest(&value, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "write `args = {}`".to_owned(),
            None => format!("its arguments are {}", words::list(&known)),
        };
        errors.at(
            key,
            format!(
                "`{}` has no argument `{value}`; {help}",
                function.plain_name()
            ),
        );
    }
    // A misspelt key leaves another one out; that is one mistake.
    if strange {
        return;
    }
    for param in left_out(function, example) {
        if need(param) == Need::Given {
            errors.at(word, missing(param));
        }
    }
}

fn sent(function: &Function) -> impl Iterator<Item = &Param> {
    function.params.iter().filter(|param| param.kind.is_sent())
}

fn name(param: &Param) -> String {
    param.name.unraw().to_string()
}

/// The arguments that an example leaves out though they may be needed: what only a trait can tell.
pub(crate) fn doubtful<'a>(
    function: &'a Function,
    example: &'a Example,
) -> impl Iterator<Item = &'a Param> {
    let typed = typed_args(&function.params).is_some();
    left_out(function, example).filter(move |param| !typed && need(param) == Need::Doubtful)
}

fn left_out<'a>(function: &'a Function, example: &'a Example) -> impl Iterator<Item = &'a Param> {
    let keys = example.args.iter().flat_map(|(_, json)| &json.keys);
    let keys: Vec<String> = keys.map(syn::LitStr::value).collect();
    sent(function).filter(move |param| !keys.contains(&name(param)))
}

/// The message for an argument that an example leaves out.
pub(crate) fn missing(param: &Param) -> String {
    let name = name(param);
    format!("argument `{name}` is missing here, and has no default; add `\"{name}\": value`")
}

/// Whether a call must give an argument, as far as its spelling tells.
#[derive(PartialEq)]
enum Need {
    Given,
    Optional,
    /// The type may be an `Option` by another name.
    Doubtful,
}

fn need(param: &Param) -> Need {
    const GIVEN: &[&str] = &[
        "String", "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16",
        "u32", "u64", "usize",
    ];
    if param.default.is_some() {
        return Need::Optional;
    }
    if !matches!(param.kind, ParamKind::Owned) {
        return Need::Given;
    }
    match &param.ty {
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if last.ident == "Option" => Need::Optional,
            Some(_) if GIVEN.iter().any(|given| path.path.is_ident(given)) => Need::Given,
            Some(last) if last.ident == "Vec" => Need::Given,
            _ => Need::Doubtful,
        },
        Type::Tuple(_) | Type::Array(_) => Need::Given,
        _ => Need::Doubtful,
    }
}
