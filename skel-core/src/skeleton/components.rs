//! What a function's results are combined by: one operator, or one for each component of a tuple.

use super::Operator;
use crate::{
    Element,
    element::{Check, Field, Fields, check_of_packed, struct_parts},
    ir::{Imp, Ty, Value, build::Cx},
    lanes::{self, Lane, Var},
    param::{Each, Params, Source},
    user_function::{Function2, UserFunction},
};
use skel_macros::user_function;
use std::marker::PhantomData;

/// What combines two results of type `O`: an operator, or, for tuples, a tuple of operators.
///
/// ```
/// use skel::prelude::*;
///
/// // The sum and the largest of the squares, in one pass.
/// let square = map_reduce!(
///     |x: i32| (x * x, x * x),
///     |a: i32, b: i32| a + b,
///     |a: i32, b: i32| a.max(b)
/// );
/// assert_eq!(square.run((&[1, -3, 2],))?, (14, 9));
/// # skel::Result::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot combine two `{O}`",
    label = "an operator is a user function `fn(T, T) -> T`; a tuple of results takes one for each component"
)]
pub trait Operators<O>: 'static {
    /// What is folded: an element.
    type Value: Packed<O>;
    /// What combines two of them.
    type Operator: Operator<Self::Value>;

    /// A result as an element.
    #[inline(always)]
    fn pack(result: O) -> Self::Value {
        Self::Value::pack(result)
    }

    /// An element as a result.
    #[inline(always)]
    fn unpack(value: Self::Value) -> O {
        value.unpack()
    }

    /// A block of results of `F`, as elements.
    fn block<P, F, const N: usize, X>(source: &mut X, out: &mut Var<Self::Value, N>)
    where
        P: Params,
        F: UserFunction<P, Output = O>,
        X: Source<P, At = F::At>;
}

/// An element that is a result of type `O`: itself, or the components of a tuple.
pub trait Packed<O>: Element {
    /// A result as an element.
    fn pack(result: O) -> Self;

    /// The element as a result.
    fn unpack(self) -> O;
}

impl<T: Element> Packed<T> for T {
    #[inline(always)]
    fn pack(result: T) -> T {
        result
    }

    #[inline(always)]
    fn unpack(self) -> T {
        self
    }
}

