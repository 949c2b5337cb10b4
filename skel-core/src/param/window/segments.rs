//! What host functions see, segment by segment, is what [`Neighbourhood::element`] says.

use super::{EachPool2, EachWindow1, EachWindow2, EachWindow3, EachWindow4, NeighbourhoodKind};
use crate::{
    container::Vector,
    frame::{NeighbourhoodView, Slot, View},
    ir::Value,
    param::Param,
    space::{EdgeKind, MAX_RANK, Neighbourhood, Segment, SegmentSpace, Shape, Stream},
};
use proptest::prelude::*;
use std::ops::Range;

const PAD: u32 = 1_000_000;

/// Elements `r` of a call over `shape`: their neighbourhoods, offset by offset, of a container whose
/// elements are their own numbers, of which only the halo was fetched.
fn check<K>(
    near: Neighbourhood,
    shape: Shape,
    r: Range<usize>,
    see: impl Fn(&K::Arg<'_>, [isize; MAX_RANK]) -> u32,
) -> Result<(), TestCaseError>
where
    K: NeighbourhoodKind<Elem = u32> + Param,
{
    let outer = shape.len() / (near.positions.iter().product::<usize>() * near.inner).max(1);
    let elems = outer * near.extents.iter().product::<usize>() * near.inner;
    let container = Vector::from_fn(elems, |i| i as u32);
    let parts = container
        .buffer()
        .host_sparse_view(near.halo(&K::REACH, r.clone()));
    let pad = [PAD];
    let near_slot = NeighbourhoodView::new(
        parts.expect("all is on the host"),
        near,
        Some(View::of(&pad)),
    );
    let mut slot = Slot::Window(Box::new(near_slot));
    let space = SegmentSpace {
        shape,
        stream: Stream::default(),
    };
    let mut segment = Segment::new(&r, true, space);
    let mut computed = vec![0; r.len()];
    while !segment.range().is_empty() {
        // Rows are opened together as a piece of a call opens them: whole ones.
        let cols = segment.row_elems().max(1);
        let most = match segment.range().len() == cols {
            true => (r.end - segment.range().start) / cols,
            false => 1,
        };
        let rows = K::rows(&slot, &segment, most);
        prop_assert!((1..=most.max(1)).contains(&rows));
        // Other arguments of a function may allow fewer rows, and end segments within rows.
        let rows = match r.end % 3 {
            0 => rows.min(1 + r.start % 3),
            _ => rows,
        };
        let others = match r.start % 2 {
            0 => usize::MAX,
            _ => 1 + r.end % 4,
        };
        let (row_end, behind) = (segment.range().end, segment.spanning(rows).range().end);
        let mut rest = segment;
        while !rest.range().is_empty() {
            let cut = K::cut(&slot, &rest, rows).min(rest.range().start.saturating_add(others));
            let part = rest.clone().until(cut);
            prop_assert!(!part.range().is_empty());
            rest = part.next(row_end);
            let (n, mut part) = (part.range().len(), part);
            let centres = centres::<K>(&slot, &part, rows);
            let mut access = K::open_rows(&mut slot, &part, rows);
            for (row, centres) in centres.iter().enumerate() {
                let mut access = K::row(&mut access, row, row * cols, n);
                let mut access = K::sub(&mut access, 0..n);
                for (k, centre) in centres.iter().enumerate() {
                    let (window, at) = (K::get(&mut access, k), part.range().start + k);
                    same::<K>(&near, at, |offsets| see(&window, offsets))?;
                    prop_assert_eq!(K::centre(&window), *centre);
                    computed[at - r.start] += 1;
                }
                part = part.below(1);
            }
        }
        segment = Segment::new(&(behind..r.end), true, space);
    }
    prop_assert!(computed.iter().all(|times| *times == 1));
    Ok(())
}

/// What the interpreter sees in the middle, in `rows` rows from a segment's on.
fn centres<K: NeighbourhoodKind + Param>(
    slot: &Slot<'_>,
    segment: &Segment,
    rows: usize,
) -> Vec<Vec<u32>> {
    let centre = |at: usize| {
        let one = Segment::new(&(at..at + 1), true, segment.space());
        let view = K::view(slot, &one).expect("a window has a view");
        match view.get(&vec![0; K::VIEW.rank()]) {
            Value::U32(x) => x,
            other => panic!("{other:?}"),
        }
    };
    let mut row = segment.clone();
    let rows = (0..rows).map(|_| {
        let centres = row.range().map(centre).collect();
        row = row.below(1);
        centres
    });
    rows.collect()
}

/// Whether a neighbourhood shows what element `at` sees.
fn same<K: NeighbourhoodKind>(
    near: &Neighbourhood,
    at: usize,
    see: impl Fn([isize; MAX_RANK]) -> u32,
) -> Result<(), TestCaseError> {
    let reach = K::REACH;
    let count: usize = (0..MAX_RANK).map(|d| reach.span(d)).product();
    for offset in 0..count {
        let (mut offsets, mut rest) = ([0; MAX_RANK], offset);
        for (d, offset) in offsets.iter_mut().enumerate() {
            *offset = (rest % reach.span(d)) as isize - reach.before[d] as isize;
            rest /= reach.span(d);
        }
        let element = near.element(at, offsets);
        let expected = element.map_or(PAD, |element| element as u32);
        prop_assert_eq!(see(offsets), expected);
    }
    Ok(())
}

/// The windows of this kind over a container of this shape.
fn around<K: NeighbourhoodKind>(all: Shape, edge: EdgeKind, down: bool) -> (Neighbourhood, Shape) {
    let mut extents = all.extents();
    let inner = if down { extents[MAX_RANK - 1] } else { 1 };
    if down {
        extents.rotate_right(1);
        extents[0] = 1;
    }
    let mut near = Neighbourhood::around(Shape::of_rank(MAX_RANK, extents), K::REACH.rank);
    (near.inner, near.edge) = (inner, edge);
    let first = MAX_RANK - K::REACH.rank;
    for (d, extent) in extents.iter_mut().enumerate().skip(first) {
        if edge == EdgeKind::None {
            near.shift[d] = K::REACH.before[d];
            near.positions[d] = (*extent + 1).saturating_sub(K::REACH.span(d));
        }
        *extent = near.positions[d];
    }
    if down {
        extents.rotate_left(1);
        extents[MAX_RANK - 1] = inner;
    }
    (near, Shape::of_rank(all.rank(), extents))
}

fn part(shape: Shape, a: usize, b: usize) -> Range<usize> {
    let n = shape.len();
    let (a, b) = (a % (n + 1), b % (n + 1));
    a.min(b)..a.max(b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 256 }))]

    #[test]
    fn windows_of_one_dimension(
        (rows, cols, long) in (1..6_usize, 1..9_usize, any::<bool>()),
        edge in prop::sample::select(&EdgeKind::ALL[..]),
        down in any::<bool>(),
        (a, b) in (0..5000_usize, 0..5000_usize),
    ) {
        // Also rows that are not copied as a whole.
        let all = Shape::D2(rows, if long { cols + 300 } else { cols });
        let (near, shape) = around::<EachWindow1<u32, 2>>(all, edge, down);
        check::<EachWindow1<u32, 2>>(near, shape, part(shape, a, b), |w, at| w[at[3]])?;
    }

    #[test]
    fn windows_of_two_dimensions(
        (planes, rows, cols, long) in (1..3_usize, 1..6_usize, 1..7_usize, any::<bool>()),
        edge in prop::sample::select(&EdgeKind::ALL[..]),
        down in any::<bool>(),
        (a, b) in (0..5000_usize, 0..5000_usize),
    ) {
        let all = Shape::D3(planes, rows, if long { cols + 300 } else { cols });
        let (near, shape) = around::<EachWindow2<u32, 1, 2>>(all, edge, down);
        check::<EachWindow2<u32, 1, 2>>(near, shape, part(shape, a, b), |w, at| w[(at[2], at[3])])?;
    }

    #[test]
    fn windows_of_three_dimensions(
        (planes, rows, cols) in (1..5_usize, 1..5_usize, 1..6_usize),
        edge in prop::sample::select(&EdgeKind::ALL[..]),
        (a, b) in (0..5000_usize, 0..5000_usize),
    ) {
        let all = Shape::D3(planes, rows, cols);
        let (near, shape) = around::<EachWindow3<u32, 1, 0, 1>>(all, edge, false);
        let see = |w: &super::Window3<'_, u32, 1, 0, 1>, at: [isize; 4]| w[(at[1], at[2], at[3])];
        check::<EachWindow3<u32, 1, 0, 1>>(near, shape, part(shape, a, b), see)?;
    }

    #[test]
    fn windows_of_three_dimensions_in_blocks_of_planes(
        (planes, rows, cols) in (1..7_usize, 1..5_usize, 1..6_usize),
        edge in prop::sample::select(&EdgeKind::ALL[..]),
        (a, b) in (0..5000_usize, 0..5000_usize),
    ) {
        let all = Shape::D3(planes, rows, cols);
        let (near, shape) = around::<EachWindow3<u32, 2, 1, 1>>(all, edge, false);
        let see = |w: &super::Window3<'_, u32, 2, 1, 1>, at: [isize; 4]| w[(at[1], at[2], at[3])];
        check::<EachWindow3<u32, 2, 1, 1>>(near, shape, part(shape, a, b), see)?;
    }

    #[test]
    fn windows_of_four_dimensions(
        (volumes, planes) in (1..4_usize, 1..4_usize),
        (rows, cols) in (1..4_usize, 1..5_usize),
        edge in prop::sample::select(&EdgeKind::ALL[..]),
        (a, b) in (0..5000_usize, 0..5000_usize),
    ) {
        let all = Shape::D4(volumes, planes, rows, cols);
        let (near, shape) = around::<EachWindow4<u32, 1, 1, 1, 1>>(all, edge, false);
        let see = |w: &super::Window4<'_, u32, 1, 1, 1, 1>, at: [isize; 4]| {
            w[(at[0], at[1], at[2], at[3])]
        };
        check::<EachWindow4<u32, 1, 1, 1, 1>>(near, shape, part(shape, a, b), see)?;
    }

    #[test]
    fn pools_with_strides(
        (rows, cols) in (1..5_usize, 1..7_usize),
        (down, right) in (1..4_usize, 1..4_usize),
        left in 0..3_usize,
        (a, b) in (0..5000_usize, 0..5000_usize),
    ) {
        let near = Neighbourhood {
            rank: 2,
            positions: [1, 1, rows, cols],
            extents: [1, 1, (rows - 1) * down + 2 + left, (cols - 1) * right + 3],
            stride: [1, 1, down, right],
            shift: [0; MAX_RANK],
            inner: 1,
            edge: EdgeKind::None,
        };
        let shape = Shape::D3(2, rows, cols);
        let see = |p: &super::Pool2<'_, u32, 2, 3>, at: [isize; 4]| {
            p[(at[2].cast_unsigned(), at[3].cast_unsigned())]
        };
        check::<EachPool2<u32, 2, 3>>(near, shape, part(shape, a, b), see)?;
    }
}
