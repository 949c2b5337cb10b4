//! Smaller functions that still differ.
//!
//! Each round tries many smaller variants in one crate, so that a compiler run pays for all of them.

use super::{
    batch::{Outcome, Workspace},
    generate::{Case, plain},
    report::Line,
    tree::{Node, Part, Sort},
};
use crate::cmd::Result;
use std::collections::HashSet;

/// Variants per round.
const VARIANTS: usize = 60;
/// Rounds without an end in sight are not worth it.
const MAX_ROUNDS: usize = 60;

/// What is kept while a function shrinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It does not compile; rustc's words begin so.
    Rejected(String),
    /// This unit differs.
    Differs(String),
}

impl Fault {
    /// Whether `case` has it, after a run.
    fn is_in(&self, outcome: &Outcome, case: &Case) -> bool {
        match self {
            Fault::Rejected(why) => outcome
                .rejected
                .get(&case.name)
                .is_some_and(|said| kind(said) == *why),
            Fault::Differs(wanted) => outcome.lines.iter().any(|line| {
                matches!(line, Line::Differs { case: name, unit, .. } if *name == case.name && unit == wanted)
            }),
        }
    }
}

/// What an error says, without where.
pub(super) fn kind(error: &str) -> String {
    let text = error.split_once(": ").map_or(error, |(_, text)| text);
    // The number of the error stays; those in names differ from variant to variant.
    let (code, rest) = text.split_once(": ").unwrap_or(("", text));
    let rest = rest.chars().filter(|c| !c.is_ascii_digit());
    code.chars().chain(rest).take(60).collect()
}

/// The smallest function found that still has the fault.
pub(super) fn shrink(
    workspace: &Workspace,
    case: &Case,
    fault: &Fault,
    args: &[String],
) -> Result<Case> {
    smallest(case, |variants| {
        let all: Vec<&Case> = variants.iter().collect();
        let outcome = workspace.run(&all, VARIANTS, args)?;
        Ok(variants
            .iter()
            .position(|variant| fault.is_in(&outcome, variant)))
    })
}

/// The smallest function for which `first` finds that it is still wrong: `first` is given variants,
/// small ones first, and says which of them is the first such.
fn smallest(case: &Case, mut first: impl FnMut(&[Case]) -> Result<Option<usize>>) -> Result<Case> {
    let mut best = case.clone();
    let mut tried = HashSet::new();
    for _ in 0..MAX_ROUNDS {
        let mut variants = variants(&best);
        variants.retain(|v| !tried.contains(&v.text_without_name()));
        variants.sort_by_key(Case::size);
        if variants.is_empty() {
            break;
        }
        // The boldest and the most careful ones, in one go.
        let step = variants.len().div_ceil(VARIANTS);
        let mut chosen: Vec<Case> = variants.into_iter().step_by(step).collect();
        for (k, variant) in chosen.iter_mut().enumerate() {
            tried.insert(variant.text_without_name());
            variant.rename(&format!("{}_s{k}", stem(&case.name)));
        }
        match first(&chosen)? {
            Some(found) => best = chosen.swap_remove(found),
            None if step == 1 => break,
            None => {}
        }
    }
    best.rename(&case.name);
    Ok(best)
}

fn stem(name: &str) -> &str {
    name.split("_s").next().unwrap_or(name)
}

impl Case {
    fn rename(&mut self, to: &str) {
        let from = std::mem::replace(&mut self.name, to.to_owned());
        for item in &mut self.items {
            rename(item, &from, to);
        }
    }

    fn text_without_name(&self) -> String {
        self.text().replace(&self.name, "it")
    }
}

fn rename(node: &mut Node, from: &str, to: &str) {
    for part in &mut node.parts {
        if let Part::Text(text) = part {
            let (old, new) = (format!("fn {from}("), format!("fn {to}("));
            *text = text.replace(&old, &new);
        }
    }
    for child in node.children_mut() {
        rename(child, from, to);
    }
}

/// All functions that are one step smaller.
fn variants(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for k in 0..case.items.len() {
        let item = &case.items[k];
        if item.sort == Sort::Stmt && !used_elsewhere(case, k) {
            let mut smaller = case.clone();
            smaller.items.remove(k);
            all.push(smaller);
        }
        for item in smaller(item) {
            let mut smaller = case.clone();
            smaller.items[k] = item;
            all.push(smaller);
        }
    }
    all
}

