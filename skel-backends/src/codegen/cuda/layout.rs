//! The block of pointers and numbers that a kernel is launched with.

use crate::codegen::WindowMember;
use skel_core::ir::Ty;

/// One member of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// How many elements this launch has.
    Count,
    /// The index of its first element, in the whole index space.
    Base,
    /// Vectors: how many elements come before the first.
    Head,
    /// And how many vectors there are.
    Vectors,
    /// Columns of the index space.
    Columns,
    /// Rows of each plane of the index space.
    Rows,
    /// Planes of each volume of the index space.
    Planes,
    /// Its first element, counted from where trapped elements are counted from.
    First,
    /// Folds: a leaf is so many tiles, as a power of two; or the level of the nodes to combine. Rows by lanes: a block
    /// takes so many, as a power of two.
    Level,
    /// Folds: how far a lane's elements are apart, or how many are in a block; if all is one chain, that says so.
    TileWidth,
    /// Folds: the number of the launch's first leaf.
    FirstLeaf,
    /// Folds: leaves of the launch.
    Leaves,
    /// Folds: the end of the leaves whose nodes are to be listed; 0 if none are.
    ToLeaf,
    /// Scans: 1 if something precedes all elements, else 0; and 2 if nodes precede the launch; and 4 if the total of a
    /// scan in one pass is wanted.
    Carried,
    /// The seed of random numbers.
    Seed,
    /// The number of the call, a `u32`, which they depend on as well.
    Call,
    /// Where the first element of argument `k` is; of a view, that of the whole container.
    Argument(usize),
    /// How many elements the view of argument `k` has in this dimension; of a row or a column, those
    /// of its matrix.
    Extent(usize, usize),
    /// Rows and columns: how many elements of the index space share the row, or how many columns there
    /// are to count through.
    PerRow(usize),
    /// Which element of argument `k`, which is strided, belongs to index 0.
    Offset(usize),
    /// How far neighbours along dimension `d` of argument `k`, which is strided, lie apart, modulo 2^64; in
    /// folds of rows or columns, values for 0, elements of a value for 1.
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
    /// What precedes the blocks of a scan.
    Gathered,
    /// The nodes of a fold, or the partials that this stage of a scan writes.
    Partials,
    /// Folds: where the nodes that make up the launch are listed, in memory of the device or of the host.
    Listed,
    /// Scans in one pass, `u32`: how many blocks have begun; then of each whether others may see its value. All are 0
    /// before the launch. Folds: how many blocks have come to each group of nodes; all are 0 before and after it.
    States,
    /// The status words: `u64`, as many as the kernel has sites.
    Status,
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
    /// What the neighbourhood that argument `k` is sees beyond its edges, if that is padded.
    Pad(usize),
}

/// What a member holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberValue {
    /// The address of the first of some elements, and whether they are written.
    Pointer(Ty, bool),
    /// A value, laid out as on the host. Numbers that kernels themselves need are `usize`.
    Value(Ty),
}

impl Member {
    /// Its name in the block.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Member::Count => "count".into(),
            Member::Base => "base".into(),
            Member::Head => "head".into(),
            Member::Vectors => "vectors".into(),
            Member::Columns => "columns".into(),
            Member::Rows => "rows".into(),
            Member::Planes => "planes".into(),
            Member::First => "first".into(),
            Member::Level => "level".into(),
            Member::TileWidth => "width".into(),
            Member::FirstLeaf => "first_leaf".into(),
            Member::Leaves => "leaves".into(),
            Member::ToLeaf => "to_leaf".into(),
            Member::Carried => "carried".into(),
            Member::Seed => "seed".into(),
            Member::Call => "call".into(),
            Member::Argument(k) => format!("arg{k}"),
            Member::Extent(k, dimension) => format!("extent{k}_{dimension}"),
            Member::PerRow(k) => format!("span{k}"),
            Member::Offset(k) => format!("offset{k}"),
            Member::Pitch(k, dimension) => format!("pitch{k}_{dimension}"),
            Member::StridedExtent(k, dimension) => format!("width{k}_{dimension}"),
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
            Member::Gathered => "gathered".into(),
            Member::Partials => "partials".into(),
            Member::Listed => "listed".into(),
            Member::States => "states".into(),
            Member::Status => "status".into(),
            Member::Uniform(k) => format!("uniform{k}"),
            Member::Hyperplane => "hyperplane".into(),
            Member::Tiles(d) => format!("tiles{d}"),
            Member::FirstTile(d) => format!("first_tile{d}"),
            Member::Window(k, number) => format!("window{k}_{}", number.name()),
            Member::Pad(k) => format!("pad{k}"),
        }
    }
}

/// The block's members, each with what it holds and its place.
#[derive(Clone, Debug, Default)]
pub struct ParamsLayout {
    /// Member, what it holds, offset in bytes.
    pub members: Vec<(Member, MemberValue, usize)>,
    end_bytes: usize,
}

impl ParamsLayout {
    /// Adds a member behind the others, unless it is there.
    pub fn push(&mut self, member: Member, held: MemberValue) {
        if self.members.iter().any(|(known, ..)| *known == member) {
            return;
        }
        let (size, align) = match &held {
            MemberValue::Pointer(..) => (8, 8),
            MemberValue::Value(ty) => (ty.size_bytes(), align_bytes(ty)),
        };
        let offset = self.end_bytes.next_multiple_of(align);
        self.members.push((member, held, offset));
        self.end_bytes = offset + size;
    }

    /// The size of the block: C++ rounds it up to its alignment.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        // A pointer or a 64-bit count is always among the members.
        self.end_bytes.next_multiple_of(8)
    }
}

/// The alignment of a type, on the host and in CUDA C++.
#[must_use]
pub fn align_bytes(ty: &Ty) -> usize {
    let leaves = ty.leaves();
    leaves.iter().map(Ty::size_bytes).max().unwrap_or(1)
}

/// The size that C++ gives a type: a tuple, which no container holds, may have padding.
#[must_use]
pub fn padded_bytes(ty: &Ty) -> usize {
    match ty {
        Ty::Struct(s) => {
            let end = s.fields.iter().fold(0_usize, |end, field| {
                end.next_multiple_of(align_bytes(&field.ty)) + padded_bytes(&field.ty)
            });
            end.max(1).next_multiple_of(align_bytes(ty))
        }
        Ty::Array(a) => padded_bytes(&a.elem) * a.len.max(1),
        scalar => scalar.size_bytes(),
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn members_are_aligned_as_cpp_does_it() {
        let pair = Ty::structure("Pair", &[("a", Ty::F32), ("b", Ty::I32)]);
        let mut layout = ParamsLayout::default();
        layout.push(Member::Count, MemberValue::Value(Ty::Usize));
        layout.push(Member::Uniform(0), MemberValue::Value(Ty::Bool));
        layout.push(Member::Uniform(1), MemberValue::Value(pair));
        layout.push(Member::Argument(2), MemberValue::Pointer(Ty::Bool, false));
        layout.push(Member::Uniform(3), MemberValue::Value(Ty::Bool));
        let offsets: Vec<usize> = layout.members.iter().map(|m| m.2).collect();
        assert_eq!(offsets, [0, 8, 12, 24, 32]);
        assert_eq!(layout.size_bytes(), 40);
    }
}
