//! What is attached to a context while it is tuned.

mod earlier;

use super::{
    Options, beside_elems,
    class::{self, Job},
    files,
    identify::{self, borrowed, key},
    journal::{Journal, Subject, measured},
    record::Recorder,
    transfer,
};
use crate::{Context, recent::MOST_TUNED};
use skel_core::{call::Call, container::watch_reads};
use skel_model::{Event, Evidence, InstanceKey, InstanceModel, TransferModel, UnitId, size_class};
use std::{
    any::TypeId,
    collections::{BTreeMap, HashMap, HashSet, btree_map::Entry},
    path::Path,
    sync::{Arc, Mutex, PoisonError, TryLockError},
    time::{Duration, Instant, SystemTime},
};

/// The longest run of the tuner.
const LONGEST: Duration = Duration::from_hours(24 * 365);

/// A class without evidence gets this part of the remaining time, so that some is left for others.
const SHARE: f64 = 1.0 / 3.0;
/// A class that is called again is measured further if it has this part of its time left, since copies must
/// be made again.
const WORTH_IT: f64 = 0.1;

/// What a session does.
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
    /// By instance and size class.
    classes: BTreeMap<ClassId, Class>,
    /// The instances of which something was measured.
    keys: BTreeMap<String, InstanceKey>,
    transfers: Vec<(UnitId, TransferModel)>,
    /// Devices whose transfers were measured, or could not be.
    timed: HashSet<UnitId>,
}

/// An instance, and the size classes of its calls and of what lies beside.
type ClassId = (String, u32, u32);

/// What is known of one size class.
struct Class {
    evidence: Evidence,
    /// Nothing more is worth measuring, or can be.
    is_settled: bool,
    /// The same of other sizes of the class, as earlier processes have left it.
    others: Vec<(Evidence, bool)>,
    /// How long this process may measure it, and how long it has.
    time: Option<(Duration, Duration)>,
    /// Whether this process has made a call of it.
    is_met: bool,
}

/// The findings of a session.
pub(crate) struct Findings {
    pub(crate) instances: Vec<InstanceModel>,
    pub(crate) transfers: Vec<(UnitId, TransferModel)>,
    pub(crate) events: Vec<Event>,
    pub(crate) problems: Vec<(&'static str, String)>,
}

impl Session {
    /// A session that keeps what it finds to itself.
    pub(crate) fn without_journal(mode: Mode, options: Options) -> Arc<Self> {
        Self::start(mode, options, BTreeMap::new(), None)
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
        let classes = earlier::classes(measured(path, &here));
        let writer = Journal::open(path, &here, command)?;
        let journal = Some(Arc::new(writer));
        let session = Self::start(mode, options, classes, journal);
        session.name_missing(context);
        Ok(session)
    }

    fn start(
        mode: Mode,
        options: Options,
        classes: BTreeMap<ClassId, Class>,
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
            classes,
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

    /// Something is not as it should be; reported at the end.
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
        if keys.len() >= MOST_TUNED {
            return None;
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
        if call.space.shape().is_empty() {
            return;
        }
        let Some(known) = self.known(context, call) else {
            return;
        };
        self.recorder.call(&known.id, call);
        if self.mode == Mode::List || !self.options.elems.contains(&call.space.elems()) {
            return;
        }
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread is measuring, and would be disturbed.
            Err(TryLockError::WouldBlock) => return,
        };
        let about = Subject {
            id: &known.id,
            elems: call.space.elems(),
            beside_elems: beside_elems(call),
        };
        let class = (
            known.id.clone(),
            size_class(about.elems),
            size_class(about.beside_elems),
        );
        if let Some(known) = state.classes.get_mut(&class) {
            self.meet(context, call, about, known);
        }
        let is_over = |class: &Class| class.is_over() || !class.suits(about);
        if state.classes.get(&class).is_some_and(is_over) {
            return;
        }
        if !state.classes.contains_key(&class) && state.classes.len() >= MOST_TUNED {
            return;
        }
        if !identify::is_pure(call) {
            state.leave_out(class, about);
            let what = "its Rust body may do anything, and it is not declared `pure`";
            return self.left_out(about, "unit", format!("{}: {what}", call.instance));
        }
        let Some(left) = self.left() else {
            state.leave_out(class, about);
            return self.left_out(about, "budget", "the time for tuning is over".into());
        };
        let copies_bytes = class::copies_bytes(call);
        let most_bytes = self.options.copies_bytes.min(free_bytes() / 2);
        if copies_bytes > most_bytes {
            let what = format!(
                "{}: copies of its arguments would take {copies_bytes} bytes, and {most_bytes} may be used",
                call.instance,
            );
            state.leave_out(class, about);
            return self.left_out(about, "memory", what);
        }
        self.measure_transfers(context, &mut state);
        self.measure(context, call, (&known, about), (class, left), &mut state);
        // What replays left behind has no owner any more.
        for (index, _) in context.device_ids() {
            if let Ok(unit) = context.unit(index) {
                unit.forget_orphans();
            }
        }
    }

