//! Time steps over uneven items, which units of cores and devices share.

mod places;
mod run;
mod worker;

use crate::{Context, current_task::ItemId, fork::OwnerProcess};
use places::Place;
use skel_core::{
    Error, Result,
    schedule::{AHEAD, check_ahead},
};
use skel_tasks::{
    BadOption, TaskError,
    distribution::{ComputeUnits, Distributor, Scheme, Sizes, StepReport, parse},
};
use std::fmt;

/// Computes items of unlike sizes, all of them once in every step, on units of cores and on devices that share them:
/// the zones of a mesh, the images of a batch, the blocks of a simulation. A [scheme](skel_tasks::distribution) says
/// which unit takes which; it measures, and so the steps become balanced.
///
/// Skeleton calls in an item's closure run on the unit that has the item: on the M threads of a unit of cores, or on a
/// device, with its thread for what the device cannot do. `.on(…)` has no say there.
///
/// ```
/// use skel::{Context, prelude::*, tasks::Steps};
///
/// let context = Context::builder().build()?;
/// let decay = map!(|x: f32| 0.5 * x).within(context.clone());
/// // Vectors of unlike lengths, on two units of one core each.
/// let mut items: Vec<Vector<f32>> = (1..9).map(|n| Vector::from_fn(100 * n, |_| 1.0)).collect();
/// let mut steps = Steps::parse(&context, "2x1", "guided-runtime")?
///     .sizes(items.iter().map(|item| item.len() as f64))?;
/// for _ in 0..3 {
///     let report = steps.run(&mut items, |item, _unit| {
///         *item = decay.run((&*item,))?;
///         Ok(())
///     })?;
///     assert_eq!(report.items(0).count() + report.items(1).count(), 8);
/// }
/// assert!(items.iter().all(|item| item.host().is_ok_and(|host| host[0] == 0.125)));
/// # skel::Result::Ok(())
/// ```
///
/// # Errors and panics
/// An item whose closure gives an error or panics has failed in this step; all others are computed. [`Steps::run`]
/// gives the first of the failures as [`Error::Item`], [`Steps::failures`] all of them. Nothing is undone: what the
/// closure has changed before stays changed.
///
/// # When a device is lost
/// What its calls had not done is done by its thread, as in every call that does not name its device, if the host has
/// what that takes. Then the unit takes no more items: those that it had not begun are computed by others in the same
/// step, and all further steps are distributed over the units that are left. An item whose closure gave an error then
/// has failed, unless closures are [repeatable](Steps::repeatable).
pub struct Steps {
    context: Context,
    places: Vec<Place>,
    distributor: Distributor,
    /// Whether sizes were given.
    is_sized: bool,
    is_repeatable: bool,
    last: Option<StepReport>,
    failures: Vec<(usize, Error)>,
    /// The process whose threads the units have.
    owner: OwnerProcess,
}

/// The unit that computes an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepUnit {
    /// Its number among the units.
    pub number: usize,
    /// Whether it is a device.
    pub is_device: bool,
    /// How many threads skeleton calls have there.
    pub cores: usize,
}

impl Steps {
    /// Steps on N units of M cores each and on G devices, under a scheme. Each unit has threads of its own, which sleep
    /// between steps: M of them, or as many as a device is [given items](Steps::ahead) at once. Devices are the first G of those that
    /// [`Auto`](skel_core::schedule::Auto) may choose. Where `SKEL_BACKEND` names one unit of the host, calls in items run
    /// there, and there is no device.
    ///
    /// More threads than the machine has are possible; that is said once on standard error.
    ///
    /// # Errors
    /// [`Error::NoDevice`] if there are fewer devices, [`Error::BadOption`] for a setting of the scheme that cannot be or
    /// more than 4,096 threads,
    /// [`Error::Device`] if threads cannot be started, and what is wrong with `SKEL_BACKEND`.
    pub fn new(context: &Context, units: ComputeUnits, scheme: Box<dyn Scheme>) -> Result<Steps> {
        let distributor = Distributor::new(scheme, units, Sizes::equal(0));
        Ok(Steps {
            context: context.clone(),
            distributor: distributor.map_err(Error::BadOption)?,
            places: places::places(context, units, AHEAD)?,
            is_sized: false,
            is_repeatable: false,
            last: None,
            failures: Vec::new(),
            owner: OwnerProcess::here(),
        })
    }

    /// The same, from texts: `Steps::parse(&context, "4x4+2", "clustered-guided,variant=paper")`.
    ///
    /// # Errors
    /// [`Error::BadOption`] with what was expected, and those of [`Steps::new`].
    ///
    /// ```
    /// use skel::{Context, tasks::Steps};
    ///
    /// let context = Context::builder().build()?;
    /// let error = Steps::parse(&context, "2 cores", "static").unwrap_err().to_string();
    /// assert!(error.contains("such as 4x4+2"), "{error}");
    /// # skel::Result::Ok(())
    /// ```
    pub fn parse(context: &Context, units: &str, scheme: &str) -> Result<Steps> {
        let units = units.parse().map_err(Error::BadOption)?;
        Steps::new(context, units, parse(scheme).map_err(Error::BadOption)?)
    }