/// What [`Operators::block`] is, of results that may be in lanes.
#[inline(always)]
fn packed<P, F, R, const N: usize, S>(source: &mut S, out: &mut Var<R::Value, N>)
where
    P: Params,
    F: UserFunction<P, Output: Lane>,
    R: Operators<F::Output>,
    S: Source<P, At = F::At>,
{
    let mut results = lanes::var::<F::Output, N>();
    F::lanes(source, &mut results);
    for l in 0..N {
        lanes::set(out, l, R::pack(lanes::get(&results, l)));
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, R: Operator<T>> Operators<T> for R {
    type Value = T;
    type Operator = R;

    #[inline(always)]
    fn block<P, F, const N: usize, S>(source: &mut S, out: &mut Var<T, N>)
    where
        P: Params,
        F: UserFunction<P, Output = T>,
        S: Source<P, At = F::At>,
    {
        F::lanes(source, out);
    }
}

/// A function whose result is packed for these operators.
pub(super) struct Packing<F, R>(PhantomData<fn() -> (F, R)>);

impl<P: Params, F: UserFunction<P>, R: Operators<F::Output>> UserFunction<P> for Packing<F, R> {
    type At = F::At;
    type Output = R::Value;
    const NAME: &'static str = F::NAME;
    const HAS_LANES: bool = F::HAS_LANES;
    const LANES_MAY_GUESS: bool = F::LANES_MAY_GUESS;

    #[inline(always)]
    fn call(at: F::At, args: P::Args<'_>) -> R::Value {
        R::pack(F::call(at, args))
    }

    #[inline(always)]
    fn lanes<const N: usize, S: Source<P, At = F::At>>(source: &mut S, out: &mut Var<R::Value, N>) {
        R::block::<P, F, N, S>(source, out);
    }

    fn ir(cx: &mut Cx) -> Imp {
        F::ir(cx)
    }
}

macro_rules! components {
    ($pack:ident $each:ident $function:ident: $($t:ident $r:ident $i:tt),+) => {
        /// The parts of a tuple, without gaps, so that it is an element.
        #[derive(Clone, Copy)]
        #[repr(C, packed)]
        pub struct $pack<$($t),+>($($t),+);

        impl<$($t: Element),+> Fields for $pack<$($t),+> {
            const FIELDS: &'static [Field] = &[
                $(Field::of::<$t>(std::mem::offset_of!(Self, $i))),+
            ];

            fn shape() -> Ty {
                Ty::tuple([$($t::ty()),+])
            }
        }

        // SAFETY: a packed struct of elements has no padding, and its check is that of its fields.
        #[expect(unsafe_code, reason = "packed structs of elements keep the trait's promise")]
        unsafe impl<$($t: Element),+> Element for $pack<$($t),+> {
            const IS_SCALAR: bool = false;
            const CHECK: Option<Check> = check_of_packed::<Self>();

            fn ty() -> Ty {
                <Self as Fields>::shape()
            }

            fn to_value(self) -> Value {
                match Self::ty() {
                    Ty::Struct(ty) => Value::Struct(ty, vec![$({ self.$i }.to_value()),+]),
                    _ => unreachable!("a tuple has the type of one"),
                }
            }

            #[allow(non_snake_case, reason = "the parts are called like their types")]
            fn from_value(value: &Value) -> Option<Self> {
                let [$($t),+] = struct_parts(value)?;
                Some($pack($($t::from_value($t)?),+))
            }
        }

        impl<$($t: Element),+> Packed<($($t,)+)> for $pack<$($t),+> {
            #[inline(always)]
            fn pack(result: ($($t,)+)) -> Self {
                $pack($(result.$i),+)
            }

            #[inline(always)]
            fn unpack(self) -> ($($t,)+) {
                ($(self.$i,)+)
            }
        }

        #[user_function]
        #[inline(always)]
        fn $function<$($t: Element,)+ $($r: Function2<$t, $t, $t>),+>(
            left: $pack<$($t),+>,
            right: $pack<$($t),+>,
        ) -> $pack<$($t),+> {
            $pack($($r::call(left.$i, right.$i)),+)
        }

        /// Combines tuples component by component: the function above, which commutes if all operators do.
        pub struct $each<$($r),+>(PhantomData<fn() -> ($($r,)+)>);

        impl<$($t: Element, $r: Operator<$t>),+>
            UserFunction<(Each<$pack<$($t),+>>, Each<$pack<$($t),+>>)> for $each<$($r),+>
        {
            type At = ();
            type Output = $pack<$($t),+>;
            const NAME: &'static str = "each component";
            const COMMUTATIVE: bool = true $(&& $r::COMMUTATIVE)+;

            #[inline(always)]
            fn call((): (), (left, right): ($pack<$($t),+>, $pack<$($t),+>)) -> $pack<$($t),+> {
                $function::<$($t,)+ $($r),+>(left, right)
            }

            fn ir(cx: &mut Cx) -> Imp {
                <$function<$($r),+> as UserFunction<(Each<$pack<$($t),+>>, Each<$pack<$($t),+>>)>>::ir(cx)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($t: Element, $r: Operator<$t>),+> Operators<($($t,)+)> for ($($r,)+) {
            type Value = $pack<$($t),+>;
            type Operator = $each<$($r),+>;

            #[inline(always)]
            fn block<P, F, const N: usize, X>(source: &mut X, out: &mut Var<Self::Value, N>)
            where
                P: Params,
                F: UserFunction<P, Output = ($($t,)+)>,
                X: Source<P, At = F::At>,
            {
                packed::<P, F, Self, N, X>(source, out);
            }
        }
    };
}
components!(Pack2 EachOf2 each_of_2: A R 0, B S 1);
components!(Pack3 EachOf3 each_of_3: A R 0, B S 1, C U 2);
components!(Pack4 EachOf4 each_of_4: A R 0, B S 1, C U 2, D V 3);

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn packed_tuples_are_values_and_bytes_without_gaps() {
        type Packed = Pack3<bool, f64, u16>;
        assert_eq!(size_of::<Packed>(), 11);
        let packed: Packed = Pack3(true, -2.5, 700);
        let value = packed.to_value();
        assert_eq!(value.ty(), Packed::ty());
        let back = Packed::from_value(&value).unwrap();
        assert_eq!(({ back.0 }, { back.1 }, { back.2 }), (true, -2.5, 700));
        let check = Packed::CHECK.unwrap();
        let mut bytes = [0; 11];
        assert!(check(&bytes));
        bytes[0] = 2;
        assert!(!check(&bytes));
    }
}
