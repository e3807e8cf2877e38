//! `#[hermes_state]`

use super::paths::{Root, origin, place, placed, plugin_alias};
use crate::errors::Errors;
use crate::{check, parse};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Item;

pub(crate) fn state(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let krate = parse::state_crate(args, &mut errors);
    let mut name = None;
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Struct(found)) if found.generics.params.is_empty() => name = Some(found.ident),
        Ok(Item::Enum(found)) if found.generics.params.is_empty() => name = Some(found.ident),
        Ok(Item::Struct(found)) => errors.at(
            &found.generics.params,
            "a state has no generics: there is one value per host; write the types out",
        ),
        Ok(Item::Enum(found)) => errors.at(
            &found.generics.params,
            "a state has no generics: there is one value per host; write the types out",
        ),
        Ok(other) => errors.push(check::goes_on(
            &other,
            "#[hermes_state] goes on a struct or an enum that has `Default`",
        )),
        Err(error) => errors.push(error),
    }
    match (errors.finish(), name) {
        (None, Some(name)) => {
            let private = Root::new(krate.as_ref()).private();
            let (alias_item, alias) = plugin_alias();
            let origin = origin(&private);
            let placed = placed(&private, place(&name));
            let def = quote_spanned! {place(&name)=>
                #placed::StateDef::of_default::<#name>
            };
            quote! {
                #item
                const _: () = {
                    #alias_item
                    static __HERMES_DEF: #private::StateDef = #def(#origin);
                    #[automatically_derived]
                    impl<__HermesContext: #private::AsScope> #private::Inject<#alias, __HermesContext> for #name {
                        type Guard<'a> = #private::std::sync::Arc<#name> where __HermesContext: 'a;

                        fn inject(
                            ctx: &__HermesContext,
                        ) -> #private::core::result::Result<#private::std::sync::Arc<#name>, #private::Error> {
                            #[allow(unused_imports)]
                            use #private::NoState as _;
                            #private::StateOf::<#name>::new().get(#private::AsScope::scope(ctx), &__HERMES_DEF)
                        }
                    }
                };
            }
        }
        (error, _) => quote!(#error #item),
    }
}