    /// All threads of the current rayon pool as units of one core each, and all devices that
    /// [`Auto`](skel_core::schedule::Auto) may choose, with a thread less for each of them, as long as one is left.
    ///
    /// # Errors
    /// What is wrong with `SKEL_BACKEND`.
    pub fn all_units(context: &Context) -> Result<ComputeUnits> {
        places::all(context)
    }

    /// How large the items are, in any unit that time is roughly proportional to. Without this, they count as equal,
    /// until they are measured.
    ///
    /// # Errors
    /// [`Error::BadOption`] for a size that is 0, negative, infinite or not a number.
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = f64>) -> Result<Steps> {
        let sizes = Sizes::new(sizes).map_err(Error::BadOption)?;
        self.distributor.replace(sizes).map_err(Error::BadOption)?;
        self.is_sized = true;
        Ok(self)
    }

    /// Gives each device so many items at once, at most, 1 to 8: while it computes one, the next is copied there and waits
    /// in its queue. 2 without this.
    ///
    /// # Errors
    /// [`Error::BadOption`] for none and for more than 8, and [`Error::Device`] if threads cannot be started.
    pub fn ahead(mut self, ahead: usize) -> Result<Steps> {
        let ahead = check_ahead(ahead)?;
        self.places = places::places(&self.context, self.units(), ahead)?;
        Ok(self)
    }

    /// An item whose closure gave an error when its device was lost is computed again elsewhere. To be said if closures
    /// can be called twice for an item in one step: they read what they do not change, and overwrite the rest.
    #[must_use]
    pub fn repeatable(self) -> Steps {
        Steps {
            is_repeatable: true,
            ..self
        }
    }

    /// The units.
    #[must_use]
    pub fn units(&self) -> ComputeUnits {
        self.distributor.units()
    }

    /// Whether all further steps are distributed alike. Not before the first, which says how many items there are.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        self.distributor.steps() > 0 && self.distributor.is_steady()
    }

    /// What happened in the last step, also if items failed.
    #[must_use]
    pub fn last(&self) -> Option<&StepReport> {
        self.last.as_ref()
    }

    /// The items that failed in the last step, in ascending order, and why.
    #[must_use]
    pub fn failures(&self) -> &[(usize, Error)] {
        &self.failures
    }

    /// One step: computes each item once, and waits for all of them. What was measured in earlier steps says
    /// what is computed where; with another number of items than before, the scheme begins anew.
    ///
    /// In a context with [virtual time](crate::ContextBuilder::virtual_time), one thread computes the items of all units
    /// in the order in which they would begin, and the report has virtual times; the context's own clock adds up what all
    /// units did.
    ///
    /// # Errors
    /// [`Error::Item`] if items failed; [`Error::BadOption`] if sizes were given, and there are more or fewer items, or if
    /// a scheme of one's own does not give each item once; [`Error::DeviceLost`] if no unit is left;
    /// [`TaskError::Forked`] in a child of the process. An error of an earlier call that was not reported yet is none of the
    /// step's: [`Context::sync`] reports it.
    pub fn run<T: Send>(
        &mut self,
        items: &mut [T],
        f: impl Fn(&mut T, StepUnit) -> Result<()> + Sync,
    ) -> Result<&StepReport> {
        if self.owner.is_ancestor() {
            return Err(Error::Task(TaskError::Forked));
        }
        self.prepare(items.len())?;
        let (report, failures) = self.step(items, &f).map_err(Error::BadOption)?;
        let first = failures.first().cloned();
        self.failures = failures;
        let report = self.last.insert(report);
        match first {
            None => Ok(report),
            Some((item, error)) => Err(Error::Item {
                step: report.step,
                item,
                others: self.failures.len() - 1,
                cause: error.into(),
            }),
        }
    }

    /// What has to hold before a step.
    fn prepare(&mut self, items: usize) -> Result<()> {
        if self.distributor.left().is_empty() {
            return Err(Error::DeviceLost {
                device: format!("the last of {}", self.units()),
                reason: "all units of these steps were lost".into(),
            });
        }
        let known = self.distributor.sizes().len();
        if known != items {
            if self.is_sized {
                let expected = format!("one for each of {items} items");
                let bad = BadOption::new("number of sizes", known, expected);
                return Err(Error::BadOption(bad));
            }
            let replaced = self.distributor.replace(Sizes::equal(items));
            replaced.map_err(Error::BadOption)?;
        }
        // What was begun before does not count as time of this step, and its errors are none of an item's: `sync` has them.
        for unit in self.distributor.left() {
            if let Err(error) = self.places[*unit].settle(&self.context, ItemId::unique()) {
                self.context.keep_untold(error);
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steps")
            .field("units", &self.units())
            .field("scheme", &self.distributor.scheme())
            .field("steps", &self.distributor.steps())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod test;
