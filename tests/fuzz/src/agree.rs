//! What counts as the same.

use skel_core::ir::Value;
/// Results and changed arguments, which must have the same bits; all NaNs are one.
pub(crate) fn same(native: (&Value, &[Value]), other: (&Value, &[Value])) -> bool {
    native.0.same(other.0)
        && native.1.len() == other.1.len()
        && native.1.iter().zip(other.1).all(|(a, b)| a.same(b))
}
