//! Settings as text: `name,knob=value,…`.

use crate::BadKnob;
use std::str::FromStr;

/// The settings of a text, from which each scheduler or scheme takes its own.
pub(crate) struct Knobs<'t> {
    left: Vec<(&'t str, &'t str)>,
    known: Vec<&'static str>,
}

impl<'t> Knobs<'t> {
    fn new(text: &'t str) -> Result<Knobs<'t>, BadKnob> {
        let mut left: Vec<(&str, &str)> = Vec::new();
        for knob in text.split(',').filter(|knob| !knob.trim().is_empty()) {
            let Some((name, value)) = knob.split_once('=') else {
                return Err(BadKnob::new("knob", knob, "knob=value"));
            };
            let (name, value) = (name.trim(), value.trim());
            if left.iter().any(|(other, _)| *other == name) {
                return Err(BadKnob::new(name, value, "one value only"));
            }
            left.push((name, value));
        }
        Ok(Knobs {
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
    ) -> Result<T, BadKnob> {
        self.known.push(name);
        let Some(k) = self.left.iter().position(|(other, _)| *other == name) else {
            return Ok(default);
        };
        let (_, value) = self.left.remove(k);
        value
            .parse()
            .map_err(|_| BadKnob::new(name, value, expected))
    }

    /// Settings that are left are unknown.
    fn finish(self) -> Result<(), BadKnob> {
        let Some((name, value)) = self.left.first() else {
            return Ok(());
        };
        let expected = match self.known.is_empty() {
            true => "no knobs for this scheduler".into(),
            false => format!("one of {}", self.known.join(", ")),
        };
        Err(BadKnob::new("knob", format!("{name}={value}"), expected))
    }
}

/// Makes a configuration of its settings.
pub(crate) type Make<C> = fn(&mut Knobs<'_>) -> Result<Box<C>, BadKnob>;

/// What a text names of a list, with its settings.
///
/// # Errors
/// The name or the setting that is unknown or cannot be, and what it can be.
pub(crate) fn parse_one_of<C: ?Sized>(
    what: &str,
    all: &[(&str, Make<C>)],
    text: &str,
) -> Result<Box<C>, BadKnob> {
    let (name, knobs) = text.split_once(',').unwrap_or((text, ""));
    let Some((_, make)) = all.iter().find(|(other, _)| *other == name.trim()) else {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let expected = format!("one of {}", names.join(", "));
        return Err(BadKnob::new(what, name, expected));
    };
    let mut knobs = Knobs::new(knobs)?;
    let made = make(&mut knobs)?;
    knobs.finish()?;
    Ok(made)
}
