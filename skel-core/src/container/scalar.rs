//! Single values.
#![allow(unsafe_code, reason = "vouches for the value that is set")]

use super::{Buffer, BufferMut};
use crate::{Element, Result, frame::View, unit::NodeId};
use std::{fmt, marker::PhantomData, sync::Arc};

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
/// What a failed reduction should have written is an error until it is overwritten, also for the calls
/// that take it.
pub struct Scalar<T> {
    buffer: Buffer,
    _element: PhantomData<T>,
}

impl<T: Element> Scalar<T> {
    /// The value.
    ///
    /// # Errors
    /// [`Error::Poisoned`](crate::Error::Poisoned), with the error of the call that should have written it.
    pub fn get(&self) -> Result<T> {
        Ok(self.buffer.host_view(0..1)?.slice(0..1)[0])
    }

    /// Overwrites the value.
    pub fn set(&mut self, value: T) {
        let mut target = BufferMut::new(&mut self.buffer);
        target.lend_out(0..1).copy_from(View::of(&[value]));
        // SAFETY: the host has just written it.
        unsafe { target.wrote(NodeId::HOST, 0..1) };
    }

    /// The outcome of the call that writes it.
    pub(crate) fn settle(&mut self, outcome: Result<T>) -> Result<()> {
        match outcome {
            Ok(value) => {
                self.set(value);
                Ok(())
            }
            Err(error) => {
                let mut target = BufferMut::new(&mut self.buffer);
                // The call would have begun to write it.
                let _unwritten = target.lend_out(0..1);
                target.poison(&Arc::new(error.clone()));
                Err(error)
            }
        }
    }

    /// The type-erased part.
    #[must_use]
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
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
    use crate::Error;

    #[test]
    fn holds_what_was_set_last() {
        let mut scalar = Scalar::from(3_u32);
        assert_eq!(scalar.get().unwrap(), 3);
        scalar.set(4);
        assert_eq!(scalar.get().unwrap(), 4);
        scalar.settle(Ok(5)).unwrap();
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
}
