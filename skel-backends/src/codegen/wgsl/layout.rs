//! The small block of numbers that every kernel gets: where it is, and the uniform parameters.

use super::memory::{is_aggregate, stored_bytes};
use crate::codegen::WindowMember;
use skel_core::ir::Ty;

/// One number of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// How many elements this chunk has.
    Count,
    /// The index of the chunk's first element, in the whole index space.
    Base,
    /// Columns of the index space.
    Columns,
    /// Rows of each plane of the index space.
    Rows,
    /// Planes of each volume of the index space.
    Planes,
    /// How many elements, one after the other, see the same [`skel_core::ir::ViewKind::Row`]: those of a
    /// row, or, in a vector, each alone.
    PerRow,
    /// The chunk's first element, counted from the launch's first.
    First,
    /// Where the launch's status words begin.
    Status,
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
    /// The end of the leaves whose nodes are to be listed; 0 if none are.
    ToLeaf,
    /// Scans: 1 if something precedes all elements, and 2 if nodes precede the launch; else 0.
    Carried,
    /// 0, which no compiler knows.
    Nothing,
    /// The lower half of the seed of random numbers.
    Seed,
    /// The upper half.
    SeedHigh,
    /// The number of the call that random numbers are for.
    Call,
    /// Where the chunk begins in what is bound of argument `k`, since bindings begin at aligned
    /// addresses: in elements, or, of structs and arrays, in words of 32 bits.
    BindingOffset(usize),
    /// Extent `d` of the whole container that argument `k` is.
    Extent(usize, usize),
    /// Columns of the matrix that argument `k`, a column of it, is taken from.
    Stride(usize),
    /// How far neighbours along dimension `d` of argument `k`, which is strided, lie apart: in elements,
    /// modulo 2^32.
    Pitch(usize, usize),
    /// How many elements argument `k`, which is strided, has along dimension `d`.
    StridedExtent(usize, usize),
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
    /// The value of the uniform argument `k`.
    Uniform(usize),
    /// Sweeps: the hyperplane of tiles.
    Hyperplane,
    /// Sweeps: how many tiles there are along planes, rows or columns.
    Tiles(usize),
    /// Sweeps: the first plane and row of tiles of the launch.
    FirstTile(usize),
    /// A number of the neighbourhood that argument `k` is.
    Window(usize, WindowMember),
    /// The first element that is on the device of the container of which argument `k` sees neighbourhoods.
    Beginning(usize),
    /// What the neighbourhood that argument `k` is sees beyond its edges, if that is padded; else 0.
    Pad(usize),
}

impl Member {
    /// Its name in the block.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Member::Count => "count".into(),
            Member::Base => "base".into(),
            Member::Columns => "columns".into(),
            Member::Rows => "rows".into(),
            Member::Planes => "planes".into(),
            Member::PerRow => "per_row".into(),
            Member::First => "first".into(),
            Member::Status => "status".into(),
            Member::Level => "level".into(),
            Member::TileWidth => "width".into(),
            Member::Slot => "slot".into(),
            Member::FirstLeaf => "first_leaf".into(),
            Member::Leaves => "leaves".into(),
            Member::ToLeaf => "to_leaf".into(),
            Member::Carried => "carried".into(),
            Member::Nothing => "nothing".into(),
            Member::Seed => "seed".into(),
            Member::SeedHigh => "seed_high".into(),
            Member::Call => "call".into(),
            Member::Beginning(k) => format!("beginning{k}"),
            Member::BindingOffset(k) => format!("offset{k}"),
            Member::Extent(k, d) => format!("extent{k}_{d}"),
            Member::Stride(k) => format!("stride{k}"),
            Member::Pitch(k, d) => format!("pitch{k}_{d}"),
            Member::StridedExtent(k, d) => format!("span{k}_{d}"),
            Member::Depth => "depth".into(),
            Member::LeafElems => "leaf".into(),
            Member::Spans => "spans".into(),
            Member::SpanElems => "span".into(),
            Member::Joining => "joining".into(),
            Member::FromNode => "from_node".into(),
            Member::ToNode => "to_node".into(),
            Member::TableNode => "table_node".into(),
            Member::PlacesPerValue => "places_per_value".into(),
            Member::PlacesPerStep => "places_per_step".into(),
            Member::Uniform(k) => format!("uniform{k}"),
            Member::Hyperplane => "hyperplane".into(),
            Member::Tiles(d) => format!("tiles{d}"),
            Member::FirstTile(d) => format!("first_tile{d}"),
            Member::Window(k, number) => format!("window{k}_{}", number.name()),
            Member::Pad(k) => format!("pad{k}"),
        }
    }
}

/// The block's members, each with its type in the block and its place.
#[derive(Clone, Debug, Default)]
pub struct ParamsLayout {
    /// Member, type, offset in bytes.
    pub members: Vec<(Member, Ty, usize)>,
    end_bytes: usize,
}

impl ParamsLayout {
    /// Adds a member behind the others, unless it is there. Structs and arrays are words in groups of
    /// four, since arrays in such a block have elements of 16 bytes.
    pub fn push(&mut self, member: Member, ty: Ty) {
        if self.members.iter().any(|(known, ..)| *known == member) {
            return;
        }
        let mut size = stored_bytes(&ty) as usize;
        let mut align = size;
        if is_aggregate(&ty) {
            align = 16;
            size = size.next_multiple_of(16);
        }
        let offset = self.end_bytes.next_multiple_of(align);
        self.members.push((member, ty, offset));
        self.end_bytes = offset + size;
    }

    /// The size of the block, to the next multiple of 16.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.end_bytes.next_multiple_of(16)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn wide_members_are_aligned() {
        let mut layout = ParamsLayout::default();
        layout.push(Member::Count, Ty::U32);
        layout.push(Member::Uniform(0), Ty::F64);
        layout.push(Member::Uniform(1), Ty::Bool);
        layout.push(Member::Uniform(2), Ty::tuple([Ty::U8, Ty::F64, Ty::F32]));
        layout.push(Member::Count, Ty::U32);
        layout.push(Member::Uniform(3), Ty::array(Ty::U16, 5));
        layout.push(Member::Uniform(4), Ty::I64);
        let offsets: Vec<usize> = layout.members.iter().map(|m| m.2).collect();
        assert_eq!(offsets, [0, 8, 16, 32, 48, 80]);
        assert_eq!(layout.size_bytes(), 96);
    }
}
