//! The lane-wise face of a function or closure with loops, or of angles: see `skel_core::lanes`. It is made of the user's own tokens, so
//! rustc types them as it does in the function itself; only loops and exits are rewritten.
//!
//! | module | does |
//! |---|---|
//! | `words` | which names are mentioned, which variables are changed |
//! | `risk` | what lanes that take no part must not run |
//! | `exits` | `break`, `continue`, `return`, and whether they leave a piece |
//! | `flow` | variables and masks; regions, which are loops over the lanes |
//! | `body` | blocks and branches: what is taken apart, and what is not |
//! | `loops` | loops |
//! | `near` | functions of angles without loops: small angles by themselves |
//! | `simple` | statements that stand in a region as they are |
//!
//! What of a variable is kept decides the speed: a lane that is through runs the text on, and what it computes is
//! thrown away only where it could be read later (`Flow::keeps`).

mod body;
mod exits;
mod flow;
mod loops;
mod near;
mod risk;
mod simple;
mod words;

use crate::{
    ast::{Kind as ParamKind, Options, Param},
    math,
};
use body::Place;
use flow::{Flow, Kind, Refused, Region, Scope, Variable};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Block, Generics, Ident};
use words::Words;

/// What a face is of.
pub(super) struct Of<'a> {
    pub(super) params: &'a [Param],
    pub(super) block: &'a Block,
    pub(super) generics: &'a [&'a Generics],
    /// The kinds of the parameters.
    pub(super) kinds: &'a TokenStream,
    /// Names for what is passed.
    pub(super) passed: &'a [TokenStream],
    /// The result's type.
    pub(super) ret: &'a TokenStream,
    /// What calls the function itself, with what it is given without being passed and a tuple of what is passed.
    pub(super) call: &'a TokenStream,
}

/// A face.
pub(super) struct Face {
    /// What computes a block of `__N` lanes from `__source`, and puts the results to `__out`.
    pub(super) text: TokenStream,
    /// Whether it may go on with values that the function does not see: those of angles do, in place of large ones.
    pub(super) guesses: bool,
}

/// Where there are faces. Debug builds check for overflow, which lanes that take no part would hit. So would release
/// builds that are told to; there the panic is caught.
pub(super) fn condition() -> TokenStream {
    quote!(all(not(debug_assertions), panic = "unwind"))
}

/// The items of `UserFunction` that describe the face; nothing where there is none.
pub(super) fn lanes(of: &Of<'_>, options: &Options) -> TokenStream {
    let Some(Face { text, guesses }) = face(of, options) else {
        return TokenStream::new();
    };
    let (kinds, ret) = (of.kinds, of.ret);
    let condition = condition();
    let guess = guesses.then(|| {
        quote! {
            #[cfg(#condition)]
            const LANES_MAY_GUESS: __skel::core::primitive::bool = true;
        }
    });
    quote! {
        #[cfg(#condition)]
        const HAS_LANES: __skel::core::primitive::bool = true;
        #guess
        #[cfg(#condition)]
        #[inline(always)]
        fn lanes<const __N: __skel::core::primitive::usize, __S: __skel::lanes::Source<#kinds, At = Self::At>>(
            __source: &mut __S,
            __out: &mut __skel::lanes::Var<#ret, __N>,
        ) {
            #text
        }
    }
}

/// The face, if there is one.
pub(super) fn face(of: &Of<'_>, options: &Options) -> Option<Face> {
    if !options.lanes || options.foreign.is_some() {
        return None;
    }
    let mentioned = words::words(of.block);
    let loops = ["for", "loop", "while"];
    let has_loops = loops.iter().any(|word| mentioned.contains(*word));
    let text = match has_loops {
        // The same mathematics as in the function itself.
        true => stepped(of, &mentioned)
            .map(|text| math::rewrite_text(text, of.generics, of.block, options)),
        false => near::face(of, options),
    };
    let guesses = !has_loops;
    text.ok().map(|text| Face { text, guesses })
}

/// The face of a function with loops.
fn stepped(of: &Of<'_>, mentioned: &Words) -> flow::Done<TokenStream> {
    let (kinds, passed) = (of.kinds, of.passed);
    let mut flow = Flow::default();
    let (mut load, mut same, mut store) =
        (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let mut names = passed.iter();
    for param in of.params {
        let passed = match param.kind.is_passed() {
            true => names.next(),
            false => None,
        };
        parameter(&mut flow, param, passed, [&mut load, &mut same, &mut store])?;
    }
    let result = format_ident!("__ret");
    flow.variables.push(Variable {
        name: result.clone(),
        lane: Some(format_ident!("__out")),
        by_ref: false,
    });
    let references = flow.variables.iter().filter(|v| v.by_ref);
    let live = references.map(|v| v.name.to_string()).collect();
    let mask = mentioned.contains("return").then(|| flow.fresh("on"));
    let begin = mask
        .as_ref()
        .map(|mask| quote!(let mut #mask = __skel::lanes::Mask::<__N>::all();));
    flow.scopes.push(Scope {
        kind: Kind::Function,
        label: None,
        mask,
        live,
        outside: flow.variables.len(),
        dest: Some(result.clone()),
    });
    let mut text = TokenStream::new();
    let place = Place {
        after: &Words::new(),
        dest: Some(result),
        note: None,
    };
    flow.body(&of.block.stmts, Region::default(), &place, &mut text)?;
    if !flow.has_loops {
        return Err(Refused);
    }
    let declarations = &flow.declarations;
    let args = quote!(let (#(#passed,)*) = __skel::lanes::Source::<#kinds>::args(__source, __l););
    // Before the arguments, which may be lent.
    let at = of
        .params
        .iter()
        .any(|param| param.kind == ParamKind::Index)
        .then(|| quote!(let __at = __skel::lanes::Source::<#kinds>::at(__source, __l);));
    let load = (!load.is_empty()).then(|| quote!(for __l in 0..__N { #at #args #load }));
    let store = (!store.is_empty()).then(|| quote!(for __l in 0..__N { #args #store }));
    let same = (!same.is_empty()).then(|| {
        quote! {
            let __l = 0;
            #args
            #same
        }
    });
    Ok(quote! {
        let mut __out = __out;
        #declarations
        #load
        #same
        #begin
        #text
        #store
    })
}

/// Notes a parameter; `passed` is what it is passed as.
fn parameter(
    flow: &mut Flow,
    param: &Param,
    passed: Option<&TokenStream>,
    [load, same, store]: [&mut TokenStream; 3],
) -> flow::Done {
    let name: &Ident = &param.name;
    let uniform = match param.kind {
        ParamKind::Uniform => !param.mutable,
        kind if kind.is_whole() => true,
        ParamKind::Each | ParamKind::EachMut | ParamKind::Index => false,
        // A generator, and what differs from element to element and is no value.
        ParamKind::View(_) | ParamKind::Random => return Err(Refused),
    };
    if uniform {
        same.extend(quote!(let #name = #passed;));
        flow.variables.push(Variable {
            name: name.clone(),
            lane: None,
            by_ref: false,
        });
        return Ok(());
    }
    let by_ref = param.kind == ParamKind::EachMut;
    let lane = flow.declare(name.clone(), by_ref);
    let value = match (passed, by_ref) {
        (None, _) => quote!(__at),
        (Some(passed), true) => quote!(*#passed),
        (Some(passed), false) => quote!(#passed),
    };
    load.extend(quote!(__skel::lanes::set(&mut #lane, __l, #value);));
    if by_ref {
        store.extend(quote!(*#passed = __skel::lanes::get(&#lane, __l);));
    }
    Ok(())
}
