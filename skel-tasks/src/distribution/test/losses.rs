//! Units that are lost in the middle of a step, and schemes that are wrong.

use super::{
    super::{
        Allotment, ComputeUnits, Distribution, Distributor, Outcome, Scheme, Sizes, Static,
        StepTimes, Turn, parse,
        virtual_time::{self, Ran},
    },
    laws::{cost, schemes, units},
};
use crate::{BadOption, Ns};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_item_is_lost_with_its_unit(
        sizes in proptest::collection::vec(0.1_f64..50.0, 0..40),
        units in units(),
        speeds in proptest::collection::vec(1_u64..30, 1..9),
        losses in proptest::collection::vec((0_usize..9, 0_u64..20_000, 0_usize..4), 0..5),
    ) {
        let cost = |item, unit| cost(&sizes, &speeds, item, unit);
        for text in schemes() {
            let all = Sizes::new(sizes.iter().copied()).unwrap();
            let mut it = Distributor::new(parse(&text).unwrap(), units, all).unwrap();
            let mut gone: Vec<usize> = Vec::new();
            for step in 0..6 {
                // One unit is left.
                let now: Vec<(usize, Ns)> = losses
                    .iter()
                    .filter(|(unit, _, when)| *when == step && *unit != 0 && *unit < units.len())
                    .map(|(unit, at_ns, _)| (*unit, *at_ns))
                    .collect();
                gone.extend(now.iter().map(|(unit, _)| *unit));
                gone.sort_unstable();
                gone.dedup();
                let report = virtual_time::step_with_losses(&mut it, cost, &now).unwrap();
                let mut done: Vec<usize> = report.runs.iter().map(|run| run.item).collect();
                done.sort_unstable();
                prop_assert_eq!(done, (0..sizes.len()).collect::<Vec<_>>(), "{}", &text);
                prop_assert_eq!(&report.lost, &gone);
            }
            // Those that are left share the items by themselves.
            let report = virtual_time::step(&mut it, cost).unwrap();
            for unit in gone {
                prop_assert_eq!(report.items(unit).count(), 0);
            }
        }
    }
}

#[test]
fn items_of_a_lost_device_are_computed_by_cores() {
    let units = "1x1+1".parse().unwrap();
    let scheme = parse("static").unwrap();
    let mut it = Distributor::new(scheme, units, Sizes::equal(6)).unwrap();
    // The core would be done at 30; the device is lost while it has its second item.
    let report = virtual_time::step_with_losses(&mut it, |_, _| 10, &[(1, 15)]).unwrap();
    assert_eq!(report.items(0).collect::<Vec<_>>(), [0, 1, 2, 4, 5]);
    assert_eq!(report.items(1).collect::<Vec<_>>(), [3]);
    assert_eq!(report.makespan_ns, 50);
    assert_eq!(report.lost, [1]);
    // The core is alone from now on.
    let report = virtual_time::step(&mut it, |_, _| 10).unwrap();
    assert_eq!(report.items(0).count(), 6);
}

#[test]
fn without_units_items_are_left_and_that_is_an_error() {
    let units = "0x1+2".parse().unwrap();
    let scheme = parse("dynamic").unwrap();
    let mut it = Distributor::new(scheme, units, Sizes::equal(6)).unwrap();
    let report = virtual_time::step_with_losses(&mut it, |_, _| 10, &[(0, 5), (1, 15)]).unwrap();
    assert_eq!(report.failed(), [0, 2, 3, 4, 5]);
    assert_eq!(report.owners()[1], Some(1));
    let error = virtual_time::step(&mut it, |_, _| 10).unwrap_err();
    assert!(error.to_string().contains("not lost"), "{error}");

    let mut turn = Turn::new(Allotment::Claims { chunk: 2 }, 1, 3).unwrap();
    assert_eq!(turn.take(0), Some(0));
    turn.done(0, 0, Outcome::Done, 0..1);
    assert_eq!(turn.take(0), Some(1));
    assert!(!turn.is_stuck());
    turn.lost(0);
    assert!(turn.is_stuck() && !turn.is_over());
    assert_eq!(turn.items_left(), [1, 2]);
    assert_eq!(turn.take(0), None);
}

