//! `#[hermes_tool]`

use super::fallback;
use super::paths::{Root, origin, plugin_alias};
use crate::errors::Errors;
use crate::model::{ArgDefault, Flag, Function, Param, ParamKind, ToolWords};
use crate::{check, parse};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ReturnType;
use syn::spanned::Spanned;

pub(crate) fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let words = parse::tool_words(args, &mut errors);
    let function = parse::function("#[hermes_tool]", &item, &mut errors);
    if let Some(function) = &function {
        check::tool(function, &words, &mut errors);
    }
    match (errors.finish(), function) {
        (None, Some(function)) => expand(&function, &words),
        (error, function) => fallback::function(
            function.as_ref(),
            &item,
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
    let setters = setters(words, &private);
    let (marks, symbol) = mark(&name);
    let struct_tokens = &arguments.items;
    let arguments_type = &arguments.ty;
    let (alias, _) = plugin_alias();
    quote! {
        #written

        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(dead_code)]
        #vis struct #item;

        const _: () = {
            #alias
            #struct_tokens
            #run
            fn __hermes_input(
                generator: &mut #private::SchemaGenerator,
            ) -> ::core::option::Option<#private::Schema> {
                ::core::option::Option::Some(
                    <#arguments_type as #private::JsonSchema>::json_schema(generator),
                )
            }
            #output
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

/// The type that holds the arguments, and how each parameter is taken out of it.
struct Arguments {
    /// The hidden struct, or nothing for a typed argument struct.
    items: TokenStream,
    ty: TokenStream,
    /// One expression per parameter; injected ones are bound before the call.
    call: Vec<TokenStream>,
    /// `let guard = inject(…)?;`
    bind: Vec<TokenStream>,
}

impl Arguments {
    fn of(function: &Function, root: &Root) -> Self {
        let private = root.private();
        let mut bind = Vec::new();
        let mut call = Vec::new();
        let typed = check::typed_args(&function.params);
        let holder = format_ident!("__hermes_args");
        for param in &function.params {
            let name = &param.name;
            call.push(match &param.kind {
                ParamKind::Inject(ty) => {
                    let guard = format_ident!("__hermes_{}", unraw(name));
                    let (_, alias) = plugin_alias();
                    bind.push(quote_spanned! {param.ty.span()=>
                        let #guard = #private::inject::<#alias, #private::ToolContext, #ty>(__hermes_ctx)?;
                    });
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
                // Its failing is one spanned message instead of three about serde and schemars.
                let assertion = quote_spanned! {ty.span()=>
                    const _: fn() = || {
                        fn is_args<T: #private::ToolArgs>() {}
                        is_args::<#ty>();
                    };
                };
                (assertion, quote!(#ty))
            }
            None => (hidden_struct(function, root), quote!(__HermesArgs)),
        };
        Self {
            items,
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
    let fields: Vec<TokenStream> = function
        .params
        .iter()
        .filter(|param| param.kind.from_model())
        .map(|param| field(param, &mut defaults))
        .collect();
    let open: syn::Path = syn::parse_str(&open).unwrap_or_else(|_| syn::parse_quote!(open_object));
    quote! {
        #[derive(#private::Deserialize, #private::JsonSchema)]
        #[serde(crate = #serde, deny_unknown_fields)]
        #[schemars(crate = #schemars, transform = #open)]
        #[allow(dead_code, missing_docs)]
        struct __HermesArgs { #(#fields),* }
        #(#defaults)*
    }
}

fn field(param: &Param, defaults: &mut Vec<TokenStream>) -> TokenStream {
    let name = &param.name;
    let docs = &param.docs.attrs;
    let ty = match &param.kind {
        ParamKind::Str => quote_spanned!(param.ty.span()=> ::std::string::String),
        ParamKind::Slice(item) => quote_spanned!(param.ty.span()=> ::std::vec::Vec<#item>),
        ParamKind::Owned | ParamKind::Inject(_) => {
            let ty = &param.ty;
            quote!(#ty)
        }
    };
    let default = match &param.default {
        None => quote!(),
        Some(ArgDefault::Type) => quote!(#[serde(default)]),
        Some(ArgDefault::Expr(expr)) => {
            let maker = format_ident!("__hermes_default_{}", unraw(name));
            let text = maker.to_string();
            let value = match &param.kind {
                ParamKind::Str | ParamKind::Slice(_) => {
                    quote_spanned!(expr.span()=> ::core::convert::Into::into(#expr))
                }
                _ => quote!(#expr),
            };
            defaults.push(quote! {
                fn #maker() -> #ty { #value }
            });
            quote!(#[serde(default = #text)])
        }
    };
    quote!(#(#docs)* #default #name: #ty)
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
    let returned = match &function.sig.output {
        ReturnType::Default => quote!(.#finish()),
        ReturnType::Type(_, ty) => quote_spanned!(ty.span()=> .#finish()),
    };
    let parse = quote! {
        let __hermes_args: #ty = #private::parse(__hermes_raw)?;
    };
    if function.sig.asyncness.is_some() {
        let run = quote! {
            fn __hermes_run<'a>(
                __hermes_ctx: &'a #private::ToolContext,
                __hermes_raw: &'a str,
            ) -> #private::BoxFuture<'a, #private::Handled> {
                ::std::boxed::Box::pin(async move {
                    #[allow(unused_imports)]
                    use #private::ReturnedPlain as _;
                    #parse
                    #(#bind)*
                    #private::Returned(#name(#(#call),*).await) #returned
                })
            }
        };
        return (quote!(Async), run);
    }
    let run = quote! {
        fn __hermes_run(
            __hermes_ctx: &#private::ToolContext,
            __hermes_raw: &str,
        ) -> #private::Handled {
            #[allow(unused_imports)]
            use #private::ReturnedPlain as _;
            #parse
            #(#bind)*
            #private::Returned(#name(#(#call),*)) #returned
        }
    };
    let kind = if words.inline.is_some() {
        quote!(Inline)
    } else {
        quote!(Blocking)
    };
    (kind, run)
}

/// The function that writes the result's schema.
fn output(
    function: &Function,
    words: &ToolWords,
    private: &TokenStream,
) -> (TokenStream, TokenStream) {
    if words.output_none {
        return (quote!(), quote!());
    }
    let (ty, span) = match &function.sig.output {
        ReturnType::Default => (quote!(()), function.sig.ident.span()),
        ReturnType::Type(_, ty) => (quote!(#ty), ty.span()),
    };
    let call = quote_spanned! {span=>
        #private::ReturnType::<#ty>::new().schema(generator)
    };
    let run = quote! {
        fn __hermes_output(
            generator: &mut #private::SchemaGenerator,
        ) -> ::core::option::Option<#private::Schema> {
            #[allow(unused_imports)]
            use #private::ReturnTypePlain as _;
            #call
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
        setters.extend(quote_spanned! {check.span()=>
            .with_check(|| #private::IntoAvailability::into_availability(#check()))
        });
    }
    setters
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
