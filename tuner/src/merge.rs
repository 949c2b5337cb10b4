//! From a journal to models of instances.

use crate::journal::{ClassJournal, InstanceJournal, Journal};
use skel::model::{ClassModel, InstanceModel, MachineModels, chain};

/// The models of what was measured so far, each with the time at which it was measured last: now, where the journal does
/// not say.
#[must_use]
pub fn models(journal: &Journal, seed: u64, now_unix_s: u64) -> Option<MachineModels> {
    let instances = journal.instances.values();
    let instance = |instance: &InstanceJournal| {
        let classes: Vec<ClassModel> = instance
            .classes
            .values()
            .filter_map(ClassJournal::model)
            .collect();
        (!classes.is_empty()).then(|| InstanceModel {
            key: instance.key.clone(),
            classes,
            chain: Vec::new(),
            read_back: 0.0,
            seed,
            when_unix_s: measured_unix_s(instance).unwrap_or(now_unix_s),
            drift: instance
                .classes
                .values()
                .map(ClassJournal::drift)
                .fold(0.0, f64::max),
        })
    };
    Some(MachineModels {
        fingerprint: journal.fingerprint()?.clone(),
        transfers: journal
            .transfers
            .iter()
            .map(|(unit, model)| (unit.clone(), *model))
            .collect(),
        instances: instances.filter_map(instance).collect(),
    })
}

/// When the last process began that measured a class of which there is a model. `None` if one does not say when.
fn measured_unix_s(instance: &InstanceJournal) -> Option<u64> {
    let classes = instance.classes.values();
    let classes = classes.filter(|class| class.model().is_some());
    let times: Option<Vec<u64>> = classes.map(|class| class.when_unix_s).collect();
    times?.into_iter().max()
}

/// Adds what the program did with its data: what the host read, and shares that suit each other. How
/// many times as fast those are as shares chosen for each call alone, if that matters.
pub fn together(models: &mut MachineModels, journal: &Journal) -> Option<f64> {
    let plan = chain::apply(
        chain::Waits::default(),
        &mut models.instances,
        &journal.events(),
        &models.transfers,
    )?;
    let gain = plan.alone_ns / plan.ns;
    (gain.is_finite() && gain >= 1.02).then_some(gain)
}

#[cfg(test)]
mod test {
    use super::*;

    const INSTANCE: &str = r#"{"reason":"instance","id":"00ff","key":{"name":"app::dot","pattern":"Map","elements":"f32","hash":"0123456789abcdef0123456789abcdef"}}"#;

    fn hello(unix_s: &str) -> String {
        format!(
            r#"{{"reason":"journal","proto":1,"skel":"0.1.0","pid":7{unix_s},"fingerprint":{{"cpu":"Chip 9","threads":8,"devices":[]}}}}"#
        )
    }

    fn whole(elems: usize) -> [String; 2] {
        let class = format!(r#""id":"00ff","elems":{elems},"beside_elems":0"#);
        [
            format!(r#"{{"reason":"class-started",{class},"units":["cpu"],"points":[{elems}]}}"#),
            format!(
                r#"{{"reason":"sample",{class},"unit":"cpu","part_elems":{elems},"ns":[9000]}}"#
            ),
        ]
    }

    fn when(lines: &[String]) -> u64 {
        let text = lines.join("\n") + "\n";
        let journal = Journal::read(text.as_bytes()).expect("memory reads");
        models(&journal, 1, 999).expect("a machine").instances[0].when_unix_s
    }

    #[test]
    fn what_was_not_measured_again_keeps_its_time() {
        let [early, late, unsaid] =
            [r#","unix_s":100"#, r#","unix_s":200"#, ""].map(|text| vec![hello(text)]);
        let (small, large) = (whole(4096).to_vec(), whole(100_000).to_vec());
        let first = [early, vec![INSTANCE.into()], small.clone()].concat();
        assert_eq!(when(&first), 100);
        assert_eq!(when(&[first.clone(), late.clone()].concat()), 100);
        assert_eq!(when(&[first.clone(), late, large.clone()].concat()), 200);
        // By a program that does not say when it began.
        assert_eq!(when(&[first, unsaid, small].concat()), 999);
    }
}
