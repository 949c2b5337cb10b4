//! Accesses of a task: what it declares, and what its closure gets.

use super::{data::Datum, range_table::ReadAll, reduction::Sum, scope::Slot};
use skel_core::{Error, Result};
use skel_tasks::{Access, HandleId, Mode, TaskError};
use std::sync::{Arc, PoisonError, RwLockReadGuard, RwLockWriteGuard};

/// An access of a task: what [`Handle`](super::Handle) and [`Reduction`](super::Reduction) give. Sealed: the
/// order of tasks depends on it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no access of a task",
    label = "wanted here: what a handle gives, such as `x.read()`, `x.write()` or `x.update()`"
)]
pub trait Argument: sealed::Sealed + Send + 'static {
    /// What the closure gets.
    type Ref<'t>;
    /// What is held while it runs.
    #[doc(hidden)]
    type Guard<'t>;

    /// Calls `each` with all that it accesses, and the addresses of its graphs.
    #[doc(hidden)]
    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> std::result::Result<(), TaskError>;
    #[doc(hidden)]
    fn enter(&self) -> std::result::Result<Self::Guard<'_>, TaskError>;
    #[doc(hidden)]
    fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g>;
    /// The task is submitted, behind all for which this was called before.
    #[doc(hidden)]
    fn number(&mut self) {}
    /// The closure has done its work.
    #[doc(hidden)]
    fn leave(&self, guard: Self::Guard<'_>) -> std::result::Result<(), TaskError> {
        drop(guard);
        Ok(())
    }
}

pub(super) use sealed::Sealed;

mod sealed {
    pub trait Sealed {}
}

/// See [`Handle::read`](super::Handle::read).
#[derive(Debug)]
pub struct Read<C: 'static>(pub(super) Arc<Datum<C>>);
/// See [`Handle::write`](super::Handle::write).
#[derive(Debug)]
pub struct Write<C: 'static>(pub(super) Arc<Datum<C>>);
/// See [`Handle::update`](super::Handle::update).
#[derive(Debug)]
pub struct Update<C: 'static>(pub(super) Arc<Datum<C>>);
/// See [`Handle::commute`](super::Handle::commute).
#[derive(Debug)]
pub struct Commute<C: 'static>(pub(super) Arc<Datum<C>>);
/// See [`TaskGraph::take`](super::TaskGraph::take).
pub(super) struct Taken<C: 'static>(pub(super) Arc<Datum<C>>);
/// See [`Reduction::contribute`](super::Reduction::contribute).
pub struct Contribute<T> {
    pub(super) sum: Arc<Sum<T>>,
    /// The number of the task, once it is submitted.
    pub(super) number: Option<u64>,
}

impl<T> Drop for Contribute<T> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.sum.end(number);
        }
    }
}

/// See [`Reduction::read`](super::Reduction::read).
pub struct ReadSum<T>(pub(super) Arc<Sum<T>>);

/// Data while a task reads it. Opaque: where lent data lies must not be had from it.
pub struct Reading<'t, C: 'static> {
    data: RwLockReadGuard<'t, Slot<C>>,
    /// Of containers: no task has a range of it to write.
    _all: Option<ReadAll<'t>>,
}
/// Data while a task has it alone. Opaque: lent data must not be swapped for other data.
pub struct Writing<'t, C: 'static>(RwLockWriteGuard<'t, Slot<C>>);

impl<C> Datum<C> {
    /// The data, which is there, for a task that reads it.
    pub(super) fn to_read(&self) -> std::result::Result<Reading<'_, C>, TaskError> {
        let guard = self.reading()?;
        if guard.get().is_none() {
            return Err(TaskError::Taken);
        }
        let mut all = None;
        if self.outline.is_some() {
            let (kind, handle) = (String::new(), self.id);
            let read = self.ranges.read_all();
            all = Some(read.ok_or(TaskError::Conflict { kind, handle })?);
        }
        Ok(Reading {
            data: guard,
            _all: all,
        })
    }

    /// The data, which is there, for a task that has it alone.
    pub(super) fn to_write(&self) -> std::result::Result<Writing<'_, C>, TaskError> {
        let mut guard = Writing(self.writing()?);
        match guard.0.get_mut().is_some() {
            true => Ok(guard),
            false => Err(TaskError::Taken),
        }
    }
}

impl<C> std::fmt::Debug for Datum<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.id)
    }
}

const PRESENT: &str = "the data is there: it was looked at when the task began";

impl<C> sealed::Sealed for Read<C> {}
impl<C: Send + Sync + 'static> Argument for Read<C> {
    type Ref<'t> = &'t C;
    type Guard<'t> = Reading<'t, C>;

    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> std::result::Result<(), TaskError> {
        each(access(self.0.id, Mode::Read), self.0.shared.address());
        Ok(())
    }

    fn enter(&self) -> std::result::Result<Self::Guard<'_>, TaskError> {
        self.0.to_read()
    }

    fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g> {
        guard.data.get().expect(PRESENT)
    }
}

