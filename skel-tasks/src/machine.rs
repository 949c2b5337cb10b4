//! Machines: architectures, memory nodes, workers, and the links between memories.

use crate::{Arch, ArchSet, ClassId, ClassSet, MemoryNode, NodeSet, Ns, TaskError, WorkerId};

/// How long copies take between two memory nodes: `latency_ns + bytes / bytes_per_ns`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Until the first byte.
    pub latency_ns: Ns,
    /// Gigabytes per second.
    pub bytes_per_ns: f64,
}

impl Link {
    /// The time for so many bytes; none for none.
    #[must_use]
    pub fn time_ns(&self, bytes: u64) -> Ns {
        match bytes {
            0 => 0,
            _ => {
                let copied_ns = (bytes as f64 / self.bytes_per_ns).ceil() as Ns;
                self.latency_ns.saturating_add(copied_ns)
            }
        }
    }
}

/// A memory node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeInfo {
    /// Its name in traces.
    pub name: String,
    /// How much it holds, if that is to be minded.
    pub capacity_bytes: Option<u64>,
}

/// Workers of one architecture on one memory node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The architecture.
    pub arch: Arch,
    /// The memory that they compute on.
    pub node: MemoryNode,
    /// The first of them; the others follow.
    pub first: WorkerId,
    /// How many they are.
    pub workers: u32,
}

/// A machine of workers. Those of one class are alike.
///
/// ```
/// use skel_tasks::{Arch, Link, Machine, MemoryNode, WorkerId};
///
/// // Two cores, and one GPU behind a bus.
/// let bus = Link { latency_ns: 10_000, bytes_per_ns: 12.0 };
/// let machine = Machine::builder()
///     .arch("cpu", 2)
///     .device("gpu", 1, Some(16 << 30), bus)
///     .build()?;
/// assert_eq!(machine.workers(), 3);
/// assert_eq!(machine.arch_of(WorkerId(2)), Arch(1));
/// assert_eq!(machine.transfer_ns(MemoryNode::HOST, MemoryNode(1), 12_000), 11_000);
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    archs: Vec<String>,
    nodes: Vec<NodeInfo>,
    classes: Vec<Class>,
    class_of: Vec<ClassId>,
    links: Vec<Option<Link>>,
}

