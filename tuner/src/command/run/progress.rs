//! Progress of a measurement, on standard error.

use super::options::ShowProgress;
use crate::{
    journal::{Journal, Line},
    predict, show,
    term::{Style, printable, tell},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use skel::model::{ClassModel, UnitId};
use std::time::{Duration, Instant};

/// Shorter waits are not announced.
const WORTH_SAYING: Duration = Duration::from_secs(1);

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
            Some(Line::Expected { id, class, needs }) => {
                self.expected(journal, id, *class, *needs);
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
        let runs = class.evidence.runs();
        bar.set_style(measuring(self.style));
        bar.set_position(runs as u64);
        let unit = unit.map(|unit| format!(" on {}", show::name(unit)));
        let mut message = format!(
            "{}, {} elements{}",
            printable(&instance.key.name),
            show::elems(key.0),
            unit.unwrap_or_default()
        );
        if let Some(model) = class.model().filter(|model| model.unsure().is_finite()) {
            message += &format!(", {}", show::verdict(&model));
        }
        let left = self
            .budget
            .map(|b| b.saturating_sub(self.started.elapsed()));
        if let Some(left) = left.filter(|left| left.as_secs() > 0) {
            message += &format!(", {} s left at most", left.as_secs());
        }
        bar.set_message(message);
    }

    /// Says how long a size takes yet, if that is a time to wait for, and which budget would do if this one does not.
    fn expected(&self, journal: &Journal, id: &str, (elems, _): (usize, usize), needs: Duration) {
        if needs < WORTH_SAYING {
            return;
        }
        let name = journal.instances.get(id).map(|i| printable(&i.key.name));
        let left = self
            .budget
            .map(|budget| budget.saturating_sub(self.started.elapsed()));
        let enough = match left.filter(|left| *left < needs) {
            Some(left) => format!(
                "; {:.0} s are left, for a model that is less sure",
                left.as_secs_f64()
            ),
            None => String::new(),
        };
        self.print(&format!(
            "{}, {} elements: about {:.0} s to measure{enough}",
            name.unwrap_or_default(),
            show::elems(elems),
            needs.as_secs_f64().ceil(),
        ));
    }

    fn finished(&self, journal: &Journal, id: &str, model: &ClassModel) {
        if let Some(bar) = &self.bar {
            idle(bar, self.style);
        }
        let name = journal.instances.get(id).map(|i| printable(&i.key.name));
        let found = predict::alone(model);
        let (done, _) = journal.finished();
        self.print(&format!(
            "{} {}, {} elements: {}, {} ({:.1} s)",
            self.style
                .good(&format!("[{}]", done - self.before.min(done))),
            name.unwrap_or_default(),
            show::elems(model.elems),
            found.map_or("nothing was measured".into(), |s| show::shares(&s)),
            show::verdict(model),
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

/// Between measurements it is unknown how much is to come.
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
        true => "{spinner:.green} {pos} runs {msg}",
        false => "{spinner} {pos} runs {msg}",
    })
}

fn template_style(template: &str) -> ProgressStyle {
    // The templates are ours; if one were wrong, the default bar would do.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
