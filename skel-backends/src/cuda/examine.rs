//! What a newly opened device makes of arithmetic.

use super::{CudaGpu, probe::Found};
use crate::arithmetic::{Class, Identity, ask, known_or};
use skel_core::{Error, Result};
use std::sync::Arc;

/// All types are asked about: a GPU has each of them.
const CLASSES: [Class; 4] = [Class::Words, Class::F32, Class::Longs, Class::F64];

/// Asks the device, or recalls what it answered. `compiler` is what its kernels are compiled by, and for what.
///
/// # Errors
/// [`Error::NoDevice`] if anything is wrong: CUDA promises IEEE arithmetic, so a GPU that fails here is broken, or
/// its compiler is. [`Error::Device`] if it cannot be asked.
pub(super) fn examine(gpu: &mut CudaGpu, found: &Found, compiler: &str) -> Result<()> {
    let kernels = CLASSES.map(|class| class.kernel().lasting_hash());
    let questions = format!("{compiler} {kernels:?} {}", env!("CARGO_PKG_VERSION"));
    let identity = Identity::of(&found.info, &found.bus, &questions);
    let context = Arc::clone(&gpu.gpu);
    let arithmetic = known_or(&identity, || context.visit(|| ask(gpu, &CLASSES)))?;
    match arithmetic.wrong.first() {
        Some(wrong) => Err(Error::NoDevice {
            wanted: found.info.name.clone(),
            reason: format!("its arithmetic is wrong: {wrong}"),
        }),
        None => {
            gpu.note_arithmetic(&arithmetic);
            Ok(())
        }
    }
}
