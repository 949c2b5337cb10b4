//! JSON, read strictly and written in a stable order.
//!
//! Tuning files come from anywhere: another machine, a repository, a disk that was full. So what is
//! read here is small ([`MAX_BYTES`]), flat ([`MAX_DEPTH`]), has few values ([`MAX_VALUES`]) and short
//! strings ([`MAX_TEXT_BYTES`]), says every name once, and holds finite numbers only. Everything else is
//! [`Malformed`], which says where.
//!
//! It is a parser of its own, since features of shared ones, which any crate of a program may switch on,
//! change what numbers look like, and how exactly they are read.

mod class;
mod error;
mod field;
mod file;
mod read;
#[cfg(test)]
pub(crate) mod test;
mod units;
mod write;

pub use class::{block_from_json, block_to_json};
pub use error::{Malformed, SyntaxProblem};
use field::{Fields, entries, float, integer, text};
pub(crate) use units::shares;

/// The largest text that is read.
pub const MAX_BYTES: usize = 4 << 20;
/// How many lists and objects may lie in each other.
pub const MAX_DEPTH: usize = 32;
/// How many values a text may have in all, those in lists and objects included.
pub const MAX_VALUES: usize = 400_000;
/// The longest string, also of names.
pub const MAX_TEXT_BYTES: usize = 16 << 10;

/// A JSON value. Its `Display` is one line of JSON.
///
/// ```
/// use skel_model::json::Json;
///
/// let json = Json::parse(br#"{"elems": 1024, "ns": [1.5, 2e3]}"#)?;
/// assert_eq!(json.get("elems"), Some(&Json::Integer(1024)));
/// assert_eq!(json.to_string(), r#"{"elems":1024,"ns":[1.5,2000.0]}"#);
/// # Ok::<(), skel_model::json::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without sign, point and exponent, if it fits.
    Integer(u64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object: its fields, in the order in which they stand there.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// An object of these fields.
    pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
        let fields = fields.into_iter();
        Json::Object(fields.map(|(name, value)| (name.into(), value)).collect())
    }

    /// A list of what becomes JSON.
    pub fn list<T: Into<Json>>(values: impl IntoIterator<Item = T>) -> Json {
        Json::List(values.into_iter().map(Into::into).collect())
    }

    /// The field of that name, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(fields) = self else {
            return None;
        };
        let found = fields.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Json::Integer(number) => Some(*number as f64),
            Json::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The entries, if this is a list.
    pub fn as_list(&self) -> Option<&[Json]> {
        match self {
            Json::List(entries) => Some(entries),
            _ => None,
        }
    }
}

impl From<f64> for Json {
    fn from(number: f64) -> Json {
        Json::Float(number)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Json {
        Json::Integer(number)
    }
}

impl From<u32> for Json {
    fn from(number: u32) -> Json {
        Json::Integer(number.into())
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Json {
        // No platform has a wider one.
        Json::Integer(number as u64)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.into())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}
