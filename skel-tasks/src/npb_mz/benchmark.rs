//! Which of the benchmarks, and how large.

use crate::BadOption;
use std::{fmt, str::FromStr};

/// A benchmark of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Benchmark {
    /// Scalar pentadiagonal solver: many zones of one size.
    Sp,
    /// Block tridiagonal solver: many zones, the largest of them twenty times the smallest.
    Bt,
    /// Lower-upper Gauss-Seidel solver: 16 zones of one size.
    Lu,
}

impl Benchmark {
    /// All of them.
    pub const ALL: [Benchmark; 3] = [Benchmark::Sp, Benchmark::Bt, Benchmark::Lu];
}

impl fmt::Display for Benchmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Benchmark::Sp => "sp-mz",
            Benchmark::Bt => "bt-mz",
            Benchmark::Lu => "lu-mz",
        })
    }
}

/// `sp-mz`, `bt-mz` or `lu-mz`, in any case.
impl FromStr for Benchmark {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<Benchmark, BadOption> {
        let is_named = |it: &Benchmark| it.to_string() == text.to_ascii_lowercase();
        let found = Benchmark::ALL.into_iter().find(is_named);
        found.ok_or_else(|| BadOption::new("benchmark", text, "one of sp-mz, bt-mz, lu-mz"))
    }
}

/// A size of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "letters of the suite")]
pub enum Class {
    S,
    W,
    A,
    B,
    C,
    D,
}

impl Class {
    /// All of them, the smallest first.
    pub const ALL: [Class; 6] = [Class::S, Class::W, Class::A, Class::B, Class::C, Class::D];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A letter, in any case.
impl FromStr for Class {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<Class, BadOption> {
        let is_named = |it: &Class| it.to_string() == text.to_ascii_uppercase();
        let found = Class::ALL.into_iter().find(is_named);
        found.ok_or_else(|| BadOption::new("class", text, "one of S, W, A, B, C, D"))
    }
}
