//! Scattered outputs on a device.
//!
//! Units that share a call must not write between each other's elements. So each computes them in a temporary array
//! of its piece, and the host scatters the results to their places. Then the host has the container, and the device
//! does not. Where one device takes the whole call and has the container, it stores them by strides instead, and
//! nothing is moved: a container that lives on a device stays there when a face of it is written.

use super::{
    Driver,
    bind::Bound,
    lent::{Elements, Lent},
    memory::Memory,
    scope::Lender,
    unit::{Counters, DeviceUnit},
    work::ArrayId,
};
use skel_core::{
    Result,
    call::{Call, Operand, OutputTarget},
    frame::{ErasedArray, StridedViewMut},
    plan::Pattern,
};
use std::{ops::Range, sync::atomic::Ordering};

/// The elements of a piece that lie apart on the host, and the array that stands for them.
pub(super) struct StagedOutput<E> {
    array: ArrayId,
    pub(super) elements: E,
}

/// A staged output, as a command has it.
pub(super) type LentOutput = StagedOutput<Lent<StridedViewMut<'static>>>;

/// The same, lent.
pub(super) fn lent<'e, S: 'static>(
    staged: Vec<StagedOutput<StridedViewMut<'e>>>,
    lender: &Lender<'_, 'e, S>,
) -> Vec<LentOutput> {
    let lend = |StagedOutput { array, elements }| StagedOutput {
        array,
        elements: lender.lend(elements),
    };
    staged.into_iter().map(lend).collect()
}

impl<D: Driver> DeviceUnit<D> {
    /// Whether this device, if it takes elements `r`, stores those that lie apart by strides: these are all elements of
    /// the call, and it has all that lies between.
    pub(super) fn scatters(&self, call: &Call<'_>, r: &Range<usize>) -> bool {
        let is_elementwise =
            call.phases.pattern() == Pattern::Elementwise && call.space.along().is_none();
        if !is_elementwise || r.is_empty() || *r != (0..call.space.elems()) {
            return false;
        }
        let mut outputs = call.operands.iter().filter_map(|operand| match operand {
            Operand::Output(output) if output.scattered().is_some() => Some(&output.target),
            _ => None,
        });
        let has = |target: &OutputTarget<'_>| match target {
            OutputTarget::Container(target) => {
                let missing = target.buffer().missing(self.node, target.window());
                missing.is_empty()
            }
            OutputTarget::Slice(_) => false,
        };
        let mut any = false;
        let has_all = outputs.all(|target| {
            any = true;
            has(target)
        });
        // Its kernel is another one, which the device may not be able to run.
        any && has_all
            && call.kernel_that_scatters(true).is_ok_and(|kernel| {
                self.watch.unable(kernel.hash).is_none()
                    && self.can_run(call, &kernel, true).is_ok()
            })
    }

    /// Fetches what is written around, before anything is taken to be written.
    pub(super) fn fetch_scattered(&self, call: &mut Call<'_>, r: &Range<usize>) -> Result<()> {
        let shape = call.space.shape();
        for output in call.outputs() {
            let reads = output.reads;
            if let Some((target, coalesced)) = output.scattered_by_host(|| shape) {
                target.fetch_scattered(&coalesced, r, reads)?;
            }
        }
        Ok(())
    }

    /// Takes the elements of the piece that are written one by one, for which `arrays` were made, in the
    /// order of the operands. Comes last: a piece that cannot be bound leaves them to other units.
    pub(super) fn stage_outputs<'e>(
        &self,
        call: &mut Call<'e>,
        r: &Range<usize>,
        arrays: Vec<ArrayId>,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        let (shape, mut arrays) = (call.space.shape(), arrays.into_iter());
        for output in call.outputs() {
            let reads = output.reads;
            if let Some((target, coalesced)) = output.scattered_by_host(|| shape)
                && let Some(array) = arrays.next()
            {
                let elements = target.lend_scattered(&coalesced, r.clone(), reads)?;
                bound.staged.push(StagedOutput { array, elements });
            }
        }
        Ok(())
    }
}

/// What a piece reads of its staged outputs, copied, with the arrays that stand for them.
pub(super) fn read(
    staged: &[StagedOutput<StridedViewMut<'_>>],
) -> Result<Vec<(ArrayId, ErasedArray)>> {
    let read = staged.iter().filter(|output| output.elements.reads());
    read.map(|output| Ok((output.array, output.elements.copy()?)))
        .collect()
}

impl Counters {
    /// What the outputs of a piece on the host move: whether they are read, and how many bytes they are.
    pub(super) fn count(&self, outputs: impl Iterator<Item = (bool, usize)>) {
        for (reads, bytes) in outputs {
            let bytes = bytes as u64;
            let uploaded = u64::from(reads) * bytes;
            self.uploaded_bytes.fetch_add(uploaded, Ordering::Relaxed);
            self.downloaded_bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

impl<D: Driver> Memory<D> {
    /// Uploads what the piece reads of its staged outputs.
    pub(super) fn gather(&mut self, staged: &[LentOutput]) -> Result<()> {
        for output in staged.iter().filter(|output| output.elements.reads()) {
            self.upload(output.array, &output.elements.copy()?.all());
        }
        Ok(())
    }

    /// Brings what the piece has computed to its places.
    pub(super) fn scatter(&mut self, staged: Vec<LentOutput>) -> Result<()> {
        for mut output in staged {
            let (layout, range) = (output.elements.layout(), output.elements.window());
            let mut computed = ErasedArray::zeroed(layout, range.clone())?;
            self.download(output.array, computed.view_out(range))?;
            output.elements.held().touch(|touch| {
                touch.writes();
                output.elements.put_all(touch, computed.all());
            })?;
        }
        Ok(())
    }
}
