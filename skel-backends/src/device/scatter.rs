//! Scattered outputs on a device: it computes them in a temporary array of the piece, and the host scatters
//! the results to their places. So no unit writes between the elements of another.

use super::{
    Driver,
    bind::Bound,
    lease,
    memory::Memory,
    unit::{Counters, DeviceUnit},
    work::ArrayId,
};
use skel_core::{
    Result,
    call::{Call, Target},
    frame::{ErasedArray, StripMut},
};
use std::{ops::Range, sync::atomic::Ordering};

/// The elements of a piece that lie apart on the host, and the array that stands for them.
pub(super) struct Strip<'e> {
    array: ArrayId,
    elements: StripMut<'e>,
}

impl<D: Driver> DeviceUnit<D> {
    /// Fetches what is written around, before anything is taken to be written.
    pub(super) fn fetch_strips(&self, call: &mut Call<'_>, r: &Range<usize>) -> Result<()> {
        let shape = call.space.shape();
        for output in call.outputs() {
            if let Target::Scattered(target, layout) = &mut output.target {
                target.fetch_scattered(&layout.over(shape), r, output.reads)?;
            }
        }
        Ok(())
    }

    /// Takes the elements of the piece that are written one by one, for which `arrays` were made, in the
    /// order of the operands. Comes last: a piece that cannot be bound leaves them to other units.
    pub(super) fn lend_strips<'e>(
        &self,
        call: &mut Call<'e>,
        r: &Range<usize>,
        arrays: Vec<ArrayId>,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        let (shape, mut arrays) = (call.space.shape(), arrays.into_iter());
        for output in call.outputs() {
            if let Target::Scattered(target, layout) = &mut output.target
                && let Some(array) = arrays.next()
            {
                let steps = layout.over(shape);
                let elements = target.lend_scattered(&steps, r.clone(), output.reads)?;
                bound.strips.push(Strip { array, elements });
            }
        }
        Ok(())
    }
}

/// What a piece reads of its strips, copied, with the arrays that stand for them.
pub(super) fn read(strips: &[Strip<'_>]) -> Result<Vec<(ArrayId, ErasedArray)>> {
    let read = strips.iter().filter(|strip| strip.elements.reads());
    read.map(|strip| Ok((strip.array, strip.elements.copy()?)))
        .collect()
}

impl Counters {
    /// What the strips of a piece move.
    pub(super) fn count_strips(&self, strips: &[Strip<'_>]) {
        for strip in strips {
            let bytes = strip.elements.len_bytes() as u64;
            let uploaded = u64::from(strip.elements.reads()) * bytes;
            self.uploaded_bytes.fetch_add(uploaded, Ordering::Relaxed);
            self.downloaded_bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

impl<D: Driver> Memory<D> {
    /// Uploads what the piece reads of its strips.
    pub(super) fn gather(&mut self, strips: &[Strip<'_>]) -> Result<()> {
        for strip in strips.iter().filter(|strip| strip.elements.reads()) {
            // If the caller has given up, the result here is dropped.
            if let Some(copy) = lease::reading(|| strip.elements.copy()) {
                self.upload(strip.array, copy?.all());
            }
        }
        Ok(())
    }

    /// Brings what the piece has computed to its places.
    pub(super) fn scatter(&mut self, strips: Vec<Strip<'_>>) -> Result<()> {
        for mut strip in strips {
            let (layout, range) = (strip.elements.layout(), strip.elements.range());
            let mut computed = ErasedArray::zeroed(layout, range.clone())?;
            // Nothing of the caller's is written yet.
            lease::aside(|| self.download(strip.array, computed.view_out(range)))?;
            let put = lease::writing(|| strip.elements.put_all(computed.all()));
            put.ok_or_else(|| self.watch().lost())?;
        }
        Ok(())
    }
}
