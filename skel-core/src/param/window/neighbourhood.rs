//! How a host function gets at neighbourhoods.
//!
//! Elements are taken segment by segment, and segments end where neighbourhoods begin or cease to lie
//! wholly inside of the container. Inside, windows point into the container. At an edge, what a segment
//! sees is copied first, with the edges made; so the loop over a segment is the same everywhere.
#![allow(unsafe_code, reason = "points into memory that has been checked")]

use super::{
    EachPool1, EachPool2, EachPool3, EachPool4, EachWindow1, EachWindow2, EachWindow3, EachWindow4,
    Pool1, Pool2, Pool3, Pool4, Window1, Window2, Window3, Window4, eval::EvalNeighbourhood,
    gather::gather, place::Place, rows::whole_rows,
};
use crate::{
    Element,
    frame::{NeighbourhoodView, Slot},
    ir::{Ty, Value, ViewKind, eval},
    param::{Kind, Param},
    plan::Role,
    space::{MAX_RANK, Reach, Segment},
};
use std::{marker::PhantomData, ops::Range};

/// A kind of parameter that is a neighbourhood of elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a window nor a pool",
    label = "wanted here: `Window1<T, R>`, `Pool1<T, N>`, or one of more dimensions"
)]
pub trait NeighbourhoodKind: Kind {
    /// The type of the elements.
    type Elem: Element;
    /// How far it reaches.
    const REACH: Reach;
    /// How it is indexed.
    const VIEW: ViewKind;

    /// The element at offset 0.
    fn centre(arg: &Self::Arg<'_>) -> Self::Elem;
}

/// What a neighbourhood looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// How far it reaches.
    pub reach: Reach,
    /// Whether it is a pool.
    pub pool: bool,
}

impl Form {
    /// One that reaches as far as all of these do; they are alike otherwise, or nothing compiles.
    #[must_use]
    pub const fn widest(forms: &[Option<Form>]) -> Option<Form> {
        let (mut widest, mut k): (Option<Form>, usize) = (None, 0);
        while k < forms.len() {
            widest = match (widest, forms[k]) {
                (None, form) | (form, None) => form,
                (Some(a), Some(b)) => {
                    assert!(
                        a.pool == b.pool,
                        "a user function has windows or pools, not both"
                    );
                    assert!(
                        a.reach.rank == b.reach.rank,
                        "all windows of a user function have the same number of dimensions: let a radius be 0"
                    );
                    Some(Form {
                        reach: a.reach.or(&b.reach),
                        pool: a.pool,
                    })
                }
            };
            k += 1;
        }
        widest
    }
}

/// Neighbourhoods of neighbouring elements: the first one's element at offset 0, and how far the next
/// one's is; of several rows, if they are alike. Invariant: all elements that `len` neighbourhoods of each of `rows`
/// rows reach may be read during `'a`; how far they reach is what `K` says, which opened them.
pub struct Opened<'a, K, T, const RANK: usize> {
    origin: *const T,
    pitch: [usize; RANK],
    step: usize,
    len: usize,
    rows: usize,
    /// Elements from the first neighbourhood of a row to that of the next row.
    row_step: usize,
    _elements: PhantomData<&'a [T]>,
    _kind: PhantomData<fn() -> K>,
}

/// A slot's window.
pub(super) fn near<'a, 'm>(slot: &'a Slot<'m>) -> &'a NeighbourhoodView<'m> {
    match slot {
        Slot::Window(near) => near,
        _ => {
            unreachable!("neighbourhoods have slots of their own")
        }
    }
}

impl<'a, K: NeighbourhoodKind<Elem = T>, T: Element, const RANK: usize> Opened<'a, K, T, RANK> {
    #[inline(always)]
    fn open(slot: &'a mut Slot<'_>, segment: &Segment, rows: usize) -> Self {
        let near = match slot {
            Slot::Window(near) => &mut **near,
            _ => {
                unreachable!("neighbourhoods have slots of their own")
            }
        };
        let len = segment.range().len();
        let place = Place::of(&near.near, &K::REACH, segment);
        // Rows that all see the same of the edges; of others, what they see is copied, row by row.
        let are_alike = rows == 1 || rows <= place.rows_inside(&near.near, &K::REACH);
        if are_alike && place.is_inside(&near.near, &K::REACH, len) {
            let pitches = place.pitches;
            let pitch = std::array::from_fn(|d| pitches[MAX_RANK - RANK + d]);
            let step = place.step(&near.near);
            let origin = place.element();
            let row_step = place.row_step(&near.near, &K::REACH);
            // The elements between the first and the last that are seen were all found present, by row.
            place.assert_present(&near.view, &K::REACH, (rows, row_step), (len, step));
            return Opened {
                origin: near.view.pointer(origin),
                pitch,
                step,
                len,
                rows,
                row_step,
                _elements: PhantomData,
                _kind: PhantomData,
            };
        }
        let copy = whole_rows::<K>(near, &place, segment, rows)
            .unwrap_or_else(|| gather::<K>(near, &place, len, (rows, are_alike)));
        Opened {
            origin: copy.origin,
            pitch: std::array::from_fn(|d| copy.pitches[MAX_RANK - RANK + d]),
            step: copy.step,
            len,
            rows,
            row_step: copy.row_step,
            _elements: PhantomData,
            _kind: PhantomData,
        }
    }

