//! What is printed and kept: tables, JSON, and how far the goals are reached.

use crate::{
    host::Machine as Host,
    machine::Machine,
    measure::Measured,
    table::{Table, time},
};
use serde_json::{Value, json};
use std::{process::Command, time::SystemTime};

/// What was measured on one machine.
pub(crate) struct Report<'a> {
    pub(crate) machine: &'a Machine,
    /// A list over sizes for each skeleton.
    pub(crate) singles: Vec<Vec<Measured>>,
    pub(crate) apps: Vec<Measured>,
}

/// Percent of the oracle's time that the tuned time may not miss, and so on: what the project asks for.
const OF_ORACLE: f64 = 0.97;
const OVER_SINGLE: f64 = 1.02;
const OF_BOUND: f64 = 0.92;

impl Report<'_> {
    /// The file of results.
    pub(crate) fn json(&self) -> Value {
        let list = |all: &[Measured]| all.iter().map(Measured::json).collect::<Vec<_>>();
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        json!({
            "bench": "paper",
            "machine": self.machine.name,
            "description": self.machine.description,
            "kind": self.machine.kind.name(),
            "host": Host::this().to_string(),
            "unix_s": since.map_or(0, |since| since.as_secs()),
            "skel": env!("CARGO_PKG_VERSION"),
            "commit": first_line("git", &["rev-parse", "HEAD"]),
            "rustc": first_line("rustc", &["--version"]),
            "figure_6": self.singles.iter().map(|sizes| list(sizes)).collect::<Vec<_>>(),
            "figure_7": list(&self.apps),
        })
    }

    /// Tables and goals, in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let Machine {
            name, description, ..
        } = self.machine;
        let mut text = format!(
            "## {name} ({})\n\n{description}\n\n",
            self.machine.kind.name()
        );
        if !self.singles.is_empty() {
            let last = self.singles.iter().filter_map(|sizes| sizes.last());
            text += &format!("{}\n", table(last));
        }
        if !self.apps.is_empty() {
            text += &format!("{}\n", table(self.apps.iter()));
        }
        text + &self.goals()
    }

    fn goals(&self) -> String {
        let all = || self.singles.iter().flatten().chain(&self.apps);
        let of_oracle = |m: &Measured| m.oracle.seconds / m.tuned_s;
        let over_single = |m: &Measured| m.tuned_s / m.single_s();
        let mut text = String::new();
        let mut goal = |what: &str, reached: bool, found: String| {
            let reached = if reached { "reached" } else { "missed" };
            text += &format!("- {what}: {reached}, {found}\n");
        };
        let at = |m: &Measured| format!("{} of {} elements", m.name, m.elems);
        if let Some(worst) = least(self.apps.iter(), of_oracle) {
            goal(
                "every application at 97 % of the oracle or more",
                of_oracle(worst) >= OF_ORACLE,
                format!(
                    "the worst is {} at {:.1} %",
                    worst.name,
                    100.0 * of_oracle(worst)
                ),
            );
        }
        if let Some(worst) = least(all(), |m| -over_single(m)) {
            goal(
                "never more than 2 % slower than the best single unit",
                over_single(worst) <= OVER_SINGLE,
                format!(
                    "the worst is {}, at {:.3} of its time",
                    at(worst),
                    over_single(worst)
                ),
            );
        }
        let ratios: Vec<f64> = all().map(|m| m.bound_s() / m.tuned_s).collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        goal(
            "bound / time at 0.92 or more on average",
            mean >= OF_BOUND,
            format!("{mean:.3} on average"),
        );
        text
    }
}

fn least<'a>(
    all: impl Iterator<Item = &'a Measured>,
    by: impl Fn(&Measured) -> f64,
) -> Option<&'a Measured> {
    all.min_by(|a, b| by(a).total_cmp(&by(b)))
}

/// A row for each measurement.
fn table<'a>(all: impl Iterator<Item = &'a Measured>) -> String {
    let mut table = Table::new([
        "",
        "elements",
        "one thread",
        "CPU",
        "device",
        "tuned",
        "% CPU",
        "oracle",
        "% CPU",
        "bound",
        "oracle / tuned",
        "bound / tuned",
    ]);
    for m in all {
        let percents = |shares: &[f64]| -> String {
            let percent = |s: &f64| format!("{:.0}", 100.0 * s);
            shares.iter().map(percent).collect::<Vec<_>>().join(", ")
        };
        let of = |s: f64| format!("{:.3}", s / m.tuned_s);
        table.row([
            m.name.clone(),
            m.elems.to_string(),
            time(m.sequential_s),
            time(m.cpu_s),
            time(m.device_s),
            time(m.tuned_s),
            percents(&m.tuned_shares),
            time(m.oracle.seconds),
            percents(&m.oracle.shares),
            time(m.bound_s()),
            of(m.oracle.seconds),
            of(m.bound_s()),
        ]);
    }
    table.markdown()
}

/// What a program says, if it is there.
fn first_line(program: &str, args: &[&str]) -> Option<String> {
    let out = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    let line = text.lines().next().map(str::to_owned);
    line.filter(|_| out.status.success())
}
