//! Random programs: order from data, of all ways of access.

use crate::{HandleId, MemoryNode, sim::Program, split_mix::SplitMix};

/// Tasks of three kinds, each of which reads up to three of `data` handles and writes or updates up to two, on
/// handles of up to 64 kB, half of which have content at first. Some wait for another one besides, some have
/// priorities. The same seed gives the same program.
///
/// ```
/// use skel_tasks::sim::patterns;
///
/// let program = patterns::random_graph(100, 10, 7);
/// assert_eq!(program.len(), 100);
/// ```
#[must_use]
pub fn random_graph(tasks: usize, data: usize, seed: u64) -> Program {
    let mut program = Program::new(format!("random graph of {tasks} tasks, seed {seed}"));
    let mut numbers = SplitMix::new(seed);
    let data = data.max(1);
    let kinds = ["light", "medium", "heavy"].map(|kind| program.kind(kind));
    let mut has_content = Vec::with_capacity(data);
    let handles: Vec<HandleId> = (0..data)
        .map(|_| {
            let bytes = 1 + numbers.below(64_000);
            has_content.push(numbers.below(2) == 0);
            match has_content.last() {
                Some(true) => program.data_at(bytes, MemoryNode::HOST),
                _ => program.data(bytes),
            }
        })
        .collect();
    for position in 0..tasks {
        let kind = numbers.below(3) as usize;
        let mut used = Vec::new();
        let mut task = program
            .task(kinds[kind])
            .work((1 + numbers.below(1_000)) * 10_u64.pow(kind as u32));
        for access in 0..1 + numbers.below(5) {
            let k = numbers.below(data as u64) as usize;
            if used.contains(&k) {
                continue;
            }
            used.push(k);
            let handle = handles[k];
            task = match (access, has_content[k], numbers.below(6)) {
                (0..3, true, 0..5) => task.reads(handle),
                (_, true, 0..4) => task.updates(handle),
                (_, true, 4) => task.access(handle, crate::Mode::Commute),
                _ => task.writes(handle),
            };
            has_content[k] = true;
        }
        if position > 0 && numbers.below(8) == 0 {
            task = task.after(numbers.below(position as u64) as usize);
        }
        task.priority(numbers.below(4) as i32).add();
    }
    program
}
