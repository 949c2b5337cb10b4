//! The fields of a model's text: numbers, names, lines.

use super::line::Line;
use std::fmt::Write;

pub(super) fn write_line(text: &mut String, line: &Line) {
    let Line {
        count,
        weight,
        mean_x,
        mean_y,
        sxx,
        sxy,
        min_x,
        max_x,
    } = line;
    let _ = writeln!(
        text,
        " count={count} weight={weight:e} mean_x={mean_x:e} mean_y={mean_y:e} sxx={sxx:e} sxy={sxy:e} \
         min_x={min_x:e} max_x={max_x:e}"
    );
}

/// The fields of a line, each of which has its place and its name.
pub(super) struct Fields<'t>(pub(super) std::str::SplitAsciiWhitespace<'t>);

impl<'t> Fields<'t> {
    fn value(&mut self, name: &str) -> Result<&'t str, String> {
        let field = self.0.next().unwrap_or_default();
        let value = field
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('='));
        value.ok_or_else(|| format!("`{}`; expected {name}=…", shortened(field)))
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self, name: &str) -> Result<T, String> {
        let value = self.value(name)?;
        let wrong = |_| format!("`{name}={}`; expected a number", shortened(value));
        value.parse().map_err(wrong)
    }

    pub(super) fn float(&mut self, name: &str) -> Result<f64, String> {
        let value: f64 = self.number(name)?;
        let is_good = value.is_finite();
        is_good
            .then_some(value)
            .ok_or_else(|| format!("`{name}={value}`; expected a finite number"))
    }

    pub(super) fn is(&mut self, name: &str) -> Result<bool, String> {
        match self.value(name)? {
            "0" => Ok(false),
            "1" => Ok(true),
            other => Err(format!("`{name}={}`; expected 0 or 1", shortened(other))),
        }
    }

    pub(super) fn name(&mut self, name: &str) -> Result<String, String> {
        let value = self.value(name)?;
        unescaped(value).ok_or_else(|| format!("`{name}={}`; expected a name", shortened(value)))
    }

    pub(super) fn line(&mut self) -> Result<Line, String> {
        let line = Line {
            count: self.number("count")?,
            weight: self.float("weight")?,
            mean_x: self.float("mean_x")?,
            mean_y: self.float("mean_y")?,
            sxx: self.float("sxx")?,
            sxy: self.float("sxy")?,
            min_x: self.float("min_x")?,
            max_x: self.float("max_x")?,
        };
        let is_good = match line.count {
            0 => line == Line::default(),
            _ => line.weight > 0.0 && line.sxx >= 0.0 && line.min_x <= line.max_x,
        };
        is_good
            .then_some(line)
            .ok_or_else(|| "a line through points that cannot be".into())
    }

    pub(super) fn end(mut self, is_there: bool) -> Result<(), String> {
        match self.0.next() {
            Some(more) => Err(format!("`{}` after its end", shortened(more))),
            None if is_there => Err("an entry that was there before".into()),
            None => Ok(()),
        }
    }
}

/// The beginning of what may be a whole file of anything.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

pub(super) fn escaped(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte.is_ascii_graphic() && byte != b'%' {
            true => text.push(char::from(byte)),
            false => {
                let _ = write!(text, "%{byte:02x}");
            }
        }
    }
    text
}

fn unescaped(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, behind @ ..] = rest {
        let [b'%', high, low, behind @ ..] = rest else {
            if *first == b'%' {
                return None;
            }
            bytes.push(*first);
            rest = behind;
            continue;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push((digit(*high)? * 16 + digit(*low)?) as u8);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}
