//! The order of lists at all values of S and l, and under the engine.

use super::{engine, machine, next, submit, tables::by_cpu};
use crate::{
    MemoryNode, TaskId,
    scheduler::{
        Affinity, Block, Buckets, LaHeteroprio, PerArch, Ties,
        laheteroprio::{distance::closest, order::order},
    },
};

/// The order by the words of the paper, one list after the other.
fn by_words(own: u8, others: &[u8], rows: &[usize], s: usize, l: usize) -> Vec<(usize, u8)> {
    let mut lists = Vec::new();
    let mut block = 0;
    while block < rows.len() {
        let end = rows.len().min(block + l);
        for &row in &rows[block..end] {
            lists.push((row, own));
        }
        for &row in &rows[block..end] {
            for &other in &others[..s] {
                lists.push((row, other));
            }
        }
        block = end;
    }
    for &row in rows {
        for &other in &others[s..] {
            lists.push((row, other));
        }
    }
    lists
}

fn lists(s: usize, l: usize) -> Vec<(usize, u8)> {
    let others = [MemoryNode(2), MemoryNode(0)];
    let lists = order(MemoryNode(1), &others, &[4, 5, 6], s, l);
    lists.into_iter().map(|(row, node)| (row, node.0)).collect()
}

#[test]
fn orders_are_those_of_the_words_for_all_s_and_l() {
    let rows = [3, 1, 0, 2, 7];
    for nodes in 1..5_u8 {
        let others: Vec<u8> = (1..nodes).rev().collect();
        let ids: Vec<MemoryNode> = others.iter().map(|node| MemoryNode(*node)).collect();
        for s in 0..usize::from(nodes) {
            for l in 1..=rows.len() + 1 {
                let found = order(MemoryNode(0), &ids, &rows, s, l);
                let found: Vec<_> = found.into_iter().map(|(row, node)| (row, node.0)).collect();
                assert_eq!(found, by_words(0, &others, &rows, s, l), "{nodes} {s} {l}");
                let mut each = found.clone();
                each.sort_unstable();
                each.dedup();
                assert_eq!(each.len(), rows.len() * usize::from(nodes));
            }
        }
    }
}

#[test]
fn boundary_values_are_the_two_plain_orders() {
    // All memory nodes and single buckets: by rows.
    let by_rows = [4, 5, 6].map(|row| [(row, 1), (row, 2), (row, 0)]);
    assert_eq!(lists(2, 1), by_rows.concat());
    // No close memory nodes: the own ones whatever l is, then the others.
    let own = [(4, 1), (5, 1), (6, 1)];
    let others = [(4, 2), (4, 0), (5, 2), (5, 0), (6, 2), (6, 0)];
    for l in 1..=4 {
        assert_eq!(lists(0, l), [&own[..], &others].concat());
    }
    // One block: the same, since all others are looked at after it.
    assert_eq!(lists(2, 3), [&own[..], &others].concat());
    // One block and one close memory node: by memory nodes.
    let by_nodes = [1, 2, 0].map(|node| [(4, node), (5, node), (6, node)]);
    assert_eq!(lists(1, 3), by_nodes.concat());
}

#[test]
fn closer_memory_nodes_are_first_and_ties_are_decided() {
    let closest = |ties| closest(MemoryNode(1), &[0.5, 0.0, 0.25, 0.5], ties);
    let nodes = |numbers: [u8; 3]| numbers.map(MemoryNode);
    assert_eq!(closest(Ties::Lowest), nodes([2, 0, 3]));
    assert_eq!(closest(Ties::Highest), nodes([2, 3, 0]));
}

/// The machine of table 3 with a task in each list, and in which order a worker takes them.
fn taken_by(worker: u32, ties: Ties) -> Vec<(usize, u8)> {
    let scheduler = LaHeteroprio {
        buckets: Buckets::default()
            .order("cpu", &[0, 1, 2, 3])
            .order("gpu", &[3, 2, 1]),
        affinity: Affinity::LaRu,
        s: PerArch::all(1).arch("cpu", 2),
        l: PerArch::all(Block::Buckets(2)),
        ties,
        ..LaHeteroprio::default()
    };
    let mut engine = engine(machine(1, 2), &scheduler);
    let lists = (0..4_usize).flat_map(|bucket| (0..3_u8).map(move |node| (bucket, node)));
    let tasks: Vec<(TaskId, (usize, u8))> = lists
        .map(|(bucket, node)| {
            let task = submit(&mut engine, bucket as u32, &[], Some(node.into()));
            (task, (bucket, node))
        })
        .collect();
    let list = |task| tasks.iter().find(|(other, _)| *other == task).unwrap().1;
    std::iter::from_fn(|| next(&mut engine, worker).map(list)).collect()
}

#[test]
fn table_3_under_the_engine() {
    // By Eq. 12, both GPUs are as far from the CPU, and the CPU is closer to a GPU than the other GPU.
    assert_eq!(taken_by(0, Ties::Lowest), by_cpu(1, 2));
    assert_eq!(taken_by(0, Ties::Highest), by_cpu(2, 1));
    for (own, other) in [(1, 2), (2, 1)] {
        let close = [(3, own), (2, own), (3, 0), (2, 0), (1, own), (1, 0)];
        let far = [(3, other), (2, other), (1, other)];
        let expected = [&close[..], &far].concat();
        assert_eq!(taken_by(own.into(), Ties::Lowest), expected);
    }
}
