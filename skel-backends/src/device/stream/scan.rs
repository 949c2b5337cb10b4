//! A streamed piece of a scan: nothing can be done before its carry is known.

use super::run::Stream;
use crate::{
    device::{
        Driver,
        deadline::{self, CommandKind},
        memory::Memory,
        pinned::PinnedArray,
        scope::Lender,
        uploads::Uploads,
    },
    unit::Running,
};
use skel_core::{Result, frame::Spine};
use std::time::Duration;

/// A piece of a scan that waits for its carry.
pub(super) struct StreamedScan<'u, 'e, D: Driver> {
    /// What was uploaded for it.
    uploads: Uploads<'e>,
    /// What stays on the device throughout.
    held: Vec<PinnedArray<D>>,
    stream: Option<(Lender<'u, 'e, Memory<D>>, Stream)>,
    busy: Duration,
}

impl<'u, 'e, D: Driver> StreamedScan<'u, 'e, D> {
    pub(super) fn new(
        lender: Lender<'u, 'e, Memory<D>>,
        uploads: Uploads<'e>,
        held: Vec<PinnedArray<D>>,
        stream: Stream,
    ) -> Self {
        StreamedScan {
            uploads,
            held,
            stream: Some((lender, stream)),
            busy: Duration::ZERO,
        }
    }
}

impl<D: Driver> Running for StreamedScan<'_, '_, D> {
    fn partial(&mut self) -> Result<Spine> {
        self.complete().map(|()| Spine::EMPTY)
    }

    fn finish(&mut self, carry: Spine, wanted: bool) -> Result<Spine> {
        let Some((lender, stream)) = self.stream.take() else {
            return Ok(carry);
        };
        let command = move |memory: &mut Memory<D>| {
            let started = memory.now();
            let partial = memory.stream(stream, carry, wanted)?;
            Ok((partial, memory.now().saturating_sub(started)))
        };
        let (partial, busy) = deadline::on(CommandKind::Other, || lender.ask(command))?;
        self.uploads.confirm();
        self.busy = busy;
        Ok(partial)
    }

    fn complete(&mut self) -> Result<()> {
        // `finish` has waited for everything.
        self.stream = None;
        self.held.clear();
        Ok(())
    }

    fn is_on_host(&self) -> bool {
        true
    }

    fn busy(&self) -> Duration {
        self.busy
    }
}
