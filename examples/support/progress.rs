//! How far we are: a bar on a terminal, a line per quarter elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};

/// Shows the progress of work that has `total` steps.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    total: usize,
    done: usize,
}

impl Progress {
    /// Nothing is done yet.
    pub(crate) fn new(total: usize) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{bar:40} {percent:>3} %  {elapsed} (still {eta})");
            let bar = ProgressBar::new(total as u64);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Progress {
            bar,
            total,
            done: 0,
        }
    }

    /// `steps` more are done.
    pub(crate) fn advance(&mut self, steps: usize) {
        let quarters = |done: usize| 4 * done / self.total.max(1);
        let before = quarters(self.done);
        self.done += steps;
        match &self.bar {
            Some(bar) => bar.inc(steps as u64),
            None if quarters(self.done) > before => println!("{:3} %", 25 * quarters(self.done)),
            None => {}
        }
        if let Some(bar) = self.bar.take_if(|_| self.done >= self.total) {
            bar.finish_and_clear();
        }
    }
}
