//! Calls that are made chunk by chunk, each by a task of a graph.
//!
//! The closure of such a call is run once to see what the call needs: the call is bound to containers that have a shape
//! and no elements, and [planned](Plan) instead of being run. Then it is run once for each chunk, by the chunk's task: the
//! call is bound to what the chunk may see, and only the chunk is computed. Which of the two it is, the thread knows.

use crate::{cpu, current_task};
use skel_core::{
    Error, Result,
    call::{Call, Operand, OutputAccess, OutputTarget},
    caught::catch,
    container::{Buffer, Source},
    frame::Partial,
    plan::{Kernel, Pattern},
    space::{IndexSpace, IntervalSet},
};
use skel_tasks::TaskError;
use std::{
    cell::{Cell, RefCell},
    ops::Range,
    sync::Arc,
};

/// What a chunk does with a container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Use {
    pub(crate) reads: IntervalSet,
    pub(crate) writes: IntervalSet,
    /// Whether it reads what it writes.
    pub(crate) keeps: bool,
}

/// The chunks of a call, and what each does with the containers of the closure's arguments, in their order.
#[derive(Debug)]
pub struct Plan {
    space: IndexSpace,
    /// That of the call's functions, if they have one.
    kernel: Option<&'static Kernel>,
    pub(crate) chunks: Vec<(Range<usize>, Vec<Use>)>,
}

/// How a call is to be planned.
pub(crate) struct Question {
    pub(crate) wanted: Option<usize>,
    pub(crate) workers: usize,
    /// The addresses of the buffers of the closure's arguments.
    pub(crate) buffers: Vec<usize>,
}

