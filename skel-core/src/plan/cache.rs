//! Each plan's kernel, built once per process.

use super::Kernel;
use crate::Result;
use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

type Kernels = RwLock<HashMap<TypeId, Result<Arc<Kernel>>>>;

/// The kernel of the plan type `Plan`. Failures are kept, too: building again would not help.
pub(crate) fn cached<Plan: 'static>(build: impl FnOnce() -> Result<Kernel>) -> Result<Arc<Kernel>> {
    static KERNELS: OnceLock<Kernels> = OnceLock::new();
    let (kernels, key) = (KERNELS.get_or_init(Kernels::default), TypeId::of::<Plan>());
    if let Some(found) = kernels
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&key)
    {
        return found.clone();
    }
    // Two threads may build the same kernel; the first to come back wins.
    let built = build().map(Arc::new);
    kernels
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .entry(key)
        .or_insert(built)
        .clone()
}
