//! The check of a newly opened device's arithmetic.

use super::{CudaGpu, probe::Found};
use crate::arithmetic::{Arithmetic, Class, DeviceIdentity, ask, known_or};
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
    let kernels = CLASSES.map(|class| {
        let kernels = class.kernels();
        let hashes = kernels.iter().map(|kernel| kernel.lasting_hash());
        hashes.collect::<Vec<_>>()
    });
    let questions = format!("{compiler} {kernels:?} {}", env!("CARGO_PKG_VERSION"));
    let identity = DeviceIdentity::of(&found.info, &found.bus, &questions);
    let context = Arc::clone(&gpu.gpu);
    let arithmetic = known_or(&identity, || context.visit(|| ask(gpu, &CLASSES, None)))?;
    judged(&found.info.name, &arithmetic)?;
    gpu.note_arithmetic(&arithmetic);
    Ok(())
}

/// Whether a device with this arithmetic is of use.
fn judged(name: &str, arithmetic: &Arithmetic) -> Result<()> {
    match arithmetic.wrong.first() {
        Some(wrong) => Err(Error::NoDevice {
            wanted: name.to_owned(),
            reason: format!("its arithmetic is wrong: {wrong}"),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::arithmetic::Wrong;

    #[test]
    fn a_device_that_computes_any_type_wrongly_is_not_used_and_flushed_subnormals_are_no_fault() {
        let mut arithmetic = Arithmetic {
            flushes: vec!["f32"],
            ..Arithmetic::default()
        };
        assert!(judged("GPU", &arithmetic).is_ok());
        arithmetic.wrong.push(Wrong {
            ty: "f64",
            operation: "%".into(),
            operands: [1, 2],
            expected: 3,
            found: 4,
        });
        let error = judged("GPU", &arithmetic).unwrap_err().to_string();
        for part in ["GPU", "`%` of `f64` is wrong", "0x4, not 0x3"] {
            assert!(error.contains(part), "{error}");
        }
    }
}
