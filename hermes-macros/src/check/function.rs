//! What holds for every registered function.

use crate::errors::Errors;
use crate::model::{Function, Param};
use syn::Signature;

pub(super) fn has_description(function: &Function, given: bool, what: &str, errors: &mut Errors) {
    if !given && function.docs.is_blank() {
        errors.at(
            &function.sig.ident,
            format!("{what} needs a description; write a doc comment `/// …` above it"),
        );
    }
}

/// Only a tool's parameters are arguments that a schema describes.
pub(super) fn no_arg(params: &[Param], what: &str, errors: &mut Errors) {
    for param in params.iter().filter(|param| param.marked_arg) {
        errors.at(
            &param.name,
            format!("{what} has no arguments of its own; leave out `#[arg]`"),
        );
    }
}

/// What a registered function can't have: each would leave the model or the registry guessing.
pub(super) fn signature(attribute: &str, sig: &Signature, errors: &mut Errors) {
    let params = &sig.generics.params;
    if params
        .iter()
        .any(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
    {
        errors.at(
            params,
            format!("{attribute} takes no generic function: nobody could choose its types; write the types out"),
        );
    } else if !params.is_empty() {
        errors.at(
            params,
            format!("{attribute} takes no lifetimes; write `&T` without one"),
        );
    }
    if let Some(clause) = &sig.generics.where_clause {
        errors.at(
            clause,
            format!("{attribute} takes no `where` clause; leave it out"),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.at(
            abi,
            format!("{attribute} takes no `extern` function; write a plain `fn`"),
        );
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        errors.at(
            &sig.safety,
            format!(
                "{attribute} takes no `unsafe` function; put an `unsafe` block inside a safe one"
            ),
        );
    }
}

pub(super) fn inline_is_sync(sig: &Signature, inline: Option<&syn::Ident>, errors: &mut Errors) {
    if let (Some(inline), Some(_)) = (inline, &sig.asyncness) {
        errors.at(
            inline,
            "`inline` runs at once on the caller's thread, so the function can't be `async`; leave out one of the two",
        );
    }
}
