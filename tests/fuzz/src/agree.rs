//! What counts as the same.

use skel_core::ir::Value;
use std::any::Any;

/// What a panic says.
pub(crate) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_else(|| "a panic without text".into())
}

/// Whether the trap's message is that of the native panic.
pub(crate) fn same_cause(panic: &str, trap: &str) -> bool {
    if panic.starts_with(trap) {
        return true;
    }
    // `/` and `%` have one trap with one message; std words those of `clamp` in two ways.
    let alike = [
        ("with a divisor of zero", "attempt to divide by zero"),
        ("remainder with overflow", "attempt to divide with overflow"),
        ("min > max", "clamp with min > max"),
        ("min <= max", "clamp with min > max"),
    ];
    alike
        .iter()
        .any(|(of_panic, of_trap)| panic.contains(of_panic) && trap.starts_with(of_trap))
}

/// Results and changed arguments, which must have the same bits; all NaNs are one.
pub(crate) fn same(native: (&Value, &[Value]), other: (&Value, &[Value])) -> bool {
    native.0.same(other.0)
        && native.1.len() == other.1.len()
        && native.1.iter().zip(other.1).all(|(a, b)| a.same(b))
}
