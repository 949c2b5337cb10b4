//! Functions, and which of them are needed.

use super::Wgsl;
use crate::codegen::{Cx, stmt};
use skel_core::ir::{ExprKind, FnId, Function, LocalId, Mode, Program, Stmt, StmtKind, Ty};

impl Wgsl {
    /// The text of every function, callees first. Trap sites are numbered on the way, so all are
    /// printed, also those that the kernel at hand leaves out.
    pub(super) fn functions(&mut self, cx: &mut Cx<'_>) -> Vec<String> {
        (0..cx.program().functions.len())
            .map(|k| {
                cx.enter(FnId(k));
                let text = self.function(cx, FnId(k));
                cx.leave();
                text
            })
            .collect()
    }

    fn function(&mut self, cx: &mut Cx<'_>, id: FnId) -> String {
        let function = cx.function();
        let mut params = Vec::new();
        let mut copies = String::new();
        for param in &function.params {
            let name = cx.local_name(param.local);
            let ty = self.ty(cx, cx.local_ty(param.local));
            match param.mode {
                Mode::InOut => params.push(format!("{name}: ptr<function, {ty}>")),
                // A parameter is constant in WGSL.
                Mode::In if is_assigned(function, param.local) => {
                    params.push(format!("given_{name}: {ty}"));
                    copies.push_str(&format!("    var {name} = given_{name};\n"));
                }
                Mode::In => params.push(format!("{name}: {ty}")),
            }
        }
        let body = stmt::body(self, cx);
        let result = match function.ret {
            Ty::Unit => String::new(),
            _ => format!(" -> {}", self.ty(cx, &function.ret)),
        };
        let name = cx.function_name(id);
        format!(
            "fn {name}({}){result} {{\n{copies}{body}}}\n",
            params.join(", ")
        )
    }
}

fn is_assigned(function: &Function, local: LocalId) -> bool {
    let mut found = false;
    for stmt in &function.body {
        stmt.walk(&mut |s| {
            found |= matches!(&s.kind, StmtKind::Assign(place, _) if place.local == local);
        });
    }
    found
}

/// For each function, whether one of `roots` needs it.
pub(super) fn reachable(program: &Program, roots: &[FnId]) -> Vec<bool> {
    let mut needed = vec![false; program.functions.len()];
    for root in roots {
        needed[root.0] = true;
    }
    // Callees come before callers.
    for k in (0..needed.len()).rev() {
        if needed[k] {
            for stmt in &program.functions[k].body {
                stmt.walk(&mut |s: &Stmt| mark_calls(s, &mut needed));
            }
        }
    }
    needed
}

fn mark_calls(stmt: &Stmt, needed: &mut [bool]) {
    if let StmtKind::Call { callee, .. } = &stmt.kind {
        needed[callee.0] = true;
    }
    for e in stmt.exprs() {
        e.walk(&mut |part| {
            if let ExprKind::Call(callee, _) = &part.kind {
                needed[callee.0] = true;
            }
        });
    }
}
