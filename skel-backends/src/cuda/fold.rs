//! Folds: one kernel, which gives a value of each leaf of tiles and the nodes of the tree over them. Scans in three
//! passes begin with the same, in several kernels.

use super::{
    device::{CudaGpu, Pending},
    launch::{Extra, Stage},
    memory::{Array, Chunk, PooledMemory},
    module::Compiled,
    partial::Places,
    streams::Queued,
};
use crate::{
    device::Launch,
    numbers::{NodeNumbers, Numbers},
    partials,
    tiling::Tiling,
};
use skel_core::{
    Result,
    frame::{Partial, Spine},
    plan::{Grouping, Phases},
};
use std::fmt;

/// Groups of nodes that a queue has words for, at least.
const LEAST_ARRIVED: u64 = 1 << 10;

/// In which the blocks are counted that have come to a group of nodes. All words are 0 between the kernels of a queue,
/// which come one after the other.
#[derive(Debug)]
pub(super) struct Arrived {
    words: PooledMemory,
    groups: u64,
}

/// Elements that a lane folds at least, before more blocks are taken; usually.
pub(super) const LEAST_PER_LANE: u32 = 8;

/// The leaves of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaves {
    pub(super) tiling: Tiling,
    pub(super) count: u64,
}

impl Leaves {
    /// Of 2^`most_level` tiles, or fewer if the launch is not aligned to so many.
    pub(super) fn new(launch: &Launch<'_, Array>, most_level: u32) -> Leaves {
        let tiling = Tiling::new(launch.kernel, &launch.space, &launch.range, most_level);
        let elems = tiling.leaf_elems(launch.kernel.grouping);
        Leaves {
            tiling,
            count: launch.range.len().div_ceil(elems) as u64,
        }
    }

    /// Where the nodes that make up the launch are listed in the table, and how many they are. A single leaf is the
    /// only one.
    fn listed(&self) -> (u64, usize) {
        let Leaves { tiling, count } = self;
        let at = match count {
            1 => 0,
            _ => 2 * count + tiling.carry_places(),
        };
        (at, tiling.count(*count))
    }

    /// What their kernels know of them.
    pub(super) fn numbers(&self, grouping: Grouping) -> NodeNumbers {
        NodeNumbers::new(&self.tiling, self.count, grouping)
    }
}

/// What a launch comes to, on its way to the host.
pub struct Value {
    chunk: Chunk,
    places: Places,
    /// Whose nodes they are; else it is one value.
    leaves: Option<Leaves>,
    /// What precedes them, of scans.
    carry: Spine,
    phases: &'static dyn Phases,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({:?}, {:?})", self.chunk, self.leaves)
    }
}

impl CudaGpu {
    /// Queues a fold: a block for each leaf.
    pub(super) fn fold(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&PooledMemory>,
    ) -> Result<Pending> {
        let places = self.places(launch)?;
        let most_level = kernel.prepared.sources[0].of_block.ilog2();
        let leaves = Leaves::new(launch, most_level);
        let len_bytes = leaves.tiling.places(leaves.count) * places.device_bytes as u64;
        let table = self.pool.take(&mut self.streams, len_bytes)?;
        let fan = kernel.prepared.sources[0].fan.ilog2();
        let passes = leaves.tiling.passes(leaves.count, fan);
        let groups = passes.map(|pass| pass.groups).sum();
        let arrived = self.arrived(queue, groups)?;
        let (at, count) = leaves.listed();
        let each = places.device_bytes;
        // The device writes what it comes to where the host reads it, if it can.
        let mut chunk = self.staging.take(&mut self.streams, count * each)?;
        let listed = chunk.lend();
        let grouping = launch.kernel.grouping;
        let stage = Stage {
            number: 0,
            // No device has memory for more.
            blocks: u32::try_from(leaves.count).unwrap_or(u32::MAX),
            numbers: Numbers {
                count: launch.range.len(),
                nodes: NodeNumbers {
                    to_leaf: leaves.tiling.end(leaves.count),
                    ..leaves.numbers(grouping)
                },
                ..Numbers::default()
            },
            extra: Extra {
                partials: Some(&table),
                listed: listed.or(Some(table.address() + at * each as u64)),
                states: Some(&arrived.words),
                status,
                ..Extra::default()
            },
        };
        match self.stage(queue, kernel, launch, &stage) {
            Ok(queued) => chunk.written_by(queued),
            Err(error) => {
                // It may have been launched before something failed. Nothing that it uses goes to others meanwhile.
                if self.streams.wait_for_all().is_ok() {
                    chunk.take_back();
                }
                return Err(error);
            }
        }
        self.arrived[queue] = Some(arrived);
        if listed.is_none() {
            let (after, from) = (table.before_read(), table.address() + at * each as u64);
            table.reads(chunk.receive(&mut self.streams, queue, &after, from)?);
        }
        Ok(Pending::Value(Box::new(Value {
            chunk,
            places,
            leaves: Some(leaves),
            carry: Spine::EMPTY,
            phases: launch.phases,
        })))
    }

