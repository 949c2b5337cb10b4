//! A call as tasks on the paper's machine, in the virtual time of the engine.

use crate::laws::{BYTE_NS, COPY_NS, Laws, PIECE_NS};
use skel::tasks::engine::{
    Arch, ArchSet, Costs, KindId, Link, Machine, MemoryNode, Ns, Rates, Work,
    model::Learned,
    scheduler,
    sim::{Operations, Program, Simulation},
};
use std::sync::{Arc, Mutex, PoisonError};

/// What a task of the library costs beside its work, measured: docs/tasks.md. It is submitted by the caller.
const SUBMIT_NS: Ns = 1_000;
const BYTES_PER_ELEM: u64 = 4;

/// Where a chunk can be computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Cpu,
    Gpu,
}

/// A call of a skeleton in chunks of one size.
pub(crate) struct Call {
    chunks: usize,
    rates: Rates,
    program: Program,
}

const CPU: Arch = Arch(0);
const GPU: Arch = Arch(1);
/// Takes what was computed: no unit is busy with that, and it takes no time of its own, only that of copies.
const CALLER: Arch = Arch(2);

impl Call {
    /// A call of this many elements. All cores compute a chunk together, as OpenMP's variant of a codelet does.
    pub(crate) fn new(
        laws: &Laws,
        skeleton: &str,
        elems: usize,
        chunks: usize,
    ) -> Result<Call, String> {
        let (function, inputs, is_map) = match skeleton {
            "Map" => ("polynomial", 1, true),
            "Reduce" => ("single_sum", 1, false),
            "MapReduce" => ("single_product", 2, false),
            _ => return Err(format!("{skeleton}: not in figure 8")),
        };
        if !elems.is_multiple_of(chunks) {
            return Err(format!("{elems} elements in {chunks} chunks"));
        }
        let chunk = (elems / chunks) as u64;
        let mut program = Program::new(format!("{skeleton} in {chunks} chunks"));
        let (compute, fetch) = (program.kind("compute"), program.kind("fetch"));
        let mut results = Vec::new();
        for _ in 0..chunks {
            let inputs: Vec<_> = (0..inputs)
                .map(|_| program.data_at(chunk * BYTES_PER_ELEM, MemoryNode::HOST))
                .collect();
            let bytes = if is_map { chunk * BYTES_PER_ELEM } else { 0 };
            let result = program.data(bytes);
            results.push(result);
            let task = inputs
                .iter()
                .fold(program.task(compute), |task, x| task.reads(*x));
            task.writes(result)
                .archs([CPU, GPU].into_iter().collect::<ArchSet>())
                .work(chunk)
                .add();
        }
        // A fold's partials come with the end of their kernel, which the laws count as no copy.
        for result in results.into_iter().filter(|_| is_map) {
            program.task(fetch).reads(result).add();
        }
        let (cpu, gpu) = laws.elem_ns(function).ok_or("no law for the function")?;
        // Each piece has a latency, which all of its elements have a part in, since all pieces are of one size.
        let with_latency = |elem_ns: f64| Some(elem_ns + PIECE_NS / chunk as f64);
        let rates = vec![
            vec![with_latency(cpu), with_latency(gpu), None],
            vec![None, None, Some(0.0)],
        ];
        Ok(Call {
            chunks,
            rates: Rates::new(rates),
            program,
        })
    }

    /// The machine, whose bus takes so many times as long for a byte.
    fn machine(&self, slower: f64) -> Result<Machine, String> {
        let bus = Link {
            latency_ns: COPY_NS as Ns,
            bytes_per_ns: 1.0 / (slower * BYTE_NS),
        };
        Machine::builder()
            .arch("cpu", 1)
            .device("gpu", 1, None, bus)
            .arch("caller", self.chunks as u32)
            .build()
            .map_err(|error| error.to_string())
    }

    /// So many calls in a row, each with data of its own on the host. What a scheduler knows is what was measured in the
    /// calls before. Execution times differ by chunk, the bus's speed by call.
    pub(crate) fn in_a_row(
        &self,
        name: &str,
        calls: usize,
        noise: f64,
    ) -> Result<Vec<f64>, String> {
        let learned = Shared::default();
        let scheduler = scheduler::parse(name).map_err(|error| error.to_string())?;
        // Evenly spread, with this standard deviation.
        let widest = noise * 3.0_f64.sqrt();
        let call = |seed: usize| {
            let learned = learned.clone();
            // The golden ratio's multiples lie evenly from 0 to 1.
            let place = (seed as f64 * 0.618_033_988_75).fract();
            let machine = self.machine(1.0 + widest * (2.0 * place - 1.0))?;
            let simulation = Simulation::new(machine, self.rates.clone())
                .noise(widest, seed as u64)
                .operations(Operations {
                    submit_ns: SUBMIT_NS,
                    ..Operations::default()
                })
                .expect(move || Box::new(learned.clone()));
            let report = simulation.run(&*scheduler, &self.program);
            let report = report.map_err(|error| format!("{name}: {error}"))?;
            Ok(report.makespan_ns as f64 / 1e9)
        };
        (0..calls).map(call).collect()
    }

    /// The call on one unit alone, without the costs of submission and without noise.
    pub(crate) fn alone_s(&self, unit: Unit) -> Result<f64, String> {
        let name = match unit {
            Unit::Cpu => "host",
            Unit::Gpu => "device",
        };
        let simulation = Simulation::new(self.machine(1.0)?, self.rates.clone());
        let scheduler = scheduler::parse(name).map_err(|error| error.to_string())?;
        let report = simulation.run(&*scheduler, &self.program);
        Ok(report.map_err(|error| error.to_string())?.makespan_ns as f64 / 1e9)
    }
}

/// Models that outlive a call.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Learned>>);

impl Costs for Shared {
    fn exec_ns(&self, kind: KindId, arch: Arch, work: Work) -> Option<Ns> {
        // That a result is taken over costs nothing, which no sample can say.
        if arch == CALLER {
            return Some(0);
        }
        let learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        learned.exec_ns(kind, arch, work)
    }

    fn observe(&mut self, kind: KindId, arch: Arch, work: Work, took_ns: Ns) {
        let mut learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        learned.observe(kind, arch, work, took_ns);
    }
}
