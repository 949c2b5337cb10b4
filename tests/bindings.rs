//! Parts of containers that a device holds, and that it cannot bind as a whole.

use skel::{Context, Target, prelude::*, unit::DeviceUnit, webgpu};
use std::{
    io::{Write, stderr},
    ops::Range,
};

const ROWS: usize = 64;
const COLS: usize = 64;

/// Devices that bind half of a matrix, and have it in one buffer, or in several.
fn devices() -> Option<[Context; 2]> {
    let half_bytes = (ROWS * COLS * 4 / 2) as u64;
    let mut found = webgpu::enumerate().into_iter();
    let found = found.find(|found| found.rejected.is_none())?;
    let context = |max_buffer_bytes| {
        let options = webgpu::Options {
            max_binding_bytes: Some(half_bytes),
            max_buffer_bytes,
            ..webgpu::Options::default()
        };
        let unit = DeviceUnit::new(webgpu::open_with(&found, options).unwrap()).unwrap();
        Context::builder().unit(unit).build().unwrap()
    };
    Some([None, Some(half_bytes)].map(context))
}

#[user_function]
fn twice(x: &mut u32) {
    *x *= 2;
}

#[user_function]
fn running(line: &mut Line<u32>) {
    for i in 1..line.len() {
        line[i] = line[i].wrapping_add(line[i - 1]);
    }
}

#[user_function]
fn sums(w: Sweep2<u32, 1, 1>) -> u32 {
    w[(0, 0)].wrapping_add(w[(-1, 0)]).wrapping_add(w[(0, -1)])
}

/// Changes some rows of a matrix.
type Change = fn(&mut Matrix<u32>, Range<usize>, &Context, Target) -> skel::Result<()>;

/// A part of a matrix that is on a device is changed there, or, if that says that it cannot, elsewhere.
fn same_on_devices(test: &str, change: Change) {
    let Some(contexts) = devices() else {
        writeln!(stderr(), "skipped: {test}: wgpu finds no device").expect("stderr is open");
        return;
    };
    let rows = [0, ROWS / 4, ROWS / 2].map(|first| first..first + ROWS / 2);
    for (context, rows) in contexts.iter().flat_map(|c| rows.clone().map(|r| (c, r))) {
        let [expected, found] = [Target::from(Sequential), Device(0).into()].map(|target| {
            let mut m = Matrix::try_from_fn(ROWS, COLS, |i, j| (i * COLS + j) as u32).unwrap();
            let twice = map!(twice).within(context.clone()).on(target.clone());
            twice.run((&mut m,)).unwrap();
            match change(&mut m, rows.clone(), context, target) {
                Err(Error::Unsupported { .. }) => {
                    change(&mut m, rows.clone(), context, Sequential.into()).unwrap();
                }
                done => done.unwrap(),
            }
            m.to_vec().unwrap()
        });
        assert!(found == expected, "rows {rows:?}");
    }
}

#[test]
fn lines_of_a_part_of_what_cannot_be_bound() {
    same_on_devices(
        "bindings::lines_of_a_part_of_what_cannot_be_bound",
        |m, rows, context, target| {
            let f = map_lines!(running).within(context.clone()).on(target);
            f.along(1).run((m.part_mut(rows, ..),))
        },
    );
}

#[test]
fn a_sweep_over_a_part_of_what_cannot_be_bound() {
    same_on_devices(
        "bindings::a_sweep_over_a_part_of_what_cannot_be_bound",
        |m, rows, context, target| {
            let f = sweep!(sums).within(context.clone()).on(target);
            f.run((m.part_mut(rows, ..),))
        },
    );
}

#[test]
fn columns_of_what_cannot_be_bound_are_stored_where_they_lie() {
    same_on_devices(
        "bindings::columns_of_what_cannot_be_bound_are_stored_where_they_lie",
        |m, rows, context, target| {
            let f = map!(|x: u32| x ^ 0x5555)
                .within(context.clone())
                .on(&target);
            let x: Vec<u32> = (0..rows.len() as u32).collect();
            f.run_into((&x,), m.part_mut(rows.clone(), 7..8).col(0))?;
            let f = map!(twice).within(context.clone()).on(target);
            f.run((m.part_mut(.., ..).reversed_along(0).step_by_along(1, 3),))
        },
    );
}
