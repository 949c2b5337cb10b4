//! Texts that are nested deep are lowered on a thread with a stack for that: the walk recurses as deep as the
//! text, and a thread that runs out of stack takes the process along.

use super::{
    Source,
    lower::{self, Malformed, Result},
};
use crate::{ir::Function, stack};

/// The walk is at home in any thread up to so many levels.
const SHALLOW: usize = 64;

/// Stack for each level, which takes a tenth of it where nothing is optimised. Memory is taken as it is touched.
const LEVEL_BYTES: usize = 64 << 10;

/// The most levels. The macros refuse what is nested so deep, each at its token.
const MOST: usize = 8192;

/// As [`lower::function`].
pub(super) fn function(
    name: &'static str,
    source: &Source,
    functions: &[Function],
) -> Result<Function> {
    let levels = levels(source.text);
    if levels <= SHALLOW {
        return lower::function(name, source, functions);
    }
    if levels > MOST {
        return Err(Malformed(format!(
            "it is nested {levels} levels deep, and {MOST} are possible"
        )));
    }
    let no_thread = |why: &dyn std::fmt::Display| {
        Malformed(format!(
            "there is no thread with the stack for {levels} levels: {why}"
        ))
    };
    let lower = || lower::function(name, source, functions);
    stack::with_bytes(format!("skel builds {name}"), levels * LEVEL_BYTES, lower)
        .map_err(|error| no_thread(&error))?
}

/// How deep the walk of a text recurses, at most: lists lie in each other, and so do what becomes of the arms of a
/// `match`, and of the alternatives of a pattern.
fn levels(text: &str) -> usize {
    // Of each open list, how many parts it has so far that lie in each other, and whether all of them do.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let (mut level, mut deepest) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        let begins = |head: &[u8]| text.as_bytes()[at..].starts_with(head);
        match byte {
            b'(' => {
                if let Some((parts, all)) = open.last_mut()
                    && (*all || begins(b"(arm "))
                {
                    *parts += 1;
                    level += 1;
                }
                open.push((0, begins(b"(or ")));
                level += 1;
                deepest = deepest.max(level);
            }
            b')' => level -= open.pop().map_or(0, |(parts, _)| parts + 1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn arms_lie_in_each_other_and_lists_beside_each_other() {
        assert_eq!(levels("(a (b) (c (d)) (e))"), 3);
        assert_eq!(levels("(match x (arm a) (arm b) (arm c))"), 5);
        assert_eq!(
            levels("(bl (match x (arm a) (arm b)) (match x (arm (c))))"),
            5
        );
        assert_eq!(levels("(a (or (b) (b) (b)) (c))"), 6);
        assert_eq!(levels(")))("), 1);
    }

    #[test]
    fn what_is_nested_beyond_all_measure_is_refused() {
        let deep = format!("{}{}", "(".repeat(MOST + 1), ")".repeat(MOST + 1));
        let source = Source {
            file: "here.rs",
            params: Vec::new(),
            ret: crate::ir::Ty::Unit,
            fast_math: false,
            mathematics: crate::ir::build::NO_MATHEMATICS,
            text: deep.leak(),
            types: Vec::new(),
            constants: Vec::new(),
            imps: Vec::new(),
            messages: Vec::new(),
        };
        let Err(Malformed(message)) = function("f", &source, &[]) else {
            panic!("it is lowered");
        };
        assert!(message.contains("8193 levels"), "{message}");
    }
}
