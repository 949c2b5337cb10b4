//! Source files with holes.
//!
//! A hole is `${name}`. On a line of its own it takes any number of lines, indented as it is itself,
//! or none, and then the line disappears.

use std::fmt::Write;

/// The template with all holes filled. A name that is not among `values` stays as it is, which no
/// device compiler accepts: the goldens would show it.
#[must_use]
pub fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    for line in template.lines() {
        let indent = &line[..line.len() - line.trim_start().len()];
        match whole_line(line.trim(), values) {
            Some(text) => {
                for inner in text.lines() {
                    push_line(&mut out, indent, inner);
                }
            }
            None => {
                let mut line = line.to_owned();
                for (name, value) in values {
                    line = line.replace(&format!("${{{name}}}"), value);
                }
                push_line(&mut out, "", &line);
            }
        }
    }
    out
}

fn whole_line<'v>(line: &str, values: &'v [(&str, String)]) -> Option<&'v str> {
    let name = line.strip_prefix("${")?.strip_suffix('}')?;
    values
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, value)| value.as_str())
}

fn push_line(out: &mut String, indent: &str, line: &str) {
    if line.is_empty() {
        out.push('\n');
    } else {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{indent}{line}");
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn holes_take_words_and_lines() {
        let values = [
            ("lanes", "64".to_owned()),
            ("body", "a;\nb;".to_owned()),
            ("none", String::new()),
        ];
        let filled = fill("size(${lanes})\n{\n    ${body}\n    ${none}\n}\n", &values);
        assert_eq!(filled, "size(64)\n{\n    a;\n    b;\n}\n");
    }
}
