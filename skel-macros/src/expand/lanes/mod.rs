//! The lane-wise face of a function or closure with loops, with random numbers, or of angles: see `skel_core::lanes`. It is
//! made of the user's own tokens, so rustc types them as it does in the function itself; only loops, exits, draws, and
//! calls of functions with loops are rewritten.
//!
//! | module | does |
//! |---|---|
//! | `words` | which names are mentioned, which variables are changed |
//! | `risk` | what lanes that take no part must not run |
//! | `exits` | `break`, `continue`, `return`, and whether they leave a piece |
//! | `callees` | which calls all lanes may do at once, as statements |
//! | `flow` | variables and masks; regions, which are loops over the lanes |
//! | `body` | blocks and branches: what is taken apart, and what is not |
//! | `loops` | loops |
//! | `calls` | calls |
//! | `callable` | what others call of a function |
//! | `near` | functions of angles without loops: small angles by themselves |
//! | `simple` | statements that stand in a region as they are |
//! | `given` | what the face is given, and what it leaves behind |
//!
//! What of a variable is kept decides the speed: a lane that is through runs the text on, and what it computes is
//! thrown away only where it could be read later (`Flow::keeps`).
//!
//! No macro knows whether a function that is called has a face; rustc does, when it has expanded all of them. So a face
//! with such calls is written in two ways, and a constant chooses (`skel_core::lanes::lifts`).

mod body;
mod callable;
mod callees;
mod calls;
mod exits;
mod flow;
mod given;
mod loops;
mod near;
mod risk;
mod simple;
mod words;

use crate::{
    ast::{Options, Param},
    math,
};
use body::Place;
pub(super) use callable::Named;
use callable::callable;
use callees::Callees;
use flow::{Done, Flow, Held, Kind, Refused, Region, Scope, Variable};
use given::Given;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Block, Generics};
use words::{Changes, Words};

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
    /// What makes the names of what is given from `__source`.
    given: Given,
    /// What computes a block of `__N` lanes from these names, and puts the results to `__out`.
    text: TokenStream,
    /// What must be in scope.
    pub(super) scope: TokenStream,
    /// Whether there is one: a constant.
    pub(super) has: TokenStream,
    /// Whether the function has loops of its own, or draws.
    own: bool,
    /// The functions that are called by all lanes at once, one for each call.
    called: Vec<syn::Path>,
    /// Whether it may go on with values that the function does not see: those of angles do, in place of large ones.
    pub(super) guesses: bool,
}

