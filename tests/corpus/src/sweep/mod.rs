//! Every method of floats and every cast from and to them, over all magnitudes.
//!
//! A test (`tests/sweep`) asks that all built-ins that floats have are among them, of every float: a new one
//! fails it until it stands in a function here.

mod cpu;
mod functions;
mod values;

use super::{Case, case};
use cpu::{Results, column};
use functions::*;
use skel::{half::f16, prelude::*};
use skel_core::{
    Element,
    ir::{Ty, Value},
    param::Each,
};
use skel_verify::{Bound, Sweep};

/// Calls `$visit!` on every row of the table: a function, its parameters, the arguments, the bound.
///
/// `f(x) each` stands for one row of each float type; `f(x: f32) = …` for just this one.
macro_rules! table {
    ($visit:ident) => {
        table!(@floats $visit
            rounded(x) each bits; parts(x) each bits; scaled(x) each bits; classes(x) each bits;
            signs(x) each bits;
            sums(x, y) pairs bits; remainders(x, y) pairs bits; ordered(x, y) pairs bits;
            bounded(x, y) pairs bits; clamped(x, y, z) triples bits;
            multiplied_and_added(x, y, z) triples (or rounded_twice);
            exponentials(x) each bits; tame(x) each bits; wild(x) each bits;
            near_zero(x) each bits; cube_root(x) each bits; waves(x) each bits;
            tangent(x) each bits; power(x, y) pairs bits; angle(x, y) pairs bits;
            length(x, y) pairs bits;
        );
        $visit!(whole_power(x: f16, n: i32) = values::with_whole::<f16>; bits);
        $visit!(whole_power(x: f32, n: i32) = values::with_whole::<f32>; bits);
        $visit!(whole_power(x: f64, n: i32) = values::with_whole::<f64>; bits);
        $visit!(single_to_signed(x: f32) = values::each::<f32>; bits);
        $visit!(single_to_unsigned(x: f32) = values::each::<f32>; bits);
        $visit!(single_to_size(x: f32) = values::small::<f32>; bits);
        $visit!(double_to_signed(x: f64) = values::each::<f64>; bits);
        $visit!(double_to_unsigned(x: f64) = values::each::<f64>; bits);
        $visit!(double_to_size(x: f64) = values::small::<f64>; bits);
        $visit!(to_double(x: f32) = values::each::<f32>; bits);
        $visit!(to_single(x: f64) = values::each::<f64>; bits);
        $visit!(signed_to_single(a: i8, b: i16, c: i32, d: i64) = signed; bits);
        $visit!(unsigned_to_single(a: u8, b: u16, c: u32, d: u64) = unsigned; bits);
        $visit!(signed_to_double(a: i8, b: i16, c: i32, d: i64) = signed; bits);
        $visit!(unsigned_to_double(a: u8, b: u16, c: u32, d: u64) = unsigned; bits);
        $visit!(size_to_float(a: isize, b: usize) = sizes; bits);
        $visit!(half_to_wide(x: f16) = values::each::<f16>; bits);
        $visit!(half_of_single(x: f32) = values::each::<f32>; bits);
        $visit!(single_bits(x: f32, n: u32) = single_and_bits; bits);
        $visit!(double_bits(x: f64, n: u64) = double_and_bits; bits);
        $visit!(half_bits(x: f16, n: u16) = half_and_bits; bits);
    };
    (@floats $visit:ident $($f:ident($($x:ident),*) $inputs:ident $bound:tt;)*) => { $(
        $visit!($f($($x: f16),*) = values::$inputs::<f16>; $bound);
        $visit!($f($($x: f32),*) = values::$inputs::<f32>; $bound);
        $visit!($f($($x: f64),*) = values::$inputs::<f64>; $bound);
    )* };
}

fn signed() -> Vec<Vec<Value>> {
    values::beside(&[Ty::I8, Ty::I16, Ty::I32, Ty::I64])
}

fn unsigned() -> Vec<Vec<Value>> {
    values::beside(&[Ty::U8, Ty::U16, Ty::U32, Ty::U64])
}

fn sizes() -> Vec<Vec<Value>> {
    values::beside(&[Ty::Isize, Ty::Usize])
}

/// Floats beside bits, which are those of all floats.
fn with_bits(float: &Ty) -> Vec<Vec<Value>> {
    let bits = |x: &Value| match x {
        Value::F16(x) => Value::U16(x.0),
        Value::F32(x) => Value::U32(x.to_bits()),
        Value::F64(x) => Value::U64(x.to_bits()),
        other => unreachable!("{other:?} is no float"),
    };
    let all = values::of(float).into_iter();
    all.map(|x| vec![x.clone(), bits(&x)]).collect()
}

fn single_and_bits() -> Vec<Vec<Value>> {
    with_bits(&Ty::F32)
}

fn double_and_bits() -> Vec<Vec<Value>> {
    with_bits(&Ty::F64)
}

fn half_and_bits() -> Vec<Vec<Value>> {
    with_bits(&Ty::F16)
}

/// What devices may give instead of the native function's bits.
macro_rules! bound {
    ($f:ident($($x:ident: $t:ty),*) bits) => {
        Bound::Bits
    };
    ($f:ident($($x:ident: $t:ty),*) (or $other:ident)) => {
        Bound::Or(case::<$other, ($(Each<$t>,)*)>().native)
    };
}

/// A function that is swept.
pub struct Swept {
    /// Of values, with its arguments.
    pub case: Case,
    /// The results of each element, in one call on the CPU.
    pub on_cpu: fn(&[Vec<Value>]) -> Vec<Vec<Value>>,
}

/// All of them.
pub fn swept() -> Vec<Swept> {
    let mut all = Vec::new();
    macro_rules! add {
        ($f:ident($($x:ident: $t:ty),*) = $inputs:expr; $bound:tt) => {{
            let mut case = case::<$f, ($(Each<$t>,)*)>();
            let types = [$(<$t as Element>::ty().to_string()),*];
            case.name = format!("sweep_{}_{}", stringify!($f), types.join("_"));
            case.sweep = Some(Sweep {
                inputs: $inputs,
                bound: bound!($f($($x: $t),*) $bound),
            });
            let on_cpu = |inputs: &[Vec<Value>]| {
                let mut columns = 0..;
                $(let $x: Vec<$t> = column(inputs, columns.next().unwrap());)*
                map!($f).on(Cpu).run(($(&$x,)*)).unwrap().per_element()
            };
            all.push(Swept { case, on_cpu });
        }};
    }
    table!(add);
    all
}

pub(super) fn cases() -> Vec<Case> {
    swept().into_iter().map(|swept| swept.case).collect()
}
