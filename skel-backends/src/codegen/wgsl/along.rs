//! Kernels whose elements each fold a row or column.
//!
//! The grouping is that of `skel_core::plan::grouping`; what a leaf is says `crate::along`.

use super::{
    apply::{Applied, store_at, uniform},
    builder::{Binding, Builder, Shader, ShaderOptions, element},
    fold::TREE,
};
use crate::codegen::{Number, template};
use skel_core::{
    ir::{FnId, Ty},
    plan::{Grouping, Kernel},
};

const ALONG: &str = include_str!("../templates/wgsl/along.wgsl");
const CHAIN: &str = include_str!("../templates/wgsl/along_chain.wgsl");
const BLOCK: &str = include_str!("../templates/wgsl/along_block.wgsl");
const CHUNKS: &str = include_str!("../templates/wgsl/along_chunks.wgsl");
pub(super) const JOIN: &str = include_str!("../templates/wgsl/along_join.wgsl");

/// What both kernels are made of.
pub(super) struct AlongBuilder<'k> {
    pub(super) builder: Builder<'k>,
    operator: FnId,
    ty: Ty,
    pub(super) map_traps: bool,
    pub(super) operator_traps: bool,
    applied: Applied,
}

impl<'k> AlongBuilder<'k> {
    pub(super) fn new(
        kernel: &'k Kernel,
        operator: FnId,
        options: &ShaderOptions,
    ) -> AlongBuilder<'k> {
        let mut builder = Builder::new(kernel, options);
        let ty = kernel.result_ty().clone();
        let (map_traps, operator_traps) =
            (builder.cx.traps(kernel.map), builder.cx.traps(operator));
        builder.numbers(&[Number::Count, Number::Base, Number::Level, Number::Slot]);
        builder.numbers(&Number::ALONG);
        builder.bind_arguments();
        let applied = builder.apply_map();
        if kernel.changes_arguments() {
            builder
                .cx
                .unsupported("it changes an argument in place, in a reduction");
        }
        builder.bind(Binding::Partials, "nodes", &ty, true);
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

    pub(super) fn traps(&self) -> bool {
        self.map_traps || self.operator_traps
    }

    /// The value's trap, noted.
    pub(super) fn noted(&self, then: &str) -> String {
        self.builder.note_trap("params.first + at", 0, then)
    }

    /// Where a value before `behind` has trapped, this one does not matter. Other spans of the same value do not keep
    /// one from noting what it traps at, so that all runs note the same.
    pub(super) fn stop(&self, behind: &str, then: &str) -> String {
        self.builder.stop_behind_traps(&format!("< {behind}"), then)
    }

    /// What templates of either kind name.
    pub(super) fn values(&mut self) -> Vec<(&'static str, String)> {
        let operator = self.builder.cx.function_name(self.operator);
        let initial = match self.builder.kernel.initial {
            Some(k) => format!("total = {operator}({}, total);", uniform(k, &self.ty)),
            None => String::new(),
        };
        let place = "params.table_node + level * slots + slot";
        let joined = "params.from_node + first * params.count + at";
        vec![
            ("lanes", self.builder.lanes.to_string()),
            ("begin", self.builder.begin()),
            (
                "element",
                self.builder.wgsl.ty(&mut self.builder.cx, &self.ty),
            ),
            ("operator", operator),
            ("initial", initial),
            ("load", self.applied.load.clone()),
            ("apply", self.applied.apply.clone()),
            ("store", self.applied.store.clone()),
            ("node", element(&self.ty, "nodes", place)),
            ("keep", store_at("nodes", &self.ty, place, "total")),
            ("joined", element(&self.ty, "nodes", joined)),
            (
                "hand_on",
                store_at("nodes", &self.ty, "params.to_node + slot", "total"),
            ),
        ]
    }

    pub(super) fn finish(self, main: &str) -> Result<Shader, String> {
        let roots = [self.builder.kernel.map, self.operator];
        self.builder.finish(&roots, main)
    }
}

pub(super) fn when(wanted: bool, text: impl Into<String>) -> String {
    if wanted { text.into() } else { String::new() }
}

/// The source of an elementwise kernel with an operator, of which each lane takes a value.
pub(super) fn along(
    kernel: &Kernel,
    operator: FnId,
    options: &ShaderOptions,
) -> Result<Shader, String> {
    let mut parts = AlongBuilder::new(kernel, operator, options);
    parts.builder.number(Number::Joining);
    parts.builder.number(Number::FromNode);
    if kernel.grouping != Grouping::Lanes {
        parts.builder.number(Number::TileWidth);
    }
    let mut values = parts.values();
    let (map_traps, operator_traps, traps) = (parts.map_traps, parts.operator_traps, parts.traps());
    let leave = "if (skel_trap != 0u) {\n    break;\n}";
    let noted = parts.noted("return;");
    let noted_of_initial = when(operator_traps && kernel.initial.is_some(), noted.as_str());
    values.extend([
        (
            "stop",
            // What is joined is there only of spans that have not trapped.
            when(
                traps,
                parts.stop("params.first + at + params.joining", "return;"),
            ),
        ),
        ("leave_map", when(map_traps, leave)),
        ("leave", when(operator_traps, leave)),
        ("leave_all", when(traps, leave)),
        ("trap_of_initial", noted_of_initial),
        ("trap", when(traps, noted)),
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
