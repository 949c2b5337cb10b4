//! What was found, as tables.

use crate::{
    Table,
    command::run::save,
    predict, show,
    term::{Style, printable},
};
use skel::model::{InstanceModel, MachineModels};
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
        let quality = show::quality(class.quality);
        let changed = save::change(before, class);
        let Some(found) = predict::predict(class, class.elems) else {
            let none = || "-".to_string();
            table.row([elems, none(), none(), none(), none(), quality, changed]);
            continue;
        };
        let shares = class.best.as_ref().unwrap_or(&found.shares);
        let ns = predict::shared_ns(class, class.elems, shares);
        let gain = if ns > 0.0 { found.single_ns / ns } else { 1.0 };
        let single = show::name(&found.single);
        table.row([
            elems,
            format!("{single} {}", show::ns(found.single_ns)),
            show::shares(shares),
            show::ns(ns),
            format!("{gain:.2}×"),
            quality,
            changed,
        ]);
    }
    table
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

#[cfg(test)]
mod test {
    use super::*;
    use skel::model::{Fingerprint, InstanceKey, UnitId};

    #[test]
    fn a_size_is_a_row() {
        let gpu = UnitId::device("mock", "a", 0);
        let class = predict::test::class(1 << 20, &[(UnitId::Cpu, 3.0, 0.0), (gpu, 1.0, 0.0)]);
        let instance = InstanceModel {
            key: InstanceKey {
                name: "app::dot\u{1b}[31m".into(),
                pattern: "MapReduce".into(),
                elements: "f32".into(),
                hash: 1,
            },
            classes: vec![class],
            chain: Vec::new(),
            read_back: 0.0,
            seed: 1,
            when_unix_s: 0,
            drift: 0.0,
        };
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
             \x20 elements     fastest alone                     chosen    time   gain  model\n\
             \x20 1 Mi      mock:a#0 1.05 ms  cpu 25 % + mock:a#0 75 %  786 µs  1.33×   good  new\n"
        );
        let before = models.instances.clone().into_iter().map(Some);
        let again = text(&models, &before.collect::<Vec<_>>(), Style::PLAIN);
        assert!(again.contains("as before"), "{again}");
    }
}
