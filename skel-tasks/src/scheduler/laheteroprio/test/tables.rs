//! The tables of Bramas 2019, as data.

use super::super::{
    affinity::{FORMULAS, Formula, Locality, THETA_PARTS},
    distance::{Ties, Transfers, closest, difference},
    order::order,
};
use crate::{MemoryNode, NodeSet};

/// A row of table 1: what a task accesses (name, mode, size), what each memory node hosts, and of each formula
/// the scores and the winners.
struct Selection {
    data: &'static [(char, char, u64)],
    hosts: [&'static str; 3],
    sdh: ([f64; 3], &'static [u8]),
    sdh2: ([f64; 3], &'static [u8]),
    sdhb: ([f64; 3], &'static [u8]),
    smwb: ([f64; 3], &'static [u8]),
}

const ALL: &[u8] = &[0, 1, 2];
const READ_WRITE: &[(char, char, u64)] = &[('A', 'R', 1), ('B', 'W', 1)];

/// Table 1. Of the fifth row, the paper prints MN2 as the winner of LS_SDH; by the formula, MN1 is as good.
const TABLE_1: [Selection; 7] = [
    Selection {
        data: READ_WRITE,
        hosts: ["A", "A", "B"],
        sdh: ([1.0, 1.0, 1.0], ALL),
        sdh2: ([1.0, 1.0, 1.0], ALL),
        sdhb: ([1.0, 1.0, 1000.0], &[2]),
        smwb: ([1.5, 1.5, 1.0], &[2]),
    },
    Selection {
        data: READ_WRITE,
        hosts: ["A", "AB", "B"],
        sdh: ([1.0, 2.0, 1.0], &[1]),
        sdh2: ([1.0, 2.0, 1.0], &[1]),
        sdhb: ([1.0, 1001.0, 1000.0], &[1]),
        smwb: ([1.5, 0.0, 1.0], &[1]),
    },
    Selection {
        data: &[('A', 'W', 1), ('B', 'W', 1), ('C', 'W', 2)],
        hosts: ["AB", "C", "AC"],
        sdh: ([2.0, 2.0, 3.0], &[2]),
        sdh2: ([2.0, 4.0, 5.0], &[2]),
        sdhb: ([4000.0, 2000.0, 6000.0], &[2]),
        smwb: ([2.0, 2.0, 1.0], &[2]),
    },
    Selection {
        data: &[('A', 'W', 1), ('B', 'W', 1), ('C', 'W', 1)],
        hosts: ["AB", "AB", "AC"],
        sdh: ([2.0, 2.0, 2.0], ALL),
        sdh2: ([2.0, 2.0, 2.0], ALL),
        sdhb: ([4000.0, 4000.0, 4000.0], ALL),
        smwb: ([1.0, 1.0, 1.0], ALL),
    },
    Selection {
        data: &[('A', 'R', 2), ('B', 'R', 1), ('C', 'W', 2), ('D', 'W', 2)],
        hosts: ["AB", "AC", "CD"],
        sdh: ([3.0, 4.0, 4.0], &[1, 2]),
        sdh2: ([3.0, 6.0, 8.0], &[2]),
        sdhb: ([3.0, 2002.0, 8000.0], &[2]),
        smwb: ([6.0, 4.0, 3.0], &[2]),
    },
    Selection {
        data: &[
            ('A', 'W', 10),
            ('B', 'W', 11),
            ('C', 'W', 18),
            ('D', 'W', 11),
        ],
        hosts: ["AD", "C", "BD"],
        sdh: ([21.0, 18.0, 22.0], &[2]),
        sdh2: ([221.0, 324.0, 242.0], &[1]),
        sdhb: ([42_000.0, 18_000.0, 44_000.0], &[2]),
        smwb: ([29.0, 32.0, 28.0], &[2]),
    },
    Selection {
        data: &[
            ('A', 'W', 10),
            ('B', 'W', 11),
            ('C', 'W', 22),
            ('D', 'W', 11),
        ],
        hosts: ["AD", "C", "BD"],
        sdh: ([21.0, 22.0, 22.0], &[1, 2]),
        sdh2: ([221.0, 484.0, 242.0], &[1]),
        sdhb: ([42_000.0, 22_000.0, 44_000.0], &[2]),
        smwb: ([33.0, 32.0, 32.0], &[1, 2]),
    },
];

#[test]
fn table_1_scores_and_winners() {
    for (k, row) in TABLE_1.iter().enumerate() {
        let mut task = Locality::new(3, 1_000 * THETA_PARTS, false);
        for &(name, mode, bytes) in row.data {
            let hosts = (0..3).filter(|node| row.hosts[*node].contains(name));
            let valid: NodeSet = hosts.map(|node| MemoryNode(node as u8)).collect();
            task.add(mode == 'W', bytes, valid);
        }
        let columns = [row.sdh, row.sdh2, row.sdhb, row.smwb];
        for (formula, (scores, winners)) in FORMULAS.into_iter().zip(columns) {
            let parts = match formula {
                Formula::Sdh | Formula::Sdh2 => 1,
                Formula::Sdhb => THETA_PARTS,
                Formula::Smwb => row.data.len() as u128,
            };
            let found = [0, 1, 2].map(|node| task.score(formula, node) as f64 / parts as f64);
            assert_eq!(found, scores, "row {k}, {formula:?}");
            // A winner wins where the push comes from it; else the first of them does.
            for home in 0..3 {
                let expected = *winners
                    .iter()
                    .find(|node| **node == home)
                    .unwrap_or(&winners[0]);
                let best = task.best(formula, MemoryNode(home));
                assert_eq!(best, MemoryNode(expected), "row {k}, {formula:?}, {home}");
            }
        }
    }
}

const NONE: Option<u64> = None;

/// Rows of table 2: the priorities of each bucket for i and for j, and the fraction that the distance is less
/// than 1.
type Difference = ([Option<u64>; 4], [Option<u64>; 4], (u64, u64));

const TABLE_2: [Difference; 6] = [
    (
        [NONE, Some(1), Some(2), NONE],
        [Some(2), Some(1), Some(0), NONE],
        (4, 10),
    ),
    (
        [NONE, Some(1), Some(2), NONE],
        [Some(0), Some(1), NONE, NONE],
        (2, 10),
    ),
    (
        [NONE, Some(1), Some(2), NONE],
        [Some(0), Some(1), Some(2), NONE],
        (0, 10),
    ),
    (
        [NONE, Some(3), Some(1), Some(2)],
        [Some(0), Some(1), Some(2), Some(3)],
        (4, 15),
    ),
    (
        [NONE, Some(3), Some(1), Some(2)],
        [Some(0), Some(1), Some(3), Some(2)],
        (4, 15),
    ),
    (
        [NONE, Some(3), Some(1), Some(2)],
        [Some(0), Some(3), Some(2), Some(1)],
        (2, 15),
    ),
];

#[test]
fn table_2_differences_of_priorities() {
    for (i, j, expected) in TABLE_2 {
        assert_eq!(difference(&i, &j), expected);
        assert_eq!(difference(&j, &i), expected);
    }
    // The other place of the bucket that j has not, which gives the same.
    let other = [NONE, Some(0), Some(1), NONE];
    assert_eq!(difference(&TABLE_2[1].0, &other), (2, 10));
    assert_eq!(difference(&[], &[]), (0, 1));
}

/// The memory nodes of table 3, by letters.
const CPU: u8 = 0;
const GPU_0: u8 = 1;
const GPU_1: u8 = 2;

/// Table 3A as it is printed, and as table 3B follows from it.
const TABLE_3A: [[f64; 3]; 3] = [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [0.5, 1.0, 0.0]];
const CPU_EVEN: [f64; 3] = [0.0, 0.5, 0.5];

fn access_order(
    node: u8,
    distances: &[f64],
    ties: Ties,
    rows: &[usize],
    s: usize,
) -> Vec<(usize, u8)> {
    let node = MemoryNode(node);
    let lists = order(node, &closest(node, distances, ties), rows, s, 2);
    lists.into_iter().map(|(row, node)| (row, node.0)).collect()
}

/// The order for GPUs, of which `own` is the worker's.
fn by_gpu(own: u8, other: u8) -> [(usize, u8); 9] {
    [
        (3, own),
        (2, own),
        (3, CPU),
        (2, CPU),
        (1, own),
        (1, CPU),
        (3, other),
        (2, other),
        (1, other),
    ]
}

/// The order for CPUs, where `first` is the closer GPU.
pub(super) fn by_cpu(first: u8, second: u8) -> [(usize, u8); 12] {
    [
        (0, CPU),
        (1, CPU),
        (0, first),
        (0, second),
        (1, first),
        (1, second),
        (2, CPU),
        (3, CPU),
        (2, first),
        (2, second),
        (3, first),
        (3, second),
    ]
}

#[test]
fn table_3_access_orders() {
    let gpu = |node: u8| {
        let distances = &TABLE_3A[usize::from(node)];
        access_order(node, distances, Ties::Lowest, &[3, 2, 1], 1)
    };
    assert_eq!(gpu(GPU_0), by_gpu(GPU_0, GPU_1));
    assert_eq!(gpu(GPU_1), by_gpu(GPU_1, GPU_0));
    let cpu = |distances: &[f64], ties| access_order(CPU, distances, ties, &[0, 1, 2, 3], 2);
    assert_eq!(cpu(&TABLE_3A[0], Ties::Lowest), by_cpu(GPU_0, GPU_1));
    assert_eq!(cpu(&TABLE_3A[0], Ties::Highest), by_cpu(GPU_0, GPU_1));
    assert_eq!(cpu(&CPU_EVEN, Ties::Lowest), by_cpu(GPU_0, GPU_1));
    assert_eq!(cpu(&CPU_EVEN, Ties::Highest), by_cpu(GPU_1, GPU_0));
}

#[test]
fn distances_are_half_priorities_and_half_transfers() {
    // The priorities of table 3, and GPUs whose copies to each other go through the host.
    let transfers = Transfers::new(&super::machine(1, 2));
    let (cpu, gpu) = (
        [Some(0), Some(1), Some(2), Some(3)],
        [NONE, Some(2), Some(1), Some(0)],
    );
    let (unlike, alike) = (difference(&cpu, &gpu), difference(&gpu, &gpu));
    assert_eq!((unlike, alike), ((5, 15), (0, 10)));
    let of = |a, b, difference, alpha| {
        transfers.distance(MemoryNode(a), MemoryNode(b), difference, alpha)
    };
    assert_eq!(of(GPU_0, GPU_1, alike, 0.5), 1.0);
    let to_cpu = 0.5 * (1.0 - 5.0 / 15.0) + 0.5 * 0.5;
    assert_eq!(of(GPU_0, CPU, unlike, 0.5), to_cpu);
    assert_eq!(of(CPU, GPU_1, unlike, 0.5), to_cpu);
    assert_eq!(of(CPU, GPU_1, unlike, 0.0), 0.5);
    assert_eq!(of(CPU, GPU_1, unlike, 1.0), 1.0 - 5.0 / 15.0);
}
