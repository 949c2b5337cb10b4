//! What the functions show, all told: a generator that leaves something out finds nothing there.

use super::{case, methods};
use std::collections::{BTreeMap, BTreeSet};

/// Functions within which everything is seen.
const ENOUGH: u64 = 1500;

const CONSTRUCTS: &[&str] = &[
    "call with an implementor",
    "draw",
    "for a view",
    "for copied",
    "for enumerate",
    "for iter",
    "function of Self",
    "function of a trait",
    "function over a trait",
    "generator parameter",
    "generic impl",
    "generic impl of an operator",
    "generic method",
    "generic struct",
    "impl of a trait",
    "inner function",
    "method of Self",
    "method of a trait",
    "trait",
    "call with a line",
    "element of a line",
    "for a line",
    "for a line reversed",
    "function of a line",
    "function of a line that is read",
    "function of a view",
    "index along a line",
    "line parameter",
    "line passed on",
    "read line parameter",
    "sweep parameter",
    "view parameter",
    "view passed on",
    "!=",
    "%",
    "%=",
    "&",
    "&&",
    "&=",
    "&mut parameter",
    "*",
    "*=",
    "+",
    "+=",
    "-",
    "-=",
    "/",
    "/=",
    "<",
    "<<",
    "<<=",
    "<=",
    "==",
    ">",
    ">=",
    ">>",
    ">>=",
    "From",
    "^",
    "^=",
    "arm",
    "arm block",
    "arms",
    "array",
    "array of one value",
    "assert!",
    "assert_eq!",
    "assert_ne!",
    "assignment",
    "assignment to a part",
    "assignment to a tuple",
    "associated call",
    "associated function",
    "block",
    "block value",
    "bool literal",
    "break",
    "break label",
    "break label value",
    "break value",
    "call",
    "call of a type parameter",
    "call with &mut",
    "call with a constant",
    "call with a function",
    "cast",
    "cast of an enum",
    "const generic function",
    "const item",
    "const table",
    "constant of std",
    "continue",
    "continue label",
    "debug_assert!",
    "else if value",
    "entry",
    "entry with several results",
    "entry without a result",
    "enum",
    "field",
    "float literal",
    "for",
    "for computed",
    "for elements",
    "for in steps",
    "for inclusive",
    "for reversed",
    "for to the end",
    "function",
    "function of a function",
    "function with &mut",
    "generic call",
    "generic constant",
    "generic function",
    "guard",
    "if",
    "if else",
    "if jump",
    "if let",
    "if value",
    "impl",
    "impl of an operator",
    "index",
    "index parameter",
    "integer literal",
    "jump or value",
    "labelled block",
    "late let",
    "len",
    "let",
    "let _",
    "let chain",
    "let else",
    "let pattern",
    "loop",
    "loop value",
    "loop with exits",
    "match",
    "match on all variants",
    "match value",
    "matches!",
    "method call",
    "method of &mut self",
    "method of &self",
    "method of self",
    "method with &mut self",
    "named constant",
    "negation",
    "no condition",
    "no tail",
    "not",
    "open let",
    "open literal",
    "own operator",
    "own unary operator",
    "panic or value",
    "parameter",
    "parameters",
    "plain",
    "return",
    "return value",
    "shadowing",
    "static table",
    "struct",
    "struct literal",
    "struct update",
    "tuple",
    "tuple struct",
    "tuple struct literal",
    "typed let",
    "uniform",
    "value or jump",
    "variable",
    "variant",
    "while",
    "while let",
    "|",
    "|=",
    "||",
];

fn counts(functions: u64) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for index in 0..functions {
        for item in &case(1, index).items {
            item.count(&mut counts);
        }
    }
    counts
}

#[test]
fn every_construct_is_generated() {
    let seen: BTreeSet<&str> = counts(ENOUGH).into_keys().collect();
    let known: BTreeSet<&str> = CONSTRUCTS.iter().copied().chain(methods::names()).collect();
    let missing: Vec<_> = known.difference(&seen).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
    let unknown: Vec<_> = seen.difference(&known).collect();
    assert!(unknown.is_empty(), "not in the list: {unknown:?}");
}

/// The methods that the language's page lists.
fn listed() -> BTreeSet<String> {
    let page = crate::cmd::root().join("docs/language.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, methods) = page.split_once("\n## Methods\n").unwrap();
    let (methods, _) = methods.split_once("\n## ").unwrap();
    let rows = methods.lines().filter(|line| line.starts_with("| "));
    // What stands between back-ticks, but calls and types.
    let quoted = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let words = quoted.filter(|quoted| !quoted.contains(['(', ')']));
    let words = words.flat_map(str::split_whitespace);
    let is_type = |word: &&str| matches!(*word, "f32" | "f64");
    words
        .filter(|word| !is_type(word))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_method_of_the_language_is_generated() {
    let seen = counts(ENOUGH);
    let listed = listed();
    assert!(listed.len() > 100, "{listed:?}");
    let missing = listed
        .iter()
        .filter(|name| !seen.contains_key(name.as_str()));
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

#[test]
fn a_seed_repeats_its_functions_and_no_others() {
    let text = |seed, index| case(seed, index).text();
    assert_eq!(text(7, 3), text(7, 3));
    assert_ne!(text(7, 3), text(7, 4));
    assert_ne!(text(7, 3).replace("_3", ""), text(8, 3).replace("_3", ""));
}

#[test]
fn functions_have_a_size() {
    let sizes: Vec<usize> = (0..200).map(|index| case(1, index).size()).collect();
    let largest = sizes.iter().max().copied().unwrap_or_default();
    let mean = sizes.iter().sum::<usize>() / sizes.len();
    assert!((60..=400).contains(&mean), "{mean} nodes on average");
    assert!(largest <= 3000, "{largest} nodes");
}
