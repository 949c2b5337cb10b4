//! What folds and scans combine, on the host and on the device: C++ has padding where a type of the host's,
//! one that no container holds, is packed.

use crate::codegen::cuda::{align_bytes, padded_bytes};
use skel_core::{frame::ElementLayout, ir::Ty};

/// Where the scalars of a value lie.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Its layout on the host.
    pub(super) layout: ElementLayout,
    /// Its size on the device.
    pub(super) device_bytes: usize,
    /// Of each scalar: where it is on the host and on the device, and its size.
    scalars: Vec<(usize, usize, usize)>,
}

impl Places {
    /// Of values of this type.
    pub(super) fn new(layout: ElementLayout, ty: &Ty) -> Places {
        let mut scalars = Vec::new();
        add(ty, &mut 0, 0, &mut scalars);
        Places {
            layout,
            device_bytes: padded_bytes(ty),
            scalars,
        }
    }

    /// The device's bytes of a value.
    pub(super) fn to_device(&self, host: &[u8]) -> Vec<u8> {
        let mut device = vec![0; self.device_bytes];
        for (at, to, len) in &self.scalars {
            device[*to..to + len].copy_from_slice(&host[*at..at + len]);
        }
        device
    }

    /// The host's bytes of a value.
    pub(super) fn to_host(&self, device: &[u8]) -> Vec<u8> {
        let mut host = vec![0; self.layout.size_bytes()];
        for (to, at, len) in &self.scalars {
            host[*to..to + len].copy_from_slice(&device[*at..at + len]);
        }
        host
    }
}

/// The scalars of a value that begins at these places.
fn add(ty: &Ty, host: &mut usize, device: usize, scalars: &mut Vec<(usize, usize, usize)>) {
    match ty {
        Ty::Struct(s) => {
            let mut at = 0_usize;
            for field in &s.fields {
                at = at.next_multiple_of(align_bytes(&field.ty));
                add(&field.ty, host, device + at, scalars);
                at += padded_bytes(&field.ty);
            }
        }
        Ty::Array(a) => {
            for k in 0..a.len {
                add(&a.elem, host, device + k * padded_bytes(&a.elem), scalars);
            }
        }
        scalar => {
            let len = scalar.size_bytes();
            scalars.push((*host, device, len));
            *host += len;
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn packed_values_get_cpps_padding() {
        let ty = Ty::structure("Flagged", &[("starts", Ty::Bool), ("value", Ty::F64)]);
        let places = Places::new(ElementLayout::of::<[u8; 9]>(), &ty);
        let host: Vec<u8> = (1..=9).collect();
        let device = places.to_device(&host);
        assert_eq!(device, [1, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(places.to_host(&device), host);
    }
}
