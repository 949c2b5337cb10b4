//! Generated code as a tree: text with holes. Printing, counting and shrinking need no more.

use super::types::Ty;
use std::collections::BTreeMap;

/// A piece of code.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) sort: Sort,
    /// What it shows, for the statistics.
    pub(super) construct: &'static str,
    pub(super) parts: Vec<Part>,
}

/// What may stand in its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sort {
    /// A value of this type.
    Expr(Ty),
    /// A statement of a block.
    Stmt,
    /// Anything that stays as it is.
    Fixed,
}

/// A part of a piece of code.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(String),
    Node(Box<Node>),
    /// Each of these can be left out, as far as grammar goes.
    List(Vec<Node>),
}

impl From<Node> for Part {
    fn from(node: Node) -> Part {
        Part::Node(Box::new(node))
    }
}

impl From<Vec<Node>> for Part {
    fn from(list: Vec<Node>) -> Part {
        Part::List(list)
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_owned())
    }
}

/// A node from a template in which each `$` is the next of `holes`.
macro_rules! node {
    ($sort:expr, $construct:expr, $template:expr $(, $hole:expr)* $(,)?) => {
        $crate::fuzz::tree::Node::new($sort, $construct, $template, vec![$($crate::fuzz::tree::Part::from($hole)),*])
    };
}
pub(super) use node;

impl Node {
    /// See [`node!`].
    pub(super) fn new(
        sort: Sort,
        construct: &'static str,
        template: &str,
        holes: Vec<Part>,
    ) -> Node {
        let mut parts = Vec::with_capacity(2 * holes.len() + 1);
        let mut texts = template.split('$');
        parts.extend(texts.next().map(Part::from));
        let mut holes = holes.into_iter();
        for text in texts {
            parts.extend(holes.next());
            parts.push(text.into());
        }
        debug_assert!(holes.next().is_none(), "`{template}` has too few holes");
        Node {
            sort,
            construct,
            parts,
        }
    }

    /// The source text.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Node(node) => node.write(out),
                Part::List(list) => {
                    for node in list {
                        node.write(out);
                        out.push('\n');
                    }
                }
            }
        }
    }

    /// The nodes directly below.
    pub(super) fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().flat_map(|part| match part {
            Part::Text(_) => &[],
            Part::Node(node) => std::slice::from_ref(&**node),
            Part::List(list) => list.as_slice(),
        })
    }

    /// The same, to be changed.
    pub(super) fn children_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.parts.iter_mut().flat_map(|part| match part {
            Part::Text(_) => &mut [],
            Part::Node(node) => std::slice::from_mut(&mut **node),
            Part::List(list) => list.as_mut_slice(),
        })
    }

    /// How many nodes it has, itself included.
    pub(super) fn size(&self) -> usize {
        1 + self.children().map(Node::size).sum::<usize>()
    }

    /// Counts what it shows.
    pub(super) fn count(&self, counts: &mut BTreeMap<&'static str, usize>) {
        *counts.entry(self.construct).or_default() += 1;
        for child in self.children() {
            child.count(counts);
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn holes_are_filled_in_order() {
        let leaf = |text: &str| node!(Sort::Fixed, "leaf", text);
        let list = vec![leaf("x;"), leaf("y;")];
        let tree = node!(Sort::Fixed, "tree", "{ $$ }", list, leaf("z"));
        assert_eq!(tree.text(), "{ x;\ny;\nz }");
        assert_eq!(tree.size(), 4);
        let mut counts = BTreeMap::new();
        tree.count(&mut counts);
        assert_eq!(counts["leaf"], 3);
    }
}
