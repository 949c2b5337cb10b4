//! Functions, and which of them are needed.

use super::{Cuda, stmt, types};
use crate::codegen::Cx;
use skel_core::ir::{FnId, Mode};

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