#[test]
fn items_that_fail_with_their_unit_are_tried_elsewhere() {
    let units = "1x1+1".parse().unwrap();
    let scheme = parse("static").unwrap();
    let mut it = Distributor::new(scheme, units, Sizes::equal(6)).unwrap();
    let mut tried = Vec::new();
    let run = |item, unit| {
        tried.push((item, unit));
        let is_lost = (item, unit) == (4, 1);
        virtual_time::Ran {
            took_ns: 10,
            outcome: match (is_lost, item) {
                (true, _) => Outcome::Again,
                (false, 1) => Outcome::Failed,
                _ => Outcome::Done,
            },
            is_lost,
        }
    };
    let report = virtual_time::step_of(&mut it, run, &[]).unwrap();
    assert_eq!(report.failed(), [1]);
    assert_eq!(report.items(0).collect::<Vec<_>>(), [0, 2, 4, 5]);
    assert_eq!((&report.lost[..], report.makespan_ns), (&[1][..], 50));
    assert_eq!(tried.iter().filter(|(item, _)| *item == 4).count(), 2);
    assert_eq!(report.runs.len(), 7);
}

#[test]
fn other_items_are_distributed_anew() {
    let scheme = parse("dynamic,steps=1").unwrap();
    let mut it = Distributor::new(scheme, "2x1".parse().unwrap(), Sizes::equal(2)).unwrap();
    virtual_time::step(&mut it, |_, _| 10).unwrap();
    assert!(it.is_steady());
    it.replace(Sizes::equal(5)).unwrap();
    assert!(!it.is_steady());
    assert_eq!(
        virtual_time::step(&mut it, |_, _| 10).unwrap().runs.len(),
        5
    );
}

#[test]
fn what_is_tried_again_is_for_others() {
    let own = Allotment::Own(vec![vec![0], vec![1]]);
    let mut turn = Turn::new(own, 2, 2).unwrap();
    assert_eq!((turn.take(0), turn.take(1)), (Some(0), Some(1)));
    turn.done(1, 1, Outcome::Again, 0..5);
    turn.lost(1);
    turn.done(0, 0, Outcome::Failed, 0..5);
    assert_eq!(turn.take(0), Some(1));
    turn.done(0, 1, Outcome::Done, 5..10);
    assert!(turn.is_over() && turn.items_left().is_empty());
    let outcomes: Vec<_> = turn.runs().iter().map(|run| run.outcome).collect();
    assert_eq!(outcomes, [Outcome::Again, Outcome::Failed, Outcome::Done]);
}

#[derive(Clone, Debug)]
struct Wrong(Allotment);

impl Scheme for Wrong {
    fn text(&self) -> String {
        "wrong".into()
    }

    fn build(&self, _: ComputeUnits, _: &Sizes) -> Result<Box<dyn Distribution>, BadOption> {
        Ok(Box::new(self.clone()))
    }
}

impl Distribution for Wrong {
    fn next(&mut self) -> Allotment {
        self.0.clone()
    }

