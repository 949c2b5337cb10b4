//! Operators and methods of the structs.

use super::{
    Generator,
    function::{Callable, Form, Pass},
    scope::{Scope, Var},
};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::Ty,
};

/// An operator that a struct has.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    pub(super) symbol: &'static str,
    pub(super) left: Ty,
    /// Unary ones have none.
    pub(super) right: Option<Ty>,
    pub(super) ret: Ty,
    pub(super) cost: u64,
}

const BINARY: [(&str, &str, &str); 6] = [
    ("+", "Add", "add"),
    ("-", "Sub", "sub"),
    ("*", "Mul", "mul"),
    ("/", "Div", "div"),
    ("&", "BitAnd", "bitand"),
    ("^", "BitXor", "bitxor"),
];

impl Generator {
    /// Blocks of methods and operators for the structs of the pool.
    pub(super) fn implementations(&mut self) {
        let structs: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| matches!(ty, Ty::Struct(_)))
            .cloned()
            .collect();
        for ty in structs {
            if self.dice.percent(60) {
                self.own_methods(&ty);
            }
            if self.dice.percent(50) {
                self.binary_operator(&ty);
            }
            if self.dice.percent(25) {
                self.unary_operator(&ty);
            }
        }
    }

    /// A function of an `impl` block: its node, and what a call of it needs. `receiver` is what
    /// stands for `self`.
    pub(super) fn member(
        &mut self,
        own: &Ty,
        name: &str,
        receiver: &str,
        params: Vec<(Ty, Pass)>,
        ret: &Ty,
    ) -> (Node, u64) {
        self.body = Scope::new(ret.clone(), 30);
        if !receiver.is_empty() {
            let by_reference = receiver.starts_with('&');
            self.body.vars.push(Var {
                name: "self".into(),
                ty: own.clone(),
                place: if by_reference {
                    "*self".into()
                } else {
                    "self".into()
                },
                mutable: receiver == "&mut self",
                counter: true,
            });
        }
        let list = self.declared(&params);
        let (statements, tail) = self.body(ret, 3);
        let comma = if receiver.is_empty() { "" } else { ", " };
        let template = format!("fn {name}({receiver}{comma}{list}) -> {ret} {{ $$ }}\n");
        let construct = match receiver {
            "" => "associated function",
            "self" => "method of self",
            "&self" => "method of &self",
            _ => "method of &mut self",
        };
        let node = node!(Sort::Fixed, construct, &template, statements, tail);
        (node, self.body.cost)
    }

    fn own_methods(&mut self, ty: &Ty) {
        let mut members = Vec::new();
        let mut callables = Vec::new();
        for _ in 0..self.dice.range(1, 3) {
            let name = self.fresh("m");
            let receiver = *self.dice.pick(&["", "self", "&self", "&mut self"]);
            let params = self.some_params(2);
            let ret = match receiver {
                "" => ty.clone(),
                "&mut self" if self.dice.percent(50) => Ty::Unit,
                _ => self.any_ty(),
            };
            let (node, cost) = self.member(ty, &name, receiver, params.clone(), &ret);
            members.push(node);
            let mut all = params;
            let own = match receiver {
                "" => None,
                "&mut self" => Some((ty.clone(), Pass::Mutable)),
                _ => Some((ty.clone(), Pass::Inferred)),
            };
            let is_method = own.is_some();
            all.splice(0..0, own);
            callables.push(Callable {
                name: if is_method {
                    name
                } else {
                    format!("{ty}::{name}")
                },
                construct: if is_method {
                    "method call"
                } else {
                    "associated call"
                },
                form: if is_method { Form::Method } else { Form::Path },
                params: all,
                ret,
                instances: Vec::new(),
                constant: None,
                function: None,
                plain: false,
                cost,
            });
        }
        let template = format!(
            "#[user_function]\nimpl {ty} {{ {} }}",
            "$".repeat(members.len())
        );
        let members = members.into_iter().map(Into::into).collect();
        self.items
            .push(Node::new(Sort::Stmt, "impl", &template, members));
        self.callables.extend(callables);
    }

    fn binary_operator(&mut self, ty: &Ty) {
        let (symbol, name, function) = *self.dice.pick(&BINARY);
        let right = match self.dice.percent(60) {
            true => ty.clone(),
            false => self.any_number(),
        };
        if !self.impls.claim(name, ty, Some(&right)) {
            return;
        }
        let ret = match self.dice.percent(70) {
            true => ty.clone(),
            false => self.any_ty(),
        };
        let params = vec![(right.clone(), Pass::Value)];
        let (member, cost) = self.member(ty, function, "self", params, &ret);
        let template = format!(
            "#[user_function]\nimpl std::ops::{name}<{right}> for {ty} {{ type Output = {ret}; $ }}"
        );
        self.items
            .push(node!(Sort::Stmt, "impl of an operator", &template, member));
        self.operators.push(Operator {
            symbol,
            left: ty.clone(),
            right: Some(right),
            ret,
            cost,
        });
    }

    fn unary_operator(&mut self, ty: &Ty) {
        let (symbol, name, function) = *self.dice.pick(&[("-", "Neg", "neg"), ("!", "Not", "not")]);
        if !self.impls.claim(name, ty, None) {
            return;
        }
        let (member, cost) = self.member(ty, function, "self", Vec::new(), ty);
        let template =
            format!("#[user_function]\nimpl std::ops::{name} for {ty} {{ type Output = {ty}; $ }}");
        self.items
            .push(node!(Sort::Stmt, "impl of an operator", &template, member));
        self.operators.push(Operator {
            symbol,
            left: ty.clone(),
            right: None,
            ret: ty.clone(),
            cost,
        });
    }
}
