//! Values to what they mean, with errors that say where.

use crate::json::{Json, Malformed};
use std::ops::RangeInclusive;

/// The fields of an object. Those that are not asked for are ignored: later minor versions may have more.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(&'a [(String, Json)]);

impl<'a> Fields<'a> {
    pub(super) fn of(json: &'a Json) -> Result<Self, Malformed> {
        match json {
            Json::Object(fields) => Ok(Fields(fields)),
            other => Err(Malformed::misfit("an object", shown(other))),
        }
    }

    /// A field that has to be there.
    pub(super) fn get<T>(
        self,
        name: &str,
        read: impl FnOnce(&'a Json) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        let missing = || Malformed::misfit(format!("a field `{name}`"), "none");
        let value = self.find(name).ok_or_else(missing)?;
        read(value).map_err(|e| e.inside(name))
    }

    /// A field that need not be there, and may be `null`.
    pub(super) fn maybe<T>(
        self,
        name: &str,
        read: impl FnOnce(&'a Json) -> Result<T, Malformed>,
    ) -> Result<Option<T>, Malformed> {
        let value = self.find(name).filter(|value| **value != Json::Null);
        let read = value.map(|value| read(value).map_err(|e| e.inside(name)));
        read.transpose()
    }

    fn find(self, name: &str) -> Option<&'a Json> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }
}

/// A list, entry by entry.
pub(super) fn entries<T>(
    json: &Json,
    max: usize,
    mut read: impl FnMut(&Json) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let Json::List(entries) = json else {
        return Err(Malformed::misfit("a list", shown(json)));
    };
    if entries.len() > max {
        let found = format!("{}", entries.len());
        return Err(Malformed::misfit(format!("at most {max} entries"), found));
    }
    let entries = entries.iter().enumerate();
    entries
        .map(|(k, entry)| read(entry).map_err(|e| e.inside(&format!("[{k}]"))))
        .collect()
}

/// A finite number in a range.
pub(super) fn float(range: RangeInclusive<f64>) -> impl Fn(&Json) -> Result<f64, Malformed> {
    move |json| match json.as_f64() {
        Some(number) if range.contains(&number) => Ok(number),
        _ => {
            let (from, to) = (range.start(), range.end());
            let expected = format!("a number from {from:?} to {to:?}");
            Err(Malformed::misfit(expected, shown(json)))
        }
    }
}

/// A whole number up to `max`.
pub(super) fn integer<T: TryFrom<u64>>(max: u64) -> impl Fn(&Json) -> Result<T, Malformed> {
    move |json| {
        let number = match json {
            Json::Integer(number) if *number <= max => T::try_from(*number).ok(),
            _ => None,
        };
        number.ok_or_else(|| {
            Malformed::misfit(format!("a whole number from 0 to {max}"), shown(json))
        })
    }
}

/// A string.
pub(super) fn text(json: &Json) -> Result<&str, Malformed> {
    json.as_text()
        .ok_or_else(|| Malformed::misfit("a string", shown(json)))
}

/// The beginning of what is there.
pub(super) fn shown(json: &Json) -> String {
    let mut text = match json {
        Json::List(entries) => return format!("a list of {}", entries.len()),
        Json::Object(fields) => return format!("an object of {} fields", fields.len()),
        other => other.to_string(),
    };
    const MAX: usize = 60;
    if text.chars().count() > MAX {
        text = text.chars().take(MAX).chain(['…']).collect();
    }
    text
}
