//! `plugin! {}`

use super::paths::{Root, marker, origin};
use crate::errors::Errors;
use crate::model::PluginWords;
use crate::parse;
use proc_macro2::TokenStream;
use quote::quote;
use std::path::Path;
use syn::LitStr;

pub(crate) fn plugin(args: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let words = parse::plugin_words(args, &mut errors);
    if let Some(name) = &words.name {
        check_name(name, &mut errors);
    }
    let skills = words
        .skills
        .as_ref()
        .and_then(|folder| skill_folders(folder, &mut errors).map(|found| (folder, found)));
    let error = errors.finish();
    let expanded = expand(&words, skills);
    quote!(#error #expanded)
}

fn check_name(name: &LitStr, errors: &mut Errors) {
    let text = name.value();
    let fits = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_');
    if !fits {
        errors.at(
            name,
            format!("plugin name `{text}` must match ^[a-z][a-z0-9_-]*$"),
        );
    }
}

/// The folders with a `SKILL.md`, sorted. The one place where a macro reads files: which skills
/// there are is known to the folder alone, and a list beside it could drift.
fn skill_folders(folder: &LitStr, errors: &mut Errors) -> Option<Vec<String>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the folder of the crate that is compiled"
    )]
    let base = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let path = Path::new(&base).join(folder.value());
    let Ok(entries) = std::fs::read_dir(&path) else {
        errors.at(
            folder,
            format!(
                "no folder `{}` beside Cargo.toml; make it, or leave out `skills`",
                folder.value()
            ),
        );
        return None;
    };
    let mut found: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("SKILL.md").is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    found.sort();
    if found.is_empty() {
        errors.at(
            folder,
            format!(
                "no skill in `{}`: a skill is a folder with a file `SKILL.md`",
                folder.value()
            ),
        );
    }
    Some(found)
}

fn expand(words: &PluginWords, skills: Option<(&LitStr, Vec<String>)>) -> TokenStream {
    let root = Root::new(words.krate.as_ref());
    let private = root.private();
    let linkme = root.text("::linkme");
    let linkme: syn::Path = syn::parse_str(&linkme).unwrap_or_else(|_| syn::parse_quote!(linkme));
    let marker = marker();
    let origin = origin(&private);
    let name = words.name.as_ref().map(|name| quote!(.name_is(#name)));
    let skills = skills.map(|(folder, found)| {
        let folder = folder.value();
        let skills = found.iter().map(|skill| {
            let path = format!("/{folder}/{skill}/SKILL.md");
            quote! {
                #private::SkillDef {
                    folder: #skill,
                    text: ::core::include_str!(
                        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #path)
                    ),
                }
            }
        });
        let path = format!("/{folder}");
        // A debug build reads the folder anew, so that editing a skill needs no compiling.
        quote! {
            .skills_are(
                &[#(#skills),*],
                if ::core::cfg!(debug_assertions) {
                    #private::core::option::Option::Some(
                        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #path)
                    )
                } else {
                    #private::core::option::Option::None
                },
            )
        }
    });
    quote! {
        /// Marks this crate as a plugin.
        #[doc(hidden)]
        #[allow(missing_debug_implementations, missing_copy_implementations, unreachable_pub)]
        pub struct #marker;

        const _: () = {
            #[#linkme::distributed_slice(#private::PLUGINS)]
            #[linkme(crate = #linkme)]
            static __HERMES_PLUGIN: #private::PluginDef = #private::PluginDef::new(
                ::core::env!("CARGO_PKG_NAME"),
                ::core::env!("CARGO_PKG_VERSION"),
                ::core::env!("CARGO_PKG_DESCRIPTION"),
                ::core::env!("CARGO_PKG_AUTHORS"),
                #origin,
            )
            #name
            #skills;
        };
    }
}
