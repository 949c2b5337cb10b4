//! What the macros call things that stand beside a user's method.

use crate::ast::spelling;
use quote::format_ident;
use syn::Ident;

/// `v.norm()` is `v.__user_function_norm(&callee)()` in a probe: errors show this name, so it says
/// what is missing.
pub(crate) fn by_receiver(method: &Ident) -> Ident {
    format_ident!("__user_function_{}", spelling(method), span = method.span())
}

/// `V::new(x)` is `V::__user_function_path_new(&callee)(x)`.
pub(crate) fn by_path(function: &Ident) -> Ident {
    format_ident!(
        "__user_function_path_{}",
        spelling(function),
        span = function.span()
    )
}

/// The function of a trait that describes `method` for devices.
pub(crate) fn source_of(method: &Ident) -> Ident {
    format_ident!(
        "__user_function_source_{}",
        spelling(method),
        span = method.span()
    )
}

/// `x.exp()` is `x.__user_function_host_exp()` wherever it runs on the host (`skel_core::math`), and in probes.
pub(crate) fn on_host(method: &Ident) -> Ident {
    format_ident!(
        "__user_function_host_{}",
        spelling(method),
        span = method.span()
    )
}

/// `x.sin()` is `x.__user_function_near_sin(__far)` in the form for small angles; `__far` is where to say that one is large.
pub(crate) fn near(method: &Ident) -> Ident {
    format_ident!(
        "__user_function_near_{}",
        spelling(method),
        span = method.span()
    )
}

/// A name as a number, for `Named<…>`: FNV-1a.
pub(crate) fn hash(name: &Ident) -> u64 {
    spelling(name)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}

#[cfg(test)]
mod test {
    use super::*;

    /// Values from the specification's own test suite.
    #[test]
    fn hashes_are_fnv_1a() {
        assert_eq!(hash(&format_ident!("a")), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(&format_ident!("foobar")), 0x8594_4171_f739_67e8);
    }
}
