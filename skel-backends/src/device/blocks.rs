//! Which block configurations devices offer.

use skel_core::plan::{BlockConfig, BlockConfigs};
use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
};

/// What was made of kernels, by their hash and the form it has: the block configuration it is for, if nothing else.
pub(crate) type OfKernels<T, F = BlockConfig> = HashMap<(u64, F), T>;

/// Work-groups of so many lanes are tried.
const LANES: [u32; 5] = [64, 128, 256, 512, 1024];

/// The usual configuration; then other numbers of lanes, up to `most_lanes`; then, where `elems` names some,
/// other numbers of elements per lane.
pub(crate) fn offered(usual: BlockConfig, most_lanes: u32, elems: &[u32]) -> BlockConfigs {
    let lanes = LANES.iter().filter(|lanes| **lanes <= most_lanes);
    let wider = lanes.map(|lanes| BlockConfig {
        lanes: *lanes,
        ..usual
    });
    let longer = elems.iter().map(|elems| BlockConfig {
        elems_per_lane: *elems,
        ..usual
    });
    let others = wider.chain(longer).filter(|block| *block != usual);
    let all = [usual].into_iter().chain(others);
    all.take(BlockConfigs::new().capacity()).collect()
}

/// Which configurations have been found not to do, of which kernels, by hash: what was launched as usual instead must
/// not be taken for them.
#[derive(Debug, Default)]
pub(crate) struct Refused(Mutex<HashSet<(u64, BlockConfig)>>);

impl Refused {
    /// From now on it is not offered.
    pub(crate) fn note(&self, kernel: u64, block: BlockConfig) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert((kernel, block));
    }

    /// Those that are left.
    pub(crate) fn without(&self, kernel: u64, mut offered: BlockConfigs) -> BlockConfigs {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        offered.retain(|block| !all.contains(&(kernel, *block)));
        offered
    }
}

/// The configuration to launch in: what is wanted, if it is offered.
pub(crate) fn chosen(
    wanted: Option<BlockConfig>,
    usual: BlockConfig,
    offered: impl FnOnce() -> BlockConfigs,
) -> BlockConfig {
    match wanted {
        Some(block) if block != usual && offered().contains(&block) => block,
        _ => usual,
    }
}

#[cfg(test)]
mod test {
    use super::*;

    const USUAL: BlockConfig = BlockConfig {
        lanes: 256,
        elems_per_lane: 8,
    };

    fn block(lanes: u32, elems_per_lane: u32) -> BlockConfig {
        BlockConfig {
            lanes,
            elems_per_lane,
        }
    }

    #[test]
    fn the_usual_one_is_first_and_none_comes_twice() {
        let all = offered(USUAL, 512, &[2, 8, 32]);
        assert_eq!(all[0], USUAL);
        let expected = [(64, 8), (128, 8), (512, 8), (256, 2), (256, 32)];
        assert_eq!(all[1..], expected.map(|(lanes, elems)| block(lanes, elems)));
        // A device of very small work-groups has no choice of lanes.
        assert_eq!(offered(block(32, 1), 32, &[])[..], [block(32, 1)]);
    }

    #[test]
    fn what_does_not_do_is_offered_no_more() {
        let (refused, all) = (Refused::default(), offered(USUAL, 512, &[2]));
        refused.note(7, block(128, 8));
        let left = refused.without(7, all.clone());
        assert_eq!(left.len(), all.len() - 1);
        assert!(!left.contains(&block(128, 8)) && left[0] == USUAL);
        // Of another kernel nothing is known.
        assert_eq!(refused.without(8, all.clone()), all);
    }

    #[test]
    fn what_is_not_offered_is_not_chosen() {
        let of = |wanted| chosen(wanted, USUAL, || offered(USUAL, 512, &[]));
        assert_eq!(of(None), USUAL);
        assert_eq!(of(Some(block(128, 8))), block(128, 8));
        for foreign in [block(1024, 8), block(0, 0), block(u32::MAX, u32::MAX)] {
            assert_eq!(of(Some(foreign)), USUAL);
        }
    }
}
