//! Programs to be simulated: data, and tasks in the order of their submission.

use crate::{Access, ArchSet, HandleId, KindId, MemoryNode, Mode, Work};

/// Data of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Its size.
    pub bytes: u64,
    /// The memory node that has it when the program begins; none for data that a task writes first.
    pub home: Option<MemoryNode>,
}

/// A task of a program.
#[derive(Clone, Copy, Debug)]
pub struct ProgramTask<'p> {
    /// Its kind.
    pub kind: KindId,
    /// What it does with which data.
    pub accesses: &'p [Access],
    /// Tasks before it, by position, that have to be over whatever they access.
    pub after: &'p [usize],
    /// Tasks of higher priority first, for schedulers that mind.
    pub priority: i32,
    /// Which architectures may run it, of those that have a rate for its kind.
    pub archs: ArchSet,
    /// How much it has to do.
    pub work: Work,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: KindId,
    /// Where its accesses end in the arena; they begin where those of the task before end.
    accesses_end: usize,
    after_end: usize,
    priority: i32,
    archs: ArchSet,
    work: Work,
}

/// Data and tasks, independent of machine and scheduler. Tasks are named by their position.
///
/// ```
/// use skel_tasks::{MemoryNode, sim::Program};
///
/// let mut program = Program::new("two steps");
/// let (make, sum) = (program.kind("make"), program.kind("sum"));
/// let (input, x) = (program.data_at(8_000, MemoryNode::HOST), program.data(8_000));
/// let first = program.task(make).reads(input).writes(x).work(1_000).add();
/// let second = program.task(sum).updates(x).work(1_000).priority(1).add();
/// assert_eq!((first, second, program.len()), (0, 1, 2));
///
/// let mut edges = Vec::new();
/// program.edges(|before, task| edges.push((before, task)));
/// assert_eq!(edges, [(0, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Program {
    name: String,
    kinds: Vec<String>,
    data: Vec<Data>,
    tasks: Vec<Entry>,
    accesses: Vec<Access>,
    after: Vec<usize>,
}

impl Program {
    /// A program without tasks; the name stands in titles.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Program {
        Program {
            name: name.into(),
            ..Program::default()
        }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of a kind of tasks; the same for the same name.
    pub fn kind(&mut self, name: &str) -> KindId {
        let known = self.kinds.iter().position(|kind| kind == name);
        KindId(known.unwrap_or_else(|| {
            self.kinds.push(name.into());
            self.kinds.len() - 1
        }) as u32)
    }

    /// The names of all kinds, by number.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    fn add_data(&mut self, bytes: u64, home: Option<MemoryNode>) -> HandleId {
        self.data.push(Data { bytes, home });
        // A simulation registers them in this order with an engine of its own, which numbers them so.
        HandleId {
            slot: self.data.len() as u32 - 1,
            generation: 0,
        }
    }

    /// Data that has no content until a task writes it.
    pub fn data(&mut self, bytes: u64) -> HandleId {
        self.add_data(bytes, None)
    }

    /// Data that lies on a memory node when the program begins.
    pub fn data_at(&mut self, bytes: u64, home: MemoryNode) -> HandleId {
        self.add_data(bytes, Some(home))
    }

    /// Splits the last `bytes` off data: all tasks so far do with them what they do with the rest.
    pub(super) fn split(&mut self, handle: HandleId, bytes: u64) -> HandleId {
        let whole = &mut self.data[handle.slot()];
        let bytes = bytes.min(whole.bytes);
        whole.bytes -= bytes;
        let home = whole.home;
        let part = self.add_data(bytes, home);
        let (mut accesses, mut begin) = (Vec::with_capacity(self.accesses.len()), 0);
        for entry in &mut self.tasks {
            let own = &self.accesses[begin..entry.accesses_end];
            let of_part = own.iter().filter(|access| access.handle == handle);
            let of_part = of_part.map(|access| Access {
                handle: part,
                ..*access
            });
            begin = entry.accesses_end;
            accesses.extend(own.iter().copied().chain(of_part));
            entry.accesses_end = accesses.len();
        }
        self.accesses = accesses;
        part
    }

    /// All data, by the slots of their handles.
    #[must_use]
    pub fn all_data(&self) -> &[Data] {
        &self.data
    }

    /// How many tasks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there is no task.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Describes a task, which [`Adding::add`] appends.
    pub fn task(&mut self, kind: KindId) -> Adding<'_> {
        // What was described and not added is dropped.
        let (accesses_end, after_end) = self.ends(self.tasks.len());
        self.accesses.truncate(accesses_end);
        self.after.truncate(after_end);
        let entry = Entry {
            kind,
            accesses_end,
            after_end,
            priority: 0,
            archs: ArchSet::ALL,
            work: Work::default(),
        };
        Adding {
            program: self,
            entry,
        }
    }

    /// Where the lists of the tasks before this position end.
    fn ends(&self, position: usize) -> (usize, usize) {
        let before = position.checked_sub(1).and_then(|k| self.tasks.get(k));
        before.map_or((0, 0), |entry| (entry.accesses_end, entry.after_end))
    }

    /// The task at a position; nothing behind the last one.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<ProgramTask<'_>> {
        let entry = self.tasks.get(position)?;
        let (accesses, after) = self.ends(position);
        Some(ProgramTask {
            kind: entry.kind,
            accesses: &self.accesses[accesses..entry.accesses_end],
            after: &self.after[after..entry.after_end],
            priority: entry.priority,
            archs: entry.archs,
            work: entry.work,
        })
    }

    /// All tasks, in the order of their submission.
    pub fn tasks(&self) -> impl Iterator<Item = ProgramTask<'_>> {
        (0..self.tasks.len()).filter_map(|position| self.get(position))
    }
}

/// A task that is being described.
#[must_use = "the task is not added before `add`"]
#[derive(Debug)]
pub struct Adding<'p> {
    program: &'p mut Program,
    entry: Entry,
}

impl Adding<'_> {
    /// It accesses data in this way.
    pub fn access(self, handle: HandleId, mode: Mode) -> Self {
        self.program.accesses.push(Access { handle, mode });
        self
    }

    /// It reads.
    pub fn reads(self, handle: HandleId) -> Self {
        self.access(handle, Mode::Read)
    }

    /// It writes all, and reads nothing of it.
    pub fn writes(self, handle: HandleId) -> Self {
        self.access(handle, Mode::Write)
    }

    /// It reads and writes.
    pub fn updates(self, handle: HandleId) -> Self {
        self.access(handle, Mode::Update)
    }

    /// It waits for another task, whatever they access.
    pub fn after(self, position: usize) -> Self {
        self.program.after.push(position);
        self
    }

    /// Its priority; 0 without this.
    pub fn priority(mut self, priority: i32) -> Self {
        self.entry.priority = priority;
        self
    }

    /// Which architectures may run it; all that have a rate for its kind without this.
    pub fn archs(mut self, archs: ArchSet) -> Self {
        self.entry.archs = archs;
        self
    }

    /// How many elements, operations, or whatever its rate counts.
    pub fn work(mut self, elems: u64) -> Self {
        self.entry.work = Work { elems };
        self
    }

    /// Appends it; its position.
    pub fn add(mut self) -> usize {
        self.entry.accesses_end = self.program.accesses.len();
        self.entry.after_end = self.program.after.len();
        self.program.tasks.push(self.entry);
        self.program.tasks.len() - 1
    }
}
