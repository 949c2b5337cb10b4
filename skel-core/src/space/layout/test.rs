use super::*;
use proptest::prelude::*;

/// The place by plain arithmetic over the indices, one dimension after the other.
fn place(layout: &Layout, shape: Shape, i: usize) -> i64 {
    let (mut rest, mut place) = (i, layout.offset as i64);
    for d in (0..MAX_RANK).rev() {
        let extent = shape.extents()[d];
        place += (rest % extent) as i64 * layout.strides[d] as i64;
        rest /= extent;
    }
    place
}

/// Layouts with no place before 0.
fn layouts() -> impl Strategy<Value = (Shape, Layout)> {
    let extents = prop::array::uniform4(1_usize..5);
    let strides = prop::array::uniform4(-20_isize..20);
    (1_usize..5, extents, strides, any::<bool>()).prop_map(|(rank, extents, strides, dense)| {
        let shape = Shape::of_rank(rank, extents);
        if dense {
            return (shape, Layout::row_major(7, shape));
        }
        (
            shape,
            Layout {
                offset: 400,
                strides,
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 512 }))]

    #[test]
    fn places_are_those_of_strided_arithmetic((shape, layout) in layouts(), a in 0_usize..300, b in 0_usize..300) {
        let n = shape.len();
        let (start, end) = (a.min(b) % n, (a.max(b) % n) + 1);
        let r = start.min(end)..end;
        let coalesced = layout.over(shape);
        let expected: Vec<i64> = r.clone().map(|i| place(&layout, shape, i)).collect();
        let found: Vec<i64> = r.clone().map(|i| coalesced.at(i) as i64).collect();
        prop_assert_eq!(&found, &expected);
        let mut runs = Vec::new();
        coalesced.runs(r.clone(), |run| {
            runs.extend((0..run.len).map(|k| run.first as i64 + k as i64 * run.stride as i64));
        });
        prop_assert_eq!(&runs, &expected);
        // Rows below a part of one, as far as they are said to be alike.
        let cols = shape.row_elems();
        let part = r.start..r.end.min((r.start / cols + 1) * cols);
        let rows = coalesced.rows(part.start, part.len(), cols);
        prop_assert!(rows.count >= 1 && part.end + (rows.count - 1) * cols <= n);
        for row in 0..rows.count {
            for (k, i) in part.clone().enumerate() {
                let found = rows.first.first as i64 + (k as i64 * rows.first.stride as i64) + row as i64 * rows.pitch as i64;
                prop_assert_eq!(found, place(&layout, shape, i + row * cols));
            }
        }
        // A matrix is alike from its first row to its last.
        if shape.rank() == 2 && r.start == 0 {
            prop_assert_eq!(rows.count, n / cols);
        }
        // The bounds hold everything, and begin and end with elements of the box.
        let bounds = layout.bounds(&IndexBox::around(&r, shape));
        prop_assert!(expected.iter().all(|p| bounds.contains(&(*p as usize))));
        let cells = IndexBox::around(&r, shape);
        let corners = [bounds.start, bounds.end - 1];
        let in_box = |place: usize| {
            let mut found = false;
            for l in cells.0[0].clone() {
                for k in cells.0[1].clone() {
                    for i in cells.0[2].clone() {
                        found |= cells.0[3].clone().any(|j| layout.at([l, k, i, j]) == place);
                    }
                }
            }
            found
        };
        prop_assert!(r.is_empty() || corners.into_iter().all(in_box));
    }
}

#[test]
fn what_one_stride_serves_is_one_dimension() {
    let shape = Shape::D3(3, 4, 5);
    assert_eq!(
        Layout::row_major(9, shape).over(shape).contiguous(),
        Some(9)
    );
    let every_other = Layout {
        offset: 0,
        strides: [0, 40, 10, 2],
    };
    assert_eq!(every_other.over(shape).dims[..], [(60, 2)]);
    let backwards = Layout {
        offset: 59,
        strides: [0, -20, -5, -1],
    };
    assert_eq!(backwards.over(shape).dims[..], [(60, -1)]);
    let transposed = Layout {
        offset: 0,
        strides: [0, 0, 1, 4],
    };
    assert_eq!(transposed.over(Shape::D2(4, 3)).dims[..], [(4, 1), (3, 4)]);
}

#[test]
fn spaces_without_elements_have_no_places() {
    let shape = Shape::D2(3, 0);
    let layout = Layout::row_major(2, shape);
    assert!(layout.bounds(&IndexBox::around(&(0..0), shape)).is_empty());
    let mut runs = 0;
    layout.over(shape).runs(0..0, |_| runs += 1);
    assert_eq!(runs, 0);
}

#[test]
fn boxes_reach_from_the_first_to_the_last() {
    let shape = Shape::D3(3, 4, 5);
    assert_eq!(
        IndexBox::around(&(22..24), shape).0,
        [0..1, 1..2, 0..1, 2..4]
    );
    assert_eq!(
        IndexBox::around(&(22..26), shape).0,
        [0..1, 1..2, 0..2, 0..5]
    );
    assert_eq!(
        IndexBox::around(&(22..46), shape).0,
        [0..1, 1..3, 0..4, 0..5]
    );
}
