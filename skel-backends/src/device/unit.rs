//! A unit from a driver.

use super::{
    Driver, Scope,
    memory::{Arg, ArrayId, Memory, Work},
    queue::Queue,
};
use crate::{
    observe,
    unit::{Running, Traffic, Unit},
};
use skel_core::{
    Error, Result,
    call::{Call, Operand},
    container::{Buffer, BufferMut, Remote},
    frame::{ElementLayout, ErasedArray, Partial, View, ViewMut, ViewOut},
    ir::Ty,
    plan::Kernel,
    unit::{NodeId, UnitInfo},
};
use std::{
    any::Any,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

/// A device as a unit: everything that is not the driver's business.
pub struct DeviceUnit<D: Driver> {
    info: UnitInfo,
    node: NodeId,
    limits: Arc<D::Limits>,
    queue: Queue<Memory<D>>,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    next_array: AtomicU64,
    uploaded_bytes: AtomicU64,
    downloaded_bytes: AtomicU64,
}

impl<D: Driver> DeviceUnit<D> {
    /// Gives the driver a thread of its own.
    ///
    /// # Errors
    /// If the system has no thread to give.
    pub fn new(driver: D) -> Result<Self> {
        let (info, limits) = (driver.info(), driver.limits());
        let queue = Queue::start(&info.name, Memory::new(driver))?;
        let counters = Arc::default();
        Ok(DeviceUnit { info, node: NodeId::unique(), limits, queue, counters })
    }

    fn allocate(&self, layout: ElementLayout, ty: Ty, window: Range<usize>) -> Result<Arc<Handle<D>>> {
        let id = self.counters.next_array.fetch_add(1, Ordering::Relaxed);
        self.queue.ask(move |memory| memory.allocate(id, layout, &ty, window))?;
        Ok(Arc::new(Handle {
            id,
            queue: self.queue.clone(),
            counters: Arc::clone(&self.counters),
        }))
    }

    /// The array of a container on this device.
    fn array_of(&self, buffer: &Buffer) -> Result<Held<D>> {
        let make = || -> Result<Arc<dyn Remote>> {
            Ok(self.allocate(buffer.layout(), buffer.ty(), 0..buffer.len())?)
        };
        let remote = buffer.remote(self.node, make)?;
        let id = remote.as_any().downcast_ref::<Handle<D>>().map(|handle| handle.id);
        let id = id.ok_or_else(|| Error::Device {
            device: self.info.name.clone(),
            operation: "a call",
            message: "a container says that another device's array is here".into(),
        })?;
        Ok(Held { id, _array: Array::OfContainer(remote) })
    }

    fn temporary(&self, layout: ElementLayout, ty: Ty, window: Range<usize>) -> Result<Held<D>> {
        let array = self.allocate(layout, ty, window)?;
        Ok(Held { id: array.id, _array: Array::Temporary(array) })
    }

    /// Binds the operands of a piece: finds or makes its arrays, and notes what to move.
    fn bind<'e>(&self, call: &mut Call<'e>, r: &Range<usize>, kernel: &Kernel) -> Result<Bound<'e, D>> {
        let mut bound = Bound::default();
        for (k, operand) in call.operands.iter_mut().enumerate() {
            let ty = || kernel.arguments[k].ty.clone();
            let (arg, held) = match operand {
                Operand::Uniform(view) => {
                    bound.args.push(Arg::Uniform(ErasedArray::copy_of(*view)));
                    continue;
                }
                Operand::Read(buffer) => {
                    let held = self.array_of(buffer)?;
                    for part in buffer.missing(self.node, r.clone()) {
                        bound.uploads.push((held.id, buffer.host_view(part.clone())?));
                        buffer.uploaded(self.node, part);
                    }
                    (Arg::In(held.id), held)
                }
                Operand::ReadSlice(view) => {
                    let held = self.temporary(view.layout(), ty(), r.clone())?;
                    bound.uploads.push((held.id, view.narrow(r.clone())));
                    (Arg::In(held.id), held)
                }
                Operand::Update(target) => {
                    let held = self.array_of(target.buffer())?;
                    self.upload_for_update(target, r, held.id, &mut bound.uploads)?;
                    target.wrote(self.node, r.clone());
                    (Arg::InOut(held.id), held)
                }
                Operand::Write(target) => {
                    let held = self.array_of(target.buffer())?;
                    target.wrote(self.node, r.clone());
                    (Arg::Out(held.id), held)
                }
                Operand::UpdateSlice(slice) => {
                    let held = self.temporary(slice.layout(), ty(), r.clone())?;
                    bound.slices.push((held.id, slice.lend(r.clone()), true));
                    (Arg::InOut(held.id), held)
                }
                Operand::WriteSlice(slice) => {
                    let held = self.temporary(slice.layout(), ty(), r.clone())?;
                    bound.slices.push((held.id, slice.lend(r.clone()), false));
                    (Arg::Out(held.id), held)
                }
            };
            bound.args.push(arg);
            bound.held.push(held);
        }
        Ok(bound)
    }

    /// What the device lacks of an in-place argument. Its host memory is lent for the upload, and not
    /// valid any more, since the kernel will write it.
    fn upload_for_update<'e>(
        &self,
        target: &mut BufferMut<'e>,
        r: &Range<usize>,
        id: ArrayId,
        uploads: &mut Vec<(ArrayId, View<'e>)>,
    ) -> Result<()> {
        for part in target.buffer().missing(self.node, r.clone()) {
            uploads.push((id, target.lend_mut(part)?.into_view()));
        }
        Ok(())
    }
}

