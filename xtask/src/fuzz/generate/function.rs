//! Whole functions, and what stands beside them.

use super::{
    Case, Generator,
    scope::{Scope, Var},
};
use crate::fuzz::{
    tree::{Node, Part, Sort, node},
    types::{Bound, Scalar, Ty},
};

use std::rc::Rc;

/// How deep expressions nest.
const DEPTH: usize = 4;
/// What a function may cost that is passed to another one, in steps.
pub(super) const PASSED_COST: u64 = 150;

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Value,
    /// By value, and rustc infers a type parameter of the callee, or which `impl` is meant, from it: so
    /// what is passed must have its type of itself.
    Inferred,
    /// `&mut`.
    Mutable,
}

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `path(a, b)`.
    Path,
    /// `a.name(b)`.
    Method,
}

/// A function that others may call.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    /// What a call of it shows.
    pub(super) construct: &'static str,
    pub(super) form: Form,
    pub(super) params: Vec<(Ty, Pass)>,
    pub(super) ret: Ty,
    /// What its type parameter can be; empty without one.
    pub(super) instances: Vec<Scalar>,
    /// The value of its const parameter is up to the caller.
    pub(super) constant: Option<Scalar>,
    /// It takes a function from the one type to the other as type parameter.
    pub(super) function: Option<(Ty, Ty)>,
    /// It has no generics and is marked itself, so that its name can be a type argument.
    pub(super) plain: bool,
    /// Steps that it takes at most, roughly.
    pub(super) cost: u64,
}

impl Callable {
    /// Whether a parameter changes what is passed.
    pub(super) fn changes((ty, pass): &(Ty, Pass)) -> bool {
        *pass == Pass::Mutable || matches!(ty, Ty::Line(_, true))
    }

    /// Whether it gives its type parameter, and that can be `ty`.
    pub(super) fn of_t(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Generic(_) => self.instances.is_empty() && self.ret == *ty,
            ty => ty.scalar().is_some_and(|s| self.instances.contains(&s)),
        }
    }
}

impl Generator {
    /// A case: types, constants, a few functions to be called, and the one that is compared.
    pub(super) fn whole(mut self) -> Case {
        self.pool = self.types();
        self.composites();
        if self.dice.percent(20) {
            self.generic_struct();
        }
        for _ in 0..self.dice.below(3) {
            self.constant();
        }
        if self.dice.percent(40) {
            self.table();
        }
        for _ in 0..self.dice.below(4) {
            match self.dice.below(8) {
                4 if self.dice.percent(50) => self.function_of_a_view(),
                4 => self.function_of_a_line(),
                0 => self.generic_function(),
                1 => self.function_of_a_constant(),
                2 => self.function_of_a_function(),
                3 => self.mutating_function(),
                _ => self.plain_function(),
            }
        }
        self.implementations();
        if self.dice.percent(25) {
            self.own_trait();
        }
        self.entry()
    }

