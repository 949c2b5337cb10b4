//! Generic structs, their methods and operators. The rest of the code knows one instance, by an alias.

use super::{
    Generator,
    function::{Callable, Form, Pass},
    implementation::Operator,
};
use crate::fuzz::{
    tree::{Sort, node},
    types::{Bound, Scalar, StructTy, Ty},
};
use std::rc::Rc;

impl Generator {
    /// A struct over `T: Number` with one to three fields, its block, and an instance for the pool.
    pub(super) fn generic_struct(&mut self) {
        let numbers = [
            Scalar::F32,
            Scalar::I32,
            Scalar::U32,
            Scalar::I8,
            Scalar::U16,
        ];
        let scalar = *self.dice.pick(&numbers);
        let name = format!("{}_{}", self.fresh("G"), self.number);
        let count = self.dice.range(1, 3);
        let arrays: Vec<bool> = (0..count).map(|_| self.dice.percent(30)).collect();
        let of = |whole: &str, part: Ty| {
            let field = |(k, array): (usize, &bool)| {
                let ty = match array {
                    true => Ty::Array(Rc::new(part.clone()), 2),
                    false => part.clone(),
                };
                (format!("p{k}"), ty)
            };
            Ty::Struct(Rc::new(StructTy {
                name: whole.into(),
                fields: arrays.iter().enumerate().map(field).collect(),
                is_tuple: false,
                eq: false,
            }))
        };
        let generic = of("Self", Ty::Generic(Bound::Number));
        let alias = format!("{name}A");
        let instance = of(&alias, scalar.into());
        let list: String = match &generic {
            Ty::Struct(s) => s
                .fields
                .iter()
                .map(|(field, ty)| format!("pub {field}: {ty}, "))
                .collect(),
            _ => String::new(),
        };
        let scalar = scalar.name();
        let text = format!(
            "#[derive(Clone, Copy, Debug, Element)]\n#[repr(C)]\npub struct {name}<T> {{ {list}}}\npub type {alias} = {name}<{scalar}>;\nskel_fuzz::to_value!({alias});"
        );
        self.items.push(node!(Sort::Stmt, "generic struct", &text));
        self.generic_block(&name, &generic, &instance);
        self.pool.push(instance);
    }

    fn generic_block(&mut self, name: &str, generic: &Ty, instance: &Ty) {
        let number = Ty::Generic(Bound::Number);
        let outer = std::mem::replace(
            &mut self.pool,
            vec![Scalar::Bool.into(), Scalar::U32.into(), number.clone()],
        );
        let scalar = match instance {
            Ty::Struct(s) => match &s.fields[0].1 {
                Ty::Array(elem, _) => (**elem).clone(),
                ty => ty.clone(),
            },
            ty => ty.clone(),
        };
        // What a type of the block is outside of it.
        let outside = |ty: &Ty| match ty {
            Ty::Generic(_) => scalar.clone(),
            ty if ty == generic => instance.clone(),
            ty => ty.clone(),
        };
        let method = self.fresh("m");
        let receiver = *self.dice.pick(&["self", "&self", "&mut self"]);
        let params = self.some_params(2);
        let ret = match receiver {
            "&mut self" => Ty::Unit,
            _ if self.dice.percent(40) => generic.clone(),
            _ => number.clone(),
        };
        let (member, cost) = self.member(generic, &method, receiver, params.clone(), &ret);
        let pass = match receiver {
            "&mut self" => Pass::Mutable,
            _ => Pass::Inferred,
        };
        let mut all = vec![(instance.clone(), pass)];
        all.extend(params.iter().map(|(ty, pass)| (outside(ty), *pass)));
        let callable = Callable {
            name: method,
            construct: "generic method",
            form: Form::Method,
            params: all,
            ret: outside(&ret),
            instances: Vec::new(),
            constant: None,
            function: None,
            plain: false,
            cost,
        };
        let template = format!("#[user_function]\nimpl<T: Number> {name}<T> {{ $ }}");
        self.items
            .push(node!(Sort::Stmt, "generic impl", &template, member));
        let right = match self.dice.percent(50) {
            true => generic.clone(),
            false => number,
        };
        // Of all instances, only this one is ever named.
        let is_new = self.impls.claim("Sub", instance, Some(&outside(&right)));
        debug_assert!(is_new, "it is the first that is implemented for {name}");
        let params = vec![(right.clone(), Pass::Value)];
        let (member, cost) = self.member(generic, "sub", "self", params, generic);
        let template = format!(
            "#[user_function]\nimpl<T: Number> std::ops::Sub<{}> for {name}<T> {{ type Output = Self; $ }}",
            match right {
                Ty::Generic(_) => "T",
                _ => "Self",
            }
        );
        self.items.push(node!(
            Sort::Stmt,
            "generic impl of an operator",
            &template,
            member
        ));
        self.operators.push(Operator {
            symbol: "-",
            left: instance.clone(),
            right: Some(outside(&right)),
            ret: instance.clone(),
            cost,
        });
        self.callables.push(callable);
        self.pool = outer;
    }
}
