//! What a user function returns: the elements of the output containers.

use crate::{Element, frame::Slot, ir::Ty};
use std::{mem::MaybeUninit, ops::Range};

/// An element, or `()` for functions that write through `&mut` alone.
#[diagnostic::on_unimplemented(
    message = "a user function cannot return `{Self}`",
    label = "neither an element nor `()`",
    note = "elements are `f32`, `f64`, `i32`, `u32`, `usize` and `bool`"
)]
pub trait Outputs: 'static {
    /// The number of output containers.
    const LEN: usize;

    /// The opened slots.
    type Access<'a>;

    /// The element types.
    fn tys() -> Vec<Ty>;

    /// Elements `r` of the `LEN` output slots.
    fn open<'a>(slots: &'a mut [Slot<'_>], r: &Range<usize>) -> Self::Access<'a>;

    /// Stores the result for element `i`, counted from the beginning of the access.
    fn put(access: &mut Self::Access<'_>, i: usize, value: Self);
}

impl<T: Element> Outputs for T {
    const LEN: usize = 1;
    type Access<'a> = &'a mut [MaybeUninit<T>];

    fn tys() -> Vec<Ty> {
        vec![T::ty()]
    }

    #[inline(always)]
    fn open<'a>(slots: &'a mut [Slot<'_>], r: &Range<usize>) -> Self::Access<'a> {
        match slots {
            [Slot::Out(view)] => view.slice(r.clone()),
            _ => unreachable!("one output slot for one output"),
        }
    }

    #[inline(always)]
    fn put(access: &mut Self::Access<'_>, i: usize, value: Self) {
        access[i].write(value);
    }
}

impl Outputs for () {
    const LEN: usize = 0;
    type Access<'a> = ();

    fn tys() -> Vec<Ty> {
        Vec::new()
    }

    #[inline(always)]
    fn open(_: &mut [Slot<'_>], _: &Range<usize>) {}

    #[inline(always)]
    fn put((): &mut (), _: usize, (): ()) {}
}
