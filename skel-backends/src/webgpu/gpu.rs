//! wgpu's device and queue, with every call in an error scope.

use super::{error::Faults, float_controls::FloatControls, pipelines::Pipelines};
use skel_core::{Error, Result};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, channel},
    },
    time::Duration,
};
use wgpu::{Buffer, BufferUsages, ErrorFilter, PollType, SubmissionIndex};

/// One device of wgpu, driven from one thread; others compile for it. Clones are the same device.
#[derive(Clone, Debug)]
pub(super) struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    /// What the adapter is called.
    pub(super) name: String,
    pub(super) pipelines: Pipelines,
    /// What its modules ask for.
    pub(super) float_controls: FloatControls,
    faults: Arc<Faults>,
    in_flight: Arc<Mutex<InFlight>>,
}

/// Submissions that may not be done, the oldest first, with the bytes that wgpu keeps a copy of for each.
#[derive(Debug, Default)]
struct InFlight {
    submissions: VecDeque<(SubmissionIndex, u64)>,
    bytes: u64,
}

/// Submissions that the device may have in front of it, as a program that draws has some frames in flight. wgpu
/// keeps memory for each, and has no bound of its own.
const MOST_SUBMISSIONS: usize = 32;

/// Bytes of uploads that wgpu may keep copies of: two steps of a large one, so that copying the next one
/// overlaps the transfer of the last.
const MOST_COPIED_BYTES: u64 = 2 * super::memory::STEP_BYTES;

/// A buffer on its way to be readable: see [`Gpu::read`].
#[derive(Debug)]
pub(super) struct Mapping {
    submission: SubmissionIndex,
    answer: Receiver<Mapped>,
}

/// What wgpu says of it.
type Mapped = std::result::Result<(), wgpu::BufferAsyncError>;

/// How long a device that has said something strange may take to say that it is lost.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long another thread may take to say what it has found out.
const TOLD: Duration = Duration::from_secs(10);

impl Gpu {
    pub(super) fn new(device: wgpu::Device, queue: wgpu::Queue, name: String) -> Gpu {
        let faults = Faults::of(&device);
        Gpu {
            device,
            queue,
            name,
            pipelines: Pipelines::default(),
            float_controls: FloatControls::default(),
            faults,
            in_flight: Arc::default(),
        }
    }

    fn in_flight(&self) -> MutexGuard<'_, InFlight> {
        self.in_flight
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a submission, for which wgpu keeps so many bytes; waits for earlier ones if there are too many.
    pub(super) fn submitted(&self, submission: SubmissionIndex, bytes: u64) -> Result<()> {
        let mut in_flight = self.in_flight();
        in_flight.submissions.push_back((submission, bytes));
        in_flight.bytes += bytes;
        if in_flight.submissions.len() <= MOST_SUBMISSIONS && in_flight.bytes <= MOST_COPIED_BYTES {
            return Ok(());
        }
        // For half of them at once: to wait costs something, also for what is done.
        let mut older = None;
        while in_flight.submissions.len() > MOST_SUBMISSIONS / 2
            || in_flight.bytes > MOST_COPIED_BYTES / 2
        {
            let Some((oldest, bytes)) = in_flight.submissions.pop_front() else {
                break;
            };
            in_flight.bytes -= bytes;
            older = Some(oldest);
        }
        drop(in_flight);
        older.map_or(Ok(()), |older| self.wait("waiting", older))
    }

    /// An [`Error::Device`], or, if the device is gone, [`Error::DeviceLost`]: all else follows from that.
    pub(super) fn failed(&self, operation: &'static str, message: impl Into<String>) -> Error {
        // wgpu says that when it is asked how things are and nothing is queued any more; of all else it
        // says that it is invalid.
        let polled = self.device.poll(PollType::Wait {
            submission_index: None,
            timeout: Some(LAST_WORDS),
        });
        if let Some(reason) = self.faults.lost() {
            return Error::DeviceLost {
                device: self.name.clone(),
                reason,
            };
        }
        let message = match (message.into(), polled) {
            (message, Ok(_)) => message,
            (message, Err(error)) => format!("{message}; then {error}"),
        };
        Error::Device {
            device: self.name.clone(),
            operation,
            message,
        }
    }

