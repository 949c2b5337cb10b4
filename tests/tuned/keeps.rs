//! Measuring leaves the program's data where it is.

use skel::{Context, mock::Mock, prelude::*, tuning};

const N: usize = 5000;

#[user_function]
fn own(at: Index1) -> u32 {
    at.i as u32
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

fn is(x: &Vector<u32>, expected: impl Fn(u32) -> u32) -> bool {
    let host = x.host().unwrap();
    host.iter()
        .enumerate()
        .all(|(i, x)| *x == expected(i as u32))
}

/// Results that only a device has outlive its context, also if calls that read them or change them were measured.
#[test]
fn what_only_a_device_has_it_still_has_afterwards() {
    for cap in [None, Some(12 * 4 * N as u64)] {
        let mut unit = Mock::named("device").unit().unwrap();
        if let Some(bytes) = cap {
            unit = unit.with_memory_cap(bytes);
        }
        let context = Context::builder().unit(unit).build().unwrap();
        let ((y, changed, z), tuned) = tuning::tune(&context, &tuning::Options::quick(), || {
            let within = || context.clone();
            let make = map!(own).within(within()).on(Device(0));
            let y = make.run_shaped(N, ()).unwrap();
            let mut changed = make.run_shaped(N, ()).unwrap();
            let z = map!(double)
                .within(within())
                .on(Device(0))
                .run((&y,))
                .unwrap();
            map!(bump)
                .within(within())
                .on(Device(0))
                .run((&mut changed,))
                .unwrap();
            (y, changed, z)
        });
        assert!(tuned.instances.len() >= 2, "{:?}", tuned.problems);
        drop(context);
        assert!(is(&y, |i| i), "{cap:?}");
        assert!(is(&changed, |i| i + 1), "{cap:?}");
        assert!(is(&z, |i| 2 * i), "{cap:?}");
    }
}
