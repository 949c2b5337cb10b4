//! Slices that tasks share by ranges: what overlaps is ordered, block by block.
#![allow(unsafe_code, reason = "parts of one slice are lent at the same time")]

use super::{
    super::{
        access::{Argument, Reading, Sealed, Writing},
        data::Datum,
    },
    Scope, Slot,
};
use skel_core::Error;
use skel_tasks::{Access, BadOption, Mode, TaskError};
use std::{fmt, marker::PhantomData, ops::Range, slice, sync::Arc};

/// A slice that a scope lends to tasks by ranges: see [`Scope::lend_slice`].
pub struct LentSlice<T: 'static>(Arc<Blocks<T>>);

struct Blocks<T: 'static> {
    /// The first element. Elements of a block are touched by those alone that have the block's lock and find its slot
    /// full.
    first: *mut T,
    len: usize,
    block_elems: usize,
    /// Orders the tasks of each block; emptied when the scope ends.
    blocks: Box<[Arc<Datum<()>>]>,
}

// SAFETY: the elements are reached by way of the blocks' locks alone, as `&[T]` or `&mut [T]` in tasks on any thread,
// which `T: Send + Sync` permits.
unsafe impl<T: Send + Sync> Send for Blocks<T> {}
// SAFETY: shared access leads to the locks, and by them to `&[T]` on several threads or `&mut [T]` on one, which
// `T: Send + Sync` permits.
unsafe impl<T: Send + Sync> Sync for Blocks<T> {}

impl<'scope> Scope<'scope, '_> {
    /// Lends a slice to tasks that each use a range of it. Tasks wait for each other where the *blocks* of their ranges
    /// are the same: blocks of so many elements, counted from the slice's beginning. So steps of a stencil overlap
    /// without a barrier between them:
    ///
    /// ```
    /// use skel::{Context, prelude::*, tasks::TaskGraph};
    ///
    /// let context = Context::builder().build()?;
    /// let mean = map_overlap!(|x: Window1<f64, 1>| (x[-1] + x[0] + x[1]) / 3.0);
    /// let mean = mean.edge(Edge::None).within(context.clone());
    /// let graph = TaskGraph::new(&context)?;
    ///
    /// let (len, block) = (1000, 250);
    /// let mut x: Vec<f64> = (0..len).map(|i| (i % 7) as f64).collect();
    /// let mut y = x.clone();
    /// graph.scope(|s| {
    ///     let (mut x, mut y) = (s.lend_slice(&mut x, block)?, s.lend_slice(&mut y, block)?);
    ///     for _step in 0..4 {
    ///         for k in (0..len).step_by(block) {
    ///             // The elements at both ends stay as they are.
    ///             let inner = k.max(1)..(k + block).min(len - 1);
    ///             let around = inner.start - 1..inner.end + 1;
    ///             let task = |(x, y): (&[f64], &mut [f64])| mean.run_into((x,), y);
    ///             // Begins when the blocks beside it have done the step before.
    ///             s.task("mean", (x.read(around), y.update(inner)), task).submit()?;
    ///         }
    ///         std::mem::swap(&mut x, &mut y);
    ///     }
    ///     Ok(())
    /// })?;
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// What tasks wait for is blocks. So two ranges of one task that share a block are one argument given twice: a
    /// [`Conflict`](skel_tasks::TaskError::Conflict) when it is submitted, if one of them is updated.
    ///
    /// # Errors
    /// [`Error::BadOption`] for blocks of no elements.
    pub fn lend_slice<T: Send + Sync + 'static>(
        &self,
        data: &'scope mut [T],
        block_elems: usize,
    ) -> skel_core::Result<LentSlice<T>> {
        if block_elems == 0 {
            let bad = BadOption::new("block_elems", 0, "a number from 1 on");
            return Err(Error::BadOption(bad));
        }
        let blocks = data.chunks(block_elems).map(|block| {
            let bytes = size_of_val(block) as u64;
            self.lease(Slot::Owned(()), bytes)
        });
        let blocks = blocks.collect();
        // The borrow lasts as long as the scope, which ends the leases of all blocks before it returns.
        Ok(LentSlice(Arc::new(Blocks {
            len: data.len(),
            first: data.as_mut_ptr(),
            block_elems,
            blocks,
        })))
    }
}