    /// Makes calls of wgpu; what they complain of is the error. `needed_bytes` is what they allocate.
    pub(super) fn scoped<T>(
        &self,
        operation: &'static str,
        needed_bytes: u64,
        calls: impl FnOnce(&wgpu::Device, &wgpu::Queue) -> T,
    ) -> Result<T> {
        if let Some(reason) = self.faults.lost() {
            return Err(self.failed(operation, reason));
        }
        let memory = self.device.push_error_scope(ErrorFilter::OutOfMemory);
        let internal = self.device.push_error_scope(ErrorFilter::Internal);
        let validation = self.device.push_error_scope(ErrorFilter::Validation);
        let value = calls(&self.device, &self.queue);
        // What is asked of a device that is gone goes well, and does nothing; this asks whether it is.
        let polled = self.device.poll(PollType::Poll);
        let validation = pollster::block_on(validation.pop());
        let internal = pollster::block_on(internal.pop());
        let memory = pollster::block_on(memory.pop());
        if let Some(reason) = self.faults.lost() {
            return Err(self.failed(operation, reason));
        }
        if memory.is_some() {
            return Err(Error::OutOfMemory {
                device: self.name.clone(),
                needed_bytes,
                available_bytes: 0,
            });
        }
        if let Some(error) = validation.or(internal) {
            return Err(self.failed(operation, error.to_string()));
        }
        if let Some(reason) = self.faults.take_stray() {
            return Err(self.failed(operation, reason));
        }
        polled.map_err(|error| self.failed(operation, error.to_string()))?;
        Ok(value)
    }

    /// A new buffer.
    pub(super) fn buffer(
        &self,
        label: &'static str,
        size_bytes: u64,
        usage: BufferUsages,
    ) -> Result<Buffer> {
        self.scoped("allocation", size_bytes, |device, _| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size_bytes,
                usage,
                mapped_at_creation: false,
            })
        })
    }

    /// Sleeps until `submission` is done.
    pub(super) fn wait(&self, operation: &'static str, submission: SubmissionIndex) -> Result<()> {
        let until = PollType::Wait {
            submission_index: Some(submission),
            timeout: None,
        };
        self.scoped(operation, 0, |device, _| device.poll(until))?
            .map(|_| ())
            .map_err(|error| self.failed(operation, error.to_string()))
    }

    /// Sleeps until all that was submitted is done.
    pub(super) fn idle(&self) -> Result<()> {
        *self.in_flight() = InFlight::default();
        self.scoped("waiting", 0, |device, _| {
            device.poll(PollType::wait_indefinitely())
        })?
        .map(|_| ())
        .map_err(|error| self.failed("waiting", error.to_string()))
    }

    /// Queues copies into `to`, whose usages are `MAP_READ` and `COPY_DST`, and asks for the first
    /// `len_bytes` of it to be mapped.
    pub(super) fn copy_out(
        &self,
        operation: &'static str,
        from: &[(&Buffer, u64, u64)],
        to: &Buffer,
    ) -> Result<Mapping> {
        // A copy to the host is waited for, now or behind a mark, and need not be counted.
        self.scoped(operation, 0, |device, queue| {
            let mut encoder =
                device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let mut at = 0;
            for &(buffer, offset, len_bytes) in from {
                encoder.copy_buffer_to_buffer(buffer, offset, to, at, len_bytes);
                at += len_bytes;
            }
            let submission = queue.submit([encoder.finish()]);
            map(to, at, submission)
        })
    }

    /// Waits for what [`Gpu::copy_out`] or [`map`] began, and looks at the bytes.
    pub(super) fn read<T>(
        &self,
        operation: &'static str,
        buffer: &Buffer,
        len_bytes: u64,
        mapping: Mapping,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T> {
        self.wait(operation, mapping.submission)?;
        mapped(&mapping.answer).map_err(|why| self.failed(operation, why))?;
        let value = match buffer.get_mapped_range(0..len_bytes) {
            Ok(view) => look(&view),
            Err(error) => return Err(self.failed(operation, error.to_string())),
        };
        buffer.unmap();
        Ok(value)
    }
}

/// What came of mapping a buffer, of which all that was to be waited for is done. Another thread, one that
/// compiles, may have found that out, and be about to say it.
fn mapped(answer: &Receiver<Mapped>) -> std::result::Result<(), String> {
    match answer.recv_timeout(TOLD) {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err("the buffer was not mapped".into()),
    }
}

/// Asks for the first bytes of `buffer` to be mapped after `submission`, which was the last to use
/// it. Within an error scope.
pub(super) fn map(buffer: &Buffer, len_bytes: u64, submission: SubmissionIndex) -> Mapping {
    let (sender, answer) = channel();
    buffer.map_async(wgpu::MapMode::Read, 0..len_bytes, move |result| {
        // The receiver is gone if the reader gave up.
        let _ = sender.send(result);
    });
    Mapping { submission, answer }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_another_thread_is_about_to_say_is_waited_for() {
        let (sender, answer) = channel();
        let (asked, asks) = channel();
        let teller = std::thread::spawn(move || {
            asks.recv().unwrap();
            sender.send(Ok(())).unwrap();
        });
        asked.send(()).unwrap();
        assert_eq!(mapped(&answer), Ok(()));
        teller.join().unwrap();
        // There is no sender left.
        assert!(mapped(&answer).is_err());
    }
}
