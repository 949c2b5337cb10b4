//! A host face for kernels that are launched on a device directly.

use super::{Kernel, Pattern, Phases};
use crate::{
    Element, Error, Result,
    frame::{Before, ElementLayout, Frame, Partial, Spine},
};
use std::{marker::PhantomData, sync::Arc};

/// The host face of a kernel that no host ever runs: that of probes and of tests of drivers, which launch
/// kernels made by hand. A fold gives a `T`.
pub struct DeviceOnly<T>(PhantomData<fn() -> T>);

impl<T> DeviceOnly<T> {
    /// There is only one.
    pub const FACE: DeviceOnly<T> = DeviceOnly(PhantomData);
}

const NO_HOST: &str = "a kernel that only devices have was run on the host";

// SAFETY: no phase ever returns, so none has left an element unwritten.
unsafe impl<T: Element> Phases for DeviceOnly<T> {
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn partial_layout(&self) -> Option<ElementLayout> {
        Some(ElementLayout::of::<T>())
    }

    fn local(&self, _: &mut Frame<'_>) -> Spine {
        unreachable!("{NO_HOST}")
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        unreachable!("{NO_HOST}")
    }

    fn find_trap(&self, _: Frame<'_>, _: &Before, _: Partial) -> Option<Error> {
        unreachable!("{NO_HOST}")
    }
}
