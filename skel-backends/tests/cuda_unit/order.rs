//! What is queued happens in the order of the calls, as far as it matters, whatever the hardware does.

use crate::{Test, driver::World};
use skel::{Context, prelude::*};
use skel_backends::cuda::Options;
use skel_verify::driver::{Code, Kind};

pub(crate) const TESTS: &[Test] = &[
    (
        "chains_and_reads_in_every_order",
        chains_and_reads_in_every_order,
    ),
    ("uploads_of_several_steps", uploads_of_several_steps),
    (
        "folds_and_scans_do_not_wait_for_each_other",
        folds_and_scans_do_not_wait_for_each_other,
    ),
    (
        "memory_that_was_freed_is_used_again",
        memory_that_was_freed_is_used_again,
    ),
    (
        "reads_do_not_wait_for_kernels_they_do_not_need",
        reads_do_not_wait_for_kernels_they_do_not_need,
    ),
    (
        "late_traps_name_their_element",
        late_traps_name_their_element,
    ),
];

#[user_function]
fn mix(a: u32, b: u32) -> u32 {
    (a ^ (b >> 3)) * 2_654_435_761
}

#[user_function]
fn stir(x: &mut u32, #[uniform] k: u32) {
    *x = (*x << 7) ^ (*x >> 25) ^ k;
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[user_function]
fn quotient(a: u32, b: u32) -> u32 {
    a / b
}

/// Numbers without any pattern.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

const CONTAINERS: usize = 5;
const STEPS: usize = 60;

/// Calls over a few containers, some on parts of them, beside the same on plain vectors.
fn any_calls(context: &Context, seed: u64, elems: usize) {
    let (mix_them, stir_it) = (
        map!(mix).within(context.clone()).on(Cuda),
        map!(stir).within(context.clone()).on(Cuda),
    );
    let split = map!(mix).within(context.clone()).on(Hybrid::ratio(0.3));
    let sum = reduce!(add).within(context.clone()).on(Cuda);
    let prefix = scan!(add).within(context.clone()).on(Cuda);
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut plain: Vec<Vec<u32>> = (0..CONTAINERS)
        .map(|k| (0..elems).map(|i| (i * 31 + k) as u32).collect())
        .collect();
    let mut all: Vec<Vector<u32>> = plain.iter().map(|v| Vector::from(v.clone())).collect();
    for step in 0..STEPS {
        let [a, b, c] = [(); 3].map(|()| dice.roll(CONTAINERS));
        match dice.roll(8) {
            0..=2 => {
                let made = mix_them.run((&all[a], &all[b])).unwrap();
                all[c] = made;
                plain[c] = plain[a]
                    .iter()
                    .zip(&plain[b])
                    .map(|(a, b)| mix(*a, *b))
                    .collect();
            }
            3 => {
                let made = split.run((&all[a], &all[b])).unwrap();
                all[c] = made;
                plain[c] = plain[a]
                    .iter()
                    .zip(&plain[b])
                    .map(|(a, b)| mix(*a, *b))
                    .collect();
            }
            4 => {
                stir_it.run((&mut all[a], step as u32)).unwrap();
                plain[a].iter_mut().for_each(|x| stir(x, step as u32));
            }
            5 => {
                let expected = plain[a].iter().fold(0, |a, b| add(a, *b));
                assert_eq!(sum.run((&all[a],)).unwrap(), expected, "step {step}");
            }
            6 => {
                all[c] = prefix.run((&all[a],)).unwrap();
                let mut before = 0;
                plain[c] = plain[a]
                    .iter()
                    .map(|x| {
                        before = add(before, *x);
                        before
                    })
                    .collect();
            }
            _ => {
                let at = dice.roll(elems);
                all[b].host_mut().unwrap()[at] = step as u32;
                plain[b][at] = step as u32;
            }
        }
    }
    for (found, expected) in all.iter().zip(&plain) {
        assert!(found.host().unwrap()[..] == expected[..]);
    }
}

fn chains_and_reads_in_every_order(world: &World) {
    for (name, options) in World::options() {
        world.in_every_order(6, |seed| {
            let context = world.context(&[options]);
            println!("{name}, order {seed}");
            any_calls(&context, u64::from(seed) + 1, 700);
        });
    }
}

fn uploads_of_several_steps(world: &World) {
    // More than the chunks that are page-locked at once, and no whole number of them.
    let elems = (41 << 20) / 4 + 5;
    let x: Vec<u32> = (0..elems as u32).map(|i| i * 7 + 3).collect();
    let expected: Vec<u32> = x.iter().map(|x| mix(*x, *x)).collect();
    for (name, options) in World::options() {
        world.in_every_order(2, |seed| {
            let f = map!(mix).within(world.context(&[options])).on(Cuda);
            let x = Vector::from(x.clone());
            let y = f.run((&x, &x)).unwrap();
            assert!(
                y.host().unwrap()[..] == expected[..],
                "{name}, order {seed}"
            );
        });
    }
}

fn folds_and_scans_do_not_wait_for_each_other(world: &World) {
    world.in_every_order(4, |seed| {
        let context = world.context(&[Options::default()]);
        let prefix = scan!(add).within(context.clone()).on(Hybrid::ratio(0.25));
        let total = reduce!(add).within(context).on(Hybrid::ratio(0.5));
        let all: Vec<Vec<u32>> = (0..6_u32)
            .map(|k| (0..5000).map(|i| i * k + 1).collect())
            .collect();
        let vectors: Vec<Vector<u32>> = all.iter().map(|v| Vector::from(v.clone())).collect();
        let scans: Vec<Vector<u32>> = vectors.iter().map(|v| prefix.run((v,)).unwrap()).collect();
        for ((plain, v), scanned) in all.iter().zip(&vectors).zip(&scans).rev() {
            let sum = plain.iter().fold(0, |a, b| add(a, *b));
            assert_eq!(total.run((v,)).unwrap(), sum, "order {seed}");
            assert_eq!(
                *scanned.host().unwrap().last().unwrap(),
                sum,
                "order {seed}"
            );
        }
    });
}

fn memory_that_was_freed_is_used_again(world: &World) {
    world.in_every_order(4, |seed| {
        let f = map!(mix)
            .within(world.context(&[Options::default()]))
            .on(Cuda);
        let x = Vector::from((0..3000_u32).collect::<Vec<_>>());
        // Each result is dropped while the device has not begun with what it reads.
        let mut y = f.run((&x, &x)).unwrap();
        let mut expected: Vec<u32> = (0..3000).map(|x| mix(x, x)).collect();
        for _ in 0..30 {
            y = f.run((&y, &x)).unwrap();
            expected = expected.iter().zip(0..).map(|(y, x)| mix(*y, x)).collect();
        }
        assert!(y.host().unwrap()[..] == expected[..], "order {seed}");
    });
}

fn late_traps_name_their_element(world: &World) {
    world.in_every_order(4, |seed| {
        let context = world.context(&[Options::default()]);
        let f = map!(quotient).within(context.clone()).on(Cuda);
        let a = Vector::filled(2000, 12_u32);
        let mut b = vec![3_u32; 2000];
        (b[777], b[1500]) = (0, 0);
        let failed = f.run((&a, &Vector::from(b))).unwrap();
        let fine = f.run((&a, &a)).unwrap();
        let later = map!(mix).within(context).on(Cuda).run((&failed, &fine));
        let error = match later {
            Ok(later) => later.host().map(|_| ()).unwrap_err(),
            Err(error) => error,
        };
        assert!(
            error.to_string().contains("element 777"),
            "{error}, order {seed}"
        );
        assert_eq!(fine.host().unwrap()[..], [1; 2000]);
    });
}

/// With one stream for everything, a read waits for a kernel that never ends; with several, it does not.
fn reads_do_not_wait_for_kernels_they_do_not_need(world: &World) {
    let Some(shim) = &world.shim else {
        return;
    };
    let mut one_stream = Options::default();
    one_stream.streams = 0;
    shim.set("SKEL_SHIM_LIMIT_S", "5");
    for (device, options, waits) in [(3, Options::default(), false), (4, one_stream, true)] {
        let f = map!(mix)
            .within(world.of_devices([(device, options)]))
            .on(Cuda);
        let x = Vector::from((0..100_u32).collect::<Vec<_>>());
        let y = f.run((&x, &x)).unwrap();
        shim.fail(Some(device as u16), Kind::Launch, 1, Code::HANGS);
        let never = f.run((&x, &x)).unwrap();
        let read = y.host().map(|y| y[99]);
        match waits {
            false => assert_eq!(read.unwrap(), mix(99, 99)),
            true => assert!(read.is_err(), "{read:?}"),
        }
        assert!(never.host().is_err());
        shim.fail_no_more();
    }
    shim.unset("SKEL_SHIM_LIMIT_S");
}
