//! The block of pointers and numbers that a kernel is launched with.

use skel_core::ir::Ty;

/// One member of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// How many elements this launch has.
    Count,
    /// The index of its first element, in the whole index space.
    Base,
    /// Columns of the index space.
    Columns,
    /// Rows of each plane of the index space.
    Rows,
    /// Planes of each volume of the index space.
    Planes,
    /// Its first element, counted from where trapped elements are counted from.
    First,
    /// Folds and scans: elements per lane.
    PerLane,
    /// Folds and scans: where the launch's partials begin.
    Slot,
    /// Scans: 1 if something precedes the launch, else 0.
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
    Span(usize),
    /// The partials that a fold's first stage found, or what precedes the blocks of a scan.
    Gathered,
    /// The partials that this stage of a fold or scan writes.
    Partials,
    /// The status words: `u64`, as many as the kernel has sites.
    Status,
    /// The value of the uniform argument `k`.
    Uniform(usize),
}

/// What a member holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
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
            Member::Columns => "columns".into(),
            Member::Rows => "rows".into(),
            Member::Planes => "planes".into(),
            Member::First => "first".into(),
            Member::PerLane => "per_lane".into(),
            Member::Slot => "slot".into(),
            Member::Carried => "carried".into(),
            Member::Seed => "seed".into(),
            Member::Call => "call".into(),
            Member::Argument(k) => format!("arg{k}"),
            Member::Extent(k, dimension) => format!("extent{k}_{dimension}"),
            Member::Span(k) => format!("span{k}"),
            Member::Gathered => "gathered".into(),
            Member::Partials => "partials".into(),
            Member::Status => "status".into(),
            Member::Uniform(k) => format!("uniform{k}"),
        }
    }
}

/// The block's members, each with what it holds and its place.
#[derive(Clone, Debug, Default)]
pub struct ParamsLayout {
    /// Member, what it holds, offset in bytes.
    pub members: Vec<(Member, Held, usize)>,
    end_bytes: usize,
}

impl ParamsLayout {
    /// Adds a member behind the others.
    pub fn push(&mut self, member: Member, held: Held) {
        let (size, align) = match &held {
            Held::Pointer(..) => (8, 8),
            Held::Value(ty) => (ty.size_bytes(), align_bytes(ty)),
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
        layout.push(Member::Count, Held::Value(Ty::Usize));
        layout.push(Member::Uniform(0), Held::Value(Ty::Bool));
        layout.push(Member::Uniform(1), Held::Value(pair));
        layout.push(Member::Argument(2), Held::Pointer(Ty::Bool, false));
        layout.push(Member::Uniform(3), Held::Value(Ty::Bool));
        let offsets: Vec<usize> = layout.members.iter().map(|m| m.2).collect();
        assert_eq!(offsets, [0, 8, 12, 24, 32]);
        assert_eq!(layout.size_bytes(), 40);
    }
}
