//! A plan: what a skeleton instance means for given parameter kinds, with two faces.
//!
//! - [`Phases`], the **host face**: three monomorphised phases over a [`Frame`]. CPU units call it;
//!   dispatch is paid per piece, the user function inlines.
//! - [`Kernel`], the **device face**: the typed IR, with what each argument is for. Devices compile it.
//!
//! ```text
//! local(piece) → spine       combine(left, right) → value       finish(piece, spine before it) → spine
//! ```
//!
//! Map has only the first phase, Reduce the first two, Scan all three: there, `local` only reads, and
//! tells those behind the piece what they need before the piece is done; `finish` writes. That is all
//! that an executor knows of a skeleton, be it hybrid, a task graph, or a cluster. A [`Spine`] is the list of
//! values of the nodes that a piece's tiles consist of ([`grouping`]), so cuts between pieces change no bit.
#![allow(unsafe_code, reason = "declares what plans promise")]

mod block;
mod cache;
mod device_only;
mod explain;
pub mod grouping;
mod kernel;
mod pace;
mod step_folds;
mod step_trial;
mod temporal;

pub use block::{BlockConfig, BlockConfigs, Blocks, MOST_BLOCK_CONFIGS};
pub(crate) use cache::{cached, specialised};
pub use device_only::DeviceOnly;
pub(crate) use explain::{explained, unplaced};
pub use grouping::{Grouping, nodes};
pub use kernel::{Argument, Emission, IndexKind, Kernel, Role, SweepForm};
pub use pace::Pace;
pub use step_folds::{StepFolds, StepTotals};
pub use step_trial::{StepCalls, StepTrial, StepWay};
pub use temporal::{StepMemory, TemporalBlocks};

use crate::{
    Error, Result,
    caught::Caught,
    frame::{Before, ElementLayout, Frame, Partial, Spine},
    space::{SweepBox, SweepProgress},
};
use std::{any::TypeId, sync::Arc};

/// The shape of a computation. Units implement patterns, never skeletons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Every output element from the input elements of the same index.
    Elementwise,
    /// One value from all elements, by an associative operator.
    Fold,
    /// Every output element from the input elements up to its index, by an associative operator.
    Scan,
    /// Every element of a container from those before it in each dimension, which have been computed, and from itself
    /// and those behind it, which have not.
    Sweep,
}

impl Pattern {
    /// Whether the local phase gives a partial.
    #[must_use]
    pub fn combines(self) -> bool {
        match self {
            Pattern::Elementwise | Pattern::Sweep => false,
            Pattern::Fold | Pattern::Scan => true,
        }
    }
}

/// The host face of a plan. All functions are safe to call with any frame; a frame whose slots do not
/// fit the parameters, in order, and then the outputs, panics.
///
/// # Safety
/// A `local` of an elementwise plan or of a sweep, and a `finish` of a scan, that returns has written every element of
/// the piece in every output slot.
///
/// A user function that panics does so out of `local`, `combine` or `finish`, and so does a loop that
/// finds no memory. Units [catch](crate::caught::catch) it, and ask [`Phases::find_trap`] where it was.
pub unsafe trait Phases: Sync {
    /// The pattern.
    fn pattern(&self) -> Pattern;

    /// Elementwise plans compute the elements of the piece, and give an empty spine; sweeps do, too, of a piece that is
    /// the whole call. Folds and scans give the combination of the elements; scans write nothing.
    fn local(&self, piece: &mut Frame<'_>) -> Spine;

    /// Combines two values, the left one first. `Partial::NONE` is neutral.
    fn combine(&self, left: &Partial, right: &Partial) -> Partial {
        let _ = right;
        left.clone()
    }

    /// The layout of what folds and scans give, for devices, which give bytes.
    fn partial_layout(&self) -> Option<ElementLayout> {
        None
    }

    /// Scans: writes the outputs of the piece, which is not empty. `carry` is the combination of all that
    /// precedes it, from the first element on; what is given is the carry of what follows, with the
    /// bits of `carry` joined with `local(piece)`. So a piece whose carry is known needs no `local`.
    fn finish(&self, piece: &mut Frame<'_>, carry: &Spine) -> Spine {
        let _ = piece;
        carry.clone()
    }

    /// Folds of rows and columns: how their steps are shared.
    fn step_folds(&self) -> Option<&dyn StepFolds> {
        None
    }

    /// Sweeps: computes the elements of a tile, which are all of the piece. `progress` says which of them are computed,
    /// also if a user function panics. Other plans have no tiles.
    ///
    /// # Safety
    /// It happens after all tiles of the call that have elements before those of this one in every dimension, or at the
    /// same place; it happens before all that have some behind them; and each tile is computed once. So no other thread
    /// does anything with the elements that the tile has or sees.
    unsafe fn tile(&self, piece: &mut Frame<'_>, tile: &SweepBox, progress: &SweepProgress) {
        let _ = (piece, tile, progress);
        unreachable!("the plan of no sweep has tiles")
    }

    /// Names the plan within the process: which skeleton over which user functions and element types.
    fn id(&self) -> TypeId
    where
        Self: 'static,
    {
        TypeId::of::<Self>()
    }

    /// The device face; built once per plan.
    ///
    /// # Errors
    /// [`crate::Error::Recursion`] and [`crate::Error::Ir`].
    fn kernel(&self) -> Result<&'static Arc<Kernel>>;

    /// Runs a piece that panicked again, to find the first element whose function panics, or, where none
    /// does, what the operator panics with; and interprets that, to say where in the source it was. The
    /// piece's elements are lost; `before` is what those that are changed in place were, and `carry` what
    /// precedes the piece, where that counts. `None` if nothing panics this time.
    fn find_trap(&self, piece: Frame<'_>, before: &Before, carry: Partial) -> Option<Error>;

    /// What the panic of combining these two partials is as an error.
    fn combine_trap(&self, left: &Partial, right: &Partial, caught: Caught) -> Error {
        let _ = (left, right);
        explain::unplaced(self.kernel(), "an operator", None, caught)
    }
}

/// What a panic that [`Phases::find_trap`] does not find again is as an error.
pub fn unplaced_trap(plan: &dyn Phases, instance: &str, caught: Caught) -> Error {
    explain::unplaced(plan.kernel(), instance, None, caught)
}
