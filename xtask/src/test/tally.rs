//! Counting what libtest, libtest-mimic and rustdoc print.

use std::fmt::Write;

/// A test that did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skipped {
    /// Its name, as the test program prints it.
    pub(super) name: String,
    /// Why not.
    pub(super) reason: String,
}

/// The counts of a test program, or of several.
///
/// A test that cannot run says `skipped: NAME: REASON`. Under libtest-mimic its trial is ignored as
/// well; under libtest, which decides that before the test runs, it counts as passed there, and is
/// moved here.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) passed: usize,
    pub(super) failed: usize,
    failures: Vec<String>,
    skipped: Vec<Skipped>,
    program: Option<Program>,
}

/// The test program whose output is being read.
#[derive(Debug, Default)]
struct Program {
    ignored: Vec<Skipped>,
    said: Vec<Skipped>,
}

impl Tally {
    /// Takes one line of output.
    pub(super) fn line(&mut self, line: &str) {
        let line = plain(line);
        if is_start(&line) {
            self.crash();
            self.program = Some(Program::default());
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            self.result(counts);
        } else if let Some(program) = &mut self.program {
            program.line(&line);
            let name = line
                .strip_prefix("test ")
                .and_then(|l| l.strip_suffix(" ... FAILED"));
            self.failures
                .extend(name.map(|name| name.trim().to_owned()));
        }
    }

    /// The output of a program is over. One that ended between its start and its result crashed; one that fails
    /// without a test that does could not be started, or compiled.
    pub(super) fn end(&mut self, title: &str, failure: Option<String>) {
        self.crash();
        if let Some(status) = failure.filter(|_| self.failed == 0) {
            self.failed = 1;
            self.failures.push(format!("it ended with {status}"));
        }
        for failure in &mut self.failures {
            let _ = write!(failure, " ({title})");
        }
    }

    /// The counts of other programs.
    pub(super) fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
        self.skipped.extend(other.skipped);
    }

    /// Whatever program was running gave no result.
    fn crash(&mut self) {
        if let Some(program) = self.program.take() {
            self.failed += 1;
            self.failures.push("a test program that crashed".into());
            self.skipped.extend(program.skipped());
        }
    }

    fn result(&mut self, counts: &str) {
        let count = |what: &str| {
            let words: Vec<&str> = counts.split([' ', ';']).collect();
            let at = words.iter().position(|w| *w == what)?;
            words.get(at.checked_sub(1)?)?.parse::<usize>().ok()
        };
        let program = self.program.take().unwrap_or_default();
        let ignored = program.ignored.len();
        let skipped = program.skipped();
        self.passed += count("passed")
            .unwrap_or(0)
            .saturating_sub(skipped.len() - ignored);
        self.failed += count("failed").unwrap_or(0);
        self.skipped.extend(skipped);
    }

    /// The tests that did not run.
    pub(super) fn skipped(&self) -> impl Iterator<Item = &Skipped> {
        self.skipped.iter()
    }

    /// What did not run and why, what failed, then the counts.
    pub(super) fn summary(&self) -> String {
        let mut text = String::new();
        for Skipped { name, reason } in &self.skipped {
            let _ = writeln!(text, "skipped: {name}: {reason}");
        }
        for name in &self.failures {
            let _ = writeln!(text, "failed: {name}");
        }
        let _ = writeln!(
            text,
            "{} passed, {} failed, {} skipped",
            self.passed,
            self.failed,
            self.skipped.len()
        );
        text
    }
}

impl Program {
    fn line(&mut self, line: &str) {
        // With one thread libtest prints `test NAME ... ` before the test runs, so that a note may
        // stand in the middle of the line.
        if let Some((_, note)) = line.split_once("skipped: ")
            && let Some((name, reason)) = note.split_once(": ")
        {
            self.said.push(Skipped {
                name: name.into(),
                reason: reason.into(),
            });
        } else if let Some((name, outcome)) = line
            .strip_prefix("test ")
            .and_then(|l| l.rsplit_once(" ... "))
            && let Some(reason) = outcome.strip_prefix("ignored")
        {
            let reason = match reason.trim_start_matches([',', ' ']) {
                "" => "marked as ignored",
                reason => reason,
            };
            self.ignored.push(Skipped {
                name: name.trim().into(),
                reason: reason.into(),
            });
        }
    }

