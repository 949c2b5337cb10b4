//! What a piece changes in place, as it was before.

use super::{ErasedArray, Frame, Slot};
use crate::Result;

/// Copies of what a piece will change in place, so that it can be run again.
#[derive(Default)]
pub struct Before {
    /// The copies, with the positions of their slots.
    slots: Vec<(usize, ErasedArray)>,
    /// Of a sweep whose tiles are what they were unless they are computed: which elements are computed.
    computed: Option<Computed>,
}

type Computed = Box<dyn Fn(usize) -> bool + Send>;

/// Bytes that are set aside at a time, roughly: copies of so many stay in the cache, and are no work for the allocator.
const TOGETHER_BYTES: usize = 1 << 15;

/// Lines that lie between each other's elements are set aside at least so many at a time.
const LINES: usize = 8;

impl Before {
    /// How many elements of a piece should be set aside, and computed, at a time.
    #[must_use]
    pub fn together(piece: &Frame<'_>) -> usize {
        let (mut bytes, mut least) = (0, 1);
        for slot in &piece.slots {
            bytes += match slot {
                Slot::InOut(view) => view.layout().size_bytes(),
                Slot::Scattered(scattered) if scattered.reads() => scattered.layout().size_bytes(),
                Slot::LinesMut(lines) => {
                    if lines.lines().stride() > 1 {
                        least = LINES;
                    }
                    lines
                        .lines()
                        .len()
                        .saturating_mul(lines.layout().size_bytes())
                }
                // Neighbourhoods go by rectangles, of which parts would be a waste; a sweep is one whole.
                Slot::Window(_) | Slot::Sweep(_) => return usize::MAX,
                Slot::Scattered(_)
                | Slot::In(_)
                | Slot::Strided(_)
                | Slot::Out(_)
                | Slot::Whole(..)
                | Slot::Lines(_) => 0,
            };
        }
        TOGETHER_BYTES
            .checked_div(bytes)
            .map_or(usize::MAX, |elems| elems.max(least))
    }

    /// Of a sweep that ended early: these elements are computed, in the container's order, and all others are what they
    /// were before. Nothing has to be put back.
    #[must_use]
    pub fn of_sweep(is_computed: impl Fn(usize) -> bool + Send + 'static) -> Before {
        Before {
            slots: Vec::new(),
            computed: Some(Box::new(is_computed)),
        }
    }

    /// Whether an element of a sweep needs not be computed again.
    pub(crate) fn has_computed(&self, element: usize) -> bool {
        self.computed.as_ref().is_some_and(|is| is(element))
    }

    /// Copies of the arguments that the piece changes.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn of(piece: &Frame<'_>) -> Result<Before> {
        Before::default().again(piece)
    }

    /// The same, of another piece of the call, in the memory of these.
    ///
    /// # Errors
    /// As [`Before::of`].
    pub fn again(self, piece: &Frame<'_>) -> Result<Before> {
        let mut old = self.slots.into_iter().peekable();
        let mut slots = Vec::new();
        for (k, slot) in piece.slots.iter().enumerate() {
            let old = old.next_if(|(of, _)| *of == k).map(|(_, old)| old);
            let copy = match slot {
                Slot::InOut(view) => {
                    let own = view.as_view().narrow(piece.range.clone());
                    match old {
                        None => ErasedArray::copy_of(own)?,
                        old => {
                            let window = own.window();
                            let mut copy = ErasedArray::renewed(old, own.layout(), window.clone())?;
                            copy.view_out(window).copy_from(own);
                            copy
                        }
                    }
                }
                Slot::Scattered(scattered) if scattered.reads() => scattered.copy_to(old)?,
                Slot::LinesMut(lines) => lines.copy_to(old)?,
                Slot::Sweep(sweep) => sweep.copy()?,
                Slot::Scattered(_)
                | Slot::In(_)
                | Slot::Strided(_)
                | Slot::Out(_)
                | Slot::Whole(..)
                | Slot::Window(_)
                | Slot::Lines(_) => continue,
            };
            slots.push((k, copy));
        }
        Ok(Before {
            slots,
            computed: None,
        })
    }

    /// Makes the arguments of this part of the piece what they were.
    pub(crate) fn restore(&self, part: &mut Frame<'_>) {
        let range = part.range.clone();
        for (k, copy) in &self.slots {
            let was = || copy.view(range.clone());
            match &mut part.slots[*k] {
                Slot::InOut(view) => view.reborrow().into_out().copy_from(was()),
                Slot::Scattered(scattered) => scattered.put_all(was()),
                Slot::LinesMut(lines) => lines.put_all(&range, copy.all()),
                Slot::Sweep(sweep) => sweep.put_all(copy.all()),
                _ => unreachable!("what is changed in place stays in its slot"),
            }
        }
    }
}
