//! A streamed piece of a scan: nothing can be done before its carry is known.
#![allow(unsafe_code, reason = "posts a command that borrows")]

use super::run::Stream;
use crate::{
    device::{
        Driver, Scope,
        deadline::{self, CommandKind},
        memory::Memory,
        pinned::PinnedArray,
        unit::DeviceUnit,
    },
    unit::Running,
};
use skel_core::{Result, container::Buffer, frame::Spine};
use std::{ops::Range, sync::mpsc::channel, time::Duration};

/// A piece of a scan that waits for its carry.
pub(super) struct StreamedScan<'u, 'e, D: Driver> {
    unit: &'u DeviceUnit<D>,
    scope: &'u Scope<'e>,
    /// What was uploaded for it.
    uploaded: Vec<(&'e Buffer, Range<usize>)>,
    /// What stays on the device throughout.
    held: Vec<PinnedArray<D>>,
    stream: Option<Stream<'e>>,
    busy: Duration,
}

impl<'u, 'e, D: Driver> StreamedScan<'u, 'e, D> {
    pub(super) fn new(
        unit: &'u DeviceUnit<D>,
        scope: &'u Scope<'e>,
        uploaded: Vec<(&'e Buffer, Range<usize>)>,
        held: Vec<PinnedArray<D>>,
        stream: Stream<'e>,
    ) -> Self {
        StreamedScan {
            unit,
            scope,
            uploaded,
            held,
            stream: Some(stream),
            busy: Duration::ZERO,
        }
    }
}

impl<D: Driver> Running for StreamedScan<'_, '_, D> {
    fn partial(&mut self) -> Result<Spine> {
        self.complete().map(|()| Spine::EMPTY)
    }

    fn finish(&mut self, carry: Spine, wanted: bool) -> Result<Spine> {
        let Some(stream) = self.stream.take() else {
            return Ok(carry);
        };
        let (answer, answered) = channel();
        let command = move |memory: &mut Memory<D>| {
            let started = memory.now();
            let result = memory.stream(stream, carry, wanted);
            // The caller may have given up.
            let _receiver_gone =
                answer.send(result.map(|partial| (partial, memory.now().saturating_sub(started))));
        };
        // SAFETY: what is lent is for the driver, or touched under the lease.
        deadline::on(CommandKind::Other, || unsafe {
            self.scope.post(&self.unit.queue, command);
        });
        match self.unit.queue.answer(&answered) {
            Ok((partial, busy)) => {
                self.busy = busy;
                Ok(partial)
            }
            Err(error) => {
                // Perhaps it was an upload that failed.
                self.unit.retract(self.uploaded.drain(..));
                Err(error)
            }
        }
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
