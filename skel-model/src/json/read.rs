//! The parser: text to values.

use crate::json::{
    Json, MAX_BYTES, MAX_DEPTH, MAX_TEXT_BYTES, MAX_VALUES, Malformed, error::SyntaxProblem,
};

type Parsed<T> = Result<T, SyntaxProblem>;

impl Json {
    /// The value that is written there, and nothing but it.
    ///
    /// # Errors
    /// [`Malformed`], for all that the [module](super) says is not read.
    pub fn parse(text: &[u8]) -> Result<Json, Malformed> {
        if text.len() > MAX_BYTES {
            let bytes = text.len() as u64;
            return Err(Malformed::TooLarge { bytes });
        }
        let valid = std::str::from_utf8(text);
        let valid = valid.map_err(|e| {
            // A character that has begun may have been cut off, as a word may.
            let problem = match e.error_len() {
                Some(_) => SyntaxProblem::NotUtf8,
                None => SyntaxProblem::Ends("the rest of a character"),
            };
            syntax(text, e.valid_up_to(), problem)
        })?;
        let mut parser = Parser {
            text: valid,
            at: 0,
            values: 0,
        };
        let parsed = parser.whole();
        parsed.map_err(|problem| {
            let problem = match problem {
                SyntaxProblem::Expected(what) if parser.at == text.len() => {
                    SyntaxProblem::Ends(what)
                }
                other => other,
            };
            syntax(text, parser.at, problem)
        })
    }
}

fn syntax(text: &[u8], at: usize, problem: SyntaxProblem) -> Malformed {
    let before = &text[..at];
    let line_start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |n| n + 1);
    Malformed::Syntax {
        line: before.iter().filter(|b| **b == b'\n').count() + 1,
        column: at - line_start + 1,
        problem,
    }
}

/// What is left of a text. Outside of strings `at` lies between characters; inside, plain bytes are
/// passed over until an ASCII one.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    values: usize,
}

impl Parser<'_> {
    fn whole(&mut self) -> Parsed<Json> {
        let value = self.value(0)?;
        self.space();
        if self.at < self.text.len() {
            return Err(SyntaxProblem::Expected("the end"));
        }
        Ok(value)
    }

    fn value(&mut self, depth: usize) -> Parsed<Json> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(SyntaxProblem::TooMany);
        }
        self.space();
        match self.peek() {
            Some(b'n') => self.word("null", Json::Null),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'"') => Ok(Json::Text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'[' | b'{') if depth == MAX_DEPTH => Err(SyntaxProblem::TooDeep),
            Some(b'[') => self.list(depth + 1),
            Some(b'{') => self.object(depth + 1),
            _ => Err(SyntaxProblem::Expected("a value")),
        }
    }

    fn list(&mut self, depth: usize) -> Parsed<Json> {
        self.at += 1;
        let mut entries = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Json::List(entries));
        }
        loop {
            entries.push(self.value(depth)?);
            self.space();
            if self.take(b']') {
                return Ok(Json::List(entries));
            }
            self.expect(b',', "`,` or `]`")?;
        }
    }

    fn object(&mut self, depth: usize) -> Parsed<Json> {
        self.at += 1;
        let mut fields: Vec<(String, Json)> = Vec::new();
        // Names of large objects are looked up, or many of them would take quadratic time.
        let mut known = std::collections::HashSet::new();
        self.space();
        if self.take(b'}') {
            return Ok(Json::Object(fields));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(SyntaxProblem::Expected("a name in quotes"));
            }
            let start = self.at;
            let name = self.string()?;
            if !known.insert(name.clone()) {
                self.at = start;
                return Err(SyntaxProblem::DuplicateName);
            }
            self.space();
            self.expect(b':', "`:`")?;
            fields.push((name, self.value(depth)?));
            self.space();
            if self.take(b'}') {
                return Ok(Json::Object(fields));
            }
            self.expect(b',', "`,` or `}`")?;
        }
    }

    fn number(&mut self) -> Parsed<Json> {
        let start = self.at;
        let negative = self.take(b'-');
        // No zeros in front.
        if !self.take(b'0') {
            self.digits()?;
        }
        let mut whole = !negative;
        if self.take(b'.') {
            whole = false;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if whole && let Ok(number) = text.parse() {
            return Ok(Json::Integer(number));
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Json::Float(number)),
            _ => {
                self.at = start;
                Err(SyntaxProblem::Infinite)
            }
        }
    }

    /// At least one.
    fn digits(&mut self) -> Parsed<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(SyntaxProblem::Expected("a digit"));
        }
        Ok(())
    }

    fn string(&mut self) -> Parsed<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let plain = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..0x20)) {
                self.at += 1;
            }
            text.push_str(&self.text[plain..self.at]);
            if text.len() > MAX_TEXT_BYTES {
                self.at = start;
                return Err(SyntaxProblem::LongText);
            }
            if self.take(b'"') {
                return Ok(text);
            }
            self.expect(b'\\', "`\"`, and no control character before it")?;
            text.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Parsed<char> {
        let letter = self.peek();
        let plain = match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.code_point();
            }
            _ => return Err(SyntaxProblem::Expected("an escape that JSON knows")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// One code unit, or the two of a surrogate pair.
    fn code_point(&mut self) -> Parsed<char> {
        let lone = SyntaxProblem::Expected("both halves of a surrogate pair");
        let first = self.code_unit()?;
        if !(0xd800..0xe000).contains(&first) {
            return char::from_u32(first).ok_or(lone);
        }
        if first >= 0xdc00 || !(self.take(b'\\') && self.take(b'u')) {
            return Err(lone);
        }
        let second = self.code_unit()?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(lone);
        }
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)).ok_or(lone)
    }

    fn code_unit(&mut self) -> Parsed<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| char::from(b).to_digit(16));
            let digit = digit.ok_or(SyntaxProblem::Expected("four hexadecimal digits"))?;
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn word(&mut self, word: &'static str, value: Json) -> Parsed<Json> {
        let rest = &self.text[self.at..];
        if !rest.starts_with(word) {
            // What begins as the word does, and ends, was cut off.
            self.at += if word.starts_with(rest) {
                rest.len()
            } else {
                0
            };
            return Err(SyntaxProblem::Expected("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Parsed<()> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(SyntaxProblem::Expected(what))
        }
    }
}
