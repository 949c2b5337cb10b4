//! The error of a panic: what the interpreter says where it was.

use super::Kernel;
use crate::{
    Error, Result,
    caught::Caught,
    ir::{
        TrapKind, Value,
        eval::{Overflow, Stop, Trap},
        sites,
    },
};
use std::sync::Arc;

/// The trap of a panic that did not come again: of an operator under another grouping, say.
pub(crate) fn unplaced(
    kernel: Result<&'static Arc<Kernel>>,
    name: &str,
    index: Option<usize>,
    caught: Caught,
) -> Error {
    explained(kernel, name, index, caught, &|_, _| Ok(Value::Unit))
}

/// The error of a panic, as the interpreter sees it. What it does not see, as it may not know the
/// function's text or take too long, is placed by its message, if there is one place that says so.
pub(crate) fn explained(
    kernel: Result<&'static Arc<Kernel>>,
    name: &str,
    index: Option<usize>,
    caught: Caught,
    interpret: &dyn Fn(&Kernel, Overflow) -> std::result::Result<Value, Stop>,
) -> Error {
    let message = match caught {
        Caught::OutOfMemory(error) => return error,
        Caught::Panic(message) => message,
    };
    let kernel = kernel.ok();
    let found = kernel.and_then(|kernel| {
        match interpreted(&message, &|overflow| interpret(kernel, overflow)) {
            Err(Stop::Trap(trap)) => Some(trap),
            _ => sites::only_one_that_says(&kernel.program, &message),
        }
    });
    match found {
        Some(trap) => Stop::Trap(trap).into_error(index),
        None => Error::Trap {
            function: name.into(),
            file: String::new(),
            line: 0,
            index,
            message,
        },
    }
}

/// What the interpreter makes of a function that panicked with this message. Whether this build
/// checks for overflow is not known: it does if it panicked as an overflow does, where there is one,
/// and nothing else that the function does would have said the same.
fn interpreted(
    message: &str,
    interpret: &dyn Fn(Overflow) -> std::result::Result<Value, Stop>,
) -> std::result::Result<Value, Stop> {
    let checked = interpret(Overflow::Traps);
    let Err(Stop::Trap(Trap {
        kind: TrapKind::Overflow(says),
        ..
    })) = checked
    else {
        return checked;
    };
    let wrapped = interpret(Overflow::Wraps);
    let is_own = matches!(wrapped, Err(Stop::Trap(trap)) if trap.kind.message() == message);
    match says == message && !is_own {
        true => checked,
        false => wrapped,
    }
}
