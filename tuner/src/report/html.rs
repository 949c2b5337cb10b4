//! The page.

use super::{
    blocks::{self, Blocks},
    palette::Palette,
    pictures,
    svg::escaped,
    timeline::{Timeline, kind_class},
};
use crate::{
    predict::{outcome, regret},
    show,
};
use skel::model::{ClassModel, InstanceModel, MachineModels, UnitId, Verdict};
use std::fmt::Write;

/// What a report is of.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What was tuned.
    pub program: String,
    /// The commands that measured it, with the programs' arguments.
    pub commands: Vec<String>,
    /// When, in words.
    pub when: String,
    /// What devices took in several block configurations.
    pub blocks: Vec<Blocks>,
    /// What was found, by machine.
    pub machines: Vec<MachineModels>,
    /// What went on in a run.
    pub timeline: Option<Timeline>,
    /// What the reader must know.
    pub notes: Vec<String>,
}

impl Page {
    /// One HTML file that needs nothing else.
    #[must_use]
    pub fn html(&self) -> String {
        let mut out = String::new();
        for machine in &self.machines {
            self.machine(&mut out, machine);
        }
        if let Some(timeline) = &self.timeline {
            out.push_str(&lanes(timeline));
        }
        let notes: String = self
            .notes
            .iter()
            .map(|note| format!("<p>{}</p>\n", escaped(note)))
            .collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>cargo tune: {program}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n\
             <h1>{program}</h1>\n{commands}<p class=\"when\">Report of {when}</p>\n{notes}{out}\
             <footer>Written by cargo tune {version}. Times are medians; whiskers show the median \
             distance from them. Point at a dot to read it.</footer>\n</main>\n</body>\n</html>\n",
            program = escaped(&self.program),
            when = escaped(&self.when),
            commands = measured_by(&self.commands),
            style = include_str!("style.css"),
            version = env!("CARGO_PKG_VERSION"),
        )
    }

    fn machine(&self, out: &mut String, machine: &MachineModels) {
        let classes = machine.instances.iter().flat_map(|i| &i.classes);
        let units = classes.flat_map(|c| &c.units).map(|u| &u.unit);
        let palette = Palette::of(units);
        let fingerprint = &machine.fingerprint;
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "<div class=\"facts\"><div>CPU <b>{}</b></div><div>threads <b>{}</b></div>",
            escaped(&fingerprint.cpu),
            fingerprint.threads
        );
        for device in &fingerprint.devices {
            let _ = write!(
                out,
                "<div>device <b>{}</b>, driver {}</div>",
                escaped(&device.id.to_string()),
                escaped(&device.driver)
            );
        }
        for (unit, model) in &machine.transfers {
            let per_s = |ns_per_byte: f64| match ns_per_byte > 0.0 {
                true => format!("{:.1} GB/s", 1.0 / ns_per_byte),
                false => "at once".into(),
            };
            let _ = write!(
                out,
                "<div>copies to and from {} <b>{}, {}</b></div>",
                escaped(&unit.to_string()),
                per_s(model.up_ns_per_byte),
                per_s(model.down_ns_per_byte)
            );
        }
        out.push_str("</div>\n");
        out.push_str(&overview(&machine.instances, &palette));
        for instance in &machine.instances {
            let ours = self.blocks.iter().filter(|b| b.machine == *fingerprint);
            section(out, instance, &ours.collect::<Vec<_>>(), &palette);
        }
    }
}

/// The commands, one below the other.
fn measured_by(commands: &[String]) -> String {
    let code = |command: &String| format!("<code>{}</code>", escaped(command));
    let all: Vec<String> = commands.iter().map(code).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(
            "<p class=\"command\">Measured by {}</p>\n",
            all.join("<br>and by ")
        ),
    }
}

/// One row per instance and size.
fn overview(instances: &[InstanceModel], palette: &Palette) -> String {
    let mut rows = String::new();
    for instance in instances {
        for class in &instance.classes {
            rows.push_str(&row(instance, class, palette));
        }
    }
    format!(
        "<div class=\"card\"><table>\n<tr><th>call</th><th>elements</th><th class=\"left\">fastest alone</th>\
         <th class=\"left\">chosen</th><th></th><th>time</th><th>gain</th><th>regret</th><th>model</th></tr>\n{rows}</table></div>\n"
    )
}

