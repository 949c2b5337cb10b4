//! Models as text: a version, then a line per entry.
//!
//! ```text
//! skel.tasks/1
//! history kind=gemm arch=cpu elems=4096 first=1 count=12 mean_ns=1.5e3 m2=2e2
//! power kind=gemm arch=cpu first=1 error=0e0 count=10 weight=1e1 mean_x=… mean_y=… sxx=… sxy=… min_x=… max_x=…
//! affine kind=gemm arch=cpu first=1 error=0e0 count=10 …
//! ```
//!
//! Floats are written so that they are read as the same ones. In names, blanks, control characters, `%` and what
//! is not ASCII are `%` and two hexadecimal digits per byte.

use super::{
    Affine, BadModel, History, Learned, Moments, PowerLaw, Regression,
    fields::{Fields, escaped, shortened, write_line},
    is_time,
};
use crate::{Arch, KindId};
use std::fmt::Write;

const FORMAT: &str = "skel.tasks/";
const VERSION: &str = "1";

impl Learned {
    /// All that was learned, in a stable order; the rules and the prior are not part of it. `kinds` and `archs`
    /// are the names by number ([`Engine::kinds`](crate::Engine::kinds), [`Machine::archs`](crate::Machine::archs));
    /// entries without a name are left out.
    ///
    /// ```
    /// use skel_tasks::{Arch, Costs, KindId, Work, model::Learned};
    ///
    /// let mut costs = Learned::default();
    /// costs.observe(KindId(0), Arch(0), Work { elems: 8 }, 90);
    /// let text = costs.to_text(&["my gemm".into()], &["cpu".into()]);
    /// assert!(text.starts_with("skel.tasks/1\nhistory kind=my%20gemm arch=cpu elems=8 "));
    /// let again = Learned::from_text(&text, |_| Some(KindId(0)), |_| Some(Arch(0)))?;
    /// assert_eq!(again.to_text(&["my gemm".into()], &["cpu".into()]), text);
    /// # Ok::<(), skel_tasks::model::BadModel>(())
    /// ```
    #[must_use]
    pub fn to_text(&self, kinds: &[String], archs: &[String]) -> String {
        let named = |kind: KindId, arch: Arch| {
            let kind = escaped(kinds.get(kind.0 as usize)?);
            let arch = escaped(archs.get(usize::from(arch.0))?);
            Some(format!("kind={kind} arch={arch}"))
        };
        let mut text = format!("{FORMAT}{VERSION}\n");
        let mut histories: Vec<_> = self.histories.iter().collect();
        histories.sort_unstable_by_key(|(key, _)| **key);
        for (&(kind, arch, elems), history) in histories {
            if let Some(names) = named(kind, arch) {
                let Moments { count, mean, m2 } = history.kept;
                let first = u8::from(history.has_first);
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "history {names} elems={elems} first={first} count={count} mean_ns={mean:e} m2={m2:e}"
                );
            }
        }
        let mut laws: Vec<_> = self.regressions.iter().collect();
        laws.sort_unstable_by_key(|(key, _)| **key);
        for (&(kind, arch), law) in laws {
            if let Some(names) = named(kind, arch) {
                let first = u8::from(law.has_first);
                for (which, error, line) in [
                    ("power", law.power_error, &law.power.line),
                    ("affine", law.affine_error, &law.affine.line),
                ] {
                    let _ = write!(text, "{which} {names} first={first} error={error:e}");
                    write_line(&mut text, line);
                }
            }
        }
        text
    }

    /// Reads what [`Learned::to_text`] wrote. `kind` and `arch` give the numbers of names; entries of names that
    /// they do not know are left out.
    ///
    /// # Errors
    /// [`BadModel`]: another format, another version, or the line that is wrong.
    pub fn from_text(
        text: &str,
        mut kind: impl FnMut(&str) -> Option<KindId>,
        mut arch: impl FnMut(&str) -> Option<Arch>,
    ) -> Result<Learned, BadModel> {
        let header = text.lines().next().unwrap_or_default();
        match header.strip_prefix(FORMAT) {
            Some(VERSION) => {}
            Some(found) => {
                return Err(BadModel::Version {
                    found: shortened(found),
                });
            }
            None => {
                return Err(BadModel::Foreign {
                    found: shortened(header),
                });
            }
        }
        let mut learned = Learned::default();
        for (k, entry) in text.lines().enumerate().skip(1) {
            if !entry.trim().is_empty() {
                let added = learned.read(entry, &mut kind, &mut arch);
                added.map_err(|what| BadModel::Line { line: k + 1, what })?;
            }
        }
        Ok(learned)
    }

    /// Adds what one line says.
    fn read(
        &mut self,
        entry: &str,
        kind: &mut impl FnMut(&str) -> Option<KindId>,
        arch: &mut impl FnMut(&str) -> Option<Arch>,
    ) -> Result<(), String> {
        let mut fields = Fields(entry.split_ascii_whitespace());
        let what = fields.0.next().unwrap_or_default();
        if !["history", "power", "affine"].contains(&what) {
            let what = shortened(what);
            return Err(format!("`{what}`; expected history, power or affine"));
        }
        let names = (fields.name("kind")?, fields.name("arch")?);
        let ids = kind(&names.0).zip(arch(&names.1));
        if what == "history" {
            let elems = fields.number("elems")?;
            let has_first = fields.is("first")?;
            let count = fields.number("count")?;
            let (mean, m2) = (fields.float("mean_ns")?, fields.float("m2")?);
            let is_good = m2 >= 0.0
                && if count == 0 {
                    mean == 0.0
                } else {
                    is_time(mean)
                };
            if !is_good || (count > 0 && !has_first) {
                return Err("a history that cannot be".into());
            }
            let kept = Moments { count, mean, m2 };
            let history = History {
                kept,
                has_first,
                ..History::default()
            };
            let old =
                ids.and_then(|(kind, arch)| self.histories.insert((kind, arch, elems), history));
            return fields.end(old.is_some());
        }
        let (has_first, error) = (fields.is("first")?, fields.float("error")?);
        let line = fields.line()?;
        if error < 0.0 || (line.count > 0 && !has_first) {
            return Err("a law that cannot be".into());
        }
        let Some((kind, arch)) = ids else {
            return fields.end(false);
        };
        let law: &mut Regression = self.regressions.entry((kind, arch)).or_default();
        law.has_first |= has_first;
        let old = match what {
            "power" => {
                law.power_error = error;
                std::mem::replace(&mut law.power, PowerLaw { line }).line
            }
            _ => {
                law.affine_error = error;
                std::mem::replace(&mut law.affine, Affine { line }).line
            }
        };
        fields.end(old.count > 0)
    }
}
