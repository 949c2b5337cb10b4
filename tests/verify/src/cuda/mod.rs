//! Runs the corpus on the host shim, in batches, and compares.

mod block;
pub mod bytes;
pub mod launch;
mod scan;

use self::launch::{Built, Column, KernelCall, Ran};
use crate::{
    Case, Checked, Table, kernel, lines, message,
    near::{self, World},
    precision::Precision,
    same_cause,
    shim::{self, Order},
};
use libtest_mimic::{Arguments, Failed, Trial};
use skel_core::{
    ir::Value,
    plan::{Kernel, Role},
    space::Shape,
};
use std::{
    io::{Write, stderr},
    sync::{Arc, OnceLock},
};

/// Elements per launch.
const ELEMS: usize = 400;
const LAUNCHES: u64 = 4;
/// Elements per launch of functions whose arguments are given.
const SWEPT: usize = 1 << 14;
/// Functions that are compiled together.
const BATCH: usize = 48;

/// `also` is one more thing to ask of every kernel.
pub fn main(corpus: Vec<Case>, also: fn(&Job) -> Result<(), String>) {
    // The corpus panics by the thousand, on purpose; what a test finds is its result.
    std::panic::set_hook(Box::new(|_| ()));
    let arguments = Arguments::from_args();
    let missing = shim::missing();
    let cases: Vec<Job> = corpus.into_iter().map(Job::new).collect();
    let cases: &'static [Job] = Box::leak(cases.into_boxed_slice());
    let batches: &'static [Batch] = Box::leak(
        cases
            .chunks(BATCH)
            .map(|jobs| Batch {
                jobs,
                built: OnceLock::new(),
            })
            .collect(),
    );
    let mut trials = Vec::new();
    for batch in batches {
        for job in batch.jobs {
            let name = format!("cuda::{}", job.name);
            if let Some(reason) = missing
                && !arguments.list
            {
                writeln!(stderr(), "skipped: {name}: {reason}").expect("stderr is open");
            }
            let run = move || {
                also(job)?;
                check(batch.built()?, job)?;
                Ok(())
            };
            trials.push(Trial::test(name, run).with_ignored_flag(missing.is_some()));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

struct Batch {
    jobs: &'static [Job],
    built: OnceLock<Result<Built, String>>,
}

impl Batch {
    fn built(&self) -> Result<&Built, Failed> {
        let built = self.built.get_or_init(|| {
            let kernels: Vec<_> = self
                .jobs
                .iter()
                .map(|job| (job.name.clone(), job.kernel.clone()))
                .collect();
            Built::new(&kernels)
        });
        built.as_ref().map_err(Failed::from)
    }
}

/// A function of the corpus as a kernel: every parameter that is not an index is a container.
pub struct Job {
    /// Unlike that of other functions.
    pub name: String,
    pub case: Case,
    pub kernel: Arc<Kernel>,
    precision: Precision,
}

impl Job {
    pub fn new(case: Case) -> Job {
        let kernel = kernel::kernel(&case, false);
        Job {
            name: format!("{}-{:016x}", case.name, kernel.hash),
            precision: Precision::of_shim(&case.program),
            kernel: Arc::new(kernel),
            case,
        }
    }
}

/// Compares the shim with the native function on many inputs.
pub fn check(built: &Built, job: &Job) -> Result<Checked, String> {
    let mut checked = Checked::default();
    if let Some(sweep) = job.case.sweep {
        for inputs in (sweep.inputs)().chunks(SWEPT) {
            launch(built, job, inputs.to_vec(), Order::ALL[0], &mut checked)?;
        }
        return Ok(checked);
    }
    for salt in 0..LAUNCHES {
        let order = Order::ALL[salt as usize % Order::ALL.len()];
        let inputs = kernel::draw(&job.case, &job.kernel, salt, ELEMS);
        launch(built, job, inputs, order, &mut checked)?;
    }
    Ok(checked)
}

fn launch(
    built: &Built,
    job: &Job,
    mut inputs: Vec<Vec<Value>>,
    order: Order,
    checked: &mut Checked,
) -> Result<(), String> {
    let native = job.case.native;
    let mut natives: Vec<_> = inputs.iter().map(|args| native(args)).collect();
    // With elements that trap, the smallest index is reported; without them, everything is stored.
    loop {
        let first = natives.iter().position(Result::is_err);
        match (run(built, job, &inputs, order)?, first) {
            (Ran::Trapped(at, site), Some(first)) if at == Some(first) => {
                let says = site.kind.message();
                let panic = natives[first].as_ref().err();
                let panic = panic.map_or_else(String::new, |panic| message(&**panic));
                if !same_cause(&panic, says) {
                    return Err(format!(
                        "{says:?} at {first}, where the panic says {panic:?}"
                    ));
                }
                checked.traps += 1;
            }
            (Ran::Trapped(at, site), first) => {
                return Err(format!("{site:?} at {at:?}, native at {first:?}"));
            }
            (Ran::Done(_), Some(first)) => return Err(format!("no trap at {first}")),
            (Ran::Done(written), None) => {
                checked.elements += inputs.len();
                let lying = lines::lying(&job.kernel, inputs.len());
                return compare(job, &inputs, &natives, |k, i| {
                    match &job.kernel.arguments[k] {
                        line if line.role == Role::LineMut => {
                            lines::taken(&line.ty, lying, i, |at| written[&k][at].clone())
                        }
                        _ => written[&k][i].clone(),
                    }
                });
            }
            (Ran::Folded(_), _) => return Err("a map gave a value".into()),
        }
        let fixed = job.kernel.index.is_some() || job.kernel.random.is_some();
        if fixed || !near::without_traps(&mut inputs, &mut natives, native) {
            return Ok(());
        }
    }
}

fn run(built: &Built, job: &Job, inputs: &[Vec<Value>], order: Order) -> Result<Ran, String> {
    let position = |k: usize| kernel::parameter(&job.kernel, k);
    let lying = lines::lying(&job.kernel, inputs.len());
    let columns: Vec<Column> = job
        .kernel
        .arguments
        .iter()
        .enumerate()
        .map(|(k, argument)| match argument.role {
            Role::Out => Column::Out,
            Role::View => {
                let Table { values, extents } = Table::of(&argument.ty);
                Column::View(values, extents)
            }
            Role::Line | Role::LineMut => {
                let values = inputs.iter().map(|args| &args[position(k)]);
                Column::Lines(lines::laid(lying, values), lying)
            }
            Role::Window(_) => Column::Near(World::of(&inputs[0][position(k)]).0),
            _ => Column::Elements(
                inputs
                    .iter()
                    .map(|args| args[position(k)].clone())
                    .collect(),
            ),
        })
        .collect();
    let call = KernelCall {
        columns: &columns,
        range: 0..inputs.len(),
        elems: inputs.len(),
        cols: match kernel::shape(&job.kernel, inputs.len()) {
            Shape::D1(_) => None,
            shape => Some(shape.row_elems()),
        },
        order,
    };
    built.run(&job.name, &call)
}

fn compare(
    job: &Job,
    inputs: &[Vec<Value>],
    natives: &[crate::Native],
    written: impl Fn(usize, usize) -> Value,
) -> Result<(), String> {
    for (i, (args, native)) in inputs.iter().zip(natives).enumerate() {
        for (k, expected) in kernel::expected(&job.kernel, native)? {
            let found = written(k, i);
            if !job.precision.agree(&found, &expected) {
                return Err(format!("{args:?} gives {found:?} instead of {expected:?}"));
            }
        }
    }
    Ok(())
}
