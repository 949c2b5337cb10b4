//! Deadlines of pieces, where a watchdog goes by models.

use super::{
    Context,
    moves::{Moves, Situation},
};
use crate::{
    Watchdog,
    device::{Deadline, Fetch, duration},
    positions::FIRST_DEVICE,
    tune::beside_elems,
};
use skel_core::{call::Call, schedule::UnitIndex};
use skel_model::{Quality, TransferModel, policy::UnitCost};
use std::ops::Range;

/// Calls that are larger than the measured ones by more than this factor are not predicted: the device's time
/// may follow another law there.
const LARGEST: f64 = 4.0;

impl Context {
    /// How long elements `range` of a call may take on the unit at position `index`; nothing where no model
    /// says it.
    pub(super) fn deadline(
        &self,
        call: &Call<'_>,
        index: UnitIndex,
        range: &Range<usize>,
    ) -> Option<Deadline> {
        let Some(Watchdog::ByModel {
            factor, at_least, ..
        }) = self.inner.devices.watchdog()
        else {
            return None;
        };
        if index < FIRST_DEVICE || !self.unit(index).ok()?.has_run(call, range) {
            return None;
        }
        let (ns, transfer) = self.predicted(call, index, range)?;
        let deadline = |ns: f64| at_least.saturating_add(duration(factor.max(1.0) * ns));
        Some(Deadline {
            piece: deadline(ns),
            fetch: Fetch {
                least: deadline(transfer.down_latency_ns),
                ns_per_byte: factor.max(1.0) * transfer.down_ns_per_byte,
            },
        })
    }

    /// What elements `range` take on a device, with all that has to be sent there, and how its transfers are.
    fn predicted(
        &self,
        call: &Call<'_>,
        index: UnitIndex,
        range: &Range<usize>,
    ) -> Option<(f64, TransferModel)> {
        let entry = self.table().find(call)?;
        let (elems, beside) = (call.space.elems(), beside_elems(call));
        let (class, larger) = entry.model.class(elems, beside)?;
        let more_beside = beside.max(1) as f64 / class.beside_elems.max(1) as f64;
        let mut units = class.units.iter();
        let unit = units.find(|unit| self.device(&unit.unit) == Some(index))?;
        let mut transfers = entry.transfers.iter();
        let (_, transfer) = transfers.find(|(id, _)| *id == unit.unit)?;
        let good = class.quality.and(unit.fit.quality) == Quality::Good;
        if !good || larger > LARGEST || more_beside > LARGEST {
            return None;
        }
        let situation = Situation::Now { read_back: 0.0 };
        let moves = Moves::of(self, call, (index, &unit.unit), &entry.transfers, situation);
        let moved = moves.moved();
        let sized = entry.sizes.curve(class, unit, elems);
        let cost = UnitCost::new(sized.curve, sized.factor)
            .fixed(moves.fixed_ns)
            .moving(&moved);
        Some((cost.ns(range.clone()), *transfer))
    }
}
