//! Block configurations: how a device divides elements among its lanes.

use crate::unit::NodeId;
use arrayvec::ArrayVec;
use std::fmt;

/// The block configuration of a kernel: what may be tuned of a device, and changes no result, but how floats
/// of scans are grouped by CUDA.
///
/// ```
/// use skel_core::plan::BlockConfig;
///
/// let block = BlockConfig { lanes: 128, elems_per_lane: 4 };
/// assert_eq!(block.to_string(), "128x4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockConfig {
    /// Lanes of a work-group: threads of a CUDA block.
    pub lanes: u32,
    /// Elements of a lane. Where each element is computed by itself, and in scans that CUDA makes in one pass, that
    /// many, as far as there is room; in other folds and scans, so many at least before there are more
    /// work-groups.
    pub elems_per_lane: u32,
}

impl fmt::Display for BlockConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.lanes, self.elems_per_lane)
    }
}

/// More configurations than this are not offered for a kernel.
pub const MOST_BLOCK_CONFIGS: usize = 8;

/// The configurations that a device offers for a kernel, the usual one first.
pub type BlockConfigs = ArrayVec<BlockConfig, MOST_BLOCK_CONFIGS>;

/// What was chosen for a call, by the memory node of the device. Those of which nothing is said do as usual.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks(ArrayVec<(NodeId, BlockConfig), MOST_BLOCK_CONFIGS>);

impl Blocks {
    /// From now on, the device of this node is to do it so; a ninth device does as usual.
    pub fn set(&mut self, node: NodeId, block: BlockConfig) {
        self.0.retain(|(known, _)| *known != node);
        // Speed is all that is lost.
        let _full = self.0.try_push((node, block));
    }

    /// What was chosen for this device.
    #[must_use]
    pub fn of(&self, node: NodeId) -> Option<BlockConfig> {
        let found = self.0.iter().find(|(known, _)| *known == node);
        found.map(|(_, block)| *block)
    }
}
