//! Scans of several segments: an element that begins one forgets what precedes it.
#![allow(unsafe_code, reason = "an element type without padding")]

use super::{Form, source};
use crate::{
    Element,
    element::Check,
    ir::{
        Imp, Ty, Value,
        build::{Cx, Source},
    },
    param::{Each, Index2, ParamList, Params, Uniform},
    plan::Role,
    skeleton::fold::Operator,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// The combination of some elements since the last beginning of a segment among them, if there is one.
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub(in crate::skeleton) struct Flagged<T> {
    value: T,
    starts: bool,
}

impl<T: Element> Flagged<T> {
    /// What precedes all elements.
    pub(in crate::skeleton) fn before(value: T) -> Self {
        Flagged {
            value,
            starts: false,
        }
    }
}

/// Whether the bytes are any number of them.
fn are_flagged<T: Element>(bytes: &[u8]) -> bool {
    let whole = bytes.chunks_exact(size_of::<Flagged<T>>());
    whole.remainder().is_empty()
        && whole.into_iter().all(|bytes| {
            let (value, starts) = bytes.split_at(size_of::<T>());
            T::CHECK.is_none_or(|check| check(value)) && starts[0] <= 1
        })
}

// SAFETY: packed, so without padding; zero bytes are a value of both parts, and the check is of both.
unsafe impl<T: Element> Element for Flagged<T> {
    const IS_SCALAR: bool = false;
    const CHECK: Option<Check> = Some(are_flagged::<T>);

    fn ty() -> Ty {
        Ty::structure("Flagged", &[("value", T::ty()), ("starts", Ty::Bool)])
    }

    fn to_value(self) -> Value {
        let Flagged { value, starts } = self;
        Value::structure(&Self::ty(), vec![value.to_value(), Value::Bool(starts)])
    }

    fn from_value(value: &Value) -> Option<Self> {
        let [value, starts] = crate::element::struct_parts(value)?;
        Some(Flagged {
            value: T::from_value(value)?,
            starts: bool::from_value(starts)?,
        })
    }
}

/// `R` within segments.
pub(in crate::skeleton) struct Within<R>(PhantomData<fn() -> R>);

impl<R: Operator<T>, T: Element> UserFunction<(Each<Flagged<T>>, Each<Flagged<T>>)> for Within<R> {
    type At = ();
    type Output = Flagged<T>;
    const NAME: &'static str = "within";

    #[inline(always)]
    fn call((): (), (left, right): (Flagged<T>, Flagged<T>)) -> Flagged<T> {
        if right.starts {
            right
        } else {
            Flagged {
                value: R::apply(left.value, right.value),
                starts: left.starts,
            }
        }
    }

    fn ir(cx: &mut Cx) -> Imp {
        let ty = Flagged::<T>::ty;
        cx.define::<(Self, T)>("within", |cx| Source {
            types: vec![ty()],
            imps: vec![R::ir(cx)],
            ..source(
                &[ty(), ty()],
                ty(),
                "(fn (left right) (bl (tail (if (f starts (v 1)) \
                 (bl (tail (v 1))) \
                 (bl (tail (st 0 (value (c 0 (f value (v 0)) (f value (v 1)))) \
                 (starts (f starts (v 0))))))))))",
            )
        })
    }
}

/// Marks the elements that begin a segment, from what `P` passes: each row begins one, unless there are
/// flags. Where there is an initial value, it precedes each segment.
pub(in crate::skeleton) struct Mark<R, T>(PhantomData<fn() -> (R, T)>);

macro_rules! mark {
    (($($kind:ident<$t:ty>),*), $at:ty, |$given:pat_param, $args:pat_param| $starts:expr, $value:expr, [$($ty:expr),*], [$($imp:expr)?], $text:expr) => {
        impl<R: Operator<T>, T: Element> UserFunction<($($kind<$t>,)*)> for Mark<R, T> {
            type At = $at;
            type Output = Flagged<T>;
            const NAME: &'static str = "mark";

            #[inline(always)]
            fn call($given: $at, $args: ($($t,)*)) -> Flagged<T> {
                Flagged { starts: $starts, value: $value }
            }

            fn ir(cx: &mut Cx) -> Imp {
                cx.define::<(Self, ($($kind<$t>,)*))>("mark", |cx| {
                    let _ = &cx;
                    Source {
                        types: vec![Flagged::<T>::ty()],
                        imps: vec![$($imp(cx))?],
                        ..source(&[$($ty),*], Flagged::<T>::ty(), $text)
                    }
                })
            }
        }
    };
}

mark!(
    (Each<T>),
    Index2,
    |at, (x,)| at.col == 0,
    x,
    [T::ty(), Index2::ty()],
    [],
    "(fn (x at) (st 0 (value (v 0)) (starts (b == - (f col (v 1)) (lit ^ 0)))))"
);
mark!(
    (Each<T>, Uniform<T>),
    Index2,
    |at, (x, initial)| at.col == 0,
    if at.col == 0 { R::apply(initial, x) } else { x },
    [T::ty(), T::ty(), Index2::ty()],
    [R::ir],
    "(fn (x initial at) (bl (let 3 starts - (b == - (f col (v 2)) (lit ^ 0))) \
     (let 4 value - (if (v 3) (bl (tail (c 0 (v 1) (v 0)))) (bl (tail (v 0))))) \
     (tail (st 0 (value (v 4)) (starts (v 3))))))"
);
mark!(
    (Each<T>, Each<bool>),
    (),
    |(), (x, starts)| starts,
    x,
    [T::ty(), Ty::Bool],
    [],
    "(fn (x starts) (st 0 (value (v 0)) (starts (v 1))))"
);
mark!(
    (Each<T>, Each<bool>, Uniform<T>),
    (),
    |(), (x, starts, initial)| starts,
    if starts { R::apply(initial, x) } else { x },
    [T::ty(), Ty::Bool, T::ty()],
    [R::ir],
    "(fn (x starts initial) (bl \
     (let 3 value - (if (v 1) (bl (tail (c 0 (v 2) (v 0)))) (bl (tail (v 0))))) \
     (tail (st 0 (value (v 3)) (starts (v 1))))))"
);

/// Where in the arguments the initial value is.
pub(in crate::skeleton) trait Initial<T>: ParamList {
    /// The value, if it is passed.
    fn initial(args: Self::Args<'_>) -> Option<T>;
}

impl<T: Element> Initial<T> for (Each<T>,) {
    #[inline(always)]
    fn initial(_: (T,)) -> Option<T> {
        None
    }
}

impl<T: Element> Initial<T> for (Each<T>, Uniform<T>) {
    #[inline(always)]
    fn initial((_, initial): (T, T)) -> Option<T> {
        Some(initial)
    }
}

impl<T: Element> Initial<T> for (Each<T>, Each<bool>) {
    #[inline(always)]
    fn initial(_: (T, bool)) -> Option<T> {
        None
    }
}

impl<T: Element> Initial<T> for (Each<T>, Each<bool>, Uniform<T>) {
    #[inline(always)]
    fn initial((_, _, initial): (T, bool, T)) -> Option<T> {
        Some(initial)
    }
}

/// Operator, elements, parameters.
type Types<R, T, P> = PhantomData<fn() -> (R, T, P)>;

/// Segments, of elements that are combined by `R`; `P` is what [`Mark`] knows them by.
pub(in crate::skeleton) struct Parts<R, T, P, const EXCLUSIVE: bool>(Types<R, T, P>);

impl<R, T, P, const EXCLUSIVE: bool> Form for Parts<R, T, P, EXCLUSIVE>
where
    R: Operator<T>,
    T: Element,
    P: Initial<T>,
    Mark<R, T>: UserFunction<P, Output = Flagged<T>>,
{
    type Params = P;
    type State = Flagged<T>;
    type Output = T;
    type Map = Mark<R, T>;
    type Operator = Within<R>;
    const EXCLUSIVE: bool = EXCLUSIVE;

    #[inline(always)]
    fn emit(prefix: Flagged<T>, own: Flagged<T>, args: <P as Params>::Args<'_>) -> T {
        match P::initial(args) {
            Some(initial) if EXCLUSIVE && own.starts => initial,
            _ => prefix.value,
        }
    }

    fn emission(cx: &mut Cx) -> Imp {
        cx.define::<Self>("prefix", |_| {
            let mut params = vec![Flagged::<T>::ty(); 2];
            let roles = P::ROLES.iter().zip(P::tys());
            let uniform = roles.filter(|(role, _)| **role == Role::Uniform);
            params.extend(uniform.map(|(_, ty)| ty));
            let text = match (params.len(), EXCLUSIVE) {
                (2, _) => "(fn (prefix own) (f value (v 0)))",
                (_, false) => "(fn (prefix own initial) (f value (v 0)))",
                (_, true) => {
                    "(fn (prefix own initial) (bl (tail (if (f starts (v 1)) \
                     (bl (tail (v 2))) (bl (tail (f value (v 0))))))))"
                }
            };
            source(&params, T::ty(), text)
        })
    }
}
