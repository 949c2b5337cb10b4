//! What holds for every scheme: each item once in every step, whatever sizes, speeds and numbers are.

use super::super::{
    ComputeUnits, Distributor, Dynamic, Scheme, Sizes, StaticPcf, Variant, names, parse,
    virtual_time,
};
use crate::Ns;
use proptest::prelude::*;

/// Texts of all schemes in all variants.
pub(super) fn schemes() -> Vec<String> {
    let mut all: Vec<String> = names().map(Into::into).collect();
    all.extend(
        [
            "dynamic,chunk=3",
            "dynamic,chunk=1000,steps=1",
            "static-pcf,pcf=5",
            "guided-sizes",
            "guided-runtime",
            "clustered-guided",
        ]
        .into_iter()
        .flat_map(|name| match parse(&format!("{name},variant=paper")) {
            Ok(paper) => vec![name.into(), paper.text()],
            Err(_) => vec![name.into()],
        }),
    );
    all
}

pub(super) fn units() -> impl Strategy<Value = ComputeUnits> {
    (0_usize..6, 1_usize..3, 0_usize..4)
        .prop_filter_map("no units", |(n, m, g)| ComputeUnits::new(n, m, g).ok())
}

/// What an item takes: its size, by the unit's speed, and by a factor of its own that the size does not tell.
pub(super) fn cost(sizes: &[f64], speeds: &[u64], item: usize, unit: usize) -> Ns {
    let odd = 1 + (item as u64 * 7 + unit as u64) % 3;
    (sizes[item] * 100.0) as Ns * odd * speeds[unit % speeds.len()] + 1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn each_item_once_in_every_step(
        sizes in proptest::collection::vec(0.1_f64..50.0, 0..40),
        units in units(),
        speeds in proptest::collection::vec(1_u64..30, 1..9),
    ) {
        for scheme in schemes() {
            let scheme = parse(&scheme).unwrap();
            let all = Sizes::new(sizes.iter().copied()).unwrap();
            let mut it = Distributor::new(scheme, units, all).unwrap();
            for _ in 0..30 {
                let report = virtual_time::step(&mut it, |item, unit| cost(&sizes, &speeds, item, unit)).unwrap();
                let mut ran: Vec<usize> = report.runs.iter().map(|run| run.item).collect();
                ran.sort_unstable();
                prop_assert_eq!(ran, (0..sizes.len()).collect::<Vec<_>>());
                prop_assert!(report.failed().is_empty());
                // No unit does two things at once.
                for unit in 0..units.len() {
                    let mut runs: Vec<_> = report.runs.iter().filter(|run| run.unit == unit).collect();
                    runs.sort_by_key(|run| run.begin_ns);
                    prop_assert!(runs.windows(2).all(|pair| pair[0].begin_ns + pair[0].took_ns <= pair[1].begin_ns));
                }
            }
        }
    }

    /// Deterministic costs: what is steady stays, and the searches that promise to end do.
    #[test]
    fn what_is_steady_stays(
        sizes in proptest::collection::vec(0.1_f64..50.0, 1..70),
        units in units(),
        speeds in proptest::collection::vec(1_u64..30, 1..9),
    ) {
        for text in schemes() {
            let all = Sizes::new(sizes.iter().copied()).unwrap();
            let mut it = Distributor::new(parse(&text).unwrap(), units, all).unwrap();
            let mut owners = None;
            let most = 4 * sizes.len().next_power_of_two().trailing_zeros() as usize + 10;
            for k in 0..most.max(50) + 3 {
                let steady = it.is_steady();
                let report = virtual_time::step(&mut it, |item, unit| cost(&sizes, &speeds, item, unit)).unwrap();
                if steady {
                    let before = owners.get_or_insert_with(|| report.owners());
                    prop_assert_eq!(&*before, &report.owners(), "{}", &text);
                }
                if text == "clustered-guided" {
                    prop_assert!(steady || k < most, "{} steps", k);
                }
            }
            let may_circle = text == "guided-runtime,variant=paper,most=50"
                || text == "clustered-guided,variant=paper";
            prop_assert!(it.is_steady() || may_circle, "{}", &text);
        }
    }

    /// One unit of cores and one device: the recommended search is at least as good as either alone.
    #[test]
    fn two_units_are_not_worse_than_the_better_one(
        sizes in proptest::collection::vec(1_u64..100, 1..70),
        cpu in 1_u64..50,
        gpu in 1_u64..50,
    ) {
        let units = ComputeUnits::new(1, 1, 1).unwrap();
        let all = Sizes::new(sizes.iter().map(|size| *size as f64)).unwrap();
        let mut it = Distributor::new(parse("clustered-guided").unwrap(), units, all).unwrap();
        let costs = |item: usize, unit: usize| sizes[item] * [cpu, gpu][unit];
        while !it.is_steady() {
            virtual_time::step(&mut it, costs).unwrap();
        }
        let together = virtual_time::step(&mut it, costs).unwrap().makespan_ns;
        let alone = sizes.iter().sum::<u64>() * cpu.min(gpu);
        prop_assert!(together <= alone, "{} together, {} alone", together, alone);
    }

    /// The bound of list scheduling.
    #[test]
    fn dynamic_is_at_most_one_item_from_the_ideal(
        sizes in proptest::collection::vec(1_u64..100, 0..60),
        cpus in 1_usize..5,
        gpus in 0_usize..4,
        slow in 1_u64..20,
    ) {
        let units = ComputeUnits::new(cpus, 1, gpus).unwrap();
        let all = Sizes::new(sizes.iter().map(|size| *size as f64)).unwrap();
        let mut it = Distributor::new(Box::new(Dynamic::default()), units, all).unwrap();
        let factor = |unit: usize| if units.is_device(unit) { 1 } else { slow };
        let report = virtual_time::step(&mut it, |item, unit| sizes[item] * factor(unit)).unwrap();
        let speed: f64 = (0..units.len()).map(|unit| 1.0 / factor(unit) as f64).sum();
        let ideal = sizes.iter().sum::<u64>() as f64 / speed;
        let slowest = sizes.iter().max().copied().unwrap_or(0) * slow;
        prop_assert!(report.makespan_ns as f64 <= ideal + slowest as f64 + 1e-6);
    }
}

#[test]
fn no_items_and_one() {
    for text in schemes() {
        for (n, g) in [(1, 0), (0, 1), (3, 2)] {
            let units = ComputeUnits::new(n, 2, g).unwrap();
            for items in [0, 1] {
                let scheme = parse(&text).unwrap();
                let mut it = Distributor::new(scheme, units, Sizes::equal(items)).unwrap();
                for _ in 0..20 {
                    let report = virtual_time::step(&mut it, |_, unit| 1 + unit as Ns).unwrap();
                    assert_eq!(report.runs.len(), items, "{text} {units}");
                }
            }
        }
    }
}

#[test]
fn settings_are_those_of_the_struct() {
    assert_eq!(StaticPcf::default().text(), "static-pcf,pcf=measured");
    let paper = parse("dynamic,variant=paper,chunk=4").unwrap().text();
    let same = Dynamic {
        chunk: 4,
        variant: Variant::Paper,
        ..Dynamic::default()
    };
    assert_eq!(paper, same.text());
}
