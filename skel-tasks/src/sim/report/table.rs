//! x
/// t
pub fn table() {}
