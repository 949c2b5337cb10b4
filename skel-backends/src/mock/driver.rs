//! The mock device's driver: computes with the host face of the plan.
#![allow(unsafe_code, reason = "the promise of `Driver`")]

mod compute;
mod under_way;

use super::{Gate, Law, Mock, Operation, law::nanos, pace, script::Fault};
use crate::device::{Compilation, Driver, Launch, Launched, Mark, TrapWords, Trapped, VirtualTime};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, ErasedArray, Frame, Spine, View, ViewOut},
    ir::Ty,
    plan::{BlockConfigs, Kernel, Phases},
    space::Shape,
    unit::UnitInfo,
};
use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Drives a mock device.
pub struct MockDriver {
    script: Mock,
    /// How often each operation was asked for.
    asked: HashMap<Operation, u64>,
    allocated_bytes: Arc<AtomicU64>,
    /// Whether it has vanished.
    gone: bool,
    traps: HashMap<TrapWords, Trapped>,
    /// How often there will be no room to read them.
    #[cfg(test)]
    pub(crate) reads_without_room: u32,
    next_words: u64,
    /// Whether the last launch was one that the script lies about.
    lies_now: bool,
    /// The kernels that it has compiled, by hash, and how many it was given to compile.
    compiled: Arc<Mutex<HashSet<u64>>>,
    compilations: u64,
    /// The time it would have taken, if it takes none.
    virtual_time: Option<Arc<VirtualTime>>,
    /// Operations that its law was asked for.
    draws: u64,
    made: Instant,
    /// When all kernels are done, from then on, where copies go on beside them.
    kernels_end: Cell<Duration>,
    /// Marks that have not passed: how many launches each is behind, and when the kernels of these are done.
    marks: Vec<(u64, u64, Duration)>,
    next_mark: u64,
}

/// What a launch of a mock device leaves.
pub struct MockPending {
    value: Spine,
    /// The words of a scan that goes on.
    words: Option<TrapWords>,
}

/// An array in the mock device's memory.
pub struct MockArray {
    elements: ErasedArray,
    bytes: u64,
    allocated_bytes: Arc<AtomicU64>,
}

