//! Where units are in a context.

use skel_core::schedule::UnitIndex;

/// Position of the sequential unit.
pub(crate) const SEQUENTIAL: UnitIndex = 0;
/// Position of the CPU.
pub(crate) const CPU: UnitIndex = 1;
/// Position of device 0.
pub(crate) const FIRST_DEVICE: UnitIndex = 2;
