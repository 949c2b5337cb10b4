//! Elements on their way between host and device. WGSL has nothing smaller than 32 bits in memory, and
//! `usize` has 32 bits there, and `f32` computes for `f16`: so those scalars are widened or narrowed, one by one. All others are
//! alike on both sides.

use crate::codegen::wgsl::stored_bytes;
use skel_core::{
    Error, host_memory,
    ir::{Half, Ty},
};
use std::borrow::Cow;

/// Why elements have no form for the device.
#[derive(Debug)]
pub(super) enum Unconverted {
    /// A `usize` or `isize` that 32 bits do not hold.
    TooWide,
    /// The host has no room for it.
    Short(Error),
}

impl Unconverted {
    /// The error; `too_wide` says what is wrong with a value that does not fit.
    pub(super) fn into_error(self, too_wide: impl FnOnce() -> Error) -> Error {
        match self {
            Unconverted::TooWide => too_wide(),
            Unconverted::Short(error) => error,
        }
    }
}

/// How a scalar changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    /// Not at all; its size in bytes.
    Same(usize),
    /// `bool` and `u8`.
    Byte,
    Bool,
    U16,
    I8,
    I16,
    /// As `f32`, which computes for it.
    F16,
    Usize,
    Isize,
}

impl Leaf {
    fn of(ty: &Ty) -> Leaf {
        match ty {
            Ty::Bool => Leaf::Bool,
            Ty::U8 => Leaf::Byte,
            Ty::U16 => Leaf::U16,
            Ty::I8 => Leaf::I8,
            Ty::I16 => Leaf::I16,
            Ty::F16 => Leaf::F16,
            Ty::Usize => Leaf::Usize,
            Ty::Isize => Leaf::Isize,
            same => Leaf::Same(same.size_bytes()),
        }
    }

    fn host_bytes(self) -> usize {
        match self {
            Leaf::Same(bytes) => bytes,
            Leaf::Byte | Leaf::Bool | Leaf::I8 => 1,
            Leaf::U16 | Leaf::I16 | Leaf::F16 => 2,
            Leaf::Usize | Leaf::Isize => size_of::<usize>(),
        }
    }

    fn device_bytes(self) -> usize {
        match self {
            Leaf::Same(bytes) => bytes,
            _ => 4,
        }
    }

    fn widen(self, host: &[u8], out: &mut Vec<u8>) -> Result<(), Unconverted> {
        match self {
            Leaf::Same(_) => out.extend_from_slice(host),
            Leaf::Byte | Leaf::Bool => each(host, out, |[b]| u32::from(b).to_ne_bytes()),
            Leaf::I8 => each(host, out, |[b]| i32::from(b.cast_signed()).to_ne_bytes()),
            Leaf::U16 => each(host, out, |b| {
                u32::from(u16::from_ne_bytes(b)).to_ne_bytes()
            }),
            Leaf::I16 => each(host, out, |b| {
                i32::from(i16::from_ne_bytes(b)).to_ne_bytes()
            }),
            Leaf::F16 => each(host, out, |b| {
                Half(u16::from_ne_bytes(b)).to_f32().to_ne_bytes()
            }),
            Leaf::Usize => {
                for word in parts(host) {
                    let x = u32::try_from(usize::from_ne_bytes(word))
                        .map_err(|_| Unconverted::TooWide)?;
                    out.extend_from_slice(&x.to_ne_bytes());
                }
            }
            Leaf::Isize => {
                for word in parts(host) {
                    let x = i32::try_from(isize::from_ne_bytes(word))
                        .map_err(|_| Unconverted::TooWide)?;
                    out.extend_from_slice(&x.to_ne_bytes());
                }
            }
        }
        Ok(())
    }

    fn narrow(self, device: &[u8], out: &mut Vec<u8>) {
        match self {
            Leaf::Same(_) => out.extend_from_slice(device),
            Leaf::Bool => each(device, out, |w| [u8::from(w != [0; 4])]),
            Leaf::Byte | Leaf::I8 => each(device, out, |w| [u32::from_ne_bytes(w) as u8]),
            Leaf::U16 | Leaf::I16 => {
                each(device, out, |w| {
                    (u32::from_ne_bytes(w) as u16).to_ne_bytes()
                });
            }
            Leaf::F16 => each(device, out, |w| {
                Half::from_f32(f32::from_ne_bytes(w)).0.to_ne_bytes()
            }),
            Leaf::Usize => each(device, out, |w| {
                (u32::from_ne_bytes(w) as usize).to_ne_bytes()
            }),
            Leaf::Isize => each(device, out, |w| {
                (i32::from_ne_bytes(w) as isize).to_ne_bytes()
            }),
        }
    }
}

fn parts<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks().0.iter().copied()
}

fn each<const N: usize, const M: usize>(
    from: &[u8],
    out: &mut Vec<u8>,
    convert: impl Fn([u8; N]) -> [u8; M],
) {
    out.extend(parts(from).flat_map(convert));
}

/// How the elements of one type change.
#[derive(Debug)]
pub(super) struct Conversion {
    /// The scalars of an element, each with how often it follows itself; none if none changes.
    runs: Vec<(Leaf, usize)>,
    host_bytes: usize,
    device_bytes: usize,
}