fn row(instance: &InstanceModel, class: &ClassModel, palette: &Palette) -> String {
    let name = format!(
        "<td>{}</td><td>{}</td>",
        // A long path may be broken between its parts.
        escaped(&instance.key.name).replace("::", "::<wbr>"),
        show::elems(class.elems)
    );
    let Some(found) = outcome(instance, class) else {
        return format!(
            "<tr>{name}<td colspan=\"6\"></td><td>{}</td></tr>\n",
            pill(class)
        );
    };
    let lost = regret(class, &found.shares);
    format!(
        "<tr>{name}<td class=\"left\">{}</td><td class=\"left shares\">{}</td><td>{}</td><td>{}</td>\
         <td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(&show::alone(found.single.as_ref())),
        escaped(&show::shares(&found.shares)),
        bar(&found.shares, palette),
        show::time(&found),
        found
            .gain()
            .map_or("–".into(), |gain| format!("{gain:.2}×")),
        lost.map_or("–".into(), |r| format!("{:.1} %", 100.0 * r)),
        pill(class)
    )
}

/// The shares as a bar of colours.
fn bar(shares: &[(UnitId, f64)], palette: &Palette) -> String {
    let part = |(unit, share): &(UnitId, f64)| {
        format!(
            "<i class=\"{}\" style=\"width:{:.2}%\"></i>",
            palette.class(unit),
            100.0 * share.clamp(0.0, 1.0)
        )
    };
    let parts: String = shares.iter().map(part).collect();
    format!("<div class=\"bar\">{parts}</div>")
}

fn pill(class: &ClassModel) -> String {
    let colour = match class.verdict() {
        Verdict::Good => "good",
        Verdict::Weak(_) | Verdict::Unknown => "weak",
    };
    let text = show::verdict(class);
    format!("<span class=\"pill {colour}\">{text}</span>")
}

fn section(out: &mut String, instance: &InstanceModel, blocks: &[&Blocks], palette: &Palette) {
    let id = instance.key.id();
    let key = &instance.key;
    let _ = writeln!(
        out,
        "<h2>{}<small>{} {} · {} of its results are read by the host</small></h2>",
        escaped(&key.name),
        escaped(&key.pattern),
        escaped(&key.elements),
        show::percent(instance.read_back)
    );
    if !instance.chain.is_empty() {
        let chain = escaped(&show::chain(&instance.chain));
        let _ = writeln!(
            out,
            "<p>Chosen together with the program's other calls: {chain}.</p>"
        );
    }
    let mut classes: Vec<&ClassModel> = instance.classes.iter().collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.elems));
    let mut pictures: Vec<String> = Vec::new();
    for (k, class) in classes.iter().enumerate() {
        pictures.clear();
        pictures.push(pictures::times(class, palette).figure());
        pictures.extend(pictures::bathtub(instance, class).map(|chart| chart.figure()));
        if k == 0 {
            let ratios = pictures::ratios(instance, palette);
            pictures.extend(ratios.map(|chart| chart.figure()));
        }
        pictures.push(pictures::residuals(class, palette).figure());
        let mut grid = format!("<div class=\"grid2\">\n{}</div>\n", pictures.concat());
        for unit in &class.units {
            let of = (&id, (class.elems, class.beside_elems), &unit.unit);
            let measured = blocks.iter().find(|b| (&b.id, b.class, &b.unit) == of);
            grid.push_str(&blocks::launches(unit, measured.copied()));
        }
        match k {
            0 => out.push_str(&grid),
            _ => {
                let _ = writeln!(
                    out,
                    "<details><summary>calls of {} elements</summary>{grid}</details>",
                    show::elems(class.elems)
                );
            }
        }
    }
}

fn lanes(timeline: &Timeline) -> String {
    let Some(svg) = timeline.svg() else {
        return String::new();
    };
    let key = |kind: String| {
        format!(
            "<span class=\"key\"><i class=\"area {}\"></i>{}</span>",
            kind_class(&kind),
            escaped(&kind)
        )
    };
    let legend: String = timeline.kinds().into_iter().map(key).collect();
    let left_out = match timeline.left_out {
        0 => String::new(),
        n => format!(" {n} short ones are left out."),
    };
    let figure = |title: &str, caption: &str, svg: &str| {
        format!(
            "<figure class=\"wide\"><figcaption><b>{title}</b><span>{caption}</span></figcaption>\n\
             <div class=\"legend\">{legend}</div>\n{svg}</figure>\n"
        )
    };
    let run = format!("What each thread and each device did, and when.{left_out}");
    let mut out = format!("<h2>Timeline</h2>\n{}", figure("One run", &run, &svg));
    if let Some(close) = timeline.around_a_call().and_then(|close| close.svg()) {
        out += &figure(
            "One call",
            "The call of that run that kept most of the machine busy.",
            &close,
        );
    }
    out
}
