//! Kernels whose elements each fold a row or column.
//!
//! The grouping is that of `skel_core::plan::grouping`; what a leaf is says `crate::along`.

use super::{
    Pointer,
    apply::Applied,
    fold::TREE,
    kernel::{Builder, Source, SourceOptions},
    traps::{noted, only, untrapped},
};
use crate::codegen::{Number, template};
use skel_core::{
    ir::{FnId, Ty},
    plan::{Grouping, Kernel},
};

const ALONG: &str = include_str!("../templates/cuda/along.cu");
const CHAIN: &str = include_str!("../templates/cuda/along_chain.cu");
const BLOCK: &str = include_str!("../templates/cuda/along_block.cu");
const CHUNKS: &str = include_str!("../templates/cuda/along_chunks.cu");
pub(super) const JOIN: &str = include_str!("../templates/cuda/along_join.cu");

/// What both kernels are made of.
pub(super) struct AlongBuilder<'k> {
    pub(super) builder: Builder<'k>,
    operator: FnId,
    pub(super) ty: Ty,
    pub(super) map_traps: bool,
    pub(super) operator_traps: bool,
    applied: Applied,
}

impl<'k> AlongBuilder<'k> {
    pub(super) fn new(kernel: &'k Kernel, operator: FnId, lanes: u32) -> AlongBuilder<'k> {
        let mut builder = Builder::new(kernel, lanes);
        let ty = kernel.result_ty().clone();
        let map_traps = builder.cuda.trapping[kernel.map.0];
        let operator_traps = builder.cuda.trapping[operator.0];
        builder.number(Number::Count);
        builder.numbers(&Number::ALONG);
        builder.bind_arguments();
        let applied = builder.apply_map();
        if kernel.changes_arguments() {
            builder
                .cx
                .unsupported("it changes an argument in place, in a reduction");
        }
        builder.pointer(Pointer::Partials, &ty, true);
        if map_traps || operator_traps {
            builder.bind_status(true);
        }
        AlongBuilder {
            builder,
            operator,
            ty,
            map_traps,
            operator_traps,
            applied,
        }
    }

    /// What templates of either kind name.
    pub(super) fn values(&mut self) -> Vec<(&'static str, String)> {
        let operator = self.builder.cx.function_name(self.operator);
        let passed = only(self.operator_traps, ", skel_trap");
        let initial = self
            .builder
            .kernel
            .initial
            .map(|k| format!("total = {operator}(params.uniform{k}, total{passed});"));
        vec![
            ("lanes", self.builder.lanes.to_string()),
            ("element", self.builder.cuda.ty(&self.ty)),
            (
                "untrapped",
                untrapped(self.map_traps || self.operator_traps),
            ),
            ("operator", operator),
            ("passed_trap", passed),
            ("initial", initial.unwrap_or_default()),
            ("load", self.applied.load.clone()),
            ("apply", self.applied.apply.clone()),
            ("store", self.applied.store.clone()),
        ]
    }

    /// What is joined is there only of spans that have not trapped.
    fn stop(&self) -> String {
        let sites = self.builder.cx.sites().len();
        format!(
            "bool is_trapped = false;\nfor (u32 site = 0u; params.joining != 0u && site < {sites}u; site += 1u) {{\n    \
             is_trapped |= params.status[site] <= params.base + at;\n}}\nif (is_trapped) {{\n    continue;\n}}"
        )
    }

    pub(super) fn finish(self, main: &str) -> Result<Source, String> {
        let roots = [self.builder.kernel.map, self.operator];
        self.builder.finish(&roots, main)
    }
}

/// The source of an elementwise kernel with an operator, of which each thread takes a value.
pub(super) fn along(
    kernel: &Kernel,
    operator: FnId,
    options: &SourceOptions,
) -> Result<Source, String> {
    let mut parts = AlongBuilder::new(kernel, operator, options.lanes);
    parts.builder.number(Number::Joining);
    parts.builder.number(Number::FromNode);
    if kernel.grouping != Grouping::Lanes {
        parts.builder.number(Number::TileWidth);
    }
    let mut values = parts.values();
    let (map_traps, operator_traps) = (parts.map_traps, parts.operator_traps);
    let (traps, begins) = (map_traps || operator_traps, kernel.initial.is_some());
    let leave = "if (skel_trap != 0u) {\n    break;\n}";
    let noted = |wanted| noted(wanted, "params.base + at", 0, "continue;");
    values.extend([
        ("stop", only(traps, &parts.stop())),
        ("leave_map", only(map_traps, leave)),
        ("leave", only(operator_traps, leave)),
        ("leave_all", only(traps, leave)),
        ("trap", noted(traps)),
        ("trap_of_initial", noted(operator_traps && begins)),
    ]);
    let gather = match kernel.grouping {
        Grouping::Lanes => template::fill(CHAIN, &values),
        Grouping::Heavy => block(&values, ["first", "last"]),
        Grouping::Ordered { .. } => {
            let block = block(&values, ["block", "block_end"]);
            template::fill(CHUNKS, &[&[("block", block)], values.as_slice()].concat())
        }
    };
    let join = template::fill(JOIN, &values);
    values.extend([("gather", gather), ("join", join)]);
    parts.finish(&template::fill(ALONG, &values))
}

/// What combines the elements of a block, which begins and ends there.
fn block(values: &[(&'static str, String)], [first, last]: [&str; 2]) -> String {
    let own = [
        ("first", first.to_owned()),
        ("last", last.to_owned()),
        ("tree", template::fill(TREE, values)),
    ];
    template::fill(BLOCK, &[&own, values].concat())
}
