//! `cargo xtask fuzz`: random user functions, compared on all units.
//!
//! [`generate`] writes well-typed functions; [`batch`] builds crates of them, whose `main` is that of
//! `tests/fuzz`; what differs is made smaller ([`shrink`]) and kept as a test ([`found`]). Declarations of elements that
//! must be refused ([`hostile`]) are compiled, and what rustc says is looked at ([`refused`]).

mod batch;
mod dice;
mod found;
mod generate;
mod hostile;
mod refused;
mod report;
mod shrink;
mod tree;
mod types;

use crate::{
    cmd::{Failure, Result},
    vulkan::{self, RuntimeDir},
};
use batch::Workspace;
use generate::Case;
use report::{Finding, Summary};
use shrink::Fault;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many functions to compare
    #[arg(long, default_value_t = 200)]
    pub(crate) functions: u64,
    /// The same seed gives the same functions
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Begin with this function of the seed
    #[arg(long, default_value_t = 0)]
    pub(crate) first: u64,
    /// Inputs of each function for the interpreter
    #[arg(long, default_value_t = 1000)]
    pub(crate) inputs: usize,
    /// Functions in each crate
    #[arg(long, default_value_t = 50)]
    pub(crate) batch: usize,
    /// How many declarations with #[derive(Element)] to compile, most of which must be refused
    #[arg(long, default_value_t = 60)]
    pub(crate) declarations: u64,
    /// Units to compare with the native function: eval, lanes (in every second crate), wgsl, cuda
    #[arg(long, value_delimiter = ',', default_value = "eval,lanes,wgsl,cuda")]
    pub(crate) units: Vec<String>,
    /// Report what differs as it is
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Print the functions, and compare nothing
    #[arg(long)]
    pub(crate) print: bool,
    /// Only ask rustc whether it takes the functions
    #[arg(long)]
    pub(crate) check: bool,
    /// Count what the functions show, and list it
    #[arg(long)]
    pub(crate) statistics: bool,
}

impl Options {
    /// A few functions, others in every run: what always passes the same ones has stopped looking.
    pub(crate) fn of_ci() -> Options {
        Options {
            functions: 50,
            seed: fresh_seed(),
            first: 0,
            inputs: 1000,
            batch: 25,
            declarations: 48,
            units: ["eval", "lanes", "wgsl", "cuda"]
                .map(str::to_owned)
                .to_vec(),
            no_shrink: true,
            print: false,
            check: false,
            statistics: false,
        }
    }

    /// The command that compares just this function once more; all of them where it is not known which.
    fn repeating(&self, case: &str) -> String {
        let number = case.strip_prefix("f_").and_then(|n| n.parse().ok());
        let (first, functions) = number.map_or((self.first, self.functions), |n: u64| (n, 1));
        let (seed, inputs, units) = (self.seed, self.inputs, self.units.join(","));
        let check = if self.check { " --check" } else { "" };
        format!(
            "cargo xtask fuzz --seed {seed} --first {first} --functions {functions} --inputs {inputs} \
             --units {units} --declarations 0{check}"
        )
    }
}

/// A seed that no run had, as far as the clock can tell; short, since people copy it.
fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Crates that are built at the same time.
const CRATES: usize = 2;

