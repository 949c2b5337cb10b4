//! What was found, as tables.

use crate::{
    Table,
    command::run::save,
    predict, show,
    term::{Style, printable},
};
use skel::model::{InstanceModel, MachineModels, Quality, Reason};
use std::fmt::Write;

/// A table for each instance.
pub(super) fn text(
    models: &MachineModels,
    before: &[Option<InstanceModel>],
    style: Style,
) -> String {
    let mut text = String::new();
    for (k, instance) in models.instances.iter().enumerate() {
        let before = before.get(k).and_then(Option::as_ref);
        let key = &instance.key;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "\n{} {} {}",
            style.bold(&printable(&key.name)),
            printable(&key.pattern),
            printable(&key.elements)
        );
        text.push_str(&indented(&table(instance, before).text()));
        if !instance.chain.is_empty() {
            let _ = writeln!(
                text,
                "  among this program's calls: {}",
                show::chain(&instance.chain)
            );
        }
    }
    text
}

fn table(instance: &InstanceModel, before: Option<&InstanceModel>) -> Table {
    let header = [
        "elements",
        "fastest alone",
        "chosen",
        "time",
        "gain",
        "model",
        "",
    ];
    let mut table = Table::new(header);
    for class in &instance.classes {
        let elems = show::elems(class.elems);
        let quality = show::verdict(class);
        let changed = save::change(before, instance, class);
        let Some(found) = predict::outcome(instance, class) else {
            let none = || "-".to_string();
            table.row([elems, none(), none(), none(), none(), quality, changed]);
            continue;
        };
        table.row([
            elems,
            show::alone(found.single.as_ref()),
            show::shares(&found.shares),
            show::time(&found),
            show::gain(found.gain()),
            quality,
            changed,
        ]);
    }
    table
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// Hints for users that see this for the first time.
pub(super) fn hints(models: &MachineModels) -> Vec<&'static str> {
    let mut hints = Vec::new();
    let mut classes = models.instances.iter().flat_map(|i| &i.classes);
    if classes.any(|class| class.quality == Quality::Weak(Reason::Busy)) {
        hints.push(
            "other programs were running, so calls are not split by these models; run again with --force when \
             the machine is quiet",
        );
    }
    if models.fingerprint.devices.is_empty() {
        hints.push(
            "there is no device to share calls with; `cargo tune doctor` says what was looked for",
        );
    }
    if !models.instances.is_empty() {
        hints.push("`cargo tune report --open` shows what was measured, in pictures");
    }
    hints
}

#[cfg(test)]
mod test {
    use super::*;
    use skel::model::{Fingerprint, UnitId};

    #[test]
    fn a_size_is_a_row() {
        let gpu = UnitId::device("mock", "a", 0);
        let class = predict::test::class(1 << 20, &[(UnitId::Cpu, 3.0, 0.0), (gpu, 1.0, 0.0)]);
        let mut instance = predict::test::instance(vec![class]);
        instance.key.name += "\u{1b}[31m";
        let models = MachineModels {
            fingerprint: Fingerprint {
                cpu: "Chip".into(),
                threads: 4,
                devices: Vec::new(),
            },
            transfers: Vec::new(),
            instances: vec![instance],
        };
        assert_eq!(
            text(&models, &[None], Style::PLAIN),
            "\napp::dot\\u{1b}[31m MapReduce f32\n\
             \x20 elements  fastest alone                    chosen     time  gain  model\n\
             \x20 1 Mi                  -  cpu 25 % + mock:a#0 75 %  ~786 µs     -   good  new\n"
        );
        let before = models.instances.clone().into_iter().map(Some);
        let again = text(&models, &before.collect::<Vec<_>>(), Style::PLAIN);
        assert!(again.contains("as before"), "{again}");
        // Quiet and without a device; busy; with nothing.
        let first = |models: &MachineModels| {
            hints(models)
                .iter()
                .map(|hint| &hint[..14])
                .collect::<Vec<_>>()
        };
        assert_eq!(first(&models), ["there is no de", "`cargo tune re"]);
        let mut busy = models;
        busy.instances[0].classes[0].quality = Quality::Weak(Reason::Busy);
        assert_eq!(
            first(&busy),
            ["other programs", "there is no de", "`cargo tune re"]
        );
        busy.instances.clear();
        assert_eq!(first(&busy), ["there is no de"]);
    }
}
