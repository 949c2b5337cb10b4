//! How the elements of an argument that lie elsewhere than the call counts them lie in a chunk's array.

use skel_core::{
    Result,
    frame::{ErasedArray, View},
    space::{Along, Axis, Layout, MAX_RANK, Shape},
};
use std::ops::Range;

/// Where a chunk's elements of an argument lie in its array.
pub(super) struct ChunkLayout {
    pub(super) layout: Layout,
    /// The array's window.
    pub(super) window: Range<usize>,
    /// Whether they are copied one by one; else they lie as in the container, with what is between.
    pub(super) gathered: bool,
}

impl ChunkLayout {
    /// For the elements of an argument that lie as `layout` says and that the call's elements `chunk` need.
    pub(super) fn of(
        layout: Layout,
        chunk: &Range<usize>,
        space: Shape,
        along: Option<Along>,
    ) -> ChunkLayout {
        let needed = layout.needed(chunk, space, along);
        let elems = chunk.len() * along.map_or(1, Along::depth);
        if needed.len() <= elems {
            return ChunkLayout {
                layout,
                window: needed,
                gathered: false,
            };
        }
        let rows = Layout::row_major(0, space);
        let (layout, start) = match along {
            None => (rows, chunk.start),
            Some(along) if along.axis == Axis::Rows => (rows, chunk.start * along.cols),
            // The columns of the chunk alone, row by row, with the first of them where it is in the first
            // row: so no place is before the first.
            Some(_) => {
                let mut strides = [0; MAX_RANK];
                strides[MAX_RANK - 2] = chunk.len() as isize;
                strides[MAX_RANK - 1] = 1;
                (Layout { offset: 0, strides }, chunk.start)
            }
        };
        ChunkLayout {
            layout,
            window: start..start + elems,
            gathered: true,
        }
    }

    /// Copies what lies in `from` as `layout` says to where it lies in the chunk's array.
    pub(super) fn gather(
        &self,
        from: View<'_>,
        layout: &Layout,
        chunk: &Range<usize>,
        space: Shape,
        along: Option<Along>,
    ) -> Result<ErasedArray> {
        let mut array = ErasedArray::zeroed(from.layout(), self.window.clone())?;
        let (coalesced, elems) = match along {
            None => (layout.over(space), chunk.clone()),
            Some(along) => {
                let (first, part) = match along.axis {
                    Axis::Rows => ([0, 0, chunk.start, 0], Shape::D2(chunk.len(), along.cols)),
                    Axis::Cols => ([0, 0, 0, chunk.start], Shape::D2(along.rows, chunk.len())),
                };
                let part_layout = Layout {
                    offset: layout.at(first),
                    strides: layout.strides,
                };
                (part_layout.over(part), 0..part.len())
            }
        };
        let mut place = self.window.start;
        coalesced.runs(elems, |run| {
            if run.stride == 1 {
                copy(&mut array, place, from, run.first, run.len);
            } else {
                for i in 0..run.len {
                    let step = run.stride * i as isize;
                    let source = run.first.wrapping_add_signed(step);
                    copy(&mut array, place + i, from, source, 1);
                }
            }
            place += run.len;
        });
        Ok(array)
    }
}

/// Copies `elems` elements from place `source` of `from` to place `place` of `to`.
pub(super) fn copy(
    to: &mut ErasedArray,
    place: usize,
    from: View<'_>,
    source: usize,
    elems: usize,
) {
    let out = to.view_out(place..place + elems);
    let from = from.narrow(source..source + elems);
    // Under the same indices, whichever are the smaller ones.
    if source >= place {
        let mut out = out;
        out.copy_from(from.counted_from(source - place));
    } else {
        out.counted_from(place - source).copy_from(from);
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_core::space::IndexBox;

    /// What the array of a chunk holds, element by element, against the container.
    fn check(layout: Layout, chunk: Range<usize>, space: Shape, along: Option<Along>) -> bool {
        let data: Vec<u32> = (100..400).collect();
        let chunk_layout = ChunkLayout::of(layout, &chunk, space, along);
        let all = View::of(&data);
        let gather = || {
            chunk_layout
                .gather(all, &layout, &chunk, space, along)
                .unwrap()
        };
        let own = chunk_layout.gathered.then(gather);
        let array = own
            .as_ref()
            .map_or(all.narrow(chunk_layout.window.clone()), ErasedArray::all);
        let needed = chunk_layout.layout.needed(&chunk, space, along);
        assert!(
            chunk_layout.window.start <= needed.start && needed.end <= chunk_layout.window.end,
            "{needed:?} of {:?}",
            chunk_layout.window
        );
        let [volumes, planes, rows, cols] = IndexBox::of(&chunk, space, along).0;
        for index in volumes.flat_map(|v| {
            let (rows, cols, planes) = (rows.clone(), cols.clone(), planes.clone());
            planes.flat_map(move |p| {
                let cols = cols.clone();
                rows.clone()
                    .flat_map(move |i| cols.clone().map(move |j| [v, p, i, j]))
            })
        }) {
            let extents = space.extents();
            let at = index
                .iter()
                .zip(extents)
                .fold(0, |at, (i, extent)| at * extent + i);
            if along.is_none() && !chunk.contains(&at) {
                continue;
            }
            let place = chunk_layout.layout.at(index);
            let found = array.slice::<u32>(place..place + 1)[0];
            assert_eq!(found, data[layout.at(index)], "{index:?} of {chunk:?}");
        }
        chunk_layout.gathered
    }

    fn strides(down: isize, right: isize) -> [isize; MAX_RANK] {
        [0, 0, down, right]
    }

    #[test]
    fn a_transposed_matrix_is_gathered_and_rows_are_not() {
        let space = Shape::D2(6, 9);
        let transposed = Layout {
            offset: 3,
            strides: strides(1, 6),
        };
        let reversed = Layout {
            offset: 80,
            strides: strides(-9, -1),
        };
        let per_row = Layout {
            offset: 7,
            strides: strides(1, 0),
        };
        for chunk in [0..54, 5..23, 50..54] {
            assert!(check(transposed, chunk.clone(), space, None) || chunk.len() == 54);
            // Of several rows, all of each is needed, as far as layouts tell.
            let rows = chunk.start % 9 == 0 && chunk.end % 9 == 0;
            assert!(!check(reversed, chunk.clone(), space, None) || !rows);
            assert!(!check(per_row, chunk, space, None));
        }
    }

    #[test]
    fn columns_that_are_folded_are_gathered_and_rows_are_not() {
        let (rows, cols) = (7, 11);
        for (axis, gathers) in [(Axis::Rows, false), (Axis::Cols, true)] {
            let along = Along { rows, cols, axis };
            let layout = Layout::row_major(5, along.space());
            assert_eq!(check(layout, 2..5, along.space(), Some(along)), gathers);
            let turned = Layout {
                offset: 1,
                strides: strides(1, 7),
            };
            assert_eq!(check(turned, 1..4, along.space(), Some(along)), !gathers);
        }
    }
}
