//! Host memory that a command was lent.
//!
//! A driver may take any time to read or write it. If the caller may give up meanwhile, the driver gets memory of our own
//! instead, and what is copied between that and the host's is copied under the lease.

use super::lease::{LeaseGuard, Touch};
use skel_core::{
    Result,
    frame::{ElementLayout, ErasedArray, StridedViewMut, View, ViewMut, ViewOut},
};
use std::ops::Range;

/// A view that a command was lent.
///
/// Invariant: it shows its memory only while its lease is held: under the lock of the lease, as a [`Touch`] proves, or, if
/// the lease cannot be revoked, to a closure that ends before the guard here is gone. What it shows does not outlive
/// either, so it gives nothing `'static` away. All else that it does leaves the memory alone, its end included.
pub(super) struct Lent<T> {
    view: T,
    held: LeaseGuard,
}

impl<T> Lent<T> {
    pub(super) fn new(view: T, held: LeaseGuard) -> Self {
        Lent { view, held }
    }
}

/// What is known of elements without touching them.
pub(super) trait Elements {
    fn layout(&self) -> ElementLayout;

    fn window(&self) -> Range<usize>;

    fn len_bytes(&self) -> usize;
}

macro_rules! elements {
    ($($view:ident $window:ident),*) => {
        $(impl Elements for $view<'_> {
            fn layout(&self) -> ElementLayout {
                $view::layout(self)
            }

            fn window(&self) -> Range<usize> {
                $view::$window(self)
            }

            fn len_bytes(&self) -> usize {
                $view::len_bytes(self)
            }
        })*
    };
}
elements!(View window, ViewMut window, ViewOut window, StridedViewMut range);

impl<T: Elements> Elements for Lent<T> {
    fn layout(&self) -> ElementLayout {
        self.view.layout()
    }

    fn window(&self) -> Range<usize> {
        self.view.window()
    }

    fn len_bytes(&self) -> usize {
        self.view.len_bytes()
    }
}

/// Elements that a device is to read.
pub(super) trait Readable: Elements {
    /// Shows the elements, or a copy of them if their caller may give up: so `read` may take any time.
    ///
    /// # Errors
    /// That of `read`; if the caller has given up; if there is no memory for the copy.
    fn read(&self, read: impl FnOnce(View<'_>) -> Result<()>) -> Result<()>;
}

/// Elements that a device is to write.
pub(super) trait Writable: Elements {
    /// Has `write`, which may take any time, write all of the elements, or memory from which they are copied if their
    /// caller may give up.
    ///
    /// # Errors
    /// As [`Readable::read`].
    fn fill(self, write: impl FnOnce(ViewOut<'_>) -> Result<()>) -> Result<()>;

    /// Has `put`, which must not wait for anything, write the elements.
    ///
    /// # Errors
    /// If the caller has given up.
    fn put<R>(self, put: impl FnOnce(ViewOut<'_>) -> R) -> Result<R>;
}

impl Readable for View<'_> {
    fn read(&self, read: impl FnOnce(View<'_>) -> Result<()>) -> Result<()> {
        read(*self)
    }
}

impl Writable for ViewOut<'_> {
    fn fill(self, write: impl FnOnce(ViewOut<'_>) -> Result<()>) -> Result<()> {
        write(self)
    }

    fn put<R>(self, put: impl FnOnce(ViewOut<'_>) -> R) -> Result<R> {
        Ok(put(self))
    }
}

macro_rules! readable {
    ($view:ident, $as_view:expr) => {
        impl Readable for Lent<$view<'static>> {
            fn read(&self, read: impl FnOnce(View<'_>) -> Result<()>) -> Result<()> {
                let view = $as_view(&self.view);
                if !self.held.is_revocable() {
                    return read(view);
                }
                let copy = self.held.touch(|_| ErasedArray::copy_of(view))??;
                read(copy.all())
            }
        }
    };
}
readable!(View, |view: &View<'static>| *view);
readable!(ViewMut, ViewMut::as_view);

macro_rules! divisible {
    ($($view:ident),*) => {
        $(impl Lent<$view<'static>> {
            /// Takes the elements before `mid`: what is left begins there.
            pub(super) fn take_front(&mut self, mid: usize) -> Self {
                Lent::new(self.view.take_front(mid), self.held.clone())
            }
        })*
    };
}
divisible!(ViewMut, ViewOut, StridedViewMut);

impl Lent<View<'static>> {
    pub(super) fn narrow(&self, r: Range<usize>) -> Self {
        Lent::new(self.view.narrow(r), self.held.clone())
    }

    pub(super) fn view<'a>(&'a self, touch: &'a Touch<'_>) -> View<'a> {
        self.held.check(touch);
        self.view
    }
}

impl Lent<ViewMut<'static>> {
    pub(super) fn into_out(self) -> Lent<ViewOut<'static>> {
        Lent::new(self.view.into_out(), self.held)
    }
}

impl Lent<ViewOut<'static>> {
    pub(super) fn out<'a>(&'a mut self, touch: &'a Touch<'_>) -> ViewOut<'a> {
        self.held.check(touch);
        self.view.reborrow()
    }
}

impl Writable for Lent<ViewOut<'static>> {
    fn fill(mut self, write: impl FnOnce(ViewOut<'_>) -> Result<()>) -> Result<()> {
        if !self.held.is_revocable() {
            self.held.writes();
            return write(self.view.reborrow());
        }
        let mut copy = ErasedArray::zeroed(self.layout(), self.window())?;
        write(copy.view_out(self.window()))?;
        self.put(|mut out| out.copy_from(copy.all()))
    }

    fn put<R>(mut self, put: impl FnOnce(ViewOut<'_>) -> R) -> Result<R> {
        let (view, held) = (&mut self.view, &self.held);
        held.touch(|touch| {
            touch.writes();
            put(view.reborrow())
        })
    }
}

/// Nothing is opened in it, so its end writes nothing: see [`Lend`](super::scope::Lend).
impl Lent<StridedViewMut<'static>> {
    pub(super) fn reads(&self) -> bool {
        self.view.reads()
    }

    /// A copy of its elements.
    ///
    /// # Errors
    /// If the caller has given up; if there is no memory for the copy.
    pub(super) fn copy(&self) -> Result<ErasedArray> {
        self.held.touch(|_| self.view.copy())?
    }

    /// Brings elements to their places.
    pub(super) fn put_all(&mut self, touch: &Touch<'_>, elements: View<'_>) {
        self.held.check(touch);
        self.view.put_all(elements);
    }

    pub(super) fn held(&self) -> LeaseGuard {
        self.held.clone()
    }
}