/// What a thread does with the next call.
enum Role {
    Plan(Question),
    Planned(Plan),
    /// A chunk, with the addresses of the buffers of the closure's arguments.
    Run(Arc<Plan>, usize, Vec<usize>),
    Ran,
    /// It cannot be done.
    Refused(&'static str),
}

thread_local! {
    /// Whether the thread has a role.
    static HAS_ROLE: Cell<bool> = const { Cell::new(false) };
    /// The role, and how many tasks the thread runs: it is that of the innermost, and not of one that this one runs.
    static ROLE: RefCell<Option<(usize, Role)>> = const { RefCell::new(None) };
}

/// Runs `body` in a role; what it gives, and what became of the role.
fn within<R>(role: Role, body: impl FnOnce() -> R) -> (R, Role) {
    /// Also after a panic.
    struct Leave(Option<(usize, Role)>);
    impl Drop for Leave {
        fn drop(&mut self) {
            HAS_ROLE.set(self.0.is_some());
            ROLE.replace(self.0.take());
        }
    }
    let _leave = Leave(ROLE.replace(Some((current_task::depth(), role))));
    HAS_ROLE.set(true);
    let result = body();
    let role = ROLE.take().map_or(Role::Ran, |(_, role)| role);
    (result, role)
}

const NO_CALL: &str = "its closure makes no call of a skeleton";
const SEVERAL: &str = "its closure makes several calls";

fn refused(kind: &str, reason: &'static str) -> Error {
    let (kind, reason) = (kind.into(), reason.into());
    Error::Task(TaskError::NotByChunks { kind, reason })
}

/// The plan of the call that a closure makes.
///
/// # Errors
/// [`TaskError::NotByChunks`], and what is wrong with the call.
pub(crate) fn plan(
    kind: &str,
    question: Question,
    closure: impl FnOnce() -> Result<()>,
) -> Result<Plan> {
    match within(Role::Plan(question), || catch(closure)) {
        (_, Role::Refused(reason)) => Err(refused(kind, reason)),
        (Ok(Err(error)), _) => Err(error),
        (Ok(Ok(())), Role::Planned(plan)) => Ok(plan),
        (Ok(Ok(())), _) => Err(refused(kind, NO_CALL)),
        (Err(caught), _) => {
            let (kind, message) = (kind.into(), caught.message().to_string());
            Err(Error::Task(TaskError::Panicked { kind, message }))
        }
    }
}

/// Runs a closure for a chunk.
///
/// # Errors
/// Those of the call.
pub(crate) fn run(
    kind: &str,
    plan: &Arc<Plan>,
    chunk: usize,
    buffers: Vec<usize>,
    closure: impl FnOnce() -> Result<()>,
) -> Result<()> {
    match within(Role::Run(Arc::clone(plan), chunk, buffers), closure) {
        (_, Role::Refused(reason)) => Err(refused(kind, reason)),
        (Ok(()), Role::Run(..)) => Err(refused(kind, NO_CALL)),
        (result, _) => result,
    }
}

/// Whether calls of this thread are not run as they are.
pub(crate) fn has_role() -> bool {
    HAS_ROLE.get()
}

/// Does with a call what the thread is to do, if that is not to run it; `compute` computes elements of it.
pub(crate) fn intercept<'e>(
    call: &mut Call<'e>,
    compute: impl FnOnce(&mut Call<'e>, Range<usize>) -> Result<Partial>,
) -> Option<Result<Partial>> {
    let depth = current_task::depth();
    let is_meant = |role: &(usize, Role)| role.0 == depth;
    let (_, role) = ROLE.with_borrow_mut(|role| role.take_if(|role| is_meant(role)))?;
    let mut answer = Ok(Partial::NONE);
    let next = match role {
        Role::Plan(question) => match planned(call, &question) {
            Ok(Ok(plan)) => Role::Planned(plan),
            Ok(Err(reason)) => Role::Refused(reason),
            Err(error) => {
                answer = Err(error);
                Role::Ran
            }
        },
        Role::Run(plan, chunk, buffers) => {
            let (range, used) = &plan.chunks[chunk];
            if is_planned(call, &plan) && uses(call, range, &buffers).as_ref() == Ok(used) {
                call.space = plan.space;
                answer = compute(call, range.clone());
                Role::Ran
            } else {
                Role::Refused("its closure made another call when it was planned")
            }
        }
        Role::Planned(_) | Role::Ran => Role::Refused(SEVERAL),
        Role::Refused(reason) => Role::Refused(reason),
    };
    if let Role::Refused(reason) = next {
        answer = Err(refused(call.instance, reason));
    }
    ROLE.set(Some((depth, next)));
    Some(answer)
}

/// The plan of a call, or why there is none.
///
/// # Errors
/// What is wrong with the call.
fn planned(
    call: &Call<'_>,
    question: &Question,
) -> Result<std::result::Result<Plan, &'static str>> {
    if let Some(reason) = obstacle(call) {
        return Ok(Err(reason));
    }
    let ranges = match call.space.shape().is_empty() {
        true => Vec::new(),
        false => crate::task::cut(call, question.wanted, question.workers)?,
    };
    let mut chunks = Vec::with_capacity(ranges.len());
    for range in ranges {
        match uses(call, &range, &question.buffers) {
            Ok(uses) => chunks.push((range, uses)),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(Plan {
        space: call.space,
        kernel: cpu::kernel(call.phases),
        chunks,
    }))
}

/// Whether a call may be the one that was planned; what it reads and writes, it says itself.
fn is_planned(call: &Call<'_>, plan: &Plan) -> bool {
    // There is one for each skeleton of some functions.
    let addresses =
        [cpu::kernel(call.phases), plan.kernel].map(|kernel| kernel.map(std::ptr::from_ref));
    call.space.shape() == plan.space.shape()
        && call.space.along() == plan.space.along()
        && addresses[0] == addresses[1]
        && obstacle(call).is_none()
}

/// What elements `range` of a call need of containers whose buffers have these addresses.
///
/// # Errors
/// Why they cannot be computed by themselves.
fn uses(
    call: &Call<'_>,
    range: &Range<usize>,
    buffers: &[usize],
) -> std::result::Result<Vec<Use>, &'static str> {
    let mut uses = vec![Use::default(); buffers.len()];
    let at = |buffer: &Buffer| {
        let address = std::ptr::from_ref(buffer).addr();
        buffers.iter().position(|other| *other == address)
    };
    for operand in &call.operands {
        match operand {
            Operand::Input(input) => {
                if let Source::Container { buffer, first, .. } = input.source
                    && let Some(k) = at(buffer)
                {
                    for r in input.needs(&call.space, range).ranges() {
                        uses[k].reads.insert(first + r.start..first + r.end);
                    }
                }
            }
            Operand::Output(output) => {
                let OutputTarget::Container(target) = &output.target else {
                    return Err(NO_HANDLE);
                };
                let k = at(target.buffer()).ok_or(NO_HANDLE)?;
                uses[k]
                    .writes
                    .insert(target.places(&output.elements(range)));
                uses[k].keeps |= output.keeps();
            }
        }
    }
    Ok(uses)
}

const NO_HANDLE: &str = "it writes other data than that of its handles";

/// Why a call cannot be computed by chunks, each by itself.
fn obstacle(call: &Call<'_>) -> Option<&'static str> {
    match call.phases.pattern() {
        Pattern::Elementwise => {}
        Pattern::Fold => return Some("its chunks give parts of one value; make it a task"),
        Pattern::Scan => return Some("chunks of a scan wait for each other; make it a task"),
        Pattern::Sweep => return Some("elements of a sweep wait for each other; make it a task"),
    }
    let draws = |kernel: &Kernel| kernel.random.is_some();
    if call.phases.kernel().is_ok_and(|kernel| draws(kernel)) {
        return Some(
            "it draws random numbers, of which each call of its closure would have others",
        );
    }
    let is_apart = |operand: &Operand<'_>| match operand {
        Operand::Input(_) => false,
        Operand::Output(output) => matches!(
            output.access.as_deref(),
            Some(OutputAccess::Scattered(_) | OutputAccess::Sweep(_))
        ),
    };
    let apart = call.operands.iter().any(is_apart);
    apart.then_some("it writes between elements that stay")
}
