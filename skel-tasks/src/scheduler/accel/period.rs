//! Over what times are measured.

use crate::Ns;
use std::{fmt, str::FromStr};

/// Which tasks are measured together. ACCEL measures iterations, or 2 s. A graph of tasks has no iterations of its
/// own: a period here is a number of tasks that become ready one after the other, and ends when all of them are
/// done. Where there are iterations, a multiple of their tasks is best, since then all periods do the same work.
/// What is measured is the time from the end of one period to the end of the next one, per task. It is that of the
/// slower side even if both always have something to do, since periods end in turn; what finishes within some
/// time would be the same whatever the share. Pauses between graphs are part of it.
///
/// ```
/// use skel_tasks::scheduler::Period;
///
/// assert_eq!("64".parse(), Ok(Period::Tasks(64)));
/// assert_eq!("2000000ns".parse(), Ok(Period::Time { ns: 2_000_000 }));
/// assert!("2s".parse::<Period>().is_err() && "0".parse::<Period>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// So many tasks.
    Tasks(u32),
    /// The tasks that become ready within so many nanoseconds, the first one that is later included.
    Time {
        /// How many.
        ns: Ns,
    },
}

/// What a [`Period`] can be.
pub(super) const EXPECTED: &str = "a number of tasks above 0, or nanoseconds such as 2000000ns";

impl FromStr for Period {
    type Err = crate::BadOption;

    fn from_str(text: &str) -> Result<Period, crate::BadOption> {
        let parsed = match text.strip_suffix("ns") {
            Some(ns) => ns.parse().map(|ns| Period::Time { ns }),
            None => text.parse().map(Period::Tasks),
        };
        let bad = || crate::BadOption::new("period", text, EXPECTED);
        parsed.map_err(|_| bad())?.checked()
    }
}

impl Period {
    /// Not of nothing.
    pub(super) fn checked(self) -> Result<Period, crate::BadOption> {
        match self {
            Period::Tasks(0) | Period::Time { ns: 0 } => {
                Err(crate::BadOption::new("period", self, EXPECTED))
            }
            _ => Ok(self),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Period::Tasks(tasks) => write!(f, "{tasks}"),
            Period::Time { ns } => write!(f, "{ns}ns"),
        }
    }
}
