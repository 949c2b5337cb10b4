//! Everything that can go wrong in a call, as one type.

mod cause;
#[cfg(feature = "npy")]
mod npy;
mod other;

pub use cause::Cause;
#[cfg(feature = "npy")]
pub use npy::NpyProblem;

use std::{fmt, ops::Range, sync::Arc};

/// As [`Target::TEXTS`](crate::schedule::Target::TEXTS), which has it from here: errors know nothing of targets.
pub(crate) const TARGETS: &str = "`auto`, `seq`, `cpu`, `cuda`, `wgpu`, `device:N`, `hybrid:R`, `hybrid:[R, S, …]`, \
    `hybrid:tuned`, `hybrid:adaptive` or `tasks:SCHEDULER`";

/// The result of a skeleton call. Not in the prelude, where it would hide the `Result` of std.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, and with what. Cloneable, since an error of an asynchronous call may surface at
/// several later reads.
///
/// Some errors wrap another one, their *cause*: [`Forced`](Error::Forced), [`Poisoned`](Error::Poisoned),
/// [`Late`](Error::Late), [`Lost`](Error::Lost), [`Cancelled`](Error::Cancelled) and [`Item`](Error::Item). As is usual, `Display` says what the error itself knows,
/// and [`source`](std::error::Error::source) gives the cause, so that reporters of other crates print
/// neither twice. `Debug`, which is what a `main` that returns an error shows, prints the whole chain in one line.
/// [`root_cause`](Error::root_cause) is what to `match` on.
///
/// ```
/// use skel_core::Error;
///
/// let late = Error::Late {
///     call: "blur".into(),
///     elements: 3..7,
///     cause: Error::DeviceLost { device: "gpu".into(), reason: "it was unplugged".into() }.into(),
/// };
/// assert_eq!(late.to_string(), "elements 3..7, written by blur, are unavailable");
/// let whole = "elements 3..7, written by blur, are unavailable: gpu is lost: it was unplugged";
/// assert_eq!(format!("{late:?}"), whole);
/// assert!(matches!(late.root_cause(), Error::DeviceLost { .. }));
/// ```
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two arguments, or an argument and an output, differ in shape.
    #[error(
        "{instance}: argument {argument} has shape {found}, but {expected} is needed (as {reference})"
    )]
    ShapeMismatch {
        /// The skeleton instance.
        instance: String,
        /// Which argument, counted from 1; outputs follow the arguments.
        argument: usize,
        /// Its shape. (Boxed, or every result of a call would be large.)
        found: Box<crate::space::Shape>,
        /// The shape it should have.
        expected: crate::space::Shape,
        /// What has that shape, with its verb.
        reference: &'static str,
    },
    /// An array or a part of a container was passed whose elements do not lie in row-major order, one after
    /// the other.
    #[error(
        "{instance}: the elements of argument {argument} do not lie one after the other, in row-major order; pass a copy whose elements do, such as `Matrix::from_vec(rows, cols, part.to_vec()?)`, or `as_standard_layout()` of an array"
    )]
    Scattered {
        /// The skeleton instance.
        instance: String,
        /// Which argument, counted from 1; outputs follow the arguments.
        argument: usize,
    },
    /// Nothing says how many elements there are: use `run_shaped` or `run_into`. (Containers that are
    /// read at random do not.)
    #[error(
        "{instance}: no argument is read element by element, so nothing says how many elements there are; use `run_shaped(shape, …)`"
    )]
    NoShape {
        /// The skeleton instance.
        instance: String,
    },
    /// A shape whose number of elements does not fit `usize`.
    #[error("{instance}: {shape} has more elements than any memory can hold")]
    TooLarge {
        /// The skeleton instance.
        instance: String,
        /// The shape.
        shape: crate::space::Shape,
    },
    /// The instance's settings of windows or pools do not fit the shapes of this call.
    #[error("{instance}: {reason}")]
    Neighbourhood {
        /// The skeleton instance.
        instance: String,
        /// What does not fit, and what would.
        reason: String,
    },
    /// The instance's settings of lines do not fit the shapes of this call.
    #[error("{instance}: {reason}")]
    Lines {
        /// The skeleton instance.
        instance: String,
        /// What does not fit, and what would.
        reason: String,
    },
    /// The instance's settings of its sweep do not fit its user function.
    #[error("{instance}: {reason}")]
    Sweep {
        /// The skeleton instance.
        instance: String,
        /// What does not fit, and what would.
        reason: String,
    },
    /// A reduction of no elements, by an instance without an identity.
    #[error("{instance}: a reduction of no elements has no value; give it one with `.identity(…)`")]
    EmptyReduce {
        /// The skeleton instance.
        instance: String,
    },
    /// A partition ratio or share that is no number, negative, or above 1.
    #[error("partition {what}: {found} is not {expected}")]
    BadRatio {
        /// Which value.
        what: &'static str,
        /// The value found.
        found: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// A string parsed as a target names nothing.
    #[error(
        "unknown backend `{name}`: expected {}, with R the CPU's share from 0 to 1, and R, S, … the shares of the CPU and of each device",
        TARGETS
    )]
    UnknownBackend {
        /// What was asked for.
        name: String,
    },
    /// The value of an environment variable is not accepted.
    #[error("{name} is `{found}`, which is not {expected}")]
    BadSetting {
        /// The variable.
        name: &'static str,
        /// The value found.
        found: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// An option of a scheduler, of a work distribution or of tasks is not accepted.
    #[error(transparent)]
    BadOption(skel_tasks::BadOption),
    /// A task of a graph did not run, since one before it failed: by way of data that the other was to write, or because
    /// it was to run after it.
    #[error("cancelled, since `{name}` ({by}) failed")]
    Cancelled {
        /// The task that failed first.
        by: skel_tasks::TaskId,
        /// Its name.
        name: String,
        /// What it failed with.
        #[source]
        cause: Cause,
    },
    /// Tasks that cannot be, or a scheduler that is wrong.
    #[error(transparent)]
    Task(skel_tasks::TaskError),
    /// The environment says where calls run, and there they cannot.
    #[error("SKEL_BACKEND is `{target}`, and there the call cannot run")]
    Forced {
        /// What `SKEL_BACKEND` says.
        target: String,
        /// What is wrong with it.
        #[source]
        cause: Cause,
    },
    /// A device was asked for by name or number and is not there.
    #[error("no device `{wanted}`: {reason}")]
    NoDevice {
        /// What was asked for.
        wanted: String,
        /// What there is instead, or why it was rejected.
        reason: String,
    },
    /// The unit that was asked for cannot run this user function on this input.
    #[error("{unit} cannot run {instance}: {reason}")]
    Unsupported {
        /// The unit's name.
        unit: String,
        /// The skeleton instance.
        instance: String,
        /// Why not.
        reason: String,
    },
    /// A user function panicked, or did what would make it panic.
    #[error("{function}{} trapped{}: {message}", place(.file, *.line), at(*.index))]
    Trap {
        /// The user function.
        function: String,
        /// Its source file; empty where it is not known.
        file: String,
        /// The line in it, or 0.
        line: u32,
        /// The smallest element index where it happened; none for operators of reductions.
        index: Option<usize>,
        /// What the panic says.
        message: String,
    },
    /// The macro's output and this version of the library do not fit together, or the IR is not
    /// valid: a bug in skel, with what is known about it.
    #[error("internal error in the IR of {function}: {message}")]
    Ir {
        /// The user function.
        function: String,
        /// What is wrong.
        message: String,
    },
    /// User functions that call each other in a circle.
    #[error("recursion, which no device can run: {path}; write a loop instead")]
    Recursion {
        /// The names, in order, the first one repeated at the end.
        path: String,
    },
    /// Elements whose only copy is gone, because the call that should have written them failed.
    #[error("these elements are lost, since the call that should have written them failed")]
    Poisoned {
        /// The error of the call that failed.
        #[source]
        cause: Cause,
    },
    /// A device failed.
    #[error("{device}: {operation} failed: {message}")]
    Device {
        /// The device's name.
        device: String,
        /// What was tried.
        operation: &'static str,
        /// What the driver said.
        message: String,
    },
    /// A device is gone for good: it was lost, it hangs, or it failed so that it is not used any more.
    /// [`crate::Error::Late`] and [`crate::Error::Lost`] say what went with it.
    #[error("{device} is lost: {reason}")]
    DeviceLost {
        /// The device's name.
        device: String,
        /// What happened.
        reason: String,
    },
    /// A call had returned before its device was done, and then something went wrong: reported by the next
    /// read of what it should have written.
    #[error("elements {}..{}, written by {call}, are unavailable", elements.start, elements.end)]
    Late {
        /// The instance that made the call.
        call: String,
        /// Which elements of the container.
        elements: Range<usize>,
        /// What went wrong.
        #[source]
        cause: Cause,
    },
    /// Elements to be changed in place were only on a device that failed while it changed them, so that no
    /// other unit can finish the call.
    #[error(
        "{instance}: elements {} of argument {argument} are lost, since nothing but the device that failed had them",
        ranges(elements)
    )]
    Lost {
        /// The skeleton instance.
        instance: String,
        /// Which argument, counted from 1.
        argument: usize,
        /// Which elements of it.
        elements: Vec<Range<usize>>,
        /// What the device said.
        #[source]
        cause: Cause,
    },
    /// Items of a step failed; all others of the step are done.
    #[error("item {item} of step {step} failed{}", and_more(*others))]
    Item {
        /// The number of the step, from 0 on.
        step: usize,
        /// The first of the items that failed.
        item: usize,
        /// How many more failed.
        others: usize,
        /// What went wrong with it.
        #[source]
        cause: Cause,
    },
    /// A file of NumPy's format could not be read or written.
    #[cfg(feature = "npy")]
    #[error("{file}: {problem}")]
    Npy {
        /// The file.
        file: String,
        /// What is wrong.
        problem: NpyProblem,
    },
    /// A device, or the host, has no room, even when all else has left it.
    #[error("{device}: out of memory: {needed_bytes} bytes needed{}", had(*.available_bytes))]
    OutOfMemory {
        /// The device's name.
        device: String,
        /// What could not be had: an array, or all that the smallest part of a call needs at once.
        needed_bytes: u64,
        /// What there is for it at most, as far as that is known; else 0.
        available_bytes: u64,
    },
    /// An error of the program's own, from a closure that skel has called: see [`Error::other`].
    #[error(transparent)]
    Other(Arc<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Whether a reduction that fails so leaves the value as it was: it did not begin, or no unit had what it
    /// takes.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Error::Forced { cause, .. } => cause.is_refusal(),
            Error::ShapeMismatch { .. }
            | Error::Scattered { .. }
            | Error::NoShape { .. }
            | Error::TooLarge { .. }
            | Error::Neighbourhood { .. }
            | Error::Lines { .. }
            | Error::Sweep { .. }
            | Error::BadRatio { .. }
            | Error::BadSetting { .. }
            | Error::BadOption(_)
            | Error::UnknownBackend { .. }
            | Error::NoDevice { .. }
            | Error::Unsupported { .. }
            | Error::Recursion { .. }
            | Error::OutOfMemory { .. }
            | Error::DeviceLost { .. } => true,
            Error::EmptyReduce { .. }
            | Error::Task(_)
            | Error::Cancelled { .. }
            | Error::Trap { .. }
            | Error::Ir { .. }
            | Error::Poisoned { .. }
            | Error::Device { .. }
            | Error::Late { .. }
            | Error::Lost { .. }
            | Error::Item { .. }
            | Error::Other(_) => false,
            #[cfg(feature = "npy")]
            Error::Npy { .. } => false,
        }
    }

    /// Whether the reason lies with a device, and not with what was asked of it: another unit may do
    /// better.
    #[must_use]
    pub fn is_of_device(&self) -> bool {
        if let Error::Forced { cause, .. } = self {
            return cause.is_of_device();
        }
        matches!(
            self,
            Error::Device { .. }
                | Error::DeviceLost { .. }
                | Error::OutOfMemory { .. }
                | Error::Unsupported { .. }
        )
    }
}

