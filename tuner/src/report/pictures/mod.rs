//! The pictures of an instance.

mod bathtub;
mod ratios;
mod residuals;
mod times;

pub use bathtub::bathtub;
pub use ratios::ratios;
pub use residuals::residuals;
pub use times::times;

use super::chart::Key;

/// Points of a line that is drawn through a function.
const STEPS: usize = 120;

fn key(class: &str, shape: &'static str, label: &str) -> Key {
    Key {
        class: class.into(),
        shape,
        label: label.into(),
    }
}