    fn observe(&mut self, _: &StepTimes<'_>) {}

    fn is_steady(&self) -> bool {
        true
    }
}

#[test]
fn wrong_schemes_are_errors() {
    for (allotment, said) in [
        (Allotment::Own(vec![vec![0, 1, 2]]), "for 1 units"),
        (Allotment::Own(vec![vec![0], vec![2]]), "without item 1"),
        (Allotment::Own(vec![vec![0, 1], vec![1, 2]]), "item 1 twice"),
        (Allotment::Own(vec![vec![0, 1], vec![3]]), "item 3 of 3"),
        (Allotment::Claims { chunk: 0 }, "claims of no items"),
    ] {
        let units = "2x1".parse().unwrap();
        let scheme = Box::new(Wrong(allotment));
        let mut it = Distributor::new(scheme, units, Sizes::equal(3)).unwrap();
        let error = virtual_time::step(&mut it, |_, _| 1)
            .unwrap_err()
            .to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// A device is given the next item while it is at work: its times do not overlap, and what it has it ends itself.
#[test]
fn a_unit_may_have_several_items_at_once() {
    let own = Allotment::Own(vec![vec![0, 1, 2], vec![3]]);
    let mut turn = Turn::new(own, 2, 4).unwrap();
    assert_eq!((turn.take(0), turn.take(0)), (Some(0), Some(1)));
    turn.done(0, 0, Outcome::Done, 0..10);
    turn.retire(0);
    assert_eq!(
        (turn.take(0), turn.take(1), turn.take(1)),
        (None, Some(3), Some(2))
    );
    turn.done(0, 1, Outcome::Done, 2..13);
    turn.done(1, 2, Outcome::Done, 4..9);
    turn.done(1, 3, Outcome::Done, 3..8);
    assert!(turn.is_over());
    let times: Vec<_> = turn
        .runs()
        .iter()
        .map(|run| (run.begin_ns, run.took_ns))
        .collect();
    assert_eq!(times, [(0, 10), (10, 3), (4, 5), (9, 0)]);
}

/// Equal numbers of items, but at least two.
#[derive(Debug)]
struct AtLeastTwo;

impl Scheme for AtLeastTwo {
    fn text(&self) -> String {
        "at-least-two".into()
    }

    fn build(
        &self,
        units: ComputeUnits,
        sizes: &Sizes,
    ) -> Result<Box<dyn Distribution>, BadOption> {
        match sizes.len().min(units.len()) {
            0 | 1 => Err(BadOption::new(
                "items",
                sizes.len(),
                "at least two, of two units",
            )),
            _ => Static.build(units, sizes),
        }
    }
}

/// What the next step is for is known when the one before is over.
#[test]
fn a_scheme_begins_anew_when_the_step_with_the_loss_is_over() {
    let scheme = parse("guided-runtime").unwrap();
    let mut it = Distributor::new(scheme, "3x1".parse().unwrap(), Sizes::equal(9)).unwrap();
    let first = it.phase();
    virtual_time::step(&mut it, |_, _| 10).unwrap();
    assert_ne!(it.phase(), first);
    virtual_time::step_with_losses(&mut it, |_, _| 10, &[(1, 5)]).unwrap();
    assert_eq!(it.phase(), first);
}

#[test]
fn what_a_scheme_refuses_changes_nothing() {
    let sizes = |n| Sizes::equal(n);
    let mut it = Distributor::new(Box::new(AtLeastTwo), "2x1".parse().unwrap(), sizes(5)).unwrap();
    for _ in 0..2 {
        assert!(it.replace(sizes(1)).is_err());
        assert_eq!(it.sizes().len(), 5);
    }
    assert_eq!(
        virtual_time::step(&mut it, |_, _| 1)
            .unwrap()
            .failed()
            .len(),
        0
    );
    // A unit is lost: the step is reported, and the next one cannot be.
    let report = virtual_time::step_with_losses(&mut it, |_, _| 10, &[(1, 5)]).unwrap();
    assert_eq!((report.lost, report.makespan_ns), (vec![1], 50));
    for _ in 0..2 {
        assert!(it.begin().is_err());
    }
}

#[test]
fn an_item_that_is_to_be_computed_again_and_again_ends() {
    let mut it =
        Distributor::new(Box::new(Static), "2x1".parse().unwrap(), Sizes::equal(3)).unwrap();
    let again = Ran {
        took_ns: u64::MAX,
        outcome: Outcome::Again,
        is_lost: false,
    };
    let report = virtual_time::step_of(&mut it, |_, _| again, &[]).unwrap();
    assert_eq!((report.failed().len(), report.lost.len()), (3, 2));
    let mut it =
        Distributor::new(Box::new(Static), "1x1".parse().unwrap(), Sizes::equal(3)).unwrap();
    let report = virtual_time::step(&mut it, |_, _| u64::MAX).unwrap();
    assert_eq!(report.makespan_ns, u64::MAX);
}