impl Conversion {
    pub(super) fn of(ty: &Ty) -> Conversion {
        let mut runs: Vec<(Leaf, usize)> = Vec::new();
        for leaf in ty.leaves().iter().map(Leaf::of) {
            match runs.last_mut() {
                Some((last, count)) if *last == leaf => *count += 1,
                _ => runs.push((leaf, 1)),
            }
        }
        if runs.iter().all(|(leaf, _)| matches!(leaf, Leaf::Same(_))) {
            runs.clear();
        }
        Conversion {
            runs,
            host_bytes: ty.size_bytes(),
            device_bytes: stored_bytes(ty) as usize,
        }
    }

    /// The device's bytes of whole elements.
    pub(super) fn to_device<'a>(&self, host: &'a [u8]) -> Result<Cow<'a, [u8]>, Unconverted> {
        if self.runs.is_empty() {
            return Ok(Cow::Borrowed(host));
        }
        let elements = host.len() / self.host_bytes;
        let mut out = host_memory::vec(elements * self.device_bytes).map_err(Unconverted::Short)?;
        if let [(leaf, _)] = self.runs.as_slice() {
            leaf.widen(host, &mut out)?;
            return Ok(Cow::Owned(out));
        }
        let mut rest = host;
        while !rest.is_empty() {
            for (leaf, count) in &self.runs {
                let (these, others) = rest.split_at(leaf.host_bytes() * count);
                leaf.widen(these, &mut out)?;
                rest = others;
            }
        }
        Ok(Cow::Owned(out))
    }

    /// The host's bytes of whole elements.
    pub(super) fn to_host<'a>(&self, device: &'a [u8]) -> skel_core::Result<Cow<'a, [u8]>> {
        if self.runs.is_empty() {
            return Ok(Cow::Borrowed(device));
        }
        let elements = device.len() / self.device_bytes;
        let mut out = host_memory::vec(elements * self.host_bytes)?;
        if let [(leaf, _)] = self.runs.as_slice() {
            leaf.narrow(device, &mut out);
            return Ok(Cow::Owned(out));
        }
        let mut rest = device;
        while !rest.is_empty() {
            for (leaf, count) in &self.runs {
                let (these, others) = rest.split_at(leaf.device_bytes() * count);
                leaf.narrow(these, &mut out);
                rest = others;
            }
        }
        Ok(Cow::Owned(out))
    }
}

#[cfg(test)]
mod test {
    use super::*;

    fn round_trip(ty: &Ty, host: &[u8], device: &[u32]) {
        let conversion = Conversion::of(ty);
        let words: Vec<u8> = device.iter().flat_map(|w| w.to_ne_bytes()).collect();
        assert_eq!(conversion.to_device(host).unwrap().as_ref(), words, "{ty}");
        assert_eq!(conversion.to_host(&words).unwrap().as_ref(), host, "{ty}");
    }

    #[test]
    fn narrow_scalars_are_widened_with_their_sign() {
        round_trip(&Ty::U8, &[0, 200], &[0, 200]);
        round_trip(&Ty::I8, &[200, 1], &[(-56_i32).cast_unsigned(), 1]);
        round_trip(
            &Ty::I16,
            &(-2_i16).to_ne_bytes(),
            &[(-2_i32).cast_unsigned()],
        );
        round_trip(&Ty::U16, &65_534_u16.to_ne_bytes(), &[65_534]);
        for (bits, x) in [
            (0x3c00_u16, 1.0_f32),
            (0x0001, 5.960_464_5e-8),
            (0xfc00, -f32::INFINITY),
        ] {
            round_trip(&Ty::F16, &bits.to_ne_bytes(), &[x.to_bits()]);
        }
        round_trip(&Ty::Bool, &[1, 0, 1], &[1, 0, 1]);
        let ty = Ty::tuple([Ty::U8, Ty::array(Ty::Bool, 2), Ty::U32]);
        let host = [[7, 1, 0].as_slice(), &9_u32.to_ne_bytes()].concat();
        round_trip(&ty, &host.repeat(2), &[7, 1, 0, 9, 7, 1, 0, 9]);
    }

    #[test]
    fn what_is_alike_is_not_copied() {
        let ty = Ty::tuple([Ty::F32, Ty::F64, Ty::U32]);
        let host = [3; 32];
        assert!(matches!(
            Conversion::of(&ty).to_device(&host),
            Ok(Cow::Borrowed(_))
        ));
    }

    #[test]
    fn sizes_must_fit_32_bits() {
        let conversion = Conversion::of(&Ty::Usize);
        let largest = u32::MAX as usize;
        round_trip(&Ty::Usize, &largest.to_ne_bytes(), &[u32::MAX]);
        let above = (largest + 1).to_ne_bytes();
        assert!(matches!(
            conversion.to_device(&above),
            Err(Unconverted::TooWide)
        ));
        round_trip(&Ty::Isize, &(-1_isize).to_ne_bytes(), &[u32::MAX]);
        let below = (i32::MIN as isize - 1).to_ne_bytes();
        let found = Conversion::of(&Ty::Isize).to_device(&below);
        assert!(matches!(found, Err(Unconverted::TooWide)));
    }
}
