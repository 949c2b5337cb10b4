//! What the macros name in their output. The facade has it as `skel::__private`; nothing in it is
//! for people, and it may change with every version: `skel-macros` is pinned to this one.

/// Traits that probes need in scope: they stand for methods of types of other crates.
pub mod scope {
    #[cfg(feature = "complex")]
    pub use crate::complex::ComplexFunctions;
    #[cfg(feature = "half")]
    pub use crate::float16::HalfFunctions;
}

pub use crate::{
    Element,
    element::{Check, Field, Fields, Repr, check_of_struct, has_zero, struct_parts, variant, zero},
    ir::{
        Foreign, Mode, Ty, Value,
        build::{Cx, Source},
    },
    param::{
        Each, EachCol, EachMut, EachPool1, EachPool2, EachPool3, EachPool4, EachRow, EachWindow1,
        EachWindow2, EachWindow3, EachWindow4, Params, Random, Uniform, Whole, WholeMatrix,
        WholeTensor3, WithRandom, random_method,
    },
    user_function::{
        Binary, Callee, Float, Fun, Imp, Instance, Integer, K, KB, KI, KI8, KI16, KI64, KIsize, KU,
        KU8, KU16, KU64, Marker, Member, Named, Number, Pair, Slot, Unary, UserFunction, class,
        constant, fun,
        lambda::{Lambda, commutative},
        operator, ty,
    },
};
