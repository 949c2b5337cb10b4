//! What the macros name in their output. The facade has it as `skel::__private`; nothing in it is
//! for people, and it may change with every version: `skel-macros` is pinned to this one.

pub use crate::{
    Element,
    ir::{
        Mode, Ty,
        build::{Cx, Source},
    },
    param::{Each, EachMut, Params, Uniform},
    user_function::{
        Binary, Callee, Fun, Imp, Instance, K, KB, KI, KU, Marker, Member, Named, Pair, Slot,
        Unary, UserFunction, class, constant, fun, lambda::Lambda, operator, ty,
    },
};
