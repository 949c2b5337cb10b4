//! What names in user functions stand for.

use crate::ir::FnId;

/// What an operator, a method or a path in a user function turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imp {
    /// Built into the IR.
    Builtin,
    /// A function of the program that is being built.
    Function(FnId),
    /// It could not be built; [`Cx`](super::Cx) holds the error.
    Failed,
}
