//! Tuning a program from within.

use super::{Mode, Options, Session, session::Findings};
use crate::{
    Context,
    context::DefaultContext,
    setting::{TUNE, TUNE_COMMAND, TUNE_JOURNAL, TUNE_OPTIONS, TuneMode},
};
use skel_core::{
    Result,
    setting::{shown, warn},
};
use skel_model::{
    Event, InstanceModel, TransferModel, UnitId,
    chain::{self, ChainPlan},
};
use std::sync::Arc;

/// The result of tuning.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tuned {
    /// A model per instance.
    pub instances: Vec<InstanceModel>,
    /// What moving bytes to each device and back takes.
    pub transfers: Vec<(UnitId, TransferModel)>,
    /// What the program did with its data.
    pub events: Vec<Event>,
    /// What was chosen for all calls together, where they share data.
    pub chain: Option<ChainPlan>,
    /// What was left out, and why.
    pub problems: Vec<String>,
}

/// Runs `program`, and measures what it calls: each instance once per size class, on what it is given, on
/// every unit of the context. Then it chooses which unit takes how much of what, for instances that pass data
/// to each other together. From then on, calls in this context with [`Hybrid::tuned()`] and [`Auto`] go by
/// that, until the program ends; nothing is written to a file. A second run adds to the first: of size classes that it
/// does not measure, what was known stays.
///
/// ```
/// use skel::{Context, mock::{Law, Mock}, prelude::*, tuning};
///
/// let device = Mock::named("device").law(Law::per_elem_ns(0.5)).unit()?;
/// let context = Context::builder().unit(device).build()?;
/// let square = map!(|x: f32| x * x).within(context.clone()).on(Hybrid::tuned());
/// let x = Vector::from(vec![2.0_f32; 10_000]);
/// let (y, tuned) = tuning::tune(&context, &tuning::Options::quick(), || square.run((&x,)));
/// assert_eq!(y?.len(), 10_000);
/// assert_eq!(tuned.instances[0].classes[0].elems, 10_000);
/// assert_eq!(square.run((&x,))?.host()?[0], 4.0);
/// # skel::Result::Ok(())
/// ```
///
/// [`Hybrid::tuned()`]: skel_core::schedule::Hybrid::tuned
/// [`Auto`]: skel_core::schedule::Auto
pub fn tune<R>(context: &Context, options: &Options, program: impl FnOnce() -> R) -> (R, Tuned) {
    /// Ends it, also after a panic.
    struct End<'c>(&'c Context, Arc<Session>);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.end_session(&self.1);
        }
    }
    let session = Session::without_journal(Mode::Run, options.clone());
    context.begin_session(Arc::clone(&session));
    let end = End(context, Arc::clone(&session));
    let result = program();
    drop(end);
    let Findings {
        mut instances,
        transfers,
        events,
        problems,
    } = session.findings();
    let chain = chain::apply(context.waits(), &mut instances, &events, &transfers);
    for instance in &instances {
        context.table().install(&transfers, instance.clone());
    }
    let problems = problems.into_iter().map(|(_, what)| what).collect();
    let tuned = Tuned {
        instances,
        transfers,
        events,
        chain,
        problems,
    };
    (result, tuned)
}

impl Tuned {
    /// Has calls in `context` go by it.
    pub fn install(&self, context: &Context) {
        for instance in &self.instances {
            context.table().install(&self.transfers, instance.clone());
        }
    }
}

/// The default context's models: those of files.
impl DefaultContext {
    /// The session that `SKEL_TUNE` asks for, if it does.
    ///
    /// # Errors
    /// [`skel_core::Error::BadSetting`] if it asks for something that is not known.
    pub(crate) fn session(context: &Context) -> Result<Option<Arc<Session>>> {
        let Some(mode) = TUNE.get()? else {
            return Ok(None);
        };
        let mut options = TUNE_OPTIONS.get()?.unwrap_or_default();
        options.oracle |= mode == TuneMode::Oracle;
        let mode = match mode {
            TuneMode::Run | TuneMode::Oracle => Mode::Run,
            TuneMode::List => Mode::List,
        };
        let (journal, command) = (TUNE_JOURNAL.get()?, TUNE_COMMAND.get()?);
        match Session::new(
            mode,
            options,
            journal.as_deref(),
            command.as_deref(),
            context,
        ) {
            Ok(session) => Ok(Some(session)),
            Err(error) => {
                let path = shown(journal.unwrap_or_default().as_os_str());
                let what = format!("nothing is tuned: {path} cannot be written: {error}");
                warn(TUNE_JOURNAL.info.name, &what);
                Ok(None)
            }
        }
    }
}
