//! The order of a sweep, and what an element of it sees.

use super::{EdgeKind, MAX_RANK, Shape};
use std::ops::Range;

/// So many rows at most are computed at once on CPUs, each an element behind the one before it: what is computed together
/// does not see each other. Tiles that have a multiple of it leave few rows to be computed alone.
pub const ROWS_AT_ONCE: usize = 4;

/// A sweep over all elements of a container: along each dimension upwards or downwards, the innermost one fastest.
///
/// The *places* of an element are counted as the sweep goes: place 0 along a dimension is computed first. An element
/// sees others at offsets from its own places: at offsets of which none is positive what the sweep has made of them, at
/// offsets of which none is negative what was there before. Elements whose places have one sum (a hyperplane) do not see
/// each other, so any order that goes from smaller sums to larger ones gives the same values.
///
/// ```
/// use skel_core::space::{Shape, SweepOrder};
///
/// let order = SweepOrder::over(Shape::D2(3, 4), [0, 0, 1, 1]).descending([false, false, true, false]);
/// assert_eq!(order.element(0), 8); // It begins with the last row.
/// assert_eq!(order.neighbour(5, [0, 0, -1, -1]), Some(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SweepOrder {
    rank: usize,
    extents: [usize; MAX_RANK],
    radius: [usize; MAX_RANK],
    descending: [bool; MAX_RANK],
    edge: EdgeKind,
}

/// A box of elements, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepBox {
    /// The first places.
    pub start: [usize; MAX_RANK],
    /// The places behind the last.
    pub end: [usize; MAX_RANK],
}

impl SweepOrder {
    /// Upwards along all dimensions of a container of this shape; elements see others as far away as `radius`, and
    /// beyond the edges the nearest element.
    ///
    /// # Panics
    /// If there are more elements than a `usize` can count.
    #[must_use]
    pub fn over(shape: Shape, radius: [usize; MAX_RANK]) -> SweepOrder {
        let extents = shape.extents();
        let elems = extents.into_iter().try_fold(1, usize::checked_mul);
        assert!(elems.is_some(), "a sweep over {extents:?} elements");
        SweepOrder {
            rank: shape.rank(),
            extents,
            radius,
            descending: [false; MAX_RANK],
            edge: EdgeKind::Duplicate,
        }
    }

    /// The same, downwards along these dimensions.
    #[must_use]
    pub fn descending(self, descending: [bool; MAX_RANK]) -> SweepOrder {
        SweepOrder { descending, ..self }
    }

    /// The same, with this beyond the edges.
    ///
    /// # Panics
    /// If it is neither one value nor the nearest element: what lies at the other end comes later.
    #[must_use]
    pub fn with_edge(self, edge: EdgeKind) -> SweepOrder {
        let known = matches!(edge, EdgeKind::Duplicate | EdgeKind::Pad);
        assert!(known, "a sweep whose edges are {edge:?}");
        SweepOrder { edge, ..self }
    }

    /// How many dimensions it has: the last ones of all arrays.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many elements there are along each dimension.
    #[must_use]
    pub fn extents(&self) -> [usize; MAX_RANK] {
        self.extents
    }

    /// How many elements there are.
    #[must_use]
    pub fn elems(&self) -> usize {
        self.extents.into_iter().product()
    }

    /// How far an element sees along each dimension.
    #[must_use]
    pub fn radius(&self) -> [usize; MAX_RANK] {
        self.radius
    }

    /// Along which dimensions it goes downwards.
    #[must_use]
    pub fn is_descending(&self) -> [bool; MAX_RANK] {
        self.descending
    }

    /// What lies beyond the edges.
    #[must_use]
    pub fn edge(&self) -> EdgeKind {
        self.edge
    }

    /// All elements.
    #[must_use]
    pub fn all(&self) -> SweepBox {
        SweepBox {
            start: [0; MAX_RANK],
            end: self.extents,
        }
    }

    /// The places of an element, as the container counts it.
    ///
    /// # Panics
    /// If the container has no elements.
    #[must_use]
    pub fn places(&self, element: usize) -> [usize; MAX_RANK] {
        let (mut places, mut rest) = ([0; MAX_RANK], element);
        for d in (0..MAX_RANK).rev() {
            places[d] = self.turned(d, rest % self.extents[d]);
            rest /= self.extents[d];
        }
        places
    }

    /// The element at these places, as the container counts.
    #[must_use]
    #[inline]
    pub fn at(&self, places: [usize; MAX_RANK]) -> usize {
        (0..MAX_RANK).fold(0, |element, d| {
            element * self.extents[d] + self.turned(d, places[d])
        })
    }

    /// The element that a plain loop computes as number `number`; and the number of an element, for the one is as the
    /// other.
    ///
    /// # Panics
    /// If the container has no elements.
    #[must_use]
    pub fn element(&self, number: usize) -> usize {
        let upwards = SweepOrder {
            descending: [false; MAX_RANK],
            ..*self
        };
        self.at(upwards.places(number))
    }

    /// The element that element `element` sees at these offsets; `None` for a padded one. Slow and plain: what units do
    /// must agree with it.
    ///
    /// # Panics
    /// If the container has no elements.
    #[must_use]
    pub fn neighbour(&self, element: usize, offsets: [isize; MAX_RANK]) -> Option<usize> {
        let mut places = self.places(element);
        for d in 0..MAX_RANK {
            let place = places[d].cast_signed() + offsets[d];
            places[d] = self.edge.resolve(place, self.extents[d])?;
        }
        Some(self.at(places))
    }

