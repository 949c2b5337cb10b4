//! LAHeteroprio beside Heteroprio, in virtual time.

use super::{Application, Node};
use crate::{
    ClassId, MemoryNode, Ns, TaskError, scheduler,
    sim::{Program, Report, Simulation, patterns},
};
use std::fmt::Write;

/// Tasks that a worker of a GPU has at a time: the paper's `STARPU_CUDA_PIPELINE`.
const GPU_TASKS: usize = 4;
/// Submission does not wait: the applications submit all tasks.
const MOST_SUBMITTED: usize = 1 << 20;

/// An application on a node with so many of its GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// What is executed.
    pub application: Application,
    /// Where.
    pub node: Node,
    /// With how many GPUs.
    pub gpus: u32,
}

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The scheduler, as it was asked for.
    pub scheduler: String,
    /// When the last task ended.
    pub makespan_ns: Ns,
    /// What went over all buses.
    pub bytes: u64,
}

/// A case under several schedulers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The case.
    pub case: Case,
    /// Under Heteroprio.
    pub heteroprio: Outcome,
    /// Under the others, in the order in which they were asked for.
    pub others: Vec<Outcome>,
}

impl Case {
    /// Each application on both nodes, with one GPU, two, and four where there are.
    #[must_use]
    pub fn all() -> Vec<Case> {
        let of = |application| {
            let gpus = Node::ALL.into_iter().flat_map(|node| {
                let counts = [1, 2, 4].into_iter();
                let counts = counts.filter(move |gpus| *gpus <= node.gpus());
                counts.map(move |gpus| (node, gpus))
            });
            gpus.map(move |(node, gpus)| Case {
                application,
                node,
                gpus,
            })
        };
        Application::ALL.into_iter().flat_map(of).collect()
    }

    /// Executes it under a scheduler. `noise` is the part by which execution times differ, with a seed.
    ///
    /// ```
    /// use skel_tasks::locality::{Application, Case, Node};
    ///
    /// let (application, node) = (Application::Stencil, Node::P100);
    /// let case = Case { application, node, gpus: 2 };
    /// let plain = case.run("heteroprio", (0.0, 0))?;
    /// let aware = case.run("laheteroprio", (0.0, 0))?;
    /// assert!(2 * aware.bytes_moved() < plain.bytes_moved());
    /// # Ok::<(), skel_tasks::TaskError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the number of GPUs or with the scheduler's text.
    pub fn run(&self, scheduler: &str, noise: (f64, u64)) -> Result<Report, TaskError> {
        self.run_program(&self.application.program(), scheduler, noise)
    }

    /// Executes another program of the application's kinds of tasks in its place.
    ///
    /// # Errors
    /// As [`Case::run`].
    pub fn run_program(
        &self,
        program: &Program,
        scheduler: &str,
        noise: (f64, u64),
    ) -> Result<Report, TaskError> {
        let Case {
            application,
            node,
            gpus,
        } = *self;
        let machine = node.machine(gpus, application)?;
        let mut simulation = Simulation::new(machine, node.rates(program, application))
            .without_records()
            .most_submitted(MOST_SUBMITTED)
            .noise(noise.0, noise.1);
        for class in 0..simulation.machine().classes().len() {
            if simulation.machine().classes()[class].node != MemoryNode::HOST {
                simulation = simulation.ahead(ClassId(class as u8), GPU_TASKS);
            }
        }
        simulation.run(&*scheduler::parse(scheduler)?, program)
    }

    /// Executes it under Heteroprio and under others, without noise.
    ///
    /// # Errors
    /// As [`Case::run`].
    pub fn row(&self, schedulers: &[&str]) -> Result<Row, TaskError> {
        let outcome = |name: &str| {
            let report = self.run(name, (0.0, 0))?;
            Ok(Outcome {
                scheduler: name.into(),
                makespan_ns: report.makespan_ns,
                bytes: report.bytes_moved(),
            })
        };
        let others = schedulers.iter().map(|name| outcome(name));
        Ok(Row {
            case: *self,
            heteroprio: outcome("heteroprio")?,
            others: others.collect::<Result<_, TaskError>>()?,
        })
    }
}

