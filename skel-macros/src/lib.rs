//! The macros of skel: `#[user_function]`, `#[derive(Element)]`, and the skeleton macros `map!`,
//! `reduce!`, `map_reduce!` and their like.
//!
//! A tiny compiler. It knows no types: rustc finds them, in a *probe* of the body, a closure that is
//! checked but never called (see `skel_core::user_function`).
//!
//! | module | does |
//! |---|---|
//! | `ast` | takes the user's function or closure apart; which kind each parameter is |
//! | `depth` | what is nested too deep to be walked |
//! | `valid` | what signature and attributes must not have |
//! | `lower` | the body: probe tokens for rustc, text for `skel_core::ir::build` |
//! | `expand` | what is written beside the function, or instead of the closure; no logic in it |
//! | `math` | methods that are skel's own: calls of them are renamed |
//! | `names` | what stands beside a user's method is called |
//! | `derive` | `#[derive(Element)]` |
//! | `report` | errors, all of them at once |
//! | `root` | under which name the crate in question knows skel |
//!
//! Output names only `skel::__private`, which the facade has, and `skel-core` for itself. Where a crate's `Cargo.toml`
//! renames the dependency, all macros find the other name there; `root` says why so.

#![deny(clippy::print_stderr, clippy::print_stdout)]

mod ast;
mod depth;
mod derive;
mod expand;
mod lower;
mod math;
mod names;
mod report;
mod root;
mod valid;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod hygiene;
mod inclusive;

use proc_macro::TokenStream;

/// Lets skeletons apply a function to elements, on every unit.
///
/// The function stays what it is. Beside it, in the type namespace, comes a type of the same name,
/// which skeletons take: `map!(f)`, or `Map::<f>`.
///
/// Options: `#[user_function(commutative)]` promises that an operator commutes, where that is not
/// evident; `#[user_function(fast_math)]` lets devices contract and reorder its float arithmetic;
/// `#[user_function(lanes = off)]` leaves away the face that computes several elements of a function with loops at
/// once; `#[user_function(unsafe(wgsl = "…", cuda = "…"))]` gives devices bodies by hand, instead of a translation of
/// the Rust one, and promises what nothing checks (`docs/language.md` says what); `#[user_function(crate = path)]` says where skel is,
/// where neither `::skel` nor the name in `Cargo.toml` is right.
///
/// On an `impl` block of an own type, or of an operator for it, its functions become possible in user
/// functions; so do those of an own trait, if it stands on the trait and on each `impl` of it.
///
/// `docs/language.md` says what a user function may contain.
#[proc_macro_attribute]
pub fn user_function(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::user_function(options.into(), item.into()).into()
}

/// Makes a struct or enum an element: a value that containers hold and user functions compute with.
///
/// - A struct is `Copy`, has `#[repr(C)]`, and its fields are elements that leave no byte unused.
/// - Both are aligned as their fields, or their integer, are: `align` and `packed` are refused.
/// - An enum is `Copy`, has `#[repr(u32)]` or another integer type, no values in its variants, one
///   variant that is 0, and a derived `PartialEq`.
///
/// Options: `#[element(eq)]` on a struct without generics, whose `PartialEq` is derived, lets user
/// functions compare it by `==` and `!=`; `#[element(crate = path)]` says where skel is, as in
/// [`macro@user_function`].
#[proc_macro_derive(Element, attributes(element))]
pub fn element(input: TokenStream) -> TokenStream {
    derive::element(input.into()).into()
}

/// A Map: applies a user function to every element.
///
/// Takes the path of a user function, or a closure whose parameters have types:
/// `map!(|x: f32, #[uniform] k: f32| k * x)`.
#[proc_macro]
pub fn map(input: TokenStream) -> TokenStream {
    expand::skeleton("map", 1, 1, input.into()).into()
}

/// A MapOverlap: applies a user function to every element and its neighbourhood.
///
/// Takes the path of a user function, or a closure, with windows among its parameters:
/// `map_overlap!(|w: Window1<f32, 1>| w[1] - w[-1])`.
#[proc_macro]
pub fn map_overlap(input: TokenStream) -> TokenStream {
    expand::skeleton("map_overlap", 1, 1, input.into()).into()
}

/// A MapPool: applies a user function to every pool of elements.
///
/// Takes the path of a user function, or a closure, with pools among its parameters:
/// `map_pool!(|p: Pool1<f32, 2>| p[0].max(p[1]))`.
#[proc_macro]
pub fn map_pool(input: TokenStream) -> TokenStream {
    expand::skeleton("map_pool", 1, 1, input.into()).into()
}

/// A MapLines: applies a user function to every line of a container along one of its dimensions.
///
/// Takes the path of a user function, or a closure, with lines among its parameters:
/// `map_lines!(|l: &mut Line<f32>| l[0] = 0.0)`.
#[proc_macro]
pub fn map_lines(input: TokenStream) -> TokenStream {
    expand::skeleton("map_lines", 1, 1, input.into()).into()
}

/// A Sweep: applies a user function to every element in order, which sees what the sweep has made of those before it.
///
/// Takes the path of a user function, or a closure, whose first parameter is the sweep:
/// `sweep!(|w: Sweep1<f32, 1>| 0.5 * w[-1] + w[0])`.
#[proc_macro]
pub fn sweep(input: TokenStream) -> TokenStream {
    expand::skeleton("sweep", 1, 1, input.into()).into()
}

/// A Reduce: combines all elements by an associative operator, the path of a user function or a
/// closure.
#[proc_macro]
pub fn reduce(input: TokenStream) -> TokenStream {
    expand::skeleton("reduce", 1, 1, input.into()).into()
}

/// A MapReduce: applies the first user function to every element and combines the results by the
/// second. If the first returns a tuple, of up to four elements, an operator for each of them follows.
#[proc_macro]
pub fn map_reduce(input: TokenStream) -> TokenStream {
    expand::skeleton("map_reduce", 2, 5, input.into()).into()
}

/// A MapOverlapReduce: applies the first user function to the neighbourhood of every element and combines the
/// results by the second. If the first returns a tuple, of up to four elements, an operator for each of them follows.
#[proc_macro]
pub fn map_overlap_reduce(input: TokenStream) -> TokenStream {
    expand::skeleton("map_overlap_reduce", 2, 5, input.into()).into()
}

/// A MapPairs: applies a user function to all pairs of elements of vectors down and vectors across.
#[proc_macro]
pub fn map_pairs(input: TokenStream) -> TokenStream {
    expand::skeleton("map_pairs", 1, 1, input.into()).into()
}

/// A MapPairsReduce: applies the first user function to all pairs of elements of vectors down and vectors
/// across, and combines the results of each row (or column) by the second. If the first returns a tuple, of
/// up to four elements, an operator for each of them follows.
#[proc_macro]
pub fn map_pairs_reduce(input: TokenStream) -> TokenStream {
    expand::skeleton("map_pairs_reduce", 2, 5, input.into()).into()
}

/// A Call: calls a user function once, with whole containers and values.
#[proc_macro]
pub fn call(input: TokenStream) -> TokenStream {
    expand::skeleton("call", 1, 1, input.into()).into()
}

/// A Scan: every prefix of the elements, combined by an associative operator, the path of a user
/// function or a closure.
#[proc_macro]
pub fn scan(input: TokenStream) -> TokenStream {
    expand::skeleton("scan", 1, 1, input.into()).into()
}
