use crate::errors::Errors;
use crate::model::SchemaWords;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, Fields, Item, Meta};

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
                if matches!(variant.fields, Fields::Named(_)) {
                    fields(&variant.fields, words, errors);
                }
            }
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
