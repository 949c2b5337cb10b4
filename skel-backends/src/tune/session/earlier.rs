//! What an earlier process has left: classes to go on with, and units that are not there.

use super::{Class, ClassId, Session};
use crate::{
    Context,
    positions::{CPU, SEQUENTIAL},
    tune::{
        Options,
        class::{WRONG_RESULT, has_newcomers},
        journal::Subject,
    },
};
use skel_core::call::Call;
use skel_model::{Evidence, UnitId, size_class};
use std::collections::{BTreeMap, btree_map::Entry};

/// The kind of problem that a unit is which was asked for and is not there.
const MISSING: &str = "missing";

impl Session {
    /// Units that are to be measured and cannot be chosen are problems.
    pub(super) fn name_missing(&self, context: &Context) {
        let mut there = vec![(SEQUENTIAL, UnitId::Sequential), (CPU, UnitId::Cpu)];
        there.extend(context.device_ids());
        for wanted in &self.options.units {
            let mut meant = there.iter();
            if !meant.any(|(index, id)| Options::is_meant(wanted, *index, id)) {
                let what = format!("{wanted} is not there, or only for calls that name it");
                self.note(|journal| journal.problem(None, MISSING, &what));
                self.problem(MISSING, what);
            }
        }
    }

    /// This process makes a call of a class that is known; if an earlier process has measured it, that may have been of
    /// fewer units, or have come to nothing.
    pub(super) fn meet(
        &self,
        context: &Context,
        call: &Call<'_>,
        about: Subject<'_>,
        class: &mut Class,
    ) {
        if std::mem::replace(&mut class.is_met, true) {
            return;
        }
        class.turn_to(Some(about));
        if !class.suits(about) {
            if class.evidence.model().is_none() {
                class.evidence = Evidence::new(about.elems, about.beside_elems);
                class.is_settled = false;
            }
            return;
        }
        for unit in &class.evidence.wrong {
            let what = format!("{unit}: it computed something else when it was measured before");
            self.left_out(about, WRONG_RESULT, what);
        }
        class.is_settled &= !has_newcomers(context, &self.options, call, &class.evidence);
    }
}

/// Classes to go on with, of the runs of each size that was measured, and whether more are worth it.
pub(super) fn classes(
    measured: impl IntoIterator<Item = (String, Evidence, bool)>,
) -> BTreeMap<ClassId, Class> {
    let mut classes = BTreeMap::new();
    for (id, evidence, is_settled) in measured {
        let beside = size_class(evidence.beside_elems);
        match classes.entry((id, size_class(evidence.elems), beside)) {
            Entry::Vacant(new) => {
                new.insert(Class {
                    evidence,
                    is_settled,
                    others: Vec::new(),
                    time: None,
                    is_met: false,
                });
            }
            Entry::Occupied(known) => {
                let class: &mut Class = known.into_mut();
                class.others.push((evidence, is_settled));
                class.turn_to(None);
            }
        }
    }
    classes
}

impl Class {
    /// Goes on with those runs of the class that led to a model, or else with those of calls of just this size.
    fn turn_to(&mut self, about: Option<Subject<'_>>) {
        let rank = |evidence: &Evidence| {
            let size = (evidence.elems, evidence.beside_elems);
            let suits = about.is_some_and(|about| size == (about.elems, about.beside_elems));
            (evidence.model().is_some(), suits)
        };
        for (evidence, is_settled) in &mut self.others {
            if rank(evidence) > rank(&self.evidence) {
                std::mem::swap(evidence, &mut self.evidence);
                std::mem::swap(is_settled, &mut self.is_settled);
            }
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_model::Measurement;

    fn subject(elems: usize) -> Subject<'static> {
        Subject {
            id: "00ff",
            elems,
            beside_elems: 0,
        }
    }

    /// A size of which a part was run, and the whole call where there is a model.
    fn begun(elems: usize, has_model: bool) -> (String, Evidence, bool) {
        let mut evidence = Evidence::new(elems, 0);
        evidence.units = vec![UnitId::Cpu];
        evidence.add(Measurement::Part(UnitId::Cpu, elems / 2), 5.0);
        if has_model {
            evidence.add(Measurement::Part(UnitId::Cpu, elems), 10.0);
        }
        ("00ff".into(), evidence, has_model)
    }

    /// What a call of so many elements goes on with: the size, and whether it is finished.
    fn goes_on(measured: &[(usize, bool)], elems: usize) -> (usize, bool) {
        let measured = measured.iter().map(|(elems, done)| begun(*elems, *done));
        let mut classes = classes(measured);
        let class = classes.values_mut().next().expect("a class");
        class.turn_to(Some(subject(elems)));
        (class.evidence.elems, class.is_settled)
    }

    /// Two sizes with the same nearest power of two, in any order.
    #[test]
    fn runs_of_one_size_do_not_hide_those_of_another() {
        for measured in [[(1100, false), (1000, true)], [(1000, true), (1100, false)]] {
            for elems in [1000, 1100, 900] {
                assert_eq!(goes_on(&measured, elems), (1000, true), "{elems}");
            }
        }
        // While neither has a model, and where both have one, each goes on with its own.
        for (one, other) in [(1000, 1100), (1100, 1000)] {
            for done in [false, true] {
                let measured = [(one, done), (other, done)];
                assert_eq!(goes_on(&measured, one), (one, done));
                assert_eq!(goes_on(&measured, other), (other, done));
            }
        }
    }
}