    /// Goes on measuring a class.
    fn measure(
        &self,
        context: &Context,
        call: &Call<'_>,
        (known, about): (&Known, Subject<'_>),
        (class, left): (ClassId, Duration),
        state: &mut State,
    ) {
        let share = state.share(&class);
        let (mut evidence, (may_take, taken)) = match state.classes.entry(class.clone()) {
            Entry::Occupied(found) => {
                let class = found.into_mut();
                let time = class.time.unwrap_or((left.mul_f64(share), Duration::ZERO));
                (std::mem::take(&mut class.evidence), time)
            }
            Entry::Vacant(_) => {
                let evidence = Evidence::new(about.elems, about.beside_elems);
                (evidence, (left.mul_f64(share), Duration::ZERO))
            }
        };
        let now = Instant::now();
        let job = Job {
            session: self,
            context,
            about,
            deadline: now + may_take.saturating_sub(taken).min(left),
            end: now + left,
            transfers: &state.transfers,
        };
        let outcome = job.run(call, &mut evidence);
        let took = now.elapsed();
        let taken = taken + took;
        let mut is_settled = false;
        match (outcome, evidence.model()) {
            (Ok(settled), Some(model)) => {
                is_settled = settled;
                let drift = evidence.drift();
                self.note(|journal| {
                    journal.class_finished(&known.id, &model, settled, drift, took)
                });
            }
            (Ok(_), None) if evidence.units.is_empty() => {
                let what = "no unit that is to be measured can run it";
                self.left_out(about, "unit", format!("{}: {what}", call.instance));
            }
            // Another run may go on.
            (Ok(_), None) => {
                // The first whole call on each unit takes as long again, as a rule.
                let would_do_s = (2 * (self.started.elapsed() + taken)).as_secs() + 1;
                let what = format!(
                    "{}: the time for it was over; a budget of {would_do_s} s would do",
                    call.instance
                );
                self.note(|journal| journal.over_budget(about, &what, would_do_s));
                self.problem("budget", what);
            }
            // The program will see it when it makes the call.
            (Err(error), _) => {
                is_settled = true;
                self.left_out(about, "unit", format!("{}: {error:?}", call.instance));
            }
        }
        let time = Some((may_take, taken));
        let measured = Class {
            evidence,
            is_settled,
            others: Vec::new(),
            time,
            is_met: true,
        };
        state.classes.insert(class, measured);
        state
            .keys
            .entry(known.id.clone())
            .or_insert_with(|| known.key.clone());
        if let Some(model) = self.model(&known.id, state) {
            context.table().install(&state.transfers, model);
        }
    }

    /// The model of an instance, as far as it was measured.
    fn model(&self, id: &str, state: &State) -> Option<InstanceModel> {
        let of_instance = state.classes.iter().filter(|((of, ..), _)| of == id);
        let of_instance: Vec<&Class> = of_instance.map(|(_, class)| class).collect();
        let classes = of_instance
            .iter()
            .filter_map(|class| class.evidence.model());
        let classes: Vec<_> = classes.collect();
        let drifts = of_instance.iter().map(|class| class.evidence.drift());
        (!classes.is_empty()).then(|| InstanceModel {
            key: state.keys[id].clone(),
            classes,
            chain: Vec::new(),
            read_back: 0.0,
            seed: self.options.seed,
            when_unix_s: unix_s(),
            drift: drifts.fold(0.0, f64::max),
        })
    }

    /// The time that is left.
    fn left(&self) -> Option<Duration> {
        let left = self.options.budget.checked_sub(self.started.elapsed())?;
        // No clock goes on for as long as a budget may be.
        (!left.is_zero()).then(|| left.min(LONGEST))
    }

    fn left_out(&self, about: Subject<'_>, kind: &'static str, what: String) {
        self.note(|journal| journal.problem(Some(about), kind, &what));
        self.problem(kind, what);
    }

    fn measure_transfers(&self, context: &Context, state: &mut State) {
        for (index, id) in context.device_ids() {
            if !self.options.wants(index, &id) || !state.timed.insert(id.clone()) {
                continue;
            }
            let unit = context.unit(index);
            let pauses = !context.is_virtual();
            match unit.and_then(|unit| transfer::measure(unit, pauses)) {
                Ok(Some(model)) => {
                    self.note(|journal| journal.transfer(&id, &model));
                    state.transfers.push((id, model));
                }
                Ok(None) => {}
                Err(error) => self.problem("unit", format!("{id}: {error:?}")),
            }
        }
    }

    /// What was found out so far.
    pub(crate) fn findings(&self) -> Findings {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        Findings {
            instances: state
                .keys
                .keys()
                .filter_map(|id| self.model(id, &state))
                .collect(),
            transfers: state.transfers.clone(),
            events: self.recorder.events(),
            problems: problems.clone(),
        }
    }
}

impl Class {
    /// Whether a call of it is made without measuring.
    fn is_over(&self) -> bool {
        let is_spent = |(may_take, taken): (Duration, Duration)| {
            may_take.saturating_sub(taken) <= may_take.mul_f64(WORTH_IT)
        };
        self.is_settled || self.time.is_some_and(is_spent)
    }

