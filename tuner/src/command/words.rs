//! Command lines as text: to be typed again, or kept beside what was measured.

use crate::term::printable;
use std::ffi::OsString;

/// The most characters of an argument that are kept.
const MAX_WORD_CHARS: usize = 80;
/// The most characters of a command that are kept and shown.
const MAX_COMMAND_CHARS: usize = 400;
/// What stands where something is kept secret.
const HIDDEN: &str = "***";

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// `command` with the program's arguments, as they would be typed.
pub(crate) fn with_args(command: &str, args: &[OsString]) -> String {
    let args = args.iter().map(|arg| quoted(&arg.to_string_lossy()));
    joined(command, args)
}

/// The same, to be kept: harmless in a terminal, of no more than some hundred characters, and without the
/// values of arguments whose names say that they are secrets.
pub(crate) fn to_keep(command: &str, args: &[OsString]) -> String {
    let mut shown = Vec::new();
    let mut is_value = false;
    for arg in args {
        let arg = arg.to_string_lossy();
        let (arg, next_is_value) = match is_value && !arg.starts_with('-') {
            true => (HIDDEN.into(), false),
            false => without_secrets(&arg),
        };
        is_value = next_is_value;
        shown.push(quoted(&cut(&arg, MAX_WORD_CHARS)));
    }
    kept(&joined(command, shown.into_iter()))
}

/// Text that was kept, from any source.
pub(crate) fn kept(command: &str) -> String {
    cut(&printable(command), MAX_COMMAND_CHARS)
}

/// Takes the program's arguments away from text that was kept.
pub(crate) fn strip_args(command: &mut String) {
    if let Some(end) = command.find(" -- ") {
        command.truncate(end);
        command.push_str(" -- …");
    }
}

fn joined(command: &str, args: impl ExactSizeIterator<Item = String>) -> String {
    let mut line = command.to_string();
    if args.len() > 0 {
        line.push_str(" --");
    }
    for arg in args {
        line.push(' ');
        line.push_str(&arg);
    }
    line
}

fn cut(text: &str, most_chars: usize) -> String {
    match text.char_indices().nth(most_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// The argument without a secret in it, and whether the next one is a secret.
fn without_secrets(arg: &str) -> (String, bool) {
    if let Some((name, _)) = arg.split_once('=')
        && is_secret(name)
    {
        return (format!("{name}={HIDDEN}"), false);
    }
    // As in `https://user:password@host/path`.
    if let Some((scheme, rest)) = arg.split_once("://") {
        let host_end = rest.find('/').unwrap_or(rest.len());
        if let Some(at) = rest[..host_end].rfind('@') {
            return (format!("{scheme}://{HIDDEN}{}", &rest[at..]), false);
        }
    }
    (arg.into(), arg.starts_with('-') && is_secret(arg))
}

/// Whether what is called so should not be seen by others.
fn is_secret(name: &str) -> bool {
    const SECRETS: [&str; 9] = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "apikey",
        "accesskey",
        "privatekey",
        "credential",
    ];
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let name = name.to_lowercase();
    SECRETS.iter().any(|secret| name.contains(secret))
}

#[cfg(test)]
mod test {
    use super::*;

    /// The words that a shell makes of a line.
    fn as_a_shell_has_it(line: &str) -> Vec<String> {
        let script = format!("for word in {line}; do printf '%s\\0' \"$word\"; done");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .output();
        let bytes = output.unwrap().stdout;
        let words = String::from_utf8(bytes).unwrap();
        words.split_terminator('\0').map(String::from).collect()
    }

    fn args(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn a_shell_takes_a_command_as_it_was_given() {
        let words = [
            "A.png",
            "two words",
            "",
            "it's",
            "$HOME",
            "*.png",
            "`id`",
            "a\nb",
            "-x=1",
            "größe",
            "\\",
            "#no",
            "~",
        ];
        let line = with_args("x", &args(&words));
        let mut expected = vec!["x".to_string(), "--".into()];
        expected.extend(words.map(String::from));
        assert_eq!(as_a_shell_has_it(&line), expected);
        assert_eq!(with_args("cargo tune run", &[]), "cargo tune run");
    }

    #[test]
    fn secrets_are_not_kept() {
        let words = [
            "--password",
            "s1",
            "--api-key=s2",
            "API_KEY=s3",
            "--token",
            "--quiet",
            "https://me:s4@host/a@b",
            "--Secret-File",
            "s5",
            "plain",
            "user@host",
            "http://host/a@b",
        ];
        let kept = to_keep("run", &args(&words));
        assert_eq!(
            kept,
            "run -- --password '***' '--api-key=***' 'API_KEY=***' --token --quiet 'https://***@host/a@b' \
             --Secret-File '***' plain user@host http://host/a@b"
        );
    }

    #[test]
    fn arguments_are_taken_away_as_a_whole() {
        let mut line = to_keep("cargo tune run --bin x", &args(&["a", "--", "b"]));
        strip_args(&mut line);
        assert_eq!(line, "cargo tune run --bin x -- …");
        let mut none = to_keep("cargo tune run", &[]);
        strip_args(&mut none);
        assert_eq!(none, "cargo tune run");
    }

    #[test]
    fn long_and_odd_arguments_are_cut_and_harmless() {
        let long = "ß".repeat(1000);
        let kept = to_keep("run", &args(&[&long, "\u{1b}[31m"]));
        assert_eq!(
            kept,
            format!("run -- '{}…' '\\u{{1b}}[31m'", "ß".repeat(MAX_WORD_CHARS))
        );
        let many = to_keep("run", &vec![OsString::from("word"); 1000]);
        assert_eq!(many.chars().count(), MAX_COMMAND_CHARS + 1);
        assert!(many.ends_with('…'));
    }
}
