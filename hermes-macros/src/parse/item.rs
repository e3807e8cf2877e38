//! A function: attributes, visibility, signature, and the body as it is.

use super::args::arg_words;
use crate::errors::Errors;
use crate::model::{ArgDefault, Docs, Function, Param, ParamKind};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, Meta, Pat, Signature, Type, Visibility};

/// Reads a function; `None` if the item is none (the fault is then recorded).
pub(crate) fn function(
    attribute: &str,
    item: &TokenStream,
    errors: &mut Errors,
) -> Option<Function> {
    let parser = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        let sig: Signature = input.parse()?;
        let body: TokenStream = input.parse()?;
        Ok((attrs, vis, sig, body))
    };
    let Ok((attrs, vis, mut sig, body)) = parser.parse2(item.clone()) else {
        errors.push(syn::Error::new(
            first_span(item),
            format!("{attribute} goes on a function"),
        ));
        return None;
    };
    let docs = Docs::of(&attrs);
    let params = sig
        .inputs
        .iter_mut()
        .filter_map(|input| param(input, errors))
        .collect();
    Some(Function {
        attrs,
        vis,
        sig,
        body,
        params,
        docs,
    })
}

/// Where the item itself begins, behind its attributes.
fn first_span(item: &TokenStream) -> Span {
    let parser = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        let span = input.span();
        input.parse::<TokenStream>()?;
        Ok(span)
    };
    parser
        .parse2(item.clone())
        .unwrap_or_else(|_| Span::call_site())
}

/// Takes our attributes off a parameter and reads it.
fn param(input: &mut FnArg, errors: &mut Errors) -> Option<Param> {
    let input = match input {
        FnArg::Typed(input) => input,
        FnArg::Receiver(receiver) => {
            errors.at(
                receiver,
                "no `self` here: take what you need as `&T` parameters, made by `#[hermes_state]`",
            );
            return None;
        }
    };
    let docs = Docs::take(&mut input.attrs);
    let marked_arg = input.attrs.iter().any(|attr| attr.path().is_ident("arg"));
    let default = take_arg_default(&mut input.attrs, errors);
    let marked_inject = take_inject(&mut input.attrs, errors);
    only_lints(&mut input.attrs, errors);
    let Pat::Ident(pattern) = &*input.pat else {
        errors.at(
            &input.pat,
            "a parameter needs a name; write `name: T` and take it apart inside",
        );
        return None;
    };
    if let Some(by_ref) = &pattern.by_ref {
        errors.at(by_ref, "no `ref` here: write `name: &T` or `name: T`");
    }
    if let Some((_, inner)) = &pattern.subpat {
        errors.at(inner, "no pattern behind the name: write `name: T`");
    }
    let ty = (*input.ty).clone();
    let mut kind = kind_of(&ty);
    if marked_inject && marked_arg {
        errors.at(
            &pattern.ident,
            "`#[arg]` and `#[inject]` contradict each other",
        );
    } else if marked_inject {
        if let Type::Reference(reference) = &ty {
            kind = ParamKind::Inject((*reference.elem).clone());
        } else {
            errors.at(&ty, "an injected parameter is a reference: write `&T`");
            kind = ParamKind::Inject(ty.clone());
        }
    } else if marked_arg && default.is_none() && matches!(kind, ParamKind::Inject(_)) {
        errors.at(
            &ty,
            "the model can't send a reference; take the value itself, `&str` or `&[T]`",
        );
    }
    Some(Param {
        name: pattern.ident.clone(),
        ty,
        docs,
        default,
        kind,
        marked_arg,
    })
}

/// Takes `#[inject]` off a parameter; whether it was there.
fn take_inject(attrs: &mut Vec<Attribute>, errors: &mut Errors) -> bool {
    let before = attrs.len();
    attrs.retain(|attr| {
        if !attr.path().is_ident("inject") {
            return true;
        }
        if !matches!(attr.meta, Meta::Path(_)) {
            errors.at(&attr.meta, "`#[inject]` takes no words; write it alone");
        }
        false
    });
    attrs.len() != before
}

/// Refuses what else stands before a parameter, apart from lint levels. It is taken off, so that
/// rustc doesn't refuse it once more.
fn only_lints(attrs: &mut Vec<Attribute>, errors: &mut Errors) {
    attrs.retain(|attr| {
        let path = attr.path();
        let word = path.to_token_stream().to_string().replace(' ', "");
        match word.as_str() {
            "allow" | "expect" | "warn" | "deny" | "forbid" => return true,
            "cfg" | "cfg_attr" => errors.at(
                attr,
                format!("`#[{word}]` on a parameter would leave schema and function apart; put it on the whole function"),
            ),
            _ => errors.at(
                attr,
                format!("`#[{word}]` says nothing on a parameter; `#[arg(…)]` and `#[inject]` do"),
            ),
        }
        false
    });
}

/// References are judged as they are written, everything else comes from the model.
fn kind_of(ty: &Type) -> ParamKind {
    let Type::Reference(reference) = ty else {
        return ParamKind::Owned;
    };
    match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") => ParamKind::Str,
        Type::Slice(slice) => ParamKind::Slice((*slice.elem).clone()),
        other => ParamKind::Inject(other.clone()),
    }
}

/// Takes `#[arg(…)]` off a parameter or field.
pub(crate) fn take_arg_default(
    attrs: &mut Vec<Attribute>,
    errors: &mut Errors,
) -> Option<ArgDefault> {
    let mut found = None;
    let mut seen = false;
    attrs.retain(|attr| {
        if !attr.path().is_ident("arg") {
            return true;
        }
        if seen {
            errors.at(attr, "`#[arg]` stands here twice; put all words into one");
        }
        seen = true;
        match &attr.meta {
            Meta::Path(_) => {}
            Meta::List(list) => found = arg_words(list.tokens.clone(), errors),
            Meta::NameValue(pair) => errors.at(pair, "write `#[arg(word = value)]`"),
        }
        false
    });
    found
}

impl Function {
    /// The function as the author wrote it, for emitting.
    pub(crate) fn tokens(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for attr in &self.attrs {
            attr.to_tokens(&mut tokens);
        }
        self.vis.to_tokens(&mut tokens);
        self.sig.to_tokens(&mut tokens);
        tokens.extend(self.body.clone());
        tokens
    }

    /// Whether rustc will take the function itself; if not, its own message is all that is needed.
    pub(crate) fn can_compile(&self) -> bool {
        let mut names: Vec<&Ident> = self.params.iter().map(|param| &param.name).collect();
        names.sort_unstable();
        names.dedup();
        names.len() == self.params.len()
            && self.sig.variadic.is_none()
            && !self
                .params
                .iter()
                .any(|param| matches!(param.ty, Type::Infer(_)))
            && self.body.to_string() != ";"
    }

    /// The name without `r#`.
    pub(crate) fn plain_name(&self) -> String {
        use syn::ext::IdentExt;
        self.sig.ident.unraw().to_string()
    }

    /// The name of the hidden type beside the function: `unit_convert` → `UnitConvertTool`.
    pub(crate) fn item_type(&self, kind: &str) -> Ident {
        let camel: String = self
            .plain_name()
            .split('_')
            .map(|part| {
                let mut chars = part.chars();
                chars.next().map_or_else(String::new, |first| {
                    first.to_uppercase().chain(chars).collect()
                })
            })
            .collect();
        Ident::new(&format!("{camel}{kind}"), self.sig.ident.span())
    }
}
