//! `SKEL_TRACE`: what a program does, as a file that Perfetto and Chrome's `about:tracing` show.
//!
//! ```text
//! hook ──► Span ──(dropped)──► an event, a line of JSON ──► Sink ──► the file
//! ```
//!
//! A *lane* is a line of the picture, on which events follow or contain each other: one per thread that calls
//! or helps, three per device (uploads, kernels, downloads). Times are the machine's, also in contexts with a
//! clock of their own. Where a device only queues what it is asked for, its events are as long as the
//! queueing, and the wait for it shows how long it took; if it has a clock of its own (CUDA's events), a lane
//! for each of its streams shows when it ran what.
//!
//! A program that is not traced pays one load of an atomic at each hook.

mod event;
mod lane;
mod sink;

pub(crate) use lane::{DeviceLanes, Lane};

use event::Args;
use skel_core::{call::Call, schedule::Target};
use std::{
    ops::Range,
    sync::atomic::{AtomicU8, Ordering},
    time::Instant,
};

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether the program is traced.
#[inline]
pub(crate) fn is_on() -> bool {
    match STATE.load(Ordering::Relaxed) {
        OFF => false,
        ON => sink::get().is_some(),
        _ => begin(),
    }
}

/// Looks once whether the environment names a file.
#[cold]
fn begin() -> bool {
    let on = sink::get().is_some();
    // What was switched off meanwhile stays off.
    let state = if on { ON } else { OFF };
    let _known = STATE.compare_exchange(UNKNOWN, state, Ordering::Relaxed, Ordering::Relaxed);
    on
}

/// Nothing more can be written.
fn stop() {
    STATE.store(OFF, Ordering::Relaxed);
}

/// Something that has begun; it ends when this is dropped.
#[must_use]
pub(crate) struct Span(Option<Box<Open>>);

struct Open {
    lane: Lane,
    category: &'static str,
    name: String,
    args: Args,
    /// Whether the file is to show it as soon as it is over.
    flush: bool,
    started: Instant,
}

impl Span {
    /// Where nothing is traced.
    const NONE: Span = Span(None);

    fn open(lane: Lane, category: &'static str, name: String, args: Args, flush: bool) -> Span {
        Span(Some(Box::new(Open {
            lane,
            category,
            name,
            args,
            flush,
            started: Instant::now(),
        })))
    }
}

impl Drop for Span {
    #[inline]
    fn drop(&mut self) {
        if let Some(open) = &self.0 {
            open.end();
        }
    }
}

impl Open {
    #[cold]
    fn end(&self) {
        if let Some(sink) = sink::get() {
            let ended = Instant::now();
            let event = event::complete(self, sink.since(self.started), ended - self.started);
            sink.push(&event, self.flush);
        }
    }
}

/// A call, on the calling thread.
#[inline]
pub(crate) fn call(call: &Call<'_>, target: &Target) -> Span {
    if !is_on() {
        return Span::NONE;
    }
    let args = Args::new().number("elems", call.space.elems() as u64);
    let args = args.text("target", &target.to_string());
    let name = call.instance.to_owned();
    Span::open(Lane::here(), "call", name, args, true)
}

/// Elements that this thread computes.
#[inline]
pub(crate) fn piece(phase: &'static str, range: &Range<usize>) -> Span {
    if !is_on() {
        return Span::NONE;
    }
    Span::open(
        Lane::here(),
        "piece",
        phase.to_owned(),
        elements(range),
        false,
    )
}

/// A task of a graph, on this thread, which works for a worker.
#[inline]
pub(crate) fn task(kind: impl FnOnce() -> String, worker: usize) -> Span {
    if !is_on() {
        return Span::NONE;
    }
    let args = Args::new().number("worker", worker as u64);
    Span::open(Lane::here(), "task", kind(), args, false)
}

/// This thread waits for a device.
#[inline]
pub(crate) fn wait(device: impl FnOnce() -> String) -> Span {
    if !is_on() {
        return Span::NONE;
    }
    let name = format!("wait for {}", device());
    Span::open(Lane::here(), "wait", name, Args::new(), false)
}

/// A kernel is compiled, by this thread.
#[cfg(any(feature = "wgpu", feature = "cuda"))]
pub(crate) fn compile(kernel: &str) -> Span {
    if !is_on() {
        return Span::NONE;
    }
    let name = format!("compile {kernel}");
    Span::open(Lane::here(), "compile", name, Args::new(), false)
}

/// A device moves bytes.
pub(crate) fn transfer(lane: Lane, name: &'static str, bytes: usize) -> Span {
    let args = Args::new().number("bytes", bytes as u64);
    Span::open(lane, "transfer", name.to_owned(), args, name == "download")
}

/// A device computes elements.
pub(crate) fn launch(lane: Lane, phase: &'static str, kernel: &str, range: &Range<usize>) -> Span {
    let args = elements(range).text("phase", phase);
    Span::open(lane, "launch", kernel.to_owned(), args, false)
}

/// A device has run a kernel, one of those that a launch is made of: when, and for how long.
#[cfg(feature = "cuda")]
pub(crate) fn ran(
    lane: Lane,
    kernel: &str,
    stage: usize,
    range: &Range<usize>,
    (started, took): (Instant, std::time::Duration),
) {
    let open = Open {
        lane,
        category: "kernel",
        name: kernel.to_owned(),
        args: elements(range).number("stage", stage as u64),
        flush: false,
        started,
    };
    if let Some(sink) = sink::get() {
        sink.push(&event::complete(&open, sink.since(started), took), false);
    }
}

/// A device's thread waits for the device.
pub(crate) fn settle(lane: Lane, name: &'static str) -> Span {
    Span::open(lane, "wait", name.to_owned(), Args::new(), true)
}

fn elements(range: &Range<usize>) -> Args {
    let args = Args::new().number("from", range.start as u64);
    args.number("to", range.end as u64)
}
