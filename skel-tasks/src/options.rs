//! Settings as text: `name,option=value,…`.

use crate::BadOption;
use std::{num::NonZeroUsize, str::FromStr};

/// The settings of a text, from which each scheduler or scheme takes its own.
pub(crate) struct Options<'t> {
    left: Vec<(&'t str, Option<&'t str>)>,
    known: Vec<&'static str>,
}

impl<'t> Options<'t> {
    fn new(text: &'t str) -> Result<Options<'t>, BadOption> {
        let mut left: Vec<(&str, Option<&str>)> = Vec::new();
        for option in text.split(',').filter(|option| !option.trim().is_empty()) {
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.trim())),
                None => (option.trim(), None),
            };
            if left.iter().any(|(other, _)| *other == name) {
                return Err(BadOption::new(name, shown(value), "one value only"));
            }
            left.push((name, value));
        }
        Ok(Options {
            left,
            known: Vec::new(),
        })
    }

    /// The value of a setting, or the default.
    ///
    /// # Errors
    /// If it is not what was `expected`.
    pub(crate) fn take<T: FromStr>(
        &mut self,
        name: &'static str,
        expected: &str,
        default: T,
    ) -> Result<T, BadOption> {
        let Some(value) = self.given(name) else {
            return Ok(default);
        };
        let parsed = value.and_then(|value| value.parse().ok());
        parsed.ok_or_else(|| BadOption::new(name, shown(value), expected))
    }

    /// A number from 1 on, or nothing where none is given.
    ///
    /// # Errors
    /// If it is something else.
    pub(crate) fn take_count(&mut self, name: &'static str) -> Result<Option<usize>, BadOption> {
        let Some(value) = self.given(name) else {
            return Ok(None);
        };
        let count = value.and_then(|value| value.parse::<NonZeroUsize>().ok());
        match count {
            Some(count) => Ok(Some(count.get())),
            None => Err(BadOption::new(name, shown(value), "a number from 1 on")),
        }
    }

    /// The value of a setting, if the text has the setting.
    fn given(&mut self, name: &'static str) -> Option<Option<&'t str>> {
        self.known.push(name);
        let k = self.left.iter().position(|(other, _)| *other == name)?;
        Some(self.left.remove(k).1)
    }

    /// Settings that are left are unknown.
    fn finish(self) -> Result<(), BadOption> {
        let Some((name, value)) = self.left.first() else {
            return Ok(());
        };
        let expected = match self.known.is_empty() {
            true => "no option".into(),
            false => format!("one of the options {}", self.known.join(", ")),
        };
        Err(BadOption::new(name, shown(*value), expected))
    }
}

/// What came, for errors.
fn shown(value: Option<&str>) -> &str {
    value.unwrap_or("no value")
}

/// Makes a configuration of its settings.
pub(crate) type Make<C> = fn(&mut Options<'_>) -> Result<Box<C>, BadOption>;

/// What a text names of a list, with its settings; and what `extra` takes of these.
///
/// # Errors
/// The name or the setting that is unknown or cannot be, and what it can be.
pub(crate) fn parse_one_of<C: ?Sized, X>(
    what: &str,
    all: &[(&str, Make<C>)],
    text: &str,
    extra: impl FnOnce(&mut Options<'_>) -> Result<X, BadOption>,
) -> Result<(Box<C>, X), BadOption> {
    let (name, options) = text.split_once(',').unwrap_or((text, ""));
    let Some((_, make)) = all.iter().find(|(other, _)| *other == name.trim()) else {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let expected = format!("one of {}", names.join(", "));
        return Err(BadOption::new(what, name, expected));
    };
    let mut options = Options::new(options)?;
    let made = make(&mut options)?;
    let extra = extra(&mut options)?;
    options.finish()?;
    Ok((made, extra))
}
