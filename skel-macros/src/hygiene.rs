//! What the macros write names nothing that a user could have given another meaning: no name but those of
//! the input, names below `__skel`, and names that the output declares itself.

use crate::golden;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::{collections::BTreeSet, fs, path::Path};

/// What the output declares, or what the traits and structs it fills in call their parts.
const OWN: [&str; 38] = [
    "At",
    "CHECK",
    "COMMUTATIVE",
    "FIELDS",
    "HAS_LANES",
    "IS_SCALAR",
    "LANES_MAY_GUESS",
    "NAME",
    "Output",
    "PARTIAL_EQ_MUST_BE_DERIVED",
    "Value",
    "at",
    "call",
    "constants",
    "cuda",
    "fast_math",
    "file",
    "from_value",
    "imps",
    "ir",
    "lanes",
    "mathematics",
    "messages",
    "params",
    "pure",
    "random",
    "ret",
    "shape",
    "text",
    "to_value",
    "ty",
    "types",
    "wgsl",
    // Of a closure's instance, and of the callees of methods.
    "map",
    "reduce",
    "map_reduce",
    "_",
    // What `cfg!` asks for.
    "debug_assertions",
];

const KEYWORDS: [&str; 32] = [
    "Self", "as", "break", "const", "continue", "else", "enum", "false", "fn", "for", "if", "impl",
    "dyn", "in", "let", "loop", "match", "move", "mut", "pub", "ref", "return", "self", "static",
    "struct", "trait", "true", "type", "unsafe", "use", "where", "while",
];

/// All words.
fn words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => _ = found.insert(name.to_string()),
            TokenTree::Group(group) => words(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Names that are looked up where the user is.
fn looked_up(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |k: Option<usize>, mark: char| matches!(k.and_then(|k| tokens.get(k)), Some(TokenTree::Punct(p)) if p.as_char() == mark);
    for (k, token) in tokens.iter().enumerate() {
        let before = |n: usize| k.checked_sub(n);
        match token {
            TokenTree::Group(group) => {
                // Attributes are the compiler's.
                let attribute = group.delimiter() == Delimiter::Bracket && is(before(1), '#');
                if !attribute {
                    looked_up(group.stream(), found);
                }
            }
            TokenTree::Ident(name) => {
                let path = is(before(1), ':') && is(before(2), ':');
                let of = before(3).map(|k| &tokens[k]);
                let absolute = path
                    && !matches!(of, Some(TokenTree::Ident(_)))
                    && !matches!(of, Some(TokenTree::Punct(p)) if p.as_char() == '>');
                let member = is(before(1), '.') || is(before(1), '\'');
                if absolute {
                    found.insert(format!("::{name}"));
                } else if !path && !member {
                    found.insert(name.to_string());
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[test]
fn nothing_is_looked_up_where_the_user_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    for entry in fs::read_dir(&folder).expect("the folder of goldens") {
        let path = entry.expect("an entry").path();
        if !path.to_str().is_some_and(|path| path.ends_with(".in.rs")) {
            continue;
        }
        let input = fs::read_to_string(&path).expect("an input");
        let output: TokenStream = golden::expanded(&input).parse().expect("tokens");
        let (mut given, mut names) = (BTreeSet::new(), BTreeSet::new());
        words(input.parse().expect("tokens"), &mut given);
        looked_up(output, &mut names);
        names.retain(|name| {
            let known = OWN.contains(&name.as_str()) || KEYWORDS.contains(&name.as_str());
            !known && !given.contains(name) && !name.starts_with("__") && name != "::skel"
        });
        // rustc's own macro for errors, by its path.
        let errs = ["errors.in.rs", "mistakes.in.rs"];
        let expected: &[&str] = match errs.iter().any(|name| path.ends_with(name)) {
            true => &["::core"],
            false => &[],
        };
        assert!(names.iter().eq(expected), "{}: {names:?}", path.display());
    }
}
