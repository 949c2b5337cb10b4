//! Calls of other functions: by name, as methods, and as operators that a user wrote.

use super::{
    lower::{Flow, Lower, Malformed, Result},
    text::Node,
};
use crate::ir::{Arg, Block, Expr, ExprKind, FnId, Function, Imp, Mode, Place, StmtKind, Ty};

impl Lower<'_> {
    /// The function that an operator or a method is; nothing if it is built in.
    pub(super) fn own(&mut self, imp: &Node) -> Result<Option<FnId>> {
        if imp.atom() == "-" {
            return Ok(None);
        }
        match self.imp(imp)? {
            Imp::Builtin => Ok(None),
            Imp::Function(id) => {
                if !self.implied.contains(&id) {
                    self.implied.push(id);
                }
                Ok(Some(id))
            }
            Imp::Failed => Err(Malformed("an operator or method that failed".into())),
        }
    }

    pub(super) fn imp(&self, node: &Node) -> Result<Imp> {
        let found = node
            .atom()
            .parse::<usize>()
            .ok()
            .and_then(|k| self.source.imps.get(k));
        found
            .copied()
            .ok_or_else(|| Malformed(format!("there is no callee `{}`", node.atom())))
    }

    /// `(c imp argument …)`.
    pub(super) fn call(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let Imp::Function(id) = self.imp(node.part(0)?)? else {
            return Err(Malformed("a call of something that is no function".into()));
        };
        let nodes: Vec<&Node> = node.rest().iter().skip(1).collect();
        self.call_of(id, &nodes, out)
    }

    /// A call of the function with these arguments. What it takes by `&mut` is a place; if the text
    /// has a value there, a local of its own.
    pub(super) fn call_of(&mut self, id: FnId, nodes: &[&Node], out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let functions = self.functions;
        let callee: &Function = &functions[id.0];
        if nodes.len() != callee.params.len() {
            let (name, count) = (callee.name, nodes.len());
            return Err(Malformed(format!("`{name}` is called with {count} values")));
        }
        let changed = |k: usize| callee.params[k].mode == Mode::InOut;
        let passed: Vec<usize> = (0..nodes.len())
            .filter(|k| !(changed(*k) && is_place(nodes[*k])))
            .collect();
        let expected = |k: usize, _: Option<&Ty>| Some(callee.param_ty(passed[k]).clone());
        let mut places = Vec::new();
        for (k, node) in nodes.iter().enumerate() {
            if !passed.contains(&k) {
                let Some((mut place, _)) = self.place(node, out)? else {
                    return Ok(Flow::Never);
                };
                // Other arguments may change what its indices are made of.
                self.settle(&mut place, nodes.len() == 1, out);
                places.push(place);
            }
        }
        let values: Vec<&Node> = passed.iter().map(|k| nodes[*k]).collect();
        let mut effects = Block::new();
        let values = self.operands(&values, &expected, &mut effects)?;
        let late = |k: usize| !passed.contains(&k) && passed.iter().any(|value| *value < k);
        let indexed = places
            .iter()
            .any(|place: &Place| place.indices().next().is_some());
        if !effects.is_empty() && indexed && (0..nodes.len()).any(late) {
            // The places were found before the values were computed, which might change the indices.
            return Err(Malformed(format!(
                "before `&mut` of an element, `{}` takes a value that is computed in statements: give it a name first",
                callee.name
            )));
        }
        out.append(&mut effects);
        let Some(values) = values else {
            return Ok(Flow::Never);
        };
        for (k, value) in passed.iter().zip(&values) {
            if let (Ty::View(view), Ty::Array(_)) = (callee.param_ty(*k), &value.ty) {
                let (name, elem) = (callee.name, &view.elem);
                return Err(Malformed(format!(
                    "`{name}` takes a whole container, `&[{elem}]`, which no array is on a device: let it take `{}`",
                    value.ty
                )));
            }
        }
        self.line = line;
        let ret = callee.ret.clone();
        if (0..nodes.len()).any(changed) {
            let (mut places, mut values) = (places.into_iter(), values.into_iter());
            let mut args = Vec::with_capacity(nodes.len());
            for k in 0..nodes.len() {
                let next = if passed.contains(&k) {
                    values.next().map(Arg::Value)
                } else {
                    places.next().map(Arg::Place)
                };
                args.push(match next {
                    Some(Arg::Value(value)) if changed(k) => {
                        let local = self.local("tmp", value.ty.clone());
                        self.push(StmtKind::Let(local, Some(value)), out);
                        Arg::Place(Place::local(local))
                    }
                    Some(arg) => arg,
                    None => return Err(Malformed("an argument is missing".into())),
                });
            }
            return Ok(self.call_in_place(id, args, ret, out));
        }
        let call = Expr {
            kind: ExprKind::Call(id, values),
            ty: ret.clone(),
        };
        if ret == Ty::Unit {
            self.push(StmtKind::Eval(call), out);
            return Ok(Flow::Unit);
        }
        Ok(Flow::Value(call))
    }

    fn call_in_place(&mut self, callee: FnId, args: Vec<Arg>, ret: Ty, out: &mut Block) -> Flow {
        let result = (ret != Ty::Unit).then(|| self.local("tmp", ret));
        if let Some(result) = result {
            self.push(StmtKind::Let(result, None), out);
        }
        let kind = StmtKind::Call {
            result,
            callee,
            args,
        };
        self.push(kind, out);
        match result {
            Some(result) => Flow::Value(self.read(result)),
            None => Flow::Unit,
        }
    }
}

fn is_place(node: &Node) -> bool {
    match node.head() {
        "v" => true,
        "f" => node.part(1).is_ok_and(is_place),
        "ix" => node.part(0).is_ok_and(is_place),
        _ => false,
    }
}
