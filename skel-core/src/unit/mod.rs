//! What is known of a unit without asking it to do anything.
//!
//! Policies need no more than [`UnitInfo`], so that lies here. `Unit`, `Running` and `Driver` speak of threads and queues,
//! so they lie in `skel-backends`.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

/// Names a memory node: the host, or the memory of one device. Unique within the process, so that a
/// container may be used in several contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u64);

impl NodeId {
    /// The host's memory.
    pub const HOST: NodeId = NodeId(0);

    /// Its number.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// A node that is new and unique.
    #[must_use]
    pub fn unique() -> NodeId {
        // Every reduction that is not waited for takes one: 32 bits would come round to the host's number.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NodeId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("host"),
            n => write!(f, "device node {n}"),
        }
    }
}

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// The calling thread alone.
    Sequential,
    /// The CPU's cores.
    Cpu,
    /// A GPU with memory of its own.
    DiscreteGpu,
    /// A GPU that shares the host's memory.
    IntegratedGpu,
    /// A device that is none of these, or does not say.
    OtherDevice,
    /// A device that the CPU imitates. Only used when named, unless `SKEL_SOFTWARE_DEVICES=1`.
    SoftwareDevice,
    /// A unit for tests: see `skel::mock`.
    Mock,
}

impl UnitKind {
    /// Whether it works on memory of its own, behind a queue.
    #[must_use]
    pub fn is_device(self) -> bool {
        !matches!(self, UnitKind::Sequential | UnitKind::Cpu)
    }
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnitKind::Sequential => "one thread",
            UnitKind::Cpu => "CPU cores",
            UnitKind::DiscreteGpu => "discrete GPU",
            UnitKind::IntegratedGpu => "integrated GPU",
            UnitKind::OtherDevice => "device",
            UnitKind::SoftwareDevice => "software device",
            UnitKind::Mock => "mock device",
        })
    }
}

/// What a unit says of itself.
#[derive(Clone, Debug)]
pub struct UnitInfo {
    /// Its real name, as the driver or the processor gives it.
    pub name: String,
    /// What it is.
    pub kind: UnitKind,
    /// What drives it: `cpu`, `wgpu (Vulkan)`, ….
    pub api: String,
    /// Its driver and version, as far as known.
    pub driver: String,
    /// Its memory, if it says.
    pub memory_bytes: Option<u64>,
    /// Limits and features worth showing, in a few words each: `("storage buffers", "8")`.
    pub limits: Vec<(&'static str, String)>,
}
