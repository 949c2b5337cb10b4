//! What rustc has to find out by itself: which `impl` is meant. None may overlap another; and where one is
//! chosen by the type of an argument, that argument is an expression that is not `forced`, which has its type
//! of itself: no way out of it is an open literal, and one at least is no jump.

use crate::fuzz::types::Ty;

/// All `impl`s of traits of a case. What is not claimed here is not written.
#[derive(Debug, Default)]
pub(super) struct Impls(Vec<(String, Ty, Option<Ty>)>);

impl Impls {
    /// Whether `impl of<with> for ty` is possible beside those there are; then it is one of them. A
    /// generic `impl` claims the one instance of its type that is ever named.
    pub(super) fn claim(&mut self, of: &str, ty: &Ty, with: Option<&Ty>) -> bool {
        let wanted = (of.to_owned(), ty.clone(), with.cloned());
        let is_new = !self.0.contains(&wanted);
        if is_new {
            self.0.push(wanted);
        }
        is_new
    }
}

#[cfg(test)]
mod test {
    use crate::fuzz::{
        generate::{case, function::names},
        tree::Node,
    };
    use std::collections::HashSet;

    /// Literals without a type where the type decides which `impl` is meant.
    fn open_arguments(node: &Node, found: &mut Vec<String>) {
        const DECIDED: [&str; 7] = [
            "call with an implementor",
            "method of a trait",
            "method call",
            "generic method",
            "own operator",
            "own unary operator",
            "rotate_left",
        ];
        if DECIDED.contains(&node.construct)
            && let Some(first) = node.children().next()
            && first.construct == "open literal"
        {
            found.push(node.text());
        }
        node.children()
            .for_each(|child| open_arguments(child, found));
    }

    /// Matches whose arms all jump: their type is `!`, which has no operators and no methods.
    fn without_a_value(node: &Node, found: &mut Vec<String>) {
        const JUMPS: [&str; 6] = [
            "return value",
            "break value",
            "break label value",
            "break",
            "continue",
            "continue label",
        ];
        if ["match value", "match on all variants"].contains(&node.construct) {
            let mut values = Vec::new();
            for arm in node.children().skip(1) {
                let all: Vec<&Node> = arm.children().collect();
                match arm.construct {
                    "arms" => values.extend(all),
                    _ => values.extend(all.last()),
                }
            }
            if values.iter().all(|value| JUMPS.contains(&value.construct)) {
                found.push(node.text());
            }
        }
        node.children()
            .for_each(|child| without_a_value(child, found));
    }

    #[test]
    fn what_decides_an_implementation_has_its_type_of_itself() {
        for index in 0..3000 {
            let case = case(5_550_123, index);
            let mut open = Vec::new();
            case.items
                .iter()
                .for_each(|item| open_arguments(item, &mut open));
            case.items
                .iter()
                .for_each(|item| without_a_value(item, &mut open));
            assert!(open.is_empty(), "{}: {open:?}", case.name);
        }
    }

    /// Receivers that an argument may change while they are borrowed; and those that are copied therefore.
    fn lent_receivers(node: &Node, found: &mut Vec<String>, copied: &mut usize) {
        const METHODS: [&str; 3] = ["method call", "generic method", "method of a trait"];
        let mut children = node.children();
        if METHODS.contains(&node.construct)
            && let Some(receiver) = children.next().map(Node::text)
            && children.any(|arg| arg.text().contains(';') && names(&arg.text(), &receiver))
        {
            match node.text().starts_with("({") {
                true => *copied += 1,
                false => found.push(node.text()),
            }
        }
        node.children()
            .for_each(|child| lent_receivers(child, found, copied));
    }

    #[test]
    fn what_an_argument_changes_is_not_borrowed_by_the_receiver() {
        let (mut found, mut copied) = (Vec::new(), 0);
        for index in 0..3000 {
            let case = case(24_112_601, index);
            case.items
                .iter()
                .for_each(|item| lent_receivers(item, &mut found, &mut copied));
        }
        assert!(found.is_empty(), "{found:?}");
        assert!(copied > 0, "the test has seen no such receiver");
    }

    /// `Sub<G1_9A> for G1_9A` of an item that is an `impl` of a trait; of a generic one, of its instance.
    fn header(item: &Node) -> Option<String> {
        let text = item.text();
        let text = text.strip_prefix("#[user_function]\nimpl")?;
        let (header, _) = text.split_once(" {")?;
        let Some(generic) = header.strip_prefix("<T: Number> ") else {
            return header.contains(" for ").then(|| header.trim().to_owned());
        };
        let (of, name) = generic.split_once(" for ")?;
        let alias = format!("{}A", name.strip_suffix("<T>")?);
        Some(format!("{} for {alias}", of.replace("Self", &alias)))
    }

    #[test]
    fn no_two_implementations_overlap() {
        let mut generic = 0;
        for index in 0..3000 {
            let case = case(5_550_123, index);
            let headers: Vec<String> = case.items.iter().filter_map(header).collect();
            let different: HashSet<&String> = headers.iter().collect();
            assert_eq!(different.len(), headers.len(), "{}: {headers:?}", case.name);
            generic += usize::from(headers.iter().any(|h| h.starts_with("std::ops::Sub<G")));
        }
        assert!(
            generic > 10,
            "the test has seen generic operators: {generic}"
        );
    }
}
