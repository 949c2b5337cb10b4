//! One program on one machine, in all the ways that the paper compares.

use crate::{
    app::App,
    machine::{Kind, Machine},
    oracle::{self, Oracle, STEPS},
};
use serde_json::{Value, json};
use skel::{
    Context, Cpu, Device, Hybrid, Sequential, Target,
    model::{ClassModel, Verdict},
    tuning,
};

/// What was measured of a program: medians, in seconds.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) instances: Vec<String>,
    pub(crate) elems: usize,
    pub(crate) sequential_s: f64,
    pub(crate) cpu_s: f64,
    pub(crate) device_s: f64,
    pub(crate) tuned_s: f64,
    /// The CPU's share of each instance, where the models say it.
    pub(crate) tuned_shares: Vec<f64>,
    pub(crate) oracle: Oracle,
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Rounds, of which the median counts.
    pub(crate) rounds: usize,
    /// How many combinations of ratios may be tried.
    pub(crate) combinations: usize,
}

impl Effort {
    /// What the paper did. By the clock some combinations would take hours, so there are fewer; even fewer for
    /// a first look.
    pub(crate) fn of(kind: Kind, quick: bool) -> Effort {
        let combinations = match (kind, quick) {
            (Kind::Virtual, _) => 500,
            (_, false) => 150,
            (_, true) => 30,
        };
        Effort {
            rounds: 7,
            combinations,
        }
    }
}

/// Tunes the context for what these programs call, each once: all must be of the same instances. Gives what
/// was left out, and what is weak.
pub(crate) fn tune(
    context: &Context,
    options: &tuning::Options,
    programs: &[App],
) -> Result<Vec<String>, String> {
    let run = |app: &App| app.run(&app.all_at(Hybrid::tuned()));
    let (done, tuned) = tuning::tune(context, options, || programs.iter().try_for_each(run));
    done?;
    let classes = tuned.instances.iter().flat_map(|instance| {
        let of = |class: &ClassModel| (instance.key.name.clone(), class.elems, class.verdict());
        instance.classes.iter().map(of).collect::<Vec<_>>()
    });
    let weak = classes.filter(|(_, _, verdict)| *verdict != Verdict::Good);
    let weak = weak.map(|(name, elems, verdict)| format!("{name} of {elems} elements: {verdict}"));
    Ok(tuned.problems.iter().cloned().chain(weak).collect())
}

/// How many of the sweep's best are measured again: the best of them is the oracle.
const FINALISTS: usize = 5;

/// The instances' targets at these twentieths for the CPU.
fn at(point: &[usize]) -> Vec<Target> {
    let ratio = |twentieths: &usize| Hybrid::ratio(*twentieths as f64 / STEPS as f64).into();
    point.iter().map(ratio).collect()
}

/// Measures a program whose instances belong to this context.
pub(crate) fn measure(
    machine: &Machine,
    context: &Context,
    app: &App,
    effort: Effort,
) -> Result<Measured, String> {
    let instances = app.instances.len();
    // Kernels are compiled, and memory is there.
    app.run(&app.all_at(Hybrid::ratio(0.5)))?;
    let sweep = oracle::sweep(instances, effort.combinations, FINALISTS, |point| {
        machine.once(context, app, &at(point))
    })?;
    // The best of several that differ by noise has been lucky: it is measured anew, with the others.
    let finalists: Vec<Vec<Target>> = sweep.best.iter().map(|point| at(point)).collect();
    let medians = machine.medians(context, app, &finalists, effort.rounds)?;
    let best = medians.iter().zip(&sweep.best);
    let best = best.min_by(|(a, _), (b, _)| a.total_cmp(b));
    let (_, point) = best.ok_or_else(|| format!("{}: no ratios", app.name))?;
    let candidates = [
        app.all_at(Sequential),
        app.all_at(Cpu),
        app.all_at(Device(0)),
        app.all_at(Hybrid::tuned()),
        at(point),
    ];
    let medians = machine.medians(context, app, &candidates, effort.rounds)?;
    let [sequential_s, cpu_s, device_s, tuned_s, seconds] = medians[..] else {
        return Err(format!("{}: a race without contenders", app.name));
    };
    Ok(Measured {
        name: app.name.into(),
        instances: app.instances.iter().map(|name| name.to_string()).collect(),
        elems: app.elems,
        sequential_s,
        cpu_s,
        device_s,
        tuned_s,
        tuned_shares: shares(app, &app.all_at(Hybrid::tuned()))?,
        oracle: Oracle {
            seconds,
            shares: point.iter().map(|p| *p as f64 / STEPS as f64).collect(),
            tried: sweep.tried,
            step: sweep.step,
        },
    })
}

/// The host's share of each instance, in the order of their first calls.
fn shares(app: &App, targets: &[Target]) -> Result<Vec<f64>, String> {
    /// The first position that is not the host's.
    const FIRST_DEVICE: usize = 2;
    let (done, calls) = skel::observe(|| app.run(targets));
    done?;
    let mut instances: Vec<(&str, usize, usize)> = Vec::new();
    for call in &calls {
        let on_host = call.parts.iter().filter(|p| p.unit_index < FIRST_DEVICE);
        let on_host: usize = on_host.map(|part| part.range.len()).sum();
        match instances
            .iter_mut()
            .find(|(name, ..)| *name == call.instance)
        {
            Some((_, host, all)) => (*host, *all) = (*host + on_host, *all + call.elems),
            None => instances.push((&call.instance, on_host, call.elems)),
        }
    }
    let share = |(_, host, all): &(&str, usize, usize)| *host as f64 / (*all).max(1) as f64;
    Ok(instances.iter().map(share).collect())
}

impl Measured {
    /// What CPU and device would take if they shared all work without loss.
    pub(crate) fn bound_s(&self) -> f64 {
        1.0 / (1.0 / self.cpu_s + 1.0 / self.device_s)
    }

    /// The best of the units alone: one thread, all, the device.
    pub(crate) fn single_s(&self) -> f64 {
        self.sequential_s.min(self.cpu_s).min(self.device_s)
    }

    /// For the file of results.
    pub(crate) fn json(&self) -> Value {
        json!({
            "name": self.name,
            "instances": self.instances,
            "elems": self.elems,
            "sequential_s": self.sequential_s,
            "cpu_s": self.cpu_s,
            "device_s": self.device_s,
            "tuned_s": self.tuned_s,
            "tuned_cpu_shares": self.tuned_shares,
            "bound_s": self.bound_s(),
            "oracle": {
                "seconds": self.oracle.seconds,
                "cpu_shares": self.oracle.shares,
                "combinations": self.oracle.tried,
                "grid_percent": 100 * self.oracle.step / STEPS,
            },
        })
    }
}
