//! The multi-zone benchmarks of the example `npb_mz`: whose border gets whose points, and the norms on a device that CUDA
//! drives. On a machine without one, a CUDA driver of our own stands for it.
//!
//! An executable of its own: the example's calls run in the default context, which has the devices of the process.

#[path = "../common/cuda_driver.rs"]
mod driver;
#[allow(dead_code, reason = "the example has more than is tested")]
#[path = "../../examples/npb_mz/solver/mod.rs"]
mod solver;

use skel::{
    DefaultContext,
    prelude::*,
    tasks::{
        Steps,
        npb_mz::{Benchmark, Class, Mesh},
    },
};
use solver::{
    equations::{Grid, State},
    exchange::{Faces, Neighbours, receive},
    field::Field,
    reference,
};
use std::{
    env,
    io::{Write, stderr},
    process::Command,
};

/// What a point of a zone has, so that no two of a mesh have the same.
fn label(zone: usize, [plane, row, col]: [usize; 3]) -> State {
    [zone, plane, row, col, 1].map(|number| number as f64)
}

/// Points of a zone that no neighbour has written.
const UNTOUCHED: f64 = -1.0;

fn zone(mesh: &Mesh, number: usize) -> (Grid, Tensor3<State>) {
    let grid = Grid::new(mesh, number, 0.01);
    let [nz, ny, nx] = extents(&grid);
    let is_inner = |[plane, row, col]: [usize; 3]| {
        let inner = |at: usize, n: usize| 0 < at && at + 1 < n;
        inner(plane, nz) && inner(row, ny) && inner(col, nx)
    };
    let u = (0..nz * ny * nx).map(|at| {
        let at = [at / nx / ny, at / nx % ny, at % nx];
        match is_inner(at) {
            true => label(number, at),
            false => [UNTOUCHED; 5],
        }
    });
    let u = Tensor3::from_vec(nz, ny, nx, u.collect()).unwrap();
    (grid, u)
}

fn extents(grid: &Grid) -> [usize; 3] {
    [grid.nz, grid.ny, grid.nx].map(|n| n as usize)
}

/// What a border point must have: the neighbour's point that lies there; nothing on edges, and at both ends along z.
fn expected(mesh: &Mesh, number: usize, grid: &Grid, at: [usize; 3]) -> State {
    let [nz, ny, nx] = extents(grid);
    let [plane, row, col] = at;
    let inner = |at: usize, n: usize| 0 < at && at + 1 < n;
    if !inner(plane, nz) || !inner(row, ny) && !inner(col, nx) {
        return [UNTOUCHED; 5];
    }
    // The second point from the near side, or the second from the far side, of a zone which may be wider.
    let far = |zone: usize, dimension: usize| {
        let grid = Grid::new(mesh, zone, 0.01);
        extents(&grid)[dimension] - 2
    };
    match (row, col) {
        (_, 0) => label(mesh.west(number), [plane, row, far(mesh.west(number), 2)]),
        (_, x) if x == nx - 1 => label(mesh.east(number), [plane, row, 1]),
        (0, _) => label(mesh.south(number), [plane, far(mesh.south(number), 1), col]),
        (y, _) if y == ny - 1 => label(mesh.north(number), [plane, 1, col]),
        _ => label(number, at),
    }
}

