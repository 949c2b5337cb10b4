//! How far a neighbourhood reaches, by the spelling of its type.

use super::kind::{arguments_of_kind, view_of};
use proc_macro2::{Literal, TokenStream};
use quote::ToTokens;
use syn::{PathArguments, Type, parse_quote};

/// Which offsets a neighbourhood has.
#[derive(Clone)]
pub(crate) struct Reach {
    /// Whether offsets go both ways from 0: a window, or a sweep. Otherwise they begin at 0: a pool.
    pub(crate) both_ways: bool,
    /// Whether it is what an element of a sweep sees: offsets are literals of one sign.
    pub(crate) sweeps: bool,
    /// The radius, or the size, along each dimension: a literal, or the name of a constant.
    pub(crate) sizes: Vec<TokenStream>,
}

/// The reach of a type like `Window2<f32, 1, R>`; nothing for whole containers.
pub(crate) fn reach_of(ty: &Type) -> Option<Reach> {
    let (kind, _) = view_of(ty)?;
    let sweeps = kind.starts_with("EachSweep");
    let both_ways = sweeps || kind.starts_with("EachWindow");
    if !both_ways && !kind.starts_with("EachPool") {
        return None;
    }
    let sizes = arguments_of_kind(ty).into_iter().skip(1);
    Some(Reach {
        both_ways,
        sweeps,
        sizes: sizes.map(ToTokens::to_token_stream).collect(),
    })
}

/// What is said of a neighbourhood whose type does not have a number for each of its dimensions, and a type
/// that has them. (rustc would suggest the names of the parameters in their place.)
pub(super) fn incomplete(ty: &Type) -> Option<(String, Type)> {
    let (kind, elem) = view_of(ty)?;
    let reach = reach_of(ty)?;
    let name = kind.strip_prefix("Each").unwrap_or(kind);
    let rank = name.chars().last()?.to_digit(10)? as usize;
    if reach.sizes.len() == rank {
        return None;
    }
    let (size, says) = if reach.both_ways {
        (1, "how far it reaches to either side")
    } else {
        (2, "how many elements it has")
    };
    let along = match rank {
        1 => String::new(),
        rank => format!(", along each of its {rank} dimensions"),
    };
    let sizes = vec![Literal::usize_unsuffixed(size); rank];
    let written = vec![size.to_string(); rank].join(", ");
    let example = format!("{name}<{}, {written}>", elem.to_token_stream());
    let what = match reach.sweeps {
        true => "sweep",
        false => "neighbourhood",
    };
    let message = format!("the type of a {what} says {says}{along}: `{example}`");
    let mut complete = ty.clone();
    let Type::Path(path) = &mut complete else {
        return None;
    };
    let arguments = parse_quote!(<#elem, #(#sizes),*>);
    path.path.segments.last_mut()?.arguments = PathArguments::AngleBracketed(arguments);
    Some((message, complete))
}
