//! A step of Jacobi's method over a sparse matrix in compressed rows: five points of a square grid.

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL, by_hand};
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

pub(crate) fn rows() -> Vec<Row> {
    [(300, Goal::OfRayon(1.1)), (1500, Goal::OfRayon(1.1))]
        .map(|(side, goal)| {
            let name = format!("Jacobi over CSR f64, {} rows", side * side);
            Row::new(name, goal, move |name, budget| jacobi(name, side, budget))
        })
        .into()
}

/// Row `i` of a step: entries from `starts[i]` to `starts[i + 1]`, without the diagonal, which is 4.
#[user_function]
fn step(at: Index1, starts: &[u32], columns: &[u32], values: &[f64], b: &[f64], x: &[f64]) -> f64 {
    let mut sum = b[at.i];
    for k in starts[at.i] as usize..starts[at.i + 1] as usize {
        sum -= values[k] * x[columns[k] as usize];
    }
    0.25 * sum
}

struct Sparse {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    b: Vec<f64>,
}

impl Sparse {
    /// Laplace's operator on a square grid, without its diagonal.
    fn grid(side: usize) -> Sparse {
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for here in 0..side * side {
            let (i, j) = (here / side, here % side);
            let neighbours = [
                (i > 0, here.wrapping_sub(side)),
                (j > 0, here.wrapping_sub(1)),
                (j + 1 < side, here + 1),
                (i + 1 < side, here + side),
            ];
            columns.extend(
                neighbours
                    .iter()
                    .filter(|(is, _)| *is)
                    .map(|(_, column)| *column as u32),
            );
            values.resize(columns.len(), -1.0);
            starts.push(columns.len() as u32);
        }
        let b = vec![1.0 / (side * side) as f64; side * side];
        Sparse {
            starts,
            columns,
            values,
            b,
        }
    }

    fn row(&self, i: usize, x: &[f64]) -> f64 {
        let mut sum = self.b[i];
        for k in self.starts[i] as usize..self.starts[i + 1] as usize {
            sum -= self.values[k] * x[self.columns[k] as usize];
        }
        0.25 * sum
    }

    /// Rows from `first` on, by iterators: only what is looked up is checked.
    fn rows_by_hand(&self, first: usize, x: &[f64], out: &mut [f64]) {
        let last = first + out.len();
        let bounds = self.starts[first..=last].windows(2);
        for ((out, b), bounds) in out.iter_mut().zip(&self.b[first..last]).zip(bounds) {
            let entries = bounds[0] as usize..bounds[1] as usize;
            let (columns, values) = (&self.columns[entries.clone()], &self.values[entries]);
            let sum = columns
                .iter()
                .zip(values)
                .fold(*b, |sum, (column, value)| sum - value * x[*column as usize]);
            *out = 0.25 * sum;
        }
    }
}

fn jacobi(name: &str, side: usize, budget: &Budget) -> Done {
    let (n, all) = (side * side, Sparse::grid(side));
    let x: Vec<f64> = (0..n).map(|i| (i % 17) as f64 / 17.0).collect();
    let skel = map!(step).on(Cpu);
    let (starts, columns) = (
        Vector::from(all.starts.clone()),
        Vector::from(all.columns.clone()),
    );
    let (values, b) = (
        Vector::from(all.values.clone()),
        Vector::from(all.b.clone()),
    );
    let (of_x, mut of_skel) = (Vector::from(x.clone()), Vector::filled(n, 0.0));
    skel.run_into((&starts, &columns, &values, &b, &of_x), &mut of_skel)?;
    let mut out = vec![0.0; n];
    by_hand::fill(&mut out, |first, out| all.rows_by_hand(first, &x, out));
    let expected: Vec<f64> = (0..n).map(|i| all.row(i, &x)).collect();
    assert!(out == expected && of_skel.host()?[..] == expected);
    let (out, of_skel) = (RefCell::new(out), RefCell::new(of_skel));
    let bytes = 12 * all.columns.len() + 28 * n;
    let race = Race::new(name, n, bytes)
        .contender(PLAIN, || {
            let mut out = out.borrow_mut();
            (0..n).for_each(|i| out[i] = all.row(i, &x));
        })
        .contender(RAYON, || {
            let mut out = out.borrow_mut();
            out.par_iter_mut()
                .enumerate()
                .for_each(|(i, out)| *out = all.row(i, &x));
        })
        .contender(HAND, || {
            by_hand::fill(&mut out.borrow_mut(), |first, out| {
                all.rows_by_hand(first, &x, out)
            });
        })
        .contender(SKEL, || {
            skel.run_into(
                (&starts, &columns, &values, &b, &of_x),
                &mut *of_skel.borrow_mut(),
            )
        });
    Ok(race.run(budget))
}
