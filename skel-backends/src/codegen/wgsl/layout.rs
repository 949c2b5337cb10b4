//! The small block of numbers that every kernel gets: where it is, and the uniform parameters.

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
    /// The chunk's first element, counted from the launch's first.
    First,
    /// Where the launch's status words begin.
    Status,
    /// Folds: elements per lane.
    PerLane,
    /// Folds: where the chunk's partials begin.
    Slot,
    /// Where the chunk begins in what is bound of argument `k`: bindings begin at aligned addresses.
    Offset(usize),
    /// The value of the uniform argument `k`.
    Uniform(usize),
}

impl Member {
    /// Its name in the block.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Member::Count => "count".into(),
            Member::Base => "base".into(),
            Member::Columns => "columns".into(),
            Member::First => "first".into(),
            Member::Status => "status".into(),
            Member::PerLane => "per_lane".into(),
            Member::Slot => "slot".into(),
            Member::Offset(k) => format!("offset{k}"),
            Member::Uniform(k) => format!("uniform{k}"),
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
    /// Adds a member behind the others. `ty` is a scalar type.
    pub fn push(&mut self, member: Member, ty: Ty) {
        let size = if ty == Ty::F64 { 8 } else { 4 };
        let offset = self.end_bytes.next_multiple_of(size);
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
        let offsets: Vec<usize> = layout.members.iter().map(|m| m.2).collect();
        assert_eq!(offsets, [0, 8, 16]);
        assert_eq!(layout.size_bytes(), 32);
    }
}
