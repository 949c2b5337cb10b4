//! The trace as text.

use super::{Cause, Outcome, Report};
use std::fmt::Write;

impl Report {
    /// All that happened, one line each; the same program, settings and seed give the same bytes.
    ///
    /// ```
    /// # use skel_tasks::{Machine, Rates, TaskError, scheduler, sim::{Program, Simulation}};
    /// let mut program = Program::new("one task");
    /// let kind = program.kind("step");
    /// program.task(kind).work(7).add();
    /// let simulation = Simulation::new(Machine::cores(1)?, Rates::new(vec![vec![Some(1.0)]]));
    /// let report = simulation.run(&*scheduler::parse("eager")?, &program)?;
    /// assert_eq!(
    ///     report.trace(),
    ///     "# one task under eager: 7 ns\ntask 0 step cpu0 taken 0 data 0 start 0 end 7 done\n",
    /// );
    /// # Ok::<(), TaskError>(())
    /// ```
    #[must_use]
    pub fn trace(&self) -> String {
        let mut text = format!(
            "# {} under {}: {} ns\n",
            self.program, self.scheduler, self.makespan_ns
        );
        for it in &self.executions {
            let outcome = match it.outcome {
                Outcome::Done => "done",
                Outcome::Failed => "failed",
                Outcome::Lost => "lost",
            };
            let (kind, worker) = (&self.kinds[it.kind.0 as usize], self.worker_name(it.worker));
            let _ = writeln!(
                text,
                "task {} {kind} {worker} taken {} data {} start {} end {} {outcome}",
                it.task, it.taken_ns, it.data_ns, it.start_ns, it.end_ns
            );
        }
        for it in &self.copies {
            let cause = match it.cause {
                Cause::Fetch { task } => format!("for task {task}"),
                Cause::Prefetch => "ahead".into(),
                Cause::Evict { task } => format!("evicted for task {task}"),
            };
            let staged = if it.is_staged { " staged" } else { "" };
            let _ = writeln!(
                text,
                "copy {} {} bytes {} start {} end {} {cause}{staged}",
                it.handle.slot(),
                self.link_name(it.from, it.to),
                it.bytes,
                it.start_ns,
                it.end_ns
            );
        }
        for it in &self.cancelled {
            let _ = writeln!(
                text,
                "cancelled {} for {} at {}",
                it.task, it.cause, it.at_ns
            );
        }
        text
    }
}
