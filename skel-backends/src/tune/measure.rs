//! Single runs, in random order within each round, so that a disturbance of the machine hits all of them.

use super::{
    places::placed,
    replay::{Bench, Contender},
    stats,
};
use crate::context::UnitRange;
use skel_core::{Error, Result, schedule::UnitIndex};
use skel_model::{Evidence, Measurement, UnitId, policy::Assignment};
use std::{thread, time::Duration};

/// A run is repeated until it takes so long: some thousand steps of the clock.
const SHORTEST_NS: f64 = 30_000.0;
/// And at most so often.
const MOST_RUNS: f64 = 4096.0;

/// An idle device starts more slowly, and programs pause between calls. So short runs have pauses between
/// them, too.
pub(super) const PAUSE: Duration = Duration::from_millis(2);
const LONG_NS: f64 = 20e6;

/// Runs a measurement once, or several times where that is too short for the clock, and says how many nanoseconds one
/// run takes. `pauses` says whether the machine rests before.
///
/// # Errors
/// Those of the call, and that a unit is not there: then nothing is run.
pub(super) fn run(
    bench: &mut Bench<'_, '_>,
    contenders: &[Contender],
    evidence: &Evidence,
    what: &Measurement,
    pauses: bool,
) -> Result<f64> {
    let parts = parts(contenders, what, bench.elems)?;
    let known_ns = stats::median(evidence.runs_ns(what));
    if pauses && known_ns.is_none_or(|ns| ns < LONG_NS) {
        thread::sleep(PAUSE);
    }
    let batch = |ns: f64| (SHORTEST_NS / ns.max(1.0)).ceil().min(MOST_RUNS) as usize;
    match known_ns {
        Some(ns) => bench.shared(&parts, batch(ns)),
        None => match bench.shared(&parts, 1)? {
            ns if ns < SHORTEST_NS => bench.shared(&parts, batch(ns)),
            ns => Ok(ns),
        },
    }
}

/// The elements of each unit in a run.
///
/// # Errors
/// [`Error::NoDevice`] if one of the units is not there: what the others take is no time of this measurement.
fn parts(contenders: &[Contender], what: &Measurement, elems: usize) -> Result<Vec<UnitRange>> {
    let index = |unit: &UnitId| {
        let found = contenders.iter().find(|contender| contender.id == *unit);
        found
            .map(|contender| contender.index)
            .ok_or_else(|| Error::NoDevice {
                wanted: unit.to_string(),
                reason: "it is not among the units that are measured".into(),
            })
    };
    match what {
        Measurement::Part(unit, size) => {
            let (index, last) = (index(unit)?, contenders.iter().map(|c| c.index).max());
            Ok(vec![(
                index,
                placed(index, Some(index) < last, *size, elems),
            )])
        }
        Measurement::Split(sizes) => {
            let sizes = sizes.iter().map(|(unit, n)| Ok((index(unit)?, *n)));
            let sizes = sizes.collect::<Result<Vec<_>>>()?;
            Ok(Assignment::of_sizes(sizes).pieces)
        }
    }
}

/// What a measurement takes whose run takes so long: its pause, and repetitions that the clock needs.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time; what is longer than 2⁶⁴ ns counts as that"
)]
pub(super) fn took(run_ns: f64, pauses: bool) -> Duration {
    let pause = match pauses && run_ns < LONG_NS {
        true => PAUSE,
        false => Duration::ZERO,
    };
    pause + Duration::from_nanos(run_ns.max(SHORTEST_NS) as u64)
}

/// Runs all elements on a unit, of which so much was measured before.
///
/// # Errors
/// Those of the call.
pub(super) fn whole(bench: &mut Bench<'_, '_>, unit: UnitIndex, before: &[f64]) -> Result<f64> {
    let all = 0..bench.elems;
    let batch = stats::median(before).map_or(1, |ns| {
        (SHORTEST_NS / ns.max(1.0)).ceil().min(MOST_RUNS) as usize
    });
    bench.single(unit, &all, batch)
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::positions::{CPU, FIRST_DEVICE};

    #[test]
    fn nothing_is_run_without_a_unit_that_it_is_of() {
        let device = UnitId::device("mock", "a", 0);
        let contender = |id: &UnitId, index| Contender {
            id: id.clone(),
            index,
        };
        let cpu = contender(&UnitId::Cpu, CPU);
        let both = [cpu.clone(), contender(&device, FIRST_DEVICE)];
        let part = Measurement::Part(device.clone(), 30);
        let split = Measurement::Split(vec![(UnitId::Cpu, 40), (device, 60)]);
        for what in [&part, &split] {
            let refused = parts(std::slice::from_ref(&cpu), what, 100);
            assert!(
                matches!(&refused, Err(Error::NoDevice { wanted, .. }) if wanted == "mock:a#0"),
                "{refused:?}"
            );
        }
        let made = |what| parts(&both, what, 100).expect("all units are there");
        assert_eq!(made(&part), [(FIRST_DEVICE, 70..100)]);
        assert_eq!(made(&split), [(CPU, 0..40), (FIRST_DEVICE, 40..100)]);
    }
}
