use super::super::{Slot, StridedView, StridedViewMut, View, ViewMut};
use super::*;
use crate::{
    param::{Each, EachMut, Outputs, Param},
    space::{Layout, SegmentSpace, Shape, Stream},
};
use proptest::prelude::*;

/// The whole first row of a rectangle, or a part of it.
fn segment(shape: Shape, r: Range<usize>) -> Segment {
    let space = SegmentSpace {
        shape,
        stream: Stream::default(),
    };
    Segment::new(&r, true, space)
}

/// Layouts of one place for each element, with gaps, reversed, transposed, and of one element for many; within 0..40000.
fn layouts(injective: bool) -> impl Strategy<Value = (Shape, Layout)> {
    let extents = prop::array::uniform4(1_usize..8);
    let order = Just([0, 1, 2, 3]).prop_shuffle();
    let gaps = prop::array::uniform4(0_usize..3);
    let signs = prop::array::uniform4(0_u8..6);
    (1_usize..5, extents, order, gaps, signs).prop_map(
        move |(rank, extents, order, gaps, signs)| {
            let shape = Shape::of_rank(rank, extents);
            let extents = shape.extents();
            let (mut strides, mut reach) = ([0_isize; 4], 1_usize);
            for d in order {
                let stride = reach + gaps[d] * usize::from(d > 0);
                reach = stride * extents[d];
                strides[d] = match signs[d] {
                    0 => -(stride as isize),
                    1 if !injective => 0,
                    _ => stride as isize,
                };
            }
            let offset = 20_000;
            (shape, Layout { offset, strides })
        },
    )
}

const PLACES: u32 = 40_000;

fn all() -> Vec<u32> {
    (0..PLACES).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 12 } else { 512 }))]

    /// All rows that can be opened at once are those that are opened one by one, and each element is where it was put.
    #[test]
    fn rows_opened_together_are_those_of_the_layout((shape, layout) in layouts(false), at: prop::sample::Index, most in 1_usize..40) {
        let (data, coalesced, cols) = (all(), layout.over(shape), shape.row_elems());
        let mut slot = Slot::Strided(Box::new(StridedView::new(View::of(&data), coalesced.clone())));
        let start = at.index(shape.rows()) * cols;
        let row = segment(shape, start..start + cols);
        let most = most.min((shape.len() - start) / cols);
        let rows = <Each<u32> as Param>::rows(&slot, &row, most);
        prop_assert!((1..=most).contains(&rows));
        let part = row.clone().until(<Each<u32> as Param>::cut(&slot, &row, rows));
        prop_assert!(rows == 1 || part.range() == row.range());
        let mut opened = <Each<u32> as Param>::open_rows(&mut slot, &part, rows);
        for k in 0..rows {
            let first = k * cols;
            let found = <Each<u32> as Param>::row(&mut opened, k, first, part.range().len());
            let expected: Vec<u32> = part.range().map(|i| coalesced.at(i + first) as u32).collect();
            prop_assert_eq!(found, &expected[..]);
        }
    }

    /// What is written goes to the places of the layout, and to no others; what is changed was read from there.
    #[test]
    fn rows_are_written_where_they_are((shape, layout) in layouts(true), at: prop::sample::Index, most in 1_usize..40, reads: bool) {
        let (mut data, coalesced, cols) = (all(), layout.over(shape), shape.row_elems());
        let start = at.index(shape.rows()) * cols;
        let row = segment(shape, start..start + cols);
        let mut expected = all();
        let rows = {
            let strided = StridedViewMut::within(ViewMut::of(&mut data), coalesced.clone(), 0..shape.len(), reads);
            let mut slots = [Slot::Scattered(Box::new(strided))];
            let most = most.min((shape.len() - start) / cols);
            let rows = if reads {
                <EachMut<u32> as Param>::rows(&slots[0], &row, most)
            } else {
                slots[0].rows_to_write(&row, most)
            };
            let n = row.range().len();
            if reads {
                let mut opened = <EachMut<u32> as Param>::open_rows(&mut slots[0], &row, rows);
                for k in 0..rows {
                    let opened = <EachMut<u32> as Param>::row(&mut opened, k, k * cols, n);
                    opened.iter_mut().for_each(|x| *x += PLACES);
                }
            } else {
                let mut opened = <u32 as Outputs>::open_rows(&mut slots, &row, rows);
                for k in 0..rows {
                    let mut opened = <u32 as Outputs>::row(&mut opened, k, n);
                    for (l, i) in row.range().enumerate() {
                        opened.put(l, coalesced.at(i + k * cols) as u32 + PLACES);
                    }
                }
            }
            rows
        };
        for i in start..start + rows * cols {
            expected[coalesced.at(i)] += PLACES;
        }
        prop_assert_eq!(data, expected);
    }
}

