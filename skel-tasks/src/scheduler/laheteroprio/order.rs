//! In which order a worker looks at the lists of the grid.
//!
//! Bramas 2019, "Memory node subgroups". The buckets are looked at in blocks: those of a block at the worker's
//! memory node, then at its closest memory nodes. The other memory nodes come after all blocks.

use crate::MemoryNode;

/// The lists, by row and memory node, in the order of a worker at `node`; `others` are the other memory nodes, the
/// closest first, of which `s` are looked at with each block of `l` rows.
pub(super) fn order(
    node: MemoryNode,
    others: &[MemoryNode],
    rows: &[usize],
    s: usize,
    l: usize,
) -> Vec<(usize, MemoryNode)> {
    let (near, far) = others.split_at(s.min(others.len()));
    let mut lists = Vec::with_capacity(rows.len() * (others.len() + 1));
    for block in rows.chunks(l) {
        lists.extend(block.iter().map(|row| (*row, node)));
        for row in block {
            lists.extend(near.iter().map(|node| (*row, *node)));
        }
    }
    for row in rows {
        lists.extend(far.iter().map(|node| (*row, *node)));
    }
    lists
}
