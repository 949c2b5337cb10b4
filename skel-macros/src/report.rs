//! Errors, collected: the user sees all of a function's at once.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

/// What is wrong so far.
#[derive(Default)]
pub(crate) struct Report(Option<Error>);

impl Report {
    /// Adds an error at these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.add(Error::new_spanned(tokens, message));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    /// Adds all errors of another report.
    pub(crate) fn join(&mut self, other: Report) {
        if let Some(error) = other.0 {
            self.add(error);
        }
    }

    /// Whether there are errors.
    pub(crate) fn has_errors(&self) -> bool {
        self.0.is_some()
    }

    /// The errors as `compile_error!` items.
    pub(crate) fn into_tokens(self) -> Option<TokenStream> {
        self.0.map(Error::into_compile_error)
    }
}
