//! The native function against CUDA C++, executed on the CPU by the host shim.

use crate::{
    corpus::{Case, message},
    cuda::{self, Job},
    launch::Built,
    report::{self, Report},
    shim,
};
use std::panic::{self, AssertUnwindSafe};

/// Compares all functions; one compiler run builds them.
pub(crate) fn compare(cases: Vec<Case>, report: &Report) {
    if let Some(reason) = shim::missing() {
        return report::skipped("cuda", reason);
    }
    let mut jobs: Vec<Job> = cases.into_iter().map(Job::new).collect();
    // One source that cannot be written or compiled would take the others with it.
    let built = loop {
        let all: Vec<&Job> = jobs.iter().collect();
        match build(&all) {
            Ok(built) => break built,
            Err(how) => {
                // Most often the error names the source; where it does not, each is tried.
                let named = jobs.iter().position(|job| how.contains(&job.name));
                let broken = named.or_else(|| jobs.iter().position(|job| build(&[job]).is_err()));
                let Some(broken) = broken else {
                    return report.differs("", "cuda", &format!("not built: {how}"));
                };
                let job = jobs.remove(broken);
                report.differs(&job.case.name, "cuda", &format!("not built: {how}"));
            }
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

fn build(jobs: &[&Job]) -> Result<Built, String> {
    let kernels: Vec<_> = jobs
        .iter()
        .map(|job| (job.name.clone(), job.kernel.clone()))
        .collect();
    panic::catch_unwind(|| Built::new(&kernels)).unwrap_or_else(|panic| Err(message(&*panic)))
}
