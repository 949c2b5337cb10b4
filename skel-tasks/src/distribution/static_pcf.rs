//! Numbers of items by the speeds of cores and devices.

use super::{Allotment, ComputeUnits, Distribution, Scheme, Sizes, StepTimes, cut};
use crate::{BadOption, settings::settings};
use std::{fmt, ops::Range, str::FromStr};

/// The first step after a start allocates memory and compiles kernels: the second one is measured.
const MEASURED_STEP: usize = 2;

settings! {
    /// With the *performance conversion factor* `PCF`, how much longer a unit of cores takes for an item than a
    /// device does, T items form `g = G · PCF + N` groups of `q = ⌊T / g⌋`: the devices get
    /// `q · G · PCF + min(T mod g, G · PCF)` items, the units of cores the rest, and within each of the two all get the
    /// same number (as [`Static`](super::Static)). For items that are alike on units that are not; neighbours stay
    /// together.
    ///
    /// ```
    /// use skel_tasks::distribution::{Allotment, Pcf, Scheme, Sizes, StaticPcf};
    ///
    /// // A device is four times as fast as the core: 8 items here, 32 there.
    /// let scheme = StaticPcf { pcf: Pcf::Is(4.0) };
    /// let mut it = scheme.build("1x1+1".parse()?, &Sizes::equal(40))?;
    /// let Allotment::Own(items) = it.next() else { unreachable!() };
    /// assert_eq!((items[0].len(), items[1].len()), (8, 32));
    /// # Ok::<(), skel_tasks::BadOption>(())
    /// ```
    StaticPcf, "static-pcf";
    /// The factor.
    pcf: Pcf = Pcf::Measured, EXPECTED;
}

const EXPECTED: &str = "measured, or a number above 0";

/// How much longer a unit of cores takes for an item than a device does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pcf {
    /// What the second step shows, in time per size; steps before that are distributed by [`Static`](super::Static). 1
    /// if cores or devices got nothing then.
    Measured,
    /// So much; rounded, and at least 1.
    Is(f64),
}

impl fmt::Display for Pcf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pcf::Measured => f.write_str("measured"),
            Pcf::Is(pcf) => pcf.fmt(f),
        }
    }
}

impl FromStr for Pcf {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<Pcf, BadOption> {
        match text {
            "measured" => Ok(Pcf::Measured),
            _ => {
                let pcf = text
                    .parse()
                    .map_err(|_| BadOption::new("pcf", text, EXPECTED))?;
                checked(pcf)
            }
        }
    }
}

fn checked(pcf: f64) -> Result<Pcf, BadOption> {
    match pcf.is_finite() && pcf > 0.0 {
        true => Ok(Pcf::Is(pcf)),
        false => Err(BadOption::new("pcf", pcf, EXPECTED)),
    }
}

/// The chunks of all units: those of cores first, which take the low items.
pub(super) fn chunks(items: usize, units: ComputeUnits, pcf: f64) -> Vec<Range<usize>> {
    // No sum of these overflows; a larger factor leaves cores nothing in any case.
    let pcf = pcf.round().clamp(1.0, f64::from(u32::MAX)) as u128;
    let devices = units.devices() as u128 * pcf;
    let groups = devices + units.cpus() as u128;
    let (each, more) = (items as u128 / groups, items as u128 % groups);
    let on_devices = each * devices + more.min(devices);
    let on_cores = items - on_devices as usize;
    let mut all = cut::equal(0..on_cores, units.cpus());
    all.extend(cut::equal(on_cores..items, units.devices()));
    all
}

impl Scheme for StaticPcf {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(
        &self,
        units: ComputeUnits,
        sizes: &Sizes,
    ) -> Result<Box<dyn Distribution>, BadOption> {
        let items = sizes.len();
        let has_both = units.cpus() > 0 && units.devices() > 0;
        let known = match self.pcf {
            Pcf::Is(pcf) => checked(pcf).map(|_| Some(pcf))?,
            Pcf::Measured if has_both => None,
            Pcf::Measured => Some(1.0),
        };
        Ok(Box::new(ByFactor {
            units,
            sizes: sizes.clone(),
            chunks: match known {
                Some(pcf) => chunks(items, units, pcf),
                None => cut::equal(0..items, units.len()),
            },
            is_steady: known.is_some(),
            seen: 0,
        }))
    }
}

#[derive(Debug)]
struct ByFactor {
    units: ComputeUnits,
    sizes: Sizes,
    chunks: Vec<Range<usize>>,
    is_steady: bool,
    seen: usize,
}