impl Error {
    /// What went wrong with a device, for messages that have the device's name themselves.
    ///
    /// ```
    /// use skel_core::Error;
    ///
    /// let lost = Error::DeviceLost {
    ///     device: "gpu".into(),
    ///     reason: "it was unplugged".into(),
    /// };
    /// assert_eq!(lost.to_string(), "gpu is lost: it was unplugged");
    /// assert_eq!(lost.without_device(), "it was unplugged");
    /// ```
    #[must_use]
    pub fn without_device(&self) -> String {
        match self {
            Error::Device {
                operation, message, ..
            } => format!("{operation} failed: {message}"),
            Error::DeviceLost { reason, .. } | Error::NoDevice { reason, .. } => reason.clone(),
            other => format!("{other:?}"),
        }
    }
}

/// The error and its causes, as `Display` says them: what `fn main() -> skel::Result<()>` shows is for people.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match self.cause() {
            Some(cause) => write!(f, ": {cause:?}"),
            None => Ok(()),
        }
    }
}

fn place(file: &str, line: u32) -> String {
    if file.is_empty() {
        String::new()
    } else {
        format!(" ({file}:{line})")
    }
}

fn had(available_bytes: u64) -> String {
    match available_bytes {
        0 => String::new(),
        bytes => format!(", and {bytes} are all there is"),
    }
}

