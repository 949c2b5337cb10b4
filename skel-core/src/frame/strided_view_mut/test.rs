//! What is opened of elements that lie apart comes to its places, and to no others.

use super::*;
use crate::space::{Layout, Shape};

fn strided<'m>(data: &'m mut [u32], layout: Layout, shape: Shape) -> StridedViewMut<'m> {
    StridedViewMut::within(ViewMut::of(data), layout.over(shape), 0..shape.len(), true)
}

#[test]
fn what_lies_between_stays() {
    let mut data: Vec<u32> = (0..10).collect();
    let backwards = Layout {
        offset: 9,
        strides: [0, 0, 0, -3],
    };
    let mut right = strided(&mut data, backwards, Shape::D1(4));
    let mut left = right.take_front(1);
    assert_eq!(left.slice_mut::<u32>(0..1), [9]);
    left.slice_mut::<u32>(0..1)[0] = 90;
    right.slice_out::<u32>(1..3).put(0, 60);
    assert_eq!(right.element::<u32>(3), 0);
    right.slice_out::<u32>(3..4).put(0, 7);
    drop((left, right));
    // What is opened to be written and is not has any value: here, zero.
    assert_eq!(data, [7, 1, 2, 0, 4, 5, 60, 7, 8, 90]);
}

/// Rows of a part: what is opened within one is the array's own memory.
#[test]
fn what_lies_together_is_opened_where_it_is() {
    let mut data: Vec<u32> = (0..24).collect();
    let range = data.as_ptr_range();
    let part = Layout {
        offset: 7,
        strides: [0, 0, 6, 1],
    };
    let mut strided = strided(&mut data, part, Shape::D2(3, 4));
    let row = strided.slice_mut::<u32>(4..8);
    assert!(range.contains(&row.as_ptr()));
    assert_eq!(row, [13, 14, 15, 16]);
    row[0] = 130;
    let across = strided.slice_mut::<u32>(2..6);
    assert!(!range.contains(&across.as_ptr()));
    assert_eq!(across, [9, 10, 130, 14]);
    across.copy_from_slice(&[90, 100, 131, 141]);
    strided.slice_out::<u32>(8..10).put(1, 200);
    assert_eq!(strided.copy().unwrap().all().slice::<u32>(5..6), [141]);
    drop(strided);
    assert_eq!(data[7..17], [7, 8, 90, 100, 11, 12, 131, 141, 15, 16]);
    assert_eq!(data[20], 200);
}

#[test]
fn what_was_computed_elsewhere_comes_to_its_places() {
    let mut data = [0_u32; 7];
    let layout = Layout {
        offset: 6,
        strides: [0, 0, 0, -2],
    };
    let mut right = strided(&mut data, layout, Shape::D1(4));
    let left = right.take_front(1);
    assert_eq!((right.range(), right.len_bytes()), (1..4, 12));
    right.put_all(View::of(&[10_u32, 11, 12, 13]).narrow(1..4));
    drop((left, right));
    assert_eq!(data, [13, 0, 12, 0, 11, 0, 0]);
}

#[test]
#[should_panic(expected = "elements 0..1 of 2..4")]
fn the_elements_of_others_are_refused() {
    let mut data = [0; 4];
    let layout = Layout::row_major(0, Shape::D1(4));
    let mut right = strided(&mut data, layout, Shape::D1(4));
    drop(right.take_front(2));
    let _ = right.slice_mut::<u32>(0..1);
}