    /// A word for each of so many groups of nodes: those that the queue has, if they are enough.
    fn arrived(&mut self, queue: usize, groups: u64) -> Result<Arrived> {
        if self.arrived.len() <= queue {
            self.arrived.resize_with(queue + 1, || None);
        }
        if let Some(arrived) = self.arrived[queue].take()
            && arrived.groups >= groups
        {
            return Ok(arrived);
        }
        let groups = groups.next_power_of_two().max(LEAST_ARRIVED);
        let len_bytes = groups * size_of::<u32>() as u64;
        let words = self.pool.take(&mut self.streams, len_bytes)?;
        let before = words.before_write();
        let filled = self.streams.queue(queue, &before, |stream| {
            stream.fill(words.address(), 0, len_bytes as usize)
        })?;
        words.writes(filled);
        Ok(Arrived { words, groups })
    }

    /// How the values of a fold or scan lie.
    pub(super) fn places(&self, launch: &Launch<'_, Array>) -> Result<Places> {
        let layout = launch.phases.partial_layout();
        let layout = layout.ok_or_else(|| self.gpu.failed("launch", "the plan has no partials"))?;
        Ok(Places::new(layout, launch.kernel.result_ty()))
    }

    /// Queues the kernel of a scan that gives a value of each tile, a block for 2^`level` of them.
    pub(super) fn leaves(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        (leaves, extra): (&Leaves, Extra<'_>),
        level: u32,
    ) -> Result<()> {
        let grouping = launch.kernel.grouping;
        let blocks = launch.range.len().div_ceil(grouping.tile_elems() << level);
        let stage = Stage {
            number: 0,
            // No device has memory for more.
            blocks: u32::try_from(blocks).unwrap_or(u32::MAX),
            numbers: Numbers {
                count: launch.range.len(),
                nodes: NodeNumbers {
                    level,
                    ..leaves.numbers(grouping)
                },
                ..Numbers::default()
            },
            extra,
        };
        self.stage(queue, kernel, launch, &stage).map(|_| ())
    }

    /// Queues the kernels that give the nodes above the leaves, and list those that make up the launch. A single leaf
    /// is the only node.
    pub(super) fn nodes(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        (leaves, extra): (&Leaves, Extra<'_>),
    ) -> Result<()> {
        if leaves.count == 1 {
            return Ok(());
        }
        let reach = kernel.prepared.sources[1].of_block.ilog2();
        for pass in leaves.tiling.passes(leaves.count, reach) {
            let stage = Stage {
                number: 1,
                blocks: u32::try_from(pass.groups).unwrap_or(u32::MAX),
                numbers: Numbers {
                    nodes: NodeNumbers {
                        level: pass.level,
                        to_leaf: pass.to_leaf,
                        ..leaves.numbers(launch.kernel.grouping)
                    },
                    ..Numbers::default()
                },
                extra,
            };
            self.stage(queue, kernel, launch, &stage)?;
        }
        Ok(())
    }

    /// Queues the copy of the nodes that make up the launch.
    pub(super) fn values(
        &mut self,
        queue: usize,
        launch: &Launch<'_, Array>,
        (table, places): (&PooledMemory, Places),
        leaves: &Leaves,
        carry: Spine,
    ) -> Result<Value> {
        let chunk = self.receive(queue, table, leaves.listed(), &places)?;
        Ok(Value {
            chunk,
            places,
            leaves: Some(*leaves),
            carry,
            phases: launch.phases,
        })
    }

    /// Queues the copy of one value, of all that the launch and what precedes it come to.
    pub(super) fn total(
        &mut self,
        queue: usize,
        launch: &Launch<'_, Array>,
        (table, places): (&PooledMemory, Places),
        at: u64,
    ) -> Result<Value> {
        Ok(Value {
            chunk: self.receive(queue, table, (at, 1), &places)?,
            places,
            leaves: None,
            carry: Spine::EMPTY,
            phases: launch.phases,
        })
    }

    fn receive(
        &mut self,
        queue: usize,
        table: &PooledMemory,
        (at, count): (u64, usize),
        places: &Places,
    ) -> Result<Chunk> {
        let mut chunk = self
            .staging
            .take(&mut self.streams, count * places.device_bytes)?;
        let from = table.address() + at * places.device_bytes as u64;
        let after = table.before_read();
        let queued: Queued = chunk.receive(&mut self.streams, queue, &after, from)?;
        table.reads(queued);
        Ok(chunk)
    }

    /// Waits for what a launch comes to, and joins it with what precedes it.
    pub(super) fn landed(&mut self, mut value: Value) -> Result<Spine> {
        let places = &value.places;
        let (layout, each) = (places.layout, places.device_bytes);
        let all = value.chunk.bytes(&mut self.streams)?.chunks(each.max(1));
        let values = all.map(|bytes| {
            let bytes = places.to_host(bytes);
            let fits = layout.is_valid(&bytes);
            fits.then(|| Partial::from_bytes(layout, &bytes))
        });
        let Some(values) = values.collect::<Option<Vec<Partial>>>() else {
            let message = "its result is no value of its type";
            return Err(self.gpu.failed("reduction", message));
        };
        let Some(Leaves { tiling, count }) = value.leaves else {
            let total = values.first().cloned().unwrap_or(Partial::NONE);
            return Ok(Spine::lump(total));
        };
        partials::join(value.phases, value.carry, tiling.spine(count, &values))
    }
}
