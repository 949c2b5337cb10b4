//! The numbers that kernels get with each launch, whatever language they are written in.

use super::WindowNumber;
use skel_core::plan::IndexKind;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// How many elements this launch, or this chunk of it, has.
    Count,
    /// The index of its first element, in the whole index space.
    Base,
    /// Its first element, counted from the launch's first.
    First,
    /// Columns of the index space.
    Columns,
    /// Rows of each plane of the index space.
    Rows,
    /// Planes of each volume of the index space.
    Planes,
    /// How many elements, one after the other, see the same [`skel_core::ir::ViewKind::Row`]: those of a
    /// row, or, in a vector, each alone.
    PerRow,
    /// Folds and scans: a leaf is so many tiles, as a power of two; or the level of the nodes to combine. Rows and columns:
    /// a group takes so many values, as a power of two.
    Level,
    /// Folds: how far a lane's elements are apart, or how many are in a block; if all is one chain, that says so.
    TileWidth,
    /// Folds and scans: leaves of the launch before the chunk. Of rows and columns: spans before the dispatch.
    Slot,
    /// Folds and scans: the number of the launch's first leaf.
    FirstLeaf,
    /// Folds and scans: leaves of the launch.
    Leaves,
    /// Folds: the end of the leaves whose nodes are to be listed; 0 if none are.
    ToLeaf,
    /// Scans: 1 if something precedes all elements, else 0; and 2 if nodes precede the launch; and 4 if the total of a
    /// scan in one pass is wanted.
    Carried,
    /// The seed of random numbers.
    Seed,
    /// The upper half of it, for languages whose numbers have 32 bits.
    SeedHigh,
    /// The number of the call, which they depend on as well.
    Call,
    /// How many elements argument `k` has along dimension `d`: of a view, those of its container; of a row or a column,
    /// those of its matrix; of lines, those of each.
    Extent(usize, usize),
    /// How far neighbours along dimension `d` of argument `k`, which is strided, or a line, lie apart, modulo 2^64; in
    /// folds of rows or columns, values for 0, elements of a value for 1.
    Pitch(usize, usize),
    /// Folds of rows and columns: elements that are folded to one, or nodes that are joined.
    Depth,
    /// Folds of rows and columns: elements of a leaf of the tree, a power of two.
    LeafElems,
    /// Folds of rows and columns: spans of each value.
    Spans,
    /// Folds of rows and columns: elements of a span, or nodes.
    SpanElems,
    /// Folds of rows and columns: 1 where nodes are joined, else 0.
    Joining,
    /// Folds of rows and columns: where the nodes to be joined begin.
    FromNode,
    /// Folds of rows and columns: where those of the spans begin.
    ToNode,
    /// Folds of rows and columns: where the table of nodes begins.
    TableNode,
    /// How far the elements that begin neighbouring folds are apart, as the arguments count them.
    PlacesPerValue,
    /// How far neighbouring elements of a fold are apart, as the arguments count them.
    PlacesPerStep,
    /// Sweeps: the hyperplane of tiles.
    Hyperplane,
    /// Sweeps: how many tiles there are along planes, rows or columns.
    Tiles(usize),
    /// Sweeps: the first plane and row of tiles of the launch.
    FirstTile(usize),
    /// A number of the neighbourhood that argument `k` is.
    Window(usize, WindowNumber),
}

impl Number {
    /// Its name in the block of parameters.
    #[must_use]
    pub fn name(self) -> String {
        let name = match self {
            Number::Count => "count",
            Number::Base => "base",
            Number::First => "first",
            Number::Columns => "columns",
            Number::Rows => "rows",
            Number::Planes => "planes",
            Number::PerRow => "per_row",
            Number::Level => "level",
            Number::TileWidth => "width",
            Number::Slot => "slot",
            Number::FirstLeaf => "first_leaf",
            Number::Leaves => "leaves",
            Number::ToLeaf => "to_leaf",
            Number::Carried => "carried",
            Number::Seed => "seed",
            Number::SeedHigh => "seed_high",
            Number::Call => "call",
            Number::Depth => "depth",
            Number::LeafElems => "leaf",
            Number::Spans => "spans",
            Number::SpanElems => "span",
            Number::Joining => "joining",
            Number::FromNode => "from_node",
            Number::ToNode => "to_node",
            Number::TableNode => "table_node",
            Number::PlacesPerValue => "places_per_value",
            Number::PlacesPerStep => "places_per_step",
            Number::Hyperplane => "hyperplane",
            Number::Extent(k, d) => return format!("extent{k}_{d}"),
            Number::Pitch(k, d) => return format!("pitch{k}_{d}"),
            Number::Tiles(d) => return format!("tiles{d}"),
            Number::FirstTile(d) => return format!("first_tile{d}"),
            Number::Window(k, number) => return format!("window{k}_{}", number.name()),
        };
        name.into()
    }

    /// The index of the current element, in dimensions of this kind, is made of these.
    pub(super) fn of_index(kind: IndexKind) -> &'static [Number] {
        match kind {
            IndexKind::Index1 => &[],
            IndexKind::Index2 => &[Number::Columns],
            IndexKind::Index3 => &[Number::Columns, Number::Rows],
            IndexKind::Index4 => &[Number::Columns, Number::Rows, Number::Planes],
        }
    }

    /// What folds of rows and columns go by in each of their passes, beside what a language adds.
    pub(super) const ALONG: [Number; 8] = [
        Number::Depth,
        Number::LeafElems,
        Number::Spans,
        Number::SpanElems,
        Number::ToNode,
        Number::TableNode,
        Number::PlacesPerValue,
        Number::PlacesPerStep,
    ];

    /// What sweeps go by.
    pub(super) const SWEEP: [Number; 10] = [
        Number::Hyperplane,
        Number::Tiles(0),
        Number::Tiles(1),
        Number::Tiles(2),
        Number::FirstTile(0),
        Number::FirstTile(1),
        Number::Planes,
        Number::Rows,
        Number::Columns,
        Number::Base,
    ];
}
