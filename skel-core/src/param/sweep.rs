//! What an element of a sweep sees, as a user function sees it, and how a host function gets at it.
#![allow(unsafe_code, reason = "reads what its maker promised to be there")]

use super::{Kind, Param, ParamList, access::opened_as_one, for_each_arity};
use crate::{
    Element,
    frame::{Near, Slot, SweepAccess, SweepInside, SweepNeighbourhood, SweepRadius},
    ir::{Ty, Value, ViewKind, eval},
    plan::{Role, SweepForm},
    space::{MAX_RANK, Segment},
};
use std::{fmt, marker::PhantomData, ops::Index, ops::Range};

/// A kind of parameter that is a sweep.
pub trait SweepKind: Param {
    /// The type of the elements.
    type Elem: Element;
    /// How many dimensions it has.
    const RANK: usize;
    /// How far it sees along each dimension.
    const RADIUS: [usize; MAX_RANK];
    /// Elements of a row around which all is there that they see.
    type Inside<'a>;

    /// Elements `r`, counted from the beginning of the access, around which all is there.
    fn inside<'b>(access: &'b mut Self::Access<'_>, r: Range<usize>) -> Self::Inside<'b>;

    /// What is beside the element of these that is computed first.
    fn preceding(inside: &Self::Inside<'_>) -> Near<Self::Elem>;

    /// Looks at what is in the row before element `k` of these.
    fn look(inside: &Self::Inside<'_>, k: usize, near: &mut Near<Self::Elem>);

    /// What element `k` of these sees; `near` is what is beside it.
    fn get_inside<'b>(
        inside: &'b Self::Inside<'_>,
        k: usize,
        near: &'b Near<Self::Elem>,
    ) -> Self::Arg<'b>;

    /// Writes element `k` of what [`SweepKind::inside`] has given.
    ///
    /// # Safety
    /// As of [`SweepParams::put`].
    unsafe fn put_inside(inside: &mut Self::Inside<'_>, k: usize, value: Self::Elem);

    /// Writes element `k` of what the access was opened for.
    ///
    /// # Safety
    /// As of [`SweepParams::put`].
    unsafe fn put(access: &mut Self::Access<'_>, k: usize, value: Self::Elem);
}

/// Parameters of which the first is a sweep.
#[diagnostic::on_unimplemented(
    message = "`sweep!` needs a sweep as the first parameter of its user function",
    label = "wanted here: a function whose first parameter is `w: Sweep1<T, R>`, or of more dimensions",
    note = "what is swept is the first argument; other parameters are values, elements and whole containers, for reading"
)]
pub trait SweepParams: ParamList {
    /// The sweep.
    type Sweep: SweepKind;
    /// The accesses of elements of a row around which all is there that they see.
    type Inside<'a>;

    /// See [`SweepKind::inside`].
    fn inside<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Inside<'b>;