/// The operands of a piece, on this device.
struct Bound<'e, D: Driver> {
    args: Vec<Arg>,
    uploads: Vec<(ArrayId, View<'e>)>,
    slices: Vec<(ArrayId, ViewMut<'e>, bool)>,
    held: Vec<Held<D>>,
}

impl<D: Driver> Default for Bound<'_, D> {
    fn default() -> Self {
        Bound { args: Vec::new(), uploads: Vec::new(), slices: Vec::new(), held: Vec::new() }
    }
}

impl<D: Driver> Bound<'_, D> {
    fn uploaded_bytes(&self) -> u64 {
        let views = self.uploads.iter().map(|(_, view)| view.len_bytes());
        let slices = self.slices.iter().filter(|(.., reads)| *reads).map(|(_, view, _)| view.len_bytes());
        views.chain(slices).sum::<usize>() as u64
    }

    fn downloaded_bytes(&self) -> u64 {
        self.slices.iter().map(|(_, view, _)| view.len_bytes()).sum::<usize>() as u64
    }
}

/// An array that stays while a command that uses it is queued.
struct Held<D: Driver> {
    id: ArrayId,
    _array: Array<D>,
}

#[expect(dead_code, reason = "held for its destructor")]
enum Array<D: Driver> {
    OfContainer(Arc<dyn Remote>),
    Temporary(Arc<Handle<D>>),
}

/// An array on the device, seen from the host.
struct Handle<D: Driver> {
    id: ArrayId,
    queue: Queue<Memory<D>>,
    counters: Arc<Counters>,
}

impl<D: Driver> Drop for Handle<D> {
    /// Behind the commands that use the array; does not wait.
    fn drop(&mut self) {
        let id = self.id;
        self.queue.post(move |memory| memory.free(id));
    }
}

impl<D: Driver> Remote for Handle<D> {
    fn download(&self, into: ViewOut<'_>) -> Result<()> {
        let (id, bytes) = (self.id, into.len_bytes() as u64);
        self.queue.ask(move |memory| memory.download(id, into))?;
        self.counters.downloaded_bytes.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<D: Driver> Unit for DeviceUnit<D> {
    fn info(&self) -> &UnitInfo {
        &self.info
    }

    fn node(&self) -> NodeId {
        self.node
    }

    fn check(&self, call: &Call<'_>) -> Result<()> {
        let kernel = call.phases.kernel()?;
        D::check(&self.limits, &kernel, call.shape).map_err(|reason| Error::Unsupported {
            unit: self.info.name.clone(),
            instance: call.instance.into(),
            reason,
        })
    }

    fn start<'u, 'e: 'u>(
        &'u self,
        scope: &Scope<'e>,
        call: &mut Call<'e>,
        range: Range<usize>,
    ) -> Result<Box<dyn Running + 'u>> {
        let kernel = call.phases.kernel()?;
        let bound = self.bind(call, &range, &kernel)?;
        self.counters.uploaded_bytes.fetch_add(bound.uploaded_bytes(), Ordering::Relaxed);
        self.counters.downloaded_bytes.fetch_add(bound.downloaded_bytes(), Ordering::Relaxed);
        let wait = observe::is_active();
        let waits = wait
            || call.phases.pattern().combines()
            || !bound.uploads.is_empty()
            || !bound.slices.is_empty();
        let piece = Piece { unit: self, answered: None, partial: Partial::NONE, busy: Duration::ZERO };
        let held = bound.held;
        let work = Work {
            kernel,
            phases: call.phases,
            shape: call.shape,
            range,
            args: bound.args,
            uploads: bound.uploads,
            slices: bound.slices,
            wait,
        };
        if !waits {
            // Nothing is borrowed, so nobody needs to wait; errors taint the outputs.
            let work = work.without_borrows();
            self.queue.post(move |memory| {
                let _tainted = memory.run(work);
                drop(held);
            });
            return Ok(Box::new(piece));
        }
        let (answer, answered) = channel();
        scope.post(&self.queue, move |memory| {
            let started = Instant::now();
            let result = memory.run(work);
            // The caller may have given up after an error elsewhere.
            let _unheard = answer.send(result.map(|partial| (partial, started.elapsed())));
            drop(held);
        });
        Ok(Box::new(Piece { answered: Some(answered), ..piece }))
    }

    fn wait(&self) -> Result<()> {
        self.queue.ask(Memory::wait)
    }

    fn traffic(&self) -> Traffic {
        Traffic {
            uploaded_bytes: self.counters.uploaded_bytes.load(Ordering::Relaxed),
            downloaded_bytes: self.counters.downloaded_bytes.load(Ordering::Relaxed),
        }
    }
}

/// A piece on its way through the device's queue.
struct Piece<'u, D: Driver> {
    unit: &'u DeviceUnit<D>,
    /// The answer that is still to come, if anyone waits for one.
    answered: Option<Receiver<Result<(Partial, Duration)>>>,
    partial: Partial,
    busy: Duration,
}

impl<D: Driver> Running for Piece<'_, D> {
    fn partial(&mut self) -> Result<Partial> {
        self.complete()?;
        Ok(self.partial)
    }

    fn complete(&mut self) -> Result<()> {
        if let Some(answered) = self.answered.take() {
            (self.partial, self.busy) = self.unit.queue.answer(&answered)?;
        }
        Ok(())
    }

    fn busy(&self) -> Duration {
        self.busy
    }
}
