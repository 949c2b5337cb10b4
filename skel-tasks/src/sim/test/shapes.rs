//! Patterns, executed with one number per tile or block: that they compute what they are called.

use super::*;
use crate::split_mix::SplitMix;
use std::collections::{BTreeMap, HashMap};

/// Sets that become one.
struct Union(Vec<usize>);

impl Union {
    fn root(&self, mut k: usize) -> usize {
        while self.0[k] != k {
            k = self.0[k];
        }
        k
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
    }
}

/// A matrix whose entries are a program's data.
struct Matrix {
    values: Vec<f64>,
    rows: Union,
    columns: Union,
    /// Of each column, when its first pivot was found.
    found: HashMap<usize, usize>,
}

impl Matrix {
    /// Executes a QR factorisation by tiles of 1 × 1, in the order of submission. Which tiles are of one row and column
    /// follows from the tasks that they are in.
    fn factorise(program: &Program) -> (BTreeMap<(usize, usize), f64>, Matrix) {
        let all = program.all_data();
        let start: Vec<f64> = (0..all.len())
            .map(|k| match all[k].home {
                Some(_) => SplitMix::of(1, k as u64).unit() - 0.5,
                None => 0.0,
            })
            .collect();
        let mut it = Matrix {
            values: start.clone(),
            rows: Union((0..all.len()).collect()),
            columns: Union((0..all.len()).collect()),
            found: HashMap::new(),
        };
        let mut rotations = HashMap::new();
        for (position, task) in program.tasks().enumerate() {
            let at: Vec<usize> = task.accesses.iter().map(|of| of.handle.slot()).collect();
            match program.kinds()[task.kind.0 as usize].as_str() {
                "geqrt" => _ = it.found.insert(at[0], position),
                "unmqr" => it.rows.join(at[0], at[2]),
                "tsqrt" => {
                    it.columns.join(at[0], at[1]);
                    let (above, below) = (it.values[at[0]], it.values[at[1]]);
                    let norm = above.hypot(below);
                    rotations.insert(at[2], (at[0], above / norm, below / norm));
                    (it.values[at[0]], it.values[at[1]]) = (norm, 0.0);
                }
                _ => {
                    it.columns.join(at[2], at[3]);
                    it.rows.join(at[0], at[3]);
                    let (pivot, c, s) = rotations[&at[1]];
                    // Where the pivot's row was zero, nothing else says that this is of it.
                    it.rows.join(pivot, at[2]);
                    let (above, below) = (it.values[at[2]], it.values[at[3]]);
                    it.values[at[2]] = c * above + s * below;
                    it.values[at[3]] = c * below - s * above;
                }
            }
        }
        (it.gram(&start), it)
    }

    /// AᵀA, by columns.
    fn gram(&self, values: &[f64]) -> BTreeMap<(usize, usize), f64> {
        let mut rows: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for (k, value) in values
            .iter()
            .enumerate()
            .filter(|(_, value)| **value != 0.0)
        {
            let entry = (self.columns.root(k), *value);
            rows.entry(self.rows.root(k)).or_default().push(entry);
        }
        let mut gram = BTreeMap::new();
        for row in rows.values() {
            for (a, x) in row {
                row.iter()
                    .for_each(|(b, y)| *gram.entry((*a, *b)).or_insert(0.0) += x * y);
            }
        }
        gram
    }
}

/// Without a task too few, R has the matrix's AᵀA; and of rows that are left, no two begin in the same column.
#[test]
fn factorisations_give_a_triangle_with_the_matrix_s_products_of_columns() {
    for program in [
        patterns::qr(6, 1),
        patterns::multifrontal_qr(1, 4, 1),
        patterns::multifrontal_qr(2, 3, 1),
        patterns::multifrontal_qr(4, 5, 1),
    ] {
        let (before, matrix) = Matrix::factorise(&program);
        let after = matrix.gram(&matrix.values);
        assert!(before.len() > 15, "{}", program.name());
        for (columns, value) in &before {
            let now = after.get(columns).copied().unwrap_or(0.0);
            assert!(
                (value - now).abs() < 1e-9,
                "{}: {value} {now}",
                program.name()
            );
        }
        // A column is eliminated for good where its last pivot was found.
        let mut found: HashMap<usize, usize> = HashMap::new();
        for (tile, position) in &matrix.found {
            let last = found.entry(matrix.columns.root(*tile)).or_default();
            *last = (*last).max(*position);
        }
        let mut first: HashMap<usize, usize> = HashMap::new();
        for (k, value) in matrix.values.iter().enumerate() {
            if value.abs() > 1e-12 {
                let position = found[&matrix.columns.root(k)];
                let begin = first.entry(matrix.rows.root(k)).or_insert(position);
                *begin = (*begin).min(position);
            }
        }
        let mut begins: Vec<usize> = first.values().copied().collect();
        let rows = begins.len();
        begins.sort_unstable();
        begins.dedup();
        assert_eq!(begins.len(), rows, "{}", program.name());
        assert_eq!(
            rows,
            found.len(),
            "{}: a row for each column",
            program.name()
        );
    }
}

#[test]
fn a_stencil_with_borders_computes_what_a_loop_does() {
    const BLOCKS: usize = 7;
    const STEPS: usize = 5;
    let program = patterns::stencil_halo(BLOCKS, STEPS, 8, 1);
    let big = |k: usize| program.all_data()[k].bytes == 8;
    // Of each block its older layer, and of borders what lies in blocks when the program begins.
    let mut values: Vec<u64> = (0..program.all_data().len()).map(|k| k as u64).collect();
    let blocks: Vec<[usize; 2]> = (0..BLOCKS)
        .map(|block| [2 * block, 2 * block + 1])
        .collect();
    let mut plain: Vec<u64> = blocks.iter().map(|layers| values[layers[0]]).collect();
    let mut updates = 0;
    for task in program.tasks() {
        let at: Vec<usize> = task.accesses.iter().map(|of| of.handle.slot()).collect();
        match at.len() {
            // Borders above in both layers, below in both layers, then the layer that is read and the other.
            6 => {
                let (step, block) = (updates / BLOCKS, updates % BLOCKS);
                updates += 1;
                let [above, below] = [at[step % 2], at[2 + step % 2]];
                if step == 0 {
                    let ring = |by: usize| blocks[(block + by) % BLOCKS][0];
                    (values[above], values[below]) =
                        (plain[ring(BLOCKS - 1) / 2], plain[ring(1) / 2]);
                }
                assert!(big(at[4]) && big(at[5]) && !big(at[0]));
                values[at[5]] = values[above] + 2 * values[at[4]] + 3 * values[below];
            }
            _ => (0..2).for_each(|layer| values[at[2 + layer]] = values[at[layer]]),
        }
    }
    for _ in 0..STEPS {
        let at = |k: usize| plain[k % BLOCKS];
        let next = (0..BLOCKS).map(|k| at(k + BLOCKS - 1) + 2 * at(k) + 3 * at(k + 1));
        plain = next.collect();
    }
    let last = blocks.iter().map(|layers| values[layers[STEPS % 2]]);
    assert_eq!(last.collect::<Vec<_>>(), plain);
}