    /// See [`SweepKind::preceding`].
    fn preceding(inside: &Self::Inside<'_>) -> Near<Swept<Self>>;

    /// See [`SweepKind::look`].
    fn look(inside: &Self::Inside<'_>, k: usize, near: &mut Near<Swept<Self>>);

    /// See [`SweepKind::get_inside`].
    fn get_inside<'b, 'a: 'b>(
        inside: &'b mut Self::Inside<'a>,
        k: usize,
        near: &'b Near<Swept<Self>>,
    ) -> Self::Args<'b>;

    /// See [`SweepKind::put_inside`].
    ///
    /// # Safety
    /// As of [`SweepParams::put`].
    unsafe fn put_inside(inside: &mut Self::Inside<'_>, k: usize, value: Swept<Self>);

    /// Writes element `k` of what the sweep was opened for.
    ///
    /// # Safety
    /// As of a frame that is opened for a sweep: nothing reads or writes the element at the same time.
    unsafe fn put(access: &mut Self::Access<'_>, k: usize, value: Swept<Self>);
}

/// The elements that are swept.
pub type Swept<P> = <<P as SweepParams>::Sweep as SweepKind>::Elem;

#[cold]
#[inline(never)]
#[track_caller]
fn outside(name: &str, offset: &[isize]) -> ! {
    panic!("index out of bounds: offset {offset:?} is beyond the reach of the {name}")
}

macro_rules! sweep {
    (
        $(#[$doc:meta])* $name:ident, $kind:ident, $rank:literal, [$($n:ident $i:ident $d:tt),*], $offset:ty,
        [$($all:tt)*]
    ) => {
        $(#[$doc])*
        pub struct $name<'a, T, $(const $n: usize),*>(SweepNeighbourhood<'a, T, $rank>);

        #[doc = concat!("What a sweep computes, and what an element of it sees: `w: ", stringify!($name), "<T, …>`.")]
        pub struct $kind<T, $(const $n: usize),*>(PhantomData<fn() -> T>);

        impl<T: 'static, $(const $n: usize),*> Kind for $kind<T, $($n),*> {
            type Arg<'a> = $name<'a, T, $($n),*>;
        }

        impl<'a, T: Element, $(const $n: usize),*> $name<'a, T, $($n),*> {
            /// What an element sees that lies at `origin`, with others `pitch` elements apart along each dimension, to call
            /// a user function as the Rust function that it is.
            ///
            /// # Safety
            /// All elements that it reaches may be read while `'a` lasts.
            #[inline(always)]
            #[must_use]
            pub unsafe fn new(origin: *const T, pitch: [isize; $rank]) -> Self {
                $name(SweepNeighbourhood {
                    origin,
                    pitch,
                    before: [isize::MAX; $rank],
                    after: [isize::MAX; $rank],
                    pad: None,
                    near: None,
                })
            }
        }

        impl<T, $(const $n: usize),*> Clone for $name<'_, T, $($n),*> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T, $(const $n: usize),*> Copy for $name<'_, T, $($n),*> {}

        impl<T, $(const $n: usize),*> fmt::Debug for $name<'_, T, $($n),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl<T, $(const $n: usize),*> Index<$offset> for $name<'_, T, $($n),*> {
            type Output = T;

            /// # Panics
            /// Beyond its reach, and at offsets of both signs.
            #[inline(always)]
            #[track_caller]
            fn index(&self, offset: $offset) -> &T {
                #[allow(unused_parens, reason = "one dimension is no tuple")]
                let ($($i),*) = offset;
                let within = true $(&& $i.unsigned_abs() <= $n)*;
                let (before, behind) = (true $(&& $i <= 0)*, true $(&& $i >= 0)*);
                if !(within && (before || behind)) {
                    outside(stringify!($name), &[$($i),*]);
                }
                let seen = &self.0;
                if let Some(near) = seen.near {
                    // What is beyond its reach was refused above, so these are elements that it sees.
                    if true $(&& $i == if $d + 1 == $rank { -1 } else { 0 })* {
                        return &near.last;
                    }
                    if $rank > 1 && true $(&& $i == if $d + 2 == $rank { -1 } else { 0 })* {
                        return &near.above;
                    }
                    if $rank > 1 && true $(&& $i == if $d + 2 >= $rank { -1 } else { 0 })* {
                        return &near.corner;
                    }
                }
                let nearest = [$($i.max(-seen.before[$d]).min(seen.after[$d])),*];
                if let Some(pad) = seen.pad
                    && (false $(|| nearest[$d] != $i)*)
                {
                    return pad;
                }
                let distance = 0 $(+ nearest[$d] * seen.pitch[$d])*;
                // SAFETY: as far from the origin as `before` and `after` say, and the offsets are of one sign, since
                // those to the nearest element are between 0 and what was asked for: readable, by the invariant of `SweepNeighbourhood`.
                unsafe { &*seen.origin.offset(distance) }
            }
        }

        impl<T: Element, $(const $n: usize),*> SweepRadius<$rank> for $kind<T, $($n),*> {
            const RADIUS: [isize; $rank] = [$($n.cast_signed()),*];
        }

        impl<T: Element, $(const $n: usize),*> SweepKind for $kind<T, $($n),*> {
            type Elem = T;
            const RANK: usize = $rank;
            const RADIUS: [usize; MAX_RANK] = [$($all)*];
            type Inside<'a> = SweepInside<'a, T, Self, $rank>;

            #[inline(always)]
            fn inside<'b>(access: &'b mut Self::Access<'_>, r: Range<usize>) -> Self::Inside<'b> {
                access.inside(r)
            }

            #[inline(always)]
            fn preceding(inside: &Self::Inside<'_>) -> Near<T> {
                inside.preceding()
            }

            #[inline(always)]
            fn look(inside: &Self::Inside<'_>, k: usize, near: &mut Near<T>) {
                inside.look(k, near);
            }

            #[inline(always)]
            fn get_inside<'b>(inside: &'b Self::Inside<'_>, k: usize, near: &'b Near<T>) -> $name<'b, T, $($n),*> {
                $name(inside.get(k, near))
            }

            #[inline(always)]
            unsafe fn put_inside(inside: &mut Self::Inside<'_>, k: usize, value: T) {
                // SAFETY: the caller keeps to the order of the sweep: nothing else reads or writes the element now.
                unsafe { inside.put(k, value) };
            }

            #[inline(always)]
            unsafe fn put(access: &mut Self::Access<'_>, k: usize, value: T) {
                // SAFETY: the caller keeps to the order of the sweep: nothing else reads or writes the element now.
                unsafe { access.put(k, value) };
            }
        }

        impl<T: Element, $(const $n: usize),*> $kind<T, $($n),*> {
            const VIEW: ViewKind = {
                let [a, b, c, d] = [$($all)*];
                // Wider than anything that can be; so a device refuses it, and nothing wraps.
                assert!(
                    a <= 1 << 20 && b <= 1 << 20 && c <= 1 << 20 && d <= 1 << 20,
                    "a sweep sees 2^20 elements far at most"
                );
                ViewKind::Sweep { rank: $rank, radius: [a as u32, b as u32, c as u32, d as u32] }
            };
        }

        impl<T: Element, $(const $n: usize),*> Param for $kind<T, $($n),*> {
            const ROLE: Role = Role::Sweep(SweepForm::UPWARDS);
            const BY_ROWS: bool = true;
            const IS_SWEEP: bool = true;
            type Access<'a> = SweepAccess<'a, T, $rank>;

            opened_as_one!();

            fn ty() -> Ty {
                Ty::view(T::ty(), Self::VIEW)
            }

            #[inline(always)]
            fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> Self::Access<'a> {
                match slot {
                    Slot::Sweep(sweep) => sweep.open(segment.range()),
                    _ => unreachable!("sweeps have slots of their own"),
                }
            }

            #[inline(always)]
            fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b> {
                access.sub(r)
            }

            #[inline(always)]
            fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> $name<'b, T, $($n),*> {
                $name(access.get(i))
            }

            fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
                match Self::ty() {
                    Ty::View(ty) => Value::View(ty, number),
                    _ => unreachable!("a view has the type of one"),
                }
            }

            fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
                Some(Box::new(Interpreted::<T> {
                    slot,
                    at: segment.range().start,
                    rank: $rank,
                    _elements: PhantomData,
                }))
            }
        }
    };
}

sweep! {
    /// What an element of a [`Sweep`](crate::skeleton::Sweep) over a vector sees: `w[-1]` is what the sweep has made of
    /// the element before it, `w[0]` what is there itself, `w[1]` the next one; as far away as `R`.
    Sweep1, EachSweep1, 1, [X x 0], isize, [0, 0, 0, X]
}
sweep! {
    /// What an element of a [`Sweep`](crate::skeleton::Sweep) over a matrix sees, at most `RY` rows and `RX` columns
    /// away: `w[(dy, dx)]`. Offsets of which none is positive come before the element, and the sweep has computed those;
    /// offsets of which none is negative are what was there before.
    Sweep2, EachSweep2, 2, [Y y 0, X x 1], (isize, isize), [0, 0, Y, X]
}
sweep! {
    /// What an element of a [`Sweep`](crate::skeleton::Sweep) over a tensor sees, at most `RZ` planes, `RY` rows and
    /// `RX` columns away: `w[(dz, dy, dx)]`, as of [`Sweep2`].
    Sweep3, EachSweep3, 3, [Z z 0, Y y 1, X x 2], (isize, isize, isize), [0, Z, Y, X]
}

/// What the interpreter reads of a sweep.
struct Interpreted<'s, 'm, T> {
    slot: &'s Slot<'m>,
    at: usize,
    rank: usize,
    _elements: PhantomData<fn() -> T>,
}

impl<T: Element> eval::View for Interpreted<'_, '_, T> {
    fn extent(&self, _: usize) -> usize {
        unreachable!("what an element of a sweep sees has no extent")
    }

    fn get(&self, indices: &[isize]) -> Value {
        let mut offsets = [0; MAX_RANK];
        offsets[MAX_RANK - self.rank..].copy_from_slice(indices);
        match self.slot {
            Slot::Sweep(sweep) => sweep.seen::<T>(self.at, offsets).to_value(),
            _ => unreachable!("sweeps have slots of their own"),
        }
    }
}

macro_rules! sweep_params {
    () => {};
    ($first:ident $zero:tt $(, $k:ident $i:tt)*) => {
        impl<$first: SweepKind $(, $k: Param)*> SweepParams for ($first, $($k,)*) {
            type Sweep = $first;
            type Inside<'a> = ($first::Inside<'a>, $($k::Access<'a>,)*);

            #[inline(always)]
            fn inside<'b, 'a: 'b>(
                access: &'b mut Self::Access<'a>,
                r: Range<usize>,
            ) -> Self::Inside<'b> {
                ($first::inside(&mut access.0, r.clone()), $($k::sub(&mut access.$i, r.clone()),)*)
            }

            #[inline(always)]
            fn preceding(inside: &Self::Inside<'_>) -> Near<$first::Elem> {
                $first::preceding(&inside.0)
            }

            #[inline(always)]
            fn look(inside: &Self::Inside<'_>, k: usize, near: &mut Near<$first::Elem>) {
                $first::look(&inside.0, k, near);
            }

            #[inline(always)]
            fn get_inside<'b, 'a: 'b>(
                inside: &'b mut Self::Inside<'a>,
                k: usize,
                near: &'b Near<$first::Elem>,
            ) -> Self::Args<'b> {
                ($first::get_inside(&inside.0, k, near), $($k::get(&mut inside.$i, k),)*)
            }

            #[inline(always)]
            unsafe fn put_inside(inside: &mut Self::Inside<'_>, k: usize, value: $first::Elem) {
                // SAFETY: the caller keeps to the order of the sweep, of which the first parameter has the elements.
                unsafe { $first::put_inside(&mut inside.0, k, value) };
            }

            #[inline(always)]
            unsafe fn put(access: &mut Self::Access<'_>, k: usize, value: $first::Elem) {
                // SAFETY: the caller keeps to the order of the sweep, of which the first parameter has the elements.
                unsafe { $first::put(&mut access.0, k, value) };
            }
        }
    };
}
for_each_arity!(sweep_params);
