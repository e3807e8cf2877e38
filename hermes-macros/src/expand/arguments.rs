//! A tool's parameters: the struct behind them, and how each is taken out of it.

use super::paths::{Injection, Root, place, placed};
use crate::check;
use crate::model::{ArgDefault, Function, Param, ParamKind};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::LitStr;

/// The type that holds the arguments, and how each parameter is taken out of it.
pub(super) struct Arguments {
    /// The hidden struct, unless there is a typed one, and what asserts that all types fit.
    pub(super) items: TokenStream,
    pub(super) ty: TokenStream,
    /// One expression per parameter; injected ones are bound before the call.
    pub(super) call: Vec<TokenStream>,
    /// `let guard = inject(…)?;`
    pub(super) bind: Vec<TokenStream>,
}

impl Arguments {
    pub(super) fn of(function: &Function, root: &Root) -> Self {
        let private = root.private();
        let mut bind = Vec::new();
        let mut call = Vec::new();
        let mut assertions = Vec::new();
        let typed = check::typed_args(&function.params);
        let holder = format_ident!("__hermes_args");
        for (at, param) in function.params.iter().enumerate() {
            let name = &param.name;
            call.push(match &param.kind {
                ParamKind::Inject(ty) => {
                    let guard = format_ident!("__hermes_{at}");
                    let injection = Injection::new(&private, &guard, ty, "ToolContext", "for_tool");
                    bind.push(injection.bind);
                    assertions.push(injection.assertion);
                    quote!(&*#guard)
                }
                _ if typed.is_some() => quote!(#holder),
                ParamKind::Owned => quote!(#holder.#name),
                ParamKind::Str | ParamKind::Slice(_) => quote!(&#holder.#name),
            });
        }
        let (items, ty) = match typed {
            Some(param) => {
                let ty = &param.ty;
                let private = placed(&private, place(ty));
                assertions.push(quote_spanned! {place(ty)=>
                    const _: () = <#ty as #private::ToolArgs>::CHECKED;
                });
                (TokenStream::new(), quote!(#ty))
            }
            None => (hidden_struct(function, root), quote!(__HermesArgs<true>)),
        };
        Self {
            items: quote!(#(#assertions)* #items),
            ty,
            call,
            bind,
        }
    }
}

fn unraw(name: &Ident) -> Ident {
    use syn::ext::IdentExt;
    name.unraw()
}

/// The struct of arguments that stand in the parameter list.
fn hidden_struct(function: &Function, root: &Root) -> TokenStream {
    let private = root.private();
    let serde = root.text("::serde");
    let schemars = root.text("::schemars");
    let open = root.text("::open_object");
    let mut defaults = Vec::new();
    let mut assertions = Vec::new();
    let mut bounds = Vec::new();
    let mut fields = Vec::new();
    for param in &function.params {
        let ty = match &param.kind {
            ParamKind::Inject(_) => continue,
            ParamKind::Str => quote!(#private::std::string::String),
            ParamKind::Slice(item) => quote!(#private::std::vec::Vec<#item>),
            ParamKind::Owned => param.ty.to_token_stream(),
        };
        fields.push(field(param, &ty, &private, &mut defaults));
        // `&str` is always fine; a slice is as good as its items.
        let checked = match &param.kind {
            ParamKind::Slice(item) => item,
            ParamKind::Owned => &param.ty,
            _ => continue,
        };
        let private = placed(&private, place(checked));
        assertions.push(quote_spanned! {place(checked)=>
            const _: () = <#checked as #private::FromModel>::CHECKED;
        });
        bounds.push(format!("for<'__hermes> {ty}: {private}::ArgumentBound"));
    }
    // The derives take these bounds for granted where they write their impls, so that a type that
    // doesn't keep them is reported by its assertion alone; `for<…>` puts the question off. The
    // constant is there because schemars keeps no bounds of a type without generics.
    let bounds = LitStr::new(&bounds.join(", "), Span::call_site());
    let open: syn::Path = syn::parse_str(&open).unwrap_or_else(|_| syn::parse_quote!(open_object));
    quote! {
        // Schemars' derive takes these for granted, which `no_implicit_prelude` or a `Some` of the
        // author's would break.
        #[allow(unused_imports)]
        use #private::core::{convert::{From as _, Into as _}, option::Option::Some};
        #[derive(#private::Deserialize, #private::JsonSchema)]
        #[serde(crate = #serde, deny_unknown_fields, bound = #bounds)]
        #[schemars(crate = #schemars, transform = #open, bound = #bounds)]
        #[allow(dead_code)]
        struct __HermesArgs<const __HERMES_BOUND: bool> { #(#fields),* }
        #(#assertions)*
        #(#defaults)*
    }
}

fn field(
    param: &Param,
    ty: &TokenStream,
    private: &TokenStream,
    defaults: &mut Vec<TokenStream>,
) -> TokenStream {
    let name = &param.name;
    let docs = &param.docs.attrs;
    let default = param.default.as_ref().map(|default| {
        let maker = format_ident!("__hermes_default_{}", unraw(name));
        let text = maker.to_string();
        let value = match (default, &param.kind) {
            // Not serde's own `default`: it would say three times that there is none.
            (ArgDefault::Type, _) => quote_spanned! {place(&param.ty)=>
                <#ty as #private::core::default::Default>::default()
            },
            (ArgDefault::Expr(expr), ParamKind::Str | ParamKind::Slice(_)) => {
                let private = placed(private, place(expr));
                quote_spanned!(place(expr)=> #private::core::convert::Into::into(#expr))
            }
            (ArgDefault::Expr(expr), _) => quote!(#expr),
        };
        defaults.push(quote! {
            fn #maker() -> #ty { #value }
        });
        quote!(#[serde(default = #text)])
    });
    quote!(#(#docs)* #default #name: #ty)
}
