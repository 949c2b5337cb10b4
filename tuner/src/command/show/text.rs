//! Models as text.

use super::super::environment::{Source, shown};
use crate::{
    Table, predict, show,
    term::{Style, printable},
};
use skel::model::{
    ClassModel, InstanceModel, MachineModels, Sizes, TransferModel, UnitModel, Verdict,
};
use std::fmt::Write;

/// The machine, and its transfers; of the one that was shown before, only where its models are.
pub(super) fn machine(
    source: &Source,
    machine: &MachineModels,
    before: Option<&MachineModels>,
    style: Style,
) -> String {
    let place = format!("  in {}\n", shown(&source.path));
    let of = |m: &MachineModels| (m.fingerprint.clone(), m.transfers.clone());
    if before.map(of) == Some(of(machine)) {
        return format!("\n{place}");
    }
    let fingerprint = &machine.fingerprint;
    let mut text = format!(
        "{}, {} threads\n{place}",
        style.bold(&printable(&fingerprint.cpu)),
        fingerprint.threads,
    );
    for device in &fingerprint.devices {
        let (id, driver) = (show::name(&device.id), printable(&device.driver));
        let _ = writeln!(text, "  with {id}, driver {driver}");
    }
    for (unit, transfer) in &machine.transfers {
        let _ = writeln!(text, "  {}: {}", show::name(unit), self::transfer(transfer));
    }
    text
}

fn transfer(transfer: &TransferModel) -> String {
    let way = |latency_ns: f64, ns_per_byte: f64| {
        let latency = show::ns(latency_ns);
        match ns_per_byte > 0.0 {
            // A byte per nanosecond is 10^9 per second.
            true => format!("{latency} and {:.1} GB/s", ns_per_byte.recip()),
            false => latency,
        }
    };
    let up = way(transfer.up_latency_ns, transfer.up_ns_per_byte);
    let down = way(transfer.down_latency_ns, transfer.down_ns_per_byte);
    format!("up {up}, down {down}")
}

/// An instance: its classes, and what is predicted and chosen for it.
pub(super) fn instance(instance: &InstanceModel, raw: bool, style: Style) -> String {
    let key = &instance.key;
    let mut text = format!(
        "\n{} {} {}\n  measured {}, seed {}, drift {}",
        style.bold(&printable(&key.name)),
        printable(&key.pattern),
        printable(&key.elements),
        show::utc(instance.when_unix_s),
        instance.seed,
        show::percent(instance.drift.abs()),
    );
    if instance.read_back > 0.0 {
        let part = show::percent(instance.read_back);
        let _ = write!(text, "; {part} of what it writes is read by the host next");
    }
    text.push('\n');
    for class in &instance.classes {
        text.push_str(&self::class(class, raw));
    }
    if let Some(table) = ratios(instance) {
        text.push_str("  predicted, with all data where it is needed\n");
        text.push_str(&indented(&table.text()));
    }
    for choice in &instance.chain {
        let beside = beside(choice.beside_elems);
        let _ = writeln!(
            text,
            "  chosen together with other calls, {} elements{beside}: {}",
            show::elems(choice.elems),
            show::shares(&choice.shares)
        );
    }
    text
}

fn beside(elems: usize) -> String {
    match elems {
        0 => String::new(),
        n => format!(" beside {}", show::elems(n)),
    }
}

