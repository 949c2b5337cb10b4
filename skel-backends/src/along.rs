//! How launches of folds of rows and columns keep to the grouping: what every driver's kernels go by.
//!
//! A *leaf* is what stands below the tree: a tile of a row, [`COLUMN`] rows of a column, or all of a short row. One
//! thread, or one group of them, takes leaves of a value in order, and keeps the complete nodes to the left of the
//! current leaf in a table, one place for each level: the bits of the leaf's number say which of them are there.
//!
//! Where there are fewer values than a device has threads, each takes a *span* of a value: a power of two of leaves,
//! whose node is complete. The nodes are then joined as if they were leaves, in as many passes as it takes.
#![cfg_attr(
    not(feature = "wgpu"),
    allow(dead_code, reason = "drivers have more to ask than a dialect")
)]

use skel_core::{
    plan::{
        Grouping, Kernel,
        grouping::{BLOCK, COLUMN, SHORT},
    },
    space::{Along, Axis},
};

/// Groups below which each takes one row.
const LEAST_GROUPS: usize = 1024;

/// Elements of a span, at least: with fewer, joining costs more than it gains.
const LEAST_SPAN: usize = 256;

/// The same for spans that a group takes.
const LEAST_SPAN_OF_GROUP: usize = 4096;

/// Nodes that one thread joins, at most.
const JOINED: usize = 64;

/// How each value of a launch is combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaves {
    /// Elements that are folded to one.
    pub(crate) depth: usize,
    /// Elements of a leaf: a power of two.
    pub(crate) leaf: usize,
    /// Elements of a block; all that a leaf has, if that is a chain.
    pub(crate) width: usize,
    /// Whether leaves are tiles of lanes, which a group takes together, of one row or several.
    pub(crate) by_lanes: bool,
    /// Elements of a span, at least.
    least_span: usize,
}

/// One kernel of a launch: what it folds or joins, and where it finds and leaves nodes, counted in nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pass {
    /// Elements that are folded to one; or nodes that are joined.
    pub(crate) depth: usize,
    /// Elements of a leaf.
    pub(crate) leaf: usize,
    /// Elements of a block.
    pub(crate) width: usize,
    /// Whether nodes are joined, which the pass before has left at `from`.
    pub(crate) joining: bool,
    /// Spans of each value. If it is one, values are written.
    pub(crate) spans: usize,
    /// Elements of each but the last.
    pub(crate) span: usize,
    /// Where the nodes that are joined begin: node `n` of value `v` is behind `n` times all values.
    pub(crate) from: usize,
    /// Where those of the spans begin.
    pub(crate) to: usize,
    /// Where the table of nodes begins, which has a place for each level and span.
    pub(crate) table: usize,
}

/// How many spans there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// Spans of all values together beyond which more gain nothing.
    pub(crate) slots: usize,
    /// Elements of a span that a kernel may take.
    pub(crate) span: usize,
}

impl Leaves {
    pub(crate) fn new(kernel: &Kernel, along: Along) -> Leaves {
        let (grouping, depth) = (kernel.grouping, along.depth());
        let short = depth < SHORT && grouping != Grouping::Heavy;
        let (leaf, width) = match along.axis {
            Axis::Cols => (COLUMN, COLUMN),
            Axis::Rows if short => (SHORT, SHORT),
            Axis::Rows => (grouping.tile_elems(), BLOCK),
        };
        let by_lanes = along.axis == Axis::Rows && !short && grouping == Grouping::Lanes;
        Leaves {
            depth,
            leaf,
            width,
            by_lanes,
            least_span: match grouping {
                _ if by_lanes => LEAST_SPAN_OF_GROUP,
                // Each element takes long.
                Grouping::Heavy => leaf,
                Grouping::Lanes | Grouping::Ordered { .. } => LEAST_SPAN,
            },
        }
    }

    /// How many rows, as a power of two, a group takes that can take `most`: so many as make a tile, but not where there
    /// are few.
    pub(crate) fn rows_log2(&self, most: u32, values: usize) -> u32 {
        let of_tile = self.leaf / self.depth.next_power_of_two();
        let wanted = of_tile.min(values / LEAST_GROUPS).clamp(1, most as usize);
        wanted.ilog2()
    }

    /// The kernels of a launch of so many values, in order; and how many places for nodes they need together.
    pub(crate) fn passes(&self, values: usize, most: Most) -> (Vec<Pass>, usize) {
        let mut span = self.leaf.max(self.least_span);
        while span < self.depth
            && values.saturating_mul(self.depth.div_ceil(span)) > most.slots
            && 2 * span <= most.span
        {
            span *= 2;
        }
        let mut passes: Vec<Pass> = Vec::new();
        let (mut depth, mut from, mut to) = (self.depth, 0, 0);
        loop {
            let joining = !passes.is_empty();
            let spans = depth.div_ceil(span).max(1);
            passes.push(Pass {
                depth,
                leaf: if joining { 1 } else { self.leaf },
                width: self.width,
                joining,
                spans,
                // No larger than what there is, so that places in it can be counted in few bits.
                span: span.min(depth),
                from,
                to,
                table: 0,
            });
            if spans == 1 {
                break;
            }
            (depth, from, to) = (spans, to, to + values * spans);
            span = JOINED;
        }
        let tables = passes
            .iter()
            .map(|pass| values * pass.spans * pass.levels() as usize);
        let table = tables.max().unwrap_or(0);
        for pass in &mut passes {
            pass.table = to;
        }
        (passes, to + table)
    }
}

impl Pass {
    /// Levels of the table of nodes: of those that are complete before the last leaf of a span.
    fn levels(&self) -> u32 {
        let before_last = self.span.div_ceil(self.leaf).saturating_sub(1);
        before_last.checked_ilog2().map_or(0, |level| level + 1)
    }
}

#[cfg(test)]
mod test;
