//! The lane-wise face of a function with loops, or of angles: see `skel_core::lanes`. It is made of the user's own tokens, so
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
    ast::{Function, Kind as ParamKind, Options, Param},
    math,
};
use body::Place;
use flow::{Flow, Kind, Refused, Region, Scope, Variable};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use words::Words;

/// The items of `UserFunction` that describe the face; nothing where there is none. `kinds` are the parameters'
/// kinds, `passed` names for what is passed, `ret` the result.
pub(super) fn lanes(
    function: &Function,
    options: &Options,
    kinds: &TokenStream,
    passed: &[TokenStream],
    ret: &TokenStream,
) -> TokenStream {
    let mentioned = words::words(&function.item.block);
    let loops = ["for", "loop", "while"];
    let wanted = options.lanes && options.foreign.is_none() && !function.refused;
    if !wanted {
        return TokenStream::new();
    }
    let has_loops = loops.iter().any(|word| mentioned.contains(*word));
    let text = if has_loops {
        // The same mathematics as in the function itself.
        face(function, kinds, passed, &mentioned)
            .map(|text| math::rewrite_text(text, &function.item, options))
    } else {
        near::face(function, options, kinds, passed, ret)
    };
    let Ok(text) = text else {
        return TokenStream::new();
    };
    // Debug builds check for overflow, which lanes that take no part would hit. So would release builds that are told
    // to; there the panic is caught.
    let cfg = quote!(#[cfg(all(not(debug_assertions), panic = "unwind"))]);
    // Those of angles go on with other angles than large ones.
    let guess = (!has_loops).then(|| {
        quote! {
            #cfg
            const LANES_MAY_GUESS: __skel::core::primitive::bool = true;
        }
    });
    quote! {
        #cfg
        const HAS_LANES: __skel::core::primitive::bool = true;
        #guess
        #cfg
        #[inline(always)]
        fn lanes<const __N: __skel::core::primitive::usize, __S: __skel::lanes::Source<#kinds, At = Self::At>>(
            __source: &mut __S,
            __out: &mut __skel::lanes::Var<#ret, __N>,
        ) {
            #text
        }
    }
}

fn face(
    function: &Function,
    kinds: &TokenStream,
    passed: &[TokenStream],
    mentioned: &Words,
) -> flow::Done<TokenStream> {
    let mut flow = Flow::default();
    let (mut load, mut same, mut store) =
        (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let mut names = passed.iter();
    for param in &function.params {
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
    flow.body(
        &function.item.block.stmts,
        Region::default(),
        &place,
        &mut text,
    )?;
    if !flow.has_loops {
        return Err(Refused);
    }
    let declarations = &flow.declarations;
    let args =
        quote!(let (#(#passed,)*) = <__S as __skel::lanes::Source<#kinds>>::args(__source, __l););
    // Before the arguments, which may be lent.
    let at = function
        .params
        .iter()
        .any(|param| param.kind == ParamKind::Index)
        .then(|| quote!(let __at = <__S as __skel::lanes::Source<#kinds>>::at(__source, __l);));
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
