//! The writer: values to text.

use crate::json::Json;
use std::fmt::{self, Write};

/// In one line, without spaces. Floats are written with as few digits as bring the same bits back; what
/// is not finite becomes `null`, which no reader takes for a number.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, None, f)
    }
}

impl Json {
    /// For people and version control: what has no lists and objects in it stands in one line, everything
    /// else is indented. Ends with a new line.
    ///
    /// ```
    /// use skel_model::json::Json;
    ///
    /// let json = Json::object([("ns", Json::list([1.0, 2.5])), ("unit", "cpu".into())]);
    /// assert_eq!(json.pretty(), "{\n  \"ns\": [1.0, 2.5],\n  \"unit\": \"cpu\"\n}\n");
    /// ```
    pub fn pretty(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let written = write(self, Some(0), &mut text);
        debug_assert!(written.is_ok());
        text.push('\n');
        text
    }

    fn is_flat(&self) -> bool {
        match self {
            Json::List(entries) => entries.iter().all(Json::is_leaf),
            Json::Object(fields) => fields.iter().all(|(_, value)| value.is_leaf()),
            _ => true,
        }
    }

    fn is_leaf(&self) -> bool {
        !matches!(self, Json::List(_) | Json::Object(_))
    }
}

/// With an indentation, for readers.
fn write(json: &Json, indent: Option<usize>, out: &mut impl Write) -> fmt::Result {
    match json {
        Json::Null => out.write_str("null"),
        Json::Bool(value) => write!(out, "{value}"),
        Json::Integer(number) => write!(out, "{number}"),
        Json::Float(number) if number.is_finite() => write!(out, "{number:?}"),
        Json::Float(_) => out.write_str("null"),
        Json::Text(text) => string(text, out),
        Json::List(entries) => {
            let space = Space::of(json, indent);
            out.write_char('[')?;
            for (k, entry) in entries.iter().enumerate() {
                space.before(k, out)?;
                write(entry, space.inner(), out)?;
            }
            space.after(entries.len(), out)?;
            out.write_char(']')
        }
        Json::Object(fields) => {
            let space = Space::of(json, indent);
            out.write_char('{')?;
            for (k, (name, value)) in fields.iter().enumerate() {
                space.before(k, out)?;
                string(name, out)?;
                out.write_str(if indent.is_some() { ": " } else { ":" })?;
                write(value, space.inner(), out)?;
            }
            space.after(fields.len(), out)?;
            out.write_char('}')
        }
    }
}

/// What stands between entries.
#[derive(Clone, Copy)]
enum Space {
    /// Nothing.
    None,
    /// A blank, since all is in one line.
    Line,
    /// A new line each; indented so far outside.
    Lines(usize),
}

impl Space {
    fn of(json: &Json, indent: Option<usize>) -> Space {
        match indent {
            None => Space::None,
            Some(_) if json.is_flat() => Space::Line,
            Some(indent) => Space::Lines(indent),
        }
    }

    fn inner(self) -> Option<usize> {
        match self {
            Space::None => None,
            // What is in one line has nothing to indent.
            Space::Line => Some(0),
            Space::Lines(indent) => Some(indent + 2),
        }
    }

    fn before(self, k: usize, out: &mut impl Write) -> fmt::Result {
        if k > 0 {
            out.write_char(',')?;
        }
        match self {
            Space::Line if k > 0 => out.write_char(' '),
            Space::None | Space::Line => Ok(()),
            Space::Lines(indent) => new_line(indent + 2, out),
        }
    }

    fn after(self, entries: usize, out: &mut impl Write) -> fmt::Result {
        match self {
            Space::Lines(indent) if entries > 0 => new_line(indent, out),
            _ => Ok(()),
        }
    }
}

fn new_line(indent: usize, out: &mut impl Write) -> fmt::Result {
    write!(out, "\n{:indent$}", "")
}

/// Whatever a terminal might take for a command is escaped, so that a file can be shown as it is.
fn string(text: &str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\t' => out.write_str("\\t")?,
            // All of them are in the basic plane, so one code unit says each.
            c if c.is_control() || is_direction(c) => write!(out, "\\u{:04x}", c as u32)?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

/// What makes text run the other way, so that it reads as something else.
fn is_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
