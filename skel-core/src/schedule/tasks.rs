//! Calls as tasks: the setting of [`Target::Tasks`](super::Target::Tasks).

use crate::{Error, Result};
use skel_tasks::{
    BadOption, Configuration,
    scheduler::{self, Eager},
};
use std::{fmt, sync::Arc};

/// A call is cut into chunks, each of which is a task; the workers (every core, and every device that
/// [`Auto`](super::Auto) may choose) take them as a scheduler says, until none is left. No model and no ratio
/// is needed: units that are fast take more.
///
/// As text: `tasks`, `tasks:dmda`, `tasks:laheteroprio,s=1,chunks=64`.
///
/// ```
/// use skel_core::schedule::{Target, Tasks};
/// use skel_tasks::scheduler::Eager;
///
/// let target = Target::from(Tasks::new(Eager).chunks(64));
/// assert_eq!(target.to_string(), "tasks:eager,chunks=64");
/// assert_eq!("tasks:eager, chunks=64".parse::<Target>()?, target);
/// assert_eq!("tasks:ws,ahead=1".parse::<Target>()?.to_string(), "tasks:ws,ahead=1");
/// assert_eq!("tasks:ws,merge=8".parse::<Target>()?, Tasks::new(skel_tasks::scheduler::Ws::default()).merge(8).into());
/// # skel_core::Result::Ok(())
/// ```
#[derive(Clone)]
pub struct Tasks {
    scheduler: Arc<dyn Configuration>,
    chunks: Option<usize>,
    ahead: Option<usize>,
    merge: Option<usize>,
}

/// How many tasks a device is given at once, at most, where nothing else was said: while one runs, what the next one needs is
/// on its way.
pub const AHEAD: usize = 2;

/// Each takes a thread.
const MOST_AHEAD: usize = 8;

/// Whether devices can be given so many tasks at once.
///
/// # Errors
/// [`Error::BadOption`] for none and for more than eight.
pub fn check_ahead(ahead: usize) -> Result<usize> {
    match ahead {
        1..=MOST_AHEAD => Ok(ahead),
        _ => {
            let bad = BadOption::new("ahead", ahead, format!("a number from 1 to {MOST_AHEAD}"));
            Err(Error::BadOption(bad))
        }
    }
}

impl Default for Tasks {
    /// Under [`Eager`]: a worker that is free takes the next chunk.
    fn default() -> Tasks {
        Tasks::new(Eager)
    }
}

impl Tasks {
    /// Under this scheduler.
    #[must_use]
    pub fn new(scheduler: impl Configuration + 'static) -> Tasks {
        Tasks {
            scheduler: Arc::new(scheduler),
            chunks: None,
            ahead: None,
            merge: None,
        }
    }

    /// In so many chunks, or one for each element if there are fewer. Without this, in some four for each
    /// worker. A fold of floats on CPU cores has one result, whatever the number.
    ///
    /// None at all is an [`Error::BadOption`] when the call is made.
    #[must_use]
    pub fn chunks(self, chunks: usize) -> Tasks {
        Tasks {
            chunks: Some(chunks),
            ..self
        }
    }

    /// Gives each device so many chunks at once, at most: while it computes one, the next is copied there and waits in its
    /// queue. 2 without this; with 1, a device idles while the host learns that a chunk is done.
    ///
    /// None and more than 8 are an [`Error::BadOption`] when the call is made.
    #[must_use]
    pub fn ahead(self, ahead: usize) -> Tasks {
        Tasks {
            ahead: Some(ahead),
            ..self
        }
    }

    /// A device that is free takes up to so many chunks, and computes those that follow each other as one piece: with one
    /// launch, and one copy each way. So many small chunks, from which cores take one at a time, cost a device no more
    /// than few large ones. 1 without this. (In ACCEL's words: tasks are offloaded when enough of them have come.)
    ///
    /// None is an [`Error::BadOption`] when the call is made.
    #[must_use]
    pub fn merge(self, merge: usize) -> Tasks {
        Tasks {
            merge: Some(merge),
            ..self
        }
    }

    /// How many chunks a device computes as one piece, at most.
    ///
    /// # Errors
    /// [`Error::BadOption`] for none.
    pub fn wanted_merge(&self) -> Result<usize> {
        Ok(from_one("merge", self.merge)?.unwrap_or(1))
    }

    /// How many chunks a device is given at once.
    ///
    /// # Errors
    /// [`Error::BadOption`] for none and for more than eight.
    pub fn wanted_ahead(&self) -> Result<usize> {
        check_ahead(self.ahead.unwrap_or(AHEAD))
    }

    /// The scheduler's configuration.
    #[must_use]
    pub fn scheduler(&self) -> &dyn Configuration {
        &*self.scheduler
    }

    /// How many chunks there are to be, if that was said.
    ///
    /// # Errors
    /// [`Error::BadOption`] for none.
    pub fn wanted_chunks(&self) -> Result<Option<usize>> {
        from_one("chunks", self.chunks)
    }

    /// What stands behind `tasks:`.
    pub(super) fn parse(text: &str) -> Result<Tasks> {
        let named = ["chunks", "ahead", "merge"];
        let parsed = scheduler::parse_with_counts(text, named).map_err(Error::BadOption)?;
        let (scheduler, [chunks, ahead, merge]) = parsed;
        let tasks = Tasks {
            scheduler: scheduler.into(),
            chunks,
            ahead,
            merge,
        };
        tasks.wanted_ahead()?;
        Ok(tasks)
    }
}

/// A number of which there is to be one at least.
fn from_one(option: &'static str, number: Option<usize>) -> Result<Option<usize>> {
    match number {
        Some(0) => Err(Error::BadOption(BadOption::new(
            option,
            0,
            "a number from 1 on",
        ))),
        number => Ok(number),
    }
}

impl fmt::Display for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tasks:{}", self.scheduler.text())?;
        let options = [
            ("chunks", self.chunks),
            ("ahead", self.ahead),
            ("merge", self.merge),
        ];
        for (option, number) in options {
            if let Some(number) = number {
                write!(f, ",{option}={number}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tasks({self})")
    }
}

impl PartialEq for Tasks {
    /// As they are shown.
    fn eq(&self, other: &Tasks) -> bool {
        self.to_string() == other.to_string()
    }
}