    /// Each test once, with the reason that it gave itself where it did.
    fn skipped(self) -> Vec<Skipped> {
        let mut all = self.ignored;
        for said in self.said {
            match all.iter_mut().find(|s| s.name == said.name) {
                Some(same) => *same = said,
                None => all.push(said),
            }
        }
        all
    }
}

fn is_start(line: &str) -> bool {
    line.strip_prefix("running ").is_some_and(|rest| {
        matches!(rest.split_once(' '), Some((n, "test" | "tests")) if n.parse::<usize>().is_ok())
    })
}

/// The line without colours.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut parts = line.split("\u{1b}[");
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        text.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    text
}

#[cfg(test)]
mod test {
    use super::*;

    fn ended(output: &str, failure: Option<&str>) -> Tally {
        let mut tally = Tally::default();
        output.lines().for_each(|l| tally.line(l));
        tally.end("pkg --lib", failure.map(str::to_owned));
        tally
    }

    fn tally(output: &str) -> Tally {
        ended(output, None)
    }

    #[test]
    fn programs_add_up() {
        let all = tally(
            "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\
             test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             \x20  Doc-tests skel\nrunning 1 test\ntest src/lib.rs - (line 3) ... \u{1b}[32mok\u{1b}[0m\n\
             test result: \u{1b}[32mok\u{1b}[0m. 1 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out\n",
        );
        assert_eq!(
            all.summary(),
            "failed: b (pkg --lib)\n2 passed, 1 failed, 0 skipped\n"
        );
    }

    #[test]
    fn an_ignored_trial_with_a_note_counts_once_and_keeps_its_reason() {
        let all = tally(
            "running 2 tests\nskipped: map::f64: no device has f64\ntest map::f64 ... ignored\ntest map::f32 ... ok\n\
             test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.0s\n",
        );
        assert_eq!(
            all.summary(),
            "skipped: map::f64: no device has f64\n1 passed, 0 failed, 1 skipped\n"
        );
    }

    #[test]
    fn a_plain_test_that_says_it_was_skipped_has_not_passed() {
        let all = tally(
            "running 2 tests\ntest a ... ok\ntest gpu ... skipped: gpu: no device\nok\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n",
        );
        assert_eq!(
            all.summary(),
            "skipped: gpu: no device\n1 passed, 0 failed, 1 skipped\n"
        );
    }

    #[test]
    fn ignored_tests_keep_the_reason_of_the_attribute() {
        let all = tally(
            "running 2 tests\ntest a ... ignored, too slow\ntest src/lib.rs - f (line 1) ... ignored\n\
             test result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.0s\n",
        );
        let reasons: Vec<&str> = all.skipped().map(|s| s.reason.as_str()).collect();
        assert_eq!(reasons, ["too slow", "marked as ignored"]);
    }

    #[test]
    fn a_program_that_crashes_is_a_failure() {
        let crashed = "running 3 tests\ntest a ... ok\nerror: test failed (signal: 11)\n";
        for failure in [None, Some("signal: 11")] {
            let all = ended(crashed, failure);
            assert_eq!((all.passed, all.failed), (0, 1));
        }
    }

    #[test]
    fn a_program_that_fails_without_a_test_that_does_is_a_failure() {
        let all = ended("error: no memory\n", Some("exit status: 101"));
        let summary =
            "failed: it ended with exit status: 101 (pkg --lib)\n0 passed, 1 failed, 0 skipped\n";
        assert_eq!(all.summary(), summary);
        let failed = "running 1 test\ntest b ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n";
        let mut both = ended(failed, Some("exit status: 101"));
        both.add(all);
        assert_eq!((both.failed, both.failures.len()), (2, 2));
    }
}
