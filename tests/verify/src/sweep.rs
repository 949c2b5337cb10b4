//! Functions whose arguments are not drawn at random: they go through all magnitudes of their types.

use crate::run::Native;
use skel_core::ir::Value;

/// What is asked of a case whose arguments are given.
#[derive(Clone, Copy)]
pub struct Sweep {
    /// The arguments of each element, in source order.
    pub inputs: fn() -> Vec<Vec<Value>>,
    /// What devices may give besides the bits of the native function.
    pub bound: Bound,
}

/// What a device may give, as `docs/language.md` says.
#[derive(Clone, Copy)]
pub enum Bound {
    /// The bits of the native function.
    Bits,
    /// What this function gives is right as well.
    Or(fn(&[Value]) -> Native),
}

impl Sweep {
    /// Whether `found` is allowed as result number `result`, though it is not what the native function gives.
    #[cfg(feature = "wgpu")]
    pub(crate) fn allows(&self, args: &[Value], result: usize, found: &Value) -> bool {
        match self.bound {
            Bound::Bits => false,
            Bound::Or(other) => part(&other(args), result).is_some_and(|v| v.same(found)),
        }
    }
}

/// Result number `k` of a native call.
#[cfg(feature = "wgpu")]
fn part(native: &Native, k: usize) -> Option<Value> {
    match native.as_ref().ok()? {
        (Value::Struct(ty, parts), _) if ty.name == "tuple" => parts.get(k).cloned(),
        (whole, _) => (k == 0).then(|| whole.clone()),
    }
}
