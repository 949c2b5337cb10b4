//! What the macros name in their output. The facade has it as `skel::__private`; nothing in it is
//! for people, and it may change with every version: `skel-macros` is pinned to this one.

/// Traits that probes need in scope: they stand for methods of types of other crates.
pub mod scope {
    pub use crate::math::Math;

    #[cfg(feature = "complex")]
    pub use crate::interop::complex::ComplexFunctions;
    #[cfg(feature = "half")]
    pub use crate::interop::float16::HalfFunctions;
}

/// What the macros name of std: by this path, so that nothing that a crate calls `core` or `std` is meant.
pub use ::{core, std};

/// The macros that user functions may call. A glob import of them beside another macro of such a name is
/// ambiguous: so rustc says where a name does not mean what devices do.
pub mod macros {
    pub use std::{
        assert, assert_eq, assert_ne, debug_assert, debug_assert_eq, debug_assert_ne, matches,
        panic, todo, unimplemented, unreachable,
    };
}

/// What the lane-wise face of a user function is made of.
pub mod lanes {
    pub use crate::{
        lanes::{
            AllLanes, Given, Mask, Same, Slice, Var, among, get, idle, is_same, lane, lifts, loops,
            pick, set, slice, var,
        },
        param::{Generators, Source},
    };
}

pub use crate::{
    Element,
    element::{
        Check, Field, Fields, Repr, adjoins, check_of_struct, derived_field, has_zero, is_aligned,
        is_integer, shape, struct_parts, structure, variant, zero,
    },
    ir::{
        Foreign, Imp, Mode, Ty, Value,
        build::{Cx, Source},
    },
    math::{Math, function as mathematics},
    param::{
        Each, EachCol, EachLine, EachLineMut, EachMut, EachPool1, EachPool2, EachPool3, EachPool4,
        EachRow, EachSweep1, EachSweep2, EachSweep3, EachWindow1, EachWindow2, EachWindow3,
        EachWindow4, Params, Random, Uniform, Whole, WholeMatrix, WholeTensor3, WholeTensor4,
        WithRandom, random_method,
    },
    user_function::{
        Binary, Callee, Float, Fun, Instance, Integer, K, KB, KI, KI8, KI16, KI64, KIsize, KU, KU8,
        KU16, KU64, Marker, Member, Named, NoLanes, Number, Pair, Slot, Unary, UserFunction, class,
        constant, fun, inclusive,
        lambda::{Faces, Lambda, commutative},
        operator, ty,
    },
};
