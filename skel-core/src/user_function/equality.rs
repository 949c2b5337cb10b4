//! `==` and `!=` of arrays and tuples: part by part. Where a part has a `==` of its own, a function
//! compares them as Rust does: in order, until two differ.
//!
//! That function is text, and no `#[user_function]`: its parts are whatever has a type in the IR, tuples among them,
//! but the parameters of a user function are elements, which tuples are not.

use super::{Binary, Typed, operator};
use crate::ir::{
    Imp, Mode, Ty, Value,
    build::{Cx, Source},
};

/// What the parts' comparisons make of the whole: built in if all of them are.
fn of_parts<T: Typed>(
    cx: &mut Cx,
    imps: Vec<Imp>,
    text: &'static str,
    constants: Vec<Value>,
) -> Imp {
    if imps.contains(&Imp::Failed) {
        return Imp::Failed;
    }
    if imps.iter().all(|imp| *imp == Imp::Builtin) {
        return Imp::Builtin;
    }
    cx.define::<(T, operator::PartialEq)>("equal", |_| Source {
        file: file!(),
        params: vec![(T::ty(), Mode::In), (T::ty(), Mode::In)],
        ret: Ty::Bool,
        fast_math: false,
        mathematics: crate::ir::build::NO_MATHEMATICS,
        text,
        types: vec![Ty::Usize, Ty::Bool],
        constants,
        imps,
        messages: Vec::new(),
    })
}

macro_rules! tuples {
    ($(($($part:ident $k:tt)*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($part: Binary<operator::PartialEq, $part> + Typed),*>
            Binary<operator::PartialEq, Self> for ($($part,)*)
        {
            fn ir(cx: &mut Cx) -> Imp {
                let imps = vec![$(<$part as Binary<operator::PartialEq, $part>>::ir(cx)),*];
                let text = concat!(
                    "(fn (a b) @", line!(), " (bl ",
                    $("(if (b != ", $k, " (f ", $k, " (v 0)) (f ", $k, " (v 1))) (bl (ret (lit 1 false)))) ",)*
                    "(tail (lit 1 true))))"
                );
                of_parts::<Self>(cx, imps, text, Vec::new())
            }
        }
    )* };
}
tuples! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
}

#[diagnostic::do_not_recommend]
impl<T: Binary<operator::PartialEq, T> + Typed, const N: usize> Binary<operator::PartialEq, Self>
    for [T; N]
where
    [T; N]: Typed,
{
    fn ir(cx: &mut Cx) -> Imp {
        let imps = vec![<T as Binary<operator::PartialEq, T>>::ir(cx)];
        let text = concat!(
            "(fn (a b) @",
            line!(),
            " (bl (for 0 (range (lit 0 0) (k 0) - - -) (bind 2 i -) - (bl ",
            "(if (b != 0 (ix (v 0) (v 2)) (ix (v 1) (v 2))) (bl (ret (lit 1 false)))))) ",
            "(tail (lit 1 true))))"
        );
        of_parts::<Self>(cx, imps, text, vec![Value::Usize(N)])
    }
}
