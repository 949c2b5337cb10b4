//! A setting for all architectures or for some: `2`, `cpu:2/gpu:1`, `1/cpu:2`.

use super::super::heteroprio::arch_named;
use crate::{BadOption, Machine};
use std::{fmt, str::FromStr};

/// A setting that can differ between architectures. What is not said is the default of the architecture.
///
/// ```
/// use skel_tasks::scheduler::PerArch;
///
/// let s = PerArch::all(1).arch("cpu", 2);
/// assert_eq!(s.to_string(), "1/cpu:2");
/// assert_eq!("1/cpu:2".parse(), Ok(s));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PerArch<T> {
    /// For architectures that are not named.
    pub all: Option<T>,
    /// For one architecture, by its name.
    pub archs: Vec<(String, T)>,
}

impl<T> Default for PerArch<T> {
    fn default() -> PerArch<T> {
        PerArch {
            all: None,
            archs: Vec::new(),
        }
    }
}

impl<T> PerArch<T> {
    /// The same for all architectures.
    #[must_use]
    pub fn all(value: T) -> PerArch<T> {
        PerArch {
            all: Some(value),
            archs: Vec::new(),
        }
    }

    /// Sets it for one architecture.
    #[must_use]
    pub fn arch(mut self, name: &str, value: T) -> Self {
        self.archs.push((name.into(), value));
        self
    }

    /// Whether nothing is said.
    pub(super) fn is_default(&self) -> bool {
        self.all.is_none() && self.archs.is_empty()
    }
}

impl<T: Copy + fmt::Display> PerArch<T> {
    /// The value for each architecture of the machine; nothing for the default.
    pub(super) fn of(
        &self,
        option: &str,
        machine: &Machine,
        check: impl Fn(T) -> Result<(), BadOption>,
    ) -> Result<Vec<Option<T>>, BadOption> {
        if let Some(all) = self.all {
            check(all)?;
        }
        let mut values = vec![None; machine.archs().len()];
        for (name, value) in &self.archs {
            check(*value)?;
            let arch = usize::from(arch_named(option, name, machine)?.0);
            if values[arch].replace(*value).is_some() {
                let found = format!("{name}:{value}");
                return Err(BadOption::new(option, found, "each architecture once"));
            }
        }
        Ok(values.into_iter().map(|value| value.or(self.all)).collect())
    }
}

impl<T: fmt::Display> fmt::Display for PerArch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.all.iter().map(ToString::to_string);
        let archs = self.archs.iter();
        let archs = archs.map(|(name, value)| format!("{name}:{value}"));
        f.write_str(&all.chain(archs).collect::<Vec<_>>().join("/"))
    }
}

impl<T: FromStr> FromStr for PerArch<T> {
    type Err = ();

    fn from_str(text: &str) -> Result<PerArch<T>, ()> {
        let mut read = PerArch::default();
        for item in text.split('/') {
            let (name, value) = match item.split_once(':') {
                Some((name, value)) => (Some(name.trim()), value),
                None => (None, item),
            };
            let value = value.trim().parse().map_err(|_| ())?;
            match name {
                Some(name) => read.archs.push((name.into(), value)),
                None if read.all.is_none() => read.all = Some(value),
                None => return Err(()),
            }
        }
        Ok(read)
    }
}

/// How many buckets a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// So many, 1 at least; as many as there are, where there are fewer.
    Buckets(usize),
    /// `all`: all of them.
    All,
}

impl Block {
    pub(super) fn len(self) -> usize {
        match self {
            Block::Buckets(len) => len,
            Block::All => usize::MAX,
        }
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Block::Buckets(len) => write!(f, "{len}"),
            Block::All => f.write_str("all"),
        }
    }
}

impl FromStr for Block {
    type Err = ();

    fn from_str(text: &str) -> Result<Block, ()> {
        match text {
            "all" => Ok(Block::All),
            _ => text.parse().map(Block::Buckets).map_err(|_| ()),
        }
    }
}
