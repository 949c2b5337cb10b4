//! A piece of a call that a device was given, as the caller sees it.

use super::{
    Driver, asynchronous::ValueReader, memory::Memory, unit::DeviceUnit, uploads::Uploads,
};
use crate::{fork::ProcessLocal, unit::Running};
use skel_core::{Result, frame::Spine, later::Later};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::Receiver,
    },
    time::Duration,
};

/// A piece on its way through the device's queue.
pub(super) struct DevicePiece<'u, 'e, D: Driver> {
    pub(super) unit: &'u DeviceUnit<D>,
    /// What was uploaded for it.
    pub(super) uploads: Uploads<'e>,
    /// Whether it uses the caller's memory.
    pub(super) borrows: bool,
    /// The answer that is still to come, if a caller waits for one.
    pub(super) answered: Option<Receiver<Result<(Spine, Duration)>>>,
    /// Of an answer that is not waited for yet.
    pub(super) reader: Option<ValueReader>,
    /// Whether its results land on the host.
    pub(super) on_host: bool,
    /// Whether it was launched; nothing, where what is changed in place counts as changed in any case: there
    /// is none, or no caller waits for the piece.
    pub(super) launched: Option<Arc<AtomicBool>>,
    pub(super) partial: Spine,
    pub(super) busy: Duration,
}

impl<D: Driver> Running for DevicePiece<'_, '_, D> {
    fn partial(&mut self) -> Result<Spine> {
        self.complete()?;
        Ok(std::mem::replace(&mut self.partial, Spine::EMPTY))
    }

    fn finish(&mut self, _: Spine, _: bool) -> Result<Spine> {
        unreachable!("a piece of a scan is another one")
    }

    fn complete(&mut self) -> Result<()> {
        if let Some(answered) = self.answered.take() {
            if self.reader.is_some() {
                self.unit.queue.post(Memory::attend);
            }
            match self.unit.queue.answer(&answered) {
                Ok((partial, busy)) => {
                    self.uploads.confirm();
                    (self.partial, self.busy) = (partial, busy);
                }
                Err(error) => {
                    let reader = self.reader.iter();
                    reader.for_each(|reader| reader.informed(&self.unit.watch));
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn later(&mut self) -> Result<Later<Spine>> {
        match self.answered.take() {
            Some(answered) if !self.borrows => {
                let (queue, reader) = (self.unit.queue.clone(), self.reader.take());
                let (watch, answered) = (Arc::clone(&self.unit.watch), ProcessLocal::new(answered));
                let ask = move || {
                    queue.post(Memory::attend);
                    let answer = queue.answer(&answered);
                    if answer.is_err() {
                        reader.iter().for_each(|reader| reader.informed(&watch));
                    }
                    answer.map(|(partial, _)| partial)
                };
                Ok(Later::Pending(Box::new(ask)))
            }
            answered => {
                self.answered = answered;
                self.partial().map(Later::Known)
            }
        }
    }

    fn is_on_host(&self) -> bool {
        self.on_host
    }

    fn has_begun(&self) -> bool {
        // Elements on a lost device cannot be read.
        let launched = self.launched.as_ref();
        self.unit.watch.is_gone()
            || launched.is_none_or(|launched| launched.load(Ordering::Acquire))
    }

    fn busy(&self) -> Duration {
        self.busy
    }
}
