//! `#[hermes_hook]`

use super::fallback;
use super::paths::{Injection, Root, origin, place, placed, plugin_alias};
use crate::errors::Errors;
use crate::model::{Function, HookWords, ParamKind};
use crate::{check, parse};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ReturnType;

pub(crate) fn hook(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let words = parse::hook_words(args, &mut errors);
    let function = parse::function("#[hermes_hook]", item, &mut errors);
    if let Some(function) = &function {
        check::hook(function, &words, &mut errors);
    }
    match (errors.finish(), function) {
        (None, Some(function)) if function.can_compile() => expand(&function, &words),
        (error, function) => fallback::function(
            function.as_ref(),
            item,
            "Hook",
            words.krate.as_ref(),
            &error.unwrap_or_default(),
        ),
    }
}

fn expand(function: &Function, words: &HookWords) -> TokenStream {
    let private = Root::new(words.krate.as_ref()).private();
    let written = function.tokens();
    let vis = &function.vis;
    let item = function.item_type("Hook");
    let name = function.plain_name();
    let origin = origin(&private);
    let mut event = TokenStream::new();
    let (alias, _) = plugin_alias();
    let mut bind = Vec::new();
    let mut assertions = Vec::new();
    let mut call = Vec::new();
    for (at, param) in function.params.iter().enumerate() {
        let ParamKind::Inject(ty) = &param.kind else {
            continue;
        };
        if at == 0 {
            event = inferred_lifetimes(ty.to_token_stream());
            call.push(quote!(&__hermes_event));
            continue;
        }
        let guard = format_ident!("__hermes_{at}");
        let injection = Injection::new(&private, &guard, ty, "HookContext", "for_other");
        bind.push(injection.bind);
        assertions.push(injection.assertion);
        call.push(quote!(&*#guard));
    }
    let returned = match &function.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => quote!(#ty),
    };
    let user = &function.sig.ident;
    let event_view = quote_spanned! {place(&event)=>
        <#event as #private::Event<'_>>::view(__hermes_data)
    };
    let head = quote! {
        let #private::core::option::Option::Some(__hermes_event) = #event_view else {
            return #private::core::result::Result::Ok(#private::core::option::Option::None);
        };
        #(#bind)*
    };
    let judged = quote_spanned! {place(&returned)=>
        <#returned as #private::HookReturn<#event>>::judged
    };
    let (kind, run) = if function.sig.asyncness.is_some() {
        // At the function's name: rustc says here that the future isn't `Send`.
        let placed = placed(&private, place(user));
        let future = quote_spanned! {place(user)=>
            #placed::std::boxed::Box::pin(async move {
                #head
                #judged(#user(#(#call),*).await)
            })
        };
        let run = quote! {
            fn __hermes_run<'a>(
                __hermes_ctx: &'a #private::HookContext,
                __hermes_data: &'a #private::EventData,
            ) -> #private::BoxFuture<'a, #private::Judged> {
                #future
            }
        };
        (quote!(Async), run)
    } else {
        let run = quote! {
            fn __hermes_run(
                __hermes_ctx: &#private::HookContext,
                __hermes_data: &#private::EventData,
            ) -> #private::Judged {
                #head
                #judged(#user(#(#call),*))
            }
        };
        let kind = if words.inline.is_some() {
            quote!(Inline)
        } else {
            quote!(Blocking)
        };
        (kind, run)
    };
    let mut setters = TokenStream::new();
    if let Some(priority) = &words.priority {
        setters.extend(quote!(.with_priority(#priority)));
    }
    if let Some(timeout) = &words.timeout {
        let millis = timeout.millis;
        setters.extend(quote!(.with_timeout_ms(#millis)));
    }
    quote! {
        #written

        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(dead_code, missing_debug_implementations)]
        #vis struct #item;

        const _: () = {
            #alias
            #(#assertions)*
            #run
            static __HERMES_DEF: #private::HookDef = #private::HookDef::new(
                #name,
                <#event as #private::Event<'_>>::KIND,
                <#returned as #private::HookReturn<#event>>::ROLE,
                #origin,
                #private::HookHandler::#kind(__hermes_run),
            )
            #setters;
            #private::inventory::submit! { #private::Item::Hook(&__HERMES_DEF) }
            #[automatically_derived]
            impl #private::HookItem for #item {
                fn def() -> &'static #private::HookDef {
                    &__HERMES_DEF
                }
            }
        };
    }
}

/// Every lifetime becomes `'_`: the view made in the function we emit has one of its own.
fn inferred_lifetimes(tokens: TokenStream) -> TokenStream {
    let mut after_tick = false;
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                after_tick = true;
                TokenTree::Punct(punct)
            }
            TokenTree::Ident(ident) if std::mem::take(&mut after_tick) => {
                TokenTree::Ident(proc_macro2::Ident::new("_", ident.span()))
            }
            other => other,
        })
        .collect()
}