impl Machine {
    /// An empty machine, to which parts are added.
    #[must_use]
    pub fn builder() -> MachineBuilder {
        let host = NodeInfo {
            name: "host".into(),
            capacity_bytes: None,
        };
        MachineBuilder {
            archs: Vec::new(),
            nodes: vec![host],
            groups: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Workers alike on the host's memory.
    ///
    /// # Errors
    /// [`TaskError::BadMachine`] for none, or more than 2²⁰.
    pub fn cores(workers: u32) -> Result<Machine, TaskError> {
        Machine::builder().arch("cpu", workers).build()
    }

    /// The number of workers.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.class_of.len()
    }

    /// All workers.
    pub fn worker_ids(&self) -> impl Iterator<Item = WorkerId> + use<> {
        (0..self.class_of.len() as u32).map(WorkerId)
    }

    /// The names of the architectures, by number.
    #[must_use]
    pub fn archs(&self) -> &[String] {
        &self.archs
    }

    /// The memory nodes, by number.
    #[must_use]
    pub fn nodes(&self) -> &[NodeInfo] {
        &self.nodes
    }

    /// Whether there is such a memory node.
    #[must_use]
    pub fn has(&self, node: MemoryNode) -> bool {
        usize::from(node.0) < self.nodes.len()
    }

    /// The classes of workers, by number.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The class of a worker.
    ///
    /// # Panics
    /// If the machine has no such worker.
    #[must_use]
    pub fn class_of(&self, worker: WorkerId) -> ClassId {
        self.class_of[worker.0 as usize]
    }

    /// A class by its number.
    ///
    /// # Panics
    /// If the machine has no such class.
    #[must_use]
    pub fn class(&self, class: ClassId) -> &Class {
        &self.classes[class.0 as usize]
    }

    /// The architecture of a worker.
    ///
    /// # Panics
    /// If the machine has no such worker.
    #[must_use]
    pub fn arch_of(&self, worker: WorkerId) -> Arch {
        self.class(self.class_of(worker)).arch
    }

    /// The memory node of a worker.
    ///
    /// # Panics
    /// If the machine has no such worker.
    #[must_use]
    pub fn node_of(&self, worker: WorkerId) -> MemoryNode {
        self.class(self.class_of(worker)).node
    }

    /// The classes whose architecture is one of these.
    #[must_use]
    pub fn classes_of(&self, archs: ArchSet) -> ClassSet {
        let classes = self.classes.iter().enumerate();
        let able = classes.filter(|(_, class)| archs.contains(class.arch));
        able.map(|(k, _)| ClassId(k as u8)).collect()
    }

    /// The number of workers of an architecture.
    #[must_use]
    pub fn workers_of(&self, arch: Arch) -> u32 {
        let classes = self.classes.iter().filter(|class| class.arch == arch);
        classes.map(|class| class.workers).sum()
    }

    /// The link from one memory to another, if there is a direct one.
    #[must_use]
    pub fn link(&self, from: MemoryNode, to: MemoryNode) -> Option<&Link> {
        self.links[from.0 as usize * self.nodes.len() + to.0 as usize].as_ref()
    }

    /// How long a copy takes; through the host's memory where there is no direct link.
    #[must_use]
    pub fn transfer_ns(&self, from: MemoryNode, to: MemoryNode, bytes: u64) -> Ns {
        if from == to {
            return 0;
        }
        let over = |from, to| self.link(from, to).map(|link| link.time_ns(bytes));
        over(from, to)
            .or_else(|| {
                let to_host_ns = over(from, MemoryNode::HOST)?;
                Some(to_host_ns.saturating_add(over(MemoryNode::HOST, to)?))
            })
            .unwrap_or(Ns::MAX / 4)
    }

    /// The shortest copy to `to` from one of the memories that have it; none if `to` has it.
    #[must_use]
    pub fn fetch_ns(&self, from: NodeSet, to: MemoryNode, bytes: u64) -> Ns {
        if from.contains(to) {
            return 0;
        }
        let times = from.iter().map(|from| self.transfer_ns(from, to, bytes));
        times.min().unwrap_or(0)
    }
}

/// The most workers of a machine. Schedulers have a queue for each, and asking for more is asking for all memory.
const MAX_WORKERS: u64 = 1 << 20;

/// Puts a [`Machine`] together.
#[derive(Clone, Debug)]
pub struct MachineBuilder {
    archs: Vec<String>,
    nodes: Vec<NodeInfo>,
    groups: Vec<(usize, usize, u32)>,
    links: Vec<(usize, usize, Link)>,
}

impl MachineBuilder {
    fn arch_index(&mut self, name: &str) -> usize {
        let known = self.archs.iter().position(|arch| arch == name);
        known.unwrap_or_else(|| {
            self.archs.push(name.into());
            self.archs.len() - 1
        })
    }

    /// Adds workers of an architecture on the host's memory.
    #[must_use]
    pub fn arch(mut self, name: &str, workers: u32) -> Self {
        let arch = self.arch_index(name);
        self.groups.push((arch, 0, workers));
        self
    }

    /// Adds workers of an architecture on one memory of their own, which `bus` links with the host's in both
    /// directions. Two GPUs are two calls, with one name if they are alike.
    #[must_use]
    pub fn device(
        mut self,
        name: &str,
        workers: u32,
        capacity_bytes: Option<u64>,
        bus: Link,
    ) -> Self {
        let (arch, node) = (self.arch_index(name), self.nodes.len());
        let alike = self.groups.iter().filter(|(a, ..)| *a == arch).count();
        self.nodes.push(NodeInfo {
            name: format!("{name}{alike}"),
            capacity_bytes,
        });
        self.groups.push((arch, node, workers));
        self.links.extend([(0, node, bus), (node, 0, bus)]);
        self
    }

