//! What hangs on a context while it is tuned.

use super::{
    Options, beside_elems,
    class::{self, Job, Outcome},
    files,
    identify::{self, borrowed, key},
    journal::{About, Journal, finished},
    record::Recorder,
    transfer,
};
use crate::Context;
use skel_core::{
    call::Call,
    container::watch_reads,
    model::{Event, InstanceKey, InstanceModel, TransferModel, UnitId, size_class},
};
use std::{
    any::TypeId,
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    sync::{Arc, Mutex, PoisonError, TryLockError},
    time::{Duration, Instant, SystemTime},
};

/// No run of the tuner takes longer.
const LONGEST: Duration = Duration::from_hours(24 * 365);

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Calls are recorded, nothing is measured.
    List,
    /// Calls are measured.
    Run,
}

/// One run of the tuner over a program.
pub(crate) struct Session {
    mode: Mode,
    pub(super) options: Options,
    started: Instant,
    journal: Option<Arc<Journal>>,
    recorder: Arc<Recorder>,
    /// Known instances, by plan, operands that are borrowed, and name.
    keys: Mutex<HashMap<(TypeId, u64, String), Arc<Known>>>,
    state: Mutex<State>,
    problems: Mutex<Vec<(&'static str, String)>>,
}

struct Known {
    key: InstanceKey,
    id: String,
}

#[derive(Default)]
struct State {
    /// Instances and size classes that are measured, or were tried.
    done: HashSet<(String, u32, u32)>,
    models: BTreeMap<String, InstanceModel>,
    transfers: Vec<(UnitId, TransferModel)>,
    /// Devices whose transfers were measured, or could not be.
    timed: HashSet<UnitId>,
}

/// What a session has found out.
pub(crate) struct Findings {
    pub(crate) instances: Vec<InstanceModel>,
    pub(crate) transfers: Vec<(UnitId, TransferModel)>,
    pub(crate) events: Vec<Event>,
    pub(crate) problems: Vec<(&'static str, String)>,
}

impl Session {
    /// A session that keeps what it finds to itself.
    pub(crate) fn without_journal(mode: Mode, options: Options) -> Arc<Self> {
        Self::start(mode, options, HashSet::new(), None)
    }

    /// A session with a journal, if there is a path for one; what stands there already is not measured again.
    /// `command` is what the user has said to have it.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub(crate) fn new(
        mode: Mode,
        options: Options,
        journal: Option<&Path>,
        command: Option<&str>,
        context: &Context,
    ) -> std::io::Result<Arc<Self>> {
        let Some(path) = journal else {
            return Ok(Self::without_journal(mode, options));
        };
        let here = context.fingerprint();
        let classes = finished(path, &here).into_iter();
        let done = classes
            .map(|(id, elems, beside)| (id, size_class(elems), size_class(beside)))
            .collect();
        let writer = Journal::open(path, &here, command)?;
        Ok(Self::start(mode, options, done, Some(Arc::new(writer))))
    }

    fn start(
        mode: Mode,
        options: Options,
        done: HashSet<(String, u32, u32)>,
        journal: Option<Arc<Journal>>,
    ) -> Arc<Self> {
        let told = journal.clone();
        let recorder = Recorder::new(Box::new(move |event| {
            if let Some(journal) = &told {
                journal.event(event);
            }
        }));
        watch_reads(&recorder);
        let state = State {
            done,
            ..State::default()
        };
        Arc::new(Session {
            mode,
            options,
            started: Instant::now(),
            journal,
            recorder,
            keys: Mutex::default(),
            state: Mutex::new(state),
            problems: Mutex::default(),
        })
    }

    /// Writes to the journal, if there is one.
    pub(super) fn note(&self, write: impl FnOnce(&Journal)) {
        if let Some(journal) = &self.journal {
            write(journal);
        }
    }

    /// Something is not as it should be; told at the end.
    pub(super) fn problem(&self, kind: &'static str, what: String) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.push((kind, what));
    }

    fn known(&self, context: &Context, call: &Call<'_>) -> Option<Arc<Known>> {
        let place = (call.phases.id(), borrowed(call), call.instance.to_owned());
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = keys.get(&place) {
            return Some(Arc::clone(known));
        }
        // What has no typed IR cannot be run on a device, either.
        let key = key(call).ok()?;
        let id = key.id();
        self.note(|journal| {
            let embedded = files::embedded(&key, &context.fingerprint());
            journal.instance(&id, &key, &embedded);
        });
        let known = Arc::new(Known { key, id });
        keys.insert(place, Arc::clone(&known));
        Some(known)
    }

