//! The values of a TOML file, as far as manifests say what depends on what: strings, numbers and booleans under
//! their full keys. Arrays are skipped, and what is no TOML ends the file: Cargo has refused it before.

use std::{iter::Peekable, str::Chars};

/// A value that is neither table nor array.
pub(super) struct Entry {
    /// All keys from the root of the file.
    pub(super) path: Vec<String>,
    pub(super) value: String,
}

/// All values, in order.
pub(super) fn entries(text: &str) -> Vec<Entry> {
    let mut reader = Reader {
        rest: text.chars().peekable(),
        entries: Vec::new(),
    };
    reader.file();
    reader.entries
}

#[derive(PartialEq)]
enum Token {
    /// A string, a bare key, a number: what is neither of the others.
    Word(String),
    /// One of `[]{}=,.`.
    Sign(char),
    Line,
}

use Token::{Line, Sign, Word};

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    entries: Vec<Entry>,
}

impl Reader<'_> {
    /// All tables. `None` at the end.
    fn file(&mut self) -> Option<()> {
        let mut table = Vec::new();
        loop {
            match self.token()? {
                Line => {}
                // An array of tables has two brackets.
                Sign('[') => {
                    table.clear();
                    loop {
                        match self.token()? {
                            Word(key) => table.push(key),
                            Line => break,
                            Sign(_) => {}
                        }
                    }
                }
                Word(key) => {
                    self.pair(&table, key)?;
                    while self.token()? != Line {}
                }
                Sign(_) => return None,
            }
        }
    }

    /// `first.second = value`, from behind `first`.
    fn pair(&mut self, table: &[String], first: String) -> Option<()> {
        let mut path = [table, &[first]].concat();
        loop {
            match self.token()? {
                Word(key) => path.push(key),
                Sign('.') => {}
                Sign('=') => break,
                Sign(_) | Line => return None,
            }
        }
        match self.token()? {
            Word(value) => self.entries.push(Entry { path, value }),
            Sign('{') => self.table(&path)?,
            Sign('[') => {
                let mut open = 1;
                while open > 0 {
                    match self.token()? {
                        Sign('[') => open += 1,
                        Sign(']') => open -= 1,
                        _ => {}
                    }
                }
            }
            Sign(_) | Line => return None,
        }
        Some(())
    }

    /// What is between braces.
    fn table(&mut self, path: &[String]) -> Option<()> {
        loop {
            match self.token()? {
                Sign('}') => return Some(()),
                Word(key) => self.pair(path, key)?,
                Sign(',') | Line => {}
                // The second half of a number.
                Sign('.') => _ = self.token()?,
                Sign(_) => return None,
            }
        }
    }

    fn token(&mut self) -> Option<Token> {
        while matches!(self.rest.peek()?, ' ' | '\t' | '\r') {
            self.rest.next();
        }
        Some(match self.rest.next()? {
            '\n' => Line,
            '#' => {
                while self.rest.next()? != '\n' {}
                Line
            }
            quote @ ('"' | '\'') => Word(self.string(quote)?),
            sign @ ('[' | ']' | '{' | '}' | '=' | ',' | '.') => Sign(sign),
            first => {
                let mut word = String::from(first);
                let ends = |c: &char| c.is_whitespace() || "[]{}=,.#\"'".contains(*c);
                while let Some(next) = self.rest.next_if(|c| !ends(c)) {
                    word.push(next);
                }
                Word(word)
            }
        })
    }

    /// A string, from behind its first quote. Escapes stay as they are: no name of a package has any.
    fn string(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut closing = 1;
        if self.rest.next_if_eq(&quote).is_some() {
            if self.rest.next_if_eq(&quote).is_none() {
                return Some(text);
            }
            closing = 3;
        }
        let mut quotes = 0;
        loop {
            let next = self.rest.next()?;
            text.push(next);
            quotes = if next == quote { quotes + 1 } else { 0 };
            if quotes == closing {
                // A string over several lines may end with one or two quotes of its own.
                while closing == 3 && self.rest.next_if_eq(&quote).is_some() {
                    text.push(quote);
                }
                text.truncate(text.len() - closing);
                return Some(text);
            }
            if next == '\\' && quote == '"' {
                text.push(self.rest.next()?);
            }
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn values_stand_under_their_full_keys() {
        let text = r##"
            top = "a" # a comment with "quotes"
            [one.'two.three']
            x = 1.5
            y.z = { a = true, b = { c = "d\"]" }, e = [1, [2, { f = 3 }]], g = 0.5, h = 'i' }
            list = [
                "[not.a.table]", # "
            ]
            [[several]]
            text = """
            [no.table] ""
            k = "v\"""""
            empty = ""
            after = 2024-01-01
        "##;
        let found: Vec<_> = entries(text)
            .into_iter()
            .map(|entry| (entry.path.join("/"), entry.value))
            .filter(|(path, _)| path != "several/text")
            .collect();
        let expected = [
            ("top", "a"),
            ("one/two.three/x", "1"),
            ("one/two.three/y/z/a", "true"),
            ("one/two.three/y/z/b/c", r#"d\"]"#),
            ("one/two.three/y/z/g", "0"),
            ("one/two.three/y/z/h", "i"),
            ("several/empty", ""),
            // The rest of a date is no value of its own.
            ("several/after", "2024-01-01"),
        ];
        let expected = expected.map(|(path, value)| (path.to_owned(), value.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_no_toml_ends_the_file() {
        for text in [
            "= 1",
            "a = ",
            "a = }",
            "a\nb",
            "a = \"",
            "a = { b = 1",
            "[a",
            "a = [[]",
        ] {
            assert!(entries(text).len() <= 1, "{text}");
        }
        assert_eq!(entries("a = 1\n]\nb = 2").len(), 1);
    }
}
