//! `cargo xtask test`: all tests, with a device for those that need one, and one count at the end.

mod changed;
mod plan;
mod programs;
mod runner;
mod sources;
mod tally;
mod workspace;

use crate::{
    chromium,
    cmd::{Failure, Result},
    cuda,
    vulkan::{self, RuntimeDir, Vulkan},
};
use plan::Selection;
use programs::Built;
use runner::Runner;
use tally::Tally;
use workspace::{Kind, Program};

/// What tests that need a device say when they find none, after `skipped: NAME: `.
const NO_DEVICE: &str = "no device";

/// All tests. The examples have none; they are compiled and run by `cargo xtask examples`.
const WORKSPACE: [&str; 4] = ["test", "--workspace", "--exclude", "skel-examples"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only tests whose name contains this
    #[arg(long)]
    pub(crate) filter: Option<String>,
    /// Fail if tests that need a device could not run
    #[arg(long)]
    pub(crate) require_device: bool,
    /// Run only what the files that differ from a revision of git can break, and say what that is
    #[arg(long, value_name = "REVISION", num_args = 0..=1, default_missing_value = "HEAD")]
    pub(crate) changed: Option<String>,
}

/// Runs the tests of the whole workspace, or those that a change can break.
pub(crate) fn run(options: &Options) -> Result {
    let vulkan = vulkan::ensure();
    let software = vulkan.is_software();
    match vulkan {
        Vulkan::Present(driver) => println!("device tests: {driver}"),
        Vulkan::Missing(why) if options.require_device => {
            return Err(Failure::Check(format!("no Vulkan driver: {why}")));
        }
        Vulkan::Missing(_) => {}
    }
    let cuda = cuda::ensure();
    chromium::ensure();
    let runner = Runner {
        runtime_dir: RuntimeDir::new()?,
        cuda,
        software,
        filter: options.filter.as_deref(),
    };
    let packages = workspace::packages_of_cargo()?;
    let selection = match &options.changed {
        Some(revision) => changed::selection(revision, &packages)?,
        None => Selection::all(&packages),
    };
    // Unit tests first: they are built soonest, and where few tests are run, these run before the others are built.
    let first_changed = |programs: &mut Vec<&Program>| {
        programs.sort_by_key(|program| !selection.changed.contains(&program.package));
    };
    let programs = selection.programs.keys();
    let (mut units, mut tests): (Vec<_>, Vec<_>) = programs.partition(|p| p.kind != Kind::Test);
    first_changed(&mut units);
    first_changed(&mut tests);
    let groups = match options.changed {
        Some(_) => vec![units, tests],
        None => vec![[units, tests].concat()],
    };
    let mut tally = Tally::default();
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let built = programs::build(group.iter().copied(), &packages)?;
        let programs = group.iter().copied().map(|program| {
            let tests = selection.programs[program];
            Built::new(program, tests, &built, &packages)
        });
        runner.run(programs.collect::<Result<_>>()?, &mut tally)?;
    }
    if selection.examples {
        runner.examples(&mut tally)?;
    }
    print!("\n{}", tally.summary());
    if options.require_device
        && let Some(skipped) = tally.skipped().find(|s| s.reason.contains(NO_DEVICE))
    {
        return Err(Failure::Check(format!(
            "a device is required, but {} found none",
            skipped.name
        )));
    }
    if tally.failed > 0 {
        return Err(Failure::Check(format!("{} tests failed", tally.failed)));
    }
    Ok(())
}
