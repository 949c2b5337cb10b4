//! Types of users in containers: on the host, on a device, and on both at once.
#![forbid(unsafe_code)]

use skel::{Context, mock::Mock, prelude::*};

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
struct Body {
    at: [f64; 2],
    kind: Kind,
    awake: bool,
    age: i16,
    mass: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(u8)]
enum Kind {
    Dust,
    Rock = 40,
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Limits<T, const N: usize> {
    low: [T; N],
    high: [T; N],
}

#[user_function]
fn step(body: Body, #[uniform] by: Limits<f64, 2>) -> Body {
    let mut next = body;
    for k in 0..2 {
        next.at[k] = (body.at[k] + 0.5).max(by.low[k]).min(by.high[k]);
    }
    next.age += 1;
    next.awake = next != body;
    if body.kind == Kind::Dust {
        next.kind = Kind::Rock;
        next.mass *= 2.0;
    }
    next
}

#[user_function]
fn heavier(a: Body, b: Body) -> Body {
    if b.mass > a.mass { b } else { a }
}

fn body(i: usize) -> Body {
    Body {
        at: [i as f64, -(i as f64)],
        kind: if i.is_multiple_of(3) {
            Kind::Rock
        } else {
            Kind::Dust
        },
        awake: i.is_multiple_of(2),
        age: i as i16,
        mass: (i * 37 % 1000) as f32,
    }
}

const BY: Limits<f64, 2> = Limits {
    low: [10.0, -700.0],
    high: [900.0, -3.0],
};

#[test]
fn structs_are_mapped_on_every_unit() {
    let bodies = Vector::from_fn(1000, body);
    let expected: Vec<Body> = (0..1000).map(|i| step(body(i), BY)).collect();
    let check = |found: skel::Result<Vector<Body>>| {
        assert_eq!(&found.unwrap().host().unwrap()[..], expected);
    };
    check(map!(step).on(Sequential).run((&bodies, BY)));
    check(map!(step).on(Cpu).run((&bodies, BY)));

    let mock = Mock::named("mock").unit().unwrap();
    let context = Context::builder().unit(mock).build().unwrap();
    let mixed = map!(step).within(context).on(Hybrid::ratio(0.3));
    check(mixed.run((&bodies, BY)));
}

#[test]
fn structs_are_reduced() {
    let bodies = Vector::from_fn(997, body);
    let expected = (0..997).map(body).reduce(heavier).unwrap();
    assert_eq!(reduce!(heavier).on(Cpu).run((&bodies,)).unwrap(), expected);
}

#[test]
fn enums_and_narrow_integers_are_elements() {
    let kinds = vec![Kind::Rock, Kind::Dust, Kind::Rock];
    let count = map!(|k: Kind, n: i8| n as i64 * (k as i64) - 1);
    let counts = count.on(Cpu).run((&kinds, &[1_i8, 2, -3])).unwrap();
    assert_eq!(&counts.host().unwrap()[..], [39, -1, -121]);
}

#[test]
fn closures_make_structs() {
    let make = map!(|x: f64, n: i16| {
        let kind = if n > 0 { Kind::Rock } else { Kind::Dust };
        Body {
            at: [x, -1.0],
            kind,
            awake: true,
            age: n,
            mass: 0.5,
        }
    });
    let made = make.on(Cpu).run((&[2.5, 3.5], &[1_i16, -1])).unwrap();
    let first = Body {
        at: [2.5, -1.0],
        kind: Kind::Rock,
        awake: true,
        age: 1,
        mass: 0.5,
    };
    let second = Body {
        at: [3.5, -1.0],
        kind: Kind::Dust,
        age: -1,
        ..first
    };
    assert_eq!(&made.host().unwrap()[..], [first, second]);
}

/// Folds combine some hundred elements at once, which is more than the stack of a thread has room for.
#[test]
fn rows_and_columns_of_large_elements_are_reduced() {
    type Large = [u32; 2048];

    #[user_function]
    fn add(a: Large, b: Large) -> Large {
        let mut sum = a;
        sum[0] += b[0];
        sum
    }

    #[user_function(commutative)]
    fn add_in_any_order(a: Large, b: Large) -> Large {
        let mut sum = a;
        sum[0] += b[0];
        sum
    }

    let (wide, tall) = (
        Matrix::filled(2, 300, [1_u32; 2048]),
        Matrix::filled(300, 2, [1_u32; 2048]),
    );
    let sums = [
        reduce!(add).rows().on(Cpu).run((&wide,)).unwrap(),
        reduce!(add_in_any_order)
            .rows()
            .on(Cpu)
            .run((&wide,))
            .unwrap(),
        reduce!(add).cols().on(Cpu).run((&tall,)).unwrap(),
        reduce!(add_in_any_order)
            .cols()
            .on(Cpu)
            .run((&tall,))
            .unwrap(),
    ];
    for sum in sums {
        assert_eq!(sum.host().unwrap()[1][..2], [300, 1]);
    }
}
