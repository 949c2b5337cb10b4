//! Numbers and names as people read them.

use crate::{predict::ClassSummary, table};
use skel::{
    model::{ChainChoice, ClassModel, Quality, UnitId, Verdict},
    unit::BlockConfig,
};

/// A number of elements: in Ki, Mi or Gi where it is a round one, else with three digits.
///
/// ```
/// use tuner::show::elems;
///
/// assert_eq!([512, 65_536, 1 << 24].map(elems), ["512", "64 Ki", "16 Mi"]);
/// assert_eq!([100_000, 4_000_000, 1234].map(elems), ["100 k", "4 M", "1234"]);
/// ```
#[must_use]
pub fn elems(n: usize) -> String {
    for (shift, unit) in [(30, "Gi"), (20, "Mi"), (10, "Ki")] {
        // Halves and quarters of a unit are round, too.
        if n >= 1 << shift && n.is_multiple_of(1 << (shift - 2)) && n >> shift < 1024 {
            return format!("{} {unit}", n as f64 / f64::from(1_u32 << shift));
        }
    }
    for (scale, unit) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        let value = n as f64 / scale;
        if n >= 10_000 && value >= 0.9995 {
            let digits = if value < 9.995 {
                2
            } else {
                usize::from(value < 99.95)
            };
            let text = format!("{value:.digits$}");
            let text = match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.'),
                false => &text,
            };
            return format!("{text} {unit}");
        }
    }
    n.to_string()
}

/// So many files.
///
/// ```
/// assert_eq!([0, 1, 2].map(tuner::show::files), ["0 files", "1 file", "2 files"]);
/// ```
#[must_use]
pub fn files(n: usize) -> String {
    format!("{n} {}", if n == 1 { "file" } else { "files" })
}

/// So many sizes of calls.
///
/// ```
/// assert_eq!(tuner::show::sizes(1), "1 size");
/// assert_eq!(tuner::show::sizes(2), "2 sizes");
/// ```
#[must_use]
pub fn sizes(n: usize) -> String {
    format!("{n} {}", if n == 1 { "size" } else { "sizes" })
}

/// A time in the unit that suits it.
///
/// ```
/// assert_eq!(tuner::show::ns(1500.0), "1.50 µs");
/// ```
#[must_use]
pub fn ns(ns: f64) -> String {
    table::time(ns * 1e-9)
}

/// A share in percent.
///
/// ```
/// use tuner::show::percent;
///
/// assert_eq!([0.0, 0.004, 0.256, 1.0].map(percent), ["0 %", "0.4 %", "26 %", "100 %"]);
/// ```
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 1.0 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

/// Which unit takes how much; units that take nothing are left out.
#[must_use]
pub fn shares(shares: &[(UnitId, f64)]) -> String {
    let some: Vec<&(UnitId, f64)> = shares.iter().filter(|(_, share)| *share > 0.0).collect();
    match some[..] {
        [] => "none".into(),
        [(unit, _)] => name(unit),
        _ => {
            let parts = some.iter();
            let parts: Vec<String> = parts
                .map(|(unit, share)| format!("{} {}", name(unit), percent(*share)))
                .collect();
            parts.join(" + ")
        }
    }
}

/// Shares that suit those of other calls, by size.
#[must_use]
pub fn chain(choices: &[ChainChoice]) -> String {
    let one = |choice: &ChainChoice| format!("{}: {}", elems(choice.elems), shares(&choice.shares));
    choices.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A unit's name, harmless in a terminal.
#[must_use]
pub fn name(unit: &UnitId) -> String {
    crate::term::printable(&unit.to_string())
}

/// Whether a model is relied on, and why not.
///
/// ```
/// use skel::model::{ChainChoice, Quality, Reason};
///
/// assert_eq!(tuner::show::quality(Quality::Weak(Reason::Busy)), "weak: the machine was busy");
/// ```
#[must_use]
pub fn quality(quality: Quality) -> String {
    match quality {
        Quality::Good => Verdict::Good.to_string(),
        Quality::Weak(reason) => Verdict::Weak(reason).to_string(),
    }
}

/// Whether calls of a class go by what was measured, and how far they may be from the best.
#[must_use]
pub fn verdict(class: &ClassModel) -> String {
    let verdict = class.verdict();
    match class.unsure() {
        unsure if unsure.is_finite() && verdict == Verdict::Good => {
            format!("{verdict}, within {}", percent(unsure))
        }
        _ => verdict.to_string(),
    }
}

/// The unit that was measured to be the fastest alone, with its time.
#[must_use]
pub fn alone(single: Option<&(UnitId, f64)>) -> String {
    single.map_or("-".into(), |(unit, time_ns)| {
        format!("{} {}", name(unit), ns(*time_ns))
    })
}

/// The time of calls: a predicted one is marked, since it was not measured.
#[must_use]
pub fn time(outcome: &ClassSummary) -> String {
    match outcome.is_measured {
        true => ns(outcome.ns),
        false => format!("~{}", ns(outcome.ns)),
    }
}

/// How many times as fast.
#[must_use]
pub fn gain(gain: Option<f64>) -> String {
    gain.map_or("-".into(), |gain| format!("{gain:.2}×"))
}

/// A time in UTC, from seconds since 1970.
///
/// ```
/// assert_eq!(tuner::show::utc(951_782_400), "2000-02-29 00:00 UTC");
/// ```
#[must_use]
pub fn utc(unix_s: u64) -> String {
    // Days to a date: H. Hinnant's `civil_from_days`, for dates from 1970 on.
    let days = unix_s / 86_400 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (unix_s / 3600 % 24, unix_s / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// How a device launches kernels.
#[must_use]
pub fn block(block: BlockConfig) -> String {
    let BlockConfig {
        lanes,
        elems_per_lane,
    } = block;
    let each = if elems_per_lane == 1 {
        "element"
    } else {
        "elements"
    };
    format!("work-groups of {lanes} lanes, {elems_per_lane} {each} each")
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn odd_numbers_of_elements_keep_three_digits() {
        let shown = [12_345, 123_456, 9_999_999, 0, 1536].map(elems);
        assert_eq!(shown, ["12.3 k", "123 k", "10 M", "0", "1.5 Ki"]);
    }

    #[test]
    fn a_unit_that_takes_nothing_is_not_named() {
        let gpu = UnitId::device("mock", "a", 0);
        let split = [(UnitId::Cpu, 0.25), (gpu.clone(), 0.75)];
        assert_eq!(shares(&split), "cpu 25 % + mock:a#0 75 %");
        assert_eq!(shares(&[(UnitId::Cpu, 0.0), (gpu, 1.0)]), "mock:a#0");
        assert_eq!(shares(&[]), "none");
        let choice = ChainChoice {
            elems: 1 << 20,
            beside_elems: 0,
            shares: split.to_vec(),
        };
        let shown = chain(&[choice.clone(), choice]);
        assert!(
            shown.starts_with("1 Mi: cpu 25 %") && shown.contains("; 1 Mi"),
            "{shown}"
        );
    }
}
