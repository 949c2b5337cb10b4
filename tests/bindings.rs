//! Parts of containers that a device holds, and that it cannot bind as a whole.

use skel::{Context, prelude::*, unit::DeviceUnit, webgpu};

const ROWS: usize = 64;
const COLS: usize = 64;

/// A device that binds half of a matrix, and has it in one buffer, or in several.
fn devices() -> Vec<Context> {
    let half_bytes = (ROWS * COLS * 4 / 2) as u64;
    let found = webgpu::enumerate().into_iter();
    let Some(found) = found.into_iter().find(|found| found.rejected.is_none()) else {
        return Vec::new();
    };
    let buffers = [None, Some(half_bytes)];
    let context = |max_buffer_bytes| {
        let options = webgpu::Options {
            max_binding_bytes: Some(half_bytes),
            max_buffer_bytes,
            ..webgpu::Options::default()
        };
        let unit = DeviceUnit::new(webgpu::open_with(&found, options).unwrap()).unwrap();
        Context::builder().unit(unit).build().unwrap()
    };
    buffers.map(context).into()
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

/// The matrix is on the device before a part of it is changed there, or elsewhere, if the device says that it cannot.
fn changed(
    context: &Context,
    change: impl Fn(&mut Matrix<u32>, &Context, Target) -> skel::Result<()>,
) -> [Vec<u32>; 2] {
    let targets = [Target::from(Sequential), Device(0).into()];
    targets.map(|target| {
        let mut m = Matrix::try_from_fn(ROWS, COLS, |i, j| (i * COLS + j) as u32).unwrap();
        map!(twice)
            .within(context.clone())
            .on(target.clone())
            .run((&mut m,))
            .unwrap();
        match change(&mut m, context, target) {
            Err(Error::Unsupported { .. }) => change(&mut m, context, Sequential.into()).unwrap(),
            done => done.unwrap(),
        }
        m.to_vec().unwrap()
    })
}

#[test]
fn lines_of_a_part_of_what_cannot_be_bound() {
    for context in devices() {
        for first in [0, ROWS / 4, ROWS / 2] {
            let [expected, found] = changed(&context, |m, context, target| {
                let f = map_lines!(running).within(context.clone()).on(target);
                f.along(1).run((m.part_mut(first..first + ROWS / 2, ..),))
            });
            assert!(found == expected, "from row {first}");
        }
    }
}

#[test]
fn a_sweep_over_a_part_of_what_cannot_be_bound() {
    for context in devices() {
        for first in [0, ROWS / 4, ROWS / 2] {
            let [expected, found] = changed(&context, |m, context, target| {
                let f = sweep!(sums).within(context.clone()).on(target);
                f.run((m.part_mut(first..first + ROWS / 2, ..),))
            });
            assert!(found == expected, "from row {first}");
        }
    }
}
