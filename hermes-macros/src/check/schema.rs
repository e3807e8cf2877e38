use super::types::{no_wide_number, spelled};
use crate::errors::Errors;
use crate::model::SchemaWords;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, Fields, Item, ItemEnum, Meta, Variant};

/// A fault of a whole item, at its first token.
pub(crate) fn goes_on(item: &Item, message: &str) -> syn::Error {
    let keyword = match item {
        Item::Fn(item) => item.sig.fn_token.to_token_stream(),
        Item::Union(item) => item.union_token.to_token_stream(),
        Item::Const(item) => item.const_token.to_token_stream(),
        other => other.to_token_stream(),
    };
    syn::Error::new_spanned(keyword, message)
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
                            "variant `{}` needs a doc comment: the model reads it; write `/// …` above it",
                            variant.ident
                        ),
                    );
                }
                fields(&variant.fields, words, errors);
            }
            tagged_tuples(item, errors);
        }
        other => errors.push(goes_on(
            other,
            "#[hermes_schema] goes on a struct or an enum",
        )),
    }
}

fn fields(fields: &Fields, words: &SchemaWords, errors: &mut Errors) {
    for field in fields {
        no_alias(&field.attrs, errors);
        if field.attrs.iter().all(keeps_the_type) {
            no_wide_number(&field.ty, errors);
        }
        if let Some(name) = &field.ident
            && !words.allow_undocumented
            && crate::model::Docs::of(&field.attrs).is_blank()
        {
            errors.at(
                name,
                format!(
                    "field `{}` needs a doc comment: the model reads it; write `/// …` above it",
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
        drop(list.parse_nested_meta(|meta| {
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
        }));
    }
}

/// Beside a tag inside the object there is no place for values without names. One unnamed struct
/// is fine, its fields stand beside the tag; whether it is one, a trait decides.
fn tagged_tuples(item: &ItemEnum, errors: &mut Errors) {
    for variant in item.variants.iter().filter(|one| is_tagged(item, one)) {
        let Fields::Unnamed(fields) = &variant.fields else {
            continue;
        };
        let name = &variant.ident;
        match fields.unnamed.len() {
            0 => errors.at(fields, format!("write `{name}` without `()`")),
            1 => {}
            _ => {
                let types: Vec<String> = ('a'..='z')
                    .zip(&fields.unnamed)
                    .map(|(letter, field)| format!("{letter}: {}", spelled(&field.ty)))
                    .collect();
                errors.at(
                    fields,
                    format!(
                        "give the fields names: write `{name} {{ {} }}`",
                        types.join(", ")
                    ),
                );
            }
        }
    }
}

/// Whether the variant's fields stand in one object with the tag: ours, or the author's without
/// `content`.
pub(crate) fn is_tagged(item: &ItemEnum, variant: &Variant) -> bool {
    let said = |word: &str| item.attrs.iter().any(|attr| serde_says(attr, word));
    let replaced = |word: &&str| variant.attrs.iter().any(|attr| serde_says(attr, word));
    !said("untagged")
        && !said("content")
        && ![
            "untagged",
            "skip",
            "with",
            "serialize_with",
            "deserialize_with",
        ]
        .iter()
        .any(replaced)
}

/// Whether serde and schemars use the field's own type in spite of this attribute.
pub(crate) fn keeps_the_type(attr: &Attribute) -> bool {
    if attr.path().is_ident("cfg_attr") {
        return false;
    }
    if !attr.path().is_ident("serde") && !attr.path().is_ident("schemars") {
        return true;
    }
    let Meta::List(list) = &attr.meta else {
        return false;
    };
    list.tokens.clone().into_iter().all(|token| match token {
        proc_macro2::TokenTree::Ident(word) => word == "default" || word == "rename",
        proc_macro2::TokenTree::Group(_) => false,
        _ => true,
    })
}

/// Whether the word stands in this attribute of serde's.
pub(crate) fn serde_says(attr: &Attribute, word: &str) -> bool {
    let Meta::List(list) = &attr.meta else {
        return false;
    };
    attr.path().is_ident("serde")
        && list
            .tokens
            .clone()
            .into_iter()
            .any(|token| matches!(token, proc_macro2::TokenTree::Ident(ident) if ident == word))
}
