//! `map!`, `reduce!`, `map_reduce!` and their like.

use super::closure::closure;
use crate::{ast::Argument, depth, root::default_root};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Token, Type, parse::Parser, punctuated::Punctuated, spanned::Spanned};

/// Expands the macro `name!` of `count` user functions, or of up to `most`, to a call of the constructor
/// `name`; with more than `count`, to `name_n`, where n is how many there are in all.
pub(crate) fn skeleton(name: &str, count: usize, most: usize, input: TokenStream) -> TokenStream {
    if let Err(error) = depth::check(&input) {
        let error = error.into_compile_error();
        return quote!({ #error });
    }
    let parsed = Punctuated::<Argument, Token![,]>::parse_terminated.parse2(input);
    let arguments = match parsed {
        Ok(arguments) if (count..=most).contains(&arguments.len()) => arguments,
        Ok(arguments) => {
            let many = match most - count {
                0 => count.to_string(),
                _ => format!("{count} to {most}"),
            };
            let message = format!(
                "`{name}!` takes {many} user function{}, not {}",
                if most == 1 { "" } else { "s" },
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
                if let Some(message) = of_type(&path, name) {
                    let error = syn::Error::new_spanned(&path, message).into_compile_error();
                    return quote!({ #error });
                }
                names.push(path.to_token_stream().to_string().replace(' ', ""));
                functions.push(quote_spanned!(path.span()=> #root::fun::<#path>()));
            }
            Argument::Closure(user, promised) => {
                names.push("closure".to_owned());
                let function = closure(*user, &root);
                functions.push(match promised {
                    true => quote!(#root::commutative(#function)),
                    false => function,
                });
            }
        }
    }
    let constructor = match functions.len() {
        n if n > count => format!("{name}_{n}"),
        _ => name.to_owned(),
    };
    let constructor = Ident::new(&constructor, Span::call_site());
    let instance = format!("::{name}({})", names.join(", "));
    quote!(#root::#constructor(#(#functions,)* #root::core::concat!(#root::core::module_path!(), #instance)))
}

/// What is said of a function that belongs to a type.
fn of_type(path: &Type, skeleton: &str) -> Option<String> {
    let Type::Path(path) = path else { return None };
    let mut segments = path.path.segments.iter().rev();
    let method = &segments.next()?.ident;
    let camel = |name: &Ident| {
        name.to_string()
            .starts_with(|c: char| c.is_ascii_uppercase())
    };
    let owner = segments.next().map(|owner| {
        let mut path = path.path.clone();
        path.segments.pop();
        path.segments.pop_punct();
        (
            camel(&owner.ident),
            path.to_token_stream().to_string().replace(' ', ""),
        )
    });
    let (is_type, owner) = match &path.qself {
        Some(qself) => (
            true,
            qself.ty.to_token_stream().to_string().replace(' ', ""),
        ),
        None => owner?,
    };
    (is_type && !camel(method)).then(|| {
        format!(
            "a skeleton takes a function, not a method: write a closure, `{skeleton}!(|x: {owner}| x.{method}())`"
        )
    })
}
