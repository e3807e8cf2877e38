//! Every path that expanded code names.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, Path};

/// The root of all paths: `::hermes_core`, or what `crate = path` says.
pub(crate) struct Root(TokenStream);

impl Root {
    pub(crate) fn new(krate: Option<&Path>) -> Self {
        Self(krate.map_or_else(|| quote!(::hermes_core), Path::to_token_stream))
    }

    /// `…::__private`
    pub(crate) fn private(&self) -> TokenStream {
        let root = &self.0;
        quote!(#root::__private)
    }

    /// A path as text, for serde's and schemars' `crate = "…"`.
    pub(crate) fn text(&self, rest: &str) -> String {
        let root: String = self.0.to_string().split_whitespace().collect();
        format!("{root}::__private{rest}")
    }
}

/// An alias of the type that `plugin!` makes at the crate's root. Every item has one, so that a
/// missing `plugin!` is an error, and one error per item, however often the item names the alias.
pub(crate) fn plugin_alias() -> (TokenStream, Ident) {
    let marker = marker();
    let alias = Ident::new("__HermesPlugin", Span::mixed_site());
    let items = quote! {
        #[allow(dead_code)]
        type #alias = crate::#marker;
    };
    (items, alias)
}

/// The type that `plugin!` makes at the crate's root. Its name is what rustc prints if it's missing.
pub(crate) fn marker() -> Ident {
    Ident::new("PutHermesCorePluginMacroAtTheCrateRoot", Span::mixed_site())
}

/// `Origin::new(…)` of the attribute's place.
pub(crate) fn origin(private: &TokenStream) -> TokenStream {
    quote! {
        #private::Origin::new(
            ::core::module_path!(), ::core::file!(), ::core::line!(), ::core::column!(),
        )
    }
}
