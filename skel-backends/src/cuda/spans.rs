//! When the device ran each kernel, for traces: by events around it, and one whose moment the host knows.

use super::{
    raw::{Event, Gpu, Stream},
    streams::{MOST_FLYING, Streams},
};
use crate::trace::{self, Lane};
use skel_core::Result;
use std::{
    collections::HashMap,
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

/// The clocks are compared anew after so long: what the driver says of the time between two events has 24 bits.
const COMPARED: Duration = Duration::from_secs(10);

/// Kernels whose run times are not known yet. Without a trace there are none; nor where the device's clock
/// cannot be read, and then the trace shows when they were queued, as it does of every device.
#[derive(Debug)]
pub(super) struct Spans {
    gpu: Arc<Gpu>,
    /// An event, and when the host saw it.
    compared: Option<(Event, Instant)>,
    /// Of each queue that had a kernel: kernels of different queues may overlap.
    lanes: HashMap<usize, Lane>,
    running: Vec<Running>,
    /// Events to be used again.
    spare: Vec<Event>,
}

/// A kernel that was queued.
#[derive(Debug)]
struct Running {
    kernel: Named,
    queue: usize,
    begin: Event,
    end: Event,
}

/// What is shown of a kernel.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: &'static str,
    /// Which of a launch's kernels.
    pub(super) stage: usize,
    pub(super) range: Range<usize>,
}

impl Spans {
    pub(super) fn new(gpu: &Arc<Gpu>) -> Spans {
        Spans {
            gpu: Arc::clone(gpu),
            compared: None,
            lanes: HashMap::new(),
            running: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Compares the clocks: the host waits for an event, so nothing should be queued.
    pub(super) fn compare(&mut self, streams: &Streams) {
        if !trace::is_on() {
            return;
        }
        let event = Event::with_time(&self.gpu).and_then(|event| {
            streams.record(streams.uploads(), &event)?;
            event.synchronize()?;
            Ok((event, Instant::now()))
        });
        self.compared = event.ok();
    }

    /// Queues a kernel; in a trace, between two events.
    pub(super) fn around(
        &mut self,
        (queue, stream): (usize, &Stream),
        kernel: impl FnOnce() -> Named,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        if self.compared.is_none() {
            return work();
        }
        let begin = self.event().and_then(|event| recorded(event, stream));
        work()?;
        let end = self.event().and_then(|event| recorded(event, stream));
        // Where there is no event, the kernel is not shown.
        if let (Ok(begin), Ok(end)) = (begin, end) {
            self.running.push(Running {
                kernel: kernel(),
                queue,
                begin,
                end,
            });
        }
        Ok(())
    }

    fn event(&mut self) -> Result<Event> {
        match self.spare.pop() {
            Some(event) => Ok(event),
            None => Event::with_time(&self.gpu),
        }
    }

    /// Whether it is time to look which of them are done: a program that reads nothing never waits.
    pub(super) fn are_many(&self) -> bool {
        self.running.len() >= 2 * MOST_FLYING as usize
    }

    /// Shows those that are done.
    pub(super) fn collect(&mut self, streams: &Streams) {
        let Some((_, at)) = &self.compared else {
            return;
        };
        let is_old = at.elapsed() > COMPARED;
        for running in std::mem::take(&mut self.running) {
            match running.end.is_done() {
                Ok(true) => self.show(running),
                Ok(false) => self.running.push(running),
                // The device is gone, which reads of its results report.
                Err(_) => {}
            }
        }
        if is_old && self.running.is_empty() {
            self.compare(streams);
        }
    }

    fn show(&mut self, running: Running) {
        let Running {
            kernel,
            queue,
            begin,
            end,
        } = running;
        if let Some((event, at)) = &self.compared
            && let (Ok(since), Ok(took)) = (begin.after(event), end.after(&begin))
        {
            let name = || format!("{}: stream {queue}", self.gpu.name());
            let lane = *self
                .lanes
                .entry(queue)
                .or_insert_with(|| Lane::of_device(&name()));
            let Named { name, stage, range } = kernel;
            trace::ran(lane, name, stage, &range, (*at + since, took));
        }
        self.spare.extend([begin, end]);
    }
}

fn recorded(event: Event, stream: &Stream) -> Result<Event> {
    event.record(stream)?;
    Ok(event)
}
