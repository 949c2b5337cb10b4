//! What schemes do step after step, beside traces that were worked out by hand.

use super::super::{
    ClusteredGuided, ComputeUnits, Distribution, Distributor, Dynamic, GuidedRuntime, Scheme,
    Sizes, StepReport, StepTimes, Variant, clustered_guided::Pivoted, virtual_time,
};
use crate::Ns;

fn distributor(scheme: impl Scheme + 'static, units: &str, items: usize) -> Distributor {
    let units = units.parse().unwrap();
    Distributor::new(Box::new(scheme), units, Sizes::equal(items)).unwrap()
}

/// A step where items take `cpu` on cores, and 1 on devices.
fn step(it: &mut Distributor, cpu: Ns) -> StepReport {
    let units = it.units();
    virtual_time::step(it, |_, unit| if units.is_device(unit) { 1 } else { cpu }).unwrap()
}

fn owners(report: &StepReport) -> Vec<usize> {
    report.owners().into_iter().map(Option::unwrap).collect()
}

#[test]
fn dynamic_gives_what_is_next_to_what_is_free() {
    let mut it = distributor(Dynamic::default(), "2x1+2", 8);
    let report = step(&mut it, 4);
    assert_eq!(owners(&report), [0, 1, 2, 3, 2, 3, 2, 3]);
    assert_eq!(report.busy_ns(), [4, 4, 3, 3]);

    let pairs = Dynamic {
        chunk: 2,
        ..Dynamic::default()
    };
    let report = step(&mut distributor(pairs, "2x1+2", 8), 4);
    assert_eq!(owners(&report), [0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(report.makespan_ns, 8);

    let report = step(&mut distributor(Dynamic::default(), "1x1+2", 16), 6);
    assert_eq!(report.items(0).collect::<Vec<_>>(), [0, 13]);
    assert_eq!(report.makespan_ns, 12);
}

#[test]
fn dynamic_repeats_the_step_that_it_keeps() {
    for (variant, kept) in [(Variant::Paper, 2), (Variant::Recommended, 1)] {
        let scheme = Dynamic {
            variant,
            ..Dynamic::default()
        };
        let mut it = distributor(scheme, "2x1", 6);
        // The second step is the shortest, and each step is distributed in its own way.
        let costs: [[Ns; 2]; 3] = [[90, 90], [10, 25], [60, 20]];
        let seen =
            costs.map(|cost| owners(&virtual_time::step(&mut it, |_, unit| cost[unit]).unwrap()));
        assert!(seen[0] != seen[1] && seen[1] != seen[2]);
        assert!(it.is_steady());
        // Speeds that would lead to something else.
        let report = virtual_time::step(&mut it, |_, unit| 500 - 400 * unit as Ns).unwrap();
        assert_eq!(owners(&report), seen[kept], "{variant}");
    }
}

#[test]
fn guided_runtime_by_the_paper() {
    let paper = GuidedRuntime {
        variant: Variant::Paper,
        ..GuidedRuntime::default()
    };
    let mut it = distributor(paper, "1x1+1", 16);
    let trace: Vec<_> = (0..4)
        .map(|_| {
            let report = step(&mut it, 3);
            (report.items(0).count(), report.makespan_ns)
        })
        .collect();
    assert_eq!(trace, [(8, 24), (5, 15), (4, 12), (4, 12)]);
    assert!(it.is_steady());

    // Two distributions for ever.
    let mut it = distributor(paper, "1x1+2", 16);
    let trace: Vec<_> = (0..9).map(|_| step(&mut it, 6).makespan_ns).collect();
    assert_eq!(trace, [36, 18, 12, 11, 12, 11, 12, 11, 12]);
    assert!(!it.is_steady());
}

#[test]
fn guided_runtime_ends_with_the_best_that_it_has_seen() {
    for (units, cpu) in [("1x1+1", 3), ("1x1+2", 6), ("3x1+1", 40), ("4x1", 2)] {
        let mut it = distributor(GuidedRuntime::default(), units, 16);
        let mut seen = Vec::new();
        while !it.is_steady() {
            seen.push(step(&mut it, cpu).makespan_ns);
            assert!(seen.len() <= 50, "{units}: {seen:?}");
        }
        let best = seen.iter().min().copied();
        assert_eq!(
            Some(step(&mut it, cpu).makespan_ns),
            best,
            "{units}: {seen:?}"
        );
    }
}

/// The pivots, the number of steps, and the makespan in the end, of equal items that take 1 on devices.
fn search(variant: Variant, items: usize, units: &str, cpu: Ns) -> (Vec<usize>, usize, Ns) {
    let units: ComputeUnits = units.parse().unwrap();
    let mut it = Pivoted::new(variant, units, items);
    let (mut pivots, mut steps) = (vec![it.pivot], 0);
    loop {
        let super::super::Allotment::Own(own) = it.next() else {
            panic!("each unit has its own");
        };
        let mut owner = vec![0; items];
        for (unit, own) in own.iter().enumerate() {
            own.iter().for_each(|item| owner[*item] = unit);
        }
        let cost = |unit: &usize| if units.is_device(*unit) { 1 } else { cpu };
        let took_ns: Vec<Ns> = owner.iter().map(cost).collect();
        let times = StepTimes::new(units.len(), &owner, &took_ns);
        if it.is_steady() {
            return (pivots, steps, times.makespan_ns());
        }
        let moves = it.moves;
        it.observe(&times);
        steps += 1;
        if it.moves > moves {
            pivots.push(it.pivot);
        }
    }
}

#[test]
fn clustered_guided_by_the_paper() {
    // Items, units, what an item takes on a core; pivots, steps, the makespan in the end.
    for (items, units, cpu, pivots, steps, makespan) in [
        (16, "1x1+1", 3, &[1, 9, 5, 3][..], 14, 13),
        (16, "1x1+1", 2, &[1, 9, 5, 7], 14, 14),
        (16, "1x1+2", 6, &[1, 9, 5, 3, 2, 1], 22, 8),
        (8, "2x1+2", 4, &[2, 0, 2], 10, 4),
        (16, "1x1+1", 40, &[1, 0, 4, 2, 1, 0], 22, 16),
        (2, "4x1+2", 2, &[2, 1, 0], 10, 1),
    ] {
        let found = search(Variant::Paper, items, units, cpu);
        assert_eq!(
            found,
            (pivots.to_vec(), steps, makespan),
            "{items} {units} {cpu}"
        );
    }
}

#[test]
fn clustered_guided_as_recommended() {
    for (items, units, cpu, pivots, steps, makespan) in [
        (16, "1x1+1", 3, &[1, 9, 5, 3, 4][..], 18, 12),
        (16, "1x1+1", 2, &[1, 9, 5, 7, 6, 5], 22, 11),
    ] {
        let found = search(Variant::Recommended, items, units, cpu);
        assert_eq!(
            found,
            (pivots.to_vec(), steps, makespan),
            "{items} {units} {cpu}"
        );
    }
    // One cluster: nothing to search.
    for units in ["3x1", "0x1+3"] {
        let (pivots, steps, _) = search(Variant::Recommended, 16, units, 5);
        assert_eq!((pivots.len(), steps), (1, 4), "{units}");
    }
}

#[test]
fn the_phases_are_named() {
    let mut it = distributor(ClusteredGuided::default(), "1x1+1", 16);
    let phases: Vec<_> = (0..7).map(|_| step(&mut it, 3).phase).collect();
    assert_eq!(
        phases,
        ["init", "probe", "move", "probe", "balance", "probe", "move"]
    );
}
