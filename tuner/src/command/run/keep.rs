//! A run of some units only: what is known of the others stays.

use skel::model::{
    ClassModel, InstanceModel, Quality, UnitModel, size_class, store::merge::keep_surer,
};

/// Where the time was over early, what is known and good stays: a few runs are no reason to measure all of it again.
pub(super) fn surer(instances: &mut [InstanceModel], known: &[Option<InstanceModel>]) {
    for (instance, known) in instances.iter_mut().zip(known) {
        if let Some(known) = known {
            keep_surer(instance, known);
        }
    }
}

/// What programs did with the results of calls, as was known before: what this run says of it replaces that.
pub(super) fn uses(instances: &mut [InstanceModel], known: &[Option<InstanceModel>]) {
    for (instance, known) in instances.iter_mut().zip(known) {
        if let Some(known) = known {
            instance.read_back = known.read_back;
            instance.chain.clone_from(&known.chain);
        }
    }
}

/// Adds what was known before to what was measured of some units on the same machine and of the same code,
/// so that it does not replace models that know more. What was found best for all units together is not
/// kept where one of them was measured again.
pub(super) fn others(instances: &mut [InstanceModel], known: &[Option<InstanceModel>]) {
    for (instance, known) in instances.iter_mut().zip(known) {
        let Some(known) = known else { continue };
        let classes = std::mem::take(&mut instance.classes);
        let kept = classes.into_iter().map(|class| {
            match known.classes.iter().find(|old| is_same(old, &class)) {
                Some(old) => joined(class, old),
                None => class,
            }
        });
        instance.classes = kept.collect();
        instance.chain.clear();
        instance.read_back = known.read_back;
    }
}

/// Calls of the same size class.
fn is_same(a: &ClassModel, b: &ClassModel) -> bool {
    let of = |c: &ClassModel| (size_class(c.elems), size_class(c.beside_elems));
    of(a) == of(b)
}

/// One class of both; the old one as it is if it knows more and is of calls of another size: their times
/// do not go together.
fn joined(mut new: ClassModel, old: &ClassModel) -> ClassModel {
    let has =
        |class: &ClassModel, unit: &UnitModel| class.units.iter().any(|u| u.unit == unit.unit);
    let missing: Vec<UnitModel> = old
        .units
        .iter()
        .filter(|u| !has(&new, u))
        .cloned()
        .collect();
    if missing.is_empty() {
        return new;
    }
    if (new.elems, new.beside_elems) != (old.elems, old.beside_elems) {
        return old.clone();
    }
    new.units.extend(missing);
    new.units.sort_by(|a, b| a.unit.cmp(&b.unit));
    for whole in &old.measured {
        if new.measured.iter().all(|m| m.shares != whole.shares) {
            new.measured.push(whole.clone());
        }
    }
    new.split_overhead_ns = new.split_overhead_ns.max(old.split_overhead_ns);
    new.best = None;
    if new.quality == Quality::Good {
        new.quality = old.quality;
    }
    new
}

#[cfg(test)]
mod test {
    use super::*;
    use skel::model::{Curve, InstanceKey, Measured, Reason, Sample, UnitId, fit};

    fn unit(unit: UnitId, slope_ns: f64) -> UnitModel {
        let line = Curve::line(slope_ns, 100.0);
        let sample = |k: u32| Sample {
            elems: 1 << k,
            median_ns: line.at(f64::from(1 << k)),
            mad_ns: 1.0,
            runs: 5,
        };
        let samples: Vec<Sample> = (6..12).map(sample).collect();
        let fit = fit(&samples).unwrap();
        UnitModel {
            unit,
            fit,
            samples,
            block: None,
        }
    }

    fn class(elems: usize, units: Vec<UnitModel>) -> ClassModel {
        ClassModel {
            elems,
            beside_elems: 0,
            split_overhead_ns: 0.0,
            measured: Vec::new(),
            best: Some(vec![(units[0].unit.clone(), 1.0)]),
            quality: Quality::Good,
            units,
        }
    }

