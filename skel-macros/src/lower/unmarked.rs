//! What a probe calls where the method that stands beside the user's is not there.
//!
//! Without it, rustc would say that there is no method of a name that the user has never seen. It is a method of
//! a trait that all values have, and takes its receiver by `&mut`: so whatever `#[user_function]` has put beside
//! a method, by `&`, is found before it.

use super::Lower;
use crate::{ast::spelling, names};
use quote::{format_ident, quote_spanned};
use syn::Ident;

impl Lower<'_> {
    /// Declares it for the method `method`, which is called with `count` arguments.
    pub(super) fn declare_unmarked(&mut self, method: &Ident, count: usize) {
        let spelled = spelling(method);
        if !self.unmarked.insert(spelled.clone()) {
            return;
        }
        let span = method.span();
        let name = names::by_receiver(method);
        let (bound, fallback) = (
            format_ident!("CalledInAUserFunction_{spelled}", span = span),
            format_ident!("NotMarked_{spelled}", span = span),
        );
        let args: Vec<Ident> = (0..count).map(|k| format_ident!("__A{k}")).collect();
        let message = format!("`{spelled}` of `{{Self}}` cannot be called in a user function");
        let label = format!("`{{Self}}` has no `{spelled}` for devices");
        let note = "on a type of yours, put #[user_function] on the `impl` block that has it, and on the trait if it is one's; docs/language.md lists the methods of numbers";
        self.declarations.push(quote_spanned! {span=>
            #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
            trait #bound {}
            trait #fallback: ::core::marker::Sized {
                fn #name<__C, #(#args,)* __R>(&mut self, _: __C) -> fn(#(#args),*) -> __R
                where
                    Self: #bound,
                {
                    loop {}
                }
            }
            impl<__T: __skel::Typed> #fallback for __T {}
        });
    }
}
