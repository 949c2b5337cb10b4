//! Operators of complex numbers, among themselves and with real ones.

use super::{source, text};
use crate::{
    Element,
    ir::{Mode, build::Cx},
    user_function::{Binary, Imp, Unary, operator},
};
use num_complex::Complex;

/// Operators on two values: what may stand left and right, `c`omplex or `r`eal, and the result.
macro_rules! binary {
    ($($name:ident($left:tt, $right:tt) $text:expr;)*) => { $(
        binary!(@one f32 $name $left $right $text);
        binary!(@one f64 $name $left $right $text);
    )* };
    (@one $t:ident $name:ident $left:tt $right:tt $text:expr) => {
        #[diagnostic::do_not_recommend]
        impl Binary<operator::$name, binary!(@ty $t $right)> for binary!(@ty $t $left) {
            fn ir(cx: &mut Cx) -> Imp {
                type Right = binary!(@ty $t $right);
                let spelled = concat!("complex_", stringify!($name));
                cx.define::<(Self, operator::$name, Right)>(spelled, |_| {
                    let params = vec![(Self::ty(), Mode::In), (Right::ty(), Mode::In)];
                    source::<$t>(params, Complex::<$t>::ty(), concat!("(fn (a b) @", line!(), " ", $text, ")"))
                })
            }
        }
    };
    (@ty $t:ident c) => { Complex<$t> };
    (@ty $t:ident r) => { $t };
}

binary! {
    Add(c, c) text!(complex text!("+" text!(re 0), text!(re 1)), text!("+" text!(im 0), text!(im 1)));
    Add(c, r) text!(complex text!("+" text!(re 0), "(v 1)"), text!(im 0));
    Add(r, c) text!(complex text!("+" "(v 0)", text!(re 1)), text!(im 1));
    Sub(c, c) text!(complex text!("-" text!(re 0), text!(re 1)), text!("-" text!(im 0), text!(im 1)));
    Sub(c, r) text!(complex text!("-" text!(re 0), "(v 1)"), text!(im 0));
    Sub(r, c) text!(complex text!("-" "(v 0)", text!(re 1)), text!("-" text!(zero), text!(im 1)));
    Mul(c, c) text!(complex
        text!("-" text!("*" text!(re 0), text!(re 1)), text!("*" text!(im 0), text!(im 1))),
        text!("+" text!("*" text!(re 0), text!(im 1)), text!("*" text!(im 0), text!(re 1))));
    Mul(c, r) text!(complex text!("*" text!(re 0), "(v 1)"), text!("*" text!(im 0), "(v 1)"));
    Mul(r, c) text!(complex text!("*" "(v 0)", text!(re 1)), text!("*" "(v 0)", text!(im 1)));
    Div(c, c) concat!("(bl (let 2 n - ", text!(norm_sqr 1), ") (tail ", text!(complex
        text!("/" text!("+" text!("*" text!(re 0), text!(re 1)), text!("*" text!(im 0), text!(im 1))), "(v 2)"),
        text!("/" text!("-" text!("*" text!(im 0), text!(re 1)), text!("*" text!(re 0), text!(im 1))), "(v 2)")), "))");
    Div(c, r) text!(complex text!("/" text!(re 0), "(v 1)"), text!("/" text!(im 0), "(v 1)"));
    Div(r, c) concat!("(bl (let 2 n - ", text!(norm_sqr 1), ") (tail ", text!(complex
        text!("/" text!("*" "(v 0)", text!(re 1)), "(v 2)"),
        text!("-" text!(zero), text!("/" text!("*" "(v 0)", text!(im 1)), "(v 2)"))), "))");
}

/// Compound assignments, which give the bits of the operators.
macro_rules! assign {
    ($($name:ident as $operator:ident;)*) => { $(
        assign!(@one f32 $name $operator Complex<f32>);
        assign!(@one f32 $name $operator f32);
        assign!(@one f64 $name $operator Complex<f64>);
        assign!(@one f64 $name $operator f64);
    )* };
    (@one $t:ident $name:ident $operator:ident $right:ty) => {
        #[diagnostic::do_not_recommend]
        impl Binary<operator::$name, $right> for Complex<$t> {
            fn ir(cx: &mut Cx) -> Imp {
                let spelled = concat!("complex_", stringify!($name));
                cx.define::<(Self, operator::$name, $right)>(spelled, |cx| {
                    let params = vec![(Self::ty(), Mode::InOut), (<$right>::ty(), Mode::In)];
                    let operator = <Self as Binary<operator::$operator, $right>>::ir(cx);
                    let text = concat!("(fn (a b) @", line!(), " (bl (= (v 0) (c 0 (v 0) (v 1)))))");
                    let mut source = source::<$t>(params, crate::ir::Ty::Unit, text);
                    source.imps.push(operator);
                    source
                })
            }
        }
    };
}
assign! {
    AddAssign as Add;
    SubAssign as Sub;
    MulAssign as Mul;
    DivAssign as Div;
}

macro_rules! others {
    ($($t:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Unary<operator::Neg> for Complex<$t> {
            fn ir(cx: &mut Cx) -> Imp {
                cx.define::<(Self, operator::Neg)>("complex_Neg", |_| {
                    let text = concat!(
                        "(fn (a) @",
                        line!(),
                        " ",
                        text!(complex text!(minus text!(re 0)), text!(minus text!(im 0))),
                        ")"
                    );
                    source::<$t>(vec![(Self::ty(), Mode::In)], Self::ty(), text)
                })
            }
        }

        // Part by part, as `Complex` derives it.
        #[diagnostic::do_not_recommend]
        impl Binary<operator::PartialEq, Complex<$t>> for Complex<$t> {
            fn ir(_: &mut Cx) -> Imp {
                Imp::Builtin
            }
        }
    )* };
}
others!(f32 f64);