impl ByFactor {
    /// The factor that a step shows.
    fn measured(&self, step: &StepTimes<'_>) -> Option<f64> {
        let [cores, devices] = self.units.clusters().map(|cluster| {
            let mut sums = (0.0, 0.0);
            for (item, took_ns) in step.took_ns().iter().enumerate() {
                if cluster.contains(&step.owner()[item]) {
                    sums.0 += *took_ns as f64;
                    sums.1 += self.sizes.get(item);
                }
            }
            sums.0 / sums.1
        });
        Some(cores / devices).filter(|pcf| pcf.is_finite() && *pcf > 0.0)
    }
}

impl Distribution for ByFactor {
    fn next(&mut self) -> Allotment {
        Allotment::of_ranges(&self.chunks)
    }

    fn observe(&mut self, step: &StepTimes<'_>) {
        self.seen += 1;
        if !self.is_steady && self.seen == MEASURED_STEP {
            let pcf = self.measured(step).unwrap_or(1.0);
            self.chunks = chunks(self.sizes.len(), self.units, pcf);
            self.is_steady = true;
        }
    }

    fn is_steady(&self) -> bool {
        self.is_steady
    }

    fn phase(&self) -> &'static str {
        match self.is_steady {
            true => "steady",
            false => "measure",
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_paper() {
        // Items, devices, units of cores, factor; items on devices and on cores.
        for (items, devices, cpus, pcf, on_devices, on_cores) in [
            (40, 1, 1, 4.0, 32, 8),
            (43, 1, 1, 4.0, 35, 8),
            (44, 1, 1, 4.0, 36, 8),
            (45, 1, 1, 4.0, 36, 9),
            (16, 1, 1, 6.0, 14, 2),
            (16, 1, 1, 2.0, 11, 5),
            (16, 2, 1, 6.0, 15, 1),
            (16, 2, 1, 2.0, 13, 3),
            (4, 1, 2, 8.0, 4, 0),
            (9, 1, 2, 8.0, 8, 1),
            (7, 0, 3, 4.0, 0, 7),
            (7, 2, 0, 4.0, 7, 0),
            (0, 1, 1, 4.0, 0, 0),
            (1, 1, 1, 4.0, 1, 0),
            (1024, 1, 63, 20.0, 260, 764),
        ] {
            let units = ComputeUnits::new(cpus, 1, devices).unwrap();
            let chunks = chunks(items, units, pcf);
            let [cores, device] = units
                .clusters()
                .map(|cluster| chunks[cluster].iter().map(Range::len).sum::<usize>());
            assert_eq!(
                (device, cores),
                (on_devices, on_cores),
                "{items} {units} {pcf}"
            );
            let mut at = 0;
            for chunk in chunks {
                assert_eq!(chunk.start, at);
                at = chunk.end;
            }
            assert_eq!(at, items);
        }
    }

    #[test]
    fn factors_are_rounded_and_any_is_possible() {
        let units = ComputeUnits::new(1, 1, 1).unwrap();
        assert_eq!(chunks(40, units, 4.4), chunks(40, units, 4.0));
        assert_eq!(chunks(40, units, 0.1), [0..20, 20..40]);
        assert_eq!(chunks(40, units, 1e300), [0..0, 0..40]);
        for bad in ["0", "-1", "NaN", "inf", "fast"] {
            let error = crate::distribution::parse(&format!("static-pcf,pcf={bad}")).unwrap_err();
            assert!(error.to_string().contains(EXPECTED), "{error}");
        }
        let bad = StaticPcf { pcf: Pcf::Is(-1.0) };
        assert!(bad.build(units, &Sizes::equal(1)).is_err());
    }

    #[test]
    fn the_factor_is_measured_per_size_in_the_second_step() {
        let units = ComputeUnits::new(1, 1, 1).unwrap();
        let sizes = Sizes::new([2.0, 2.0, 1.0, 1.0]).unwrap();
        let scheme = StaticPcf { pcf: Pcf::Measured };
        let mut it = scheme.build(units, &sizes).unwrap();
        let (owner, first, second) = ([0, 0, 1, 1], [900; 4], [6, 6, 1, 1]);
        assert_eq!(it.next(), Allotment::of_ranges(&[0..2, 2..4]));
        it.observe(&StepTimes::new(2, &owner, &first));
        assert!(!it.is_steady());
        assert_eq!(it.next(), Allotment::of_ranges(&[0..2, 2..4]));
        // 12 of 4 against 2 of 2: a factor of 3.
        it.observe(&StepTimes::new(2, &owner, &second));
        assert!(it.is_steady());
        assert_eq!(it.next(), Allotment::of_ranges(&[0..1, 1..4]));
    }
}