    /// Links two memory nodes in both directions.
    #[must_use]
    pub fn link(mut self, a: MemoryNode, b: MemoryNode, link: Link) -> Self {
        let (a, b) = (usize::from(a.0), usize::from(b.0));
        self.links.extend([(a, b, link), (b, a, link)]);
        self
    }

    /// The machine.
    ///
    /// # Errors
    /// [`TaskError::BadMachine`] for one without workers, with more than 2²⁰ of them, with more than 64 architectures,
    /// memory nodes or classes of workers, with a link of no speed, or to nowhere.
    pub fn build(self) -> Result<Machine, TaskError> {
        let bad = |what: String| Err(TaskError::BadMachine { what });
        let nodes = self.nodes.len();
        for (name, count) in [
            ("architectures", self.archs.len()),
            ("memory nodes", nodes),
            ("classes of workers", self.groups.len()),
        ] {
            if count > NodeSet::CAPACITY {
                return bad(format!(
                    "{count} {name}; at most {} are possible",
                    NodeSet::CAPACITY
                ));
            }
        }
        let workers: u64 = self.groups.iter().map(|(.., n)| u64::from(*n)).sum();
        if workers > MAX_WORKERS {
            return bad(format!(
                "{workers} workers; at most {MAX_WORKERS} are possible"
            ));
        }
        let mut links = vec![None; nodes * nodes];
        for (a, b, link) in self.links {
            if a >= nodes || b >= nodes || a == b {
                return bad(format!("a link from memory node {a} to {b}, of {nodes}"));
            }
            if !(link.bytes_per_ns.is_finite() && link.bytes_per_ns > 0.0) {
                return bad(format!("a link of {} bytes per ns", link.bytes_per_ns));
            }
            links[a * nodes + b] = Some(link);
        }
        let (mut classes, mut class_of) = (Vec::new(), Vec::new());
        for (arch, node, workers) in self.groups {
            if workers == 0 {
                return bad(format!("`{}` has no workers", self.archs[arch]));
            }
            let first = WorkerId(class_of.len() as u32);
            class_of.extend((0..workers).map(|_| ClassId(classes.len() as u8)));
            classes.push(Class {
                arch: Arch(arch as u8),
                node: MemoryNode(node as u8),
                first,
                workers,
            });
        }
        if classes.is_empty() {
            return bad("it has no workers".into());
        }
        Ok(Machine {
            archs: self.archs,
            nodes: self.nodes,
            classes,
            class_of,
            links,
        })
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn without_a_direct_link_copies_go_through_the_host() {
        let bus = Link {
            latency_ns: 100,
            bytes_per_ns: 1.0,
        };
        let two = || {
            Machine::builder()
                .device("gpu", 1, None, bus)
                .device("gpu", 1, None, bus)
        };
        let (a, b) = (MemoryNode(1), MemoryNode(2));
        let machine = two().build().unwrap();
        assert_eq!(machine.transfer_ns(a, b, 50), 300);
        assert_eq!(machine.nodes()[2].name, "gpu1");
        let peer = Link {
            latency_ns: 10,
            bytes_per_ns: 10.0,
        };
        assert_eq!(
            two()
                .link(a, b, peer)
                .build()
                .unwrap()
                .transfer_ns(a, b, 50),
            15
        );
    }

    #[test]
    fn machines_that_cannot_be_are_named() {
        let slow = Link {
            latency_ns: 0,
            bytes_per_ns: 0.0,
        };
        for (builder, what) in [
            (Machine::builder(), "no workers"),
            (Machine::builder().arch("cpu", 0), "`cpu` has no workers"),
            // No memory is asked for so many.
            (
                Machine::builder().arch("cpu", u32::MAX).arch("slow", 2),
                "4294967297 workers; at most 1048576",
            ),
            (
                Machine::builder().device("gpu", 1, None, slow),
                "0 bytes per ns",
            ),
            (
                Machine::builder().link(MemoryNode(0), MemoryNode(3), slow),
                "node 0 to 3",
            ),
        ] {
            let error = builder.build().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
