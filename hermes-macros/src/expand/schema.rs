//! `#[hermes_schema]`

use super::paths::{Root, place, placed};
use crate::errors::Errors;
use crate::model::{ArgDefault, SchemaWords};
use crate::{check, parse};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Fields, Item, ItemEnum};

pub(crate) fn schema(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let words = parse::schema_words(args, &mut errors);
    let Ok(mut parsed) = syn::parse2::<Item>(item.clone()) else {
        // What rustc can't read either it explains itself.
        let error = errors.finish();
        return quote!(#error #item);
    };
    check::schema(&parsed, &words, &mut errors);
    let private = Root::new(words.krate.as_ref()).private();
    let defaults = take_field_words(&mut parsed, &private, &mut errors);
    if let Some(error) = errors.finish() {
        return fallback(&parsed, &words, &error);
    }
    expand(&parsed, &words, &defaults)
}

/// The type with impls that claim everything, so that its users show no second error.
fn fallback(item: &Item, words: &SchemaWords, error: &TokenStream) -> TokenStream {
    match item {
        Item::Enum(found) if found.variants.iter().any(is_tuple) => {
            // Serde would refuse it once more for its tag.
            let mut untagged = found.clone();
            untagged.attrs.retain(|attr| !attr.path().is_ident("serde"));
            untagged.attrs.push(syn::parse_quote!(#[serde(untagged)]));
            let expanded = expand(&Item::Enum(untagged), words, &[]);
            quote!(#error #expanded)
        }
        Item::Struct(_) | Item::Enum(_) => {
            let expanded = expand(item, words, &[]);
            quote!(#error #expanded)
        }
        _ => quote!(#error #item),
    }
}

fn is_tuple(variant: &syn::Variant) -> bool {
    matches!(&variant.fields, Fields::Unnamed(fields) if fields.unnamed.len() != 1)
}

/// Turns `#[arg(default)]` on fields into serde's words; gives the functions these name.
fn take_field_words(
    item: &mut Item,
    private: &TokenStream,
    errors: &mut Errors,
) -> Vec<TokenStream> {
    let mut makers = Vec::new();
    match item {
        Item::Struct(item) => {
            let owner = item.ident.clone();
            let generic = !item.generics.params.is_empty();
            for field in &mut item.fields {
                let name = field.ident.clone();
                let ty = field.ty.clone();
                take_default(
                    &mut field.attrs,
                    (&owner, generic, private),
                    name.as_ref(),
                    &ty,
                    &mut makers,
                    errors,
                );
            }
        }
        Item::Enum(item) => {
            let generic = !item.generics.params.is_empty();
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
                        (&owner, generic, private),
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
    (owner, generic, private): (&Ident, bool, &TokenStream),
    name: Option<&Ident>,
    ty: &syn::Type,
    makers: &mut Vec<TokenStream>,
    errors: &mut Errors,
) {
    let Some(default) = parse::take_arg_default(attrs, errors) else {
        return;
    };
    match (default, name) {
        // Without generics by a function of ours: serde's own would say three times that there is
        // no default.
        (ArgDefault::Type, Some(name)) if !generic => {
            let value =
                quote_spanned!(place(ty)=> <#ty as #private::core::default::Default>::default());
            attrs.push(maker(owner, name, ty, &value, makers));
        }
        (ArgDefault::Type, _) => attrs.push(syn::parse_quote!(#[serde(default)])),
        (ArgDefault::Expr(expr), Some(name)) => {
            attrs.push(maker(owner, name, ty, &quote!(#expr), makers));
        }
        (ArgDefault::Expr(expr), None) => {
            errors.at(
                expr,
                "a field without a name takes no default; give the field a name",
            );
        }
    }
}

/// A function that makes a field's default, and serde's word that names it.
fn maker(
    owner: &Ident,
    name: &Ident,
    ty: &syn::Type,
    value: &TokenStream,
    makers: &mut Vec<TokenStream>,
) -> Attribute {
    let maker = format_ident!("__hermes_default_{}", name.unraw());
    let path = format!("{owner}::{maker}");
    makers.push(quote! {
        #[doc(hidden)]
        #[allow(non_snake_case, clippy::missing_const_for_fn)]
        fn #maker() -> #ty { #value }
    });
    syn::parse_quote!(#[serde(default = #path)])
}

/// Says for each plain field that its type needs a schema, before serde and schemars say it in
/// theirs; beside a tag, that it needs named fields, which serde would say when the tool runs. Not
/// for generic types, whose parameters can't be named here, nor for fields with words of serde's
/// that may replace the type.
fn assertions(item: &Item, private: &TokenStream) -> TokenStream {
    let (name, generics, fields): (_, _, Vec<(&syn::Field, &str)>) = match item {
        Item::Struct(item) => (
            &item.ident,
            &item.generics,
            item.fields.iter().map(|field| (field, FIELD)).collect(),
        ),
        Item::Enum(item) => (
            &item.ident,
            &item.generics,
            item.variants
                .iter()
                .flat_map(|variant| {
                    let unnamed = matches!(variant.fields, Fields::Unnamed(_));
                    let kind = if unnamed && check::is_tagged(item, variant) {
                        BESIDE_TAG
                    } else {
                        FIELD
                    };
                    variant.fields.iter().map(move |field| (field, kind))
                })
                .collect(),
        ),
        _ => return TokenStream::new(),
    };
    if !generics.params.is_empty() {
        return TokenStream::new();
    }
    fields
        .into_iter()
        .filter(|(field, _)| field.attrs.iter().all(check::keeps_the_type))
        .map(|(field, kind)| {
            let ty = &field.ty;
            let private = placed(private, place(ty));
            let cfgs = field
                .attrs
                .iter()
                .filter(|attr| attr.path().is_ident("cfg"));
            let named = without_self(ty.to_token_stream(), name);
            let kind = Ident::new(kind, place(ty));
            quote_spanned! {place(ty)=>
                #(#cfgs)*
                const _: () = <#named as #private::#kind>::CHECKED;
            }
        })
        .collect()
}

/// `Self` as the type's name, for outside of it.
fn without_self(tokens: TokenStream, name: &Ident) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => {
                let mut name = name.clone();
                name.set_span(ident.span());
                TokenTree::Ident(name)
            }
            TokenTree::Group(group) => {
                let inside = without_self(group.stream(), name);
                let mut renamed = Group::new(group.delimiter(), inside);
                renamed.set_span(group.span());
                TokenTree::Group(renamed)
            }
            other => other,
        })
        .collect()
}

/// The trait of fields.
const FIELD: &str = "SchemaField";
/// The trait of the one unnamed field of a tagged variant.
const BESIDE_TAG: &str = "BesideTag";

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
            #[automatically_derived]
            impl #impl_generics #private::BesideTag for #name #type_generics #clause {}
        }
    });
    let defaults = (!makers.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #name #type_generics #clause { #(#makers)* }
        }
    });
    let assertions = assertions(item, &private);
    quote! {
        #assertions
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
    let said = |word: &str| item.attrs.iter().any(|attr| check::serde_says(attr, word));
    let case = (!said("rename_all")).then(|| quote!(#[serde(rename_all = "snake_case")]));
    let with_data = item
        .variants
        .iter()
        .any(|variant| !matches!(variant.fields, Fields::Unit));
    let tag =
        (with_data && !said("tag") && !said("untagged")).then(|| quote!(#[serde(tag = "type")]));
    quote!(#case #tag)
}
