//! What can be wrong with a program.

use crate::ir::Ty;

/// What is wrong with a program, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in `{function}`, line {line}: {fault}")]
pub struct Invalid {
    /// The function.
    pub function: &'static str,
    /// The source line of the statement; 0 for the function as a whole.
    pub line: u32,
    /// What is wrong.
    pub fault: Fault,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An expression does not have the type that its place asks for.
    #[error("{what} has type `{found}`, not `{expected}`")]
    Type {
        /// Which expression.
        what: &'static str,
        /// The type it has.
        found: Ty,
        /// The type it should have.
        expected: Ty,
    },
    /// An operator, method or cast that the operand's type does not have.
    #[error("`{0}` is not defined on `{1}`")]
    Undefined(&'static str, Ty),
    /// A local that the function does not list, or that is used before its declaration.
    #[error("local {0} is used where it is not declared")]
    Undeclared(u32),
    /// A local that is declared twice.
    #[error("local {0} is declared twice")]
    Redeclared(u32),
    /// A local of type `()`.
    #[error("local {0} has type `()`")]
    UnitLocal(u32),
    /// A jump to a loop that is not around it.
    #[error("loop {0} is not around this jump")]
    NoLoop(u32),
    /// A loop whose name an outer one has.
    #[error("loop {0} is inside of another one of that name")]
    NestedName(u32),
    /// A jump where there must be none.
    #[error("a jump in the step of a loop")]
    JumpInStep,
    /// A statement after a jump.
    #[error("a statement that is never reached")]
    Unreachable,
    /// A path that ends without a value.
    #[error("a path ends without `return`")]
    NoReturn,
    /// A callee that does not come before its caller.
    #[error("the call of function {0} looks forward")]
    Forward(usize),
    /// The wrong number of arguments or fields.
    #[error("{what}: {found} parts where {expected} are needed")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// An array element or view where there is none, or of something that has none.
    #[error("`{0}` is indexed")]
    NotIndexed(Ty),
    /// A view that is no parameter, or something that a view is part of.
    #[error("`{0}` as a local, result or part: views are parameters only")]
    MisplacedView(Ty),
    /// A function with `&mut` parameters in an expression, or a place for a parameter by value.
    #[error("argument {0} is passed in a way that the parameter does not have")]
    Passed(usize),
    /// Two arguments by `&mut` that may overlap.
    #[error("two `&mut` arguments are parts of local {0}")]
    Overlap(u32),
    /// A field that the type does not have.
    #[error("`{0}` has no field {1}")]
    NoField(Ty, usize),
}