fn and_more(others: usize) -> String {
    match others {
        0 => String::new(),
        others => format!(", and {others} more"),
    }
}

fn at(index: Option<usize>) -> String {
    index.map_or_else(String::new, |i| format!(" at element {i}"))
}

fn ranges(ranges: &[Range<usize>]) -> String {
    let words: Vec<String> = ranges
        .iter()
        .map(|r| format!("{}..{}", r.start, r.end))
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn a_trap_names_function_place_and_element() {
        let trap = Error::Trap {
            function: "ratio".into(),
            file: "src/main.rs".into(),
            line: 7,
            index: Some(3),
            message: "attempt to divide by zero".into(),
        };
        assert_eq!(
            trap.to_string(),
            "ratio (src/main.rs:7) trapped at element 3: attempt to divide by zero"
        );
    }

    #[test]
    fn what_was_lost_is_named_by_argument_and_range() {
        let gone = Error::DeviceLost {
            device: "gpu".into(),
            reason: "unplugged".into(),
        };
        assert!(gone.is_of_device());
        let lost = Error::Lost {
            instance: "bump".into(),
            argument: 2,
            elements: vec![3..5, 8..9],
            cause: gone.into(),
        };
        assert!(!lost.is_of_device());
        assert_eq!(
            format!("{lost:?}"),
            "bump: elements 3..5, 8..9 of argument 2 are lost, since nothing but the device that failed \
             had them: gpu is lost: unplugged"
        );
    }

    #[test]
    fn errors_are_send_and_sync() {
        fn check<T: Send + Sync + 'static>() {}
        check::<Error>();
    }
}
