//! `#[hermes_tool]`

use super::arguments::Arguments;
use super::fallback;
use super::paths::{Root, origin, part, place, placed, plugin_alias};
use crate::errors::Errors;
use crate::model::{Flag, Function, ToolWords};
use crate::{check, parse};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{ReturnType, Type};

pub(crate) fn tool(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let words = parse::tool_words(args, &mut errors);
    let function = parse::function("#[hermes_tool]", item, &mut errors);
    if let Some(function) = &function {
        check::tool(function, &words, &mut errors);
    }
    match (errors.finish(), function) {
        (None, Some(function)) if function.can_compile() => expand(&function, &words),
        (error, function) => fallback::function(
            function.as_ref(),
            item,
            "Tool",
            words.krate.as_ref(),
            &error.unwrap_or_default(),
        ),
    }
}

fn expand(function: &Function, words: &ToolWords) -> TokenStream {
    let root = Root::new(words.krate.as_ref());
    let private = root.private();
    let written = function.tokens();
    let vis = &function.vis;
    let item = function.item_type("Tool");
    let arguments = Arguments::of(function, &root);
    let name = words
        .name
        .as_ref()
        .map_or_else(|| function.plain_name(), syn::LitStr::value);
    let description = match &words.description {
        Some(text) => quote!(#text),
        None => function.docs.text(),
    };
    let origin = origin(&private);
    let (handler, run) = handler(function, words, &arguments, &private);
    let (output, with_output) = output(function, words, &private);
    let arguments_type = &arguments.ty;
    let setters = setters(words, &private);
    let (with_examples, given) = examples(function, words, arguments_type, &private);
    let (marks, symbol) = mark(&name);
    let struct_tokens = &arguments.items;
    let (alias, _) = plugin_alias();
    // The hidden struct refuses undeclared keys; an author's own struct ignores them.
    let strict = check::typed_args(&function.params)
        .is_none()
        .then(|| quote!(.with_strict_arguments()));
    quote! {
        // By value is how a parameter says that the model sends it.
        #[allow(clippy::needless_pass_by_value)]
        #written

        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(dead_code, missing_debug_implementations)]
        #vis struct #item;

        const _: () = {
            #alias
            #struct_tokens
            #run
            fn __hermes_input(
                generator: &mut #private::SchemaGenerator,
            ) -> #private::core::option::Option<#private::Schema> {
                #[allow(unused_imports)]
                use #private::NoArguments as _;
                #private::Arguments::<#arguments_type>::new().schema(generator)
            }
            #output
            #given
            #marks
            static __HERMES_DEF: #private::ToolDef = #private::ToolDef::new(
                #name,
                #description,
                #origin,
                __hermes_input,
                #private::Handler::#handler(__hermes_run),
            )
            #with_output
            #setters
            #with_examples
            #strict
            .with_mark(&#symbol);
            #private::inventory::submit! { #private::Item::Tool(&__HERMES_DEF) }
            #[automatically_derived]
            impl #private::ToolItem for #item {
                fn def() -> &'static #private::ToolDef {
                    &__HERMES_DEF
                }
            }
        };
    }
}

/// The function that dispatch calls, and the kind of handler it is.
fn handler(
    function: &Function,
    words: &ToolWords,
    arguments: &Arguments,
    private: &TokenStream,
) -> (TokenStream, TokenStream) {
    let name = &function.sig.ident;
    let Arguments { ty, call, bind, .. } = arguments;
    let finish = if words.output_none {
        format_ident!("handled_untyped")
    } else {
        format_ident!("handled")
    };
    let parse = quote! {
        #[allow(unused_imports)]
        use #private::{NoArguments as _, ReturnedPlain as _, ReturnedUntyped as _, ReturnedWrong as _};
        let __hermes_args: #ty = #private::Arguments::<#ty>::new().parse(__hermes_raw)?;
        #(#bind)*
    };
    if function.sig.asyncness.is_some() {
        // At the function's name: rustc says here that the future isn't `Send`.
        let placed = placed(private, place(name));
        let future = quote_spanned! {place(name)=>
            #placed::std::boxed::Box::pin(async move {
                #parse
                #private::Returned(#name(#(#call),*).await).#finish()
            })
        };
        let run = quote! {
            fn __hermes_run<'a>(
                __hermes_ctx: &'a #private::ToolContext,
                __hermes_raw: &'a str,
            ) -> #private::BoxFuture<'a, #private::Handled> {
                #future
            }
        };
        return (quote!(Async), run);
    }
    let run = quote! {
        fn __hermes_run(
            __hermes_ctx: &#private::ToolContext,
            __hermes_raw: &str,
        ) -> #private::Handled {
            #parse
            #private::Returned(#name(#(#call),*)).#finish()
        }
    };
    let kind = if words.inline.is_some() {
        quote!(Inline)
    } else {
        quote!(Blocking)
    };
    (kind, run)
}

