//! Windows that go around.
//!
//! At the edges of a container whose windows are cyclic, what a chunk sees lies at both ends, and all
//! of the container between them. So a chunk is shown a longer container, which has its last places once
//! more in front, and its first ones behind: there, what it sees lies together. Kernels need not know,
//! since a neighbourhood says how long the container is, and where the call's first element lies in it.

use skel_core::{
    Result,
    call::Window,
    frame::{ErasedArray, View},
    space::{EdgeKind, MAX_RANK},
};
use std::ops::Range;

/// A container that is longer than it is, along the outermost dimension of its windows.
pub(super) struct Wrap {
    /// Elements of one place along that dimension.
    place_elems: usize,
    /// Places, and how many more there are in front and in all.
    extent: usize,
    before: usize,
    longer: usize,
}

impl Wrap {
    /// The longer container for these windows, and where they lie in it, if they are cyclic.
    pub(super) fn of<'e>(window: &Window<'e>) -> Option<(Wrap, Window<'e>)> {
        let d = MAX_RANK - window.near.rank;
        let (extent, inner) = (window.near.extents[d], &window.near.extents[d + 1..]);
        let (before, after) = (window.reach.before[d], window.reach.after[d]);
        if window.near.edge != EdgeKind::Cyclic || before + after == 0 || extent == 0 {
            return None;
        }
        let mut longer = *window;
        longer.near.extents[d] += before + after;
        longer.near.shift[d] += before;
        let wrap = Wrap {
            place_elems: inner.iter().product::<usize>() * window.near.inner,
            extent,
            before,
            longer: extent + before + after,
        };
        Some((wrap, longer))
    }

    /// Calls `visit` with where in the longer container elements of the container lie, for all of the
    /// range `r` of the longer one: the first of them, the container's element, and how many follow.
    fn runs(&self, r: Range<usize>, mut visit: impl FnMut(usize, usize, usize)) {
        let mut at = r.start;
        while at < r.end {
            let (place, within) = (at / self.place_elems, at % self.place_elems);
            let (outer, place) = (place / self.longer, place % self.longer);
            // How often it has been around does not matter.
            let own = (place + self.extent - self.before % self.extent) % self.extent;
            let places = (self.extent - own).min(self.longer - place);
            let elems = (places * self.place_elems - within).min(r.end - at);
            let from = (outer * self.extent + own) * self.place_elems + within;
            visit(at, from, elems);
            at += elems;
        }
    }

    /// The elements `r` of the longer container, from parts of the container that have them.
    pub(super) fn gather(
        &self,
        parts: &[View<'_>],
        r: Range<usize>,
    ) -> Result<Option<ErasedArray>> {
        let Some(first) = parts.first() else {
            return Ok(None);
        };
        let mut array = ErasedArray::zeroed(first.layout(), r.clone())?;
        let mut complete = true;
        self.runs(r, |at, from, elems| {
            let own = from..from + elems;
            let has =
                |part: &&View<'_>| part.window().start <= own.start && own.end <= part.window().end;
            match parts.iter().find(has) {
                Some(part) => super::chunk_layout::copy(&mut array, at, *part, from, elems),
                None => complete = false,
            }
        });
        Ok(complete.then_some(array))
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;
    use skel_core::space::{Neighbourhood, Reach, Shape};

    proptest! {
        #[test]
        fn windows_see_the_same_in_the_longer_container(
            (planes, rows, cols) in (1..4_usize, 1..6_usize, 1..5_usize),
            (up, left) in (0..8_usize, 0..3_usize),
            rank in 1..3_usize,
        ) {
            let shape = Shape::D3(planes, rows, cols);
            let radius = [0, 0, if rank == 2 { up } else { 0 }, left];
            let reach = Reach::window(rank, radius);
            let mut near = Neighbourhood::around(shape, rank);
            near.edge = EdgeKind::Cyclic;
            let window = Window { near, reach, pad: None };
            let data: Vec<u32> = (0..shape.len() as u32).collect();
            let Some((wrap, longer)) = Wrap::of(&window) else {
                prop_assert_eq!(radius[MAX_RANK - rank], 0);
                return Ok(());
            };
            for at in 0..shape.len() {
                let halo = longer.halo(at..at + 1);
                for down in -(radius[2] as isize)..=radius[2] as isize {
                    for right in -(left as isize)..=left as isize {
                        let offsets = [0, 0, down, right];
                        let seen = near.element(at, offsets).expect("nothing is padded");
                        let there = longer.near.element(at, offsets).expect("nothing is padded");
                        prop_assert!(halo.contains(&(there..there + 1)));
                        let one = wrap.gather(&[View::of(&data)], there..there + 1).unwrap().expect("all is there");
                        prop_assert_eq!(one.all().slice::<u32>(there..there + 1), &data[seen..seen + 1]);
                    }
                }
                let hull = halo.ranges()[0].start..halo.ranges().last().expect("it sees itself").end;
                let together = wrap.gather(&[View::of(&data)], hull.clone()).unwrap().expect("all is there");
                for place in hull {
                    let one = wrap.gather(&[View::of(&data)], place..place + 1).unwrap().expect("all is there");
                    prop_assert_eq!(
                        together.all().slice::<u32>(place..place + 1),
                        one.all().slice::<u32>(place..place + 1)
                    );
                }
            }
        }
    }
}
