//! What the macros write. No logic is in it: traits are implemented, tables are filled, and all else
//! is in `skel_core::user_function` and `skel_core::ir::build`.

mod builder;
mod closure;
mod commutes;
mod function;
mod generics;
mod implementation;
mod lanes;
mod member;
mod operator;
mod skeleton;
mod trait_impl;
mod trait_item;

pub(crate) use function::{inner_function, user_function};
pub(crate) use skeleton::skeleton;

use proc_macro2::TokenStream;
use quote::quote;

/// What is generated gets no lints: the user's own code has had them already.
pub(crate) fn silence() -> TokenStream {
    quote!(#[allow(warnings, overflowing_literals, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)])
}
