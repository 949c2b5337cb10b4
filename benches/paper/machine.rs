//! Where the programs are measured, and by which clock.

use crate::{
    app::App,
    host::Machine as Host,
    laws,
    race::{Budget, Race, Timing},
    stats,
};
use skel::{Context, Target};
use std::{cell::RefCell, time::Duration};

/// What is told apart in every table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Mock devices, whose times are those of laws: nothing is measured.
    Virtual,
    /// The real CPU, and a device that is software on its own cores.
    Software,
    /// One core for the CPU unit, and the software device on another one: two real units that share nothing but memory.
    Halves,
    /// The real CPU and a real GPU.
    Gpu,
}

impl Kind {
    /// As in the results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Virtual => "virtual time",
            Kind::Software => "software device",
            Kind::Halves => "two halves",
            Kind::Gpu => "GPU",
        }
    }
}

/// A CPU and a device.
pub(crate) struct Machine {
    /// For files and options.
    pub(crate) name: String,
    /// For people.
    pub(crate) description: String,
    pub(crate) kind: Kind,
    open: Box<Open>,
}

/// Opens a context for the program of this name.
pub(crate) type Open = dyn Fn(&str) -> Result<Context, String>;

impl Machine {
    /// The machines whose times are laws.
    pub(crate) fn of_laws() -> Vec<Machine> {
        laws::MACHINES
            .iter()
            .map(|laws| Machine {
                name: laws.name.into(),
                description: laws.description.into(),
                kind: Kind::Virtual,
                open: Box::new(|app| laws.open(app).map_err(|error| error.to_string())),
            })
            .collect()
    }

    /// This CPU, with a device.
    pub(crate) fn with_device(kind: Kind, name: &str, device: &str, open: Box<Open>) -> Machine {
        Machine {
            name: name.into(),
            description: format!("{}; {device}", Host::this()),
            kind,
            open,
        }
    }

    /// A context for a program.
    pub(crate) fn open(&self, app: &str) -> Result<Context, String> {
        (self.open)(app).map_err(|error| format!("{}: {error}", self.name))
    }

    /// Seconds that one run takes.
    pub(crate) fn once(
        &self,
        context: &Context,
        app: &App,
        targets: &[Target],
    ) -> Result<f64, String> {
        if self.kind == Kind::Virtual {
            let before = context.virtual_ns().unwrap_or_default();
            app.run(targets)?;
            let after = context.virtual_ns().unwrap_or_default();
            return Ok((after - before) as f64 / 1e9);
        }
        let started = std::time::Instant::now();
        app.run(targets)?;
        Ok(started.elapsed().as_secs_f64())
    }

    /// The medians of so many rounds, in which all candidates take turns.
    pub(crate) fn medians(
        &self,
        context: &Context,
        app: &App,
        candidates: &[Vec<Target>],
        rounds: usize,
    ) -> Result<Vec<f64>, String> {
        if self.kind != Kind::Virtual {
            return race(app, candidates, rounds);
        }
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); candidates.len()];
        for round in 0..rounds {
            // Laws without noise say the same each time.
            if round == 2 && times.iter().all(|times| times[0] == times[1]) {
                break;
            }
            for (times, targets) in times.iter_mut().zip(candidates) {
                times.push(self.once(context, app, targets)?);
            }
        }
        Ok(times.iter().map(|times| stats::median(times)).collect())
    }
}

/// By the wall clock.
fn race(app: &App, candidates: &[Vec<Target>], rounds: usize) -> Result<Vec<f64>, String> {
    let failed = RefCell::new(None);
    let mut race = Race::new(app.name, app.elems, 0);
    for (k, targets) in candidates.iter().enumerate() {
        let failed = &failed;
        race = race.contender(k.to_string(), move || {
            if let Err(error) = app.run(targets) {
                failed.borrow_mut().get_or_insert(error);
            }
        });
    }
    let outcome = race.run(&Budget {
        min_rounds: rounds,
        max_rounds: rounds,
        total: Duration::ZERO,
        turn: Duration::from_millis(1),
        warm_up: Duration::ZERO,
    });
    match failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(outcome.timings.iter().map(Timing::median_s).collect()),
    }
}
