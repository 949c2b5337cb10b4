//! Functions, and which of them are needed.

use super::{Cuda, stmt, types};
use crate::codegen::Cx;
use skel_core::ir::{ExprKind, FnId, Mode, Program, Stmt, StmtKind};

impl Cuda {
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
        self.parts = 0;
        let mut params = Vec::new();
        for param in &function.params {
            let (ty, name) = types::local(self, cx, param.local);
            params.push(match param.mode {
                Mode::InOut => format!("{ty}& {name}"),
                Mode::In => format!("{ty} {name}"),
            });
        }
        if self.trapping[id.0] {
            params.push("u32& skel_trap".into());
        }
        let body = stmt::body(self, cx);
        let result = self.ty(&function.ret);
        let name = cx.function_name(id);
        format!(
            "static __device__ {result} {name}({}) {{\n{body}}}\n",
            params.join(", ")
        )
    }
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
