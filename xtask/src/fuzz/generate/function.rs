//! Whole functions, and what stands beside them.

use super::{
    Callable, Case, Generator,
    scope::{Scope, Var},
};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Bound, Scalar, Ty},
};

/// How deep expressions nest.
const DEPTH: usize = 4;

impl Generator {
    /// A case: constants, a few functions to be called, and the one that is compared.
    pub(super) fn whole(mut self) -> Case {
        self.pool = self.types();
        for _ in 0..self.dice.below(3) {
            self.constant();
        }
        for _ in 0..self.dice.below(4) {
            match self.dice.below(5) {
                0 => self.generic_function(),
                1 => self.function_of_a_constant(),
                _ => self.plain_function(),
            }
        }
        self.entry()
    }

    /// Few types, so that values of one meet often.
    fn types(&mut self) -> Vec<Ty> {
        const COMMON: [(usize, Scalar); 6] = [
            (4, Scalar::F32),
            (4, Scalar::I32),
            (4, Scalar::U32),
            (1, Scalar::F64),
            (1, Scalar::Usize),
            (1, Scalar::Bool),
        ];
        let mut pool = vec![Ty::from(Scalar::Bool)];
        for _ in 0..self.dice.range(2, 3) {
            pool.push(self.dice.weighted(&COMMON).into());
        }
        pool
    }

    fn constant(&mut self) {
        let ty = self.any_number();
        let Some(scalar) = ty.scalar() else { return };
        let name = self.fresh("K");
        let value = self.literal(scalar, false);
        let template = format!("const {name}: {ty} = $;");
        self.items.push(node!(Sort::Stmt, "const item", &template, value));
        self.constants.push((name, ty));
    }

    /// The statements and the tail of a body whose parameters have been declared.
    fn body(&mut self, ret: &Ty, most: usize) -> (Vec<Node>, Node) {
        let count = self.dice.range(1, most);
        let statements = self.statements(count, DEPTH);
        let tail = match ret {
            Ty::Unit => node!(Sort::Fixed, "no tail", ""),
            ret => self.expr(ret, DEPTH, true),
        };
        (statements, tail)
    }

    fn plain_function(&mut self) {
        let ret = self.any_ty();
        let params: Vec<Ty> = (0..self.dice.range(1, 3)).map(|_| self.any_ty()).collect();
        self.function("function", "", params, ret, &[], None);
    }

    fn generic_function(&mut self) {
        let (bound, name, instances): (_, _, &[Scalar]) = match self.dice.percent(50) {
            true => (
                Bound::Number,
                "Number",
                &[
                    Scalar::F32,
                    Scalar::F64,
                    Scalar::I32,
                    Scalar::U32,
                    Scalar::Usize,
                ],
            ),
            false => (Bound::Float, "Float", &[Scalar::F32, Scalar::F64]),
        };
        let outer = std::mem::replace(
            &mut self.pool,
            vec![Scalar::Bool.into(), Scalar::U32.into(), Ty::Generic(bound)],
        );
        let params = vec![Ty::Generic(bound), self.any_ty()];
        let ret = match self.dice.percent(70) {
            true => Ty::Generic(bound),
            false => self.any_ty(),
        };
        let generics = format!("<T: {name}>");
        self.function("generic function", &generics, params, ret, instances, None);
        self.pool = outer;
    }

    fn function_of_a_constant(&mut self) {
        let scalar = *self
            .dice
            .pick(&[Scalar::U32, Scalar::I32, Scalar::Usize, Scalar::Bool]);
        self.constants.push(("N".into(), scalar.into()));
        let generics = format!("<const N: {}>", scalar.name());
        let params = vec![self.any_ty()];
        let ret = self.any_ty();
        self.function("const generic function", &generics, params, ret, &[], Some(scalar));
        self.constants.retain(|(name, _)| name != "N");
    }

    fn function(
        &mut self,
        construct: &'static str,
        generics: &str,
        params: Vec<Ty>,
        ret: Ty,
        instances: &[Scalar],
        constant: Option<Scalar>,
    ) {
        let name = format!("{}_{}", self.fresh("h"), self.number);
        self.body = Scope::new(ret.clone(), 40);
        let mut list = String::new();
        for ty in &params {
            let param = self.fresh("a");
            let mutable = self.dice.percent(30);
            let word = if mutable { "mut " } else { "" };
            list.push_str(&format!("{word}{param}: {ty}, "));
            self.body.declare(&param, ty, mutable);
        }
        let (statements, tail) = self.body(&ret, 4);
        let template = format!("#[user_function]\nfn {name}{generics}({list}) -> {ret} {{ $$ }}");
        self.items.push(node!(Sort::Stmt, construct, &template, statements, tail));
        self.callables.push(Callable {
            name,
            params,
            ret,
            instances: instances.to_vec(),
            constant,
            cost: self.body.cost,
        });
    }

    /// The function that is compared.
    fn entry(mut self) -> Case {
        let name = format!("f_{}", self.number);
        let changed = self.dice.percent(30);
        let ret = match changed && self.dice.percent(50) {
            true => Ty::Unit,
            false => self.any_ty(),
        };
        self.body = Scope::new(ret.clone(), 120);
        let (mut list, mut kinds) = (Vec::new(), String::new());
        if self.dice.percent(15) {
            list.push(self.index());
        }
        for k in 0..self.dice.range(1, 4) {
            let mut ty = self.any_ty();
            let param = self.fresh("a");
            let way = match k {
                0 if changed => 0,
                _ => self.dice.below(5),
            };
            // No device changes `usize` in place.
            if way == 0 && ty == Scalar::Usize.into() {
                ty = Scalar::I32.into();
            }
            list.push(match way {
                0 if changed => {
                    kinds.push_str(&format!("EachMut<{ty}>, "));
                    self.body.vars.push(Var {
                        place: format!("*{param}"),
                        name: param.clone(),
                        ty: ty.clone(),
                        mutable: true,
                        counter: false,
                    });
                    node!(Sort::Fixed, "&mut parameter", &format!("{param}: &mut {ty}, "))
                }
                1 => {
                    kinds.push_str(&format!("Uniform<{ty}>, "));
                    self.body.declare(&param, &ty, false);
                    node!(Sort::Fixed, "uniform", &format!("#[uniform] {param}: {ty}, "))
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
        let (statements, tail) = self.body(&ret, 7);
        let holes = "$".repeat(list.len());
        let list = list.into_iter().map(Into::into).collect();
        let list = Node::new(Sort::Fixed, "parameters", &holes, list);
        let arrow = match ret {
            Ty::Unit => String::new(),
            ref ret => format!(" -> {ret}"),
        };
        let template = format!("#[user_function]\nfn {name}($){arrow} {{ $$ }}");
        self.items
            .push(node!(Sort::Fixed, "entry", &template, list, statements, tail));
        Case {
            name,
            items: self.items,
            kinds,
        }
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
        node!(Sort::Fixed, "index", &format!("{param}: {ty}, "))
    }
}
