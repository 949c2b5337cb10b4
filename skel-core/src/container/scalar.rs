//! Single values.
#![allow(unsafe_code, reason = "vouches for the value that is set or expected")]

use super::{Buffer, BufferMut, Remote};
use crate::{
    Element, Error, Result,
    frame::{View, ViewOut},
    later::Later,
    unit::NodeId,
};
use std::{
    any::Any,
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};

/// One element: what a reduction writes with `run_into`, and what later calls take in place of a
/// plain value, by reference, as a `#[uniform]` argument.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn add(a: f32, b: f32) -> f32 {
///     a + b
/// }
///
/// let mut total = Scalar::from(0.0_f32);
/// reduce!(add).run_into((&[1.0, 2.0, 5.0],), &mut total)?;
/// assert_eq!(total.get()?, 8.0);
///
/// let normalised = map!(|x: f32, #[uniform] total: f32| x / total);
/// assert_eq!(normalised.run((&[4.0, 2.0], &total))?.host()?[..], [0.5, 0.25]);
/// # skel::Result::Ok(())
/// ```
///
/// A device that reduces what lies there already is not waited for: the value is asked for when it is read,
/// or when a call takes it. What a failed reduction should have written is an error until it is overwritten,
/// also for the calls that take it; one that was refused, as for a device that is not there or not used any
/// more, leaves the value as it was. (A reduction of no elements is not refused: it has no value.)
pub struct Scalar<T> {
    buffer: Buffer,
    _element: PhantomData<T>,
}

impl<T: Element> Scalar<T> {
    /// The value; waits for it, if a device has still to say it.
    ///
    /// # Errors
    /// That of the call that should have written it: itself, if it shows now for the first time, or in
    /// [`Error::Poisoned`].
    pub fn get(&self) -> Result<T> {
        self.buffer.note_read(0..1);
        Ok(self.buffer.host_view(0..1)?.slice(0..1)[0])
    }

    /// Another scalar of this value; waits for it. (There is no `Clone`, which could not say that the value is
    /// lost.)
    ///
    /// # Errors
    /// As [`Scalar::get`].
    pub fn try_clone(&self) -> Result<Self> {
        self.get().map(Scalar::from)
    }

    /// Overwrites the value.
    pub fn set(&mut self, value: T) {
        let mut target = BufferMut::new(&mut self.buffer);
        target.lend_out(0..1).copy_from(View::of(&[value]));
        // SAFETY: the host has just written it.
        unsafe { target.wrote(NodeId::HOST, 0..1) };
    }

    /// The outcome of the call that writes it.
    pub(crate) fn settle(&mut self, outcome: Result<Later<T>>) -> Result<()> {
        match outcome {
            Ok(Later::Known(value)) => {
                self.set(value);
                Ok(())
            }
            Ok(Later::Pending(ask)) => self.expect(ask),
            Err(error) if error.is_refusal() => Err(error),
            Err(error) => {
                let mut target = BufferMut::new(&mut self.buffer);
                // The call would have begun to write it.
                let _unwritten = target.lend_out(0..1);
                target.poison(&error.clone().into());
                Err(error)
            }
        }
    }

    /// The value is what `ask` will say: it is as good as on a device.
    fn expect(&mut self, ask: Ask<T>) -> Result<()> {
        // A node of its own, and a new buffer: a reader of the value that was expected before waits no more.
        let (node, expected) = (
            NodeId::unique(),
            Expected(Mutex::new(Some(Answer::Not(ask)))),
        );
        let mut buffer = Buffer::unwritten::<T>(1)?;
        // SAFETY: it is made for this buffer, and has the one element; the node is its own.
        unsafe { buffer.remote(node, || Ok(Arc::new(expected))) }?;
        // SAFETY: a download of it writes the one element, or fails.
        unsafe { BufferMut::new(&mut buffer).wrote(node, 0..1) };
        self.buffer = buffer;
        Ok(())
    }