    /// A call is about to be made.
    pub(crate) fn before(&self, context: &Context, call: &Call<'_>) {
        if call.shape.is_empty() {
            return;
        }
        let Some(known) = self.known(context, call) else {
            return;
        };
        self.recorder.call(&known.id, call);
        if self.mode == Mode::List || !self.options.elems.contains(&call.shape.len()) {
            return;
        }
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread is measuring, and would be disturbed.
            Err(TryLockError::WouldBlock) => return,
        };
        let about = About {
            id: &known.id,
            elems: call.shape.len(),
            beside_elems: beside_elems(call),
        };
        let class = (
            known.id.clone(),
            size_class(about.elems),
            size_class(about.beside_elems),
        );
        if !state.done.insert(class) {
            return;
        }
        if !identify::is_pure(call) {
            let what = "its Rust body may do anything, and it is not declared `pure`";
            return self.left_out(about, "unit", format!("{}: {what}", call.instance));
        }
        let Some(deadline) = self.deadline() else {
            return self.left_out(about, "budget", "the time for tuning is over".into());
        };
        let copies_bytes = class::copies_bytes(call);
        let most_bytes = self.options.copies_bytes.min(free_bytes() / 2);
        if copies_bytes > most_bytes {
            let what = format!(
                "{}: copies of its arguments would take {copies_bytes} bytes, and {most_bytes} may be used",
                call.instance,
            );
            return self.left_out(about, "memory", what);
        }
        self.measure_transfers(context, &mut state);
        let job = Job {
            session: self,
            context,
            about,
            deadline,
            transfers: &state.transfers,
        };
        match job.run(call) {
            Ok(Some(outcome)) => self.finished(context, &known, outcome, &mut state),
            // Another run may go on.
            Ok(None) => {
                let what = format!("{}: the time for it was over", call.instance);
                self.left_out(about, "budget", what);
            }
            // The program will see it when it makes the call.
            Err(error) => self.left_out(about, "unit", format!("{}: {error:?}", call.instance)),
        }
        // What replays left behind is nobody's any more.
        for (index, _) in context.device_ids() {
            if let Ok(unit) = context.unit(index) {
                unit.forget_orphans();
            }
        }
    }

    /// When measuring a class is over: each gets a third of what is left, so that some is left for others.
    fn deadline(&self) -> Option<Instant> {
        let left = self.options.budget.checked_sub(self.started.elapsed())?;
        // No clock goes on for as long as a budget may be.
        (!left.is_zero()).then(|| Instant::now() + left.min(LONGEST) / 3)
    }

    fn left_out(&self, about: About<'_>, kind: &'static str, what: String) {
        self.note(|journal| journal.problem(Some(about), kind, &what));
        self.problem(kind, what);
    }

    fn measure_transfers(&self, context: &Context, state: &mut State) {
        for (index, id) in context.device_ids() {
            if !self.options.wants(index, &id) || !state.timed.insert(id.clone()) {
                continue;
            }
            let unit = context.unit(index);
            match unit.and_then(transfer::measure) {
                Ok(Some(model)) => {
                    self.note(|journal| journal.transfer(&id, &model));
                    state.transfers.push((id, model));
                }
                Ok(None) => {}
                Err(error) => self.problem("unit", format!("{id}: {error:?}")),
            }
        }
    }

    fn finished(&self, context: &Context, known: &Known, outcome: Outcome, state: &mut State) {
        let Outcome { model, drift } = outcome;
        self.note(|journal| journal.class_finished(&known.id, &model, drift));
        let instance = state
            .models
            .entry(known.id.clone())
            .or_insert_with(|| InstanceModel {
                key: known.key.clone(),
                classes: Vec::new(),
                chain: Vec::new(),
                read_back: 0.0,
                seed: self.options.seed,
                when_unix_s: unix_s(),
                drift: 0.0,
            });
        instance.drift = instance.drift.max(drift);
        instance.classes.push(model);
        context.table().install(&state.transfers, instance.clone());
    }

    /// What was found out so far.
    pub(crate) fn findings(&self) -> Findings {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        Findings {
            instances: state.models.values().cloned().collect(),
            transfers: state.transfers.clone(),
            events: self.recorder.events(),
            problems: problems.clone(),
        }
    }
}

/// Memory that nobody uses, as far as the system tells.
fn free_bytes() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map_or(u64::MAX, |kib| kib.saturating_mul(1024))
}

fn unix_s() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
