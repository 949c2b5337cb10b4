//! Bodies that the user wrote in WGSL.

use super::Wgsl;
use crate::codegen::{
    Cx,
    foreign::{rename, unindented},
};
use skel_core::ir::{Foreign, LocalId, Ty, ViewKind};

/// How such bodies read the whole container that argument `k` is.
pub(super) fn unchecked(k: usize, rank: usize, params: &str, elem: &str, value: &str) -> String {
    let mut text = format!("fn read{k}({params}) -> {elem} {{\n    return {value};\n}}\n\n");
    for d in 0..rank {
        text.push_str(&format!(
            "fn extent{k}_{d}() -> u32 {{\n    return params.extent{k}_{d};\n}}\n\n"
        ));
    }
    text
}

impl Wgsl {
    /// The body; its words for the parameters become their names. A whole container `xs` is
    /// `xs_at(i)` and `xs_len()`, or `m_at(row, col)`, `m_rows()` and `m_cols()` (of tensors, `t_planes()` and
    /// `t_volumes()` as well); a neighbourhood `w` is
    /// `w_at(dy, dx)`, with offsets of type `i32`.
    pub(super) fn foreign_body(&mut self, cx: &mut Cx<'_>, foreign: &Foreign) -> String {
        let Some(text) = foreign.wgsl else {
            return cx.unsupported("it has no body in WGSL");
        };
        self.reads_unchecked = true;
        let function = cx.function();
        if function.has_lines() {
            return cx.unsupported("it takes a line, and has a body by hand");
        }
        rename(&unindented(text), |word| {
            function.params.iter().find_map(|param| {
                let local = function.local(param.local);
                match &local.ty {
                    Ty::View(view) => {
                        let access = word.strip_prefix(local.name)?;
                        self.view_access(param.local, view.kind, access)
                    }
                    _ => (local.name == word).then(|| cx.local_name(param.local)),
                }
            })
        })
    }

    /// What stands for `xs_at`, `xs_len()` and their like; calls keep their brackets.
    fn view_access(&self, local: LocalId, kind: ViewKind, access: &str) -> Option<String> {
        let argument = self.views.get(&local)?;
        match access.strip_prefix('_')? {
            "at" if kind.reach(0).is_some() => Some(format!("near{argument}")),
            "at" => Some(format!("read{argument}")),
            extent => Some(format!("extent{argument}_{}", kind.dimension(extent)?)),
        }
    }
}
