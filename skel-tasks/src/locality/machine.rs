//! The machines of Bramas (2019).

use super::Application;
use crate::{Link, Machine, Rates, TaskError, sim::Program};

/// How many double-precision operations a core does per cycle: two fused multiply-adds of four lanes.
const FLOPS_PER_CYCLE: f64 = 16.0;
/// What a GPU's bus gives of PCIe 3's 15.75 GB/s with pinned memory. Assumed.
const BUS: Link = Link {
    latency_ns: 10_000,
    bytes_per_ns: 10.0,
};

/// Of each kind of tasks: what part of a core's peak it reaches, and how many times as fast a K40 is as a core of the node
/// with K40s. The factors for `potrf` to `gemm` are of the order that Agullo et al. (2016) publish for such a node; those
/// of QR's kernels are assumed in the same manner, as in [`patterns::rates`](crate::sim::patterns::rates).
const KERNELS: [(&str, f64, f64); 8] = [
    ("potrf", 0.72, 2.0),
    ("trsm", 0.81, 11.0),
    ("syrk", 0.86, 26.0),
    ("gemm", 0.90, 29.0),
    ("geqrt", 0.63, 2.0),
    ("tsqrt", 0.68, 3.0),
    ("unmqr", 0.77, 16.0),
    ("tsmqr", 0.81, 20.0),
];
/// What a core writes of a stencil, in bytes per nanosecond: 26 neighbours of a byte each are looked at for one that is
/// written. And how many times as fast a GPU is. Assumed.
const STENCIL: (f64, f64) = (0.5, 30.0);

/// A node that was measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// 24 cores at 2.5 GHz, and up to 4 K40 of 1.43 Tflop/s.
    K40,
    /// 24 cores at 2.1 GHz, and up to 2 P100 of 4.7 Tflop/s.
    P100,
}

impl Node {
    /// Both.
    pub const ALL: [Node; 2] = [Node::K40, Node::P100];
    const CORES: u32 = 24;

    /// Its GPU's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Node::K40 => "K40",
            Node::P100 => "P100",
        }
    }

    /// How many GPUs it has.
    #[must_use]
    pub fn gpus(self) -> u32 {
        match self {
            Node::K40 => 4,
            Node::P100 => 2,
        }
    }

    fn core_ghz(self) -> f64 {
        match self {
            Node::K40 => 2.5,
            Node::P100 => 2.1,
        }
    }

    /// How many times as fast a GPU is as a K40, by peaks.
    fn gpu_speed(self) -> f64 {
        match self {
            Node::K40 => 1.0,
            Node::P100 => 4.7 / 1.43,
        }
    }

    fn gpu_memory_bytes(self) -> u64 {
        match self {
            Node::K40 => 12 << 30,
            Node::P100 => 16 << 30,
        }
    }

    /// The node with so many of its GPUs for an application, as StarPU sees it: a core drives each GPU, and a GPU is as
    /// many workers as the paper gave it streams.
    ///
    /// # Errors
    /// [`TaskError::BadMachine`] for more GPUs than a node can have.
    pub fn machine(self, gpus: u32, application: Application) -> Result<Machine, TaskError> {
        let cores = Node::CORES.saturating_sub(gpus);
        let streams = application.streams(self);
        let mut builder = Machine::builder().arch("cpu", cores);
        for _ in 0..gpus.min(Node::CORES) {
            builder = builder.device("gpu", streams, Some(self.gpu_memory_bytes()), BUS);
        }
        builder.build()
    }

    /// What tasks take. Streams share a GPU: each has its part of the speed, whether the others have work or not.
    #[must_use]
    pub fn rates(self, program: &Program, application: Application) -> Rates {
        let streams = f64::from(application.streams(self));
        let kind = |name: &String| {
            let kernel = KERNELS.iter().find(|(kernel, ..)| kernel == name);
            let (core, gpu) = match kernel {
                Some((_, part, times)) => {
                    let flops_per_ns = |node: Node| node.core_ghz() * FLOPS_PER_CYCLE * part;
                    let gpu = flops_per_ns(Node::K40) * times * self.gpu_speed();
                    (flops_per_ns(self), gpu)
                }
                None => {
                    let (bytes_per_ns, times) = STENCIL;
                    let core = bytes_per_ns * self.core_ghz() / Node::K40.core_ghz();
                    (core, bytes_per_ns * times * self.gpu_speed())
                }
            };
            let gpu = application.runs_on_gpu(name).then_some(streams / gpu);
            vec![Some(1.0 / core), gpu]
        };
        Rates::new(program.kinds().iter().map(kind).collect())
    }
}