/// All cases under Heteroprio and under others.
///
/// # Errors
/// As [`Case::run`].
pub fn rows(schedulers: &[&str]) -> Result<Vec<Row>, TaskError> {
    let cases = Case::all().into_iter();
    cases.map(|case| case.row(schedulers)).collect()
}

impl Row {
    /// How many times as fast a scheduler is as Heteroprio; none if it was not asked for.
    #[must_use]
    pub fn speedup(&self, scheduler: &str) -> Option<f64> {
        let other = self.outcome(scheduler)?;
        Some(self.heteroprio.makespan_ns as f64 / other.makespan_ns.max(1) as f64)
    }

    /// What part of the bytes that Heteroprio copies are copied under a scheduler.
    #[must_use]
    pub fn copied(&self, scheduler: &str) -> Option<f64> {
        let other = self.outcome(scheduler)?;
        Some(other.bytes as f64 / self.heteroprio.bytes.max(1) as f64)
    }

    fn outcome(&self, scheduler: &str) -> Option<&Outcome> {
        self.others
            .iter()
            .find(|other| other.scheduler == scheduler)
    }
}

/// What LAHeteroprio is worth for SpLDLT's matrix of 20,000 columns by the size of its tiles, which the paper does not tell,
/// as a table in Markdown: speedups over Heteroprio with all GPUs of each node, and the part of its bytes.
///
/// # Errors
/// None that is known of.
pub fn tiles_table() -> Result<String, TaskError> {
    let mut text = String::from("| tiles | 4 K40 | 2 P100 |\n|---|---|---|\n");
    for (tiles, width) in [(26, 768), (39, 512), (52, 384), (78, 256)] {
        let _ = write!(text, "| {width}² |");
        let program = patterns::cholesky(tiles, width);
        for node in Node::ALL {
            let (application, gpus) = (Application::SpLdlt, node.gpus());
            let case = Case {
                application,
                node,
                gpus,
            };
            let run = |scheduler| case.run_program(&program, scheduler, (0.0, 0));
            let (plain, aware) = (run("heteroprio")?, run("laheteroprio")?);
            let speedup = plain.makespan_ns as f64 / aware.makespan_ns as f64;
            let copied = aware.bytes_moved() as f64 / plain.bytes_moved() as f64;
            let _ = write!(text, " {speedup:.2}, {copied:.2} |");
        }
        text.push('\n');
    }
    Ok(text)
}

/// Rows as a table in Markdown: what Heteroprio takes and copies, and of each other scheduler the speedup over it and the
/// part of its bytes. `heads` are the titles of the others' columns.
#[must_use]
pub fn table(rows: &[Row], heads: &[&str]) -> String {
    let mut text = String::from("| | GPUs | heteroprio |");
    for head in heads {
        let _ = write!(text, " {head} |");
    }
    let _ = write!(text, "\n|---|---|---|{}\n", "---|".repeat(heads.len()));
    for row in rows {
        let Case {
            application,
            node,
            gpus,
        } = row.case;
        let Outcome {
            makespan_ns, bytes, ..
        } = row.heteroprio;
        let _ = write!(
            text,
            "| {} | {gpus} {} | {:.2} s, {:.1} GB |",
            application.name(),
            node.name(),
            makespan_ns as f64 / 1e9,
            bytes as f64 / 1e9
        );
        for other in &row.others {
            let name = &other.scheduler;
            let (speedup, copied) = (row.speedup(name), row.copied(name));
            let _ = write!(
                text,
                " {:.2}, {:.2} |",
                speedup.unwrap_or(0.0),
                copied.unwrap_or(0.0)
            );
        }
        text.push('\n');
    }
    text
}
