//! The numbers that kernels get with each launch: what all drivers fill their blocks of parameters from.

use crate::{
    along::Pass,
    codegen::Number,
    device::{Launch, LaunchArg},
    tiling::Tiling,
};
use skel_core::{
    plan::Grouping,
    space::{MAX_RANK, Shape},
};
use std::ops::Range;

/// Those that neither the launch nor its arguments give.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) count: usize,
    /// Leaves of the launch before the chunk, or spans before the dispatch.
    pub(crate) slot: usize,
    pub(crate) carried: usize,
    pub(crate) nodes: NodeNumbers,
    /// What a fold of rows or columns does.
    pub(crate) along: Option<Pass>,
    /// The hyperplane of a sweep, the rows of tiles that are launched for it, and how many tiles each has.
    pub(crate) hyperplane: usize,
    pub(crate) tiles: [usize; 3],
    pub(crate) first_tiles: [usize; 2],
}

/// Those of folds and scans.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeNumbers {
    pub(crate) level: u32,
    pub(crate) width: usize,
    pub(crate) first_leaf: u64,
    pub(crate) leaves: u64,
    pub(crate) to_leaf: u64,
}

impl NodeNumbers {
    /// Of a launch of so many leaves.
    pub(crate) fn new(tiling: &Tiling, leaves: u64, grouping: Grouping) -> NodeNumbers {
        NodeNumbers {
            level: tiling.level,
            width: tiling.width(grouping),
            first_leaf: tiling.first,
            leaves,
            to_leaf: 0,
        }
    }
}

impl Numbers {
    /// What a number is, of the elements `chunk` of a launch; none if the launch has no such thing. What may be negative
    /// is modulo 2^64.
    pub(crate) fn of<A>(
        &self,
        number: Number,
        launch: &Launch<'_, A>,
        chunk: &Range<usize>,
    ) -> Option<usize> {
        let (space, stream) = (launch.space.arguments(), launch.space.stream());
        let (nodes, along) = (&self.nodes, self.along.as_ref());
        Some(match number {
            Number::Count => self.count,
            Number::Base => chunk.start,
            Number::First => chunk.start - launch.range.start,
            Number::Columns => space.row_elems(),
            Number::Rows => space.extents()[MAX_RANK - 2],
            Number::Planes => space.extents()[MAX_RANK - 3],
            Number::PerRow => match space {
                Shape::D1(_) => 1,
                Shape::D2(..) | Shape::D3(..) | Shape::D4(..) => space.row_elems(),
            },
            Number::Level => nodes.level as usize,
            Number::TileWidth => along.map_or(nodes.width, |pass| pass.width),
            Number::Slot => self.slot,
            Number::FirstLeaf => nodes.first_leaf as usize,
            Number::Leaves => nodes.leaves as usize,
            Number::ToLeaf => nodes.to_leaf as usize,
            Number::Carried => self.carried,
            Number::Seed => stream.seed as usize,
            Number::SeedHigh => (stream.seed >> 32) as usize,
            Number::Call => stream.call as usize,
            Number::Extent(k, d) => launch.extent(k, d)?,
            Number::Pitch(k, d) => launch.pitch(k, d)? as usize,
            Number::Depth => along?.depth,
            Number::LeafElems => along?.leaf,
            Number::Spans => along?.spans,
            Number::SpanElems => along?.span,
            Number::Joining => usize::from(along?.joining),
            Number::FromNode => along?.from,
            Number::ToNode => along?.to,
            Number::TableNode => along?.table,
            Number::PlacesPerValue => launch.space.along()?.element(1, 0),
            Number::PlacesPerStep => launch.space.along()?.element(0, 1),
            Number::Hyperplane => self.hyperplane,
            Number::Tiles(d) => self.tiles[d],
            Number::FirstTile(d) => self.first_tiles[d],
            Number::Window(k, number) => match launch.args.get(k)? {
                LaunchArg::Window(_, near, _) => number.of(near),
                _ => return None,
            },
        })
    }
}
