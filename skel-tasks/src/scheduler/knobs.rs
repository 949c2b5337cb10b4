//! Settings as text: `name,knob=value,…`.

use super::{
    Configuration, Dm, Dmda, Dmdar, Dmdas, Eager, Heft, Heteroprio, LaHeteroprio, Lws, Prio,
    Random, Ws, accel,
};
use crate::{BadKnob, Machine};
use std::str::FromStr;

/// The settings of a text, from which each scheduler takes its own.
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

/// All schedulers, by name.
const SCHEDULERS: &[(&str, Make<dyn Configuration>)] = &[
    ("eager", |_| Ok(Box::new(Eager))),
    ("prio", |_| Ok(Box::new(Prio))),
    ("random", Random::parse),
    ("ws", |_| Ok(Box::new(Ws))),
    ("lws", |_| Ok(Box::new(Lws))),
    ("dm", |_| Ok(Box::new(Dm))),
    ("dmda", |knobs| Ok(Box::new(Dmda::take(knobs)?))),
    ("dmdar", |knobs| Ok(Box::new(Dmdar::take(knobs)?))),
    ("dmdas", |knobs| Ok(Box::new(Dmdas::take(knobs)?))),
    ("heft", |_| Ok(Box::new(Heft))),
    ("host", accel::HostOnly::make),
    ("device", accel::DeviceOnly::make),
    ("percent", accel::Percent::make),
    ("step", |knobs| Ok(Box::new(accel::Step::take(knobs)?))),
    ("hill", |knobs| Ok(Box::new(accel::Hill::take(knobs)?))),
    ("adjust", |knobs| {
        Ok(Box::new(accel::AdjustBusy::take(knobs)?))
    }),
    ("greedy", accel::Greedy::make),
    ("crawler", |knobs| {
        Ok(Box::new(accel::Crawler::take(knobs)?))
    }),
    ("ratio", accel::Ratio::make),
    ("heteroprio", |knobs| Ok(Box::new(Heteroprio::take(knobs)?))),
    ("laheteroprio", |knobs| {
        Ok(Box::new(LaHeteroprio::take(knobs)?))
    }),
];

/// The names of all schedulers.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEDULERS.iter().map(|(name, _)| *name)
}

/// The names of those that can be used on a machine: some need a device, or a core.
///
/// ```
/// use skel_tasks::{Machine, scheduler};
///
/// let cores = Machine::cores(4)?;
/// assert!(scheduler::names().any(|name| name == "device"));
/// assert!(!scheduler::names_for(&cores).any(|name| name == "device"));
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
pub fn names_for(machine: &Machine) -> impl Iterator<Item = &'static str> {
    names().filter(|name| parse(name).is_ok_and(|made| made.build(machine).is_ok()))
}

/// The scheduler that a text names, with its settings: `NAME` or `NAME,knob=value,…`.
///
/// ```
/// use skel_tasks::scheduler;
///
/// assert_eq!(scheduler::parse("eager")?.text(), "eager");
/// assert!(scheduler::parse("egaer").unwrap_err().to_string().contains("eager"));
/// # Ok::<(), skel_tasks::BadKnob>(())
/// ```
///
/// # Errors
/// The name or the setting that is unknown or cannot be, and what it can be.
pub fn parse(text: &str) -> Result<Box<dyn Configuration>, BadKnob> {
    parse_one_of("scheduler", SCHEDULERS, text)
}

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

#[cfg(test)]
mod test {
    use super::*;
    use crate::{Link, Machine};

    #[test]
    fn what_is_shown_is_read_again_and_can_be_built() {
        let bus = Link {
            latency_ns: 1,
            bytes_per_ns: 1.0,
        };
        let machine = Machine::builder().arch("cpu", 2);
        let machine = machine.device("gpu", 1, None, bus).build().unwrap();
        for name in names() {
            let made = parse(name).unwrap();
            let text = made.text();
            assert!(text.starts_with(name), "{text}");
            assert_eq!(parse(&text).unwrap().text(), text);
            assert!(made.build(&machine).is_ok());
        }
    }

    #[test]
    fn nonsense_is_named() {
        for (text, what) in [
            ("", "`scheduler` is ``; expected one of eager"),
            ("eager,s=1", "`knob` is `s=1`; expected no knobs"),
            ("eager,s", "`knob` is `s`; expected knob=value"),
            ("eager,s=1,s=2", "`s` is `2`; expected one value only"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
