//! A whole tensor, read at random: what a user function sees of it, and its kind.

use super::{Kind, Param, access::opened_as_one};
use crate::{
    Element,
    frame::Slot,
    ir::{Ty, Value, ViewKind, eval},
    plan::Role,
    space::Segment,
};
use std::{
    marker::PhantomData,
    ops::{Index, Range},
};

/// A whole tensor of three dimensions, read at random: `t[(plane, row, col)]`.
///
/// As a parameter of a user function it is passed a `&Tensor3<T>` of any shape.
///
/// ```
/// use skel::prelude::*;
///
/// let depth = map!(|at: Index2, t: Tensor3View<f32>| {
///     let mut sum = 0.0;
///     for plane in 0..t.planes() {
///         sum += t[(plane, at.row, at.col)];
///     }
///     sum
/// });
/// let t = Tensor3::from_fn(3, 2, 2, |k, i, j| (100 * k + 10 * i + j) as f32);
/// let sums = depth.run_shaped((2, 2), (&t,))?;
/// assert_eq!(sums.host()?[..], [300.0, 303.0, 330.0, 333.0]);
/// # skel::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Tensor3View<'a, T> {
    /// `planes * rows * cols` elements.
    elements: &'a [T],
    planes: usize,
    rows: usize,
    cols: usize,
}

impl<T> Clone for Tensor3View<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Tensor3View<'_, T> {}

impl<'a, T: Element> Tensor3View<'a, T> {
    /// A tensor of these elements, plane by plane, each row by row.
    ///
    /// # Panics
    /// Unless there are `planes * rows * cols` of them.
    #[inline(always)]
    #[must_use]
    pub fn new(elements: &'a [T], [planes, rows, cols]: [usize; 3]) -> Self {
        let len = planes.checked_mul(rows).and_then(|n| n.checked_mul(cols));
        assert!(
            len == Some(elements.len()),
            "{} elements in {planes} planes of {rows} rows of {cols}",
            elements.len()
        );
        Tensor3View {
            elements,
            planes,
            rows,
            cols,
        }
    }

    /// The number of planes.
    #[inline(always)]
    #[must_use]
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of rows of a plane.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[inline(always)]
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }
}

impl<T: Element> Index<(usize, usize, usize)> for Tensor3View<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, (plane, row, col): (usize, usize, usize)) -> &T {
        if plane >= self.planes || row >= self.rows {
            out_of_range([plane, row, col], [self.planes, self.rows, self.cols]);
        }
        // In a loop over columns, all of this but the last step is the same in every round.
        let row = &self.elements[(plane * self.rows + row) * self.cols..][..self.cols];
        &row[col]
    }
}

#[cold]
#[inline(never)]
fn out_of_range(index: [usize; 3], extents: [usize; 3]) -> ! {
    panic!("index out of bounds: the extents are {extents:?} but the index is {index:?}")
}

/// A whole tensor of three dimensions, read at random: `t: Tensor3View<T>`.
pub struct WholeTensor3<T>(PhantomData<fn() -> T>);

impl<T: 'static> Kind for WholeTensor3<T> {
    type Arg<'a> = Tensor3View<'a, T>;
}

#[inline(always)]
fn whole<'a, T: Element>(slot: &Slot<'a>) -> Tensor3View<'a, T> {
    match slot {
        Slot::Whole(view, shape) => {
            let [_, planes, rows, cols] = shape.extents();
            Tensor3View::new(view.slice(view.window()), [planes, rows, cols])
        }
        _ => unreachable!("whole containers have slots of their own"),
    }
}

impl<T: Element> eval::View for Tensor3View<'_, T> {
    fn extent(&self, dimension: usize) -> usize {
        [self.planes, self.rows, self.cols][dimension]
    }

    fn get(&self, indices: &[isize]) -> Value {
        let [plane, row, col] = indices else {
            unreachable!("{} indices of a tensor", indices.len())
        };
        let index = |at: &isize| at.cast_unsigned();
        self[(index(plane), index(row), index(col))].to_value()
    }
}

impl<T: Element> Param for WholeTensor3<T> {
    const ROLE: Role = Role::View;
    type Access<'a> = Tensor3View<'a, T>;

    opened_as_one!();

    fn ty() -> Ty {
        Ty::view(T::ty(), ViewKind::Tensor3)
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, _: &Segment) -> Tensor3View<'a, T> {
        whole(slot)
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut Tensor3View<'a, T>, _: Range<usize>) -> Tensor3View<'b, T> {
        *access
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut Tensor3View<'a, T>, _: usize) -> Tensor3View<'b, T> {
        *access
    }

    fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
        match <Self as Param>::ty() {
            Ty::View(ty) => Value::View(ty, number),
            _ => unreachable!("a view has the type of one"),
        }
    }

    fn view<'s>(slot: &'s Slot<'_>, _: &Segment) -> Option<Box<dyn eval::View + 's>> {
        Some(Box::new(whole::<T>(slot)))
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn each_index_has_its_own_bound() {
        let elements: Vec<u32> = (0..24).collect();
        let t = Tensor3View::new(&elements, [2, 3, 4]);
        assert_eq!((t[(0, 0, 3)], t[(1, 2, 0)]), (3, 20));
        for beyond in [
            (2, 0, 0),
            (0, 3, 0),
            (0, 0, 4),
            (usize::MAX, 0, 0),
            (0, usize::MAX, 1),
        ] {
            assert!(catch_unwind(|| t[beyond]).is_err(), "{beyond:?}");
        }
    }
}
