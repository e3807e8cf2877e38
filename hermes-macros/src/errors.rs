//! Gathers the faults of one item, so that all are reported at once.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The faults found so far. Must be read by [`Errors::finish`].
#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    finished: bool,
}

impl Errors {
    /// A fault at these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Keeps the fault of a result and gives its value.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// `compile_error!`s for all faults, `None` if there are none.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        self.finished = true;
        let mut all: Option<syn::Error> = None;
        for error in self.found.drain(..) {
            match &mut all {
                Some(all) => all.combine(error),
                None => all = Some(error),
            }
        }
        all.map(syn::Error::into_compile_error)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(
            self.finished || std::thread::panicking(),
            "faults were gathered and not reported"
        );
    }
}
