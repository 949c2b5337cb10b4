//! What all pictures need.

/// Text as SVG has it.
pub(crate) fn escaped(text: &str) -> String {
    let safe = text.replace('&', "&amp;").replace('<', "&lt;");
    safe.replace('>', "&gt;").replace('"', "&quot;")
}
