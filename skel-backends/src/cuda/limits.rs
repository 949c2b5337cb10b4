//! Whether a kernel can be run, and its sources.

use crate::codegen::cuda::{self as dialect, Member, ScanStage, Source, Stage};
use skel_core::plan::{Kernel, Pattern};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Threads of a block.
const LANES: u32 = 256;

/// What kernels a device takes: all that can be said in CUDA C++. Shared with the threads that make calls,
/// so that they find out before anything is moved.
#[derive(Debug, Default)]
pub struct Limits {
    prepared: Mutex<HashMap<u64, Result<Arc<Prepared>, String>>>,
}

/// A kernel as sources.
#[derive(Debug)]
pub(super) struct Prepared {
    /// One per stage of the pattern.
    pub(super) sources: Vec<Source>,
    /// How many status words a launch needs; none if nothing can trap.
    pub(super) status_words: usize,
}

impl Limits {
    /// The kernel's sources, written once per kernel; why not, if a kernel cannot say it.
    pub(super) fn prepare(&self, kernel: &Kernel) -> Result<Arc<Prepared>, String> {
        let mut known = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry(kernel.hash)
            .or_insert_with(|| Prepared::new(kernel).map(Arc::new))
            .clone()
    }
}

impl Prepared {
    /// Written now: the trap sites have this kernel's lines, which its hash does not count.
    pub(super) fn new(kernel: &Kernel) -> Result<Prepared, String> {
        let options = dialect::Options { lanes: LANES };
        let sources = match kernel.pattern {
            Pattern::Elementwise => vec![dialect::elementwise(kernel, &options)?],
            Pattern::Fold => vec![
                dialect::fold(kernel, &options, Stage::Groups)?,
                dialect::fold(kernel, &options, Stage::Finish)?,
            ],
            Pattern::Scan => vec![
                dialect::scan(kernel, &options, ScanStage::Totals)?,
                dialect::scan(kernel, &options, ScanStage::Carries)?,
                dialect::scan(kernel, &options, ScanStage::Blocks)?,
            ],
        };
        let traps = |source: &Source| {
            let mut members = source.params.members.iter();
            members.any(|(member, ..)| *member == Member::Status)
        };
        let sites = sources.first().map_or(0, |source| source.sites.len());
        let status_words = match sources.iter().any(traps) {
            // Element function and operator are kept apart.
            true if kernel.operator.is_some() => 2 * sites,
            true => sites,
            false => 0,
        };
        Ok(Prepared {
            sources,
            status_words,
        })
    }
}
