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
