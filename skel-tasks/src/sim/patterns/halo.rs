//! A stencil whose blocks exchange copies of their borders.

use crate::{
    HandleId, MemoryNode,
    sim::{Program, patterns::grid::tiles},
};

/// A stencil over a row of blocks, as StarPU's example `stencil` has it: two layers of `block_bytes` for each block, of
/// which one is computed from the other in turn, and beside each block copies of its neighbours' borders, of
/// `border_bytes` and in two layers, too. In each step every block is updated, which reads the borders; then its own two
/// borders are copied to its neighbours. Blocks are a ring. All tasks are of the kind `stencil`, with the bytes that they
/// write as work.
///
/// ```
/// use skel_tasks::sim::patterns;
///
/// // An update and two copies for each block, but for copies after the last step.
/// assert_eq!(patterns::stencil_halo(10, 4, 1 << 20, 1 << 12).len(), 3 * 40 - 20);
/// ```
#[must_use]
pub fn stencil_halo(blocks: usize, steps: usize, block_bytes: u64, border_bytes: u64) -> Program {
    let name = format!("stencil of {blocks} blocks with borders, {steps} steps");
    let mut program = Program::new(name);
    let kind = program.kind("stencil");
    let layers = tiles(&mut program, blocks, 2, block_bytes);
    // Of each block: what is above it, and what is below it.
    let mut borders = || -> Vec<[HandleId; 2]> {
        let border = |_| [(); 2].map(|()| program.data_at(border_bytes, MemoryNode::HOST));
        (0..blocks).map(border).collect()
    };
    let (above, below) = (borders(), borders());
    for step in 0..steps {
        let (old, new) = (step % 2, (step + 1) % 2);
        for (block, own) in layers.iter().enumerate() {
            let mut task = program.task(kind);
            for border in above[block].iter().chain(&below[block]) {
                task = task.reads(*border);
            }
            // The borders are copied into the layer that is read.
            let task = task.updates(own[old]).updates(own[new]);
            task.work(block_bytes).add();
        }
        if step + 1 == steps {
            break;
        }
        for (block, own) in layers.iter().enumerate() {
            let (up, down) = ((block + blocks - 1) % blocks, (block + 1) % blocks);
            for border in [&below[up], &above[down]] {
                let mut task = program.task(kind);
                for layer in own {
                    task = task.reads(*layer);
                }
                for layer in border {
                    task = task.writes(*layer);
                }
                task.work(2 * border_bytes).add();
            }
        }
    }
    program
}