    /// Elements `0..len` of a row.
    #[inline(always)]
    fn row(&self, row: usize, len: usize) -> Opened<'a, K, T, RANK> {
        assert!(
            row < self.rows && len <= self.len,
            "rows that were not opened"
        );
        Opened {
            origin: self.origin.wrapping_add(row * self.row_step),
            len,
            rows: 1,
            ..*self
        }
    }

    #[inline(always)]
    fn sub(&self, r: Range<usize>) -> Opened<'a, K, T, RANK> {
        assert!(
            r.start <= r.end && r.end <= self.len,
            "elements that were not opened"
        );
        Opened {
            origin: self.origin.wrapping_add(r.start * self.step),
            len: r.end - r.start,
            rows: 1,
            ..*self
        }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> *const T {
        assert!(i < self.len, "an element that was not opened");
        // SAFETY: the type's invariant: this element may be read.
        unsafe { self.origin.add(i * self.step) }
    }
}

macro_rules! kind {
    ($kind:ident, $arg:ident, $rank:literal, $pool:literal, $reach:ident, $view:ident $field:ident,
        [$($n:ident)*], [$($all:tt)*], [$($zero:tt)*]) => {
        impl<T: Element, $(const $n: usize),*> NeighbourhoodKind for $kind<T, $($n),*> {
            type Elem = T;
            const REACH: Reach = Reach::$reach($rank, [$($all)*]);
            const VIEW: ViewKind = {
                let [a, b, c, d] = [$($all)*];
                // Wider than anything that can be; so a device refuses it, and nothing wraps.
                assert!(
                    a <= 1 << 20 && b <= 1 << 20 && c <= 1 << 20 && d <= 1 << 20,
                    "a neighbourhood reaches 2^20 elements at most"
                );
                let [a1, b1, c1, d1] = [2 * a as u128 + 1, 2 * b as u128 + 1, 2 * c as u128 + 1, 2 * d as u128 + 1];
                assert!(
                    a1 * b1 * c1 * d1 <= 1 << 34,
                    "a neighbourhood has 2^34 elements at most"
                );
                ViewKind::$view { rank: $rank, $field: [a as u32, b as u32, c as u32, d as u32] }
            };

            #[inline(always)]
            fn centre(arg: &$arg<'_, T, $($n),*>) -> T {
                arg[($($zero)*)]
            }
        }

        impl<T: Element, $(const $n: usize),*> Param for $kind<T, $($n),*> {
            const ROLE: Role = Role::Window(None);
            const BY_ROWS: bool = true;
            const NEAR: Option<Form> = Some(Form { reach: Self::REACH, pool: $pool });
            type Access<'a> = Opened<'a, Self, T, $rank>;
            type Rows<'a> = Opened<'a, Self, T, $rank>;

            fn ty() -> Ty {
                Ty::view(T::ty(), Self::VIEW)
            }

            #[inline(always)]
            fn cut(slot: &Slot<'_>, segment: &Segment, rows: usize) -> usize {
                let near = near(slot);
                let place = Place::of(&near.near, &Self::REACH, segment);
                segment.range().start + place.cut(&near.near, &Self::REACH, size_of::<T>(), (rows, segment.range().len()))
            }

            #[inline(always)]
            fn rows(slot: &Slot<'_>, segment: &Segment, most: usize) -> usize {
                let near = near(slot);
                let place = Place::of(&near.near, &Self::REACH, segment);
                most.min(place.rows(&near.near, &Self::REACH, size_of::<T>()))
            }

            #[inline(always)]
            fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> Self::Access<'a> {
                Opened::open(slot, segment, 1)
            }

            #[inline(always)]
            fn open_rows<'a>(slot: &'a mut Slot<'_>, segment: &Segment, rows: usize) -> Self::Rows<'a> {
                Opened::open(slot, segment, rows)
            }

            #[inline(always)]
            fn row<'b, 'a: 'b>(
                opened: &'b mut Self::Rows<'a>,
                row: usize,
                _: usize,
                elems: usize,
            ) -> Self::Access<'b> {
                opened.row(row, elems)
            }

            #[inline(always)]
            fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b> {
                access.sub(r)
            }

            #[inline(always)]
            fn lie_together(access: &Self::Access<'_>) -> bool {
                access.step == 1
            }

            #[inline(always)]
            fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> $arg<'b, T, $($n),*> {
                // SAFETY: what this kind has opened may be read for `'a`, as far as it reaches.
                unsafe { $arg::new(access.at(i), access.pitch) }
            }

            fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
                match Self::ty() {
                    Ty::View(ty) => Value::View(ty, number),
                    _ => unreachable!("a view has the type of one"),
                }
            }

            fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
                Some(Box::new(EvalNeighbourhood::<T>::new(near(slot), Self::VIEW, segment.range().start)))
            }
        }
    };
}

macro_rules! kinds {
    ($window:ident $window_arg:ident $pool:ident $pool_arg:ident $rank:literal, [$($n:ident)*], [$($all:tt)*], [$($none:tt)*], [$($zero:tt)*]) => {
        kind!($window, $window_arg, $rank, false, window, Window radius, [$($n)*], [$($all)*], [$($zero)*]);
        kind!($pool, $pool_arg, $rank, true, pool, Pool size, [$($n)*], [$($none)*], [$($zero)*]);
    };
}
kinds!(EachWindow1 Window1 EachPool1 Pool1 1, [X], [0, 0, 0, X], [1, 1, 1, X], [0]);
kinds!(EachWindow2 Window2 EachPool2 Pool2 2, [Y X], [0, 0, Y, X], [1, 1, Y, X], [0, 0]);
kinds!(EachWindow3 Window3 EachPool3 Pool3 3, [Z Y X], [0, Z, Y, X], [1, Z, Y, X], [0, 0, 0]);
kinds!(EachWindow4 Window4 EachPool4 Pool4 4, [W Z Y X], [W, Z, Y, X], [W, Z, Y, X], [0, 0, 0, 0]);
