//! What a type-erased array knows of its elements.

use crate::{Element, element::Check, ir::Ty};
use std::{any::TypeId, fmt};

/// The element type of an array, known only at run time: one pointer to what is constant per type, since
/// every view, slot and operand has one.
#[derive(Clone, Copy)]
pub struct ElementLayout(&'static Constants);

/// What is the same for all arrays of one element type.
struct Constants {
    element: TypeId,
    size_bytes: usize,
    check: Option<Check>,
    ty: fn() -> Ty,
}

// The type says the rest. One type may have several tables (one in each crate), so pointers do not tell.
impl PartialEq for ElementLayout {
    fn eq(&self, other: &Self) -> bool {
        self.element_type() == other.element_type()
    }
}

impl Eq for ElementLayout {}

impl fmt::Debug for ElementLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ElementLayout({}, {} bytes)",
            self.ty(),
            self.size_bytes()
        )
    }
}

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
        const {
            ElementLayout(&Constants {
                element: TypeId::of::<T>(),
                size_bytes: size_of::<T>(),
                // Naming it makes rustc evaluate it, and with it what it asserts of the layout.
                check: T::CHECK,
                ty: T::ty,
            })
        }
    }

    /// The size of one element.
    #[must_use]
    pub fn size_bytes(self) -> usize {
        self.0.size_bytes
    }

    /// The Rust type.
    #[must_use]
    pub fn element_type(self) -> TypeId {
        self.0.element
    }

    /// The type in the IR.
    #[must_use]
    pub fn ty(self) -> Ty {
        (self.0.ty)()
    }

    /// Whether these bytes, of whole elements, are values of the type. Bytes that come from outside
    /// of Rust become elements only if they are.
    #[must_use]
    pub fn is_valid(self, bytes: &[u8]) -> bool {
        self.0.check.is_none_or(|check| check(bytes))
    }
}
