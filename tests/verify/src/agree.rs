//! What tests that compare units with native functions say and ask in common.

/// What a comparison on a device has found to be alike.
#[derive(Debug, Default)]
pub struct Checked {
    /// Elements that were computed and agree.
    pub elements: usize,
    /// Launches that trapped where the native function panics first.
    pub traps: usize,
    /// Why the device does not run the function, where it need not.
    pub refused: Option<String>,
}

/// What a panic says.
pub fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_else(|| "a panic without text".into())
}

/// Whether a native panic and a trap speak of the same.
pub fn same_cause(panic: &str, trap: &str) -> bool {
    // std prints a condition over several lines where it has blocks; a trap has it on one.
    let words = |text: &str| text.replace([',', ' ', '\n'], "");
    // And it may go on, as with the two values of `assert_eq!`.
    if words(panic).starts_with(&words(trap)) {
        return true;
    }
    // `/` and `%` have one trap with one message; std words that of `clamp` in two ways.
    let alike = [
        ("with a divisor of zero", "attempt to divide by zero"),
        ("remainder with overflow", "attempt to divide with overflow"),
        ("min > max", "clamp with min > max"),
        ("min <= max", "clamp with min > max"),
        // Devices cannot say which offset it was.
        (
            "is beyond the reach of the ",
            "index out of bounds: the offset is beyond the reach",
        ),
    ];
    alike
        .iter()
        .any(|(of_panic, of_trap)| panic.contains(of_panic) && trap.starts_with(of_trap))
}
