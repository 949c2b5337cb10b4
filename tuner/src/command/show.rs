//! `cargo tune show`: what is known, with coefficients and ratios.

use super::{
    MessageFormat,
    here::{Here, Said, Source, is_meant, shown},
};
use crate::{
    Table,
    exit::{Exit, Failure, Result},
    predict, show,
    term::{Style, printable},
};
use clap::Args;
use skel::model::{ClassModel, InstanceModel, MachineModels, TransferModel, UnitModel, json::Json};
use std::{fmt::Write, path::PathBuf};

/// Show what is known of instances: coefficients, how well they fit, and ratios
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ShowOptions {
    /// Only instances whose names contain one of these
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Look into this tuning file, and not where programs look
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<PathBuf>,
    /// With every measured point
    #[arg(long)]
    raw: bool,
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// Says what is known.
pub(super) fn run(options: &ShowOptions, here: &Here<'_>, style: Style) -> Result<Said> {
    let sources = here.sources(&options.files)?;
    let mut text = String::new();
    let mut found = false;
    let mut broken = false;
    for source in &sources {
        let file = match &source.file {
            Ok(file) => file,
            Err(error) => {
                broken = true;
                if options.message_format == MessageFormat::Human {
                    let error = printable(&error.to_string());
                    // Writing to a string does not fail.
                    let _ = writeln!(text, "{}: {error}", style.warn("warning"));
                }
                continue;
            }
        };
        for machine in &file.machines {
            let instances = machine.instances.iter();
            let meant: Vec<&InstanceModel> =
                instances.filter(|i| is_meant(&options.filter, i)).collect();
            if meant.is_empty() {
                continue;
            }
            found = true;
            match options.message_format {
                MessageFormat::Json => json_lines(&mut text, source, machine, &meant),
                MessageFormat::Human => {
                    text.push_str(&machine_text(source, machine, style));
                    for instance in meant {
                        text.push_str(&instance_text(instance, options.raw, style));
                    }
                }
            }
        }
    }
    if found {
        let exit = Exit::Ok;
        return Ok(Said { text, exit });
    }
    if broken {
        let exit = Exit::CheckFailed;
        return Ok(Said { text, exit });
    }
    let nothing = match options.filter.is_empty() {
        true => "nothing was tuned so far",
        false => "nothing by that name was tuned so far",
    };
    Err(Failure::new(Exit::NothingTunable, nothing)
        .fix("`cargo tune run` tunes; `cargo tune doctor` says where models are looked for"))
}

fn json_lines(
    text: &mut String,
    source: &Source,
    machine: &MachineModels,
    instances: &[&InstanceModel],
) {
    let transfers = machine.transfers.iter();
    let transfers =
        transfers.map(|(unit, model)| Json::List(vec![unit.to_string().into(), model.to_json()]));
    let transfers = Json::list(transfers);
    for instance in instances {
        let line = Json::object([
            ("reason", "instance-model".into()),
            ("file", source.path.display().to_string().into()),
            ("fingerprint", machine.fingerprint.to_json()),
            ("transfers", transfers.clone()),
            ("model", instance.to_json()),
        ]);
        let _ = writeln!(text, "{line}");
    }
}

/// The machine, and its transfers.
fn machine_text(source: &Source, machine: &MachineModels, style: Style) -> String {
    let fingerprint = &machine.fingerprint;
    let mut text = format!(
        "{}, {} threads\n  in {}\n",
        style.bold(&printable(&fingerprint.cpu)),
        fingerprint.threads,
        shown(&source.path),
    );
    for device in &fingerprint.devices {
        let (id, driver) = (show::name(&device.id), printable(&device.driver));
        let _ = writeln!(text, "  with {id}, driver {driver}");
    }
    for (unit, transfer) in &machine.transfers {
        let _ = writeln!(text, "  {}: {}", show::name(unit), transfer_text(transfer));
    }
    text
}

fn transfer_text(transfer: &TransferModel) -> String {
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

fn instance_text(instance: &InstanceModel, raw: bool, style: Style) -> String {
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
        text.push_str(&class_text(class, raw));
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
fn class_text(class: &ClassModel, raw: bool) -> String {
    let mut text = format!(
        "  {} elements{}: {}\n",
        show::elems(class.elems),
        beside(class.beside_elems),
        show::quality(class.quality)
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

/// Who takes how much, over sizes a little beyond those measured.
fn ratios(instance: &InstanceModel) -> Option<Table> {
    let sizes = instance.classes.iter().flat_map(|class| {
        let samples = class.units.iter().flat_map(|unit| &unit.samples);
        samples.map(|s| s.elems).chain([class.elems])
    });
    let sizes: Vec<usize> = sizes.filter(|n| *n > 0).collect();
    let (least, most) = (*sizes.iter().min()?, *sizes.iter().max()?);
    let beside = instance.classes.first()?.beside_elems;
    let mut table = Table::new(["elements", "share", "time", "gain", ""]);
    // Powers of four, one more on either side.
    let first = least.ilog2() / 2;
    let last = most.ilog2().div_ceil(2);
    for exponent in first.saturating_sub(1)..=last + 1 {
        let Some(elems) = 1_usize.checked_shl(2 * exponent) else {
            break;
        };
        let (class, _) = instance.class(elems, beside)?;
        let found = predict::predict(class, elems)?;
        let outside = !(least..=most).contains(&elems);
        table.row([
            show::elems(elems),
            show::shares(&found.shares),
            show::ns(found.ns),
            format!("{:.2}×", found.single_ns / found.ns.max(f64::MIN_POSITIVE)),
            if outside { "extrapolated" } else { "" }.into(),
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

#[cfg(test)]
mod test {
    use super::{
        super::here::test::{Site, file, machine},
        *,
    };

    fn said(options: &ShowOptions, site: &Site) -> Said {
        run(options, &site.here(), Style::PLAIN).unwrap()
    }

    #[test]
    fn an_instance_has_its_coefficients_and_ratios() {
        let site = Site::with(&["app::dot\u{1b}[31m"]);
        let Said { text, exit } = said(&ShowOptions::default(), &site);
        assert_eq!(exit, Exit::Ok);
        assert!(text.starts_with("Chip, 4 threads\n  in "), "{text}");
        for line in [
            "  with mock:a#0, driver 1.0\n",
            "  mock:a#0: up 9.00 µs and 50.0 GB/s, down 11.0 µs and 25.0 GB/s\n",
            "app::dot\\u{1b}[31m MapReduce f32\n",
            "  measured 2000-02-29 00:00 UTC, seed 7, drift 1 %; 50 % of what it writes is read by the host next\n",
            "  1 Mi elements: good\n",
            "measured fastest: cpu 25 % + mock:a#0 75 %\n",
            "  chosen together with other calls, 1 Mi elements: mock:a#0\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        // 3n = n + 30 µs at 15 Ki elements; a quarter of a million takes the CPU 18 % of the time.
        let rows: Vec<&str> = text.lines().map(str::trim).collect();
        let row = |elems: &str| {
            let found = rows
                .iter()
                .find(|row| row.starts_with(elems) && row.contains('×'));
            found
                .unwrap_or_else(|| panic!("{elems}: {text}"))
                .to_string()
        };
        assert!(row("256 Ki").contains("cpu 28 % + mock:a#0 72 %"), "{text}");
        assert!(row("4 Mi").ends_with("extrapolated"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn points_are_shown_on_demand() {
        let mut models = machine(&["app::dot"]);
        let unit = &mut models.instances[0].classes[0].units[0];
        unit.samples = vec![skel::model::Sample {
            elems: 1000,
            median_ns: 3030.0,
            mad_ns: 12.0,
            runs: 9,
        }];
        let site = Site::with(&[]);
        let path = site.file("a.json", &file(vec![models]).to_text());
        let mut options = ShowOptions {
            files: vec![path],
            ..ShowOptions::default()
        };
        let point = "1000      3.03 µs  12.0 ns     9         +1.0 %";
        assert!(!said(&options, &site).text.contains(point));
        options.raw = true;
        let text = said(&options, &site).text;
        assert!(text.contains(point), "{text}");
    }

    #[test]
    fn names_choose() {
        let site = Site::with(&["app::dot", "app::blur"]);
        let with = |filter: &str| {
            let options = ShowOptions {
                filter: vec![filter.into()],
                message_format: MessageFormat::Json,
                ..ShowOptions::default()
            };
            run(&options, &site.here(), Style::PLAIN)
        };
        assert_eq!(with("app").unwrap().text.lines().count(), 2);
        let text = with("dot").unwrap().text;
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["model"]["key"]["name"], "app::dot");
        assert_eq!(json["fingerprint"]["threads"], 4);
        assert_eq!(with("scan").unwrap_err().exit, Exit::NothingTunable);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_said_and_fails_alone() {
        let site = Site::with(&["app::dot"]);
        let broken = site.file("broken.json", "{\"schema\": 1");
        let good = site.saved().remove(0);
        let options = |files: &[&PathBuf]| ShowOptions {
            files: files.iter().map(|path| path.to_path_buf()).collect(),
            ..ShowOptions::default()
        };
        let alone = said(&options(&[&broken]), &site);
        assert_eq!(alone.exit, Exit::CheckFailed);
        assert!(
            alone
                .text
                .contains("line 1, column 13: expected `,` or `}`"),
            "{}",
            alone.text
        );
        assert_eq!(said(&options(&[&broken, &good]), &site).exit, Exit::Ok);
    }
}
