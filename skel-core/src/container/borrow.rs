//! Vectors over borrowed memory.

use super::{Buffer, Vector};
use crate::Element;

/// Calls `f` with a vector over a borrowed slice; nothing is copied.
///
/// Slices can be passed to any call as they are. But each of these calls uploads anew what devices
/// need; of a vector, they keep copies until it is gone. So this is for what several calls read.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn add(a: f32, b: f32) -> f32 {
///     a + b
/// }
///
/// let samples = [3.0_f32, 1.0, 2.0]; // lies in memory of another library
/// let (sum, mean) = skel::with_slice(&samples, |x| {
///     let sum = reduce!(add).run((x,))?;
///     let parts = map!(|x: f32, #[uniform] sum: f32| x / sum).run((x, sum))?;
///     Ok::<_, skel::Error>((sum, parts.host()?[0]))
/// })?;
/// assert_eq!((sum, mean), (6.0, 0.5));
/// # skel::Result::Ok(())
/// ```
pub fn with_slice<T: Element, R>(slice: &[T], f: impl FnOnce(&Vector<T>) -> R) -> R {
    f(&Vector::of(Buffer::borrowed(slice)))
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{Result, container::Remote, frame::ViewOut, unit::NodeId};
    use std::{any::Any, sync::Arc};

    #[test]
    fn the_vector_is_the_slice_and_leaves_it() {
        let elements = vec![1_u32, 2, 3];
        let address = with_slice(&elements, |vector| {
            assert_eq!(vector.host_range(1..3).unwrap(), [2, 3]);
            vector.host().unwrap().as_ptr()
        });
        assert_eq!(address, elements.as_ptr());
        assert_eq!(elements, [1, 2, 3]);
    }

    /// Never asked: the host has everything.
    struct Copied;

    // SAFETY: it never returns `Ok`.
    #[expect(unsafe_code, reason = "implements a promise of devices")]
    unsafe impl Remote for Copied {
        fn download(&self, _: ViewOut<'_>) -> Result<()> {
            unreachable!("the slice has all elements")
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn devices_upload_it_once() {
        let node = NodeId::unique();
        let uploads = with_slice(&[1_u32, 2, 3], |vector| {
            // SAFETY: it is made for this vector.
            #[expect(unsafe_code, reason = "does what a device does")]
            let copy = unsafe { vector.buffer().remote(node, || Ok(Arc::new(Copied))) };
            assert!(copy.is_ok());
            [0, 1].map(|_| {
                let mut posted = 0;
                let post = |view: crate::frame::View<'_>| posted += view.window().len();
                // SAFETY: the test queues no command that reads it on the node.
                #[expect(unsafe_code, reason = "does what a device does")]
                let uploaded = unsafe { vector.buffer().upload_missing(node, 0..3, post) };
                assert!(uploaded.is_ok());
                posted
            })
        });
        assert_eq!(uploads, [3, 0]);
    }
}