/// The function that writes the result's schema, and the assertion that there is one.
fn output(
    function: &Function,
    words: &ToolWords,
    private: &TokenStream,
) -> (TokenStream, TokenStream) {
    let ty: Type = match &function.sig.output {
        ReturnType::Default => syn::parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    let method = if words.output_none {
        "untyped_value"
    } else {
        "value"
    };
    let (value, error) = (place(&part(&ty, 0)), place(&part(&ty, 1)));
    let method = Ident::new(method, value);
    let value = {
        let private = placed(private, value);
        quote_spanned!(value=> #private::ReturnType::<#ty>::new().#method())
    };
    let error = {
        let private = placed(private, error);
        quote_spanned!(error=> #private::ReturnType::<#ty>::new().error())
    };
    let assertion = quote! {
        const _: fn() = || {
            #[allow(unused_imports)]
            use #private::ReturnTypePlain as _;
            #value;
            #error;
        };
    };
    if words.output_none {
        return (assertion, quote!());
    }
    let run = quote! {
        #assertion
        fn __hermes_output(
            generator: &mut #private::SchemaGenerator,
        ) -> #private::core::option::Option<#private::Schema> {
            #[allow(unused_imports)]
            use #private::{ReturnTypeSchema as _, ReturnTypeWrong as _};
            #private::ReturnType::<#ty>::new().schema(generator)
        }
    };
    (run, quote!(.with_output(__hermes_output)))
}

/// `.with_toolset(…)` and so on, for the words that are there.
fn setters(words: &ToolWords, private: &TokenStream) -> TokenStream {
    let mut setters = TokenStream::new();
    if let Some(toolset) = &words.toolset {
        setters.extend(quote!(.with_toolset(#toolset)));
    }
    if let Some(emoji) = &words.emoji {
        setters.extend(quote!(.with_emoji(#emoji)));
    }
    let flags = [
        &words.read_only,
        &words.destructive,
        &words.idempotent,
        &words.open_world,
    ];
    for flag in flags.into_iter().flatten() {
        let word = &flag.word;
        let on = Flag::is_on(flag);
        setters.extend(quote!(.#word(#on)));
    }
    if let Some(timeout) = &words.timeout {
        let millis = timeout.millis;
        setters.extend(quote!(.with_timeout_ms(#millis)));
    }
    if let Some(chars) = &words.max_result_chars {
        setters.extend(quote!(.with_max_result_chars(#chars)));
    }
    if let Some(check) = &words.check {
        let private = placed(private, place(check));
        setters.extend(quote_spanned! {place(check)=>
            .with_check(|| #private::IntoAvailability::into_availability(#check()))
        });
    }
    setters
}

/// `.with_examples(…)`, and the assertions that arguments left out are `Option`s under other names.
fn examples(
    function: &Function,
    words: &ToolWords,
    arguments: &TokenStream,
    private: &TokenStream,
) -> (TokenStream, TokenStream) {
    if words.examples.is_empty() {
        return (quote!(), quote!());
    }
    let mut assertions = TokenStream::new();
    let mut list = Vec::new();
    for example in &words.examples {
        // Without holes, or there would have been a fault.
        let (Some(ask), Some((word, args))) = (&example.ask, &example.args) else {
            continue;
        };
        let text = &args.text;
        list.push(quote!(#private::ToolExample::new(#ask, #text)));
        for param in check::doubtful(function, example) {
            let (ty, message) = (&param.ty, check::missing(param));
            let private = placed(private, place(word));
            assertions.extend(quote_spanned! {place(word)=>
                const _: () = {
                    #[allow(unused_imports)]
                    use #private::Needed as _;
                    if #private::OptionOr::<#ty>::NEEDED {
                        #private::core::panic!(#message)
                    }
                };
            });
        }
    }
    let with = quote! {
        .with_examples(&[#(#list),*], |__hermes_raw| {
            #[allow(unused_imports)]
            use #private::NoArguments as _;
            #private::Arguments::<#arguments>::new().decode(__hermes_raw)
        })
    };
    (with, assertions)
}

/// A symbol made from the tool's name: two of them in one binary are a link error. Not under
/// `cfg(test)`, where a crate is linked a second time through its dev-dependencies.
fn mark(name: &str) -> (TokenStream, Ident) {
    let export = symbol(name);
    let mark = format_ident!("__HERMES_MARK");
    let marks = quote! {
        #[cfg(not(test))]
        #[used]
        #[unsafe(export_name = #export)]
        static #mark: u8 = 0;
        #[cfg(test)]
        static #mark: u8 = 0;
    };
    (marks, mark)
}

/// Letters, digits and `_` only, so that every linker takes it; injective. A name with `-` gets
/// another prefix and escapes, so that it can't meet one without.
fn symbol(name: &str) -> String {
    if name.contains('-') {
        let escaped = name.replace('_', "_u").replace('-', "_h");
        format!("hermes_duplicate_tool_escaped__{escaped}__rename_or_mark_override")
    } else {
        format!("hermes_duplicate_tool__{name}__rename_or_mark_override")
    }
}

#[cfg(test)]
mod tests {
    use super::symbol;
    use std::collections::HashSet;

    #[test]
    fn different_names_have_different_symbols() {
        let names = [
            "a_b",
            "a-b",
            "a__b",
            "a-_b",
            "a_-b",
            "a--b",
            "a_hb",
            "a_ub",
            "a-hb",
            "escaped__a_hb",
        ];
        let symbols: HashSet<String> = names.iter().map(|name| symbol(name)).collect();
        assert_eq!(symbols.len(), names.len());
    }
}