/// Whether a later item may name this one.
fn used_elsewhere(case: &Case, k: usize) -> bool {
    let text = case.items[k].text();
    let words = |text: &str| -> HashSet<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_owned)
            .collect()
    };
    let name = ["fn ", "const ", "struct ", "enum ", "static "]
        .iter()
        .find_map(|keyword| text.split_once(keyword))
        .and_then(|(_, rest)| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
        })
        .unwrap_or_default()
        .to_owned();
    let others = case.items.iter().enumerate().filter(|(at, _)| *at != k);
    others
        .into_iter()
        .any(|(_, item)| words(&item.text()).contains(&name))
}

/// All nodes that are one step smaller.
fn smaller(node: &Node) -> Vec<Node> {
    let mut all = Vec::new();
    if let Sort::Expr(ty) = &node.sort {
        if node.size() > 1
            && let Some(leaf) = plain(ty)
        {
            all.push(leaf);
        }
        same_type(node, node, &mut all);
    }
    for (p, part) in node.parts.iter().enumerate() {
        let mut with = |part: Part| {
            let mut copy = node.clone();
            copy.parts[p] = part;
            all.push(copy);
        };
        match part {
            Part::Text(_) => {}
            Part::Node(inner) => {
                for inner in smaller(inner) {
                    with(Part::Node(Box::new(inner)));
                }
            }
            Part::List(list) => {
                for chunk in [list.len(), list.len().div_ceil(2), 1] {
                    for at in (0..list.len()).step_by(chunk.max(1)) {
                        let mut list = list.clone();
                        list.drain(at..(at + chunk).min(list.len()));
                        with(Part::List(list));
                    }
                }
                for (k, inner) in list.iter().enumerate() {
                    // What is inside of an `if` or a loop, without it.
                    let mut lists = Vec::new();
                    inner_lists(inner, &mut lists);
                    for inner in lists {
                        let mut list = list.clone();
                        list.splice(k..=k, inner.iter().cloned());
                        with(Part::List(list));
                    }
                    for inner in smaller(inner) {
                        let mut list = list.clone();
                        list[k] = inner;
                        with(Part::List(list));
                    }
                }
            }
        }
    }
    all
}

/// Statements directly inside of a statement.
fn inner_lists<'a>(node: &'a Node, lists: &mut Vec<&'a Vec<Node>>) {
    for part in &node.parts {
        if let Part::List(list) = part {
            lists.push(list);
        }
    }
}

/// Parts below `node` of the type of `whole`, the nearest ones.
fn same_type(node: &Node, whole: &Node, all: &mut Vec<Node>) {
    for child in node.children() {
        if child.sort == whole.sort {
            all.push(child.clone());
        } else {
            same_type(child, whole, all);
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::fuzz::generate;

    /// The fault of a function: that it has this word.
    fn with(word: &str) -> impl FnMut(&[Case]) -> Result<Option<usize>> {
        move |variants| Ok(variants.iter().position(|v| v.text().contains(word)))
    }

    #[test]
    fn what_does_not_matter_goes() {
        for word in ["rotate_left", "while ", " match "] {
            let case = (0..)
                .map(|index| generate::case(5, index))
                .find(|case| case.text().contains(word) && case.size() > 100);
            let case = case.unwrap_or_else(|| unreachable!("the numbers do not end"));
            let small = smallest(&case, with(word)).unwrap_or_else(|e| panic!("{e}"));
            assert!(small.text().contains(word));
            assert_eq!(small.name, case.name);
            let (before, after) = (case.size(), small.size());
            // Of large ones more remains: declarations that others name.
            let most = (before / 10).max(30);
            assert!(after < most, "{before} to {after} nodes:\n{}", small.text());
        }
    }

    #[test]
    fn variants_are_smaller_and_keep_their_braces() {
        let case = generate::case(5, 1);
        let variants = variants(&case);
        assert!(variants.len() > case.size());
        for variant in variants {
            let text = variant.text();
            let count = |c: char| text.matches(c).count();
            assert_eq!(count('{'), count('}'), "{text}");
            assert_eq!(count('('), count(')'), "{text}");
        }
    }

    #[test]
    fn errors_are_alike_without_places_and_numbers() {
        let one = kind("12:5: error[E0308]: mismatched types in f_12");
        assert_eq!(one, kind("7:99: error[E0308]: mismatched types in f_3"));
        assert_ne!(one, kind("7:99: error[E0277]: mismatched types in f_3"));
    }
}