    /// Whether its runs are of calls of just this size: others of its size class cannot go on with them.
    fn suits(&self, about: Subject<'_>) -> bool {
        (self.evidence.elems, self.evidence.beside_elems) == (about.elems, about.beside_elems)
    }

    /// By how much calls may be slower than at best, relatively.
    fn unsure(&self) -> f64 {
        let unsure = self.evidence.model().map_or(1.0, |model| model.unsure());
        if self.is_settled {
            0.0
        } else {
            unsure.clamp(0.001, 1.0)
        }
    }
}

impl State {
    /// It is not measured by this process.
    fn leave_out(&mut self, class: ClassId, about: Subject<'_>) {
        let class = self.classes.entry(class).or_insert_with(|| Class {
            evidence: Evidence::new(about.elems, about.beside_elems),
            is_settled: false,
            others: Vec::new(),
            time: None,
            is_met: true,
        });
        class.time = Some((Duration::ZERO, Duration::MAX));
    }

    /// The part of the time that is left for a class: as large as what it is unsure by is among the classes that an earlier
    /// process has left unsure, and this one has not met yet.
    fn share(&self, class: &ClassId) -> f64 {
        let Some(known) = self.classes.get(class) else {
            return SHARE;
        };
        let open = self.classes.values().filter(|class| class.time.is_none());
        let all: f64 = open.map(Class::unsure).sum();
        if all > 0.0 {
            (known.unsure() / all).min(1.0)
        } else {
            SHARE
        }
    }
}

/// Free memory, as far as the system tells.
fn free_bytes() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map_or(u64::MAX, |kib| kib.saturating_mul(1024))
}

pub(super) fn unix_s() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
