//! The trace for Chrome's `about:tracing` and for Perfetto.

use super::{Cause, Report};
use crate::{WorkerId, sim::Program};
use std::{collections::HashMap, fmt::Write};

/// Text between quotes of JSON.
fn quoted(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 2);
    safe.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => safe.extend(['\\', letter]),
            letter if u32::from(letter) < 0x20 => {
                let _ = write!(safe, "\\u{:04x}", u32::from(letter));
            }
            letter => safe.push(letter),
        }
    }
    safe.push('"');
    safe
}

/// Microseconds, as the format has them, to the nanosecond.
fn us(ns: u64) -> String {
    format!("{}.{:03}", ns / 1_000, ns % 1_000)
}

impl Report {
    /// JSON in the Trace Event Format: a lane for each worker and each direction of a link, and an arrow for each
    /// edge of the program between different workers.
    #[must_use]
    pub fn chrome(&self, program: &Program) -> String {
        let mut events = Vec::new();
        let mut name = |process: u32, lane: usize, name: &str| {
            events.push(format!(
                r#"{{"ph":"M","pid":{process},"tid":{lane},"name":"thread_name","args":{{"name":{}}}}}"#,
                quoted(name)
            ));
        };
        for worker in 0..self.busy_ns.len() {
            name(1, worker, &self.worker_name(WorkerId(worker as u32)));
        }
        for (lane, link) in self.links.iter().enumerate() {
            name(2, lane, &self.link_name(link.from, link.to));
        }
        for (process, name) in [(1, "workers"), (2, "links")] {
            events.push(format!(
                r#"{{"ph":"M","pid":{process},"name":"process_name","args":{{"name":"{name}"}}}}"#
            ));
        }
        let mut at = HashMap::new();
        for it in &self.executions {
            at.insert(it.task, it);
            events.push(format!(
                r#"{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":{},"args":{{"task":{},"outcome":"{:?}"}}}}"#,
                it.worker.0,
                us(it.start_ns),
                us(it.end_ns - it.start_ns),
                quoted(&self.kinds[it.kind.0 as usize]),
                it.task,
                it.outcome,
            ));
        }
        for it in &self.copies {
            let is_link = |link: &super::LinkUse| (link.from, link.to) == (it.from, it.to);
            let lane = self.links.iter().position(is_link).unwrap_or(0);
            let cause = match it.cause {
                Cause::Fetch { .. } => "fetch",
                Cause::Prefetch => "prefetch",
                Cause::Evict { .. } => "evict",
            };
            events.push(format!(
                r#"{{"ph":"X","pid":2,"tid":{lane},"ts":{},"dur":{},"name":"{cause}","args":{{"handle":{},"bytes":{}}}}}"#,
                us(it.start_ns),
                us(it.end_ns - it.start_ns),
                it.handle.slot(),
                it.bytes,
            ));
        }
        let mut arrows = 0;
        program.edges(|before, task| {
            let (Some(before), Some(task)) = (at.get(&before), at.get(&task)) else {
                return;
            };
            if before.worker == task.worker {
                return;
            }
            arrows += 1;
            for (phase, it, ns) in [("s", before, before.end_ns), ("f", task, task.start_ns)] {
                let ends = if phase == "f" { r#","bp":"e""# } else { "" };
                events.push(format!(
                    r#"{{"ph":"{phase}","id":{arrows},"pid":1,"tid":{},"ts":{},"name":"waits","cat":"edge"{ends}}}"#,
                    it.worker.0,
                    us(ns),
                ));
            }
        });
        format!(
            "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{}\n]}}\n",
            events.join(",\n")
        )
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(quoted("a\"b\\c\nµ"), r#""a\"b\\c\u000aµ""#);
        assert_eq!(us(1_234_005), "1234.005");
    }
}
