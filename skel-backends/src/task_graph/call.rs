//! Skeleton calls by chunks: each chunk is a task, which waits for what it needs and for nothing else.

use super::{
    NewTask, Task, Units,
    admission::Submission,
    body::{Closure, Outcome},
    call_access::CallAccesses,
    scope::Spawn,
    segments::RangeAccess,
    shared::Shared,
};
use crate::chunked::{self, Plan, Question};
use skel_core::{Error, Result};
use skel_tasks::{BadOption, HandleId, TaskError, Work};
use std::{fmt, sync::Arc};

/// A call by chunks that was not submitted yet: see [`TaskGraph::call`](super::TaskGraph::call) and
/// [`Scope::call`](super::Scope::call). Its closure may borrow what lives for `'b`.
#[must_use = "a call is made when it is submitted"]
pub struct NewCall<'g, 'b, A, F> {
    task: NewTask<'g, 'b, A, F>,
    chunks: Option<usize>,
}

impl<'g, 'b, A, F> NewCall<'g, 'b, A, F> {
    pub(super) fn new(
        shared: &'g Arc<Shared>,
        spawn: Spawn<'b>,
        name: &'g str,
        accesses: A,
        call: F,
    ) -> Self {
        NewCall {
            task: NewTask::new(shared, spawn, name, accesses, call),
            chunks: None,
        }
    }

    /// How many chunks there are, at most: of neighbourhoods, they are whole rows. Without this, some four for each
    /// worker, none shorter than 16,384 light elements.
    pub fn chunks(self, chunks: usize) -> Self {
        let chunks = Some(chunks);
        NewCall { chunks, ..self }
    }

    /// Its chunks run before those of lower priority, under schedulers that mind.
    pub fn priority(self, priority: i32) -> Self {
        let task = self.task.priority(priority);
        NewCall { task, ..self }
    }

    /// On which workers its chunks may run.
    pub fn units(self, units: Units) -> Self {
        let task = self.task.units(units);
        NewCall { task, ..self }
    }

    /// Its chunks run when the other task is done, whatever they access; if that fails, they are cancelled.
    pub fn after<R: Send + 'g>(self, other: &Task<R>) -> Self {
        let task = self.task.after(other);
        NewCall { task, ..self }
    }

    /// Hands the chunks over, as one: what other threads submit comes before or after all of them. Each runs as soon as what it needs is there. Calls the closure once, to see what that is,
    /// and waits for no task, unless too many have not ended.
    ///
    /// # Errors
    /// What is wrong with the call, as its method says; [`Error::Task`]: what is wrong with its accesses, or that no worker
    /// can run it; [`TaskError::NotByChunks`] if chunks of it cannot be computed each by itself;
    /// [`Error::BadOption`] for no chunks; [`TaskError::Panicked`] if the closure panics. Nothing is computed then;
    /// if the graph refuses one chunk of several, those before it are cancelled, and what they were to write is lost.
    pub fn submit(self) -> Result<CallTasks>
    where
        A: CallAccesses,
        F: for<'t> Fn(A::Refs<'t>) -> Result<()> + Send + Sync + 'b,
    {
        let NewTask {
            shared,
            spawn,
            name,
            accesses,
            work,
            after,
            priority,
            units,
            failed,
            ..
        } = self.task;
        if let Some(error) = failed {
            return Err(error);
        }
        if self.chunks == Some(0) {
            let bad = BadOption::new("chunks", 0, "a number from 1 on");
            return Err(Error::BadOption(bad));
        }
        if shared.is_forked() {
            return Err(Error::Task(TaskError::Forked));
        }
        let declared = accesses.declare();
        check(&declared, shared, name).map_err(Error::Task)?;
        let workers = shared.machine.workers();
        let plan = accesses.plan(|buffers, refs| {
            let question = Question {
                wanted: self.chunks,
                workers,
                buffers,
            };
            chunked::plan(name, question, || work(refs))
        })?;
        let call = Arc::new(Shares {
            name: name.into(),
            accesses,
            work,
            plan: Arc::new(plan),
        });
        let chunks: Vec<Chunk> = call
            .plan
            .chunks
            .iter()
            .map(|(elems, uses)| Chunk {
                elems: elems.len() as u64,
                ranges: declared
                    .iter()
                    .zip(uses)
                    .flat_map(|(it, uses)| it.ranges(uses))
                    .collect(),
                outcome: Outcome::pending(),
            })
            .collect();
        let submissions = chunks.iter().enumerate().map(|(number, chunk)| {
            let call = Arc::clone(&call);
            let body = Closure {
                accesses: (),
                work: Some(move |()| call.run(number)),
                outcome: Arc::clone(&chunk.outcome),
            };
            Submission {
                kind: name,
                accesses: &[],
                ranges: &chunk.ranges,
                after: &after,
                priority,
                archs: units.archs(),
                work: Work { elems: chunk.elems },
                body: spawn.clone().body(body),
            }
        });
        // At once: no task of another thread sees what some chunks have written and others have not.
        let ids = shared.submit_all(submissions)?;
        let outcomes = chunks.into_iter().map(|chunk| chunk.outcome);
        let tasks = ids.into_iter().zip(outcomes);
        let tasks = tasks.map(|(id, outcome)| Task::new(shared, id, outcome));
        Ok(CallTasks {
            tasks: tasks.collect(),
        })
    }
}

