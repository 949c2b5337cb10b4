//! The check of a newly opened device's arithmetic.

use super::{CudaGpu, probe::Found};
use crate::arithmetic::{Class, DeviceIdentity, ask, known_or};
use skel_core::{Error, Result};
use std::sync::Arc;

/// All types are checked: a GPU has each of them.
const CLASSES: [Class; 4] = [Class::Words, Class::F32, Class::Longs, Class::F64];

/// Checks the device, or recalls earlier results. `compiler` names the compiler of its kernels, and the
/// architecture.
///
/// # Errors
/// [`Error::NoDevice`] if anything is wrong: CUDA promises IEEE arithmetic, so a GPU that fails here is broken, or
/// its compiler is. [`Error::Device`] if it cannot be asked.
pub(super) fn examine(gpu: &mut CudaGpu, found: &Found, compiler: &str) -> Result<()> {
    let kernels = CLASSES.map(|class| class.kernel().lasting_hash());
    let questions = format!("{compiler} {kernels:?} {}", env!("CARGO_PKG_VERSION"));
    let identity = DeviceIdentity::of(&found.info, &found.bus, &questions);
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
