//! How deep blocks lie in each other once a compiler has made conditions of all jumps.
//!
//! Mesa's software device masks lanes. What stands behind `if (c) { return …; }` is a block of its own there, for the
//! lanes that are left, and so is what stands behind a conditional `break` or `continue`, up to the loop's end. It
//! has room for 80 such blocks in each other, and beyond that takes wrong branches without a word.

/// The most jumps for a compiler that turns them into conditions.
pub(super) const MOST_NESTED: usize = 72;

/// Which jumps leave a block.
#[derive(Clone, Copy, Default)]
struct Jumps {
    returns: bool,
    /// `break` and `continue`.
    of_loop: bool,
}

/// A block that is being read.
#[derive(Clone, Copy, Default)]
struct Open {
    is_loop: bool,
    jumps: Jumps,
    /// How many blocks have been opened by jumps so far, and how deep all of it is at the most.
    opened: usize,
    deepest: usize,
}

impl Open {
    /// A block in it has ended.
    fn close(&mut self, inner: Open) {
        let depth = inner.deepest.max(inner.opened);
        self.deepest = self.deepest.max(self.opened + 1 + depth);
        let returns = inner.jumps.returns;
        let of_loop = inner.jumps.of_loop && !inner.is_loop;
        if returns || of_loop {
            self.opened += 1;
        }
        self.jumps.returns |= returns;
        self.jumps.of_loop |= of_loop;
    }
}

/// Why such a compiler cannot be given this source, if it cannot.
pub(super) fn check(source: &str) -> Result<(), String> {
    let depth = depth(source);
    if depth <= MOST_NESTED {
        return Ok(());
    }
    Err(format!(
        "its conditional jumps and blocks come to {depth} blocks in each other, and this device's compiler is right up to {MOST_NESTED}: give values by `if … else` or `match`, and leave functions and loops at their ends"
    ))
}

/// The depth of the deepest function, with those that it calls: their text stands where they are called.
fn depth(source: &str) -> usize {
    let code = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    let (mut functions, mut stack) = (Vec::<(&str, usize)>::new(), Vec::<Open>::new());
    let (mut name, mut called, mut is_loop, mut before) = ("", 0, false, "");
    for word in code.flat_map(words) {
        match word {
            "{" => {
                let is_loop = std::mem::take(&mut is_loop);
                stack.push(Open {
                    is_loop,
                    ..Open::default()
                });
            }
            "}" => {
                let Some(inner) = stack.pop() else { continue };
                match stack.last_mut() {
                    Some(outer) => outer.close(inner),
                    None => {
                        functions.push((name, called + inner.deepest.max(inner.opened)));
                        called = 0;
                    }
                }
            }
            "loop" | "for" | "while" => is_loop = true,
            "return" | "break" | "continue" => {
                if let Some(open) = stack.last_mut() {
                    open.jumps.returns |= word == "return";
                    open.jumps.of_loop |= word != "return";
                }
            }
            _ if before == "fn" => name = word,
            _ => {
                let callee = functions.iter().find(|(known, _)| *known == word);
                called = called.max(callee.map_or(0, |(_, depth)| *depth));
            }
        }
        before = word;
    }
    functions.iter().map(|(_, depth)| *depth).max().unwrap_or(0)
}

/// Names, keywords and braces.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        rest = rest.trim_start_matches(|c: char| !is_word(c) && c != '{' && c != '}');
        let len = match rest.find(|c| !is_word(c)) {
            Some(0) => 1,
            Some(len) => len,
            None => rest.len(),
        };
        let (word, behind) = rest.split_at(len);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn blocks_behind_conditional_jumps_count() {
        let returns = |n: usize| {
            format!(
                "fn f(x: u32) -> u32 {{\n{}return 0u;\n}}\n",
                "if (x == 1u) {\nreturn 1u;\n}\n".repeat(n)
            )
        };
        assert_eq!(depth(&returns(0)), 0);
        assert_eq!(depth(&returns(3)), 3);
        assert!(check(&returns(MOST_NESTED)).is_ok());
        assert!(check(&returns(MOST_NESTED + 1)).is_err());
    }

    #[test]
    fn blocks_beside_each_other_do_not() {
        let body = "if (x == 1u) {\ny = 1u;\n} else {\ny = 2u;\n}\n".repeat(500);
        assert_eq!(
            depth(&format!(
                "fn f(x: u32) -> u32 {{\nvar y = 0u;\n{body}return y;\n}}\n"
            )),
            1
        );
    }

    #[test]
    fn loops_end_what_their_jumps_began_and_calls_add_up() {
        let looped = "loop {\nif (x > 3u) {\nbreak;\n}\nif (x > 2u) {\ncontinue;\n}\n}\n";
        // In the loop: two blocks behind jumps. Behind it: none.
        let f = format!("fn f(x: u32) {{\n{}}}\n", looped.repeat(9));
        assert_eq!(depth(&f), 3);
        let g = format!("{f}fn g(x: u32) {{\nif (x == 0u) {{\nf(x); // return\n}}\n}}\n");
        assert_eq!(depth(&g), 4);
    }
}
