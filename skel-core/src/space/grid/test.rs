use super::*;

/// The places of all elements, in row-major order.
fn places<const N: usize>(grid: Grid<N>) -> Vec<usize> {
    let coalesced = grid.layout().over(grid.shape());
    (0..grid.shape().len()).map(|i| coalesced.at(i)).collect()
}

/// Places 60 of a tensor, in the order that plain loops give.
fn loops(index: impl Fn(usize, usize, usize) -> usize, [a, b, c]: [usize; 3]) -> Vec<usize> {
    let mut places = Vec::new();
    for k in 0..a {
        for i in 0..b {
            for j in 0..c {
                places.push(index(k, i, j));
            }
        }
    }
    places
}

#[test]
fn a_block_of_a_tensor() {
    let block = Grid::row_major([3, 4, 5])
        .part(0, &(1..))
        .part(1, &(1..3))
        .part(2, &(2..=4));
    let expected = loops(|k, i, j| 20 * (k + 1) + 5 * (i + 1) + j + 2, [2, 2, 3]);
    assert_eq!(places(block), expected);
    assert_eq!(block.bounds(), 27..55);
    assert_eq!(block.to_string(), "[2 × 2 × 3] from 27 by 20, 5, 1");
}

#[test]
fn backwards_and_in_steps_along_any_dimension() {
    let all = Grid::row_major([3, 4, 5]);
    let backwards = all.reversed(1).step_by(2, 2);
    let expected = loops(|k, i, j| 20 * k + 5 * (3 - i) + 2 * j, [3, 4, 3]);
    assert_eq!(places(backwards), expected);
    assert_eq!(places(backwards.reversed(1)), places(all.step_by(2, 2)));
}

#[test]
fn dimensions_change_places() {
    let turned = Grid::row_major([3, 4, 5]).swapped(0, 2);
    let expected = loops(|j, i, k| 20 * k + 5 * i + j, [5, 4, 3]);
    assert_eq!(places(turned), expected);
}

#[test]
fn one_index_is_fixed() {
    let all = Grid::row_major([3, 4, 5]);
    for d in 0..3 {
        let plane: Grid<2> = all.at(d, 2, "index");
        let extents = match d {
            0 => [1, 4, 5],
            1 => [3, 1, 5],
            _ => [3, 4, 1],
        };
        let index = |k, i, j| match d {
            0 => 40 + 5 * i + j,
            1 => 20 * k + 10 + j,
            _ => 20 * k + 5 * i + 2,
        };
        assert_eq!(places(plane), loops(index, extents), "dimension {d}");
    }
}

#[test]
fn without_elements_there_is_no_place() {
    for grid in [
        Grid::row_major([0, usize::MAX]),
        Grid::row_major([usize::MAX, 0]),
        Grid::row_major([4, 5]).part(0, &(4..)),
        Grid::row_major([4, 0]).reversed(0).reversed(1),
    ] {
        assert!(grid.bounds().is_empty(), "{grid}");
    }
}

#[test]
#[should_panic(expected = "dimension 3 of 3")]
fn a_dimension_that_is_not_there() {
    let _ = Grid::row_major([3, 4, 5]).reversed(3);
}

#[test]
#[should_panic(expected = "plane 3 of 3")]
fn a_plane_that_is_not_there() {
    let _: Grid<2> = Grid::row_major([3, 4, 5]).at(0, 3, "plane");
}
