//! The trace in Pajé's format, which `ViTE` shows.

use super::Report;
use crate::{WorkerId, sim::report::svg::rgb};
use std::fmt::Write;

/// The events that are used, with the fields of their lines.
const HEADER: &str = "\
%EventDef PajeDefineContainerType 0
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineStateType 1
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineEntityValue 2
%  Alias string
%  Type string
%  Name string
%  Color color
%EndEventDef
%EventDef PajeCreateContainer 3
%  Time date
%  Alias string
%  Type string
%  Container string
%  Name string
%EndEventDef
%EventDef PajeSetState 4
%  Time date
%  Type string
%  Container string
%  Value string
%EndEventDef
%EventDef PajeDestroyContainer 5
%  Time date
%  Name string
%  Type string
%EndEventDef
";

/// Seconds, to the nanosecond.
fn s(ns: u64) -> String {
    format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// A name between quotes, of which the format has none inside.
fn quoted(name: &str) -> String {
    let safe: String = name
        .chars()
        .map(|letter| match letter {
            '"' => '\'',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect();
    format!("\"{safe}\"")
}

impl Report {
    /// The trace in Pajé's format: a container for each worker and each direction of a link, whose states are kinds
    /// of tasks, and copies.
    #[must_use]
    pub fn paje(&self) -> String {
        let mut text = String::from(HEADER);
        text.push_str("0 P 0 \"Program\"\n0 W P \"Worker\"\n0 L P \"Link\"\n");
        text.push_str("1 SW W \"Task\"\n1 SL L \"Copy\"\n");
        let mut value = |alias: &str, of: &str, name: &str, [r, g, b]: [u8; 3]| {
            let part = |part: u8| f64::from(part) / 255.0;
            let colour = format!("{:.3} {:.3} {:.3}", part(r), part(g), part(b));
            let _ = writeln!(text, "2 {alias} {of} {} \"{colour}\"", quoted(name));
        };
        for (kind, name) in self.kinds.iter().enumerate() {
            value(&format!("k{kind}"), "SW", name, rgb(kind));
        }
        value("wi", "SW", "idle", [238; 3]);
        value("li", "SL", "idle", [238; 3]);
        value("lc", "SL", "copy", [120; 3]);

        let start = s(0);
        let _ = writeln!(text, "3 {start} p P 0 {}", quoted(&self.program));
        let workers = 0..self.busy_ns.len();
        for worker in workers.clone() {
            let name = quoted(&self.worker_name(WorkerId(worker as u32)));
            let _ = writeln!(text, "3 {start} w{worker} W p {name}");
        }
        for (lane, link) in self.links.iter().enumerate() {
            let name = quoted(&self.link_name(link.from, link.to));
            let _ = writeln!(text, "3 {start} l{lane} L p {name}");
        }

        // Idle comes before what begins at the same time.
        let mut states: Vec<(u64, u8, String)> = Vec::new();
        for it in &self.executions {
            let (worker, kind) = (it.worker.0, it.kind.0);
            states.push((it.start_ns, 1, format!("SW w{worker} k{kind}")));
            states.push((it.end_ns, 0, format!("SW w{worker} wi")));
        }
        let mut end_ns = self.makespan_ns;
        for it in &self.copies {
            let is_link = |link: &super::LinkUse| (link.from, link.to) == (it.from, it.to);
            let lane = self.links.iter().position(is_link).unwrap_or(0);
            states.push((it.start_ns, 1, format!("SL l{lane} lc")));
            states.push((it.end_ns, 0, format!("SL l{lane} li")));
            end_ns = end_ns.max(it.end_ns);
        }
        states.sort();
        for (ns, _, state) in states {
            let _ = writeln!(text, "4 {} {state}", s(ns));
        }
        let end = s(end_ns);
        for worker in workers {
            let _ = writeln!(text, "5 {end} w{worker} W");
        }
        for lane in 0..self.links.len() {
            let _ = writeln!(text, "5 {end} l{lane} L");
        }
        let _ = writeln!(text, "5 {end} p P");
        text
    }
}
