//! Traits of users: what implements them, and functions that are generic over them.

use super::{
    Generator,
    function::{Callable, Form, Pass},
    scope::Scope,
};
use crate::fuzz::{
    tree::{Node, Sort, node},
    types::{Scalar, Ty},
};

/// A trait with one constant, one function without a receiver, one method, and one method that has a
/// body.
struct Trait {
    name: String,
    constant: Scalar,
    function: Signature,
    method: Signature,
    provided: Signature,
}

/// What a function of a trait looks like, the receiver aside.
#[derive(Clone)]
struct Signature {
    name: String,
    param: Ty,
    ret: Ty,
    cost: u64,
}

impl Signature {
    fn callable(&self, name: String, construct: &'static str, form: Form) -> Callable {
        Callable {
            name,
            construct,
            form,
            params: vec![(self.param.clone(), Pass::Value)],
            ret: self.ret.clone(),
            instances: Vec::new(),
            constant: None,
            function: None,
            plain: false,
            cost: self.cost,
        }
    }
}

impl Generator {
    /// A trait, one or two implementors, and a function that takes any of them.
    pub(super) fn own_trait(&mut self) {
        let name = format!("{}_{}", self.fresh("Tr"), self.number);
        let implementors = self.implementors(&name);
        if implementors.is_empty() {
            return;
        }
        let constant = match self.any_number() {
            Ty::Scalar(scalar) => scalar,
            _ => Scalar::U32,
        };
        let mut own = Trait {
            name,
            constant,
            function: self.signature(),
            method: self.signature(),
            provided: self.signature(),
        };
        let blocks: Vec<Node> = implementors
            .iter()
            .map(|ty| self.block_for(&mut own, ty))
            .collect();
        self.declare_trait(&mut own);
        self.items.extend(blocks);
        self.generic_over(&own, &implementors);
        for ty in &implementors {
            self.callables.push(own.function.callable(
                format!("<{ty} as {}>::{}", own.name, own.function.name),
                "function of a trait",
                Form::Path,
            ));
            for method in [&own.method, &own.provided] {
                let mut callable =
                    method.callable(method.name.clone(), "method of a trait", Form::Method);
                callable.params.insert(0, (ty.clone(), Pass::Inferred));
                self.callables.push(callable);
            }
        }
    }

    /// Types that can have it: elements whose values are easily told apart from other types' literals.
    fn implementors(&mut self, of: &str) -> Vec<Ty> {
        let mut found: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| match ty {
                Ty::Struct(_) => true,
                ty => ty.scalar().is_some_and(|s| s != Scalar::Bool),
            })
            .cloned()
            .collect();
        found.retain(|ty| self.impls.claim(of, ty, None));
        while found.len() > 2 {
            let out = self.dice.below(found.len());
            found.remove(out);
        }
        found
    }

    fn signature(&mut self) -> Signature {
        Signature {
            name: self.fresh("q"),
            param: self.any_ty(),
            ret: self.any_ty(),
            cost: 0,
        }
    }

    /// `impl Trait for ty`; notes what its functions cost.
    fn block_for(&mut self, own: &mut Trait, ty: &Ty) -> Node {
        let constant = self.literal(own.constant, false);
        let (function, cost) = self.member_of_trait(ty, "", &own.function);
        own.function.cost = own.function.cost.max(cost);
        let (method, cost) = self.member_of_trait(ty, "self", &own.method);
        own.method.cost = own.method.cost.max(cost);
        let (name, scalar) = (&own.name, own.constant.name());
        node!(
            Sort::Stmt,
            "impl of a trait",
            &format!("#[user_function]\nimpl {name} for {ty} {{ const C: {scalar} = $; $ $ }}"),
            constant,
            function,
            method
        )
    }

    fn member_of_trait(&mut self, ty: &Ty, receiver: &str, signature: &Signature) -> (Node, u64) {
        let params = vec![(signature.param.clone(), Pass::Value)];
        self.member(ty, &signature.name, receiver, params, &signature.ret)
    }

    /// The trait itself: `Self` is any type in the body that it has.
    fn declare_trait(&mut self, own: &mut Trait) {
        let provided = own.provided.clone();
        self.body = Scope::new(provided.ret.clone(), 25);
        let list = self.declared(&[(provided.param.clone(), Pass::Value)]);
        let (statements, tail) = self.within(own, "Self", "self", &provided.ret);
        own.provided.cost = self.body.cost;
        let heading = |s: &Signature, receiver: &str| {
            format!("fn {}({receiver}a: {}) -> {}", s.name, s.param, s.ret)
        };
        let template = format!(
            "#[user_function]\ntrait {}: Copy {{ const C: {}; {}; {}; fn {}(self, {list}) -> {} {{ $$ }} }}",
            own.name,
            own.constant.name(),
            heading(&own.function, ""),
            heading(&own.method, "self, "),
            provided.name,
            provided.ret,
        );
        self.items
            .push(node!(Sort::Stmt, "trait", &template, statements, tail));
    }

    /// A body in which `ty` has the trait, and `value` is of that type.
    fn within(&mut self, own: &Trait, ty: &str, value: &str, ret: &Ty) -> (Vec<Node>, Node) {
        let (callables, constants) = (self.callables.len(), self.constants.len());
        self.callables.push(own.function.callable(
            format!("{ty}::{}", own.function.name),
            "function of Self",
            Form::Path,
        ));
        self.callables.push(own.method.callable(
            format!("{value}.{}", own.method.name),
            "method of Self",
            Form::Path,
        ));
        self.constants
            .push((format!("{ty}::C"), own.constant.into()));
        let body = self.body(ret, 3);
        self.callables.truncate(callables);
        self.constants.truncate(constants);
        body
    }

    /// `fn f<M: Trait>(x: M, …)`, and its calls with each implementor.
    fn generic_over(&mut self, own: &Trait, implementors: &[Ty]) {
        let name = format!("{}_{}", self.fresh("h"), self.number);
        let value = self.fresh("a");
        let ret = self.any_ty();
        let params = self.some_params(2);
        self.body = Scope::new(ret.clone(), 30);
        let list = self.declared(&params);
        let (statements, tail) = self.within(own, "M", &value, &ret);
        let template = format!(
            "#[user_function]\nfn {name}<M: {}>({value}: M, {list}) -> {ret} {{ $$ }}",
            own.name
        );
        self.items.push(node!(
            Sort::Stmt,
            "function over a trait",
            &template,
            statements,
            tail
        ));
        for ty in implementors {
            let mut all = params.clone();
            all.insert(0, (ty.clone(), Pass::Inferred));
            self.callables.push(Callable {
                name: name.clone(),
                construct: "call with an implementor",
                form: Form::Path,
                params: all,
                ret: ret.clone(),
                instances: Vec::new(),
                constant: None,
                function: None,
                plain: false,
                cost: self.body.cost,
            });
        }
    }
}
