//! What a type-erased array knows of its elements.

use crate::{Element, element::Check};
use std::any::TypeId;

/// The layout of an array's elements, whose type is known only at run time.
#[derive(Clone, Copy, Debug)]
pub struct ElementLayout {
    ty: TypeId,
    size_bytes: usize,
    check: Option<Check>,
}

// The type says the rest; function pointers have no reliable equality.
impl PartialEq for ElementLayout {
    fn eq(&self, other: &Self) -> bool {
        self.ty == other.ty
    }
}

impl Eq for ElementLayout {}

impl ElementLayout {
    /// The layout of `T`.
    #[must_use]
    pub fn of<T: Element>() -> Self {
        const {
            assert!(
                align_of::<T>() <= align_of::<u128>(),
                "elements are aligned to 16 at most"
            )
        };
        ElementLayout {
            ty: TypeId::of::<T>(),
            size_bytes: size_of::<T>(),
            // Naming it makes rustc evaluate it, and with it what it asserts of the layout.
            check: const { T::CHECK },
        }
    }

    /// The size of one element.
    #[must_use]
    pub fn size_bytes(self) -> usize {
        self.size_bytes
    }

    /// The Rust type.
    #[must_use]
    pub fn element_type(self) -> TypeId {
        self.ty
    }

    /// Whether these bytes, of whole elements, are values of the type. Bytes that come from outside
    /// of Rust become elements only if they are.
    #[must_use]
    pub fn is_valid(self, bytes: &[u8]) -> bool {
        self.check.is_none_or(|check| check(bytes))
    }
}