/// Generates, builds, compares, shrinks, reports.
pub(crate) fn run(options: &Options) -> Result {
    let numbers = options.first..options.first + options.functions;
    if options.print {
        for number in numbers {
            println!("{}", generate::case(options.seed, number).text());
        }
        for number in 0..options.declarations {
            println!("{}", hostile::declaration(options.seed, number).source());
        }
        return Ok(());
    }
    println!(
        "seed {}, {} functions from {}",
        options.seed, options.functions, options.first
    );
    if !options.check {
        vulkan::ensure();
    }
    let runtime_dir = RuntimeDir::new()?;
    let workspace = Workspace::new(runtime_dir.variables())?;
    refused::run(&workspace, options.seed, options.declarations)?;
    if options.functions == 0 {
        return Ok(());
    }
    let mut args = vec![options.inputs.to_string()];
    args.extend(options.units.iter().cloned());
    let mut summary = Summary::default();
    let all: Vec<u64> = numbers.collect();
    for numbers in all.chunks(CRATES * options.batch.max(1)) {
        let cases: Vec<Case> = numbers
            .iter()
            .map(|number| generate::case(options.seed, *number))
            .collect();
        let findings = compare(&workspace, &cases, options, &args, &mut summary)?;
        for finding in findings {
            println!("{} on {}: {}", finding.case, finding.unit, finding.how);
            let finding = match options.no_shrink {
                true => finding,
                false => reduce(&workspace, &cases, finding, options)?,
            };
            summary.findings.push(finding);
        }
        println!("{} functions", summary.functions);
    }
    summary.print();
    for finding in &summary.findings {
        println!(
            "repeat {}: {}",
            finding.case,
            options.repeating(&finding.case)
        );
    }
    if options.statistics {
        for (construct, count) in &summary.constructs {
            println!("{count:8} {construct}");
        }
    }
    match summary.is_clean(options.check) {
        true => Ok(()),
        false => Err(Failure::Check(
            "what was compared is not clean: see above".into(),
        )),
    }
}

fn compare(
    workspace: &Workspace,
    cases: &[Case],
    options: &Options,
    args: &[String],
    summary: &mut Summary,
) -> Result<Vec<Finding>> {
    for case in cases {
        summary.functions += 1;
        summary.nodes += case.size();
        for item in &case.items {
            item.count(&mut summary.constructs);
        }
    }
    let all: Vec<&Case> = cases.iter().collect();
    let outcome = match options.check {
        true => workspace.check(&all, options.batch)?,
        false => workspace.run(&all, options.batch, args)?,
    };
    let rejected = outcome.rejected.into_iter().map(|(case, how)| Finding {
        case,
        unit: "rustc".into(),
        how,
        kept: None,
    });
    let mut findings: Vec<Finding> = rejected.collect();
    findings.extend(
        outcome
            .lines
            .into_iter()
            .filter_map(|line| summary.take(line)),
    );
    Ok(findings)
}

/// Shrinks what a finding is about, and keeps it.
fn reduce(
    workspace: &Workspace,
    cases: &[Case],
    mut finding: Finding,
    options: &Options,
) -> Result<Finding> {
    let Some(case) = cases.iter().find(|case| case.name == finding.case) else {
        return Ok(finding);
    };
    let fault = match finding.unit.as_str() {
        "rustc" => Fault::Rejected(shrink::kind(&finding.how)),
        unit => Fault::Differs(unit.to_owned()),
    };
    let unit = match finding.unit.as_str() {
        "rustc" | "build" => "none",
        unit => unit,
    };
    let args = [options.inputs.to_string(), unit.to_owned()];
    let small = shrink::shrink(workspace, case, &fault, &args)?;
    println!("{}", small.text());
    // What rustc refuses is a fault of the generator, and no test.
    if finding.unit != "rustc" {
        finding.kept = Some(found::keep(&small, options.seed, &finding.unit)?);
    }
    Ok(finding)
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{Command, Opts};
    use clap::Parser;

    /// What the printed command would run.
    fn understood(options: &Options, case: &str) -> Options {
        let line = options.repeating(case);
        let words = line.split_whitespace().skip(1);
        match Opts::try_parse_from(words).map(|opts| opts.command) {
            Ok(Command::Fuzz(options)) => options,
            _ => panic!("not understood: {line}"),
        }
    }

    #[test]
    fn a_failure_is_repeated_by_the_command_that_is_printed() {
        let ci = Options::of_ci();
        let again = understood(&ci, "f_17");
        assert_eq!((again.seed, again.first, again.functions), (ci.seed, 17, 1));
        assert_eq!((&again.units, again.inputs), (&ci.units, ci.inputs));
        let text = |options: &Options, number| generate::case(options.seed, number).text();
        assert_eq!(text(&ci, 17), text(&again, again.first));
        let all = understood(&ci, "");
        assert_eq!((all.first, all.functions), (ci.first, ci.functions));
    }
}
