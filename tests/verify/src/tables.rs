//! What functions of the corpus read at random: of each element type one short vector.

use super::values::Random;
use skel_core::{
    Element,
    ir::{Ty, Value, eval::View},
};

/// How many elements there are in each.
pub const LEN: usize = 7;

/// The vector of this element type.
pub struct Table(pub Vec<Value>);

impl Table {
    /// Always the same for one type.
    pub fn of(elem: &Ty) -> Table {
        let mut random = Random(elem.size_bytes() as u64);
        Table((0..LEN).map(|_| random.value(elem)).collect())
    }

    /// The same for rustc's function.
    pub fn native<T: Element>() -> Vec<T> {
        let values = Table::of(&T::ty()).0;
        values.iter().map(|v| T::from_value(v).unwrap()).collect()
    }
}

impl View for Table {
    fn extent(&self, _: usize) -> usize {
        self.0.len()
    }

    fn get(&self, indices: &[isize]) -> Value {
        self.0[indices[0].cast_unsigned()].clone()
    }
}
