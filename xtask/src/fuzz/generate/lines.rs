//! Lines of containers: parameters, loops over their indices, and functions that they are passed on to.
//!
//! What rustc says of a `Vec` it says of a line: while an index into it is computed, or an argument beside it, nothing
//! names it.

use super::{
    Generator,
    function::{Callable, Form, Pass},
    scope::{Along, Var},
};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{LINE_LEN, Scalar, Ty},
};
use std::rc::Rc;

impl Generator {
    /// A parameter that is a line, and its kind. `must`: it is written.
    pub(super) fn line(&mut self, must: bool) -> (Node, String) {
        let known = self.passed_on(|ty| match ty {
            Ty::Line(elem, _) => Some(elem),
            _ => None,
        });
        let elem = known.unwrap_or_else(|| self.line_element());
        let changed = must || self.dice.percent(75);
        let (param, ty) = (self.fresh("l"), Ty::Line(elem.clone(), changed));
        self.body.declare(&param, &ty, changed);
        let (construct, kind) = match changed {
            true => ("line parameter", "EachLineMut"),
            false => ("read line parameter", "EachLine"),
        };
        let text = format!("{param}: {ty}, ");
        (
            node!(Sort::Fixed, construct, &text),
            format!("{kind}<{elem}>, "),
        )
    }

    /// The elements of what a function takes first, more often than not: what has them can be passed on to it.
    pub(super) fn passed_on(&mut self, elem: fn(&Ty) -> Option<&Rc<Ty>>) -> Option<Rc<Ty>> {
        let known = self.callables.iter().filter_map(|c| c.params.first());
        let known: Vec<Rc<Ty>> = known.filter_map(|(ty, _)| elem(ty).cloned()).collect();
        match !known.is_empty() && self.dice.percent(60) {
            true => Some(self.dice.pick(&known).clone()),
            false => None,
        }
    }

    /// What a line can be of: no device changes `usize` in place.
    fn line_element(&mut self) -> Rc<Ty> {
        let ty = (0..4)
            .map(|_| self.element_ty())
            .find(|ty| !ty.is_size() && *ty != Ty::Scalar(Scalar::Bool));
        Rc::new(ty.unwrap_or(Scalar::I32.into()))
    }

    /// Lines that can be named here.
    pub(super) fn lines(&self) -> Vec<Var> {
        let lines = self.body.visible();
        let lines = lines.filter(|var| matches!(var.ty, Ty::Line(..)));
        lines.cloned().collect()
    }

    /// The names of those that a parameter of this type takes.
    pub(super) fn lines_for(&self, wanted: &Ty) -> Vec<String> {
        let fits = |var: &Var| match (&var.ty, wanted) {
            (Ty::Line(elem, changed), Ty::Line(of, changes)) => elem == of && changed >= changes,
            _ => false,
        };
        let lines = self.body.visible().filter(|var| fits(var));
        lines.map(|var| var.name.clone()).collect()
    }

    /// An argument of this type, which nothing names from here on: its caller puts the variables back.
    pub(super) fn line_passed_on(&mut self, ty: &Ty) -> Option<Node> {
        let names = self.lines_for(ty);
        if names.is_empty() {
            return None;
        }
        let name = self.dice.pick(&names).clone();
        self.body.vars.retain(|var| var.name != name);
        Some(node!(Sort::Fixed, "line passed on", &name))
    }

    /// What is made where a variable is not to be mentioned.
    pub(super) fn without(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Node) -> Node {
        let vars = self.body.vars.clone();
        self.body.vars.retain(|var| var.name != name);
        let made = make(self);
        self.body.vars = vars;
        made
    }

    /// An index that the line most often has.
    pub(super) fn index_of_line(&mut self, line: &str, depth: usize) -> Node {
        let along = self.body.along.clone();
        if along.is_empty() || self.dice.percent(30) {
            return self.without(line, |g| g.index_below(LINE_LEN, depth));
        }
        let Along {
            counter,
            len,
            inner,
        } = self.dice.pick(&along);
        let text = match self.dice.below(14) {
            0..3 if inner.0 => format!("{counter} - 1"),
            3..6 if inner.1 => format!("{counter} + 1"),
            0 => format!("{counter}.max(1) - 1"),
            1 => format!("({counter} + 1) % {len}"),
            2 => format!("({counter} + 1).min({len} - 1)"),
            3 => format!("{len} - 1 - {counter}"),
            4 => format!("{counter} / 2"),
            5 => format!("{counter} + 1"),
            6 => format!("{counter} % {LINE_LEN}"),
            7 => format!("{len} - 1"),
            _ => counter.clone(),
        };
        let sort = Sort::Expr(Scalar::Usize.into());
        node!(sort, "index along a line", &text)
    }

    /// A loop over the indices of one of all lines.
    pub(super) fn for_lines(&mut self) -> Node {
        let lines = self.lines();
        self.for_line(&lines, 3)
    }