impl Face {
    /// What computes a block of `__N` lanes from `__source`, and puts the results to `__out`.
    pub(super) fn of_source(&self) -> TokenStream {
        let (text, Given { bind, store, .. }) = (&self.text, &self.given);
        quote!(#bind #text #store)
    }
}

/// Where there are faces. Debug builds check for overflow, which lanes that take no part would hit. So would release
/// builds that are told to; there the panic is caught.
pub(super) fn condition() -> TokenStream {
    quote!(all(not(debug_assertions), panic = "unwind"))
}

/// The items of `UserFunction` that describe the face, and what stands beside the marker for those that call the function;
/// nothing where there is none.
pub(super) fn lanes(of: &Of<'_>, named: &Named<'_>, options: &Options) -> [TokenStream; 2] {
    let Some(face) = face(of, options) else {
        let nothing = named.is_generic.then(|| callable(of, named, None));
        return [TokenStream::new(), quote!(#nothing)];
    };
    let (kinds, ret, has, scope) = (of.kinds, of.ret, &face.has, &face.scope);
    let condition = condition();
    let guess = face.guesses.then(|| {
        quote! {
            #[cfg(#condition)]
            const LANES_MAY_GUESS: __skel::core::primitive::bool = true;
        }
    });
    let is_callable = !face.guesses && !face.given.is_lent;
    let text = if is_callable {
        let (arguments, Given { bind, names, .. }) = (named.arguments, &face.given);
        let arguments = (!arguments.is_empty()).then(|| quote!(#arguments,));
        quote!(#bind __Me::__lanes::<#arguments __N>((#(#names,)*), __out);)
    } else {
        face.of_source()
    };
    let own = quote! {
        #[cfg(#condition)]
        const HAS_LANES: __skel::core::primitive::bool = #has;
        #guess
        #[cfg(#condition)]
        #[inline(always)]
        fn lanes<const __N: __skel::core::primitive::usize, __S: __skel::lanes::Source<#kinds, At = Self::At>>(
            __source: &mut __S,
            __out: &mut __skel::lanes::Var<#ret, __N>,
        ) {
            #text
        }
    };
    let nothing = named.is_generic.then(|| callable(of, named, None));
    let beside = if is_callable {
        let callable = callable(of, named, Some(&face));
        let otherwise = nothing.map(|nothing| quote!(#[cfg(not(#condition))] #nothing));
        quote!(#[cfg(#condition)] #callable #otherwise)
    } else {
        quote!(#nothing)
    };
    [own, quote!(#scope #beside)]
}

/// Calls of user functions and draws, at most, in a function that may make them by all lanes at once: rustc checks another
/// text of it, and each draw is compiled for each number of lanes. Of more, one that draws has no face.
const MOST_CALLS: usize = 32;

/// The face, if there is one.
pub(super) fn face(of: &Of<'_>, options: &Options) -> Option<Face> {
    if !options.lanes || options.foreign.is_some() {
        return None;
    }
    let mentioned = words::words(of.block);
    let loops = ["for", "loop", "while"];
    let has_loops = loops.iter().any(|word| mentioned.contains(*word));
    if !has_loops && let Ok(text) = near::face(of, options) {
        return Some(Face {
            given: Given::default(),
            text,
            scope: TokenStream::new(),
            has: quote!(true),
            own: false,
            called: Vec::new(),
            guesses: true,
        });
    }
    let (given, callees) = (Given::new(of).ok()?, Callees::new(of));
    let with_calls = (1..=MOST_CALLS).contains(&callees.calls(of.block));
    let with_calls = with_calls.then_some(&callees);
    // One that draws is written in one way: where all lanes draw at once, they may as well call at once.
    let plain = has_loops && !callees.has_generator();
    let plain = plain.then(|| stepped(of, &given, None).ok()).flatten();
    let lifted = with_calls.and_then(|callees| stepped(of, &given, Some(callees)).ok());
    let Stepped { text, called, own } = match (plain, lifted) {
        (None, None) => return None,
        (Some(one), None) | (None, Some(one)) => one,
        (Some(plain), Some(lifted)) => {
            let lifts = lifts(&lifted.called);
            let (plain, lifted_text) = (plain.text, lifted.text);
            Stepped {
                text: quote!(if const { #lifts } { #lifted_text } else { #plain }),
                ..lifted
            }
        }
    };
    let condition = condition();
    let scope = (!called.is_empty()).then(|| {
        quote!(
            #[cfg(#condition)]
            use __skel::NoLanes as _;
        )
    });
    let has = match own {
        true => quote!(true),
        false => lifts(&called),
    };
    Some(Face {
        given,
        scope: quote!(#scope),
        has,
        own,
        called,
        // The same mathematics as in the function itself.
        text: math::rewrite_text(text, of.generics, of.block, options),
        guesses: false,
    })
}

/// A way to write a face.
struct Stepped {
    text: TokenStream,
    /// The functions that are called by all lanes at once, one for each call.
    called: Vec<syn::Path>,
    /// Whether the function has loops of its own, or draws.
    own: bool,
}

/// Whether calls are made by all lanes at once: a constant.
fn lifts(called: &[syn::Path]) -> TokenStream {
    quote!(__skel::lanes::lifts(&[#(#called::__LOOPS_2),*]))
}

/// The face of a function with loops, or with calls that all lanes do at once.
fn stepped(of: &Of<'_>, given: &Given, callees: Option<&Callees<'_>>) -> Done<Stepped> {
    let block = match callees {
        Some(callees) => callees.as_statements(of.block),
        None => of.block.clone(),
    };
    let mentioned = words::words(&block);
    let mut flow = Flow::new(callees);
    let (changed, mut begin) = (Changes::of_block(&block), TokenStream::new());
    for (param, name) in of.params.iter().zip(&given.names) {
        flow.parameter(param, name, &changed, &mut begin)?;
    }
    let result = format_ident!("__ret");
    flow.variables.push(Variable {
        name: result.clone(),
        held: Held::Var(format_ident!("__out")),
    });
    let references = flow.variables.iter().filter(|v| v.held.by_ref());
    let live = references.map(|v| v.name.to_string()).collect();
    let mask = mentioned.contains("return").then(|| flow.fresh("on"));
    begin.extend(
        mask.as_ref()
            .map(|mask| quote!(let mut #mask = __skel::lanes::Mask::<__N>::all();)),
    );
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
    flow.body(&block.stmts, Region::default(), &place, &mut text)?;
    let (called, own) = (flow.called, flow.has_own);
    let draws = callees.is_some_and(Callees::has_generator) && own;
    let does_something = match callees {
        Some(_) => !called.is_empty() || draws,
        None => own,
    };
    if !does_something {
        return Err(Refused);
    }
    let declarations = &flow.declarations;
    let text = quote!(let mut __out = __out; #declarations #begin #text);
    Ok(Stepped { text, called, own })
}