/// A chunk that is to be submitted.
struct Chunk {
    elems: u64,
    ranges: Vec<RangeAccess>,
    outcome: Arc<Outcome<()>>,
}

/// What an access of a call is to the graph.
#[derive(Clone, Copy)]
pub struct Declared {
    pub(super) handle: HandleId,
    pub(super) graph: usize,
    pub(super) mode: skel_tasks::Mode,
    pub(super) len: usize,
    pub(super) elem_bytes: u64,
}

impl Declared {
    /// What a chunk does with the data.
    fn ranges(&self, uses: &chunked::Use) -> impl Iterator<Item = RangeAccess> + use<> {
        use skel_tasks::Mode;
        let Declared {
            handle,
            mode,
            len,
            elem_bytes,
            ..
        } = *self;
        // What it declares to write and changes in place has to be there.
        let written = match mode {
            Mode::Write if uses.keeps => Mode::Update,
            mode => mode,
        };
        let all = [(Mode::Read, &uses.reads), (written, &uses.writes)];
        let used = all.map(|(mode, elems)| RangeAccess {
            handle,
            mode,
            elems: elems.clone(),
            len,
            elem_bytes,
        });
        used.into_iter().filter(|range| !range.elems.is_empty())
    }
}

/// What is wrong with the accesses of a call.
fn check(declared: &[Declared], shared: &Shared, name: &str) -> std::result::Result<(), TaskError> {
    for (k, it) in declared.iter().enumerate() {
        let (kind, handle) = (name.into(), it.handle);
        if it.graph != shared.address() {
            return Err(TaskError::UnknownHandle { kind, handle });
        }
        let twice = declared[..k].iter().find(|other| other.handle == handle);
        if twice.is_some_and(|other| other.mode.writes() || it.mode.writes()) {
            return Err(TaskError::Conflict { kind, handle });
        }
    }
    Ok(())
}

/// What the chunks of a call share.
struct Shares<A, F> {
    name: String,
    accesses: A,
    work: F,
    plan: Arc<Plan>,
}

impl<A, F> Shares<A, F>
where
    A: CallAccesses,
    F: for<'t> Fn(A::Refs<'t>) -> Result<()>,
{
    fn run(&self, chunk: usize) -> Result<()> {
        let Shares {
            name, work, plan, ..
        } = self;
        let uses = &plan.chunks[chunk].1;
        self.accesses.run(uses, |buffers, refs| {
            chunked::run(name, plan, chunk, buffers, || work(refs))
        })
    }
}

/// The tasks of a call by chunks, one for each. Dropping it changes nothing.
#[derive(Debug)]
pub struct CallTasks {
    tasks: Vec<Task<()>>,
}

impl CallTasks {
    /// Waits for all chunks, and works meanwhile.
    ///
    /// # Errors
    /// That of the first chunk that has failed or was cancelled, in the order of elements, and
    /// [`TaskError::WouldDeadlock`] in a task of the same graph.
    pub fn wait(self) -> Result<()> {
        // All are waited for, also after an error.
        let done: Vec<Result<()>> = self.tasks.into_iter().map(Task::wait).collect();
        done.into_iter().collect()
    }

    /// How many chunks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether the call had no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The tasks of the chunks, in the order of elements.
    #[must_use]
    pub fn tasks(&self) -> &[Task<()>] {
        &self.tasks
    }

    /// Keeps chunks from running that have not begun, and what depends on them.
    pub fn cancel(&self) {
        for task in &self.tasks {
            // One that has begun goes on.
            let _running = task.cancel();
        }
    }
}

/// The tasks of the chunks, in the order of elements.
impl IntoIterator for CallTasks {
    type Item = Task<()>;
    type IntoIter = std::vec::IntoIter<Task<()>>;

    fn into_iter(self) -> Self::IntoIter {
        self.tasks.into_iter()
    }
}

impl<A, F> fmt::Debug for NewCall<'_, '_, A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewCall({:?}, {:?} chunks)", self.task, self.chunks)
    }
}