    fn instance(class: ClassModel) -> InstanceModel {
        InstanceModel {
            key: InstanceKey {
                name: "dot".into(),
                pattern: "MapReduce".into(),
                elements: "f32".into(),
                hash: 1,
            },
            classes: vec![class],
            chain: Vec::new(),
            read_back: 0.5,
            seed: 1,
            when_unix_s: 0,
            drift: 0.0,
        }
    }

    fn gpu() -> UnitId {
        UnitId::device("mock", "a", 0)
    }

    fn slopes(class: &ClassModel) -> Vec<(UnitId, f64)> {
        let slope = |u: &UnitModel| (u.unit.clone(), u.fit.slope_ns.round());
        class.units.iter().map(slope).collect()
    }

    #[test]
    fn units_that_were_not_measured_again_stay() {
        let mut old = class(4096, vec![unit(UnitId::Cpu, 2.0), unit(gpu(), 1.0)]);
        old.split_overhead_ns = 700.0;
        old.measured.push(Measured {
            shares: vec![(UnitId::Cpu, 0.5), (gpu(), 0.5)],
            sample: old.units[0].samples[0],
        });
        let known = [Some(instance(old.clone()))];
        let mut new = [instance(class(4096, vec![unit(gpu(), 3.0)]))];
        others(&mut new, &known);
        let joined = &new[0].classes[0];
        assert_eq!(slopes(joined), [(UnitId::Cpu, 2.0), (gpu(), 3.0)]);
        assert_eq!((&joined.best, joined.split_overhead_ns), (&None, 700.0));
        assert_eq!(joined.measured, old.measured);
        assert_eq!(new[0].read_back, 0.5);
    }

    #[test]
    fn what_is_known_and_good_outlasts_a_few_runs() {
        let old = instance(class(4096, vec![unit(UnitId::Cpu, 2.0), unit(gpu(), 1.0)]));
        let mut few = class(4096, vec![unit(UnitId::Cpu, 3.0)]);
        few.quality = Quality::Weak(Reason::Budget);
        let mut new = [instance(few)];
        surer(&mut new, &[None]);
        assert_eq!(slopes(&new[0].classes[0]), [(UnitId::Cpu, 3.0)]);
        surer(&mut new, &[Some(old.clone())]);
        assert_eq!(new, [old]);
    }

    #[test]
    fn what_was_weak_stays_weak() {
        let mut old = class(4096, vec![unit(UnitId::Cpu, 2.0)]);
        old.quality = Quality::Weak(Reason::Busy);
        let mut new = [instance(class(4096, vec![unit(gpu(), 3.0)]))];
        others(&mut new, &[Some(instance(old))]);
        assert_eq!(new[0].classes[0].quality, Quality::Weak(Reason::Busy));
    }

    #[test]
    fn of_other_sizes_the_one_that_knows_more_stays() {
        let old = class(4096, vec![unit(UnitId::Cpu, 2.0), unit(gpu(), 1.0)]);
        let known = [Some(instance(old.clone()))];
        let mut less = [instance(class(4000, vec![unit(gpu(), 3.0)]))];
        others(&mut less, &known);
        assert_eq!(less[0].classes, [old]);
        // Another size class, and one that knows as much, count.
        let all = vec![unit(UnitId::Cpu, 5.0), unit(gpu(), 3.0)];
        for class in [class(64, vec![unit(gpu(), 3.0)]), class(4000, all)] {
            let mut new = [instance(class.clone())];
            others(&mut new, &known);
            assert_eq!(new[0].classes, [class]);
        }
        let mut unknown = [instance(class(4096, vec![unit(gpu(), 3.0)]))];
        let before = unknown.clone();
        others(&mut unknown, &[None]);
        assert_eq!(unknown, before);
    }
}
