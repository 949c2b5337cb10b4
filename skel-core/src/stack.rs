//! Threads with a stack for what does not fit that of another: one that runs out of stack takes the process along.

use std::{io, panic::resume_unwind, thread};

/// Does the work on a thread of this name with so large a stack, of which memory is taken as it is touched. A panic goes
/// on.
///
/// # Errors
/// There is no such thread.
pub(crate) fn with_bytes<R: Send>(
    name: String,
    bytes: usize,
    work: impl FnOnce() -> R + Send,
) -> io::Result<R> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name(name).stack_size(bytes);
        match thread.spawn_scoped(scope, work)?.join() {
            Ok(done) => Ok(done),
            Err(payload) => resume_unwind(payload),
        }
    })
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::caught::catch;

    #[test]
    fn there_is_room_and_panics_go_on() {
        let work = || {
            std::hint::black_box([1_u8; 16 << 20])
                .iter()
                .filter(|b| **b == 1)
                .count()
        };
        let bytes = 64 << 20;
        assert_eq!(with_bytes("large".into(), bytes, work).ok(), Some(16 << 20));
        let caught = catch(|| with_bytes("panics".into(), 1 << 20, || panic!("there")));
        assert!(caught.is_err());
        assert!(with_bytes("none".into(), usize::MAX / 2, || ()).is_err());
    }
}