    /// Few types, so that values of one meet often.
    fn types(&mut self) -> Vec<Ty> {
        const COMMON: [(usize, Scalar); 13] = [
            (12, Scalar::F32),
            (10, Scalar::I32),
            (10, Scalar::U32),
            (3, Scalar::F64),
            (2, Scalar::Usize),
            (1, Scalar::Isize),
            (2, Scalar::Bool),
            (4, Scalar::I8),
            (4, Scalar::U8),
            (3, Scalar::I16),
            (3, Scalar::U16),
            (3, Scalar::I64),
            (3, Scalar::U64),
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
        self.items
            .push(node!(Sort::Stmt, "const item", &template, value));
        self.constants.push((name, ty));
    }

    /// The statements and the tail of a body whose parameters have been declared.
    pub(super) fn body(&mut self, ret: &Ty, most: usize) -> (Vec<Node>, Node) {
        let callables = self.callables.clone();
        let mut statements: Vec<Node> = self.inner_function().into_iter().collect();
        let count = self.dice.range(1, most);
        statements.extend(self.statements(count, DEPTH));
        let tail = match ret {
            Ty::Unit => node!(Sort::Fixed, "no tail", ""),
            ret => self.expr(ret, DEPTH, true),
        };
        self.callables = callables;
        (statements, tail)
    }

    /// Values for a function to take.
    pub(super) fn some_params(&mut self, most: usize) -> Vec<(Ty, Pass)> {
        let count = self.dice.range(1, most);
        (0..count).map(|_| (self.any_ty(), Pass::Value)).collect()
    }

    /// A function inside of the one whose body begins. It knows no generics of that.
    fn inner_function(&mut self) -> Option<Node> {
        let generic = self.pool.iter().any(|ty| matches!(ty, Ty::Generic(_)))
            || self
                .constants
                .iter()
                .any(|(name, _)| name == "N" || name.contains("::"))
            || self
                .callables
                .iter()
                .any(|c| c.name == "F::call" || c.name.contains('.'));
        if self.inside || generic || !self.dice.percent(8) {
            return None;
        }
        let outer = std::mem::take(&mut self.body);
        self.inside = true;
        let ret = self.any_ty();
        let params = self.some_params(2);
        let (callable, node) = self.written("inner function", "", "", params, ret);
        self.inside = false;
        self.body = outer;
        self.callables.push(callable);
        Some(node)
    }

    fn plain_function(&mut self) {
        let ret = self.any_ty();
        let params = self.some_params(3);
        let mut callable = self.function("function", "", params, ret);
        callable.plain = true;
        self.callables.push(callable);
    }

    /// What a view can be of: enums are no random bytes.
    pub(super) fn view_ty(&mut self) -> Rc<Ty> {
        let numbers = self.pool.iter().filter(|ty| matches!(ty, Ty::Scalar(_)));
        let numbers: Vec<Ty> = numbers.cloned().collect();
        Rc::new(self.dice.pick(&numbers).clone())
    }

    fn function_of_a_view(&mut self) {
        let mut params = vec![(Ty::View(self.view_ty()), Pass::Value)];
        params.extend(self.some_params(2));
        let ret = self.any_ty();
        let callable = self.function("function of a view", "", params, ret);
        self.callables.push(callable);
    }

    fn generic_function(&mut self) {
        let (bound, name, instances): (_, _, Vec<Scalar>) = match self.dice.percent(50) {
            true => {
                let all = super::methods::INTEGERS.into_iter();
                let all = all.chain([Scalar::F32, Scalar::F64]).collect();
                (Bound::Number, "Number", all)
            }
            false => (Bound::Float, "Float", vec![Scalar::F32, Scalar::F64]),
        };
        let outer = std::mem::replace(
            &mut self.pool,
            vec![Scalar::Bool.into(), Scalar::U32.into(), Ty::Generic(bound)],
        );
        let params = vec![(Ty::Generic(bound), Pass::Inferred), self.generic_param()];
        let ret = match self.dice.percent(70) {
            true => Ty::Generic(bound),
            false => self.any_ty(),
        };
        let generics = format!("<T: {name}>");
        let mut callable = self.function("generic function", &generics, params, ret);
        callable.instances = instances;
        self.pool = outer;
        self.callables.push(callable);
    }

    /// A parameter of a function over `T`: each that is a `T` says what `T` is.
    fn generic_param(&mut self) -> (Ty, Pass) {
        let ty = self.any_ty();
        let pass = match ty {
            Ty::Generic(_) => Pass::Inferred,
            _ => Pass::Value,
        };
        (ty, pass)
    }

    fn function_of_a_constant(&mut self) {
        let scalar = *self
            .dice
            .pick(&[Scalar::U32, Scalar::I32, Scalar::Usize, Scalar::Bool]);
        self.constants.push(("N".into(), scalar.into()));
        let generics = format!("<const N: {}>", scalar.name());
        let params = self.some_params(1);
        let ret = self.any_ty();
        let mut callable = self.function("const generic function", &generics, params, ret);
        callable.constant = Some(scalar);
        self.constants.retain(|(name, _)| name != "N");
        self.callables.push(callable);
    }

    /// `fn f<F: Function1<A, B>>(…)`, for functions that there are already.
    fn function_of_a_function(&mut self) {
        let usable = |c: &&Callable| {
            c.plain
                && c.params.len() == 1
                && c.cost <= PASSED_COST
                && matches!((&c.params[0].0, &c.ret), (Ty::Scalar(_), Ty::Scalar(_)))
        };
        let found: Vec<Callable> = self.callables.iter().filter(usable).cloned().collect();
        if found.is_empty() {
            return self.plain_function();
        }
        let passed = self.dice.pick(&found).clone();
        let (param, ret) = (passed.params[0].0.clone(), passed.ret.clone());
        self.callables.push(Callable {
            name: "F::call".into(),
            construct: "call of a type parameter",
            plain: false,
            cost: PASSED_COST,
            ..passed
        });
        let generics = format!("<F: Function1<{param}, {ret}>>");
        let params = self.some_params(2);
        let result = self.any_ty();
        let mut callable = self.function("function of a function", &generics, params, result);
        callable.function = Some((param, ret));
        self.callables.retain(|c| c.name != "F::call");
        self.callables.push(callable);
    }

    /// A function that changes what it is given.
    fn mutating_function(&mut self) {
        let mut params = self.some_params(2);
        params[0].1 = Pass::Mutable;
        let ret = match self.dice.percent(50) {
            true => Ty::Unit,
            false => self.any_ty(),
        };
        let callable = self.function("function with &mut", "", params, ret);
        self.callables.push(callable);
    }

    /// Declares the parameters; their text.
    pub(super) fn declared(&mut self, params: &[(Ty, Pass)]) -> String {
        let mut list = String::new();
        for (ty, pass) in params {
            let param = self.fresh("a");
            match pass {
                Pass::Value | Pass::Inferred => {
                    let (word, mutable) = match ty {
                        Ty::View(_) => ("", false),
                        Ty::Line(_, changed) => ("", *changed),
                        _ if self.dice.percent(30) => ("mut ", true),
                        _ => ("", false),
                    };
                    list.push_str(&format!("{word}{param}: {ty}, "));
                    self.body.declare(&param, ty, mutable);
                }
                Pass::Mutable => {
                    list.push_str(&format!("{param}: &mut {ty}, "));
                    self.declare_reference(&param, ty);
                }
            }
        }
        list
    }

    /// A variable that is a `&mut`.
    pub(super) fn declare_reference(&mut self, name: &str, ty: &Ty) {
        self.body.vars.push(Var {
            place: format!("*{name}"),
            name: name.into(),
            ty: ty.clone(),
            mutable: true,
            counter: false,
        });
    }

    pub(super) fn function(
        &mut self,
        construct: &'static str,
        generics: &str,
        params: Vec<(Ty, Pass)>,
        ret: Ty,
    ) -> Callable {
        let mark = "#[user_function]\n";
        let (callable, node) = self.written(construct, mark, generics, params, ret);
        self.items.push(node);
        callable
    }

    /// A function, and its text behind `mark`.
    fn written(
        &mut self,
        construct: &'static str,
        mark: &str,
        generics: &str,
        params: Vec<(Ty, Pass)>,
        ret: Ty,
    ) -> (Callable, Node) {
        let name = format!("{}_{}", self.fresh("h"), self.number);
        self.body = Scope::new(ret.clone(), 40);
        let list = self.declared(&params);
        let (statements, tail) = self.body(&ret, 4);
        let template = format!("{mark}fn {name}{generics}({list}) -> {ret} {{ $$ }}");
        let node = node!(Sort::Stmt, construct, &template, statements, tail);
        let callable = Callable {
            name,
            construct: "call",
            form: Form::Path,
            params,
            ret,
            instances: Vec::new(),
            constant: None,
            function: None,
            plain: false,
            cost: self.body.cost,
        };
        (callable, node)
    }

    /// A statement that calls a function with `&mut`.
    pub(super) fn call_by_reference(&mut self, depth: usize) -> Option<Node> {
        let found: Vec<Callable> = self
            .callables
            .iter()
            .filter(|c| c.params.iter().any(|p| p.1 == Pass::Mutable))
            .filter(|c| self.body.affords(c.cost))
            .cloned()
            .collect();
        if found.is_empty() {
            return None;
        }
        let callee = self.dice.pick(&found).clone();
        let first = callee.params[0].0.clone();
        let (var, place, mut holes, _) = self.place(&|ty| *ty == first, depth.min(2))?;
        self.body.cost += self.body.rounds * callee.cost;
        let mut args = String::new();
        for (ty, _) in &callee.params[1..] {
            let mut arg = self.expr(ty, depth.min(3) - 1, false);
            // What is borrowed cannot be read at the same time.
            if names(&arg.text(), &var.name) {
                arg = super::plain(ty)?;
            }
            holes.push(arg.into());
            args.push_str("$, ");
        }
        // An index that reads what is borrowed is read first.
        let call = match callee.form {
            Form::Path => format!("{}(&mut {place}, {args})", callee.name),
            Form::Method => format!("({place}).{}({args})", callee.name),
        };
        let construct = match callee.form {
            Form::Path => "call with &mut",
            Form::Method => "method with &mut self",
        };
        let kept = |g: &mut Generator, holes: Vec<Part>| match (&callee.ret, g.dice.percent(70)) {
            (Ty::Unit, _) | (_, false) => {
                Node::new(Sort::Stmt, construct, &format!("{call};"), holes)
            }
            (ret, true) => {
                let name = g.fresh("v");
                let node = Node::new(
                    Sort::Stmt,
                    construct,
                    &format!("let {name} = {call};"),
                    holes,
                );
                g.body.declare(&name, ret, false);
                node
            }
        };
        Some(kept(self, holes))
    }
}

/// Whether the text has this name as a word.
pub(super) fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == name)
}
