//! The native function against CUDA C++, executed on the CPU by the host shim.

use crate::report::{self, Report};
use skel_verify::{
    Case,
    cuda::{self, Job},
    launch::{self, Built},
    message, shim,
};
use std::panic::{self, AssertUnwindSafe};

/// Compares all functions; one compiler run builds them.
pub(crate) fn compare(cases: Vec<Case>, report: &Report) {
    if let Some(reason) = shim::missing() {
        return report::skipped("cuda", reason);
    }
    let mut jobs: Vec<Job> = cases.into_iter().map(Job::new).collect();
    // Sources that cannot be written or compiled would take the others with them.
    let built = loop {
        let all: Vec<&Job> = jobs.iter().collect();
        let how = match build(&all) {
            Ok(built) => break built,
            Err(how) => how,
        };
        // Most often the error names the sources; where it does not, each is tried.
        let mut broken = |job: &Job| how.contains(&job.name);
        let mut alone = |job: &Job| build(&[job]).is_err();
        let broken: &mut dyn FnMut(&Job) -> bool = match jobs.iter().any(&mut broken) {
            true => &mut broken,
            false => &mut alone,
        };
        let before = jobs.len();
        jobs.retain(|job| {
            let is_broken = broken(job);
            if is_broken {
                let how = format!("not built: {}", complaint(job, &how));
                report.differs(&job.case.name, "cuda", &how);
            }
            !is_broken
        });
        if jobs.len() == before {
            return report.differs("", "cuda", &format!("not built: {how}"));
        }
    };
    for job in &jobs {
        let name = &job.case.name;
        report.start(name, "cuda");
        match panic::catch_unwind(AssertUnwindSafe(|| cuda::check(&built, job))) {
            Err(panic) => report.differs(name, "cuda", &format!("panics: {}", message(&*panic))),
            Ok(Err(how)) => report.differs(name, "cuda", &how),
            Ok(Ok(checked)) => report.agrees(name, "cuda", checked.elements, checked.traps),
        }
    }
}

/// The first error of the compiler about this source, with the line that it is about.
fn complaint(job: &Job, how: &str) -> String {
    let about = |line: &&str| line.contains(&job.name) && line.contains("error");
    let Some(error) = how.lines().find(about) else {
        return how.to_owned();
    };
    let number = error
        .split(':')
        .nth(1)
        .and_then(|n| n.parse::<usize>().ok());
    let sources = launch::sources(&job.kernel, launch::LANES).unwrap_or_default();
    let line = sources
        .first()
        .zip(number)
        .and_then(|(source, n)| source.text.lines().nth(n.checked_sub(1)?));
    format!("{error}: {}", line.unwrap_or_default().trim())
}

fn build(jobs: &[&Job]) -> Result<Built, String> {
    let kernels: Vec<_> = jobs
        .iter()
        .map(|job| (job.name.clone(), job.kernel.clone()))
        .collect();
    panic::catch_unwind(|| Built::new(&kernels)).unwrap_or_else(|panic| Err(message(&*panic)))
}
