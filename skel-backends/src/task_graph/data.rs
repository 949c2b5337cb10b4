//! Data of a graph, and what tasks declare of it.

use super::{
    access::{Commute, Read, Taken, Update, Write},
    range_table::RangeTable,
    scope::{Lease, Slot},
    shared::Shared,
};
use skel_core::{
    Element,
    container::{Buffer, Matrix, Ranges, Scalar, Tensor3, Tensor4, Vector},
};
use skel_tasks::{HandleId, TaskError};
use std::{
    fmt,
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
        atomic::{AtomicBool, Ordering},
    },
};

/// What tasks may share. Implement it for types of your own; nothing has to be said.
///
/// ```
/// use skel::{Context, tasks::{TaskData, TaskGraph}};
///
/// struct Zone {
///     cells: Vec<f64>,
/// }
/// impl TaskData for Zone {}
///
/// let graph = TaskGraph::new(&Context::builder().build()?)?;
/// let zone = graph.handle(Zone { cells: vec![1.0; 8] });
/// let sum = |(zone,): (&Zone,)| Ok(zone.cells.iter().sum::<f64>());
/// assert_eq!(graph.task("sum", (zone.read(),), sum).submit()?.wait()?, 8.0);
/// # skel::Result::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known as data of tasks",
    label = "a type of your own becomes it by `impl TaskData for … {{}}`"
)]
pub trait TaskData: Send + Sync + Sized + 'static {
    /// How many bytes have to be moved where they are not; for schedulers that mind.
    fn size_bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }

    /// Its shape without its elements, if tasks can have ranges of it.
    #[doc(hidden)]
    fn outline(&self) -> Option<Self> {
        None
    }

    /// Its elements, if devices can have them.
    #[doc(hidden)]
    fn elements(&self) -> Option<&Buffer> {
        None
    }
}

macro_rules! containers {
    ($($container:ident)*) => { $(
        impl<T: Element> TaskData for $container<T> {
            fn size_bytes(&self) -> u64 {
                (self.len() * size_of::<T>()) as u64
            }

            fn outline(&self) -> Option<Self> {
                Some(Ranges::outline(self))
            }

            fn elements(&self) -> Option<&Buffer> {
                Some(Ranges::elements(self))
            }
        }
    )* };
}
containers!(Vector Matrix Tensor3 Tensor4);

macro_rules! plain {
    ($($plain:ty)*) => { $( impl TaskData for $plain {} )* };
}
plain!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 bool char String);

impl TaskData for () {}
impl<T: Element> TaskData for Scalar<T> {}

impl<T: Send + Sync + 'static> TaskData for Vec<T> {
    fn size_bytes(&self) -> u64 {
        (self.len() * size_of::<T>()) as u64
    }
}
impl<T: Send + Sync + 'static> TaskData for Option<T> {}
impl<T: Send + Sync + 'static> TaskData for Box<T> {}
impl<T: Send + Sync + 'static> TaskData for Arc<T> {}
impl<T: Send + Sync + 'static, const N: usize> TaskData for [T; N] {}

/// Data, its place in the graph's order, and the lock that shows that the order is kept: it is always free when a
/// task takes it.
pub struct Datum<C: 'static> {
    value: RwLock<Slot<C>>,
    /// The shape of a container of which tasks can have ranges, as it was when the graph was given it.
    pub(super) outline: Option<C>,
    /// The ranges that tasks have.
    pub(super) ranges: RangeTable,
    /// It is a scope's.
    pub(super) is_lent: bool,
    /// The scope is about to take it back.
    has_ended: AtomicBool,
    pub(super) id: HandleId,
    pub(super) shared: Arc<Shared>,
}

impl<C> Datum<C> {
    pub(super) fn new(shared: &Arc<Shared>, value: Slot<C>, bytes: u64) -> Datum<C>
    where
        C: TaskData,
    {
        let id = shared.register(bytes, value.get().and_then(C::elements));
        Datum {
            is_lent: value.is_lent(),
            has_ended: AtomicBool::new(false),
            outline: value.get().and_then(C::outline),
            ranges: RangeTable::default(),
            value: RwLock::new(value),
            id,
            shared: Arc::clone(shared),
        }
    }

    /// The data for a task that reads it.
    pub(super) fn reading(&self) -> Result<RwLockReadGuard<'_, Slot<C>>, TaskError> {
        match self.value.try_read() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(self.blocked()),
        }
    }

    /// Why the lock is not free.
    fn blocked(&self) -> TaskError {
        match self.has_ended.load(Ordering::Relaxed) {
            true => TaskError::Taken,
            false => TaskError::Conflict {
                kind: String::new(),
                handle: self.id,
            },
        }
    }

    /// The data for a task that has it alone.
    pub(super) fn writing(&self) -> Result<RwLockWriteGuard<'_, Slot<C>>, TaskError> {
        match self.value.try_write() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(self.blocked()),
        }
    }
}

impl<C: Send + Sync> Lease for Datum<C> {
    fn end(&self) {
        // Before the lock: one that waits for it keeps readers out.
        self.has_ended.store(true, Ordering::Relaxed);
        let mut value = self.value.write().unwrap_or_else(PoisonError::into_inner);
        *value = Slot::Empty;
    }
}

impl<C> Drop for Datum<C> {
    fn drop(&mut self) {
        self.shared.unregister(self.id);
    }
}

/// Data that was given to a graph. Clones are the same data.
pub struct Handle<C: 'static> {
    pub(super) datum: Arc<Datum<C>>,
}

impl<C> Clone for Handle<C> {
    fn clone(&self) -> Self {
        Handle {
            datum: Arc::clone(&self.datum),
        }
    }
}

impl<C: TaskData> Handle<C> {
    pub(super) fn new(shared: &Arc<Shared>, data: C) -> Handle<C> {
        let bytes = data.size_bytes();
        Handle {
            datum: Arc::new(Datum::new(shared, Slot::Owned(data), bytes)),
        }
    }

    /// The task gets `&C`, together with other readers.
    #[must_use]
    pub fn read(&self) -> Read<C> {
        Read(Arc::clone(&self.datum))
    }

    /// The task gets `&mut C`, and overwrites all of it: nothing of it is brought to the task, and what came of
    /// earlier tasks' errors is healed.
    #[must_use]
    pub fn write(&self) -> Write<C> {
        Write(Arc::clone(&self.datum))
    }

    /// The task gets `&mut C`.
    #[must_use]
    pub fn update(&self) -> Update<C> {
        Update(Arc::clone(&self.datum))
    }

    /// The task gets `&mut C`; of neighbouring tasks that do so, any may come first.
    #[must_use]
    pub fn commute(&self) -> Commute<C> {
        Commute(Arc::clone(&self.datum))
    }

    pub(super) fn taken(&self) -> Taken<C> {
        Taken(Arc::clone(&self.datum))
    }
}

impl<C> fmt::Debug for Handle<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.datum.id)
    }
}
