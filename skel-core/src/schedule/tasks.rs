//! Calls as tasks: the setting of [`Target::Tasks`](super::Target::Tasks).

use crate::{Error, Result};
use skel_tasks::{
    BadKnob, Configuration,
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
/// # skel_core::Result::Ok(())
/// ```
#[derive(Clone)]
pub struct Tasks {
    scheduler: Arc<dyn Configuration>,
    chunks: Option<usize>,
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
        }
    }

    /// In so many chunks, or one for each element if there are fewer. Without this, in some four for each
    /// worker. For one number of chunks, a fold of floats on CPU cores has one result.
    ///
    /// None at all is an [`Error::BadKnob`] when the call is made.
    #[must_use]
    pub fn chunks(self, chunks: usize) -> Tasks {
        Tasks {
            chunks: Some(chunks),
            ..self
        }
    }

    /// The scheduler's configuration.
    #[must_use]
    pub fn scheduler(&self) -> &dyn Configuration {
        &*self.scheduler
    }

    /// How many chunks there are to be, if that was said.
    ///
    /// # Errors
    /// [`Error::BadKnob`] for none.
    pub fn wanted_chunks(&self) -> Result<Option<usize>> {
        match self.chunks {
            Some(0) => Err(Error::of_knob(BadKnob::new(
                "chunks",
                0,
                "a number from 1 on",
            ))),
            chunks => Ok(chunks),
        }
    }

    /// What stands behind `tasks:`.
    pub(super) fn parse(text: &str) -> Result<Tasks> {
        let (name, knobs) = text.split_once(',').unwrap_or((text, ""));
        let (mut chunks, mut scheduler_text) = (None, name.trim().to_owned());
        for knob in knobs.split(',').filter(|knob| !knob.trim().is_empty()) {
            match knob
                .split_once('=')
                .map(|(name, n)| (name.trim(), n.trim()))
            {
                Some(("chunks", n)) => {
                    let bad = || BadKnob::new("chunks", n, "a number from 1 on");
                    chunks = Some(n.parse().map_err(|_| Error::of_knob(bad()))?);
                }
                _ => {
                    scheduler_text.push(',');
                    scheduler_text.push_str(knob.trim());
                }
            }
        }
        let tasks = Tasks {
            scheduler: scheduler::parse(&scheduler_text)
                .map_err(Error::of_knob)?
                .into(),
            chunks,
        };
        tasks.wanted_chunks()?;
        Ok(tasks)
    }
}

impl Error {
    /// A setting that cannot be. (No `From`: with a second one, `?` in closures would need type annotations.)
    #[must_use]
    pub fn of_knob(bad: BadKnob) -> Error {
        let BadKnob {
            knob,
            found,
            expected,
        } = bad;
        Error::BadKnob {
            knob,
            found,
            expected,
        }
    }
}

impl fmt::Display for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tasks:{}", self.scheduler.text())?;
        match self.chunks {
            Some(chunks) => write!(f, ",chunks={chunks}"),
            None => Ok(()),
        }
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
