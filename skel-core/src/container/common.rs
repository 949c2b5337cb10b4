//! What all containers can do, written once.
//!
//! A macro and not a trait, so that users need no import for `host()`.

/// The common methods of a container with a field `buffer: Buffer` and a method `shape`.
macro_rules! container_methods {
    ($name:ident) => {
        impl<T: Element> $name<T> {
            /// All elements on the host, in row-major order: downloads what the host lacks, and only that.
            ///
            /// # Errors
            /// Those of the calls that wrote the elements, if they surface now, and of the device.
            pub fn host(&self) -> Result<HostRef<'_, T>> {
                let all = 0..self.buffer.len();
                self.buffer.note_read(all.clone());
                let elements = self.buffer.host_view(all.clone())?.slice(all);
                Ok(HostRef {
                    elements,
                    cols: self.shape().row_elems(),
                })
            }

            /// Elements `r` on the host: downloads what the host lacks of them, and only that.
            ///
            /// # Errors
            /// As `host`.
            ///
            /// # Panics
            /// If `r` exceeds the length.
            pub fn host_range(&self, r: Range<usize>) -> Result<&[T]> {
                self.buffer.note_read(r.clone());
                Ok(self.buffer.host_view(r.clone())?.slice(r))
            }

            /// All elements on the host, to change; they are valid nowhere else afterwards.
            ///
            /// # Errors
            /// As `host`.
            pub fn host_mut(&mut self) -> Result<HostMut<'_, T>> {
                let (all, cols) = (0..self.buffer.len(), self.shape().row_elems());
                self.buffer.note_read(all.clone());
                let mut target = BufferMut::new(&mut self.buffer);
                let view = target.lend_mut(all.clone())?;
                // SAFETY: all elements were valid when they were lent for reading and writing, so they are
                // initialised.
                unsafe { target.wrote(NodeId::HOST, all) };
                Ok(HostMut {
                    elements: view.into_slice(),
                    cols,
                })
            }

            /// A copy of the elements, in row-major order.
            ///
            /// # Errors
            /// As `host`; [`OutOfMemory`](crate::Error::OutOfMemory).
            pub fn to_vec(&self) -> Result<Vec<T>> {
                host_memory::copy(self.host()?.as_slice())
            }

            /// Another container of this shape, with copies of the elements, on the host: downloads what the
            /// host lacks. (There is no `Clone`, which could not say that elements are lost, or that memory is
            /// short.)
            ///
            /// # Errors
            /// As `host`; [`OutOfMemory`](crate::Error::OutOfMemory).
            pub fn try_clone(&self) -> Result<Self> {
                let all = 0..self.buffer.len();
                self.buffer.note_read(all.clone());
                let elements = self.buffer.host_view(all.clone())?;
                let mut copy: Self = Container::unwritten(self.shape())?;
                let mut target = copy.target();
                target.lend_out(all.clone()).copy_from(elements);
                // SAFETY: all elements have just been written.
                unsafe { target.wrote(NodeId::HOST, all) };
                Ok(copy)
            }

            /// The elements as a `Vec`, in row-major order. Nothing is copied but what the host lacks.
            ///
            /// # Errors
            /// As `host`; the container is gone then. Call `host` first to keep it.
            pub fn into_vec(self) -> Result<Vec<T>> {
                self.buffer.note_read(0..self.buffer.len());
                self.buffer.into_vec()
            }

            /// The same elements, in row-major order, as a container of another shape. Nothing is copied or moved, on
            /// the host or on devices.
            ///
            /// ```
            /// use skel::prelude::*;
            ///
            /// let v = Vector::from_fn(6, |i| i as u32);
            /// let m: Matrix<u32> = v.into_shape((2, 3))?;
            /// assert_eq!(m.host()?.row(1), [3, 4, 5]);
            /// # skel::Result::Ok(())
            /// ```
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::Error::ShapeMismatch) if there are not as many elements, or `C` has other
            /// dimensions; the container is gone then.
            pub fn into_shape<C: Container<T>>(self, shape: impl Into<Shape>) -> Result<C> {
                let (shape, found) = (shape.into(), self.shape());
                let mismatch = |found, expected, reference| {
                    Err(crate::Error::ShapeMismatch {
                        instance: concat!(stringify!($name), "::into_shape").into(),
                        argument: 1,
                        found: Box::new(found),
                        expected,
                        reference,
                    })
                };
                if shape.checked_len() != Some(self.len()) {
                    return mismatch(shape, found, "the container has it");
                }
                let container = C::over(shape, self.buffer);
                match container.shape() {
                    made if made == shape => Ok(container),
                    made => mismatch(shape, made, "a container of this type has it"),
                }
            }

            /// The number of elements.
            #[must_use]
            pub fn len(&self) -> usize {
                self.buffer.len()
            }

            /// Whether there are no elements.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.buffer.is_empty()
            }

            #[allow(dead_code, reason = "not all containers have parts")]
            pub(in crate::container) fn buffer_mut(&mut self) -> &mut Buffer {
                &mut self.buffer
            }

            /// The type-erased part, which knows where the elements are.
            #[must_use]
            pub fn buffer(&self) -> &Buffer {
                &self.buffer
            }
        }

        impl<T: Element> std::fmt::Debug for $name<T> {
            /// Type, shape and where the elements are: not the elements, which may be elsewhere.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let (shape, place) = (self.shape(), self.buffer.whereabouts());
                write!(f, "{}<{}>{shape} {place}", stringify!($name), T::ty())
            }
        }
    };
}
pub(super) use container_methods;
