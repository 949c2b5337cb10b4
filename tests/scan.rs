//! Scans on several units: which unit waits for which, what fails, any split, the same bits on any number of
//! threads.
#![allow(
    unsafe_code,
    reason = "texts for devices compute from their parameters alone"
)]

use skel::{
    Context, Error,
    mock::{Mock, Operation},
    prelude::*,
};
use skel_core::{
    ir::{Imp, build::Cx},
    isa::{Isa, choose},
    param::Each,
    user_function::UserFunction,
};
use std::{
    sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

fn context(mocks: impl IntoIterator<Item = Mock>) -> Context {
    let mut builder = Context::builder();
    for mock in mocks {
        builder = builder.unit(mock.unit().unwrap());
    }
    builder.build().unwrap()
}

fn sums(x: &[u32]) -> Vec<u32> {
    let sum = |sum: &mut u32, x: &u32| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    };
    x.iter().scan(0, sum).collect()
}

#[test]
fn what_the_cpu_computed_is_there_while_a_late_device_works() {
    let (go, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let context = context([Mock::named("late").before_each(move |operation| {
        if operation == Operation::Finish {
            wait.lock().unwrap().recv().unwrap();
        }
    })]);
    let x: Vec<u32> = (0..1000).collect();
    let scan = scan!(add).within(context).on(Hybrid::ratio(0.3));
    let y = scan.run((&Vector::from(x.clone()),)).unwrap();
    let expected = sums(&x);
    assert_eq!(y.host_range(0..300).unwrap(), &expected[..300]);
    go.send(()).unwrap();
    assert_eq!(y.host().unwrap()[..], expected);
}

/// An operator whose first call on the host waits for the device.
struct Meets;

/// Two threads that wait for each other, though not for ever.
struct Meeting {
    here: Mutex<usize>,
    came: Condvar,
}

impl Meeting {
    fn wait(&self) {
        let mut here = self.here.lock().unwrap();
        *here += 1;
        self.came.notify_all();
        let patience = Duration::from_secs(20);
        let waited = self
            .came
            .wait_timeout_while(here, patience, |here| *here < 2);
        assert!(
            !waited.unwrap().1.timed_out(),
            "the other thread did not come"
        );
    }
}

static MEETING: Meeting = Meeting {
    here: Mutex::new(0),
    came: Condvar::new(),
};
static MET: std::sync::Once = std::sync::Once::new();

impl UserFunction<(Each<u32>, Each<u32>)> for Meets {
    type At = ();
    type Output = u32;
    const NAME: &'static str = "meets";

    fn call((): (), (a, b): (u32, u32)) -> u32 {
        MET.call_once(|| {
            MEETING.wait();
        });
        a.wrapping_add(b)
    }

    fn ir(cx: &mut Cx) -> Imp {
        <add as UserFunction<(Each<u32>, Each<u32>)>>::ir(cx)
    }
}

#[test]
fn a_device_begins_before_its_carry_is_known_and_ends_after() {
    // The CPU's first element waits until the device has begun with its totals, and the device does not
    // finish before the CPU has told its carry: if it did not begin, this would time out.
    let seen = std::sync::Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let context = context([Mock::named("device").before_each(move |operation| {
        log.lock().unwrap().push(operation);
        if operation == Operation::Launch {
            MEETING.wait();
        }
    })]);
    let scan = skel::skeleton::Scan::<Meets, _, _>::with_executor("meets", context);
    let x: Vec<u32> = (0..900).collect();
    let y = scan.on(Hybrid::ratio(1.0 / 3.0)).run((&x,)).unwrap();
    assert_eq!(y.host().unwrap()[..], sums(&x));
    let seen = seen.lock().unwrap();
    let at = |wanted| seen.iter().position(|o| *o == wanted).unwrap();
    assert!(at(Operation::Launch) < at(Operation::Finish), "{seen:?}");
}

#[test]
fn a_failure_in_either_phase_is_made_good_or_told_and_the_next_call_works() {
    let operations = [Operation::Upload, Operation::Launch, Operation::Finish];
    // Of a long piece, the host combines the last elements before it writes them.
    for (n, operation) in [100, 600_000]
        .into_iter()
        .flat_map(|n| operations.map(|o| (n, o)))
    {
        for device in 0..2 {
            let mocks = (0..2).map(|k| match k == device {
                true => Mock::named("frail").fails(operation, 1),
                false => Mock::named("sound"),
            });
            let scan = scan!(add).within(context(mocks)).on(Hybrid::ratio(0.3));
            let x = Vector::from_fn(n, |i| i as u32 % 100);
            let mut y = Vector::filled(n, 7);
            scan.run_into((&x,), &mut y).unwrap();
            let read = y.host().map(|y| y.to_vec());
            if (operation, device) == (Operation::Finish, 1) {
                // No call waits for the last piece to be finished.
                assert!(matches!(read, Err(Error::Late { .. })), "{read:?}");
            } else {
                assert_eq!(read.unwrap(), sums(&x.host().unwrap()));
            }
            scan.run_into((&x,), &mut y).unwrap();
            assert_eq!(y.host().unwrap()[..], sums(&x.host().unwrap()));
            let mut slice = vec![7; n];
            scan.run_into((&x,), &mut slice[..]).unwrap();
            assert_eq!(slice[..], y.host().unwrap()[..]);
        }
    }
}

#[user_function]
fn add_checked(a: u32, b: u32) -> u32 {
    let sum = a.wrapping_add(b);
    assert!(sum >= a, "more than 32 bits");
    sum
}

/// The host combines the last elements of a long piece before it writes them, if a device follows.
#[test]
fn a_trap_among_elements_that_are_combined_first_is_told_like_others() {
    const N: usize = 400_000;
    let context = context([Mock::named("behind")]);
    let scan = scan!(add_checked).within(context).on(Hybrid::ratio(0.9));
    let told = |x: &Vector<u32>| match scan.run((x,)).and_then(|y| y.host().map(|_| ())) {
        Err(Error::Trap {
            function, message, ..
        }) => (function, message),
        other => panic!("{other:?} instead of a trap"),
    };
    let alone = |at: usize| {
        let mut x = Vector::filled(N, 1);
        x.host_mut().unwrap()[at] = u32::MAX;
        told(&x)
    };
    let with_what_precedes_it = |at: usize| told(&Vector::filled(N, u32::MAX / at as u32));
    let first = alone(20_000);
    assert!(first.1.contains("more than 32 bits"), "{first:?}");
    for at in [327_679, 327_680, 330_000, 350_000, 359_998, 360_001] {
        assert_eq!(
            (alone(at), with_what_precedes_it(at)),
            (first.clone(), first.clone())
        );
    }
    let x = vec![1; N];
    assert_eq!(scan.run((&x,)).unwrap().host().unwrap()[..], sums(&x));
}

#[test]
fn reports_say_which_unit_did_what() {
    let scan = scan!(add)
        .within(context([Mock::named("mock")]))
        .on(Hybrid::ratio(0.25));
    let (_, calls) = skel::observe(|| scan.run((&vec![1_u32; 400],)).unwrap());
    let parts: Vec<_> = calls[0].parts.iter().map(|part| &part.range).collect();
    assert_eq!(parts, [&(0..100), &(100..400)]);
    assert_eq!(calls[0].traffic.uploaded_bytes, 1200);
}

/// `x -> a x + b` modulo 2¹⁶, as `a << 16 | b`; first the left map, then the right one.
#[user_function]
fn follow(f: u32, g: u32) -> u32 {
    let a = (f >> 16).wrapping_mul(g >> 16);
    let b = (g >> 16).wrapping_mul(f & 0xffff).wrapping_add(g & 0xffff);
    (a << 16) | (b & 0xffff)
}

/// Numbers without a pattern (the finaliser of MurmurHash3).
fn scramble(i: u64) -> u64 {
    let x = i.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

#[test]
fn any_split_gives_the_prefixes() {
    let context = context(["a", "b", "c"].map(Mock::named));
    for round in 0..200_u64 {
        let random = |k: u64| scramble(1000 * round + k);
        let x: Vec<u32> = (0..random(0) % 2000)
            .map(|i| random(10 + i) as u32)
            .collect();
        // Some units have no share.
        let shares: Vec<f64> = (1..5)
            .map(|k| (random(k) % 100).saturating_sub(20) as f64)
            .map(|share| share + f64::from(round == 0))
            .collect();
        if shares.iter().sum::<f64>() == 0.0 {
            continue;
        }
        let (initial, exclusive) = (random(5) as u32, random(6).is_multiple_of(2));
        let target = Hybrid::shares(shares.clone());
        let scan = scan!(follow).within(context.clone()).on(target);
        let found = match exclusive {
            true => scan.exclusive(initial).run((&x,)),
            false => scan.initial(initial).run((&x,)),
        };
        let mut before = initial;
        let mut expected = Vec::new();
        for x in &x {
            let next = follow(before, *x);
            expected.push(if exclusive { before } else { next });
            before = next;
        }
        assert!(
            found.unwrap().host().unwrap()[..] == expected,
            "{} elements in shares {shares:?}",
            x.len()
        );
    }
}

#[test]
fn the_host_hands_on_its_carry_before_it_has_written_all() {
    let context = context(["a", "b"].map(Mock::named));
    for n in [131_072, 200_000, 777_777] {
        let x: Vec<u32> = (0..n).map(|i| scramble(i) as u32).collect();
        let expected: Vec<u32> = x
            .iter()
            .scan(1 << 16, |sum, x| {
                *sum = follow(*sum, *x);
                Some(*sum)
            })
            .collect();
        for shares in [[1.0, 0.1, 0.0], [0.5, 0.3, 0.2], [0.0, 1.0, 0.1]] {
            let scan = scan!(follow)
                .within(context.clone())
                .on(Hybrid::shares(shares));
            let found = scan.initial(1 << 16).run((&x,)).unwrap();
            assert!(found.host().unwrap()[..] == expected, "{n} in {shares:?}");
        }
    }
}

#[user_function]
fn add_floats(a: f32, b: f32) -> f32 {
    a + b
}

/// Not recognised as an operator that commutes: its elements are combined one after the other.
#[user_function]
fn add_in_order(a: f32, b: f32) -> f32 {
    let c = a;
    c + b
}

/// One that takes long, by its weight.
#[user_function]
fn add_slowly(a: f32, b: f32) -> f32 {
    let mut sum = a;
    for _ in 0..4 {
        sum += 0.25 * b;
    }
    sum
}

/// The bits of float scans, which depend on the grouping.
fn bits() -> Vec<u32> {
    let x: Vec<f32> = (0..300_007)
        .map(|i| (i % 977) as f32 * 0.37 - 150.0)
        .collect();
    let m = Matrix::from_vec(30, 10_000, x[..300_000].to_vec()).unwrap();
    let all = [
        scan!(add_floats).on(Cpu).run((&x,)).unwrap(),
        scan!(add_floats).on(Cpu).exclusive(0.1).run((&x,)).unwrap(),
        scan!(add_in_order).on(Cpu).run((&x,)).unwrap(),
        scan!(add_slowly).on(Cpu).run((&x,)).unwrap(),
    ];
    let rows = scan!(add_in_order).on(Cpu).rows().run((&m,)).unwrap();
    let mut bits: Vec<u32> = rows.host().unwrap().iter().map(|v| v.to_bits()).collect();
    for one in all {
        bits.extend(one.host().unwrap().iter().map(|v| v.to_bits()));
    }
    bits
}

#[test]
fn neither_threads_nor_instruction_sets_change_a_bit() {
    choose(Isa::Baseline);
    let expected = bits();
    for isa in [Isa::Baseline, Isa::V4] {
        let isa = choose(isa);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            assert!(pool.install(bits) == expected, "{isa:?}, {threads} threads");
        }
        assert!(bits() == expected, "{isa:?}");
    }
}

/// Lets the pool work in the middle of it, as an operator with bodies by hand may.
#[user_function(unsafe(wgsl = "return a + b;"))]
fn add_with_the_pool(a: u32, b: u32) -> u32 {
    if b.is_multiple_of(64) {
        rayon::join(|| std::hint::black_box(a), std::thread::yield_now);
    }
    a.wrapping_add(b)
}

#[test]
fn an_operator_that_lets_the_pool_work_does_not_wait_for_itself() {
    let x: Vec<u32> = (0..20_000).collect();
    let expected = sums(&x);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .unwrap();
    let targets: [Target; 2] = [Cpu.into(), Tasks::default().chunks(40).into()];
    for target in (0..20).flat_map(|_| targets.clone()) {
        let scan = scan!(add_with_the_pool).on(target);
        let y = pool.install(|| scan.run((&x,)).unwrap());
        assert_eq!(y.host().unwrap()[..], expected);
    }
}

/// Lets the pool work within what the pool does for it: the thread that has the inner part helps the scan while it
/// waits, with the outer part beneath it.
#[user_function(unsafe(wgsl = "return a + b;"))]
fn add_with_the_pool_in_the_pool(a: u32, b: u32) -> u32 {
    if b.is_multiple_of(64) {
        let inner = || rayon::join(std::thread::yield_now, std::thread::yield_now);
        rayon::join(inner, || rayon::join(inner, inner));
    }
    a.wrapping_add(b)
}

/// Makes a call of its own on the pool, which in turn does.
#[user_function(unsafe(wgsl = "return a + b;"))]
fn add_with_calls(a: u32, b: u32) -> u32 {
    if b.is_multiple_of(1024) {
        let x: Vec<u32> = (1..600).collect();
        let inner = || scan!(add_with_the_pool).on(Cpu).run((&x,)).unwrap();
        let (y, z) = rayon::join(inner, inner);
        assert_eq!(y.host().unwrap()[..], z.host().unwrap()[..]);
    }
    a.wrapping_add(b)
}

/// A scan that waits for itself hangs here.
#[test]
fn calls_within_calls_in_a_pool_do_not_wait_for_each_other() {
    let x: Vec<u32> = (0..20_000).collect();
    let expected = sums(&x);
    for threads in [2, 3, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        for _ in 0..20 {
            let scans = || {
                let nested = || scan!(add_with_the_pool_in_the_pool).on(Cpu).run((&x,));
                let calls = || scan!(add_with_calls).on(Cpu).run((&x,));
                rayon::join(nested, calls)
            };
            let (nested, calls) = pool.install(scans);
            assert_eq!(nested.unwrap().host().unwrap()[..], expected);
            assert_eq!(calls.unwrap().host().unwrap()[..], expected);
        }
    }
}

static DEVICE_BEGUN: AtomicBool = AtomicBool::new(false);
static SYNCED: AtomicBool = AtomicBool::new(false);

fn wait_for(flag: &AtomicBool) {
    let patience = Instant::now() + Duration::from_secs(20);
    while !flag.load(Ordering::Acquire) {
        assert!(Instant::now() < patience, "the other thread did not come");
        std::thread::yield_now();
    }
}

#[user_function]
fn unlucky(a: u32, b: u32) -> u32 {
    assert!(a < 1 << 20 || b != 13);
    a.wrapping_add(b)
}

/// Waits on the host, and traps on the device once it knows its carry.
struct TrapsWithACarry;

impl UserFunction<(Each<u32>, Each<u32>)> for TrapsWithACarry {
    type At = ();
    type Output = u32;
    const NAME: &'static str = "traps_with_a_carry";

    fn call((): (), (a, b): (u32, u32)) -> u32 {
        if b == 7000 {
            wait_for(&SYNCED);
        }
        unlucky(a, b)
    }

    fn ir(cx: &mut Cx) -> Imp {
        <unlucky as UserFunction<(Each<u32>, Each<u32>)>>::ir(cx)
    }
}

#[test]
fn what_a_scan_traps_at_in_the_end_is_told_though_its_words_were_asked_for_before() {
    let context = context([Mock::named("device").before_each(|operation| {
        if operation == Operation::Launch {
            DEVICE_BEGUN.store(true, Ordering::Release);
        }
    })]);
    let mut x = vec![0; 900];
    (x[0], x[1], x[899]) = (1 << 20, 7000, 13);
    let scan =
        skel::skeleton::Scan::<TrapsWithACarry, _, _>::with_executor("trap", context.clone())
            .on(Hybrid::ratio(1.0 / 3.0));
    let between = std::thread::spawn(move || {
        wait_for(&DEVICE_BEGUN);
        let synced = context.sync();
        SYNCED.store(true, Ordering::Release);
        synced
    });
    let found = scan.run((&x,)).and_then(|y| y.host().map(|y| y.to_vec()));
    between.join().unwrap().unwrap();
    assert!(matches!(found, Err(Error::Trap { .. })), "{found:?}");
}