    /// A loop over the indices of one of these lines, upwards or downwards, with or without its ends.
    pub(super) fn for_line(&mut self, lines: &[Var], depth: usize) -> Node {
        let name = self.dice.pick(lines).name.clone();
        let (len, counter) = (self.fresh("n"), self.fresh("j"));
        let inner = (self.dice.percent(50), self.dice.percent(50));
        let first = usize::from(inner.0);
        let range = match (inner.1, self.dice.percent(15)) {
            (true, true) => format!("{first}..={len} - 2"),
            (true, false) => format!("{first}..{len} - 1"),
            (false, true) => format!("{first}..={len} - 1"),
            (false, false) => format!("{first}..{len}"),
        };
        let (construct, range) = match self.dice.percent(40) {
            true => ("for a line reversed", format!("({range}).rev()")),
            false => ("for a line", range),
        };
        let usize_ty = Scalar::Usize.into();
        self.body.declare_counter(&len, &usize_ty);
        self.body.along.push(Along {
            counter: counter.clone(),
            len: len.clone(),
            inner,
        });
        // Elements are read and written more often than by chance.
        let outer = self.body.vars.len();
        self.body.declare_counter(&counter, &usize_ty);
        let step = self.step_along(depth);
        self.body.vars.truncate(outer);
        let (label, mut body) = self.in_loop(LINE_LEN, &counter, &usize_ty, depth);
        body.splice(0..0, step);
        self.body.along.pop();
        let template = format!("let {len} = {name}.len(); {label}for {counter} in {range} {{ $ }}");
        node!(Sort::Stmt, construct, &template, body)
    }

    /// What a recurrence does: an element, or a part of one, from others.
    fn step_along(&mut self, depth: usize) -> Option<Node> {
        let mut vars = self.lines();
        vars.retain(|var| var.mutable);
        if vars.is_empty() {
            return None;
        }
        let all = std::mem::replace(&mut self.body.vars, vars);
        let scalar = |ty: &Ty| matches!(ty, Ty::Scalar(_));
        let place = self.place(&scalar, depth.min(2));
        self.body.vars = all;
        let (_, place, mut holes, ty) = place?;
        self.body.rounds *= LINE_LEN as u64;
        let value = match self.part(&ty, depth.min(2)) {
            Some(part) if self.dice.percent(50) => part,
            _ => self.expr(&ty, depth.min(3), true),
        };
        self.body.rounds /= LINE_LEN as u64;
        holes.push(value.into());
        let is_number = ty != Ty::Scalar(Scalar::Bool);
        let (construct, operator) = match is_number && self.dice.percent(50) {
            true => *self.dice.pick(&[("+=", "+="), ("-=", "-="), ("*=", "*=")]),
            false => ("assignment to a part", "="),
        };
        let template = format!("{place} {operator} $;");
        Some(Node::new(Sort::Stmt, construct, &template, holes))
    }

    /// A function that takes a line, and perhaps changes it.
    pub(super) fn function_of_a_line(&mut self) {
        let changes = self.dice.percent(60);
        let mut params = vec![(Ty::Line(self.line_element(), changes), Pass::Value)];
        params.extend(self.some_params(2));
        let ret = match changes && self.dice.percent(30) {
            true => Ty::Unit,
            false => self.any_ty(),
        };
        let construct = match changes {
            true => "function of a line",
            false => "function of a line that is read",
        };
        let callable = self.function(construct, "", params, ret);
        self.callables.push(callable);
    }

    /// A statement that calls a function which changes a line.
    pub(super) fn call_with_line(&mut self, depth: usize) -> Option<Node> {
        let takes = |c: &&Callable| matches!(c.params.first(), Some((Ty::Line(_, true), _)));
        let found = self.callables.iter().filter(takes);
        let found = found.filter(|c| self.body.affords(c.cost));
        let found = found.filter(|c| !self.lines_for(&c.params[0].0).is_empty());
        let found: Vec<Callable> = found.cloned().collect();
        if found.is_empty() {
            return None;
        }
        let callee = self.dice.pick(&found).clone();
        debug_assert_eq!(callee.form, Form::Path);
        self.body.cost += self.body.rounds * callee.cost;
        let vars = self.body.vars.clone();
        let mut holes = vec![self.line_passed_on(&callee.params[0].0)?.into()];
        for (ty, _) in &callee.params[1..] {
            holes.push(self.expr(ty, depth.min(3) - 1, true).into());
        }
        self.body.vars = vars;
        let args = vec!["$"; holes.len()].join(", ");
        let call = format!("{}({args});", callee.name);
        if callee.ret == Ty::Unit || self.dice.percent(30) {
            return Some(Node::new(Sort::Stmt, "call with a line", &call, holes));
        }
        let name = self.fresh("v");
        let kept = format!("let {name} = {call}");
        let node = Node::new(Sort::Stmt, "call with a line", &kept, holes);
        self.body.declare(&name, &callee.ret, false);
        Some(node)
    }
}
