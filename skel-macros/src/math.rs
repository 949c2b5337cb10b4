//! Bodies of user functions on CPUs. Methods of floats are skel's, not std's: calls of them are renamed.
//!
//! The host's body is rewritten as tokens, so that what stands in `assert!` and its like is met as well.
//! `skel_core::math` says why names are changed, and nothing else.

use crate::{ast::Options, inclusive, names};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Block, Expr, Generics, Item, ItemFn, Stmt, parse_quote,
    visit::{self, Visit},
    visit_mut::{self, VisitMut},
};

/// The methods; `skel_core::math::Math` has them all.
const METHODS: [&str; 23] = [
    "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "exp", "exp2", "exp_m1", "hypot", "ln",
    "ln_1p", "log", "log10", "log2", "powf", "powi", "sin", "sin_cos", "sinh", "tan", "tanh",
];

/// Those that have a form for small angles.
const OF_ANGLES: [&str; 4] = ["cos", "sin", "sin_cos", "tan"];

/// Whether there is a form for small angles of this method.
pub(crate) fn is_of_angle(method: &Ident) -> bool {
    OF_ANGLES.iter().any(|name| method == name)
}

/// What calls are renamed to.
#[derive(Clone, Copy, PartialEq)]
enum To {
    /// The methods on the host.
    Host,
    /// The same, but for those of angles: their form for small ones, which sets `__far` for others.
    Near,
}

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
    inclusive::rewrite(body, &options.root);
    if options.fast_math {
        // That is said of this function, not of those in it.
        Inner(options).visit_block_mut(body);
        return false;
    }
    let statements = &body.stmts;
    let found = renamed(
        quote!(#(#statements)*),
        &parameters(generics, body),
        To::Host,
    );
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
    inclusive::rewrite_closure(body, root);
    if let Some(renamed) = renamed(body.to_token_stream(), &[], To::Host) {
        *body = Expr::Verbatim(quote!({
            #[allow(unused_imports)]
            use #root::Math as _;
            #renamed
        }));
    }
}

/// The same, of text that was made of a body.
pub(crate) fn rewrite_text(
    text: TokenStream,
    generics: &[&Generics],
    body: &Block,
    options: &Options,
) -> TokenStream {
    if options.fast_math {
        return text;
    }
    let parameters = parameters(generics, body);
    let Some(renamed) = renamed(text.clone(), &parameters, To::Host) else {
        return text;
    };
    let statements = with_math(renamed, options);
    quote!(#(#statements)*)
}

/// The same of a body, in the form for small angles; nothing if it calls no method of these, or has functions of its own.
pub(crate) fn near(generics: &[&Generics], body: &Block, options: &Options) -> Option<Vec<Stmt>> {
    struct Inner(bool);
    impl<'ast> Visit<'ast> for Inner {
        fn visit_item(&mut self, _: &'ast Item) {
            self.0 = true;
        }
    }
    let mut inner = Inner(false);
    inner.visit_block(body);
    if options.fast_math || inner.0 {
        return None;
    }
    let (statements, parameters) = (&body.stmts, parameters(generics, body));
    let body = quote!(#(#statements)*);
    let near = renamed(body.clone(), &parameters, To::Near)?;
    let host = renamed(body, &parameters, To::Host)?;
    (near.to_string() != host.to_string()).then(|| with_math(near, options))
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
        if let Some(renamed) = renamed(quote!(#(#statements)*), &parameters, To::Host) {
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
fn renamed(tokens: TokenStream, parameters: &[Ident], to: To) -> Option<TokenStream> {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut any = false;
    let is_called = |k: usize| {
        let name = match &all[k] {
            TokenTree::Ident(name) if is_renamed(name) => name,
            _ => return None,
        };
        is_call(&all, k, parameters).then_some(name)
    };
    let is_near = |name: &Ident| to == To::Near && is_of_angle(name);
    let changed = all.iter().enumerate().map(|(k, token)| match token {
        TokenTree::Group(group) => {
            let inner = renamed(group.stream(), parameters, to);
            let is_given = k > 0 && is_called(k - 1).is_some_and(is_near);
            if inner.is_none() && !is_given {
                return token.clone();
            }
            any = true;
            let mut inner = inner.unwrap_or_else(|| group.stream());
            if is_given {
                let ends = inner.clone().into_iter().last();
                let ends = ends.is_none_or(|last| last.to_string() == ",");
                let comma = (!ends).then(|| quote!(,));
                inner.extend(quote!(#comma __far));
            }
            let mut changed = Group::new(group.delimiter(), inner);
            changed.set_span(group.span());
            TokenTree::Group(changed)
        }
        _ => match is_called(k) {
            Some(name) => {
                any = true;
                TokenTree::Ident(if is_near(name) {
                    names::near(name)
                } else {
                    names::on_host(name)
                })
            }
            None => token.clone(),
        },
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
        let renamed = renamed(tokens.clone(), &parameters, To::Host).unwrap_or(tokens);
        renamed.to_string().replace("__user_function_host_", "!")
    }

    #[test]
    fn methods_of_angles_are_given_where_to_say_that_one_is_large() {
        let item: ItemFn = parse_quote! {
            fn f(x: f32, y: f32) -> f32 {
                let (s, _) = x.exp().sin_cos();
                s + f32::tan(y.cos()) + f32::sin(y,)
            }
        };
        let options = Options::parse(TokenStream::new(), &mut crate::report::Report::default());
        let Some(statements) = near(&[&item.sig.generics], &item.block, &options) else {
            panic!("there is one");
        };
        let found = quote!(#(#statements)*).to_string();
        let found = found.replace("__user_function_host_", "!");
        let found = found.replace("__user_function_near_", "?");
        let expected = quote! {
            let (s, _) = x.!exp().?sin_cos(__far);
            s + f32::?tan(y.?cos(__far), __far) + f32::?sin(y, __far)
        };
        assert!(
            found.contains(&expected.to_string().replace("! ", "!").replace("? ", "?")),
            "{found}"
        );
        let none: [ItemFn; 2] = [
            parse_quote!(
                fn f(x: f32) -> f32 {
                    x.exp()
                }
            ),
            parse_quote!(
                fn f(x: f32) -> f32 {
                    fn g(x: f32) -> f32 {
                        x.sin()
                    }
                    g(x)
                }
            ),
        ];
        assert!(
            none.iter()
                .all(|item| near(&[], &item.block, &options).is_none())
        );
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