    /// The first element, as the container counts, of the row with these places.
    #[must_use]
    #[inline]
    pub fn row(&self, places: [usize; MAX_RANK]) -> usize {
        let row = (0..MAX_RANK - 1).fold(0, |row, d| {
            row * self.extents[d] + self.turned(d, places[d])
        });
        row * self.extents[MAX_RANK - 1]
    }

    /// Along a dimension: a place as an index, or an index as a place.
    #[inline]
    fn turned(&self, d: usize, place: usize) -> usize {
        match self.descending[d] {
            true => self.extents[d] - 1 - place,
            false => place,
        }
    }

    /// Of these places of a row, those around which all is there.
    #[must_use]
    pub fn inside_of_row(&self, first: [usize; MAX_RANK], end: usize) -> Range<usize> {
        let x = MAX_RANK - 1;
        let outer = (0..x)
            .all(|d| self.radius[d] <= first[d] && first[d] + self.radius[d] < self.extents[d]);
        let start = first[x].max(self.radius[x]).min(end);
        let last = self.extents[x].saturating_sub(self.radius[x]).min(end);
        match outer {
            true => start..last.max(start),
            false => start..start,
        }
    }
}

impl SweepBox {
    /// Which of [its rows](SweepBox::rows) has the element at these places.
    #[must_use]
    pub fn row_number(&self, places: [usize; MAX_RANK]) -> usize {
        (0..MAX_RANK - 1).fold(0, |row, d| {
            row * (self.end[d] - self.start[d]) + places[d] - self.start[d]
        })
    }

    /// Its rows, as the sweep goes: the places of the first element of each.
    pub fn rows(&self) -> impl Iterator<Item = [usize; MAX_RANK]> + use<> {
        let SweepBox { start, end } = *self;
        let along = move |d: usize| start[d]..end[d];
        let planes = along(0).flat_map(move |l| along(1).map(move |k| (l, k)));
        planes.flat_map(move |(l, k)| along(2).map(move |i| [l, k, i, start[MAX_RANK - 1]]))
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn every_direction_meets_each_element_once_and_finds_its_number_again() {
        for shape in [Shape::D1(5), Shape::D2(3, 4), Shape::D3(2, 3, 4)] {
            for turned in 0..8 {
                let descending = [false, turned & 4 != 0, turned & 2 != 0, turned & 1 != 0];
                let order = SweepOrder::over(shape, [0; 4]).descending(descending);
                let all: Vec<usize> = (0..shape.len()).map(|n| order.element(n)).collect();
                let again: Vec<usize> = all.iter().map(|element| order.element(*element)).collect();
                assert!(again.into_iter().eq(0..shape.len()), "{shape} {turned}");
                let places = all.iter().map(|element| order.places(*element));
                assert!(places.is_sorted(), "{shape} {turned}");
                let rows = order.all().rows().flat_map(|first| {
                    (0..shape.row_elems()).map(move |x| order.at([first[0], first[1], first[2], x]))
                });
                assert!(rows.eq(all), "{shape} {turned}");
                let numbers = order
                    .all()
                    .rows()
                    .map(|first| order.all().row_number(first));
                assert!(numbers.eq(0..order.all().rows().count()), "{shape}");
            }
        }
    }

    #[test]
    fn what_precedes_an_element_comes_before_it_in_every_direction() {
        let shape = Shape::D2(4, 5);
        for descending in [
            [false; 4],
            [false, false, true, true],
            [false, false, false, true],
        ] {
            let order = SweepOrder::over(shape, [0, 0, 2, 1])
                .descending(descending)
                .with_edge(EdgeKind::Pad);
            for element in 0..shape.len() {
                for offsets in [[0, 0, -1, 0], [0, 0, 0, -1], [0, 0, -2, -1]] {
                    if let Some(seen) = order.neighbour(element, offsets) {
                        assert!(order.element(seen) < order.element(element));
                    }
                    let behind = offsets.map(|offset| -offset);
                    if let Some(seen) = order.neighbour(element, behind) {
                        assert!(order.element(seen) > order.element(element));
                    }
                }
            }
        }
    }

    #[test]
    fn beyond_the_edges_is_one_value_or_the_nearest_element() {
        let order = SweepOrder::over(Shape::D2(3, 4), [0, 0, 1, 1]);
        assert_eq!(order.neighbour(2, [0, 0, -1, -1]), Some(1));
        assert_eq!(order.neighbour(2, [0, 0, -1, 0]), Some(2));
        let padded = order.with_edge(EdgeKind::Pad);
        assert_eq!(padded.neighbour(2, [0, 0, -1, -1]), None);
        assert_eq!(padded.neighbour(6, [0, 0, -1, -1]), Some(1));
        let down = padded.descending([false, false, true, false]);
        assert_eq!(down.neighbour(6, [0, 0, -1, -1]), Some(9));
        assert_eq!(down.neighbour(10, [0, 0, -1, 0]), None);
    }

    #[test]
    fn inside_is_where_nothing_beyond_is_seen() {
        let radius = [0, 1, 0, 2];
        let order = SweepOrder::over(Shape::D3(3, 4, 5), radius);
        assert_eq!(order.inside_of_row([0, 1, 3, 0], 5), 2..3);
        assert_eq!(order.inside_of_row([0, 1, 3, 2], 3), 2..3);
        assert!(order.inside_of_row([0, 0, 3, 0], 5).is_empty());
        assert!(order.inside_of_row([0, 1, 3, 0], 2).is_empty());
        for extent in 0..4 {
            let narrow = SweepOrder::over(Shape::D1(extent), [0, 0, 0, 2]);
            assert!(narrow.inside_of_row([0; 4], extent).is_empty());
        }
    }
}
