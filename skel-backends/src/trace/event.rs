//! Events as lines of JSON, in the format that Chrome has made common.

use super::{Lane, Open};
use std::{fmt::Write, process, time::Duration};

/// What is shown beside an event: the inside of a JSON object.
pub(super) struct Args(String);

impl Args {
    pub(super) fn new() -> Self {
        Args(String::new())
    }

    fn key(&mut self, key: &'static str) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        string(&mut self.0, key);
        self.0.push(':');
    }

    pub(super) fn number(mut self, key: &'static str, value: u64) -> Self {
        self.key(key);
        self.0 += &value.to_string();
        self
    }

    pub(super) fn text(mut self, key: &'static str, value: &str) -> Self {
        self.key(key);
        string(&mut self.0, value);
        self
    }
}

/// Something that took time.
pub(super) fn complete(open: &Open, since: Duration, time: Duration) -> String {
    let mut line = String::from("{\"ph\":\"X\",\"name\":");
    string(&mut line, &open.name);
    line += ",\"cat\":";
    string(&mut line, open.category);
    line += ",\"ts\":";
    micros(&mut line, since);
    line += ",\"dur\":";
    micros(&mut line, time);
    end(&mut line, open.lane, &open.args);
    line
}

/// What is to be known of a lane, or of the process.
pub(super) fn metadata(name: &str, lane: Lane, args: &Args) -> String {
    let mut line = String::from("{\"ph\":\"M\",\"name\":");
    string(&mut line, name);
    end(&mut line, lane, args);
    line
}

fn end(line: &mut String, lane: Lane, args: &Args) {
    let (pid, tid) = (process::id(), lane.0);
    // Writing to a string does not fail.
    let _written = write!(
        line,
        ",\"pid\":{pid},\"tid\":{tid},\"args\":{{{}}}}}",
        args.0
    );
}

/// The format counts microseconds.
fn micros(line: &mut String, time: Duration) {
    let ns = time.as_nanos();
    // Writing to a string does not fail.
    let _written = write!(line, "{}.{:03}", ns / 1000, ns % 1000);
}

/// A JSON string: the quotes, and whatever must be escaped within.
fn string(line: &mut String, text: &str) {
    line.push('"');
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            c if c < ' ' => {
                // Writing to a string does not fail.
                let _written = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('"');
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let mut line = String::new();
        string(&mut line, "a\"b\\c\n\u{1}é\u{1F600}");
        assert_eq!(line, "\"a\\\"b\\\\c\\u000a\\u0001é\u{1F600}\"");
    }

    #[test]
    fn times_are_microseconds() {
        let mut line = String::new();
        micros(&mut line, Duration::from_nanos(1_234_005));
        assert_eq!(line, "1234.005");
    }
}
