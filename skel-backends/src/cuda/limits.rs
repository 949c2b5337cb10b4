//! Whether a kernel can be run, and its sources.

use super::{fold::LEAST_PER_LANE, options::Options};
use crate::{
    codegen::cuda::{self as dialect, Member, Pointer, ScanStage, Source},
    device::blocks::{self, OfKernels, Refused},
};
use skel_core::plan::{BlockConfig, BlockConfigs, Kernel, Pattern};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads of a block.
const LANES: u32 = 256;

/// And at most.
const MOST_LANES: u32 = 1024;

/// What kernels a device takes: all that can be said in CUDA C++. Shared with the threads that make calls,
/// so that they find out before anything is moved.
#[derive(Debug, Default)]
pub struct Limits {
    /// Whether elements are loaded and stored in vectors.
    vectors: bool,
    refused: Refused,
    prepared: Mutex<OfKernels<Result<Arc<Prepared>, String>, SourceForm>>,
}

/// Which of the sources that a kernel can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SourceForm {
    /// The block configuration that they are made for.
    pub(super) block: BlockConfig,
    /// Of a scan: one kernel, which needs the carry, instead of three.
    pub(super) one_pass: bool,
}

/// A kernel as sources.
#[derive(Debug)]
pub(super) struct Prepared {
    /// What they were made for.
    pub(super) form: SourceForm,
    /// One per stage of the pattern; of elementwise kernels, another for rows by lanes.
    pub(super) sources: Vec<Source>,
    /// Why there is no source for rows by lanes, where one is wanted.
    pub(super) no_rows: Option<String>,
    /// How many status words a launch needs; none if nothing can trap.
    pub(super) status_words: usize,
}

impl Limits {
    /// Of devices with these options.
    pub(super) fn new(options: &Options) -> Limits {
        Limits {
            vectors: options.vectors,
            ..Limits::default()
        }
    }

    /// The kernel's sources, written once per kernel and form; why not, if a kernel cannot say it.
    pub(super) fn prepare(
        &self,
        kernel: &Kernel,
        form: SourceForm,
    ) -> Result<Arc<Prepared>, String> {
        let mut known = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry((kernel.hash, form))
            .or_insert_with(|| Prepared::new(kernel, form, self).map(Arc::new))
            .clone()
    }

    /// The sources of a kernel of which nothing else was asked.
    pub(super) fn usual_form(&self, kernel: &Kernel) -> SourceForm {
        SourceForm {
            block: self.usual(kernel),
            one_pass: false,
        }
    }

    /// How a kernel is launched of which nothing else was asked.
    pub(super) fn usual(&self, kernel: &Kernel) -> BlockConfig {
        let elems_per_lane = match kernel.pattern {
            Pattern::Elementwise => dialect::batch(kernel, self.vectors),
            Pattern::Sweep => 1,
            Pattern::Fold | Pattern::Scan => LEAST_PER_LANE,
        };
        BlockConfig {
            lanes: LANES,
            elems_per_lane,
        }
    }

    /// A block configuration does not do for a kernel.
    pub(super) fn refuse(&self, kernel: &Kernel, block: BlockConfig) {
        self.refused.note(kernel.hash, block);
    }

    /// As [`Driver::block_configs`](crate::device::Driver::block_configs).
    pub(super) fn block_configs(&self, kernel: &Kernel) -> BlockConfigs {
        let elems: &[u32] = match (kernel.pattern, kernel.operator) {
            (Pattern::Elementwise, None) => &dialect::batches(kernel, self.vectors),
            // A thread folds a row or column of its own.
            (Pattern::Elementwise, Some(_)) => &[],
            // Their tiles are of one size.
            (Pattern::Sweep, _) => return BlockConfigs::new(),
            (Pattern::Fold, _) => &[2, 32],
            // A lane has at most one block.
            (Pattern::Scan, _) => &[2, 16],
        };
        let offered = blocks::offered(self.usual(kernel), MOST_LANES, elems);
        self.refused.without(kernel.hash, offered)
    }
}

impl Prepared {
    /// Written now: the trap sites have this kernel's lines, which its hash does not count.
    pub(super) fn new(
        kernel: &Kernel,
        form: SourceForm,
        limits: &Limits,
    ) -> Result<Prepared, String> {
        let SourceForm { block, one_pass } = form;
        let options = dialect::SourceOptions {
            lanes: block.lanes,
            elems_per_lane: Some(block.elems_per_lane),
            vectors: limits.vectors,
        };
        let mut no_rows = None;
        let sources = match kernel.pattern {
            Pattern::Elementwise => {
                let mut sources = vec![dialect::elementwise(kernel, &options)?];
                if kernel.folds_by_lanes() {
                    match dialect::rows_by_lanes(kernel, &options) {
                        Ok(source) => sources.push(source),
                        Err(reason) => no_rows = Some(reason),
                    }
                }
                sources
            }
            Pattern::Fold => vec![dialect::fold(kernel, &options)?],
            Pattern::Sweep => vec![dialect::sweep(kernel, &options)?],
            Pattern::Scan if one_pass => {
                vec![dialect::scan(kernel, &options, ScanStage::OnePass)?]
            }
            Pattern::Scan => vec![
                dialect::scan(kernel, &options, ScanStage::Tiles)?,
                dialect::scan(kernel, &options, ScanStage::Nodes)?,
                dialect::scan(kernel, &options, ScanStage::Blocks)?,
            ],
        };
        let traps = |source: &Source| {
            let mut members = source.params.members.iter();
            members.any(|(member, ..)| *member == Member::Pointer(Pointer::Status))
        };
        let sites = sources.first().map_or(0, |source| source.sites.len());
        let status_words = match sources.iter().any(traps) {
            // Element function and operator are kept apart.
            true if kernel.operator.is_some() => 2 * sites,
            true => sites,
            false => 0,
        };
        Ok(Prepared {
            form,
            sources,
            no_rows,
            status_words,
        })
    }
}
