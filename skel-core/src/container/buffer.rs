//! The type-erased part of every container: host memory, device copies, validity.
#![allow(
    unsafe_code,
    reason = "owns the raw parts of a Vec; see the invariants of `Buffer`"
)]

mod by_range;
mod copies;
mod grant;
mod lend;
mod reclaim;
mod replica;
mod writers;

pub use lend::BufferMut;
pub use reclaim::Remains;

use super::Coherence;
use crate::{
    Cause, Element, Error, Result,
    frame::{ElementLayout, SparseView, View, ViewOut},
    ir::Ty,
    space::IntervalSet,
    sync::{AtomicBool, Mutex, MutexGuard},
    unit::NodeId,
};
use by_range::ByRange;
use grant::Grant;
use std::{
    any::Any,
    mem::ManuallyDrop,
    ops::Range,
    ptr::NonNull,
    sync::{
        Arc, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use writers::Writers;

/// A copy of a buffer in a device's memory. Dropping it frees that memory, in the order of the
/// device's queue, and does not wait.
///
/// # Safety
/// A [`Remote::download`] or a [`Remote::peek`] that returns `Ok` has written all elements of the window.
pub unsafe trait Remote: Send + Sync {
    /// Copies elements `into.window()` to the host, after all work queued before.
    ///
    /// # Errors
    /// Also those of the calls that wrote the elements, which may not have surfaced before.
    fn download(&self, into: ViewOut<'_>) -> Result<()>;

    /// The same, to elsewhere than the buffer of which this is a copy: for that, the device goes on to be the one that has
    /// the elements.
    ///
    /// # Errors
    /// As [`Remote::download`].
    fn peek(&self, into: ViewOut<'_>) -> Result<()> {
        self.download(into)
    }

    /// For the device to recognise its own.
    fn as_any(&self) -> &dyn Any;

    /// A call is about to use it: from now on, until the call that bound it unpins it, the device may not
    /// drop elements of it. Called with the container's lock.
    fn pin(&self) {}

    /// Elements `r` were written elsewhere: they are not read here before they are brought here, or a call
    /// writes them here. Called with exclusive access to these elements.
    fn overwritten(&self, r: &Range<usize>) {
        let _ = r;
    }

    /// A call has been bound that writes elements `r` here. Called with exclusive access to these elements.
    fn claimed(&self, r: &Range<usize>) {
        let _ = r;
    }

    /// If the device has dropped elements since it was last asked: those that it still has. It drops what is
    /// also on the host, or valid nowhere, and only while the copy is not pinned.
    fn kept(&self) -> Option<IntervalSet> {
        None
    }

    /// Whether it holds nothing any more, and never will: no call will use its device. The container then lets
    /// go of it. What only the copy had is not released, so nothing is lost.
    fn is_released(&self) -> bool {
        false
    }
}

struct State {
    coherence: Coherence,
    copies: Vec<(NodeId, Arc<dyn Remote>)>,
    /// Why elements that are valid nowhere are so.
    causes: ByRange<Cause>,
    /// Which calls wrote what devices have.
    writers: Writers,
}

/// Elements of one type, on the host and on devices.
///
/// Invariants:
/// - `ptr`, `capacity` and `free` are the parts of a `Vec<T>` of the type that `layout` says, or `ptr`
///   is a slice that outlives the buffer, which is then only shared; the first `len` elements may be
///   used.
/// - Elements that `state` calls valid on the host are initialised.
/// - Host elements that are valid are written only under `&mut self`; those that are not valid are
///   written only under the lock or `&mut self` (rule 1 of `coherence`). `&mut self` of a buffer that stands for
///   another counts as that buffer's for the elements that its grant lets it write (`grant`).
pub struct Buffer {
    ptr: NonNull<u8>,
    len: usize,
    capacity: usize,
    layout: ElementLayout,
    free: Free,
    /// Room for so many elements of the same type.
    alike: fn(usize) -> Result<Buffer>,
    /// See [`Buffer::id`]; 0 before it was asked for.
    id: AtomicU64,
    /// All elements are valid on the host: lets readers pass without the lock.
    complete: AtomicBool,
    state: Mutex<State>,
    /// It stands for another buffer, and reaches some elements of that.
    grant: Option<Box<Grant>>,
}

/// Frees memory, given its pointer and capacity.
type Free = unsafe fn(NonNull<u8>, usize);

// SAFETY: it owns plain elements, which are `Send`, and the memory they lie in.
unsafe impl Send for Buffer {}
// SAFETY: it owns plain elements, which are `Sync`. By the third invariant, through `&self` host
// elements that are valid are not written, and others only under the lock.
unsafe impl Sync for Buffer {}

/// For memory that the next container may have.
///
/// # Safety
/// The arguments are the parts of a `Vec<T>` that is not freed elsewhere.
unsafe fn recycle<T: Element>(ptr: NonNull<u8>, capacity: usize) {
    // SAFETY: the caller gives the parts of a `Vec<T>` that is freed here alone. Elements have no destructor,
    // so length 0 will do.
    super::host::recycle(unsafe { Vec::<T>::from_raw_parts(ptr.as_ptr().cast(), 0, capacity) });
}

/// For a user's vector: the next one that the user makes finds this memory, in the cache perhaps. If it was recycled, a
/// loop that makes a container of a vector each time would have new memory each time.
///
/// # Safety
/// The arguments are the parts of a `Vec<T>` that is not freed elsewhere.
unsafe fn free<T: Element>(ptr: NonNull<u8>, capacity: usize) {
    // SAFETY: the caller gives the parts of a `Vec<T>` that is freed here alone. Elements have no destructor,
    // so length 0 will do.
    drop(unsafe { Vec::<T>::from_raw_parts(ptr.as_ptr().cast(), 0, capacity) });
}

/// Borrowed memory is not freed.
///
/// # Safety
/// Always safe to call.
unsafe fn keep(_: NonNull<u8>, _: usize) {}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: first invariant; `into_vec` forgets the buffer. Devices hold no host pointers
        // between calls (rule 3).
        unsafe { (self.free)(self.ptr, self.capacity) }
    }
}

impl Buffer {
    /// Takes a user's vector over; nothing is copied.
    pub(super) fn from_vec<T: Element>(vec: Vec<T>) -> Self {
        let len = vec.len();
        Self::new(vec, len, Coherence::on_host(len), free::<T>)
    }

    /// The same of one from [`host::made`](super::host::made).
    pub(super) fn from_made<T: Element>(vec: Vec<T>) -> Self {
        let len = vec.len();
        Self::new(vec, len, Coherence::on_host(len), recycle::<T>)
    }

    /// Borrowed elements. The buffer must be gone before they may be changed, and is never lent by `&mut`:
    /// then all elements stay valid on the host, so none is ever written there.
    pub(super) fn borrowed<T: Element>(slice: &[T]) -> Self {
        Buffer {
            ptr: NonNull::from(slice).cast(),
            len: slice.len(),
            capacity: 0,
            layout: ElementLayout::of::<T>(),
            free: keep,
            alike: Buffer::unwritten::<T>,
            id: AtomicU64::new(0),
            complete: AtomicBool::new(true),
            state: Mutex::new(State::new(Coherence::on_host(slice.len()))),
            grant: None,
        }
    }

    /// Room for `len` elements, none of which is valid.
    pub(super) fn unwritten<T: Element>(len: usize) -> Result<Self> {
        let room = super::host::allocate::<T>(len)?;
        Ok(Self::new(room, len, Coherence::nowhere(len), recycle::<T>))
    }

    fn new<T: Element>(vec: Vec<T>, len: usize, coherence: Coherence, free: Free) -> Self {
        let mut vec = ManuallyDrop::new(vec);
        debug_assert!(len <= vec.capacity(), "room for all elements");
        Buffer {
            // SAFETY: the pointer of a Vec is never null.
            ptr: unsafe { NonNull::new_unchecked(vec.as_mut_ptr().cast()) },
            len,
            capacity: vec.capacity(),
            layout: ElementLayout::of::<T>(),
            free,
            alike: Buffer::unwritten::<T>,
            id: AtomicU64::new(0),
            complete: AtomicBool::new(coherence.host_is_complete()),
            state: Mutex::new(State::new(coherence)),
            grant: None,
        }
    }

    /// Gives the vector back; downloads what the host lacks. Nothing is copied otherwise.
    pub(super) fn into_vec<T: Element>(self) -> Result<Vec<T>> {
        assert!(
            self.layout == ElementLayout::of::<T>(),
            "a buffer of other elements"
        );
        self.host_view(0..self.len)?;
        let mut this = ManuallyDrop::new(self);
        // Free the device copies; the rest of the state owns nothing.
        let state = this.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.copies = Vec::new();
        state.coherence = Coherence::nowhere(0);
        state.causes = ByRange::default();
        state.writers = Writers::default();
        // SAFETY: first invariant; `this` is forgotten. All elements are valid on the host.
        Ok(unsafe { Vec::from_raw_parts(this.ptr.as_ptr().cast(), this.len, this.capacity) })
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The layout of the elements.
    #[must_use]
    pub fn layout(&self) -> ElementLayout {
        self.layout
    }

    /// The element type in the IR.
    #[must_use]
    pub fn ty(&self) -> Ty {
        self.layout.ty()
    }

    /// The elements that are valid on `node`.
    #[must_use]
    pub fn valid(&self, node: NodeId) -> IntervalSet {
        self.lock().coherence.valid(node)
    }

    /// Whether a device has valid elements that the host lacks.
    #[must_use]
    pub fn is_away(&self) -> bool {
        !self.is_complete_on_host()
            && self
                .locations()
                .iter()
                .any(|(node, _)| *node != NodeId::HOST)
    }

    /// The nodes that hold valid elements, with how many.
    #[must_use]
    pub fn locations(&self) -> Vec<(NodeId, usize)> {
        let state = self.lock();
        let nodes = [NodeId::HOST]
            .into_iter()
            .chain(state.copies.iter().map(|(node, _)| *node));
        nodes
            .map(|node| (node, state.coherence.valid(node).len()))
            .filter(|(_, elems)| *elems > 0)
            .collect()
    }

    /// Whether all elements are valid on the host.
    #[must_use]
    pub(crate) fn is_complete_on_host(&self) -> bool {
        self.home().complete.load(Ordering::Acquire)
    }

    /// Where the elements are, in words.
    pub(super) fn whereabouts(&self) -> String {
        let parts: Vec<String> = self
            .locations()
            .into_iter()
            .map(|(node, elems)| match elems == self.len {
                true => node.to_string(),
                false => format!("{node} ({elems})"),
            })
            .collect();
        match (parts.is_empty(), self.is_empty()) {
            (true, false) => "unwritten".into(),
            (true, true) => "on host".into(),
            (false, _) => format!("on {}", parts.join(", ")),
        }
    }

    /// The state, as devices have left it.
    fn lock(&self) -> MutexGuard<'_, State> {
        let state = self.home().state.lock();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.note_what_was_dropped();
        state
    }

    /// Elements `r` for reading on the host; downloads what is missing there, and waits for it.
    ///
    /// # Errors
    /// Those of the device, and of the calls that should have written the elements.
    ///
    /// # Panics
    /// If `r` exceeds the length.
    pub fn host_view(&self, r: Range<usize>) -> Result<View<'_>> {
        assert!(
            r.start <= r.end && r.end <= self.len,
            "elements {r:?} of {}",
            self.len
        );
        self.may_read(&r)?;
        if !self.is_complete_on_host() {
            self.download(r.clone())?;
        }
        // SAFETY: `r` is valid on the host, so it is initialised, and not written while `&self` lives.
        Ok(unsafe { self.view(r) })
    }

    /// Some elements for reading on the host; downloads what is missing there, and waits for it.
    ///
    /// # Errors
    /// As [`Buffer::host_view`].
    ///
    /// # Panics
    /// If some exceed the length.
    pub fn host_sparse_view(&self, wanted: IntervalSet) -> Result<SparseView<'_>> {
        for r in wanted.ranges() {
            self.host_view(r.clone())?;
        }
        // SAFETY: all of them are valid on the host, so they are initialised, and not written while
        // `&self` lives.
        Ok(unsafe { SparseView::from_raw(self.ptr.as_ptr(), wanted, self.layout) })
    }

    /// # Safety
    /// Elements `r` of the host memory are initialised, and not written while `&self` lives.
    unsafe fn view(&self, r: Range<usize>) -> View<'_> {
        // SAFETY: in bounds; the caller states that they are initialised and not written meanwhile.
        unsafe { View::from_raw(self.ptr.as_ptr(), r, self.layout) }
    }

    fn download(&self, r: Range<usize>) -> Result<()> {
        let mut state = self.lock();
        for (node, part) in state.coherence.sources(r) {
            let remote = node.and_then(|n| state.copies.iter().find(|(m, _)| *m == n));
            let Some((_, remote)) = remote else {
                return Err(state.lost(part.start));
            };
            // SAFETY: `part` is not valid on the host, so it is not read, and the lock keeps other writers
            // out.
            let into = unsafe { self.out(part.clone()) };
            let Err(error) = remote.download(into) else {
                state.coherence.download(part);
                continue;
            };
            // What one call failed to write, others have not: each by itself.
            let (remote, cuts) = (Arc::clone(remote), state.writers.cut(&part));
            if cuts.len() == 1 {
                return Err(state.writers.blame(part, error));
            }
            for cut in cuts {
                // SAFETY: `cut` lies in `part`, which is not valid on the host, so it is not read, and the
                // lock keeps other writers out.
                let into = unsafe { self.out(cut.clone()) };
                if let Err(error) = remote.download(into) {
                    return Err(state.writers.blame(cut, error));
                }
                state.coherence.download(cut);
            }
        }
        if state.coherence.host_is_complete() {
            self.home().complete.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// # Safety
    /// No other thread and no device touches elements `r` of the host memory during the lifetime.
    unsafe fn out<'m>(&self, r: Range<usize>) -> ViewOut<'m> {
        // SAFETY: in bounds; the caller states that nothing else touches them meanwhile.
        unsafe { ViewOut::from_raw(self.ptr.as_ptr(), r, self.layout) }
    }
}

impl State {
    fn new(coherence: Coherence) -> State {
        State {
            coherence,
            copies: Vec::new(),
            causes: ByRange::default(),
            writers: Writers::default(),
        }
    }

    /// Devices drop elements without asking, so every look at the state begins with this. Copies on devices
    /// of contexts that are gone leave the list here, so it has no more entries than devices in use.
    fn note_what_was_dropped(&mut self) {
        let coherence = &mut self.coherence;
        self.copies.retain(|(node, remote)| {
            if let Some(kept) = remote.kept() {
                coherence.keep(*node, &kept);
            }
            let released = remote.is_released();
            if released {
                coherence.forget(*node);
            }
            !released
        });
    }

    /// `node` has written `r`: it is valid there and nowhere else.
    fn write(&mut self, node: NodeId, r: Range<usize>) {
        for (copy, remote) in &self.copies {
            match *copy == node {
                true => remote.claimed(&r),
                false => remote.overwritten(&r),
            }
        }
        self.coherence.write(node, r);
    }

    /// `r` is valid nowhere.
    fn invalidate(&mut self, r: Range<usize>) {
        for (_, remote) in &self.copies {
            remote.overwritten(&r);
        }
        self.coherence.invalidate(r);
    }

    /// `r` is valid on the device `node` as it was before.
    fn restore(&mut self, node: NodeId, r: Range<usize>) {
        let copies = self.copies.iter().filter(|(copy, _)| *copy == node);
        copies.for_each(|(_, remote)| remote.claimed(&r));
        self.coherence.upload(node, r);
    }

    /// The error of reading an element that is valid nowhere.
    fn lost(&self, element: usize) -> Error {
        let cause = self.causes.get(element).cloned().unwrap_or_else(|| {
            let unwritten = Error::Ir {
                function: "a container".into(),
                message: "elements were read that no call has written".into(),
            };
            unwritten.into()
        });
        Error::Poisoned { cause }
    }
}

#[cfg(all(test, loom))]
mod interleavings;
#[cfg(test)]
mod test;
