//! Bodies that the user wrote in the language of a device: names of the Rust function become those
//! that the generated source has for them.

/// The text with its identifiers renamed, as far as `name` knows them; those of fields stay.
pub(super) fn rename(text: &str, mut name: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        let is_field = out.ends_with('.') && !out.ends_with("..");
        let is_name = !first.is_ascii_digit() && word(first) && !is_field;
        match is_name.then(|| name(token)).flatten() {
            Some(renamed) => out.push_str(&renamed),
            None => out.push_str(token),
        }
        rest = after;
    }
    out
}

/// The text without the indentation that all its lines have in common.
pub(super) fn unindented(text: &str) -> String {
    let text = text.trim_matches('\n').trim_end();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start().len();
    // The first line may follow the opening quote.
    let skip = usize::from(!text.starts_with(' '));
    let common = lines().skip(skip).map(indent).min().unwrap_or(0);
    let lines = text.lines().map(|line| {
        let cut = indent(line).min(common);
        &line[cut..]
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn names_are_renamed_and_fields_are_not() {
        let name = |word: &str| (word == "x").then(|| "x_0".to_owned());
        let text = "let y = x + v.x * xx - 0x1u; // x\nreturn x;";
        assert_eq!(
            rename(text, name),
            "let y = x_0 + v.x * xx - 0x1u; // x\nreturn x_0;"
        );
    }

    #[test]
    fn indentation_goes() {
        let text = "let y = x;\n            if y > 0 {\n                return y;\n            }\n        ";
        assert_eq!(unindented(text), "let y = x;\nif y > 0 {\n    return y;\n}");
    }
}
