//! What `cargo tune run` takes, and what the program is told of it.

use crate::{
    cargo::Selection,
    command::{MessageFormat, words::quoted},
};
use clap::{Args, ValueEnum};
use std::{ffi::OsString, fmt::Write, path::PathBuf, str::FromStr, time::Duration};

/// Options of everything that measures.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How to measure")]
pub(crate) struct Measure {
    /// Measure on this unit: cpu, seq, or a device as `cargo tune doctor` shows it: device:0, its name or its id. May be given again
    #[arg(long, value_name = "UNIT")]
    pub(crate) device: Vec<String>,
    /// Tune calls of so many elements, as 1Ki..16Mi; all without it
    #[arg(long, value_name = "FROM..TO")]
    pub(crate) sizes: Option<Range>,
    /// Measure so many sizes of each class of calls; 8 without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=64))]
    pub(crate) points: Option<u32>,
    /// Measure each point so often, at least and at most; 5..50 without it
    #[arg(long, value_name = "MIN..MAX")]
    pub(crate) samples: Option<Range>,
    /// Take no longer than this, as 5min or 500ms; 60s without it
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    /// Run the program only once, even if time is left
    #[arg(long)]
    pub(crate) once: bool,
    /// Fewer points and runs: seconds instead of minutes
    #[arg(long)]
    pub(crate) quick: bool,
    /// What the order of measurements is drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Do not measure what was predicted
    #[arg(long)]
    pub(crate) no_verify: bool,
    /// Measure again what an earlier run has measured, and give up its journal
    #[arg(long, visible_alias = "no-resume")]
    pub(crate) force: bool,
}

/// Options of what is shown.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What to show")]
pub(crate) struct Show {
    /// How to print results
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
    /// How to show progress, on standard error
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub(crate) show_progress: ShowProgress,
}

/// How to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowProgress {
    /// A bar on a terminal, a counter elsewhere
    #[default]
    Auto,
    /// A bar that is drawn again
    Bar,
    /// A line for each size that is finished
    Counter,
    /// Nothing
    None,
}

/// Run a program, measure its calls, and save what was found.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(super) selection: Selection,
    #[command(flatten)]
    pub(super) measure: Measure,
    #[command(flatten)]
    pub(super) show: Show,
    /// Save to a file as well, which can be checked in; skel.tune.json in the current directory if none is named
    #[arg(long, help_heading = "What to keep", value_name = "PATH", num_args = 0..=1, require_equals = true, default_missing_value = "skel.tune.json")]
    pub(super) save: Option<PathBuf>,
    /// Arguments of the program, with which it should compute what it will compute later
    #[arg(last = true, value_name = "ARGS", help_heading = "What to run")]
    pub(super) args: Vec<OsString>,
}

impl Measure {
    /// What `SKEL_TUNE_OPTIONS` says.
    #[must_use]
    pub(crate) fn environment(&self) -> String {
        let mut words = Vec::new();
        let mut word = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("{name}={value}")));
        };
        // First, since it sets what others then change.
        word("quick", self.quick.then(|| "1".into()));
        word("points", self.points.map(|n| n.to_string()));
        let range = |r: &Range| format!("{}..{}", r.from, r.to);
        word("samples", self.samples.as_ref().map(range));
        let budget = self.budget.map(|b| b.as_millis().to_string());
        word("budget_ms", budget);
        word("seed", Some(self.seed.to_string()));
        word("verify", self.no_verify.then(|| "0".into()));
        let units: Vec<String> = self.device.iter().map(|unit| encoded(unit)).collect();
        word("units", (!units.is_empty()).then(|| units.join(";")));
        word("min_elems", self.sizes.as_ref().map(|r| r.from.to_string()));
        word("max_elems", self.sizes.as_ref().map(|r| r.to.to_string()));
        words.join(",")
    }

    /// As it would be written.
    #[must_use]
    pub(crate) fn shown(&self) -> String {
        let mut text = String::new();
        let mut flag = |name: &str, value: Option<String>| {
            // Writing to a string does not fail.
            let _ = match value.as_deref() {
                Some("") => write!(text, " --{name}"),
                Some(value) => write!(text, " --{name} {value}"),
                None => Ok(()),
            };
        };
        for device in &self.device {
            flag("device", Some(quoted(device)));
        }
        let range = |r: &Range| format!("{}..{}", r.from, r.to);
        flag("sizes", self.sizes.as_ref().map(range));
        flag("points", self.points.map(|n| n.to_string()));
        flag("samples", self.samples.as_ref().map(range));
        let budget = self.budget.map(|b| match b.subsec_millis() {
            0 => format!("{}s", b.as_secs()),
            _ => format!("{}ms", b.as_millis()),
        });
        flag("budget", budget);
        flag("once", self.once.then(String::new));
        flag("quick", self.quick.then(String::new));
        flag("seed", (self.seed != 1).then(|| self.seed.to_string()));
        flag("no-verify", self.no_verify.then(String::new));
        text
    }
}

