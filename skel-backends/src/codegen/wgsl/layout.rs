//! The small block of numbers that every kernel gets: where it is, and the uniform parameters.

use super::memory::{is_aggregate, stored_bytes};
use crate::codegen::Number;
use skel_core::ir::Ty;

/// One member of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// A `u32`, as all numbers here.
    Number(Number),
    /// Where the launch's status words begin.
    Status,
    /// 0, which no compiler knows.
    Nothing,
    /// Where the chunk begins in what is bound of argument `k`, since bindings begin at aligned
    /// addresses: in elements, or, of structs and arrays, in words of 32 bits.
    Offset(usize),
    /// The first element that is on the device of the container of which argument `k` sees neighbourhoods.
    Beginning(usize),
    /// The value of the uniform argument `k`.
    Uniform(usize),
    /// What the neighbourhood that argument `k` is sees beyond its edges, if that is padded; else 0.
    Pad(usize),
}

impl From<Number> for Member {
    fn from(number: Number) -> Member {
        Member::Number(number)
    }
}

impl Member {
    /// Its name in the block.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Member::Number(number) => number.name(),
            Member::Status => "status".into(),
            Member::Nothing => "nothing".into(),
            Member::Offset(k) => format!("offset{k}"),
            Member::Beginning(k) => format!("beginning{k}"),
            Member::Uniform(k) => format!("uniform{k}"),
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
        layout.push(Number::Count.into(), Ty::U32);
        layout.push(Member::Uniform(0), Ty::F64);
        layout.push(Member::Uniform(1), Ty::Bool);
        layout.push(Member::Uniform(2), Ty::tuple([Ty::U8, Ty::F64, Ty::F32]));
        layout.push(Number::Count.into(), Ty::U32);
        layout.push(Member::Uniform(3), Ty::array(Ty::U16, 5));
        layout.push(Member::Uniform(4), Ty::I64);
        let offsets: Vec<usize> = layout.members.iter().map(|m| m.2).collect();
        assert_eq!(offsets, [0, 8, 16, 32, 48, 80]);
        assert_eq!(layout.size_bytes(), 96);
    }
}
