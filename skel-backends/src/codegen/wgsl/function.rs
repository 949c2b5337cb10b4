//! Functions, and which of them are needed.

use super::{Wgsl, counters::counters, stmt};
use crate::{
    arithmetic::Remedy,
    codegen::{Cx, reach::reachable},
};
use skel_core::ir::{FnId, Function, LocalId, Mode, Program, StmtKind, Ty};
use std::collections::HashSet;

/// A function as text. One with views among its parameters is printed for each choice of containers.
#[derive(Debug)]
pub(super) struct Version {
    id: FnId,
    views: Vec<usize>,
    text: String,
}

impl Wgsl {
    /// Prints every function, callees first, but for those that take views, of which only `map` for
    /// the containers `views` and what it calls. Trap sites are numbered on the way, so all are
    /// printed, also those that the kernel at hand leaves out.
    pub(super) fn functions(&mut self, cx: &mut Cx<'_>, map: FnId, views: &[usize]) {
        for k in 0..cx.program().functions.len() {
            if view_params(cx.program().function(FnId(k))).next().is_none() {
                self.version(cx, FnId(k), &[]);
            }
        }
        self.version(cx, map, views);
    }

    /// The name of `id` for these containers; printed if it was not before.
    pub(super) fn version(&mut self, cx: &mut Cx<'_>, id: FnId, views: &[usize]) -> String {
        let known = |v: &Version| v.id == id && v.views == views;
        if !self.versions.iter().any(known) {
            cx.enter(id);
            let params = view_params(cx.function()).zip(views.iter().copied());
            let outer_views = std::mem::replace(&mut self.views, params.collect());
            let counters = match self.remedies.has(Remedy::HideOperands) {
                true => counters(cx.function()),
                false => HashSet::new(),
            };
            let outer_counters = std::mem::replace(&mut self.counters, counters);
            let text = self.function(cx, id, views);
            (self.views, self.counters) = (outer_views, outer_counters);
            cx.leave();
            self.versions.push(Version {
                id,
                views: views.to_vec(),
                text,
            });
        }
        version_name(cx, id, views)
    }

    fn function(&mut self, cx: &mut Cx<'_>, id: FnId, views: &[usize]) -> String {
        let function = cx.function();
        let mut params = Vec::new();
        let mut copies = String::new();
        for param in &function.params {
            let name = cx.local_name(param.local);
            let ty = cx.local_ty(param.local);
            if matches!(ty, Ty::View(_)) {
                continue;
            }
            let ty = self.ty(cx, ty);
            match param.mode {
                Mode::InOut => params.push(format!("{name}: ptr<function, {ty}>")),
                // A parameter is constant in WGSL.
                Mode::In if is_written(function, param.local) => {
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
        let name = version_name(cx, id, views);
        let begin = self.beginning(cx);
        format!(
            "fn {name}({}){result} {{\n{begin}{copies}{body}}}\n",
            params.join(", ")
        )
    }

    /// Where an argument traps, what it has is no value, with which a loop might never end: the statement that calls
    /// looks only afterwards whether something has trapped. What traps there is not known yet, since callees are printed
    /// first; a compiler leaves the question out where nothing does.
    fn beginning(&mut self, cx: &mut Cx<'_>) -> String {
        let function = cx.function();
        let mut loops = false;
        for stmt in &function.body {
            stmt.walk(&mut |s| loops |= matches!(s.kind, StmtKind::Loop { .. }));
        }
        if !loops || function.params.is_empty() {
            return String::new();
        }
        let value = self.zero(cx, &function.ret);
        let leave = format!("return {value};").replace(" ;", ";");
        format!("    if (skel_trap != 0u) {{\n        {leave}\n    }}\n")
    }

    /// The text of the functions that one of `roots` needs.
    pub(super) fn needed(&self, program: &Program, roots: &[FnId]) -> String {
        let needed = reachable(program, roots);
        let versions = self.versions.iter().filter(|v| needed[v.id.0]);
        versions.flat_map(|v| [v.text.as_str(), "\n"]).collect()
    }
}

fn view_params(function: &Function) -> impl Iterator<Item = LocalId> {
    let params = function.params.iter().map(|p| p.local);
    params.filter(|p| matches!(function.local(*p).ty, Ty::View(_)))
}

fn version_name(cx: &Cx<'_>, id: FnId, views: &[usize]) -> String {
    let mut name = cx.function_name(id);
    for view in views {
        name.push_str(&format!("v{view}"));
    }
    name
}

fn is_written(function: &Function, local: LocalId) -> bool {
    let mut found = false;
    for stmt in &function.body {
        stmt.walk(&mut |s| found |= s.written().iter().any(|place| place.local == local));
    }
    found
}
