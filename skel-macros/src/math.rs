//! Methods of floats that are skel's in user functions, not std's: calls of them are renamed.
//!
//! The host's body is rewritten as tokens, so that what stands in `assert!` and its like is met as well.
//! `skel_core::math` says why names are changed, and nothing else.

use crate::{ast::Options, names};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Block, Expr, Generics, ItemFn, Stmt, parse_quote,
    visit::{self, Visit},
    visit_mut::{self, VisitMut},
};

/// The methods; `skel_core::math::Math` has them all.
const METHODS: [&str; 23] = [
    "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "exp", "exp2", "exp_m1", "hypot", "ln",
    "ln_1p", "log", "log10", "log2", "powf", "powi", "sin", "sin_cos", "sinh", "tan", "tanh",
];

/// Whether calls of this method are renamed.
pub(crate) fn is_renamed(method: &Ident) -> bool {
    METHODS.iter().any(|name| method == name)
}

/// Rewrites the body of a function for the host; its type parameters are those of `generics`. What is rewritten is
/// inlined wherever it is called, in builds without debug assertions, so that the loops of skeletons, each compiled for
/// several instruction sets, have the mathematics in them.
///
/// Whether anything was.
pub(crate) fn rewrite(
    attrs: &mut Vec<Attribute>,
    body: &mut Block,
    generics: &[&Generics],
    options: &Options,
) -> bool {
    if options.foreign.is_some() {
        return false;
    }
    if options.fast_math {
        // That is said of this function, not of those in it.
        Inner(options).visit_block_mut(body);
        return false;
    }
    let statements = &body.stmts;
    let found = renamed(quote!(#(#statements)*), &parameters(generics, body));
    let Some(renamed) = found else {
        return false;
    };
    body.stmts = with_math(renamed, options);
    if !attrs.iter().any(|a| a.path().is_ident("inline")) {
        attrs.push(parse_quote!(#[cfg_attr(debug_assertions, inline)]));
        attrs.push(parse_quote!(#[cfg_attr(not(debug_assertions), inline(always))]));
    }
    true
}

/// As [`rewrite`], of a closure's body.
pub(crate) fn rewrite_closure(body: &mut Expr, root: &TokenStream) {
    if let Some(renamed) = renamed(body.to_token_stream(), &[]) {
        *body = Expr::Verbatim(quote!({
            #[allow(unused_imports)]
            use #root::Math as _;
            #renamed
        }));
    }
}

/// The same, of text that was made of a function's body.
pub(crate) fn rewrite_text(text: TokenStream, item: &ItemFn, options: &Options) -> TokenStream {
    if options.fast_math {
        return text;
    }
    let parameters = parameters(&[&item.sig.generics], &item.block);
    let Some(renamed) = renamed(text.clone(), &parameters) else {
        return text;
    };
    let statements = with_math(renamed, options);
    quote!(#(#statements)*)
}

/// The statements, with the trait in scope.
fn with_math(renamed: TokenStream, options: &Options) -> Vec<Stmt> {
    let root = &options.root;
    let all = quote! {
        #[allow(unused_imports)]
        use #root::Math as _;
        #renamed
    };
    vec![Stmt::Expr(Expr::Verbatim(all), None)]
}

/// Rewrites the functions in a body.
struct Inner<'o>(&'o Options);

impl VisitMut for Inner<'_> {
    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        let statements = &item.block.stmts;
        let parameters = parameters(&[&item.sig.generics], &item.block);
        if let Some(renamed) = renamed(quote!(#(#statements)*), &parameters) {
            item.block.stmts = with_math(renamed, self.0);
        }
        visit_mut::visit_item_fn_mut(self, item);
    }
}

/// The type parameters in scope, also of functions in the body.
fn parameters(generics: &[&Generics], body: &Block) -> Vec<Ident> {
    struct Found(Vec<Ident>);
    impl<'ast> Visit<'ast> for Found {
        fn visit_item_fn(&mut self, item: &'ast ItemFn) {
            self.0
                .extend(item.sig.generics.type_params().map(|p| p.ident.clone()));
            visit::visit_item_fn(self, item);
        }
    }
    let own = generics.iter().flat_map(|generics| generics.type_params());
    let mut found = Found(own.map(|p| p.ident.clone()).collect());
    found.visit_block(body);
    found.0
}

/// The tokens with all calls renamed; nothing if there are none.
fn renamed(tokens: TokenStream, parameters: &[Ident]) -> Option<TokenStream> {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut any = false;
    let changed = all.iter().enumerate().map(|(k, token)| match token {
        TokenTree::Group(group) => match renamed(group.stream(), parameters) {
            Some(inner) => {
                any = true;
                let mut changed = Group::new(group.delimiter(), inner);
                changed.set_span(group.span());
                TokenTree::Group(changed)
            }
            None => token.clone(),
        },
        TokenTree::Ident(name) if is_renamed(name) && is_call(&all, k, parameters) => {
            any = true;
            TokenTree::Ident(names::on_host(name))
        }
        _ => token.clone(),
    });
    let changed: TokenStream = changed.collect();
    any.then_some(changed)
}

/// Whether the name is that of a method that is called: `.name(…)`, `f32::name(…)`, or `T::name(…)`.
fn is_call(all: &[TokenTree], name: usize, parameters: &[Ident]) -> bool {
    let before = |n: usize| name.checked_sub(n).map(|k| &all[k]);
    let is = |n: usize, mark: char| matches!(before(n), Some(TokenTree::Punct(p)) if p.as_char() == mark);
    let called = matches!(
        all.get(name + 1),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
    );
    if !called {
        return false;
    }
    if is(1, '.') {
        // Two are a range.
        return !is(2, '.');
    }
    let path = is(1, ':') && is(2, ':') && !is(4, ':');
    path && match before(3) {
        Some(TokenTree::Ident(ty)) => ty == "f32" || ty == "f64" || parameters.contains(ty),
        _ => false,
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use quote::format_ident;

    fn of(tokens: TokenStream) -> String {
        let parameters = [format_ident!("T")];
        let renamed = renamed(tokens.clone(), &parameters).unwrap_or(tokens);
        renamed.to_string().replace("__user_function_host_", "!")
    }

    #[test]
    fn calls_are_renamed_and_nothing_else() {
        let same = [
            quote!(exp(x)),
            quote!(v.exp),
            quote!(0..exp(x)),
            quote!(V::exp(x)),
            quote!(a::f32::exp(x)),
            quote!(x.sqrt()),
            quote!(f32::exp),
            quote!(let exp = 1;),
        ];
        for tokens in same {
            assert_eq!(of(tokens.clone()), tokens.to_string());
        }
        assert_eq!(
            of(quote!((x.exp().sin() + f32::powf(x, T::ln(y))))),
            quote!((x.exp().sin() + f32::powf(x, T::ln(y))))
                .to_string()
                .replace("exp", "!exp")
                .replace("sin", "!sin")
                .replace("powf", "!powf")
                .replace("ln", "!ln")
        );
        assert_eq!(
            of(quote!(assert!(x.exp() > 0.0))),
            quote!(assert!(x.exp() > 0.0))
                .to_string()
                .replace("exp", "!exp")
        );
    }
}
