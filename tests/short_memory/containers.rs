//! Containers, their parts, and what they are made from.

use super::{places, with_each_failing};
use skel::{
    Context, Result,
    ndarray::{Array2, ShapeBuilder},
    npy,
    prelude::*,
};

const N: usize = 40_000;

fn on_host(name: &str, call: impl Fn() -> Result<()>) {
    let context = Context::builder().build().expect("a context");
    with_each_failing(name, &context, &call);
}

#[test]
fn containers_are_made_or_not() {
    let _alone = super::alone();
    on_host("made", || {
        let v = Vector::try_from_fn(N, |i| i as u32)?;
        assert_eq!(v.host_range(7..8)?, [7]);
        assert_eq!(Vector::try_filled(N, 3_u8)?.len(), N);
        let m = Matrix::try_from_fn(200, 200, |i, j| (i * j) as u32)?;
        assert_eq!(m.host()?.row(3)[4], 12);
        assert_eq!(Matrix::try_filled(200, 200, 1.5_f32)?.host()?[9], 1.5);
        let t = Tensor3::try_from_fn(20, 20, 100, |k, i, j| (k + i + j) as u32)?;
        assert_eq!(t.host()?[2123], 1 + 1 + 23);
        let t = Tensor4::try_filled(2, 10, 20, 100, 5_u16)?;
        assert_eq!(t.len(), N);
        Ok(())
    });
}

#[test]
fn constructors_that_cannot_fail_panic_and_do_not_abort() {
    let _alone = super::alone();
    use std::panic::{AssertUnwindSafe, catch_unwind};
    on_host("made or panicked", || {
        let made = catch_unwind(AssertUnwindSafe(|| {
            let v: Vector<u32> = (0..N as u32).collect();
            let w = Vector::from(v.host()?.as_slice());
            let m = Matrix::filled(200, 200, w.host()?[5]);
            let by_columns = Array2::from_shape_fn((10, 10).f(), |(i, j)| i + j);
            let t = Tensor3::from_fn(20, 20, 100, |k, _, _| k as u32);
            Ok((m.len(), t.len(), Matrix::from(by_columns).len()))
        }));
        match made {
            Ok(made) => assert_eq!(made?, (N, N, 100)),
            Err(payload) => {
                let message = payload.downcast_ref::<String>().expect("a message");
                assert!(message.contains("the host: out of memory"), "{message}");
            }
        }
        Ok(())
    });
}

#[test]
fn copies_are_made_or_not() {
    let _alone = super::alone();
    let v = Vector::from_fn(N, |i| i as u32);
    let m = Matrix::from_fn(200, 200, |i, j| (200 * i + j) as u32);
    on_host("copies", || {
        assert_eq!(v.to_vec()?[8], 8);
        assert_eq!(v.part(..).step_by(2).to_vec()?[8], 16);
        assert_eq!(m.transposed().to_vec()?[1], 200);
        assert_eq!(v.try_clone()?.into_vec()?[9], 9);
        assert_eq!(m.try_clone()?.host()?[9], 9);
        let sum = skel::with_slice(v.host()?.as_slice(), |v| {
            reduce!(|a: u32, b: u32| a.wrapping_add(b))
                .on(Cpu)
                .run((v,))
        });
        assert_eq!(sum?, (0..N as u32).fold(0, u32::wrapping_add));
        Ok(())
    });
    for place in places() {
        let f = map!(|x: u32| x + 1).within(place.context.clone());
        // As for other calls: each device has all that stays.
        for device in 0..place.fills {
            f.clone().on(Device(device)).run((&v,)).expect("memory");
        }
        let f = f.on(&place.target);
        with_each_failing(&format!("results, {}", place.name), &place.context, &|| {
            assert_eq!(f.run((&v,))?.to_vec()?[7], 8);
            assert_eq!(f.run((&v,))?.part(..).reversed().to_vec()?[0], N as u32);
            assert_eq!(f.run((&v,))?.try_clone()?.host()?[7], 8);
            assert_eq!(f.run((&v,))?.into_vec()?[7], 8);
            let mut w = f.run((&v,))?;
            w.host_mut()?[7] = 3;
            assert_eq!(w.host_range(7..9)?, [3, 9]);
            Ok(())
        });
    }
}

#[test]
fn files_are_read_or_not() {
    let _alone = super::alone();
    let folder = std::env::temp_dir().join(format!("skel-short-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("rows.npy");
    let m = Matrix::from_fn(200, 200, |i, j| (200 * i + j) as u32);
    on_host("files", || {
        npy::save(&path, &m)?;
        let again: Matrix<u32> = npy::load(&path)?;
        assert_eq!(again.host()?[777], 777);
        assert_eq!(again.into_array()?[(1, 2)], 202);
        Ok(())
    });
    std::fs::remove_dir_all(&folder).expect("it is ours");
}
