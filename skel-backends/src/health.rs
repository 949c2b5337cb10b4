//! Whether a unit is still used.

/// How a unit is.
///
/// A device is **quarantined** when its driver says that it is lost, when a launch on it fails, when it does
/// not answer in time (see [`crate::ContextBuilder::watchdog`]), and when its driver panics. Its state is
/// unknown then, and its results may be wrong. It takes no part in calls any more, until the program ends;
/// calls that name it get [`skel_core::Error::DeviceLost`]. What only it had can still be downloaded, unless
/// it is gone altogether.
///
/// A kernel that does not *compile* says nothing of the device: that kernel is not tried again there, and
/// all others are. Nor does memory that runs out, a transfer that fails, or a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Health {
    /// It is used.
    Well,
    /// It is not used any more.
    Quarantined {
        /// What happened.
        reason: String,
    },
}
