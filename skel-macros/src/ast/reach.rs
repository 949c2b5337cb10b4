//! How far a neighbourhood reaches, by the spelling of its type.

use super::kind::{arguments_of_kind, view_of};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Type;

/// Which offsets a neighbourhood has.
#[derive(Clone)]
pub(crate) struct Reach {
    /// Whether offsets go both ways from 0: a window. Otherwise they begin at 0: a pool.
    pub(crate) both_ways: bool,
    /// The radius, or the size, along each dimension: a literal, or the name of a constant.
    pub(crate) sizes: Vec<TokenStream>,
}

/// The reach of a type like `Window2<f32, 1, R>`; nothing for whole containers.
pub(crate) fn reach_of(ty: &Type) -> Option<Reach> {
    let (kind, _) = view_of(ty)?;
    let both_ways = kind.starts_with("EachWindow");
    if !both_ways && !kind.starts_with("EachPool") {
        return None;
    }
    let sizes = arguments_of_kind(ty).into_iter().skip(1);
    Some(Reach {
        both_ways,
        sizes: sizes.map(ToTokens::to_token_stream).collect(),
    })
}
