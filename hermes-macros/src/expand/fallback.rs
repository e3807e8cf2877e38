//! What is emitted beside an error: the item as it was, and a stub of the hidden type, so that one
//! mistake is one error.

use super::paths::Root;
use crate::model::Function;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Path;

/// `kind` is the suffix of the hidden type: `Tool`, `Hook`, `Command`.
pub(crate) fn function(
    function: Option<&Function>,
    item: &TokenStream,
    kind: &str,
    krate: Option<&Path>,
    error: &TokenStream,
) -> TokenStream {
    let Some(function) = function else {
        return quote!(#error #item);
    };
    let private = Root::new(krate).private();
    let written = function.tokens();
    // Inside an `impl` there is no place for a type, nor in a function that rustc refuses.
    if function.sig.receiver().is_some() {
        return quote!(#error #[allow(dead_code, unused_variables)] #written);
    }
    let vis = &function.vis;
    let name = function.item_type(kind);
    let item_trait = format_ident!("{kind}Item");
    let def = format_ident!("{kind}Def");
    quote! {
        #error
        #[allow(dead_code, unused_variables)]
        #written
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(dead_code, missing_debug_implementations)]
        #vis struct #name;
        impl #private::#item_trait for #name {
            fn def() -> &'static #private::#def {
                ::core::panic!("this item did not compile")
            }
        }
    }
}
