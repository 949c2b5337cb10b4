//! What a scheduler may ask.

use crate::{
    Access, Arch, ClassId, Costs, HandleId, Machine, MemoryNode, NodeSet, Ns, TaskId, TaskInfo,
    WorkerId, graph::Graph, liveness::Liveness,
};

/// What the engine knows at the moment. All questions take constant time but for loops over a task's own accesses
/// or successors. Tasks that are asked for must not be over.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) now_ns: Ns,
    pub(crate) machine: &'a Machine,
    pub(crate) graph: &'a Graph,
    pub(crate) costs: &'a dyn Costs,
    pub(crate) live: &'a Liveness,
}

impl<'a> View<'a> {
    /// The time, if the scheduler says that it needs it.
    #[must_use]
    pub fn now_ns(&self) -> Ns {
        self.now_ns
    }

    /// The machine, with workers that are lost.
    #[must_use]
    pub fn machine(&self) -> &'a Machine {
        self.machine
    }

    /// Whether the task is not over: the only question that may be asked of one that is.
    #[must_use]
    pub fn is_pending(&self, task: TaskId) -> bool {
        self.graph.is_alive(task)
    }

    /// Kind, priority, architectures, work.
    #[must_use]
    pub fn task(&self, task: TaskId) -> &'a TaskInfo {
        self.graph.info(task)
    }

    /// What it accesses, each handle once.
    #[must_use]
    pub fn accesses(&self, task: TaskId) -> &'a [Access] {
        self.graph.accesses(task)
    }

    /// The size of a handle that a task accesses.
    #[must_use]
    pub fn bytes(&self, handle: HandleId) -> u64 {
        self.graph.handles.of(handle).bytes
    }

    /// Where it is or, by what has been placed so far, will be.
    #[must_use]
    pub fn valid(&self, handle: HandleId) -> NodeSet {
        self.graph.handles.of(handle).valid
    }

    /// Whether a worker of this class can run the task: it has an implementation, and its memory holds all that the
    /// task accesses.
    #[must_use]
    pub fn can_run(&self, task: TaskId, class: ClassId) -> bool {
        let class = self.machine.class(class);
        self.task(task).archs.contains(class.arch) && self.fits(task, class.node)
    }

    fn fits(&self, task: TaskId, node: MemoryNode) -> bool {
        let Some(capacity_bytes) = self.machine.nodes()[usize::from(node.0)].capacity_bytes else {
            return true;
        };
        let sizes = self.accesses(task).iter();
        let sizes = sizes.map(|access| self.bytes(access.handle));
        sizes.fold(0, u64::saturating_add) <= capacity_bytes
    }

    /// How long it takes there, without transfers; nothing where nothing is known.
    #[must_use]
    pub fn exec_ns(&self, task: TaskId, arch: Arch) -> Option<Ns> {
        let info = self.task(task);
        self.costs.exec_ns(info.kind, arch, info.work)
    }

    /// How long it takes to bring what it reads to a memory node, one after the other.
    #[must_use]
    pub fn transfer_ns(&self, task: TaskId, node: MemoryNode) -> Ns {
        let read = self
            .accesses(task)
            .iter()
            .filter(|access| access.mode.reads());
        let times = read.map(|access| {
            let handle = self.graph.handles.of(access.handle);
            self.machine.fetch_ns(handle.valid, node, handle.bytes)
        });
        times.fold(0, Ns::saturating_add)
    }

    /// How much of what it reads is not on a memory node.
    #[must_use]
    pub fn missing_bytes(&self, task: TaskId, node: MemoryNode) -> u64 {
        let read = self
            .accesses(task)
            .iter()
            .filter(|access| access.mode.reads());
        let missing = read.filter(|access| !self.valid(access.handle).contains(node));
        let bytes = missing.map(|access| self.bytes(access.handle));
        bytes.fold(0, u64::saturating_add)
    }

    /// Calls `each` with every task that waits for this one; twice with one that waits for it in two ways.
    pub fn successors(&self, task: TaskId, each: impl FnMut(TaskId)) {
        self.graph.successors(task, each);
    }

    /// How many tasks and groups of tasks it waits for.
    #[must_use]
    pub fn waits_for(&self, task: TaskId) -> usize {
        self.graph.waiting(task)
    }

    /// Whether the worker is there.
    #[must_use]
    pub fn is_live(&self, worker: WorkerId) -> bool {
        self.live.worker(worker)
    }

    /// How many workers of a class are there.
    #[must_use]
    pub fn live(&self, class: ClassId) -> u32 {
        self.live.class(class)
    }

    /// How many workers of an architecture are there.
    #[must_use]
    pub fn live_of(&self, arch: Arch) -> u32 {
        let classes = self.machine.classes().iter().enumerate();
        let of = classes.filter(|(_, class)| class.arch == arch);
        of.map(|(k, _)| self.live(ClassId(k as u8))).sum()
    }

    /// The classes that can run the task and have workers left.
    pub fn able(&self, task: TaskId) -> impl Iterator<Item = ClassId> + use<'a> {
        let (view, archs) = (*self, self.task(task).archs);
        let classes = self.machine.classes_of(archs).iter();
        classes.filter(move |class| view.live(*class) > 0 && view.can_run(task, *class))
    }
}
