//! `Hybrid::adaptive()`: shares that follow the times of the calls themselves.
//!
//! Each instance and size class has a policy of its own, which is asked for every call and told what it took: an
//! [`Adaptive`], or what the context's builder was given; calls that cannot be cut have [`Fastest`]. Calls wait for their
//! devices, so that it is known how long each was at work.

use super::{Context, UnitRange, aligned, call_class::CallClass, select, tuned};
use crate::{
    observe::{self, Busy},
    positions::{CPU, FIRST_DEVICE},
    recent::Recent,
};
use skel_core::{Error, Result, call::Call, frame::Partial, schedule::UnitIndex};
use skel_model::policy::{Adaptive, Assignment, Candidate, Fastest, Policy, Question, Took};
use std::sync::{Arc, Mutex, PoisonError};

/// Makes a policy for the calls of one instance and size class, of so many units.
pub(super) type MakePolicy = Arc<dyn Fn(usize) -> Box<dyn Policy> + Send + Sync>;

/// What calls have shown so far.
#[derive(Default)]
pub(super) struct Learned {
    /// Nothing where there is no policy of the program's own.
    make: Option<MakePolicy>,
    /// Each behind a lock of its own: a policy may be a user's, so no other is waited for.
    classes: Mutex<Recent<Key, Arc<Mutex<Learning>>>>,
}

/// What is known of the calls of one class.
struct Learning {
    policy: Box<dyn Policy>,
    /// How long an element took each unit, in the last call in which it had any.
    seen_ns_per_elem: Vec<Option<f64>>,
}

/// Calls that share one policy.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    class: CallClass,
    /// Whether they cannot be cut.
    is_whole: bool,
    units: Vec<UnitIndex>,
}

/// Runs a call on the CPU and all devices that can, by the policies of `learned`, and learns of it.
pub(super) fn run(context: &Context, learned: &Learned, call: &mut Call<'_>) -> Result<Partial> {
    let devices = select::able(context, call)?;
    if devices.is_empty() {
        return context.run_on_host(CPU, call);
    }
    let devices = devices.iter().map(|(_, device)| FIRST_DEVICE + device);
    let units: Vec<UnitIndex> = [CPU].into_iter().chain(devices).collect();
    let elems = call.space.elems();
    let key = Key {
        class: CallClass::of(call),
        is_whole: call.grain().is_some_and(|grain| grain >= elems),
        units,
    };
    let learning = learned.learning(&key);
    let assignment = assign(context, call, &key.units, &learning);
    check(&assignment, &key.units, elems)?;
    let choice = select::Choice {
        pieces: aligned(call, &assignment.pieces).into_owned(),
        by_name: false,
    };
    let sizes = sizes(&choice.pieces, &key.units);
    let (outcome, parts) = observe::measured(|| context.run_on(&choice, call));
    let outcome = outcome?;
    // What was done twice says nothing.
    if outcome.failed.is_empty() {
        observe(&key.units, &learning, &sizes, &parts);
    }
    Ok(outcome.total)
}

/// Whether the pieces cover all elements, and name no other unit.
///
/// # Errors
/// [`Error::BadRatio`].
fn check(assignment: &Assignment, units: &[UnitIndex], elems: usize) -> Result<()> {
    let mut end = 0;
    for (unit, range) in &assignment.pieces {
        if !units.contains(unit) || range.start != end || range.is_empty() {
            return Err(bad(assignment));
        }
        end = range.end;
    }
    match end == elems {
        true => Ok(()),
        false => Err(bad(assignment)),
    }
}

/// How many elements each unit has.
fn sizes(pieces: &[UnitRange], units: &[UnitIndex]) -> Vec<usize> {
    let of = |unit: &UnitIndex| {
        let own = pieces.iter().filter(|(other, _)| other == unit);
        own.map(|(_, range)| range.len()).sum()
    };
    units.iter().map(of).collect()
}

fn bad(assignment: &Assignment) -> Error {
    Error::BadRatio {
        what: "assignment",
        found: format!("{:?}", assignment.pieces),
        expected: "consecutive ranges of all elements, each with a unit that was asked about",
    }
}

impl Learned {
    /// By policies that are made so.
    pub(super) fn by(make: MakePolicy) -> Self {
        Learned {
            make: Some(make),
            classes: Mutex::default(),
        }
    }

    fn policy(&self, key: &Key) -> Box<dyn Policy> {
        let units = key.units.len();
        match &self.make {
            Some(make) => make(units),
            None if key.is_whole => Box::new(Fastest::new(units)),
            None => Box::new(Adaptive::new(units)),
        }
    }

    fn known(&self, key: &Key) -> Option<Arc<Mutex<Learning>>> {
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        classes.get_mut(key).cloned()
    }

    /// What is known of the class; of a new one, nothing.
    fn learning(&self, key: &Key) -> Arc<Mutex<Learning>> {
        if let Some(known) = self.known(key) {
            return known;
        }
        let new = Arc::new(Mutex::new(Learning {
            policy: self.policy(key),
            seen_ns_per_elem: vec![None; key.units.len()],
        }));
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = classes.get_mut(key) {
            return Arc::clone(known);
        }
        let forgotten = classes.exchange(key.clone(), Arc::clone(&new));
        drop(classes);
        drop(forgotten);
        new
    }
}

/// What the class's policy says.
fn assign(
    context: &Context,
    call: &Call<'_>,
    units: &[UnitIndex],
    learning: &Mutex<Learning>,
) -> Assignment {
    let learning = learning.lock().unwrap_or_else(PoisonError::into_inner);
    let Learning {
        policy,
        seen_ns_per_elem,
    } = &*learning;
    let elems = call.space.elems();
    let ask = |known: &[Candidate<'_>]| {
        let units = units.iter().zip(seen_ns_per_elem);
        let units = units.map(|(unit, seen_ns_per_elem)| {
            let known = known.iter().find(|known| known.unit == *unit).copied();
            Candidate {
                seen_ns_per_elem: *seen_ns_per_elem,
                ..known.unwrap_or(Candidate::unknown(*unit))
            }
        });
        let units: Vec<Candidate<'_>> = units.collect();
        policy.assign(&Question {
            elems,
            units: &units,
        })
    };
    match policy.uses_models() {
        true => tuned::with_candidates(context, call, ask),
        false => ask(&[]),
    }
}

/// Tells the policy what its units took.
fn observe(units: &[UnitIndex], learning: &Mutex<Learning>, sizes: &[usize], parts: &[Busy]) {
    let took = units.iter().zip(sizes).map(|(unit, elems)| {
        let parts = parts.iter().filter(|part| part.unit == *unit);
        Took {
            unit: *unit,
            elems: *elems,
            busy_ns: parts.map(|part| part.busy.as_nanos() as f64).sum(),
        }
    });
    let took: Vec<Took> = took.collect();
    let mut known = learning.lock().unwrap_or_else(PoisonError::into_inner);
    for (seen, part) in known.seen_ns_per_elem.iter_mut().zip(&took) {
        if part.elems > 0 {
            *seen = Some(part.busy_ns / part.elems as f64);
        }
    }
    known.policy.observe(&took);
}
