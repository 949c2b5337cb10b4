//! What functions of the corpus read at random: of each element type and kind of whole container a small one.

use super::values::Random;
use skel_core::{
    Element,
    ir::{Ty, Value, ViewKind, ViewTy, eval::View},
    space::Shape,
};

/// Rows and columns of a matrix.
pub(crate) const MATRIX: [usize; 2] = [3, 4];
/// Planes, rows and columns of a tensor.
pub(crate) const TENSOR3: [usize; 3] = [2, 3, 4];
/// Volumes, planes, rows and columns.
pub(crate) const TENSOR4: [usize; 4] = [2, 4, 3, 2];

/// The shape of containers of a kind.
pub(crate) fn shape(kind: ViewKind) -> Shape {
    match kind {
        ViewKind::Whole { rank: 1 } => Shape::D1(7),
        ViewKind::Whole { rank: 2 } => MATRIX.into(),
        ViewKind::Whole { rank: 3 } => TENSOR3.into(),
        ViewKind::Whole { rank: 4 } => TENSOR4.into(),
        kind => unreachable!("a whole {}", kind.name()),
    }
}

/// The container of such a type.
pub struct Table {
    pub values: Vec<Value>,
    /// Outermost first, as the view counts dimensions.
    pub extents: Vec<usize>,
}

impl Table {
    /// Always the same for one type.
    ///
    /// # Panics
    /// Of what is no whole container.
    pub fn of(ty: &Ty) -> Table {
        let Ty::View(view) = ty else {
            unreachable!("{ty} as a view")
        };
        let mut random = Random(view.elem.size_bytes() as u64);
        let shape = shape(view.kind);
        let values = (0..shape.len()).map(|_| random.value(&view.elem));
        let extents = shape.extents();
        Table {
            values: values.collect(),
            extents: extents[extents.len() - view.kind.rank()..].to_vec(),
        }
    }

    /// The same for rustc's function.
    pub(crate) fn native<T: Element>(kind: ViewKind) -> Vec<T> {
        let ty = ViewTy {
            elem: T::ty(),
            kind,
        };
        let values = Table::of(&Ty::View(ty.into())).values;
        values.iter().map(|v| T::from_value(v).unwrap()).collect()
    }
}

impl View for Table {
    fn extent(&self, dimension: usize) -> usize {
        self.extents[dimension]
    }

    fn get(&self, indices: &[isize]) -> Value {
        let places = indices.iter().zip(&self.extents);
        let at = places.fold(0, |at, (i, extent)| at * extent + i.cast_unsigned());
        self.values[at].clone()
    }
}
