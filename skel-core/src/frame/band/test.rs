//! Copies of elements that lie by columns are what the layout says, whatever is opened of them.

use crate::{
    Element,
    element::zero,
    frame::{Frame, Slot, Slots, StridedView, StridedViewMut, View, ViewMut},
    plan::Grouping,
    space::{CoalescedLayout, IndexSpace, Layout, Shape, Stream},
};
use proptest::prelude::*;
use std::ops::Range;

/// Rows, columns, and how far elements of a row and neighbouring rows are apart: more than there are others between, and
/// forwards or backwards.
fn layouts() -> impl Strategy<Value = (Shape, Layout)> {
    // Miri has no time for more than some blocks of small elements.
    let most = if cfg!(miri) { 24_usize } else { 150 };
    let extents = (1..most, 1..most);
    let gaps = (0_usize..3, 1_usize..3);
    (extents, gaps, any::<[bool; 2]>()).prop_map(|((rows, cols), (gap, pitch), backwards)| {
        let stride = rows * pitch + gap;
        let mut offset = 0;
        let mut step = |apart: usize, count: usize, is_backwards: bool| {
            if is_backwards {
                offset += apart * (count - 1);
            }
            if is_backwards {
                -(apart as isize)
            } else {
                apart as isize
            }
        };
        let strides = [
            0,
            0,
            step(pitch, rows, backwards[0]),
            step(stride, cols, backwards[1]),
        ];
        (Shape::D2(rows, cols), Layout { offset, strides })
    })
}

fn places(coalesced: &CoalescedLayout) -> usize {
    coalesced.places().expect("they are few").end
}

/// Opens elements `r` in bands of a few rows, and in parts of these.
fn read<T: Element>(data: &[T], coalesced: &CoalescedLayout, bands: &[Range<usize>]) -> Vec<T> {
    let mut strided = StridedView::new(View::of(data), coalesced.clone());
    let mut all = Vec::new();
    for band in bands {
        strided.hold(band.clone());
        let half = band.start + band.len() / 3;
        for part in [band.start..half, half..band.end] {
            all.extend_from_slice(strided.slice::<T>(part));
        }
    }
    all
}

fn written<T: Element>(
    data: &[T],
    (len, values): (usize, &[T]),
    coalesced: &CoalescedLayout,
    bands: &[Range<usize>],
) -> Vec<T> {
    let (mut out, first) = (vec![zero::<T>(); len], bands[0].start);
    out.copy_from_slice(&data[..len]);
    let mut strided = StridedViewMut::within(
        ViewMut::of(&mut out),
        coalesced.clone(),
        0..coalesced.len(),
        false,
    );
    for band in bands {
        strided.hold(band.clone());
        let half = band.start + band.len() / 3;
        for part in [band.start..half, half..band.end] {
            let mut opened = strided.slice_out::<T>(part.clone());
            for k in 0..part.len() {
                opened.put(k, values[part.start + k - first]);
            }
        }
    }
    drop(strided);
    out
}

/// Elements of one size, which say where they are.
fn check<T: Element + PartialEq>(
    of: impl Fn(usize) -> T,
    coalesced: &CoalescedLayout,
    bands: &[Range<usize>],
) -> std::result::Result<(), TestCaseError> {
    let data: Vec<T> = (0..places(coalesced)).map(&of).collect();
    let r = bands[0].start..bands[bands.len() - 1].end;
    let expected: Vec<T> = r.clone().map(|i| of(coalesced.at(i))).collect();
    prop_assert!(read(&data, coalesced, bands) == expected);
    // To other values, and back: what is not written stays.
    let values: Vec<T> = r.clone().map(|i| of(coalesced.at(i) + 77)).collect();
    let found = written(&data, (data.len(), &values), coalesced, bands);
    let mut expected = data.clone();
    for i in r {
        expected[coalesced.at(i)] = of(coalesced.at(i) + 77);
    }
    prop_assert!(found == expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 3 } else { 128 }))]

    /// Of all sizes of elements: those of which a vector has several, and others.
    #[test]
    fn what_is_held_is_what_the_layout_says(
        (shape, layout) in layouts(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 2..5),
    ) {
        let coalesced = layout.over(shape);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(shape.len() + 1)).collect();
        cuts.sort_unstable();
        let bands: Vec<Range<usize>> = cuts.windows(2).map(|w| w[0]..w[1]).collect();
        check(|i| i as u8, &coalesced, &bands)?;
        check(|i| i as u16, &coalesced, &bands)?;
        check(|i| i as u32, &coalesced, &bands)?;
        check(|i| i as u64, &coalesced, &bands)?;
        check(|i| [i as u32; 4], &coalesced, &bands)?;
        check(|i| [i as u32; 3], &coalesced, &bands)?;
    }
}

