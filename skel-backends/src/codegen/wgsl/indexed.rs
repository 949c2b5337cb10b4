//! How much of local arrays is indexed by what is not known beforehand.
//!
//! A compiler without memory to index in makes branches of it: one for each element that it may be, at each
//! place. What that comes to is counted here, so that a device whose compiler takes minutes for it can say so.

use super::{ShaderOptions, constants, memory};
use crate::codegen::Cx;
use skel_core::{
    ir::{Expr, ExprKind, FnId, Program, Stmt, StmtKind, Ty},
    plan::Kernel,
};

/// Notes what is too much for the device.
pub(super) fn check(cx: &mut Cx<'_>, kernel: &Kernel, options: &ShaderOptions) {
    let Some(most) = options.most_indexed_words else {
        return;
    };
    let of_functions = indexed_words(&kernel.program);
    let of = |id: FnId| of_functions[id.0];
    let words = of(kernel.map).saturating_add(kernel.operator.map_or(0, of));
    if words > most {
        cx.unsupported(format!(
            "its arrays of changing indices come to {words} words, counted for each place that indexes one, and this device's compiler takes {most}: take smaller arrays, or a container"
        ));
    }
}

/// Of each function, with those that it calls: their text stands wherever they are called.
fn indexed_words(program: &Program) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let mut words = 0_u64;
        let mut add = |more: u64| words = words.saturating_add(more);
        let mut note = |stmt: &Stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                add(all[callee.0]);
            }
            for place in stmt.written().iter().filter(|place| {
                let mut indices = place.indices();
                indices.any(|index| !is_constant(index))
            }) {
                add(memory::words(&function.local(place.local).ty) as u64);
            }
            for e in stmt.exprs() {
                of_expr(e, false, &all, &mut add);
            }
        };
        for stmt in &function.body {
            stmt.walk(&mut note);
        }
        all.push(words);
    }
    all
}

/// `counted`: whether the whole that this is a part of has been counted.
fn of_expr(e: &Expr, counted: bool, callees: &[u64], add: &mut impl FnMut(u64)) {
    let mut parts = e.parts().into_iter();
    match &e.kind {
        ExprKind::Call(callee, _) => add(callees[callee.0]),
        ExprKind::Index(whole, index, _) => {
            let varies = !is_constant(index) && !constants::lies_in_memory(e);
            if varies && !counted {
                add(memory::words(&root(whole).ty) as u64);
            }
            parts.next();
            of_expr(whole, counted || varies, callees, add);
        }
        ExprKind::Field(..) => {
            for part in parts.by_ref() {
                of_expr(part, counted, callees, add);
            }
        }
        _ => {}
    }
    for part in parts {
        of_expr(part, false, callees, add);
    }
}

/// What an element or field is taken from, in the end.
fn root(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Index(whole, ..) | ExprKind::Field(whole, _) => root(whole),
        _ => e,
    }
}

fn is_constant(index: &Expr) -> bool {
    matches!(&index.kind, ExprKind::Const(_)) && matches!(index.ty, Ty::Usize)
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_core::ir::{LocalId, Value};

    fn local(ty: Ty) -> Expr {
        let kind = ExprKind::Local(LocalId(0));
        Expr { kind, ty }
    }

    fn index(whole: Expr, at: Option<usize>) -> Expr {
        let Ty::Array(array) = &whole.ty else {
            panic!("no array");
        };
        let ty = array.elem.clone();
        let at = at.map_or(local(Ty::Usize), |at| Expr::constant(Value::Usize(at)));
        let kind = ExprKind::Index(Box::new(whole), Box::new(at), 1);
        Expr { kind, ty }
    }

    fn words(e: &Expr) -> u64 {
        let mut words = 0;
        of_expr(e, false, &[], &mut |more| words += more);
        words
    }

    #[test]
    fn wholes_are_counted_once_for_each_place() {
        let row = || Ty::array(Ty::F32, 10);
        let grid = || local(Ty::array(row(), 5));
        assert_eq!(words(&index(local(row()), Some(3))), 0);
        assert_eq!(words(&index(local(row()), None)), 10);
        assert_eq!(words(&index(index(grid(), None), None)), 50);
        assert_eq!(words(&index(index(grid(), Some(1)), None)), 50);
        // An index that is an element of another array.
        let table = index(local(Ty::array(Ty::Usize, 7)), None);
        let kind = ExprKind::Index(Box::new(local(row())), Box::new(table), 1);
        assert_eq!(words(&Expr { kind, ty: Ty::F32 }), 17);
    }

    #[test]
    fn what_lies_in_memory_does_not_count() {
        let large = Value::zero(&Ty::array(Ty::F32, 1000));
        assert_eq!(words(&index(Expr::constant(large), None)), 0);
        let small = Value::zero(&Ty::array(Ty::F32, 8));
        assert_eq!(words(&index(Expr::constant(small), None)), 8);
    }
}
