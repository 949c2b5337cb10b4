//! What the harness says, and what the whole run found.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitStatus,
};

/// One line of the harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// So many inputs agree, so many of them as traps.
    Agrees {
        case: String,
        unit: String,
        inputs: usize,
        traps: usize,
    },
    /// The unit says that it cannot run the function.
    Refused {
        case: String,
        unit: String,
        reason: String,
    },
    /// It computes something else, or fails.
    Differs {
        case: String,
        unit: String,
        how: String,
    },
    /// The unit is not there.
    Skipped { unit: String, reason: String },
}

/// Lines of several processes.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) all: Vec<Line>,
}

impl Lines {
    /// Takes all that one process printed. If it died, that is what its last function did.
    pub(super) fn add(&mut self, output: &str, status: ExitStatus) {
        let (mut current, mut ended) = (None, false);
        for line in output.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields.as_slice() {
                ["start", case, unit] => current = Some((case.to_string(), unit.to_string())),
                ["end"] => ended = true,
                ["agrees", case, unit, inputs, traps] => self.all.push(Line::Agrees {
                    case: case.to_string(),
                    unit: unit.to_string(),
                    inputs: inputs.parse().unwrap_or(0),
                    traps: traps.parse().unwrap_or(0),
                }),
                ["refused", case, unit, reason] => self.all.push(Line::Refused {
                    case: case.to_string(),
                    unit: unit.to_string(),
                    reason: reason.to_string(),
                }),
                ["differs", case, unit, how] => self.all.push(Line::Differs {
                    case: case.to_string(),
                    unit: unit.to_string(),
                    how: how.to_string(),
                }),
                ["skipped", unit, reason] => self.all.push(Line::Skipped {
                    unit: unit.to_string(),
                    reason: reason.to_string(),
                }),
                _ => {}
            }
        }
        if !ended {
            let (case, unit) = current.unwrap_or_default();
            let how = format!("the process ends with {status}");
            self.all.push(Line::Differs { case, unit, how });
        }
    }
}

/// What was compared on one unit.
#[derive(Debug, Default)]
struct Counts {
    functions: usize,
    inputs: usize,
    traps: usize,
    refused: BTreeMap<String, usize>,
    skipped: BTreeSet<String>,
}

/// The counts of the whole run.
#[derive(Debug, Default)]
pub(super) struct Summary {
    units: BTreeMap<String, Counts>,
    pub(super) functions: usize,
    pub(super) nodes: usize,
    pub(super) constructs: BTreeMap<&'static str, usize>,
    /// What differed: the function, the unit, how; the kept test if there is one.
    pub(super) findings: Vec<Finding>,
}

/// A function on which something differs.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) case: String,
    pub(super) unit: String,
    pub(super) how: String,
    /// Where the shrunk function is.
    pub(super) kept: Option<String>,
}

impl Summary {
    /// Counts a line; a difference is given back.
    pub(super) fn take(&mut self, line: Line) -> Option<Finding> {
        match line {
            Line::Agrees {
                unit,
                inputs,
                traps,
                ..
            } => {
                let counts = self.units.entry(unit).or_default();
                counts.functions += 1;
                counts.inputs += inputs;
                counts.traps += traps;
                None
            }
            Line::Refused { unit, reason, .. } => {
                let counts = self.units.entry(unit).or_default();
                *counts.refused.entry(reason).or_default() += 1;
                None
            }
            Line::Skipped { unit, reason } => {
                self.units.entry(unit).or_default().skipped.insert(reason);
                None
            }
            Line::Differs { case, unit, how } => Some(Finding {
                case,
                unit,
                how,
                kept: None,
            }),
        }
    }

    /// Prints it.
    pub(super) fn print(&self) {
        println!(
            "\n{} functions of {} nodes on average",
            self.functions,
            self.nodes / self.functions.max(1)
        );
        for (unit, counts) in &self.units {
            for reason in &counts.skipped {
                println!("{unit:6} skipped: {reason}");
            }
            println!(
                "{unit:6} {} functions agree on {} inputs, {} of them trap",
                counts.functions, counts.inputs, counts.traps
            );
            for (reason, times) in &counts.refused {
                println!("{unit:6} {times} refused: {reason}");
            }
        }
        for finding in &self.findings {
            println!("\n{} on {}: {}", finding.case, finding.unit, finding.how);
            if let Some(kept) = &finding.kept {
                println!("  kept as {kept}");
            }
        }
    }

    /// Whether nothing differed, and something was compared; or only `checked`.
    pub(super) fn is_clean(&self, checked: bool) -> bool {
        let compared = |unit: &str| self.units.get(unit).is_some_and(|c| c.functions > 0);
        self.findings.is_empty() && (checked || compared("eval"))
    }
}
