//! The models of a context, by instance.

use super::{Trial, borrowed, key};
use crate::{Context, context::UnitRange};
use arrayvec::ArrayVec;
use skel_core::{call::Call, notice, plan::Blocks};
use skel_model::{
    DeviceFingerprint, InstanceKey, InstanceModel, Sizes, TransferModel, UnitId,
    store::merge::add_classes,
};
use std::{
    any::TypeId,
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

/// A model, and how well it does.
pub(crate) struct Entry {
    pub(crate) model: InstanceModel,
    /// Which curves hold for calls of other sizes.
    pub(crate) sizes: Sizes,
    pub(crate) transfers: Vec<(UnitId, TransferModel)>,
    /// Calls that were predicted, and those of them that took another time, since they were counted last.
    asked: AtomicU32,
    missed: AtomicU32,
    /// It has missed too often.
    given_up: AtomicBool,
    /// The last answers, the newest first.
    answers: Mutex<ArrayVec<(Query, Answer), ANSWERS>>,
}

/// The number of answers that are kept.
const ANSWERS: usize = 4;

/// What an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Query {
    pub(crate) elems: usize,
    pub(crate) beside_elems: usize,
    /// What is where.
    pub(crate) residency: u64,
}

/// Which unit takes what, and how long that takes.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) parts: Vec<UnitRange>,
    pub(crate) ns: f64,
    pub(crate) blocks: Blocks,
    /// What it is compared with in the first calls.
    pub(crate) instead: Option<Instead>,
}

/// A unit of the host that may do all of a call instead of a split.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    pub(crate) part: UnitRange,
    pub(crate) ns: f64,
    pub(crate) trial: Arc<Trial>,
}

/// Where models come from that were not installed. It asks for the devices only if it has to: they may have to be found
/// first.
pub(crate) type Source = Box<
    dyn Fn(
            &InstanceKey,
            &dyn Fn() -> Vec<DeviceFingerprint>,
        ) -> Option<(InstanceModel, Vec<(UnitId, TransferModel)>)>
        + Send
        + Sync,
>;

/// What was looked up, by plan and borrowed operands, and by name; found or not.
type Known = HashMap<Place, Vec<(String, Option<Arc<Entry>>)>>;
type Place = (TypeId, u64);

/// The models of a context.
#[derive(Default)]
pub(crate) struct Table {
    /// Whether there may be any at all: calls of programs that are not tuned pay for one look.
    any: AtomicBool,
    known: RwLock<Known>,
    installed: RwLock<HashMap<String, Arc<Entry>>>,
    /// How often something was installed: what was looked up before is not kept.
    installs: AtomicU32,
    source: Option<Source>,
    /// The way to each device, as it was measured with one of the instances above.
    transfers: RwLock<HashMap<UnitId, TransferModel>>,
}

/// The number of names that are kept per plan.
const MOST_NAMES: usize = 64;
/// The number of predictions that are judged together.
const JUDGED: u32 = 32;
/// A prediction is missed if the call takes more than this many times the predicted time; that is more than
/// noise.
const SLOWER: f64 = 1.5;
/// Or if it takes less than this part of it. That is more than caches save for a call that is repeated; while
/// it was measured, other runs came in between.
const FASTER: f64 = 0.125;

impl Entry {
    fn new(model: InstanceModel, transfers: Vec<(UnitId, TransferModel)>) -> Self {
        Entry {
            sizes: Sizes::of(&model),
            model,
            transfers,
            asked: AtomicU32::new(0),
            missed: AtomicU32::new(0),
            given_up: AtomicBool::new(false),
            answers: Mutex::default(),
        }
    }

    /// What was answered before, if it was asked lately.
    pub(crate) fn recall(&self, asked: &Query) -> Option<Answer> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = answers.iter().find(|(known, _)| known == asked);
        known.map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer; the oldest one goes.
    pub(crate) fn remember(&self, asked: Query, answer: Answer) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.retain(|(known, _)| *known != asked);
        if answers.is_full() {
            answers.pop();
        }
        answers.insert(0, (asked, answer));
    }

    /// A call took so long that was predicted to take so long. A model that misses most calls is
    /// not used any more, and that is said once.
    pub(crate) fn judge(&self, predicted_ns: f64, ns: f64) {
        let ratio = ns / predicted_ns.max(1.0);
        let missed = u32::from(!(FASTER..=SLOWER).contains(&ratio));
        let missed = self.missed.fetch_add(missed, Ordering::Relaxed) + missed;
        if self.asked.fetch_add(1, Ordering::Relaxed) + 1 < JUDGED {
            return;
        }
        self.asked.store(0, Ordering::Relaxed);
        self.missed.store(0, Ordering::Relaxed);
        if missed > JUDGED / 2 && !self.given_up.swap(true, Ordering::Relaxed) {
            notice::say(format_args!(
                "{}: calls take other times than when it was tuned; its model is not used any more \
                 (tune again: cargo tune run --force)",
                self.model.key.name
            ));
        }
    }
}

impl Table {
    /// A table that asks `source` for what is not in it.
    pub(crate) fn over(source: Option<Source>) -> Self {
        Table {
            any: AtomicBool::new(source.is_some()),
            source,
            ..Table::default()
        }
    }

