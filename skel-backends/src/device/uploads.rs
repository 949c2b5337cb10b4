//! What was uploaded for a piece, until it is known that it arrived.

use super::{Driver, unit::DeviceUnit};
use skel_core::{container::Buffer, unit::NodeId};
use std::ops::Range;

/// Parts of containers whose uploads are queued, and that count as valid on the device. Unless it is
/// [confirmed](Uploads::confirm) that they arrived, the next call uploads them again: so no way out of a call that has
/// failed can forget to say so.
pub(super) struct Uploads<'e> {
    node: NodeId,
    parts: Vec<(&'e Buffer, Range<usize>)>,
}

impl<'e> Uploads<'e> {
    /// None yet, to this device.
    pub(super) fn to<D: Driver>(unit: &DeviceUnit<D>) -> Uploads<'e> {
        Uploads {
            node: unit.node,
            parts: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Uploads of these parts are queued.
    pub(super) fn add(
        &mut self,
        buffer: &'e Buffer,
        parts: impl IntoIterator<Item = Range<usize>>,
    ) {
        self.parts
            .extend(parts.into_iter().map(|part| (buffer, part)));
    }

    /// A command that was queued behind them has ended without an error.
    pub(super) fn confirm(&mut self) {
        self.parts.clear();
    }
}

impl Drop for Uploads<'_> {
    fn drop(&mut self) {
        for (buffer, part) in self.parts.drain(..) {
            buffer.retract(self.node, part);
        }
    }
}

#[cfg(test)]
mod test {

    use crate::{
        device::{bind::Bound, scope::scope},
        mock::Mock,
    };
    use skel_core::{container::Vector, space::IntervalSet};

    #[test]
    fn what_is_not_confirmed_is_uploaded_again() -> skel_core::Result<()> {
        let unit = Mock::named("device").unit()?;
        let v = Vector::from(vec![1_u32; 9]);
        let array = unit.array_of(v.buffer())?;
        let bring = |bound: &mut _| {
            let wanted = IntervalSet::of(2..7);
            scope(|scope| unit.bring(scope, array.id, v.buffer(), &wanted, bound))
        };
        let missing = || v.buffer().missing(unit.node, 0..9);

        let mut given_up = Bound::new(&unit);
        bring(&mut given_up)?;
        assert!(!given_up.uploads.is_empty());
        assert_eq!(missing(), [0..2, 7..9]);
        drop(given_up);
        assert_eq!(missing(), vec![0..9]);

        let mut confirmed = Bound::new(&unit);
        bring(&mut confirmed)?;
        confirmed.uploads.confirm();
        drop(confirmed);
        assert_eq!(missing(), [0..2, 7..9]);
        Ok(())
    }
}