#[test]
fn parts_of_a_matrix_are_opened_as_a_whole() {
    let (mut data, shape) = ((0..60).collect::<Vec<u32>>(), Shape::D2(5, 8));
    let layout = Layout {
        offset: 2,
        strides: [0, 0, 12, 1],
    };
    let (row, coalesced) = (segment(shape, 0..8), layout.over(shape));
    let strided = StridedView::new(View::of(&data), coalesced.clone());
    assert_eq!(strided.rows_at_once(&row, 5), 5);
    let strided = StridedViewMut::within(ViewMut::of(&mut data), coalesced, 0..40, true);
    assert_eq!(strided.rows_at_once(&row, 5), 5);
}

/// What is gathered by columns, by a tile at a time: near ones, and ones that are far apart.
#[test]
fn tiles_of_a_transposed_matrix_are_its_elements() {
    for (shape, pitch) in [
        (Shape::D2(21, 200), 300),
        (Shape::D2(21, 200), 30),
        (Shape::D2(40, 70), 300),
        (Shape::D2(700, 3), 701),
    ] {
        let Shape::D2(rows, cols) = shape else {
            unreachable!("matrices")
        };
        let data: Vec<u32> = (0..(cols * pitch) as u32).collect();
        for (offset, along_rows) in [(0, 1), (rows - 1, -1)] {
            let layout = Layout {
                offset,
                strides: [0, 0, along_rows, pitch as isize],
            };
            let coalesced = layout.over(shape);
            let strided = StridedView::new(View::of(&data), coalesced.clone());
            let mut slot = Slot::Strided(Box::new(strided));
            let (mut start, mut least) = (0, usize::MAX);
            while start < shape.len() {
                let mut rest = segment(shape, start..start + cols);
                let most = (shape.len() - start) / cols;
                let at_once = <Each<u32> as Param>::rows(&slot, &rest, most);
                least = least.min(at_once);
                start += at_once * cols;
                while !rest.range().is_empty() {
                    let cut = <Each<u32> as Param>::cut(&slot, &rest, at_once);
                    let part = rest.clone().until(cut);
                    let mut opened = <Each<u32> as Param>::open_rows(&mut slot, &part, at_once);
                    for k in 0..at_once {
                        let first = k * cols;
                        let elems = part.range().len();
                        let found = <Each<u32> as Param>::row(&mut opened, k, first, elems);
                        let expected = part.range().map(|i| coalesced.at(i + first) as u32);
                        assert!(
                            found.iter().copied().eq(expected),
                            "{shape} {pitch} {part:?}"
                        );
                    }
                    rest = part.next(rest.range().end);
                }
            }
            assert!(least >= 5, "rows share cache lines: {least} of {shape}");
        }
    }
}

/// What is gathered to be written is brought to its places column by column, and no others are touched.
#[test]
fn columns_of_rows_are_written_apart() {
    let (shape, mut data) = (Shape::D2(12, 20), vec![7_u32; 20 * 12]);
    let transposed = Layout {
        offset: 0,
        strides: [0, 0, 1, 12],
    };
    let coalesced = transposed.over(shape);
    let strided = StridedViewMut::within(ViewMut::of(&mut data), coalesced.clone(), 0..240, false);
    let mut slots = [Slot::Scattered(Box::new(strided))];
    let row = segment(shape, 40..60);
    assert_eq!(slots[0].rows_to_write(&row, 5), 5);
    for cols in [0..6, 6..17] {
        let part = row.clone().after(cols.start).until(40 + cols.end);
        let mut opened = <u32 as Outputs>::open_rows(&mut slots, &part, 5);
        for k in 0..5 {
            let mut opened = <u32 as Outputs>::row(&mut opened, k, cols.len());
            (0..cols.len()).for_each(|l| opened.put(l, (100 * k + cols.start + l) as u32));
        }
    }
    drop(slots);
    for i in 0..240 {
        let (row, col) = (i / 20, i % 20);
        let is_written = (2..7).contains(&row) && col < 17;
        let expected = if is_written { 100 * (row - 2) + col } else { 7 };
        assert_eq!(data[coalesced.at(i)], expected as u32, "{row} {col}");
    }
}

#[test]
#[should_panic(expected = "rows that were not opened")]
fn rows_below_the_last_are_refused() {
    let mut data = [0_u32; 12];
    let row = segment(Shape::D2(3, 4), 0..4);
    let mut rows = RowsMut::over(&mut data[..8], &row, 2);
    let _ = rows.row(2, 4);
}

#[test]
#[should_panic(expected = "rows that were not opened")]
fn more_rows_than_there_are_elements_are_refused() {
    let mut data = [0_u32; 11];
    let row = segment(Shape::D2(3, 4), 0..4);
    let _ = RowsMut::over(&mut data, &row, 3);
}

#[test]
#[should_panic(expected = "rows that have elements in common")]
fn rows_of_common_elements_are_refused() {
    let mut data = [0_u32; 12];
    let _ = RowsOut::<u32>::apart(ViewMut::of(&mut data).into_out(), 0..4, 3, 2);
}

#[test]
#[should_panic(expected = "as far apart as no memory is large")]
fn rows_as_far_apart_as_no_memory_is_large_are_refused() {
    let mut data = [0_u32; 12];
    let _ = RowsOut::<u32>::apart(ViewMut::of(&mut data).into_out(), 0..4, usize::MAX / 2, 4);
}
