//! Bodies that the user wrote in CUDA C++.

use crate::codegen::{
    Cx,
    foreign::{rename, unindented},
};
use skel_core::ir::Foreign;

/// The body; its words for the parameters become their names. Whole containers are small structs:
/// `xs.data[i]`, `xs.len`; of several dimensions `volumes`, `planes`, `rows`, `cols`, as many as there are.
pub(super) fn body(cx: &mut Cx<'_>, foreign: &Foreign) -> String {
    let Some(text) = foreign.cuda else {
        return cx.unsupported("it has no body in CUDA C++");
    };
    let function = cx.function();
    if function.has_lines() {
        return cx.unsupported("it takes a line, and has a body by hand");
    }
    rename(&unindented(text), |word| {
        let params = function.params.iter().map(|p| p.local);
        let mut named = params.filter(|local| function.local(*local).name == word);
        named.next().map(|local| cx.local_name(local))
    })
}