/// The coefficients of a size class.
fn class(class: &ClassModel, raw: bool) -> String {
    let mut text = format!(
        "  {} elements{}: {}\n",
        show::elems(class.elems),
        beside(class.beside_elems),
        show::verdict(class)
    );
    let mut table = Table::new([
        "unit",
        "per element",
        "95 % from",
        "to",
        "latency",
        "misses by",
        "R²",
        "pieces",
        "model",
    ]);
    for unit in &class.units {
        let fit = &unit.fit;
        table.row([
            show::name(&unit.unit),
            small_ns(fit.slope_ns),
            small_ns(fit.slope_ci.0),
            small_ns(fit.slope_ci.1),
            show::ns(fit.latency_ns),
            show::percent(fit.relative_rms),
            format!("{:.3}", fit.r2.max(-9.999)),
            fit.curve.points().len().to_string(),
            show::quality(fit.quality),
        ]);
    }
    text.push_str(&indented(&table.text()));
    for unit in &class.units {
        if let Some(block) = unit.block {
            let _ = writeln!(
                text,
                "    {} is the fastest in {}",
                show::name(&unit.unit),
                show::block(block)
            );
        }
    }
    if class.split_overhead_ns > 0.0 {
        let overhead = show::ns(class.split_overhead_ns);
        let _ = writeln!(text, "    being shared costs {overhead}");
    }
    if let Some(best) = &class.best {
        let _ = writeln!(text, "    measured fastest: {}", show::shares(best));
    }
    if raw {
        let measured = class.units.iter().filter(|unit| !unit.samples.is_empty());
        measured.for_each(|unit| text.push_str(&samples(unit)));
        for measured in &class.measured {
            let (shares, sample) = (show::shares(&measured.shares), &measured.sample);
            let (time, runs) = (show::ns(sample.median_ns), sample.runs);
            let _ = writeln!(text, "    whole calls, {shares}: {time} in {runs} runs");
        }
    }
    text
}

/// Every point of a unit.
fn samples(unit: &UnitModel) -> String {
    let mut table = Table::new(["elements", "median", "MAD", "runs", "off the curve"]);
    for sample in &unit.samples {
        let predicted = unit.fit.curve.at(sample.elems as f64);
        let off = match predicted > 0.0 {
            true => format!("{:+.1} %", 100.0 * (sample.median_ns / predicted - 1.0)),
            false => "-".into(),
        };
        table.row([
            sample.elems.to_string(),
            show::ns(sample.median_ns),
            show::ns(sample.mad_ns),
            sample.runs.to_string(),
            off,
        ]);
    }
    format!(
        "    {}\n{}",
        show::name(&unit.unit),
        indented(&indented(&table.text()))
    )
}

/// Which unit takes how much, over sizes a little beyond those measured.
fn ratios(instance: &InstanceModel) -> Option<Table> {
    let sizes = instance.classes.iter().flat_map(|class| {
        let samples = class.units.iter().flat_map(|unit| &unit.samples);
        samples.map(|s| s.elems).chain([class.elems])
    });
    let sizes: Vec<usize> = sizes.filter(|n| *n > 0).collect();
    let (least, most) = (*sizes.iter().min()?, *sizes.iter().max()?);
    let beside = instance.classes.first()?.beside_elems;
    let curves = Sizes::of(instance);
    let mut table = Table::new(["elements", "share", "time", "gain", ""]);
    // Powers of four, one more on either side.
    let first = least.ilog2() / 2;
    let last = most.ilog2().div_ceil(2);
    for exponent in first.saturating_sub(1)..=last + 1 {
        let Some(elems) = 1_usize.checked_shl(2 * exponent) else {
            break;
        };
        let (class, _) = instance.class(elems, beside)?;
        let found = predict::predict_at(class, &curves, elems)?;
        // Of the class that it is predicted from: others may have measured such sizes, and it has not.
        let samples = class.units.iter().flat_map(|unit| &unit.samples);
        let from = samples.map(|s| s.elems).min().unwrap_or(class.elems);
        let outside = !(least..=most).contains(&elems) || elems < from;
        let weak = class.verdict() != Verdict::Good;
        table.row([
            show::elems(elems),
            show::shares(&found.shares),
            show::ns(found.ns),
            format!("{:.2}×", found.single_ns / found.ns.max(f64::MIN_POSITIVE)),
            match (outside, weak) {
                (true, true) => "extrapolated, from a weak model",
                (true, false) => "extrapolated",
                (false, true) => "from a weak model",
                (false, false) => "",
            }
            .into(),
        ]);
    }
    Some(table)
}

/// Times of single elements are often below what a clock can tell.
fn small_ns(ns: f64) -> String {
    match ns.abs() {
        n if n >= 1000.0 => show::ns(ns),
        n if n >= 1.0 || n == 0.0 => format!("{ns:.2} ns"),
        n if n >= 1e-3 => format!("{:.2} ps", ns * 1e3),
        _ => format!("{ns:.1e} ns"),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
