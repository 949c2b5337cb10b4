//! md of the Charm++ paper: charged particles in a periodic box of cells.

use super::Size;
use crate::app::{App, data};
use skel::{Context, prelude::*};

#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Particle {
    at: [f32; 3],
    speed: [f32; 3],
    charge: f32,
}

/// How many there are of what. A cell is a cube of side 1.
#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Grid {
    cells: u32,
    particles: u32,
}

const DT: f32 = 0.002;
const STEPS: usize = 3;

/// Along an axis, the shorter way round a box.
#[user_function]
fn wrapped(gap: f32, side: f32) -> f32 {
    gap - side * (gap / side).round()
}

/// What all particles in the cells around do to one: Coulomb's force, softened.
#[user_function]
fn pull(at: Index1, one: Particle, all: &[Particle], #[uniform] grid: Grid) -> [f32; 3] {
    let side = grid.cells as f32;
    let cell = at.i as u32 / grid.particles;
    let x = cell % grid.cells + grid.cells - 1;
    let y = cell / grid.cells % grid.cells + grid.cells - 1;
    let z = cell / (grid.cells * grid.cells) + grid.cells - 1;
    let mut sum = [0.0_f32; 3];
    for step in 0..27_u32 {
        let plane = (z + step / 9) % grid.cells;
        let row = plane * grid.cells + (y + step / 3 % 3) % grid.cells;
        let first = (row * grid.cells + (x + step % 3) % grid.cells) * grid.particles;
        for k in first..first + grid.particles {
            let other = all[k as usize];
            let dx = wrapped(other.at[0] - one.at[0], side);
            let dy = wrapped(other.at[1] - one.at[1], side);
            let dz = wrapped(other.at[2] - one.at[2], side);
            let square = dx * dx + dy * dy + dz * dz + 0.01;
            let force = -one.charge * other.charge / (square * square.sqrt());
            sum[0] += force * dx;
            sum[1] += force * dy;
            sum[2] += force * dz;
        }
    }
    sum
}

#[user_function]
fn moved(one: Particle, pull: [f32; 3]) -> Particle {
    let v = one.speed;
    let speed = [
        v[0] + DT * pull[0],
        v[1] + DT * pull[1],
        v[2] + DT * pull[2],
    ];
    let x = one.at;
    let at = [
        x[0] + DT * speed[0],
        x[1] + DT * speed[1],
        x[2] + DT * speed[2],
    ];
    Particle { at, speed, ..one }
}

/// The program.
pub(crate) fn md(context: &Context, size: Size) -> App {
    let grid = match size {
        Size::Tiny => Grid {
            cells: 3,
            particles: 4,
        },
        Size::Full => Grid {
            cells: 5,
            particles: 32,
        },
    };
    let pulls = map!(pull).within(context.clone());
    let moves = map!(moved).within(context.clone());
    let start = particles(grid);
    let expected = digest(&plain(&start, grid));
    let n = start.len();
    let instances = &["Map<1> force", "Map<2> move"];
    App::new(
        "md",
        instances,
        n,
        (expected, 1e-4),
        move |[force, step]| {
            let (pulls, moves) = (pulls.clone().on(force), moves.clone().on(step));
            let mut all = Vector::from(start.clone());
            for _step in 0..STEPS {
                let pull = pulls.run((&all, &all, grid))?;
                all = moves.run((&all, &pull))?;
            }
            Ok(digest(&all.host()?))
        },
    )
}

fn particles(grid: Grid) -> Vec<Particle> {
    let n = (grid.cells.pow(3) * grid.particles) as usize;
    let places = data(3 * n, 41);
    (0..n)
        .map(|k| {
            let cell = k as u32 / grid.particles;
            let corner = [
                cell % grid.cells,
                cell / grid.cells % grid.cells,
                cell / (grid.cells * grid.cells),
            ];
            Particle {
                at: [0, 1, 2].map(|d| corner[d] as f32 + places[3 * k + d]),
                speed: [0.0; 3],
                charge: if k.is_multiple_of(2) { 1.0 } else { -1.0 },
            }
        })
        .collect()
}

/// The same functions, in a loop; the example of this name compares with a program of its own.
fn plain(start: &[Particle], grid: Grid) -> Vec<Particle> {
    let mut all = start.to_vec();
    for _step in 0..STEPS {
        let each = |(i, one): (usize, &Particle)| moved(*one, pull(Index1 { i }, *one, &all, grid));
        all = all.iter().enumerate().map(each).collect();
    }
    all
}

/// How fast they have become: they were at rest.
fn digest(all: &[Particle]) -> f64 {
    let speed = |one: &Particle| {
        let squares = one.speed.map(|v| f64::from(v).powi(2));
        squares.iter().sum::<f64>().sqrt()
    };
    all.iter().map(speed).sum()
}
