//! Coulombic: the potential of charged atoms on a grid.

use super::Size;
use crate::app::{App, data, expected_sample, sample};
use skel::{Context, prelude::*};
use std::cell::RefCell;

/// An atom; the grid lies at z = 0.
#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Atom {
    x: f32,
    y: f32,
    z: f32,
    charge: f32,
}

/// A point of the grid.
#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Point {
    x: f32,
    y: f32,
}

/// The potential at a point.
#[user_function]
fn potential(point: Point, atoms: &[Atom]) -> f32 {
    let mut sum = 0.0;
    for &atom in atoms {
        let dx = atom.x - point.x;
        let dy = atom.y - point.y;
        sum += atom.charge / (dx * dx + dy * dy + atom.z * atom.z).sqrt();
    }
    sum
}

/// How many atoms there are.
const ATOMS: usize = 100;

/// The program.
pub(crate) fn coulombic(context: &Context, size: Size) -> App {
    let (rows, cols) = match size {
        Size::Tiny => (10, 16),
        Size::Full => (256, 256),
    };
    let f = map!(potential).within(context.clone());
    let numbers = data(4 * ATOMS, 21);
    let atoms: Vec<Atom> = numbers
        .chunks_exact(4)
        .map(|v| Atom {
            x: v[0] * cols as f32,
            y: v[1] * rows as f32,
            z: 1.0 + v[2],
            charge: v[3],
        })
        .collect();
    let grid: Vec<Point> = (0..rows * cols)
        .map(|k| Point {
            x: (k % cols) as f32,
            y: (k / cols) as f32,
        })
        .collect();
    let direct = |k: usize| {
        let (x, y) = (f64::from(grid[k].x), f64::from(grid[k].y));
        let part = |a: &Atom| {
            let (dx, dy, z) = (f64::from(a.x) - x, f64::from(a.y) - y, f64::from(a.z));
            f64::from(a.charge) / (dx * dx + dy * dy + z * z).sqrt()
        };
        atoms.iter().map(part).sum::<f64>()
    };
    let expected = expected_sample(rows * cols, direct);
    let out = RefCell::new(vec![0.0; rows * cols]);
    App::new(
        "Coulombic",
        &["Map<1>"],
        rows * cols,
        (expected, 1e-4),
        move |[at]| {
            let mut out = out.borrow_mut();
            f.clone().on(at).run_into((&grid, &atoms), &mut out[..])?;
            Ok(sample(&out))
        },
    )
}