impl Drop for MockArray {
    fn drop(&mut self) {
        self.allocated_bytes
            .fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl MockDriver {
    pub(super) fn new(script: Mock) -> Self {
        MockDriver {
            virtual_time: script.virtual_time.then(Arc::default),
            draws: 0,
            made: Instant::now(),
            kernels_end: Cell::default(),
            marks: Vec::new(),
            next_mark: 0,
            script,
            asked: HashMap::new(),
            allocated_bytes: Arc::default(),
            gone: false,
            traps: HashMap::new(),
            #[cfg(test)]
            reads_without_room: 0,
            next_words: 0,
            lies_now: false,
            compiled: Arc::default(),
            compilations: 0,
        }
    }

    /// Follows the script. Says whether the operation is only to look as if it was done.
    fn begin(&mut self, operation: Operation) -> Result<bool> {
        (self.script.hook)(operation);
        let asked = self.asked.entry(operation).or_default();
        *asked += 1;
        let asked = *asked;
        let mut lies = false;
        for (at, n, fault) in &self.script.faults {
            match fault {
                _ if (*at, *n) != (operation, asked) => {}
                Fault::Wait(gate) => gate.pass(),
                Fault::WrongData => lies = true,
                Fault::Vanish => self.gone = true,
                Fault::Panic => panic!("the script says so"),
                Fault::Reject => {
                    return Err(Error::Unsupported {
                        unit: self.script.name.clone(),
                        instance: "a kernel".into(),
                        reason: "it does not compile: the script says so".into(),
                    });
                }
                Fault::Short => {
                    return Err(Error::OutOfMemory {
                        device: self.script.name.clone(),
                        needed_bytes: 4,
                        available_bytes: 0,
                    });
                }
            }
        }
        if self.gone {
            return Err(Error::DeviceLost {
                device: self.script.name.clone(),
                reason: "it vanished: the script says so".into(),
            });
        }
        if self.script.failures.contains(&(operation, asked)) {
            return Err(Error::Device {
                device: self.script.name.clone(),
                operation: match operation {
                    Operation::Allocate => "an allocation",
                    Operation::Upload => "an upload",
                    Operation::Download => "a download",
                    Operation::Grow => "a copy",
                    Operation::Launch | Operation::Finish => "a launch",
                },
                message: "the script says so".into(),
            });
        }
        Ok(lies)
    }

    /// Lets an operation that began then take as long as the law says.
    fn take(&mut self, operation: Operation, began: Instant, ns: impl Fn(&Law, u64) -> f64) {
        let Some(law) = &self.script.law else {
            return;
        };
        let ns = ns(law, self.draws);
        self.draws += 1;
        self.pass(operation, began, nanos(ns));
    }

    fn pass(&self, operation: Operation, began: Instant, time: Duration) {
        match &self.virtual_time {
            None => match operation {
                Operation::Launch | Operation::Finish if self.script.copies_beside_kernels => {
                    let begin = self.kernels_end.get().max(began.duration_since(self.made));
                    self.kernels_end.set(begin + time);
                }
                _ => pace::until(began, time),
            },
            Some(counted) => match operation {
                Operation::Allocate | Operation::Grow => {}
                Operation::Upload => counted.uploaded(time),
                Operation::Launch => counted.launched(time),
                Operation::Finish => counted.finished(time),
                Operation::Download => counted.downloaded(time),
            },
        }
    }
}

// SAFETY: a download copies the whole window from an array that is initialised from the beginning.
unsafe impl Driver for MockDriver {
    type Array = MockArray;
    type Pending = MockPending;
    type Limits = Mock;

    fn info(&self) -> UnitInfo {
        UnitInfo {
            name: self.script.name.clone(),
            kind: self.script.kind,
            api: "mock".into(),
            driver: "none".into(),
            memory_bytes: self.script.memory_bytes,
            limits: Vec::new(),
        }
    }

    fn limits(&self) -> Arc<Mock> {
        Arc::new(self.script.clone())
    }

    fn check(script: &Mock, _: &Kernel, _: Shape) -> std::result::Result<(), String> {
        script.cannot.clone().map_or(Ok(()), Err)
    }

    fn capacity_bytes(&self) -> Option<u64> {
        self.script.memory_bytes
    }

    fn block_configs(script: &Mock, _: &Kernel) -> BlockConfigs {
        let offered = script.law.as_ref().map(Law::block_configs);
        let mut offered = offered.unwrap_or_default();
        if let Some((block, found)) = &script.refuses
            && found.load(Ordering::Relaxed)
        {
            offered.retain(|other| other != block);
        }
        offered
    }

    fn step_bytes(&self) -> Option<u64> {
        self.script.step_bytes
    }

    fn clock(&self) -> Duration {
        match &self.virtual_time {
            None => self.made.elapsed(),
            Some(counted) => counted.spent().total(),
        }
    }

    fn virtual_time(&self) -> Option<Arc<VirtualTime>> {
        self.virtual_time.clone()
    }

    fn allocate(
        &mut self,
        layout: ElementLayout,
        _: &Ty,
        window: Range<usize>,
    ) -> Result<MockArray> {
        self.begin(Operation::Allocate)?;
        let bytes = (window.len() * layout.size_bytes()) as u64;
        let allocated = self.allocated_bytes.load(Ordering::Relaxed);
        let script = &self.script;
        let full = script
            .memory_bytes
            .is_some_and(|most| allocated + bytes > most);
        if full || script.largest_array_bytes.is_some_and(|most| bytes > most) {
            return Err(Error::OutOfMemory {
                device: self.script.name.clone(),
                needed_bytes: bytes,
                available_bytes: self.script.memory_bytes.unwrap_or(0),
            });
        }
        let elements = ErasedArray::zeroed(layout, window)?;
        let before = self.allocated_bytes.fetch_add(bytes, Ordering::Relaxed);
        let most = &self.script.most_bytes_in_use;
        most.fetch_max(before + bytes, Ordering::Relaxed);
        let allocated_bytes = Arc::clone(&self.allocated_bytes);
        Ok(MockArray {
            elements,
            bytes,
            allocated_bytes,
        })
    }

    fn upload(&mut self, to: &mut MockArray, from: View<'_>) -> Result<()> {
        let began = Instant::now();
        self.begin(Operation::Upload)?;
        to.elements.view_out(from.window()).copy_from(from);
        let bytes = from.len_bytes() as u64;
        self.take(Operation::Upload, began, |law, draw| {
            law.upload_ns(bytes, draw)
        });
        Ok(())
    }

    fn download(&mut self, from: &MockArray, mut to: ViewOut<'_>) -> Result<()> {
        let began = Instant::now();
        self.catch_up();
        let lies = self.begin(Operation::Download)? || self.lies_now;
        let bytes = to.len_bytes() as u64;
        if lies {
            to.copy_from(ErasedArray::zeroed(to.layout(), to.window())?.all());
        } else {
            to.copy_from(from.elements.view(to.window()));
        }
        self.take(Operation::Download, began, |law, draw| {
            law.download_ns(bytes, draw)
        });
        Ok(())
    }

    fn copy(&mut self, from: &MockArray, to: &mut MockArray, elements: Range<usize>) -> Result<()> {
        self.begin(Operation::Grow)?;
        let from = from.elements.view(elements.clone());
        to.elements.view_out(elements).copy_from(from);
        Ok(())
    }

    fn compilation(&mut self, launch: &Launch<'_, MockArray>) -> Option<Compilation> {
        let kernel = launch.kernel.hash;
        let known = |compiled: &Mutex<HashSet<u64>>| {
            let compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
            compiled.contains(&kernel)
        };
        if self.script.compiles.is_empty() || known(&self.compiled) {
            return None;
        }
        self.compilations += 1;
        let mut gates = self.script.compiles.iter();
        let gate = gates.find(|(n, _)| *n == self.compilations);
        let gate = gate.map(|(_, gate)| gate.clone());
        let compiled = Arc::clone(&self.compiled);
        Some(Compilation::new(move || {
            gate.iter().for_each(Gate::pass);
            let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
            compiled.insert(kernel);
        }))
    }

    fn launch(&mut self, launch: Launch<'_, MockArray>) -> Result<Launched<MockPending>> {
        let began = Instant::now();
        self.begin(Operation::Launch)?;
        let combines = launch.phases.pattern().combines();
        let local = |phases: &'static dyn Phases, frame: &mut Frame<'_>| phases.local(frame);
        self.compute(
            (Operation::Launch, began),
            launch,
            (Spine::EMPTY, None),
            combines,
            local,
        )
    }

    fn finish(
        &mut self,
        launch: Launch<'_, MockArray>,
        begun: MockPending,
        carry: Spine,
        wanted: bool,
    ) -> Result<Launched<MockPending>> {
        let began = Instant::now();
        self.begin(Operation::Finish)?;
        let before = carry.clone();
        let finish =
            |phases: &'static dyn Phases, frame: &mut Frame<'_>| phases.finish(frame, &before);
        let carry = (carry, begun.words);
        self.compute((Operation::Finish, began), launch, carry, wanted, finish)
    }

    fn is_idle(&mut self) -> bool {
        self.has_ended(self.launches(), self.kernels_end.get())
    }

    fn partial(&mut self, pending: MockPending) -> Result<Spine> {
        self.catch_up();
        Ok(pending.value)
    }

    fn wait(&mut self) -> Result<()> {
        self.catch_up();
        Ok(())
    }

    fn mark(&mut self, _: &[TrapWords]) -> Result<Option<Mark>> {
        Ok(self.set_mark())
    }

    fn has_passed(&mut self, mark: Mark) -> Result<bool> {
        Ok(self.is_behind(mark))
    }

    fn read_traps(&mut self, traps: TrapWords) -> Result<Option<Trapped>> {
        #[cfg(test)]
        if let Some(rest) = self.reads_without_room.checked_sub(1) {
            self.reads_without_room = rest;
            return Err(Error::OutOfMemory {
                device: self.script.name.clone(),
                needed_bytes: 4,
                available_bytes: 0,
            });
        }
        Ok(self.traps.remove(&traps))
    }

    fn forget_traps(&mut self, traps: TrapWords) {
        self.traps.remove(&traps);
    }
}