    /// From now on, this is the model of the instance; of size classes that it does not know, the one before.
    pub(crate) fn install(&self, transfers: &[(UnitId, TransferModel)], model: InstanceModel) {
        self.note(transfers);
        let (id, mut model, mut transfers) = (model.key.id(), model, transfers.to_vec());
        let mut installed = self
            .installed
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = installed.get(&id) {
            add_classes(&mut model, before.model.clone());
            let others = before.transfers.iter().cloned();
            let known: Vec<UnitId> = transfers.iter().map(|(unit, _)| unit.clone()).collect();
            transfers.extend(others.filter(|(unit, _)| !known.contains(unit)));
        }
        installed.insert(id, Arc::new(Entry::new(model, transfers)));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        self.installs.fetch_add(1, Ordering::Relaxed);
        known.clear();
        self.any.store(true, Ordering::Relaxed);
    }

    fn note(&self, transfers: &[(UnitId, TransferModel)]) {
        let mut known = self.transfers.write();
        let known = known.as_mut().unwrap_or_else(|error| error.get_mut());
        known.extend(transfers.iter().cloned());
    }

    /// The way to a device, if it was measured with an instance whose model has been needed by now: that of the instance
    /// that was met last.
    pub(crate) fn transfer(&self, device: &UnitId) -> Option<TransferModel> {
        let known = self.transfers.read();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        known.get(device).copied()
    }

    /// The model of the instance that makes this call in the context whose table this is.
    pub(crate) fn find(&self, context: &Context, call: &Call<'_>) -> Option<Arc<Entry>> {
        if !self.any.load(Ordering::Relaxed) {
            return None;
        }
        let plan = (call.phases.id(), borrowed(call));
        let looked_up = {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            let of_plan = known.get(&plan);
            let named = of_plan.and_then(|all| all.iter().find(|(name, _)| name == call.instance));
            named.map(|(_, entry)| entry.clone())
        };
        let entry = match looked_up {
            Some(entry) => entry,
            None => self.look_up(plan, context, call),
        };
        entry.filter(|entry| !entry.given_up.load(Ordering::Relaxed))
    }

    #[cold]
    fn look_up(&self, plan: Place, context: &Context, call: &Call<'_>) -> Option<Arc<Entry>> {
        let installs = self.installs.load(Ordering::Relaxed);
        let found = key(call).ok().and_then(|key| {
            let installed = self.installed.read();
            let here = (installed.unwrap_or_else(PoisonError::into_inner))
                .get(&key.id())
                .cloned();
            here.or_else(|| {
                let devices = || context.fingerprint().devices;
                let (model, transfers) = self.source.as_ref()?(&key, &devices)?;
                self.note(&transfers);
                Some(Arc::new(Entry::new(model, transfers)))
            })
        });
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        // Counted under this lock.
        if self.installs.load(Ordering::Relaxed) != installs {
            return found;
        }
        let of_plan = known.entry(plan).or_default();
        if of_plan.len() >= MOST_NAMES {
            of_plan.clear();
        }
        if !of_plan.iter().any(|(name, _)| name == call.instance) {
            of_plan.push((call.instance.to_owned(), found.clone()));
        }
        found
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_model::{ClassModel, Quality};

    fn model(sizes: &[usize]) -> InstanceModel {
        let key = InstanceKey {
            name: "tests::judged".into(),
            pattern: "Map".into(),
            elements: String::new(),
            hash: 0,
        };
        let class = |elems: &usize| ClassModel {
            elems: *elems,
            beside_elems: 0,
            units: Vec::new(),
            split_overhead_ns: 0.0,
            measured: Vec::new(),
            best: None,
            quality: Quality::Good,
        };
        InstanceModel {
            key,
            classes: sizes.iter().map(class).collect(),
            chain: Vec::new(),
            read_back: 0.0,
            seed: 0,
            when_unix_s: 0,
            drift: 0.0,
        }
    }

    fn given_up_after(calls: u32, ratio: f64) -> bool {
        let entry = Entry::new(model(&[]), Vec::new());
        (0..calls).for_each(|_| entry.judge(1000.0, 1000.0 * ratio));
        entry.given_up.load(Ordering::Relaxed)
    }

    /// A program is tuned once more, for calls of other sizes.
    #[test]
    fn what_is_installed_later_adds_to_what_was_there() {
        let (table, slow) = (Table::default(), TransferModel::default());
        let gpu = |k| UnitId::device("mock", "a", k);
        table.install(&[(gpu(0), slow)], model(&[1 << 10, 1 << 20]));
        table.install(&[(gpu(1), slow)], model(&[1 << 5, (1 << 20) + 1]));
        let installed = table.installed.read().unwrap();
        let entry = &installed[&model(&[]).key.id()];
        let sizes = entry.model.classes.iter().map(|class| class.elems);
        assert_eq!(sizes.collect::<Vec<_>>(), [1 << 5, 1 << 10, (1 << 20) + 1]);
        let units = entry.transfers.iter().map(|(unit, _)| unit.clone());
        assert_eq!(units.collect::<Vec<_>>(), [gpu(1), gpu(0)]);
    }

    #[test]
    fn models_that_calls_are_far_from_are_given_up() {
        for ratio in [0.01, 0.1, 1.6, 1000.0] {
            assert!(given_up_after(JUDGED, ratio), "{ratio}");
            assert!(!given_up_after(JUDGED - 1, ratio), "{ratio}");
        }
    }

    #[test]
    fn caches_that_are_warmer_than_when_it_was_measured_are_no_reason() {
        for ratio in [0.2, 0.5, 1.0, 1.4] {
            assert!(!given_up_after(10 * JUDGED, ratio), "{ratio}");
        }
    }
}
