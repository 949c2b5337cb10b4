//! `map!`, `reduce!`, `map_reduce!`, `scan!`.

use super::closure::closure;
use crate::ast::{Argument, default_root};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Token, parse::Parser, punctuated::Punctuated, spanned::Spanned};

/// Expands the macro `name!` of `count` user functions to a call of the constructor `name`.
pub(crate) fn skeleton(name: &str, count: usize, input: TokenStream) -> TokenStream {
    let parsed = Punctuated::<Argument, Token![,]>::parse_terminated.parse2(input);
    let arguments = match parsed {
        Ok(arguments) if arguments.len() == count => arguments,
        Ok(arguments) => {
            let message = format!(
                "`{name}!` takes {count} user function{}, not {}",
                if count == 1 { "" } else { "s" },
                arguments.len()
            );
            let error = syn::Error::new(Span::call_site(), message).into_compile_error();
            return quote!({ #error });
        }
        Err(error) => {
            let error = error.into_compile_error();
            return quote!({ #error });
        }
    };
    let root = default_root();
    let mut functions = Vec::new();
    let mut names = Vec::new();
    for argument in arguments {
        match argument {
            Argument::Path(path) => {
                names.push(path.to_token_stream().to_string().replace(' ', ""));
                functions.push(quote_spanned!(path.span()=> #root::fun::<#path>()));
            }
            Argument::Closure(user) => {
                names.push("closure".to_owned());
                functions.push(closure(*user, &root));
            }
        }
    }
    let constructor = Ident::new(name, Span::call_site());
    let instance = format!("::{name}({})", names.join(", "));
    quote!(#root::#constructor(#(#functions,)* ::core::concat!(::core::module_path!(), #instance)))
}
