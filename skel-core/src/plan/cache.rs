//! Each plan's kernel, built once per process.

use super::{Kernel, Role};
use crate::{Result, short::ShortVec};
use std::{
    any::TypeId,
    cell::Cell,
    collections::HashMap,
    hash::{BuildHasherDefault, Hash, Hasher},
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

/// What was built, for as long as the program runs.
type Built = &'static Result<Arc<Kernel>>;
type Kernels = RwLock<HashMap<TypeId, Built, BuildHasherDefault<OfTypeId>>>;

/// A type's number is a hash already, and kernels are looked up in every call.
#[derive(Default)]
struct OfTypeId(u64);

impl Hasher for OfTypeId {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.rotate_left(32) ^ word;
    }
}

/// The kernel of the plan type `Plan`. Failures are kept, too: building again would not help.
pub(crate) fn cached<Plan: 'static>(build: fn() -> Result<Kernel>) -> Result<&'static Arc<Kernel>> {
    of_type(TypeId::of::<Plan>(), build)
}

/// The same, once for all plans.
fn of_type(key: TypeId, build: fn() -> Result<Kernel>) -> Result<&'static Arc<Kernel>> {
    thread_local! {
        /// What this thread has looked up last: that takes no lock, in every call.
        static RECENT: [Cell<Option<(TypeId, Built)>>; 16] = const { [const { Cell::new(None) }; 16] };
    }
    let mut hasher = OfTypeId::default();
    key.hash(&mut hasher);
    let place = (hasher.finish() % 16) as usize;
    let recent = RECENT.try_with(|recent| recent[place].get());
    let built = match recent {
        Ok(Some((known, built))) if known == key => built,
        _ => {
            let built = looked_up(key, build);
            // Not in a thread that is ending.
            let _kept = RECENT.try_with(|recent| recent[place].set(Some((key, built))));
            built
        }
    };
    built.as_ref().map_err(Clone::clone)
}

#[cold]
fn looked_up(key: TypeId, build: fn() -> Result<Kernel>) -> Built {
    static KERNELS: OnceLock<Kernels> = OnceLock::new();
    let kernels = KERNELS.get_or_init(Kernels::default);
    let known = kernels.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.get(&key) {
        return found;
    }
    drop(known);
    // Two threads may build the same kernel; the first to come back wins.
    let built = build().map(Arc::new);
    let mut kernels = kernels.write().unwrap_or_else(PoisonError::into_inner);
    kernels
        .entry(key)
        .or_insert_with(|| Box::leak(Box::new(built)))
}

type Specialised = RwLock<HashMap<(usize, Roles), (Arc<Kernel>, Arc<Kernel>)>>;

/// The role of each argument, where the operand of a call gives it another. Looked up at every call on a device, so not
/// on the heap.
pub(crate) type Roles = ShortVec<Option<Role>, 4>;

/// The kernel for arguments with these roles: itself if nothing is specialised.
pub(crate) fn specialised(kernel: Arc<Kernel>, roles: Roles) -> Arc<Kernel> {
    static KERNELS: OnceLock<Specialised> = OnceLock::new();
    if roles.iter().all(Option::is_none) {
        return kernel;
    }
    // By address, since kernels that differ in source lines only have one hash. They are kept alive.
    let (kernels, key) = (
        KERNELS.get_or_init(Specialised::default),
        (Arc::as_ptr(&kernel).addr(), roles),
    );
    let known = kernels.read().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, found)) = known.get(&key) {
        return Arc::clone(found);
    }
    drop(known);
    let made = Arc::new(kernel.with_roles(&key.1));
    let mut kernels = kernels.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(&kernels.entry(key).or_insert((kernel, made)).1)
}