    /// The type-erased part.
    #[must_use]
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
}

/// How to ask for a value.
type Ask<T> = Box<dyn FnOnce() -> Result<T> + Send>;

/// A value, if it has been asked for.
enum Answer<T> {
    Not(Ask<T>),
    Is(Result<T>),
}

/// A value that is asked for when it is read. There is always an answer, unless asking panicked.
struct Expected<T>(Mutex<Option<Answer<T>>>);

// SAFETY: a download that succeeds has written the one element.
unsafe impl<T: Element> Remote for Expected<T> {
    fn download(&self, mut into: ViewOut<'_>) -> Result<()> {
        let mut answer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = match answer.take() {
            Some(Answer::Not(ask)) => ask(),
            Some(Answer::Is(value)) => value,
            None => Err(Error::Device {
                device: "a reduction".into(),
                operation: "asking for its value",
                message: "it has failed before".into(),
            }),
        };
        *answer = Some(Answer::Is(value.clone()));
        into.copy_from(View::of(&[value?]));
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<T: Element> From<T> for Scalar<T> {
    fn from(value: T) -> Self {
        Scalar {
            buffer: Buffer::from_vec(vec![value]),
            _element: PhantomData,
        }
    }
}

impl<T: Element> fmt::Debug for Scalar<T> {
    /// The type and where the value is: not the value, as for other containers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scalar<{}> {}", T::ty(), self.buffer.whereabouts())
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn holds_what_was_set_last() {
        let mut scalar = Scalar::from(3_u32);
        assert_eq!(scalar.get().unwrap(), 3);
        scalar.set(4);
        assert_eq!(scalar.get().unwrap(), 4);
        scalar.settle(Ok(Later::Known(5))).unwrap();
        assert_eq!(scalar.get().unwrap(), 5);
        assert_eq!(format!("{scalar:?}"), "Scalar<u32> on host");
    }

    #[test]
    fn a_failed_call_takes_the_value_away_until_it_is_set() {
        let mut scalar = Scalar::from(3_u32);
        let failed = Error::EmptyReduce {
            instance: "test".into(),
        };
        assert!(scalar.settle(Err(failed)).is_err());
        assert!(matches!(scalar.get(), Err(Error::Poisoned { .. })));
        assert_eq!(format!("{scalar:?}"), "Scalar<u32> unwritten");
        scalar.set(4);
        assert_eq!(scalar.get().unwrap(), 4);
    }

    #[test]
    fn a_refused_call_leaves_the_value() {
        let mut scalar = Scalar::from(3_u32);
        let no_shape = Error::NoShape {
            instance: "test".into(),
        };
        let lost = Error::DeviceLost {
            device: "test".into(),
            reason: "it is gone".into(),
        };
        for refused in [no_shape, lost] {
            assert!(scalar.settle(Err(refused)).is_err());
            assert_eq!(scalar.get().unwrap(), 3);
        }
    }

    #[test]
    fn what_is_expected_is_asked_for_once_and_when_it_is_read() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let asked = Arc::new(AtomicUsize::new(0));
        let count = |outcome: Result<u32>| {
            let asked = Arc::clone(&asked);
            Ok(Later::Pending(Box::new(move || {
                asked.fetch_add(1, Ordering::Relaxed);
                outcome
            })))
        };
        let mut scalar = Scalar::from(3_u32);
        scalar.settle(count(Ok(7))).unwrap();
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        assert_eq!((scalar.get().unwrap(), scalar.get().unwrap()), (7, 7));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        // What is overwritten is not asked for.
        scalar.settle(count(Ok(8))).unwrap();
        scalar.set(9);
        assert_eq!(scalar.get().unwrap(), 9);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let failed = Error::EmptyReduce {
            instance: "test".into(),
        };
        scalar.settle(count(Err(failed))).unwrap();
        for _ in 0..2 {
            assert!(matches!(scalar.get(), Err(Error::EmptyReduce { .. })));
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }
}
