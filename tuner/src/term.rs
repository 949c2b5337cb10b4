//! What a terminal shows: colours where they are wanted, and names that cannot command it.

use std::{
    env, fmt,
    io::{self, IsTerminal, Write},
};

/// Prints a line to standard output, as `println!` does while it is open.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::term::out(format_args!("{}\n", format_args!($($text)*)))
    };
}

/// Prints a line to standard error, as `eprintln!` does while it is open.
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::term::err(format_args!("{}\n", format_args!($($text)*)))
    };
}

pub(crate) use {say, tell};

/// Prints to standard output. The reader may have closed it: then the line is dropped.
pub(crate) fn out(text: fmt::Arguments) {
    let mut out = io::stdout().lock();
    let _closed = out.write_fmt(text).and_then(|()| out.flush());
}

/// The same for standard error.
pub(crate) fn err(text: fmt::Arguments) {
    let _closed = io::stderr().lock().write_fmt(text);
}

/// Whether and how to decorate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// With colours.
    pub colour: bool,
    /// Lines may be drawn again.
    pub redraw: bool,
}

impl Style {
    /// Neither.
    pub const PLAIN: Style = Style {
        colour: false,
        redraw: false,
    };

    /// What suits standard error here.
    #[must_use]
    pub fn of_stderr() -> Self {
        Self::choose(std::io::stderr().is_terminal(), |name| env::var(name).ok())
    }

    /// What suits standard output here.
    #[must_use]
    pub fn of_stdout() -> Self {
        Self::choose(std::io::stdout().is_terminal(), |name| env::var(name).ok())
    }

    /// `NO_COLOR` wins over `CLICOLOR_FORCE`, which wins over what the stream is.
    fn choose(terminal: bool, var: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| var(name).is_some_and(|value| !value.is_empty());
        let dumb = var("TERM").is_some_and(|term| term == "dumb");
        let forced = var("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
        let redraw = terminal && !dumb;
        Style {
            colour: !set("NO_COLOR") && (forced || redraw),
            redraw,
        }
    }

    /// Bold.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Green, for what went well.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Yellow, for what to look at.
    #[must_use]
    pub fn warn(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// Red, for what went wrong.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

/// `text` with control characters spelled out: names come from files and from other programs.
///
/// ```
/// assert_eq!(tuner::term::printable("a\u{1b}[31mb"), "a\\u{1b}[31mb");
/// assert_eq!(tuner::term::printable("größe"), "größe");
/// ```
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Control characters, and those that change the direction of what follows.
        if c.is_control()
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod test {
    use super::*;

    fn style(terminal: bool, vars: &[(&str, &str)]) -> Style {
        Style::choose(terminal, |name| {
            let found = vars.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| (*value).to_string())
        })
    }

    #[test]
    fn a_pipe_gets_no_escapes_and_a_terminal_does() {
        assert_eq!(style(false, &[]), Style::PLAIN);
        assert!(style(true, &[]).colour && style(true, &[]).redraw);
    }

    #[test]
    fn the_environment_decides() {
        assert!(!style(true, &[("NO_COLOR", "1")]).colour);
        assert!(style(true, &[("NO_COLOR", "")]).colour);
        assert!(style(false, &[("CLICOLOR_FORCE", "1")]).colour);
        assert!(!style(false, &[("CLICOLOR_FORCE", "0")]).colour);
        assert!(!style(false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).colour);
        assert_eq!(style(true, &[("TERM", "dumb")]), Style::PLAIN);
    }

    #[test]
    fn names_cannot_command_the_terminal() {
        assert_eq!(printable("a\nb\u{202e}c"), "a\\nb\\u{202e}c");
    }
}
