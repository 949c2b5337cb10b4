//! Reads the text of a function: S-expressions, in which an atom `@7` says that what follows stands
//! in line 7.

use super::lower::Malformed;

/// A part of the text, and the source line it stands for.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: u32,
    pub(super) kind: NodeKind,
}

#[derive(Debug)]
pub(super) enum NodeKind {
    Atom(&'static str),
    List(Vec<Node>),
}

impl Node {
    /// The word that says what a list is; of an atom, the atom itself.
    pub(super) fn head(&self) -> &'static str {
        match &self.kind {
            NodeKind::Atom(atom) => atom,
            NodeKind::List(parts) => parts.first().map_or("", |first| first.atom()),
        }
    }

    /// The atom; "" for lists.
    pub(super) fn atom(&self) -> &'static str {
        match &self.kind {
            NodeKind::Atom(atom) => atom,
            NodeKind::List(_) => "",
        }
    }

    /// The parts of a list after its head; none of an atom.
    pub(super) fn rest(&self) -> &[Node] {
        match &self.kind {
            NodeKind::Atom(_) => &[],
            NodeKind::List(parts) => parts.get(1..).unwrap_or(&[]),
        }
    }

    /// All parts of a list.
    pub(super) fn parts(&self) -> &[Node] {
        match &self.kind {
            NodeKind::Atom(_) => &[],
            NodeKind::List(parts) => parts,
        }
    }

    /// Part `k` after the head.
    pub(super) fn part(&self, k: usize) -> Result<&Node, Malformed> {
        self.rest()
            .get(k)
            .ok_or_else(|| Malformed(format!("`{}` lacks part {k}", self.head())))
    }

    /// The number that part `k` after the head is.
    pub(super) fn number(&self, k: usize) -> Result<usize, Malformed> {
        let atom = self.part(k)?.atom();
        atom.parse()
            .map_err(|_| Malformed(format!("`{}`: `{atom}` is no number", self.head())))
    }
}

/// Reads one S-expression.
pub(super) fn read(text: &'static str) -> Result<Node, Malformed> {
    let mut open: Vec<(u32, Vec<Node>)> = Vec::new();
    let mut line = 0;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(' ');
        let node = match rest.as_bytes().first() {
            None => return Err(Malformed("the text ends early".into())),
            Some(b'(') => {
                open.push((line, Vec::new()));
                rest = &rest[1..];
                continue;
            }
            Some(b')') => {
                rest = &rest[1..];
                let Some((line, parts)) = open.pop() else {
                    return Err(Malformed("a `)` too many".into()));
                };
                Node {
                    line,
                    kind: NodeKind::List(parts),
                }
            }
            Some(_) => {
                let end = rest.find([' ', '(', ')']).unwrap_or(rest.len());
                let (atom, after) = rest.split_at(end);
                rest = after;
                if let Some(number) = atom.strip_prefix('@') {
                    line = number
                        .parse()
                        .map_err(|_| Malformed(format!("`{atom}` is no line")))?;
                    continue;
                }
                Node {
                    line,
                    kind: NodeKind::Atom(atom),
                }
            }
        };
        match open.last_mut() {
            Some((_, parts)) => parts.push(node),
            None if rest.trim().is_empty() => return Ok(node),
            None => return Err(Malformed("the text goes on after its end".into())),
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn lines_hold_until_the_next_one() {
        let node = read("(a @3 (b c) @5 (d) e)").unwrap();
        assert_eq!(node.line, 0);
        assert_eq!(node.head(), "a");
        let lines: Vec<_> = node.rest().iter().map(|n| (n.head(), n.line)).collect();
        assert_eq!(lines, [("b", 3), ("d", 5), ("e", 5)]);
    }

    #[test]
    fn a_text_that_is_not_one_expression_is_refused() {
        for bad in ["", "(a", "a)", "(a) (b)", "(a @x)"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
