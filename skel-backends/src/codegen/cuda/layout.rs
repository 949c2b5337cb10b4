//! The block of pointers and numbers that a kernel is launched with.

use crate::codegen::Number;
use skel_core::ir::Ty;

/// One member of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// A `usize`, as all numbers here.
    Number(Number),
    /// Vectors: how many elements come before the first.
    Head,
    /// And how many vectors there are.
    Vectors,
    /// Which element of argument `k`, which is strided, belongs to index 0.
    Offset(usize),
    /// An address.
    Pointer(Pointer),
    /// The value of the uniform argument `k`.
    Uniform(usize),
    /// What the neighbourhood that argument `k` is sees beyond its edges, if that is padded.
    Pad(usize),
}

/// Memory that a kernel reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// Where the first element of argument `k` is; of a view, that of the whole container.
    Argument(usize),
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
}

impl From<Number> for Member {
    fn from(number: Number) -> Member {
        Member::Number(number)
    }
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
            Member::Number(number) => number.name(),
            Member::Head => "head".into(),
            Member::Vectors => "vectors".into(),
            Member::Offset(k) => format!("offset{k}"),
            Member::Pointer(Pointer::Argument(k)) => format!("arg{k}"),
            Member::Pointer(Pointer::Gathered) => "gathered".into(),
            Member::Pointer(Pointer::Partials) => "partials".into(),
            Member::Pointer(Pointer::Listed) => "listed".into(),
            Member::Pointer(Pointer::States) => "states".into(),
            Member::Pointer(Pointer::Status) => "status".into(),
            Member::Uniform(k) => format!("uniform{k}"),
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
        layout.push(Number::Count.into(), MemberValue::Value(Ty::Usize));
        layout.push(Member::Uniform(0), MemberValue::Value(Ty::Bool));
        layout.push(Member::Uniform(1), MemberValue::Value(pair));
        layout.push(
            Member::Pointer(Pointer::Argument(2)),
            MemberValue::Pointer(Ty::Bool, false),
        );
        layout.push(Member::Uniform(3), MemberValue::Value(Ty::Bool));
        let offsets: Vec<usize> = layout.members.iter().map(|m| m.2).collect();
        assert_eq!(offsets, [0, 8, 12, 24, 32]);
        assert_eq!(layout.size_bytes(), 40);
    }
}
