//! Fields of a line, of the type that they must have.

use crate::{
    UnitId,
    json::{self, Json},
};

pub(super) type Result<T> = std::result::Result<T, String>;

pub(super) fn field<'a>(value: &'a Json, name: &str) -> Result<&'a Json> {
    let field = value.get(name);
    field.ok_or_else(|| format!("`{name}` is missing"))
}

pub(super) fn text<'a>(value: &'a Json, name: &str) -> Result<&'a str> {
    let field = field(value, name)?.as_text();
    field.ok_or_else(|| format!("`{name}` must be a string"))
}

/// What is not said is false.
pub(super) fn flag(value: &Json, name: &str) -> Result<bool> {
    match value.get(name) {
        None => Ok(false),
        Some(Json::Bool(flag)) => Ok(*flag),
        Some(_) => Err(format!("`{name}` must be true or false")),
    }
}

pub(super) fn list<'a>(value: &'a Json, name: &str) -> Result<&'a [Json]> {
    let field = field(value, name)?.as_list();
    field.ok_or_else(|| format!("`{name}` must be a list"))
}

pub(super) fn number(value: &Json, name: &str) -> Result<u64> {
    match field(value, name)? {
        Json::Integer(number) => Ok(*number),
        _ => Err(format!("`{name}` must be a number without fraction")),
    }
}

/// A number that need not be said.
pub(super) fn optional(value: &Json, name: &str) -> Result<Option<u64>> {
    value.get(name).map(|_| number(value, name)).transpose()
}

pub(super) fn count(value: &Json, name: &str) -> Result<usize> {
    let number = number(value, name)?;
    usize::try_from(number).map_err(|_| format!("`{name}` is too large"))
}

pub(super) fn counts(value: &Json, name: &str) -> Result<Vec<usize>> {
    let one = |entry: &Json| match entry {
        Json::Integer(number) => usize::try_from(*number).ok(),
        _ => None,
    };
    let counts: Option<Vec<usize>> = list(value, name)?.iter().map(one).collect();
    counts.ok_or_else(|| format!("`{name}` must be numbers of elements"))
}

/// Times of runs, at least one, none of them negative or beyond all measure.
pub(super) fn times(value: &Json, name: &str) -> Result<Vec<f64>> {
    let time = |entry: &Json| entry.as_f64().filter(|ns| (0.0..=1e30).contains(ns));
    let times: Option<Vec<f64>> = list(value, name)?.iter().map(time).collect();
    times
        .filter(|times| !times.is_empty())
        .ok_or_else(|| format!("`{name}` must be times of runs"))
}

pub(super) fn unit(value: &Json) -> Result<UnitId> {
    let text = value.as_text().ok_or("a unit must be a string")?;
    text.parse::<UnitId>().map_err(|e| e.to_string())
}

pub(super) fn units(value: &Json, name: &str) -> Result<Vec<UnitId>> {
    list(value, name)?.iter().map(unit).collect()
}

/// Shares of different units that are about everything together, as a tuning file has them.
pub(super) fn shares(value: &Json, name: &str) -> Result<Vec<(UnitId, f64)>> {
    json::shares(field(value, name)?).map_err(|e| e.inside(name).to_string())
}
