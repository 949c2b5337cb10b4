//! Random calls over a few containers on a device that has room for some of them, against plain
//! vectors.

use super::capped;
use proptest::prelude::*;
use skel::prelude::*;

const N: usize = 60;
const CONTAINERS: usize = 5;
/// Of one container.
const BYTES: u64 = (N * size_of::<u32>()) as u64;

#[user_function]
fn blend(x: u32, y: u32) -> u32 {
    3 * x + y
}

#[user_function]
fn mix(x: &mut u32, y: u32) {
    *x = 5 * *x + y;
}

#[user_function]
fn near(w: Window1<u32, 3>) -> u32 {
    w[-3] + 2 * w[0] + 7 * w[3]
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

/// A call; containers by number.
#[derive(Clone, Debug)]
enum Step {
    Map(usize, usize, usize),
    InPlace(usize, usize),
    Stencil(usize, usize),
    Scan(usize, usize),
    Fold(usize),
    /// The host reads all.
    Read(usize),
    /// The host writes one element.
    Write(usize, usize),
    /// A container goes, and another one comes.
    Renew(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let k = || 0..CONTAINERS;
    prop_oneof![
        3 => (k(), k(), k()).prop_map(|(a, b, c)| Step::Map(a, b, c)),
        3 => (k(), k()).prop_map(|(a, b)| Step::InPlace(a, b)),
        2 => (k(), k()).prop_map(|(a, b)| Step::Stencil(a, b)),
        1 => (k(), k()).prop_map(|(a, b)| Step::Scan(a, b)),
        1 => k().prop_map(Step::Fold),
        1 => k().prop_map(Step::Read),
        1 => (k(), 0..N).prop_map(|(a, i)| Step::Write(a, i)),
        1 => k().prop_map(Step::Renew),
    ]
}

fn stencil(x: &[u32]) -> Vec<u32> {
    let at = |i: isize| x[i.rem_euclid(N as isize) as usize];
    let all = 0..N as isize;
    let sum = |i: isize| {
        let far = at(i - 3).wrapping_add(at(i + 3).wrapping_mul(7));
        far.wrapping_add(at(i).wrapping_mul(2))
    };
    all.map(sum).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_calls_in_any_order_are_right_and_take_no_more_than_there_is(
        steps in prop::collection::vec((step(), 0..3_usize), 1..40),
        // From a tenth of a container to four of them.
        tenths in 1..40_u64,
    ) {
        let cap_bytes = (tenths * BYTES / 10).max(64);
        let (context, mock) = capped(cap_bytes);
        let target = |which: usize| match which {
            0 => Target::from(Device(0)),
            1 => Hybrid::ratio(0.4).into(),
            _ => Cpu.into(),
        };
        let fresh = |k: usize| -> Vec<u32> { (0..N as u32).map(|i| i * 7 + k as u32).collect() };
        let mut model: Vec<Vec<u32>> = (0..CONTAINERS).map(fresh).collect();
        let mut real: Vec<Vector<u32>> = model.iter().cloned().map(Vector::from).collect();
        for (step, which) in steps {
            let on = target(which);
            match step {
                Step::Map(a, b, to) => {
                    let f = map!(blend).within(context.clone()).on(&on);
                    real[to] = f.run((&real[a], &real[b])).expect("it fits in chunks");
                    let pairs = model[a].iter().zip(&model[b]);
                    model[to] = pairs.map(|(x, y)| x.wrapping_mul(3).wrapping_add(*y)).collect();
                }
                Step::InPlace(a, b) if a != b => {
                    let f = map!(mix).within(context.clone()).on(&on);
                    let mut x = std::mem::replace(&mut real[a], Vector::from(vec![]));
                    f.run((&mut x, &real[b])).expect("it fits in chunks");
                    real[a] = x;
                    let y = model[b].clone();
                    for (x, y) in model[a].iter_mut().zip(y) {
                        *x = x.wrapping_mul(5).wrapping_add(y);
                    }
                }
                Step::InPlace(..) => {}
                Step::Stencil(a, to) => {
                    let f = map_overlap!(near).within(context.clone()).on(&on).edge(Edge::Cyclic);
                    real[to] = f.run((&real[a],)).expect("it fits in chunks");
                    model[to] = stencil(&model[a]);
                }
                Step::Scan(a, to) => {
                    let f = scan!(add).within(context.clone()).on(&on);
                    real[to] = f.run((&real[a],)).expect("it fits in chunks");
                    let mut sum = 0_u32;
                    model[to] = model[a].iter().map(|x| { sum = sum.wrapping_add(*x); sum }).collect();
                }
                Step::Fold(a) => {
                    let f = reduce!(add).within(context.clone()).on(&on);
                    let expected = model[a].iter().fold(0_u32, |sum, x| sum.wrapping_add(*x));
                    prop_assert_eq!(f.run((&real[a],)).expect("it fits in chunks"), expected);
                }
                Step::Read(a) => prop_assert_eq!(&real[a].host().expect("valid")[..], &model[a][..]),
                Step::Write(a, i) => {
                    real[a].host_mut().expect("valid")[i] += 1;
                    model[a][i] = model[a][i].wrapping_add(1);
                }
                Step::Renew(a) => {
                    model[a] = fresh(a);
                    real[a] = Vector::from(model[a].clone());
                }
            }
            prop_assert!(mock.most_bytes_in_use() <= cap_bytes);
        }
        for (found, expected) in real.iter().zip(&model) {
            prop_assert_eq!(&found.host().expect("valid")[..], &expected[..]);
        }
    }
}
