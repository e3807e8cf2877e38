//! Every path that expanded code names.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Path, PathArguments, Type};

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

/// The place of these tokens for messages, and the macro for lints, which then know that the code
/// isn't the author's.
pub(crate) fn place(tokens: &impl ToTokens) -> Span {
    Span::call_site().located_at(syn::spanned::Spanned::span(tokens))
}

/// The same tokens at another place. An expression's place is that of its first and last token, so
/// paths inside `quote_spanned!` go through this.
pub(crate) fn placed(tokens: &TokenStream, span: Span) -> TokenStream {
    tokens
        .clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}

/// One argument of a plain path's last segment, such as the `E` of `Result<T, E>`; the whole type
/// if there is none. For spans only: what the type is, traits decide.
pub(crate) fn part(ty: &Type, at: usize) -> &dyn ToTokens {
    if let Type::Path(path) = ty
        && let Some(last) = path.path.segments.last()
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && arguments.args.len() == 2
        && let Some(argument) = arguments.args.get(at)
    {
        return argument;
    }
    ty
}

/// `let name = inject(…)?;`, and the assertion that speaks if nobody makes the type.
pub(crate) struct Injection {
    pub(crate) bind: TokenStream,
    pub(crate) assertion: TokenStream,
}

impl Injection {
    /// `context` is the type of `__hermes_ctx`, `method` one of `Injected`'s.
    pub(crate) fn new(
        private: &TokenStream,
        guard: &Ident,
        ty: &Type,
        context: &str,
        method: &str,
    ) -> Self {
        let span = place(ty);
        let private = placed(private, span);
        let (_, alias) = plugin_alias();
        let context = Ident::new(context, span);
        let method = Ident::new(method, span);
        Self {
            bind: quote_spanned! {span=>
                let #guard = {
                    #[allow(unused_imports)]
                    use #private::NotInjected as _;
                    #private::Injected::<#alias, #private::#context, #ty>::new().#method(__hermes_ctx)?
                };
            },
            assertion: quote_spanned! {span=>
                const _: () = <#ty as #private::Inject<#alias, #private::#context>>::CHECKED;
            },
        }
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
