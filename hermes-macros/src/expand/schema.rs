//! `#[hermes_schema]`

use super::paths::Root;
use crate::errors::Errors;
use crate::model::{ArgDefault, SchemaWords};
use crate::{check, parse};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Fields, Item, ItemEnum, Meta};

pub(crate) fn schema(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let words = parse::schema_words(args, &mut errors);
    let Ok(mut parsed) = syn::parse2::<Item>(item.clone()) else {
        errors.at(&item, "#[hermes_schema] goes on a struct or an enum");
        let error = errors.finish();
        return quote!(#error #item);
    };
    check::schema(&parsed, &words, &mut errors);
    let defaults = take_field_words(&mut parsed, &mut errors);
    if let Some(error) = errors.finish() {
        return fallback(&parsed, &words, &error);
    }
    expand(&parsed, &words, &defaults)
}

/// The type with impls that claim everything, so that its users show no second error.
fn fallback(item: &Item, words: &SchemaWords, error: &TokenStream) -> TokenStream {
    match item {
        Item::Struct(_) | Item::Enum(_) => {
            let expanded = expand(item, words, &[]);
            quote!(#error #expanded)
        }
        _ => quote!(#error #item),
    }
}

/// Turns `#[arg(default)]` on fields into serde's words; gives the functions these name.
fn take_field_words(item: &mut Item, errors: &mut Errors) -> Vec<TokenStream> {
    let mut makers = Vec::new();
    match item {
        Item::Struct(item) => {
            let owner = item.ident.clone();
            for field in &mut item.fields {
                let name = field.ident.clone();
                let ty = field.ty.clone();
                take_default(
                    &mut field.attrs,
                    &owner,
                    name.as_ref(),
                    &ty,
                    &mut makers,
                    errors,
                );
            }
        }
        Item::Enum(item) => {
            for variant in &mut item.variants {
                let owner = item.ident.clone();
                for field in &mut variant.fields {
                    let name = field
                        .ident
                        .as_ref()
                        .map(|name| format_ident!("{}_{}", variant.ident, name.unraw()));
                    let ty = field.ty.clone();
                    take_default(
                        &mut field.attrs,
                        &owner,
                        name.as_ref(),
                        &ty,
                        &mut makers,
                        errors,
                    );
                }
            }
        }
        _ => {}
    }
    makers
}

fn take_default(
    attrs: &mut Vec<Attribute>,
    owner: &Ident,
    name: Option<&Ident>,
    ty: &syn::Type,
    makers: &mut Vec<TokenStream>,
    errors: &mut Errors,
) {
    let Some(default) = parse::take_arg_default(attrs, errors) else {
        return;
    };
    match (default, name) {
        (ArgDefault::Type, _) => attrs.push(syn::parse_quote!(#[serde(default)])),
        (ArgDefault::Expr(expr), Some(name)) => {
            let maker = format_ident!("__hermes_default_{}", name.unraw());
            let path = format!("{owner}::{maker}");
            attrs.push(syn::parse_quote!(#[serde(default = #path)]));
            makers.push(quote! {
                #[doc(hidden)]
                #[allow(missing_docs, non_snake_case, clippy::missing_const_for_fn)]
                fn #maker() -> #ty { #expr }
            });
        }
        (ArgDefault::Expr(expr), None) => {
            errors.at(expr, "a field without a name has no default of its own");
        }
    }
}

fn expand(item: &Item, words: &SchemaWords, makers: &[TokenStream]) -> TokenStream {
    let root = Root::new(words.krate.as_ref());
    let private = root.private();
    let serde = root.text("::serde");
    let schemars = root.text("::schemars");
    let (name, generics, object) = match item {
        Item::Struct(item) => (
            &item.ident,
            &item.generics,
            matches!(item.fields, Fields::Named(_)),
        ),
        Item::Enum(item) => (&item.ident, &item.generics, false),
        other => return other.to_token_stream(),
    };
    let naming = match item {
        Item::Enum(item) => enum_naming(item),
        _ => quote!(),
    };
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    let is_args = object.then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #private::ToolArgs for #name #type_generics #clause {}
        }
    });
    let defaults = (!makers.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #name #type_generics #clause { #(#makers)* }
        }
    });
    quote! {
        #[derive(#private::Deserialize, #private::Serialize, #private::JsonSchema)]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #naming
        #item
        #is_args
        #defaults
    }
}

/// Unit variants are `snake_case` strings, enums with data carry their variant's name in `type`;
/// what the author says with serde's words wins.
fn enum_naming(item: &ItemEnum) -> TokenStream {
    let said = |word: &str| item.attrs.iter().any(|attr| serde_says(attr, word));
    let case = (!said("rename_all")).then(|| quote!(#[serde(rename_all = "snake_case")]));
    let with_data = item
        .variants
        .iter()
        .any(|variant| !matches!(variant.fields, Fields::Unit));
    let tag =
        (with_data && !said("tag") && !said("untagged")).then(|| quote!(#[serde(tag = "type")]));
    quote!(#case #tag)
}

fn serde_says(attr: &Attribute, word: &str) -> bool {
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
