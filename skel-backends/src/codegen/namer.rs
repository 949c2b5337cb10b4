//! Names that no language reserves and that cannot meet.
//!
//! Every name ends in an underscore and a number, which no keyword, builtin or helper of any
//! dialect does; so there is no table of reserved words to keep. Numbers, not names, tell things
//! apart: Rust names repeat (shadowing, instances of generic functions).

use skel_core::ir::{FnId, LocalId};

/// A local variable or parameter.
#[must_use]
pub fn local(name: &str, id: LocalId) -> String {
    format!("{}_{}", ascii(name), id.0)
}

/// A function.
#[must_use]
pub fn function(name: &str, id: FnId) -> String {
    format!("{}_f{}", ascii(name), id.0)
}

/// A struct type, by its number in the order of first use.
#[must_use]
pub fn structure(name: &str, number: usize) -> String {
    format!("{}_s{number}", ascii(name))
}

/// A field of a struct, by its position.
#[must_use]
pub fn field(name: &str, position: usize) -> String {
    format!("{}_{position}", ascii(name))
}

/// The name in letters, digits and inner underscores that every language takes.
fn ascii(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphabetic() || !out.is_empty() && (c.is_ascii_digit() || c == '_') {
            out.push(c);
        } else if c == '_' {
            out.push_str("x_");
        } else if c.is_ascii_digit() {
            out.push('x');
            out.push(c);
        } else {
            out.push_str(&format!("u{:x}", c as u32));
        }
    }
    out
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn names_are_plain_and_never_reserved() {
        assert_eq!(local("filter", LocalId(3)), "filter_3");
        assert_eq!(local("_unused", LocalId(0)), "x_unused_0");
        assert_eq!(local("r#type", LocalId(1)), "type_1");
        assert_eq!(local("größe", LocalId(2)), "gruf6udfe_2");
        assert_eq!(field("0", 0), "x0_0");
    }

    #[test]
    fn locals_and_functions_never_meet() {
        assert_ne!(local("k_f3", LocalId(1)), function("k", FnId(3)));
        assert_ne!(local("k", LocalId(3)), function("k", FnId(3)));
    }
}
