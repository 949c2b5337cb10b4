//! When devices are given up that do not answer.

use std::time::Duration;

/// How long a device may be at its part of a call before it is given up: see
/// [`ContextBuilder::watchdog`](crate::ContextBuilder::watchdog).
///
/// A time of its own, which has to be longer than the longest call, finds a device that hangs late. A
/// *model* of the instance, as `cargo tune` and `tuning::tune` make them, says of each part how long it takes,
/// with its transfers; a device that takes many times as long hangs.
///
/// ```
/// use skel::{Context, Watchdog, mock::Mock};
/// use std::time::Duration;
///
/// // Parts that have a model: ten times what it says, and a second. All others: a minute.
/// let watchdog = Watchdog::by_model();
/// let context = Context::builder()
///     .unit(Mock::named("device").unit()?)
///     .watchdog(watchdog)
///     .build()?;
/// // A time is a watchdog, too.
/// assert_eq!(Watchdog::from(Duration::from_secs(5)), Watchdog::After(Duration::from_secs(5)));
/// # drop(context);
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Watchdog {
    /// Each part may take so long, whatever it is; no time at all is no watchdog.
    After(Duration),
    /// A part may take `factor` times what is predicted for it, and `at_least` besides.
    ///
    /// `otherwise` is for parts of which nothing is known: those without a model, or with one that is not
    /// good, or of calls much larger than were measured; the first one of each kernel, which the device has to
    /// compile; and those that do not fit the device and so are taken through it in chunks.
    ByModel {
        /// How many times what is predicted.
        factor: f64,
        /// How much besides: machines have other things to do.
        at_least: Duration,
        /// For all that has no prediction; no time at all is as long as it takes.
        otherwise: Duration,
    },
}

impl Watchdog {
    /// Ten times what is predicted, and a second; a minute where nothing is.
    #[must_use]
    pub const fn by_model() -> Self {
        Watchdog::ByModel {
            factor: 10.0,
            at_least: Duration::from_secs(1),
            otherwise: Duration::from_secs(60),
        }
    }

    /// What a part may take of which nothing is known.
    pub(crate) fn limit(self) -> Duration {
        match self {
            Watchdog::After(limit) => limit,
            Watchdog::ByModel { otherwise, .. } if otherwise.is_zero() => Duration::MAX,
            Watchdog::ByModel { otherwise, .. } => otherwise,
        }
    }

    /// The least that anything may take.
    pub(crate) fn least(self) -> Duration {
        match self {
            Watchdog::After(limit) => limit,
            Watchdog::ByModel { at_least, .. } => {
                at_least.min(self.limit()).max(Duration::from_millis(1))
            }
        }
    }
}

impl From<Duration> for Watchdog {
    fn from(limit: Duration) -> Self {
        Watchdog::After(limit)
    }
}