/// A unit's name without what stands between units and between options.
fn encoded(unit: &str) -> String {
    let unit = unit.replace('%', "%25");
    unit.replace(',', "%2C").replace(';', "%3B")
}

/// Two numbers, the first not above the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// At least.
    pub(crate) from: u64,
    /// At most.
    pub(crate) to: u64,
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Range, String> {
        let (from, to) = text
            .split_once("..")
            .ok_or("expected two numbers with two dots between them, as in 5..50 or 1Ki..16Mi")?;
        let range = Range {
            from: number(from)?,
            to: number(to)?,
        };
        if range.from == 0 || range.from > range.to {
            return Err("the first number must be at least 1 and at most the second".into());
        }
        Ok(range)
    }
}

/// A number, perhaps of Ki, Mi or Gi.
fn number(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let scales = [("Ki", 10), ("Mi", 20), ("Gi", 30)];
    let scaled = scales
        .iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, *shift)));
    let (digits, shift) = scaled.unwrap_or((text, 0));
    let number: u64 = digits
        .trim()
        .parse()
        .map_err(|_| format!("`{text}` is no number, as 1000 or 16Mi is"))?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| format!("`{text}` is too large"))
}

/// A time with its unit; seconds without.
fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let scales = [
        ("ms", 1e-3),
        ("min", 60.0),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
    ];
    let scaled = scales
        .iter()
        .find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)));
    let (digits, scale) = scaled.unwrap_or((text, 1.0));
    let value: f64 = digits
        .trim()
        .parse()
        .map_err(|_| format!("`{text}` is no time, as 60s, 5min or 500ms is"))?;
    Duration::try_from_secs_f64(value * scale).map_err(|e| format!("`{text}`: {e}"))
}

#[cfg(test)]
mod test {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        run: RunOptions,
    }

    fn parse(words: &[&str]) -> RunOptions {
        let words = ["x"].iter().chain(words);
        Line::try_parse_from(words).map_or_else(|e| panic!("{e}"), |line| line.run)
    }

    #[test]
    fn the_program_is_told_what_was_asked_for() {
        let options = parse(&[
            "--sizes",
            "1Ki..16Mi",
            "--points",
            "8",
            "--samples",
            "5..50",
            "--budget",
            "1.5min",
            "--quick",
            "--seed",
            "7",
            "--no-verify",
            "--device",
            "cpu",
            "--device",
            "mock:a#0",
            "--",
            "--size",
            "3",
        ]);
        assert_eq!(
            options.measure.environment(),
            "quick=1,points=8,samples=5..50,budget_ms=90000,seed=7,verify=0,units=cpu;mock:a#0,\
             min_elems=1024,max_elems=16777216"
        );
        assert_eq!(options.args, ["--size", "3"]);
        assert_eq!(parse(&[]).measure.environment(), "seed=1");
        let odd = parse(&["--device", "wgpu:llvmpipe (LLVM 15, 256 bits)#0"]);
        let odd = odd.measure.environment();
        assert_eq!(odd, "seed=1,units=wgpu:llvmpipe (LLVM 15%2C 256 bits)#0");
    }

    #[test]
    fn what_is_shown_is_understood_again() {
        let options = parse(&["--sizes", "1Ki..1Mi", "--quick", "--budget", "2s"]);
        let shown = options.measure.shown();
        let words: Vec<&str> = shown.split_whitespace().collect();
        let again = parse(&words);
        assert_eq!(again.measure.environment(), options.measure.environment());
    }

    #[test]
    fn numbers_and_times_have_units() {
        assert_eq!(
            "1Ki..2Ki".parse(),
            Ok(Range {
                from: 1024,
                to: 2048
            })
        );
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        for bad in ["7", "9..3", "0..3", "x..y", "1..99999999999Gi"] {
            assert!(bad.parse::<Range>().is_err(), "{bad}");
        }
        for bad in ["-1s", "soon", "nan", "1e300h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn saving_needs_no_name() {
        assert_eq!(parse(&["--save"]).save, Some("skel.tune.json".into()));
        assert_eq!(parse(&["--save=a.json"]).save, Some("a.json".into()));
        assert_eq!(parse(&[]).save, None);
    }
}
