//! Values that an instance is given, whose types the call's data must have.

/// A value given to an instance is a `T`.
///
/// It is never rustc's way to find out what `T` is: that the data says. Else a `0` given where the elements
/// are `f32` would make rustc say that the data is wrong. So there is more than one implementation.
#[diagnostic::on_unimplemented(
    message = "a value given to this instance is no `{T}`: it is `{Self}`",
    label = "the elements are `{T}`",
    note = "`.initial(…)`, `.identity(…)` and `.exclusive(…)` take a value of the elements' type, such as `0.0` for `f32`"
)]
pub trait ValueOf<T>: Copy {
    /// The value.
    fn value(given: Self) -> T;
}

impl<T: Copy> ValueOf<T> for T {
    #[inline(always)]
    fn value(given: T) -> T {
        given
    }
}

/// What no element is.
#[doc(hidden)]
#[derive(Debug)]
pub struct Nothing;

#[diagnostic::do_not_recommend]
impl<T: Copy> ValueOf<Nothing> for T {
    fn value(_: T) -> Nothing {
        Nothing
    }
}
