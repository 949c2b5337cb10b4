//! Data stays where it was computed: nothing is moved that is in place already. Counted in bytes.

use skel::{
    Context, Traffic,
    mock::{Mock, Operation},
    prelude::*,
    unit::DeviceUnit,
    webgpu,
};
use std::io::{Write, stderr};

#[user_function]
fn sum3(a: u32, b: u32, #[uniform] c: u32) -> u32 {
    a + b + c
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

#[user_function]
fn beside(w: Window1<u32, 1>) -> u32 {
    w[-1] + w[1]
}

fn mocks(count: usize) -> Context {
    let mut builder = Context::builder();
    for k in 0..count {
        builder = builder.unit(Mock::named(format!("mock {k}")).unit().unwrap());
    }
    builder.build().unwrap()
}

/// What `body` moves.
fn moved(context: &Context, body: impl FnOnce()) -> Traffic {
    let before = context.traffic();
    body();
    context.traffic() - before
}

const NOTHING: Traffic = Traffic {
    uploaded_bytes: 0,
    downloaded_bytes: 0,
};

#[test]
fn a_second_call_on_the_same_containers_moves_nothing() {
    for (devices, target) in [
        (1, Target::from(Device(0))),
        (1, Hybrid::ratio(0.3).into()),
        (3, Hybrid::ratio(0.1).into()),
    ] {
        let context = mocks(devices);
        let f = map!(sum3).within(context.clone()).on(&target);
        let (x, y) = (
            Vector::from(vec![1_u32; 1000]),
            Vector::from(vec![2_u32; 1000]),
        );
        let mut z = Vector::filled(1000, 0);
        let call = |z: &mut Vector<u32>| f.run_into((&x, &y, 3), z).unwrap();
        assert_ne!(moved(&context, || call(&mut z)), NOTHING);
        assert_eq!(moved(&context, || call(&mut z)), NOTHING, "{target}");
        // Results are inputs of the next call where they lie.
        let mut w = Vector::filled(1000, 0);
        assert_eq!(
            moved(&context, || f.run_into((&z, &x, 1), &mut w).unwrap()),
            NOTHING
        );
        // Reading moves what the host lacks, once.
        let on_devices = match target {
            Target::Hybrid(_) if devices == 1 => 700,
            Target::Hybrid(_) => 900,
            _ => 1000,
        };
        let read = moved(&context, || assert_eq!(w.host().unwrap()[..], [8; 1000]));
        assert_eq!(
            read,
            Traffic {
                uploaded_bytes: 0,
                downloaded_bytes: 4 * on_devices
            }
        );
        assert_eq!(
            moved(&context, || assert_eq!(w.host().unwrap().len(), 1000)),
            NOTHING
        );
    }
}

#[test]
fn only_the_difference_between_two_splits_is_moved() {
    let context = mocks(1);
    let f = |ratio| map!(bump).within(context.clone()).on(Hybrid::ratio(ratio));
    let mut x = Vector::from(vec![0_u32; 1000]);
    f(0.5).run((&mut x,)).unwrap();
    // 100 elements go from the CPU to the device.
    let more = moved(&context, || f(0.4).run((&mut x,)).unwrap());
    assert_eq!(
        more,
        Traffic {
            uploaded_bytes: 400,
            downloaded_bytes: 0
        }
    );
    // 300 come back.
    let less = moved(&context, || f(0.7).run((&mut x,)).unwrap());
    assert_eq!(
        less,
        Traffic {
            uploaded_bytes: 0,
            downloaded_bytes: 1200
        }
    );
    assert_eq!(x.host().unwrap()[..], [3; 1000]);
}

#[test]
fn what_the_host_changes_is_uploaded_again() {
    let context = mocks(1);
    let f = map!(sum3).within(context.clone()).on(Device(0));
    let mut x = Vector::from(vec![1_u32; 100]);
    drop(f.run((&x, &x, 0)).unwrap());
    x.host_mut().unwrap()[7] = 10;
    let traffic = moved(&context, || {
        assert_eq!(f.run((&x, &x, 0)).unwrap().host().unwrap()[7], 20)
    });
    assert_eq!(
        traffic,
        Traffic {
            uploaded_bytes: 400,
            downloaded_bytes: 400
        }
    );
}

#[test]
fn from_one_device_to_another_goes_through_the_host_once() {
    let context = mocks(2);
    let on = |device| map!(bump).within(context.clone()).on(Device(device));
    let mut x = Vector::from(vec![0_u32; 100]);
    on(0).run((&mut x,)).unwrap();
    let traffic = moved(&context, || on(1).run((&mut x,)).unwrap());
    assert_eq!(
        traffic,
        Traffic {
            uploaded_bytes: 400,
            downloaded_bytes: 400
        }
    );
    assert_eq!(x.host().unwrap()[..], [2; 100]);
}

#[test]
fn debug_says_where_elements_are() {
    let context = mocks(1);
    let f = map!(sum3).within(context).on(Hybrid::ratio(0.25));
    let z = f.run((&vec![1; 8], &vec![2; 8], 3)).unwrap();
    let shown = format!("{z:?}");
    assert!(
        shown.starts_with("Vector<u32>[8] on host (2), device node"),
        "{shown}"
    );
    assert!(shown.ends_with("(6)"), "{shown}");
}

/// What is not there yet comes in steps, and each is computed before the next one comes.
#[test]
fn large_pieces_are_taken_in_steps_while_elements_are_on_their_way() {
    use std::sync::{Arc, Mutex};
    let seen: Arc<Mutex<Vec<Operation>>> = Arc::default();
    let notes = Arc::clone(&seen);
    let mock = Mock::named("steps")
        .step_bytes(4 << 10)
        .before_each(move |operation| {
            if matches!(operation, Operation::Upload | Operation::Launch) {
                notes.lock().unwrap().push(operation);
            }
        });
    let context = Context::builder()
        .unit(mock.unit().unwrap())
        .build()
        .unwrap();
    let taken = || std::mem::take(&mut *seen.lock().unwrap());
    let x = Vector::from_fn(4 << 10, |i| i as u32);
    let twice = map!(|x: u32| 2 * x).within(context.clone()).on(Device(0));
    let (y, calls) = skel::observe(|| twice.run((&x,)));
    let y = y.unwrap();
    assert_eq!(taken(), [Operation::Upload, Operation::Launch].repeat(4));
    assert_eq!(calls[0].parts.len(), 1, "one part of the call");
    assert_eq!(calls[0].parts[0].range, 0..4 << 10);
    // It is all there now.
    let sum = map_reduce!(|x: u32, y: u32| x + y, |a: u32, b: u32| a + b);
    let total = sum.within(context).on(Device(0)).run((&x, &y)).unwrap();
    assert_eq!(taken(), [Operation::Launch]);
    assert_eq!(total, (0..4 << 10).map(|i| 3 * i).sum::<u32>());
    assert!(
        (0..)
            .zip(&y.host().unwrap()[..])
            .all(|(i, y): (u32, _)| *y == 2 * i)
    );
}

/// Faces of a container that lives on a device are stored there, by strides; of one that lives on the host, there.
#[test]
fn faces_are_written_where_the_container_lives() {
    faces(&mocks(1));
    let device = webgpu::enumerate().into_iter();
    let Some(device) = device.into_iter().find(|device| device.rejected.is_none()) else {
        let test = "residency::faces_are_written_where_the_container_lives, on wgpu";
        writeln!(stderr(), "skipped: {test}: wgpu finds no device").expect("stderr is open");
        return;
    };
    let driver = webgpu::open_with(&device, webgpu::Options::default()).unwrap();
    let unit = DeviceUnit::new(driver).unwrap();
    faces(&Context::builder().unit(unit).build().unwrap());
}

fn faces(context: &Context) {
    let on = |target: Target| map!(sum3).within(context.clone()).on(target);
    let grow = |target: Target| map!(bump).within(context.clone()).on(target);
    let one = Matrix::filled(30, 20, 1_u32);
    let mut m = on(Device(0).into()).run((&one, &one, 0)).unwrap();
    let column = Vector::filled(30, 5_u32);
    drop(on(Device(0).into()).run((&column, &column, 0)).unwrap());
    let on_device = moved(context, || {
        let f = on(Device(0).into());
        f.run_into((&column, &column, 1), m.col_mut(3)).unwrap();
        let all = grow(Device(0).into());
        all.run((m.transposed_mut(),)).unwrap();
        all.run((m.col_mut(4),)).unwrap();
        // It sees neighbourhoods of what was stored.
        let near = map_overlap!(beside).within(context.clone()).on(Device(0));
        let far = near.run((&column,)).unwrap();
        near.run_into((&far,), m.col_mut(5)).unwrap();
    });
    assert_eq!(on_device, NOTHING);
    let expected = |k: usize| match k % 20 {
        3 => 12,
        4 => 4,
        5 => 20,
        _ => 3,
    };
    let found = m.to_vec().unwrap();
    assert!(found.iter().enumerate().all(|(k, x)| *x == expected(k)));
    // A unit that has but a part of the call does not write between the elements of others.
    let shared = moved(context, || {
        let halves = grow(Hybrid::ratio(0.5).into());
        halves.run((m.col_mut(0),)).unwrap();
    });
    assert_eq!(shared.uploaded_bytes, 4 * 15);
    // Now the host has changed it, and the device lacks that: what is written comes to the host.
    let traffic = moved(context, || {
        grow(Device(0).into()).run((m.col_mut(0),)).unwrap();
    });
    let face = Traffic {
        uploaded_bytes: 4 * 30,
        downloaded_bytes: 4 * 30,
    };
    assert_eq!(traffic, face);
    assert_eq!(m.to_vec().unwrap()[20], 5);
}

#[test]
fn another_shape_moves_nothing() {
    let context = mocks(1);
    let f = map!(bump).within(context.clone()).on(Device(0));
    let mut v = Vector::from_fn(12, |i| i as u32);
    f.run((&mut v,)).unwrap();
    let mut back = None;
    let again = moved(&context, || {
        let mut m: Matrix<u32> = v.into_shape((3, 4)).unwrap();
        f.run((&mut m,)).unwrap();
        let mut t: Tensor3<u32> = m.into_shape((2, 3, 2)).unwrap();
        f.run((&mut t,)).unwrap();
        back = Some(t.into_shape::<Vector<u32>>(12).unwrap());
    });
    assert_eq!(again, NOTHING);
    let v = back.unwrap();
    assert_eq!(v.to_vec().unwrap(), (3..15).collect::<Vec<u32>>());

    let wrong = v.into_shape::<Matrix<u32>>((3, 5)).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "Vector::into_shape: argument 1 has shape [3 × 5], but [12] is needed (as the container has it)"
    );
    let flat = Matrix::filled(3, 4, 0_u32);
    let wrong = flat.into_shape::<Matrix<u32>>((1, 3, 4)).unwrap_err();
    assert!(
        matches!(wrong, skel::Error::ShapeMismatch { .. }),
        "{wrong}"
    );
}
