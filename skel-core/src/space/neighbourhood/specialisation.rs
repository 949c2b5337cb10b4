//! What a device's kernel is told beforehand of where neighbourhoods lie.

use crate::space::{EdgeKind, MAX_RANK, Neighbourhood, Reach};

/// Facts about neighbourhoods that kernels are compiled for: with them there is little left to ask for an
/// element. Only of neighbourhoods that reach beyond an edge by less than the container's extent, so edges
/// are wrapped or mirrored once at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowSpecialisation {
    /// What lies beyond the edges.
    pub edge: EdgeKind,
    /// Neighbouring positions are neighbouring places, and the window's last dimension is the
    /// container's.
    pub plain: bool,
    /// The window has all dimensions that the call has.
    pub alone: bool,
}

impl WindowSpecialisation {
    /// What is known of the neighbourhoods of a call of so many elements; nothing if they may wrap more
    /// than once.
    #[must_use]
    pub fn of(near: &Neighbourhood, reach: &Reach, elems: usize) -> Option<WindowSpecialisation> {
        let dims = MAX_RANK - near.rank..MAX_RANK;
        let once = dims.clone().all(|d| {
            let last = near.positions[d].saturating_sub(1);
            let inside = last
                .checked_mul(near.stride[d])
                .and_then(|place| place.checked_add(near.shift[d]))
                .is_some_and(|place| place < near.extents[d]);
            inside && reach.before[d].max(reach.after[d]) < near.extents[d]
        });
        let all = dims.clone().map(|d| near.positions[d]);
        let all = all.fold(near.inner, usize::saturating_mul);
        once.then(|| WindowSpecialisation {
            edge: near.edge,
            plain: near.inner == 1 && dims.clone().all(|d| near.stride[d] == 1),
            alone: all == elems,
        })
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::space::Shape;

    #[test]
    fn windows_that_may_wrap_twice_are_not_known() {
        let reach = Reach::window(1, [0, 0, 0, 3]);
        let specialisation =
            |n| WindowSpecialisation::of(&Neighbourhood::around(Shape::D1(n), 1), &reach, n);
        assert_eq!(specialisation(3), None);
        let known = specialisation(4).expect("it wraps once");
        assert!(known.plain && known.alone);
        assert_eq!(known.edge, EdgeKind::Duplicate);
    }

    #[test]
    fn along_rows_there_are_other_dimensions() {
        let reach = Reach::window(1, [0, 0, 0, 1]);
        let near = Neighbourhood::around(Shape::D2(3, 5), 1);
        let known = WindowSpecialisation::of(&near, &reach, 15).expect("it wraps once");
        assert!(known.plain && !known.alone);
    }
}
