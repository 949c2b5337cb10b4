//! Which elements of a container an element of a call sees: windows of MapOverlap, pools of MapPool.

mod halo;
mod reach;
mod specialisation;

pub use reach::Reach;
pub use specialisation::WindowSpecialisation;

use crate::space::{MAX_RANK, Shape};

/// What a window sees beyond the edges of its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// Nothing: there are outputs only where the window lies inside.
    None = 0,
    /// The container again, as often as needed: `… b c | a b c | a b …`.
    Cyclic = 1,
    /// The element at the edge: `… a a | a b c | c c …`.
    Duplicate = 2,
    /// The container mirrored about the element at the edge, which is not repeated, as often as needed:
    /// `… c b | a b c | b a b …`.
    Reflect = 3,
    /// One value.
    Pad = 4,
    /// The container mirrored about its edge, so that the element there is repeated, as often as needed:
    /// `… b a | a b c | c b …`.
    Symmetric = 5,
}

impl EdgeKind {
    /// All there are, by their numbers.
    pub const ALL: [EdgeKind; 6] = [
        EdgeKind::None,
        EdgeKind::Cyclic,
        EdgeKind::Duplicate,
        EdgeKind::Reflect,
        EdgeKind::Pad,
        EdgeKind::Symmetric,
    ];

    /// The place in `0..extent` that stands for `at`; `None` for a padded one.
    ///
    /// # Panics
    /// If `extent` is 0, or, without any edge, if `at` is outside.
    #[inline]
    #[must_use]
    pub fn resolve(self, at: isize, extent: usize) -> Option<usize> {
        let n = extent as isize;
        if (0..n).contains(&at) {
            return Some(at as usize);
        }
        match self {
            EdgeKind::None => panic!("{at} is outside of {extent} elements"),
            EdgeKind::Cyclic => Some(at.rem_euclid(n) as usize),
            EdgeKind::Duplicate => Some(at.clamp(0, n - 1) as usize),
            EdgeKind::Reflect if n == 1 => Some(0),
            EdgeKind::Reflect => {
                let period = 2 * (n - 1);
                let at = at.rem_euclid(period);
                Some(at.min(period - at) as usize)
            }
            EdgeKind::Symmetric => {
                let period = 2 * n;
                let at = at.rem_euclid(period);
                Some(at.min(period - 1 - at) as usize)
            }
            EdgeKind::Pad => None,
        }
    }
}

/// Where the neighbourhoods of a call's elements lie in a container. Along each of the window's
/// dimensions, position `p` of the call belongs to place `p * stride + shift` of the container; offset
/// `d` of the window is `d` places from there. Elements are counted in row-major order: the window's
/// dimensions are the innermost ones but for `inner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Neighbourhood {
    /// The window's dimensions, 1 to 4. Of the arrays below, the last `rank` count; the others are 1
    /// (extents, strides) or 0 (shifts).
    pub rank: usize,
    /// Positions of the call along each dimension.
    pub positions: [usize; MAX_RANK],
    /// Places of the container along each dimension.
    pub extents: [usize; MAX_RANK],
    /// How many places neighbouring positions are apart.
    pub stride: [usize; MAX_RANK],
    /// The place of position 0.
    pub shift: [usize; MAX_RANK],
    /// Elements inside of the window's innermost dimension, of container and call alike: 1, or the columns
    /// of a matrix if the window goes down them.
    pub inner: usize,
    /// What lies beyond the edges.
    pub edge: EdgeKind,
}

impl Neighbourhood {
    /// Around each element of a container of this shape, along its last `rank` dimensions; edges are
    /// repeated.
    #[must_use]
    pub fn around(shape: Shape, rank: usize) -> Neighbourhood {
        let mut extents = shape.extents();
        extents[..MAX_RANK - rank].fill(1);
        Neighbourhood {
            rank,
            positions: extents,
            extents,
            stride: [1; MAX_RANK],
            shift: [0; MAX_RANK],
            inner: 1,
            edge: EdgeKind::Duplicate,
        }
    }

    /// The element of the container at offset `offsets` of the window of element `at` of the call;
    /// `None` for a padded one. Slow and plain: what units do must agree with it.
    ///
    /// # Panics
    /// As [`EdgeKind::resolve`].
    #[must_use]
    pub fn element(&self, at: usize, offsets: [isize; MAX_RANK]) -> Option<usize> {
        let (inside, mut rest) = (at % self.inner, at / self.inner);
        let (mut element, mut pitch) = (inside, self.inner);
        for d in (0..MAX_RANK).rev() {
            let position = rest % self.positions[d];
            rest /= self.positions[d];
            let place = (position * self.stride[d] + self.shift[d]) as isize + offsets[d];
            element += self.edge.resolve(place, self.extents[d])? * pitch;
            pitch *= self.extents[d];
        }
        Some(element + rest * pitch)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn edges_are_those_of_numpy() {
        // `numpy.pad([0, 1, 2], 5, mode = …)`: wrap, edge, reflect, symmetric.
        let seen = |edge: EdgeKind| -> Vec<usize> {
            let places = -5..8;
            places.map(|at| edge.resolve(at, 3).unwrap()).collect()
        };
        assert_eq!(
            seen(EdgeKind::Cyclic),
            [1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]
        );
        assert_eq!(
            seen(EdgeKind::Duplicate),
            [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]
        );
        assert_eq!(
            seen(EdgeKind::Reflect),
            [1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]
        );
        assert_eq!(
            seen(EdgeKind::Symmetric),
            [1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]
        );
        assert_eq!(EdgeKind::Reflect.resolve(-7, 1), Some(0));
        assert_eq!(EdgeKind::Symmetric.resolve(-7, 1), Some(0));
        assert_eq!(EdgeKind::Pad.resolve(3, 3), None);
    }

    #[test]
    fn windows_down_a_column() {
        // A matrix of 3 rows and 4 columns; element 5 is row 1, column 1.
        let down = Neighbourhood {
            rank: 1,
            positions: [1, 1, 1, 3],
            extents: [1, 1, 1, 3],
            stride: [1; 4],
            shift: [0; 4],
            inner: 4,
            edge: EdgeKind::Pad,
        };
        assert_eq!(down.element(5, [0, 0, 0, -1]), Some(1));
        assert_eq!(down.element(5, [0, 0, 0, 1]), Some(9));
        assert_eq!(down.element(5, [0, 0, 0, 2]), None);
    }

    #[test]
    fn pools_of_every_plane() {
        // Two planes of 4 × 6; pools of 2 × 3.
        let pools = Neighbourhood {
            rank: 2,
            positions: [1, 1, 2, 2],
            extents: [1, 1, 4, 6],
            stride: [1, 1, 2, 3],
            shift: [0; 4],
            inner: 1,
            edge: EdgeKind::None,
        };
        // Element 6: plane 1, row 1, column 0.
        assert_eq!(pools.element(6, [0, 0, 1, 2]), Some(24 + 3 * 6 + 2));
    }
}