/// SP and LU verify with wrong neighbours as well, since their zones are alike: so each point says where it comes from.
/// A mesh of three zones or more in each direction, of which east is not west; unlike ones in BT.
#[test]
fn each_border_gets_what_lies_behind_it() {
    for benchmark in [Benchmark::Sp, Benchmark::Bt, Benchmark::Lu] {
        let mesh = Mesh::new(benchmark, Class::W);
        assert!(mesh.x_zones() > 2 && mesh.y_zones() > 2);
        let mut zones: Vec<_> = (0..mesh.len()).map(|number| zone(&mesh, number)).collect();
        let faces = zones.iter().map(|(grid, u)| {
            let mut faces = Faces::new(grid).unwrap();
            faces.take(u, grid).unwrap();
            faces
        });
        let faces: Vec<Faces> = faces.collect();
        for (number, (grid, u)) in zones.iter_mut().enumerate() {
            let from = Neighbours {
                west: &faces[mesh.west(number)],
                east: &faces[mesh.east(number)],
                south: &faces[mesh.south(number)],
                north: &faces[mesh.north(number)],
            };
            receive(u, grid, &from).unwrap();
            let [_, ny, nx] = extents(grid);
            for (at, found) in u.host().unwrap().iter().enumerate() {
                let at = [at / nx / ny, at / nx % ny, at % nx];
                let expected = expected(&mesh, number, grid, at);
                assert_eq!(*found, expected, "{benchmark}, zone {number}, {at:?}");
            }
        }
    }
}

/// The steps of a benchmark whose zones are shared so; checks that nothing is copied but borders between the two memories.
fn steps(mesh: Mesh, units: &str, count: usize) -> Field {
    let context = DefaultContext.get();
    let benchmark = mesh.benchmark();
    let mut steps = Steps::parse(context, units, "static").unwrap();
    let mut field = Field::new(mesh).unwrap();
    field.step(&mut steps).unwrap();
    field.restart().unwrap();
    // The zones come in the first step.
    field.step(&mut steps).unwrap();
    let before = context.traffic();
    for _ in 1..count {
        field.step(&mut steps).unwrap();
    }
    let moved = context.traffic() - before;
    let along_x = if benchmark == Benchmark::Lu { 16 } else { 20 };
    let of_step = if units == "0x1+1" {
        0
    } else {
        2 * along_x * 4 * 40
    };
    let all = of_step * (count as u64 - 1);
    let found = [moved.uploaded_bytes, moved.downloaded_bytes];
    assert_eq!(found, [all; 2], "{benchmark} on {units}");
    field
}

/// All zones on a device, and none of their calls elsewhere.
fn norms_are_the_published_ones(benchmark: Benchmark) {
    let mesh = || Mesh::new(benchmark, Class::S);
    steps(mesh(), "1x1+1", 6);
    let norms = steps(mesh(), "0x1+1", mesh().steps()).norms().unwrap();
    let published = reference::norms(benchmark, Class::S);
    let pairs = norms.residual.iter().zip(&published.residual);
    let pairs = pairs.chain(norms.error.iter().zip(&published.error));
    for (found, published) in pairs.chain(norms.surface.iter().zip(&published.surface)) {
        let off = ((found - published) / published).abs();
        assert!(off <= 1e-8, "{benchmark}: {found:e}, {published:e}");
    }
}

/// Set for a child of this program, which runs one test.
const APART: &str = "SKEL_TEST_CHILD";

/// In a process of its own: what the default context moves is counted, and others use it meanwhile.
fn apart(test: &str, benchmark: Benchmark) {
    if let Err(reason) = driver::world() {
        let line = format!("skipped: {test}: {reason}\n");
        stderr().write_all(line.as_bytes()).unwrap();
        return;
    }
    if env::var_os(APART).is_some() {
        norms_are_the_published_ones(benchmark);
        return;
    }
    let child = Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(APART, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    let failed = String::from_utf8_lossy(&child.stderr);
    let ran = child.status.success() && said.contains("1 passed");
    assert!(ran, "{said}\n{failed}");
}

#[test]
fn norms_of_sp_are_the_published_ones_through_cuda() {
    let test = "norms_of_sp_are_the_published_ones_through_cuda";
    apart(test, Benchmark::Sp);
}

#[test]
fn norms_of_bt_are_the_published_ones_through_cuda() {
    let test = "norms_of_bt_are_the_published_ones_through_cuda";
    apart(test, Benchmark::Bt);
}

#[test]
fn norms_of_lu_are_the_published_ones_through_cuda() {
    let test = "norms_of_lu_are_the_published_ones_through_cuda";
    apart(test, Benchmark::Lu);
}
