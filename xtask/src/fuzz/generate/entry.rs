//! The function that is compared, with parameters of all kinds.

use super::{
    Case, Generator,
    function::{Callable, Form},
    scope::{Scope, Var},
};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

impl Generator {
    /// The function that is compared.
    pub(super) fn entry(mut self) -> Case {
        let name = format!("f_{}", self.number);
        let lines = match self.dice.percent(12) {
            true => self.dice.range(1, 3),
            false => 0,
        };
        let changed = self.dice.percent(if lines > 0 { 10 } else { 30 });
        let ret = match (changed || lines > 0) && self.dice.percent(50) {
            true => Ty::Unit,
            // Several outputs.
            false if self.dice.percent(12) => {
                Ty::Tuple([self.element_ty(), self.element_ty()].into())
            }
            false => self.element_ty(),
        };
        self.body = Scope::new(ret.clone(), 120);
        let (mut list, mut kinds) = (Vec::new(), String::new());
        if self.dice.percent(15) {
            list.push(self.index());
        }
        if lines > 0 {
            for k in 0..lines {
                // Something has to come of it.
                let (param, kind) = self.line(k == 0 && ret == Ty::Unit);
                list.push(param);
                kinds.push_str(&kind);
            }
        } else if self.dice.percent(8) {
            let (param, kind) = self.sweep();
            list.push(param);
            kinds.push_str(&kind);
        }
        let callables = self.callables.clone();
        if self.dice.percent(10) {
            list.push(self.generator());
        }
        // Five, and what is no argument, is what the harness takes.
        for k in 0..self.dice.range(1, 4.min(5 - lines)) {
            let mut ty = self.element_ty();
            let param = self.fresh("a");
            let way = match k {
                0 if changed => 0,
                _ => self.dice.below(5),
            };
            // No device changes `usize` in place.
            if way == 0 && ty.is_size() {
                ty = Scalar::I32.into();
            }
            list.push(match way {
                0 if changed => {
                    kinds.push_str(&format!("EachMut<{ty}>, "));
                    self.declare_reference(&param, &ty);
                    node!(
                        Sort::Fixed,
                        "&mut parameter",
                        &format!("{param}: &mut {ty}, ")
                    )
                }
                1 if self.dice.percent(50) => {
                    let known = self.passed_on(|ty| match ty {
                        Ty::View(elem) => Some(elem),
                        _ => None,
                    });
                    let elem = known.unwrap_or_else(|| self.view_ty());
                    kinds.push_str(&format!("Whole<{elem}>, "));
                    let text = format!("{param}: &[{elem}], ");
                    self.body.declare(&param, &Ty::View(elem), false);
                    node!(Sort::Fixed, "view parameter", &text)
                }
                1 => {
                    kinds.push_str(&format!("Uniform<{ty}>, "));
                    self.body.declare(&param, &ty, false);
                    node!(
                        Sort::Fixed,
                        "uniform",
                        &format!("#[uniform] {param}: {ty}, ")
                    )
                }
                _ => {
                    kinds.push_str(&format!("Each<{ty}>, "));
                    let mutable = self.dice.percent(20);
                    self.body.declare(&param, &ty, mutable);
                    let word = if mutable { "mut " } else { "" };
                    node!(Sort::Fixed, "parameter", &format!("{word}{param}: {ty}, "))
                }
            });
        }
        let along = match lines > 0 && self.dice.percent(60) {
            true => Some(self.for_lines()),
            false => None,
        };
        let (mut statements, tail) = self.body(&ret, 7);
        statements.splice(0..0, along);
        self.callables = callables;
        let holes = "$".repeat(list.len());
        let list = list.into_iter().map(Into::into).collect();
        let list = Node::new(Sort::Fixed, "parameters", &holes, list);
        let (construct, arrow) = match ret {
            Ty::Unit => ("entry without a result", String::new()),
            Ty::Tuple(_) => ("entry with several results", format!(" -> {ret}")),
            ref ret => ("entry", format!(" -> {ret}")),
        };
        let template = format!("#[user_function]\nfn {name}($){arrow} {{ $$ }}");
        self.items.push(node!(
            Sort::Fixed,
            construct,
            &template,
            list,
            statements,
            tail
        ));
        Case {
            name,
            items: self.items,
            kinds,
        }
    }

    /// A generator of random numbers, and what is drawn from it.
    fn generator(&mut self) -> Node {
        let param = self.fresh("rng");
        for (method, ret) in [
            ("next_u32", Scalar::U32),
            ("uniform_f32", Scalar::F32),
            ("uniform_f64", Scalar::F64),
        ] {
            self.callables.push(Callable {
                name: format!("{param}.{method}"),
                construct: "draw",
                form: Form::Path,
                params: Vec::new(),
                ret: ret.into(),
                instances: Vec::new(),
                constant: None,
                function: None,
                plain: false,
                cost: 60,
            });
        }
        let text = format!("{param}: &mut Random, ");
        node!(Sort::Fixed, "generator parameter", &text)
    }

    /// What an element of a sweep sees, by all offsets, which are literals; and its kind.
    fn sweep(&mut self) -> (Node, String) {
        // Of scalars: what is around an element is made of random bits, which not every enum has.
        let scalar = (0..8)
            .map(|_| self.element_ty())
            .find(|ty| matches!(ty, Ty::Scalar(_)));
        let (param, ty) = (self.fresh("w"), scalar.unwrap_or(Scalar::I32.into()));
        let (of, offsets): (_, &[&str]) = match self.dice.percent(50) {
            true => ("1", &["-2", "-1", "0", "1", "2"]),
            false => (
                "2",
                &[
                    "(-1, 0)", "(0, -2)", "(-1, -1)", "(0, 0)", "(0, 1)", "(1, 2)",
                ],
            ),
        };
        for offset in offsets {
            let place = format!("{param}[{offset}]");
            self.body.vars.push(Var {
                name: place.clone(),
                ty: ty.clone(),
                place,
                mutable: false,
                // No name, so no `let` takes it.
                counter: true,
            });
        }
        let reach = match of {
            "1" => "2",
            _ => "1, 2",
        };
        let text = format!("{param}: Sweep{of}<{ty}, {reach}>, ");
        let kind = format!("EachSweep{of}<{ty}, {reach}>, ");
        (node!(Sort::Fixed, "sweep parameter", &text), kind)
    }

    /// A type that containers hold, of a size that the tests on devices know.
    pub(super) fn element_ty(&mut self) -> Ty {
        for _ in 0..8 {
            let ty = self.any_ty();
            if ty.layout().is_some_and(|(size, _)| size <= 64) {
                return ty;
            }
        }
        Scalar::I32.into()
    }

    fn index(&mut self) -> Node {
        let param = self.fresh("at");
        let (ty, fields): (_, &[&str]) = match self.dice.percent(50) {
            true => ("Index1", &["i"]),
            false => ("Index2", &["row", "col"]),
        };
        for field in fields {
            let place = format!("{param}.{field}");
            self.body.vars.push(Var {
                name: place.clone(),
                ty: Scalar::Usize.into(),
                place,
                mutable: false,
                counter: true,
            });
        }
        node!(Sort::Fixed, "index parameter", &format!("{param}: {ty}, "))
    }
}
