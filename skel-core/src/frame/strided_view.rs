//! Elements that do not lie one after the other, gathered as they are needed.

use super::{ErasedArray, View};
use crate::{
    Element,
    caught::or_unwind,
    space::{CoalescedLayout, Run},
};
use std::ops::Range;

/// Elements that are gathered at once, at most, and bytes that they take, unless one takes more. Elements of a byte or
/// two may be more, as long as they take no more than so many of four bytes: what is opened often costs.
const MOST_ELEMS: usize = 1024;
const MOST_BYTES: usize = 16 << 10;

/// Elements to read that lie at the places that [`CoalescedLayout`] says. What is opened is gathered into memory of
/// the view's own, unless it happens to lie one after the other.
#[derive(Debug)]
pub struct StridedView<'m> {
    view: View<'m>,
    coalesced: CoalescedLayout,
    gathered: Option<ErasedArray>,
}

impl<'m> StridedView<'m> {
    /// Elements at these places of what `view` shows.
    #[must_use]
    pub fn new(view: View<'m>, coalesced: CoalescedLayout) -> Self {
        StridedView {
            view,
            coalesced,
            gathered: None,
        }
    }

    /// The same elements, with memory of its own.
    #[must_use]
    pub fn again(&self) -> Self {
        StridedView::new(self.view, self.coalesced.clone())
    }

    /// How many elements can be opened at once.
    #[must_use]
    pub fn most_elems(&self) -> usize {
        let size_bytes = self.view.layout().size_bytes();
        let most = MOST_ELEMS * (4 / size_bytes).max(1);
        // A power of two, so that the segments of several strided views end together.
        1 << (MOST_BYTES / size_bytes).clamp(16, most).ilog2()
    }

    /// Elements `r` of the call.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of them are not within the view.
    #[inline]
    #[must_use]
    pub fn slice<T: Element>(&mut self, r: Range<usize>) -> &[T] {
        let run = self.coalesced.run(&r);
        if run.stride == 1 && run.len == r.len() {
            return self.view.slice(run.first..run.first + run.len);
        }
        self.gather(r)
    }

    fn gather<T: Element>(&mut self, r: Range<usize>) -> &[T] {
        let window = self.view.window();
        let elements = self.view.slice::<T>(window.clone());
        let (layout, len) = (self.view.layout(), r.len().max(self.most_elems()));
        if self.gathered.as_ref().is_none_or(|known| known.len() < len) {
            self.gathered = None;
        }
        let fresh = || or_unwind(ErasedArray::zeroed(layout, 0..len));
        let gathered = self.gathered.get_or_insert_with(fresh);
        let to = gathered.view_mut(0..r.len()).into_slice::<T>();
        let mut at = 0;
        self.coalesced.runs(r, |run| {
            copy_run(elements, window.start, run, &mut to[at..at + run.len]);
            at += run.len;
        });
        to
    }

    /// Element `i` of the call.
    ///
    /// # Panics
    /// As [`StridedView::slice`].
    #[must_use]
    pub fn element<T: Element>(&self, i: usize) -> T {
        let place = self.coalesced.at(i);
        self.view.slice::<T>(place..place + 1)[0]
    }
}

/// Copies the elements of a run, of an array whose first element is `start`.
#[inline(always)]
fn copy_run<T: Element>(elements: &[T], start: usize, run: Run, to: &mut [T]) {
    let first = run.first - start;
    match run.stride {
        0 => to.fill(elements[first]),
        1 => to.copy_from_slice(&elements[first..first + run.len]),
        stride => {
            for (k, value) in to.iter_mut().enumerate() {
                *value = elements[first.wrapping_add_signed(k as isize * stride)];
            }
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::space::{Layout, Shape};

    #[test]
    fn gathers_what_lies_apart_and_shows_what_does_not() {
        let data: Vec<u32> = (0..24).collect();
        let (view, shape) = (View::of(&data), Shape::D2(6, 4));
        let transposed = Layout {
            offset: 0,
            strides: [0, 0, 1, 6],
        };
        let mut strided = StridedView::new(view, transposed.over(shape));
        assert_eq!(strided.slice::<u32>(2..7), [12, 18, 1, 7, 13]);
        assert_eq!(strided.element::<u32>(5), 7);
        let part = Layout {
            offset: 1,
            strides: [0, 0, 6, 1],
        };
        let mut strided = StridedView::new(view, part.over(Shape::D2(4, 3)));
        let row = strided.slice::<u32>(3..6);
        assert!(std::ptr::eq(row, &data[7..10]));
        assert_eq!(strided.slice::<u32>(2..5), [3, 7, 8]);
    }
}