/// A frame of all elements of a transposed matrix, of which it has the argument `slot`.
fn frame(slot: Slot<'_>, shape: Shape) -> Frame<'_> {
    let mut slots = Slots::new();
    slots.push(slot);
    Frame {
        slots,
        range: 0..shape.len(),
        space: IndexSpace::new(shape, Stream::default()),
        grouping: Grouping::Lanes,
    }
}

fn bands(frame: &mut Frame<'_>, mut rest: Range<usize>) -> Vec<Range<usize>> {
    let mut bands = Vec::new();
    while !rest.is_empty() {
        let band = frame.hold_band(1, &rest);
        assert_eq!(band.start, rest.start);
        assert!(band.end > band.start && band.end <= rest.end);
        rest.start = band.end;
        bands.push(band);
    }
    bands
}

#[test]
fn bands_are_whole_rows_and_fill_cache_lines() {
    let data = vec![0_f32; 1 << 22];
    let transposed = |rows: usize, cols: usize| {
        let layout = Layout {
            offset: 0,
            strides: [0, 0, 1, rows as isize],
        };
        let shape = Shape::D2(rows, cols);
        (Slot::strided(View::of(&data), layout.over(shape)), shape)
    };
    for (rows, cols, each) in [
        (1000, 1000, 64),
        (100, 10_000, 16),
        (20, 200_000, usize::MAX),
        (40_000, 3, 21_840),
    ] {
        let (slot, shape) = transposed(rows, cols);
        let mut frame = frame(slot, shape);
        let from = cols / 2;
        let found = bands(&mut frame, from..shape.len());
        let most = each.min(rows) * cols;
        assert_eq!(frame.band_elems().is_none(), each == usize::MAX);
        let ends: Vec<usize> = found.iter().map(|band| band.end).collect();
        let expected: Vec<usize> = (1..)
            .map(|k| (k * most).min(shape.len()))
            .take(shape.len().div_ceil(most))
            .collect();
        assert_eq!(ends, expected, "{rows} x {cols}");
    }
}

#[test]
fn what_lies_row_by_row_is_one_band() {
    let data = vec![0_u32; 10_000];
    let shape = Shape::D2(50, 20);
    for strides in [
        [0, 0, 100, 1],
        [0, 0, 20, 1],
        [0, 0, 0, 1],
        [0, 0, 1, 0],
        [0, 0, 200, 3],
    ] {
        let layout = Layout { offset: 0, strides };
        let mut frame = frame(Slot::strided(View::of(&data), layout.over(shape)), shape);
        assert_eq!(
            bands(&mut frame, 7..shape.len()),
            [7..shape.len()],
            "{strides:?}"
        );
        assert_eq!(frame.band_elems(), None);
    }
}

/// Layouts whose places are outside of the view, by a step back or around the end of all memory: refused, not read.
#[test]
fn what_lies_outside_is_not_read() {
    let data = vec![7_u8; 100];
    for dims in [
        [(20, 1), (4, -1000)],
        [(20, 1), (2, 90)],
        [(20, -1), (3, 30)],
        [(5, 1 << 62), (1, isize::MIN)],
    ] {
        let coalesced = CoalescedLayout {
            offset: 5,
            dims: dims.into_iter().collect(),
        };
        let elems = dims[0].0.min(9) * dims[1].0;
        for band in [0..elems, 1..elems] {
            let read = || {
                let mut strided = StridedView::new(View::of(&data), coalesced.clone());
                strided.hold(band.clone());
                strided.slice::<u8>(band.start..band.start + 1).to_vec()
            };
            assert!(
                band.is_empty()
                    || std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)).is_err(),
                "{dims:?} {band:?}"
            );
        }
    }
}

/// What is left of a view that was held, and the part that was taken, write their own elements alone.
#[test]
fn a_view_that_is_divided_holds_nothing() {
    let mut data = vec![0_u32; 64];
    let layout = Layout {
        offset: 0,
        strides: [0, 0, 1, 8],
    };
    let coalesced = layout.over(Shape::D2(8, 8));
    let mut rest = StridedViewMut::within(ViewMut::of(&mut data), coalesced, 0..64, false);
    rest.hold(0..64);
    let mut front = rest.take_front(32);
    for k in 0..32 {
        front.slice_out::<u32>(k..k + 1).put(0, 1);
    }
    drop(front);
    for k in 32..64 {
        rest.slice_out::<u32>(k..k + 1).put(0, 2);
    }
    drop(rest);
    let expected: Vec<u32> = (0..64)
        .map(|place| if place % 8 < 4 { 1 } else { 2 })
        .collect();
    assert_eq!(data, expected);
}