impl<T: Send + Sync> LentSlice<T> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The task gets these elements as `&[T]`.
    #[must_use]
    pub fn read(&self, elems: Range<usize>) -> ReadSlice<T> {
        ReadSlice(Ranged::new(&self.0, elems))
    }

    /// The task gets these elements as `&mut [T]`. If a task before it has failed that was to change any of their
    /// blocks, it is cancelled.
    #[must_use]
    pub fn update(&self, elems: Range<usize>) -> UpdateSlice<T> {
        UpdateSlice(Ranged::new(&self.0, elems))
    }
}

impl<T> Clone for LentSlice<T> {
    fn clone(&self) -> Self {
        LentSlice(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for LentSlice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blocks {
            len, block_elems, ..
        } = &*self.0;
        write!(f, "LentSlice({len} elements in blocks of {block_elems})")
    }
}

/// See [`LentSlice::read`].
#[derive(Debug)]
pub struct ReadSlice<T: 'static>(Ranged<T>);
/// See [`LentSlice::update`].
#[derive(Debug)]
pub struct UpdateSlice<T: 'static>(Ranged<T>);

struct Ranged<T: 'static> {
    blocks: Arc<Blocks<T>>,
    elems: Range<usize>,
}

impl<T> fmt::Debug for Ranged<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.elems)
    }
}

impl<T> Ranged<T> {
    fn new(blocks: &Arc<Blocks<T>>, elems: Range<usize>) -> Ranged<T> {
        let blocks = Arc::clone(blocks);
        Ranged { blocks, elems }
    }

    /// The blocks in which its elements lie; none for a range of no elements.
    fn of(&self) -> &[Arc<Datum<()>>] {
        let Range { start, end } = self.elems;
        let Blocks {
            block_elems,
            blocks,
            ..
        } = &*self.blocks;
        match start < end {
            true => &blocks[start / block_elems..end.div_ceil(*block_elems)],
            false => &[],
        }
    }

    fn check(&self) -> Result<(), TaskError> {
        let (Range { start, end }, len) = (self.elems.clone(), self.blocks.len);
        match start <= end && end <= len {
            true => Ok(()),
            false => Err(TaskError::BadRange { start, end, len }),
        }
    }

    fn declare(&self, mode: Mode, each: &mut dyn FnMut(Access, usize)) -> Result<(), TaskError> {
        self.check()?;
        for block in self.of() {
            let handle = block.id;
            each(Access { handle, mode }, block.shared.address());
        }
        Ok(())
    }

    fn locked<'t, G>(
        &'t self,
        lock: impl Fn(&'t Datum<()>) -> Result<G, TaskError>,
    ) -> Result<Locked<'t, G, T>, TaskError> {
        self.check()?;
        let guards = self.of().iter().map(|block| lock(block));
        Ok(Locked {
            _guards: guards.collect::<Result<_, _>>()?,
            first: self.blocks.first.wrapping_add(self.elems.start),
            len: self.elems.len(),
            life: PhantomData,
        })
    }
}

/// A range within the slice, with the locks of all its blocks.
pub struct Locked<'t, G, T> {
    _guards: Vec<G>,
    first: *mut T,
    len: usize,
    life: PhantomData<&'t T>,
}

impl<T> Sealed for ReadSlice<T> {}
impl<T: Send + Sync + 'static> Argument for ReadSlice<T> {
    type Ref<'t> = &'t [T];
    type Guard<'t> = Locked<'t, Reading<'t, ()>, T>;

    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> Result<(), TaskError> {
        self.0.declare(Mode::Read, each)
    }

    fn enter(&self) -> Result<Self::Guard<'_>, TaskError> {
        self.0.locked(Datum::to_read)
    }

    fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g> {
        // SAFETY: `guard` has the locks of all blocks of these elements, shared, and their slots are full: the lease has
        // not ended, so the slice is still lent to the scope, and no task has any of them alone.
        unsafe { slice::from_raw_parts(guard.first, guard.len) }
    }
}

impl<T> Sealed for UpdateSlice<T> {}
impl<T: Send + Sync + 'static> Argument for UpdateSlice<T> {
    type Ref<'t> = &'t mut [T];
    type Guard<'t> = Locked<'t, Writing<'t, ()>, T>;

    fn declare(&self, each: &mut dyn FnMut(Access, usize)) -> Result<(), TaskError> {
        self.0.declare(Mode::Update, each)
    }

    fn enter(&self) -> Result<Self::Guard<'_>, TaskError> {
        self.0.locked(Datum::to_write)
    }

    fn get<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Ref<'g> {
        // SAFETY: `guard` has the locks of all blocks of these elements alone, and their slots are full: the lease has
        // not ended, so the slice is still lent to the scope, and no other task has any of them.
        unsafe { slice::from_raw_parts_mut(guard.first, guard.len) }
    }
}