macro_rules! exclusive {
    ($($name:ident $mode:ident;)*) => { $(
        impl<C> sealed::Sealed for $name<C> {}
        impl<C: Send + Sync + 'static> Argument for $name<C> {
            type Ref<'t> = &'t mut C;
            type Guard<'t> = Writing<'t, C>;

            fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> std::result::Result<(), TaskError> {
                each(access(self.0.id, Mode::$mode), self.0.shared.address());
                Ok(())
            }

            fn enter(&self) -> std::result::Result<Self::Guard<'_>, TaskError> {
                self.0.to_write()
            }

            fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g> {
                guard.0.get_mut().expect(PRESENT)
            }
        }
    )* };
}
exclusive! {
    Write Write;
    Update Update;
    Commute Commute;
}

impl<C> sealed::Sealed for Taken<C> {}
impl<C: Send + Sync + 'static> Argument for Taken<C> {
    type Ref<'t> = &'t mut Slot<C>;
    type Guard<'t> = Writing<'t, C>;

    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> std::result::Result<(), TaskError> {
        each(access(self.0.id, Mode::Update), self.0.shared.address());
        Ok(())
    }

    fn enter(&self) -> std::result::Result<Self::Guard<'_>, TaskError> {
        self.0.writing().map(Writing)
    }

    fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g> {
        &mut guard.0
    }
}

impl<T> sealed::Sealed for Contribute<T> {}
impl<T: Send + Sync + 'static> Argument for Contribute<T> {
    type Ref<'t> = &'t mut Option<T>;
    type Guard<'t> = Option<T>;

    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> std::result::Result<(), TaskError> {
        each(access(self.sum.id, Mode::Reduce), self.sum.shared.address());
        Ok(())
    }

    fn number(&mut self) {
        self.number = Some(self.sum.number());
    }

    fn enter(&self) -> std::result::Result<Self::Guard<'_>, TaskError> {
        Ok(None)
    }

    fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g> {
        guard
    }

    fn leave(&self, guard: Self::Guard<'_>) -> std::result::Result<(), TaskError> {
        match (guard, self.number) {
            (Some(contribution), Some(number)) => self.sum.contribute(number, contribution),
            _ => Ok(()),
        }
    }
}

impl<T> sealed::Sealed for ReadSum<T> {}
impl<T: Send + Sync + 'static> Argument for ReadSum<T> {
    type Ref<'t> = &'t T;
    type Guard<'t> = RwLockReadGuard<'t, Option<T>>;

    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> std::result::Result<(), TaskError> {
        each(access(self.0.id, Mode::Read), self.0.shared.address());
        Ok(())
    }

    fn enter(&self) -> std::result::Result<Self::Guard<'_>, TaskError> {
        self.0.settle()?;
        let guard = self.0.value.read().unwrap_or_else(PoisonError::into_inner);
        match guard.is_some() {
            true => Ok(guard),
            false => Err(TaskError::Taken),
        }
    }

    fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g> {
        guard.as_ref().expect(PRESENT)
    }
}

fn access(handle: HandleId, mode: Mode) -> Access {
    Access { handle, mode }
}

/// All accesses of a task: a tuple of up to eight.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tuple of accesses",
    label = "wanted here: what handles give, in a tuple, such as `(x.read(), y.write())`; of one, `(x.read(),)`"
)]
pub trait Accesses: Send + 'static {
    /// What the closure gets: a tuple of references.
    type Refs<'t>;

    #[doc(hidden)]
    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> std::result::Result<(), TaskError>;
    #[doc(hidden)]
    fn number(&mut self);
    /// Runs the closure with the references. Contributions count if it succeeds.
    #[doc(hidden)]
    fn run<R>(&self, work: impl for<'t> FnOnce(Self::Refs<'t>) -> Result<R>) -> Result<R>;
}

macro_rules! tuples {
    ($( ($($name:ident $guard:ident $index:tt),*) )*) => { $(
        impl<$($name: Argument),*> Accesses for ($($name,)*) {
            type Refs<'t> = ($($name::Ref<'t>,)*);

            #[allow(unused_variables, reason = "a task without accesses")]
            fn declare(
                &self,
                each: &mut dyn FnMut(Access, usize),
            ) -> std::result::Result<(), TaskError> {
                $( self.$index.declare(each)?; )*
                Ok(())
            }

            #[allow(unused_variables, reason = "a task without accesses")]
            fn number(&mut self) {
                $( self.$index.number(); )*
            }

            fn run<R>(
                &self,
                work: impl for<'t> FnOnce(Self::Refs<'t>) -> Result<R>,
            ) -> Result<R> {
                $( let mut $guard = self.$index.enter().map_err(Error::Task)?; )*
                let result = work(($($name::get(&mut $guard),)*))?;
                $( self.$index.leave($guard).map_err(Error::Task)?; )*
                Ok(result)
            }
        }
    )* };
}
tuples! {
    ()
    (A a 0)
    (A a 0, B b 1)
    (A a 0, B b 1, C c 2)
    (A a 0, B b 1, C c 2, D d 3)
    (A a 0, B b 1, C c 2, D d 3, E e 4)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7)
}
