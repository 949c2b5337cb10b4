//! Folds of elements that see neighbourhoods.
//!
//! They are computed as where they are written to a container, rectangle by rectangle, but to memory that stays in the
//! first caches; from there they are combined. So the container is read once, and nothing is written.

use super::{Loop, Operator};
use crate::{
    Element,
    frame::{ElementLayout, Frame, Room, Slot, Slots, Spine},
    isa,
    param::{Each, ParamList},
    plan::Phases,
    skeleton::{elementwise::Elementwise, grouped::Folding, reduce::itself},
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// Values of so many bytes are computed before they are combined.
const VALUES_BYTES: usize = 64 << 10;

/// The combination of all elements of a piece.
///
/// Not inlined: it would be compiled a second time where it is.
#[inline(never)]
pub(super) fn fold<F, R, P, const BY_LANES: bool>(
    plan: &(dyn Phases + 'static),
    piece: &mut Frame<'_>,
) -> Spine
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let shape = piece.space.shape();
    let mut folding =
        Folding::<F::Output, BY_LANES>::new(piece.grouping, &piece.range, shape.len());
    let again = plan.kernel().is_ok_and(|kernel| kernel.is_pure);
    let (mut rest, mut room) = (piece.beside(), Room::default());
    while !rest.range.is_empty() {
        let most = VALUES_BYTES / size_of::<F::Output>().max(1);
        let mut part: Frame<'_> =
            rest.take_front(end_of_part(&rest.range, most, shape.row_elems()));
        let range = part.range.clone();
        let values = room.of(ElementLayout::of::<F::Output>(), range.len());
        let out = values.view_out(0..range.len()).numbered_from(range.start);
        part.slots.push(Slot::Out(out));
        Elementwise::<F, P>::LOOPS.rectangles(&mut part, range.clone(), again);
        drop(part);
        // The loop is that of `reduce!`.
        let values = values.view(0..range.len()).numbered_from(range.start);
        isa::dispatch(Loop::<_, itself, R, (Each<F::Output>,), BY_LANES> {
            folding: &mut folding,
            frame: &mut Frame {
                slots: Slots::from_iter([Slot::In(values)]),
                range,
                space: piece.space,
                grouping: piece.grouping,
            },
            last: rest.range.is_empty(),
            _types: PhantomData,
        });
    }
    folding.spine::<R>()
}

/// Where the elements end that are computed next: `most` of them, and whole rows where some fit.
fn end_of_part(rest: &Range<usize>, most: usize, cols: usize) -> usize {
    let end = rest.start.saturating_add(most.max(1));
    if end >= rest.end {
        return rest.end;
    }
    let whole = end - end % cols.max(1);
    if whole > rest.start { whole } else { end }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn parts_end_with_rows_where_some_fit() {
        assert_eq!(end_of_part(&(0..100), 1000, 10), 100);
        assert_eq!(end_of_part(&(0..100), 35, 10), 30);
        assert_eq!(end_of_part(&(7..100), 35, 10), 40);
        // A row in parts, and the rest of it.
        assert_eq!(end_of_part(&(0..100), 35, 40), 35);
        assert_eq!(end_of_part(&(35..100), 35, 40), 40);
        assert_eq!(end_of_part(&(0..0), 35, 0), 0);
        assert_eq!(end_of_part(&(3..9), 0, 4), 4);
    }
}
