//! Device memory is kept, given back when it is needed elsewhere, and ends in an error, not in a wrong result.

use crate::{
    Test,
    driver::{MEMORY_MEBIBYTES, World},
};
use skel::{Error, prelude::*};
use skel_backends::cuda::Options;

pub(crate) const TESTS: &[Test] = &[
    (
        "what_was_freed_can_be_had_in_other_sizes",
        what_was_freed_can_be_had_in_other_sizes,
    ),
    (
        "too_much_goes_through_in_chunks_or_is_an_error_and_not_the_end",
        too_much_goes_through_in_chunks_or_is_an_error_and_not_the_end,
    ),
    (
        "several_threads_copy_what_has_come_to_its_place",
        several_threads_copy_what_has_come_to_its_place,
    ),
];

/// Large, so that much memory is few elements.
type Many = [u64; 64];

#[user_function]
fn next(x: Many) -> Many {
    let mut y = x;
    y[63] = x[63] + 1;
    y
}

fn mebibytes(count: usize) -> Vector<Many> {
    Vector::filled((count << 20) / size_of::<Many>(), [7; 64])
}

fn what_was_freed_can_be_had_in_other_sizes(world: &World) {
    for (name, options) in World::options() {
        let f = map!(next).within(world.context(&[options])).on(Cuda);
        // In all, far more than there is; at once, most of it.
        for count in [45, 80, 1, 100, 30, 2, 110] {
            let x = mebibytes(count * MEMORY_MEBIBYTES / 256);
            let y = f.run((&x,)).unwrap();
            let last = *y.host().unwrap().last().unwrap();
            assert_eq!((last[0], last[63]), (7, 8), "{name}, {count}");
        }
    }
}

fn too_much_goes_through_in_chunks_or_is_an_error_and_not_the_end(world: &World) {
    let context = world.context(&[Options::default()]);
    let f = map!(next).within(context.clone()).on(Cuda);
    let large = mebibytes(MEMORY_MEBIBYTES + 1);
    let y = f.run((&large,)).unwrap();
    assert!(
        y.host()
            .unwrap()
            .iter()
            .all(|many| many[0] == 7 && many[63] == 8)
    );
    // What is read at random has to be there as a whole.
    let at = map!(|all: &[Many], i: u32| all[i as usize][63])
        .within(context)
        .on(Cuda);
    match at.run((&large, &[0])) {
        Err(Error::OutOfMemory { needed_bytes, .. }) => {
            assert!(
                needed_bytes > (MEMORY_MEBIBYTES << 20) as u64,
                "{needed_bytes}"
            );
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("more than there is"),
    }
    let y = f.run((&mebibytes(1),)).unwrap();
    assert_eq!(y.host().unwrap()[0][63], 8);
}

fn several_threads_copy_what_has_come_to_its_place(world: &World) {
    for copiers in [1, 2, 4, 16] {
        let mut options = Options::default();
        options.copiers = copiers;
        let f = map!(|x: u32| x ^ 1)
            .within(world.context(&[options]))
            .on(Cuda);
        for len in [1_000_003, 9_000_001] {
            let y = f.run((&Vector::from_fn(len, |i| i as u32),)).unwrap();
            let came = y.host().unwrap();
            assert!(
                (0..len as u32).all(|i| came[i as usize] == i ^ 1),
                "{copiers}, {len}"
            );
        }
    }
}
