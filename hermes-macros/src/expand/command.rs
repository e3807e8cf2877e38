//! `#[hermes_command]`

use super::fallback;
use super::paths::{Injection, Root, origin, place, placed, plugin_alias};
use crate::errors::Errors;
use crate::model::{CommandWords, Function, ParamKind};
use crate::{check, parse};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ReturnType;

pub(crate) fn command(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let words = parse::command_words(args, &mut errors);
    let function = parse::function("#[hermes_command]", item, &mut errors);
    if let Some(function) = &function {
        check::command(function, &words, &mut errors);
    }
    match (errors.finish(), function) {
        (None, Some(function)) if function.can_compile() => expand(&function, &words),
        (error, function) => fallback::function(
            function.as_ref(),
            item,
            "Command",
            words.krate.as_ref(),
            &error.unwrap_or_default(),
        ),
    }
}

fn expand(function: &Function, words: &CommandWords) -> TokenStream {
    let private = Root::new(words.krate.as_ref()).private();
    let written = function.tokens();
    let vis = &function.vis;
    let item = function.item_type("Command");
    let origin = origin(&private);
    let name = words
        .name
        .as_ref()
        .map_or_else(|| check::command_name_of(function), syn::LitStr::value);
    let description = match &words.description {
        Some(text) => quote!(#text),
        None => function.docs.text(),
    };
    let (alias, _) = plugin_alias();
    let mut bind = Vec::new();
    let mut assertions = Vec::new();
    let mut call = Vec::new();
    for (at, param) in function.params.iter().enumerate() {
        let ParamKind::Inject(ty) = &param.kind else {
            call.push(quote!(__hermes_raw));
            continue;
        };
        let guard = format_ident!("__hermes_{at}");
        let injection = Injection::new(&private, &guard, ty, "CommandContext", "for_other");
        bind.push(injection.bind);
        assertions.push(injection.assertion);
        call.push(quote!(&*#guard));
    }
    let text = match &function.sig.output {
        ReturnType::Default => {
            // Nothing to show.
            quote!({
                let () = __hermes_said;
                #private::core::result::Result::Ok(#private::std::string::String::new())
            })
        }
        ReturnType::Type(_, ty) => {
            let private = placed(&private, place(ty));
            quote_spanned!(place(ty)=> #private::Said(__hermes_said).text())
        }
    };
    let user = &function.sig.ident;
    let (kind, run) = if function.sig.asyncness.is_some() {
        // At the function's name: rustc says here that the future isn't `Send`.
        let placed = placed(&private, place(user));
        let future = quote_spanned! {place(user)=>
            #placed::std::boxed::Box::pin(async move {
                #[allow(unused_imports)]
                use #private::SaidPlain as _;
                #(#bind)*
                let __hermes_said = #user(#(#call),*).await;
                #text
            })
        };
        let run = quote! {
            fn __hermes_run<'a>(
                __hermes_ctx: &'a #private::CommandContext,
                __hermes_raw: &'a str,
            ) -> #private::BoxFuture<'a, #private::core::result::Result<#private::std::string::String, #private::Error>> {
                #future
            }
        };
        (quote!(Async), run)
    } else {
        let run = quote! {
            fn __hermes_run(
                __hermes_ctx: &#private::CommandContext,
                __hermes_raw: &str,
            ) -> #private::core::result::Result<#private::std::string::String, #private::Error> {
                #[allow(unused_imports)]
                use #private::SaidPlain as _;
                #(#bind)*
                let __hermes_said = #user(#(#call),*);
                #text
            }
        };
        (quote!(Blocking), run)
    };
    let hint = words
        .args_hint
        .as_ref()
        .map(|hint| quote!(.args_hint(#hint)));
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
            static __HERMES_DEF: #private::CommandDef = #private::CommandDef::new(
                #name,
                #description,
                #origin,
                #private::CommandHandler::#kind(__hermes_run),
            )
            #hint;
            #private::inventory::submit! { #private::Item::Command(&__HERMES_DEF) }
            #[automatically_derived]
            impl #private::CommandItem for #item {
                fn def() -> &'static #private::CommandDef {
                    &__HERMES_DEF
                }
            }
        };
    }
}
