//! Progress of a measurement, on standard error.

use super::options::ShowProgress;
use crate::{
    journal::{ClassJournal, Journal, Line},
    predict, show,
    term::{Style, printable, tell},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use skel::model::{ClassModel, UnitId};
use std::time::{Duration, Instant};

/// Shows lines of a journal as they come.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    lines: bool,
    style: Style,
    started: Instant,
    budget: Option<Duration>,
    /// What was measured before this run.
    before: usize,
}

impl Progress {
    pub(crate) fn new(how: ShowProgress, style: Style, budget: Option<Duration>) -> Self {
        let drawn = match how {
            ShowProgress::Auto => style.redraw,
            ShowProgress::Bar => true,
            ShowProgress::Counter | ShowProgress::None => false,
        };
        Progress {
            bar: drawn.then(|| bar(style)),
            lines: how != ShowProgress::None,
            style,
            started: Instant::now(),
            budget,
            before: 0,
        }
    }

    /// So many size classes were measured by an earlier run.
    pub(crate) fn resumed(&mut self, classes: usize) {
        self.before = classes;
    }

    /// Looks at the journal after a line, or without one, regularly.
    pub(crate) fn seen(&mut self, journal: &Journal, line: Option<&Line>) {
        match line {
            Some(Line::ClassStarted { id, class, .. }) => self.point(journal, id, *class, None),
            Some(Line::Sample { id, class, point }) => {
                self.point(journal, id, *class, Some(&point.unit));
            }
            Some(Line::ClassFinished { id, model, .. }) => self.finished(journal, id, model),
            Some(Line::Problem(problem)) => self.print(&format!(
                "{}: {}",
                self.style.warn("warning"),
                printable(&problem.what)
            )),
            _ => {}
        }
        if let (Some(bar), None) = (&self.bar, line) {
            bar.tick();
        }
    }

    /// Nothing more comes.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn point(&self, journal: &Journal, id: &str, key: (usize, usize), unit: Option<&UnitId>) {
        let Some(bar) = &self.bar else { return };
        let Some(instance) = journal.instances.get(id) else {
            return;
        };
        let Some(class) = instance.classes.get(&key) else {
            return;
        };
        let total = class.points.len() * class.units.len();
        bar.set_style(measuring(self.style));
        bar.set_length(total as u64);
        bar.set_position(class.samples.len().min(total) as u64);
        let unit = unit.map(|unit| format!(" on {}", show::name(unit)));
        let mut message = format!(
            "{}, {} elements{}",
            printable(&instance.key.name),
            show::elems(key.0),
            unit.unwrap_or_default()
        );
        let left = remaining_ns(class);
        let budget_left = self
            .budget
            .map(|b| b.saturating_sub(self.started.elapsed()));
        let left = budget_left.map_or(left, |b| left.min(b.as_nanos() as f64));
        if left > 1e9 {
            message += &format!(", {:.0} s left", left * 1e-9);
        }
        bar.set_message(message);
    }

    fn finished(&self, journal: &Journal, id: &str, model: &ClassModel) {
        if let Some(bar) = &self.bar {
            idle(bar, self.style);
        }
        let name = journal.instances.get(id).map(|i| printable(&i.key.name));
        let found = predict::alone(model);
        let (done, _) = journal.finished();
        self.print(&format!(
            "{} {}, {} elements: {} ({:.1} s)",
            self.style
                .good(&format!("[{}]", done - self.before.min(done))),
            name.unwrap_or_default(),
            show::elems(model.elems),
            found.map_or("nothing was measured".into(), |s| show::shares(&s)),
            self.started.elapsed().as_secs_f64(),
        ));
    }

    fn print(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| tell!("{line}")),
            None if self.lines => tell!("{line}"),
            None => {}
        }
    }
}

fn bar(style: Style) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    idle(&bar, style);
    bar
}

/// Between measurements nobody knows how much is to come.
fn idle(bar: &ProgressBar, style: Style) {
    let template = match style.colour {
        true => "{spinner:.green} {msg}",
        false => "{spinner} {msg}",
    };
    bar.set_style(template_style(template));
    bar.set_message("the program runs");
}

fn measuring(style: Style) -> ProgressStyle {
    template_style(match style.colour {
        true => "{spinner:.green} [{bar:24.green}] {pos}/{len} {msg}",
        false => "{spinner} [{bar:24}] {pos}/{len} {msg}",
    })
}

fn template_style(template: &str) -> ProgressStyle {
    // The templates are ours; if one were wrong, the default bar would do.
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸ ")
}

/// What the points that are missing will take, judged by the largest that was measured on each unit.
fn remaining_ns(class: &ClassJournal) -> f64 {
    let of_unit = |unit: &UnitId| {
        let measured: Vec<_> = class.samples.iter().filter(|s| s.unit == *unit).collect();
        let largest = measured.iter().max_by_key(|s| s.part_elems)?;
        let all_ns: f64 = largest.runs_ns.iter().sum();
        let per_elem = all_ns / largest.part_elems.max(1) as f64;
        let missing = class
            .points
            .iter()
            .filter(|n| !measured.iter().any(|s| s.part_elems == **n));
        Some(missing.map(|n| *n as f64 * per_elem).sum::<f64>())
    };
    class.units.iter().filter_map(of_unit).sum()
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::journal::Point;

    #[test]
    fn what_is_missing_is_judged_by_what_was_measured() {
        let point = |unit: &UnitId, n: usize, ns: f64| Point {
            unit: unit.clone(),
            part_elems: n,
            runs_ns: vec![ns; 5],
        };
        let gpu = UnitId::device("mock", "a", 0);
        let class = ClassJournal {
            units: vec![UnitId::Cpu, gpu.clone()],
            points: vec![10, 100, 1000],
            samples: vec![
                point(&UnitId::Cpu, 100, 200.0),
                point(&UnitId::Cpu, 10, 90.0),
                point(&gpu, 10, 10.0),
                point(&gpu, 100, 10.0),
                point(&gpu, 1000, 10.0),
            ],
            ..ClassJournal::default()
        };
        assert_eq!(remaining_ns(&class), 5.0 * 200.0 / 100.0 * 1000.0);
        assert_eq!(remaining_ns(&ClassJournal::default()), 0.0);
    }
}
