//! Calls that are expected to take about as long for each element: what is learned of one counts for the others.

use crate::tune::beside_elems;
use skel_core::call::Call;
use skel_model::size_class;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An instance: its name, and what its functions compute. Closures of one module have one name, and so have all types of
/// a generic function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity(u64);

impl Identity {
    pub(super) fn of(call: &Call<'_>) -> Identity {
        let mut hasher = DefaultHasher::new();
        // A user function without a device form has its name alone.
        let kernel = call.kernel().map_or(0, |kernel| kernel.hash);
        (call.instance, kernel).hash(&mut hasher);
        Identity(hasher.finish())
    }
}

/// Calls of an instance with about as many elements, and about as many that each of them may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallClass {
    instance: Identity,
    elems: u32,
    beside: u32,
}

impl CallClass {
    pub(super) fn of(call: &Call<'_>) -> CallClass {
        CallClass {
            instance: Identity::of(call),
            elems: size_class(call.space.elems()),
            beside: size_class(beside_elems(call)),
        }
    }
}
