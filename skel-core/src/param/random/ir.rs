//! The methods of [`Random`] as functions of the IR, in the text that the macros write as well.
//!
//! 32-bit arithmetic only, since not every device has more: [`high_product`] multiplies by halves.

use super::{
    Random,
    philox::{INCREMENTS, MULTIPLIERS, ROUNDS},
};
use crate::ir::{
    Imp, Mode, Ty, Value,
    build::{Cx, Source},
};

/// Builds a method of [`Random`], by its name. Its one parameter is the generator, `&mut`.
pub fn method(name: &str, cx: &mut Cx) -> Imp {
    match name {
        "next_u32" => next_u32(cx),
        "uniform_f32" => uniform_f32(cx),
        "uniform_f64" => uniform_f64(cx),
        "normal_f32" => normal_f32(cx),
        // The macro knows which methods there are.
        _ => Imp::Failed,
    }
}

fn source(params: Vec<(Ty, Mode)>, ret: Ty, text: &'static str) -> Source {
    Source {
        file: file!(),
        params,
        ret,
        text,
        types: Vec::new(),
        constants: Vec::new(),
        imps: Vec::new(),
        fast_math: false,
        messages: Vec::new(),
    }
}

fn generator() -> Vec<(Ty, Mode)> {
    vec![(Random::ty(), Mode::InOut)]
}

/// The upper half of the product of two words.
fn high_product(cx: &mut Cx) -> Imp {
    struct Key;
    cx.define::<Key>("high_product", |_| {
        source(
            vec![(Ty::U32, Mode::In), (Ty::U32, Mode::In)],
            Ty::U32,
            "(fn (a b) (bl \
             (let 2 a_low - (b & - (v 0) (lit ^ 65535))) \
             (let 3 a_high - (b >> - (v 0) (lit ^ 16))) \
             (let 4 b_low - (b & - (v 1) (lit ^ 65535))) \
             (let 5 b_high - (b >> - (v 1) (lit ^ 16))) \
             (let 6 carry - (b >> - (b * - (v 2) (v 4)) (lit ^ 16))) \
             (let 7 middle - (b + - (b * - (v 3) (v 4)) (v 6))) \
             (let 8 other - (b + - (b * - (v 2) (v 5)) (b & - (v 7) (lit ^ 65535)))) \
             (tail (b + - (b + - (b * - (v 3) (v 5)) (b >> - (v 7) (lit ^ 16))) \
             (b >> - (v 8) (lit ^ 16))))))",
        )
    })
}

/// Counter and key between two rounds.
fn block_ty() -> Ty {
    Ty::structure(
        "PhiloxBlock",
        &["c0", "c1", "c2", "c3", "k0", "k1"].map(|name| (name, Ty::U32)),
    )
}

fn round(cx: &mut Cx) -> Imp {
    struct Key;
    cx.define::<Key>("philox_round", |cx| Source {
        types: vec![block_ty()],
        constants: [MULTIPLIERS, INCREMENTS]
            .concat()
            .into_iter()
            .map(Value::U32)
            .collect(),
        imps: vec![high_product(cx)],
        ..source(
            vec![(block_ty(), Mode::In)],
            block_ty(),
            "(fn (b) (bl (let 1 next 0 -) \
             (= (f c0 (v 1)) (b ^ - (b ^ - (c 0 (k 1) (f c2 (v 0))) (f c1 (v 0))) (f k0 (v 0)))) \
             (= (f c1 (v 1)) (m wrapping_mul - (k 1) (f c2 (v 0)))) \
             (= (f c2 (v 1)) (b ^ - (b ^ - (c 0 (k 0) (f c0 (v 0))) (f c3 (v 0))) (f k1 (v 0)))) \
             (= (f c3 (v 1)) (m wrapping_mul - (k 0) (f c0 (v 0)))) \
             (= (f k0 (v 1)) (m wrapping_add - (f k0 (v 0)) (k 2))) \
             (= (f k1 (v 1)) (m wrapping_add - (f k1 (v 0)) (k 3))) \
             (tail (v 1))))",
        )
    })
}

/// The words of the current block. Rounds are written out, since a loop would make the work of an
/// element look unbounded.
fn philox(cx: &mut Cx) -> Imp {
    const { assert!(ROUNDS == 10, "the text calls the round ten times") }
    struct Key;
    cx.define::<Key>("philox", |cx| Source {
        types: vec![block_ty()],
        imps: vec![round(cx)],
        ..source(
            vec![(Random::ty(), Mode::In)],
            block_ty(),
            "(fn (random) (bl (let 1 b 0 -) \
             (= (f c0 (v 1)) (f index (v 0))) \
             (= (f c1 (v 1)) (f index_high (v 0))) \
             (= (f c2 (v 1)) (f block (v 0))) \
             (= (f c3 (v 1)) (f seed_high (v 0))) \
             (= (f k0 (v 1)) (f seed (v 0))) \
             (= (f k1 (v 1)) (f call (v 0))) \
             (tail (c 0 (c 0 (c 0 (c 0 (c 0 (c 0 (c 0 (c 0 (c 0 (c 0 (v 1))))))))))))))",
        )
    })
}

fn next_u32(cx: &mut Cx) -> Imp {
    struct Key;
    cx.define::<Key>("next_u32", |cx| Source {
        imps: vec![philox(cx)],
        ..source(
            generator(),
            Ty::U32,
            "(fn (random) (bl (tail (if (b == - (f left (v 0)) (lit ^ 0)) \
             (bl (let 1 words - (c 0 (v 0))) \
             (= (f block (v 0)) (m wrapping_add - (f block (v 0)) (lit ^ 1))) \
             (= (f next0 (v 0)) (f c1 (v 1))) \
             (= (f next1 (v 0)) (f c2 (v 1))) \
             (= (f next2 (v 0)) (f c3 (v 1))) \
             (= (f left (v 0)) (lit ^ 3)) \
             (tail (f c0 (v 1)))) \
             (bl (let 2 word - (f next0 (v 0))) \
             (= (f next0 (v 0)) (f next1 (v 0))) \
             (= (f next1 (v 0)) (f next2 (v 0))) \
             (= (f left (v 0)) (m wrapping_sub - (f left (v 0)) (lit ^ 1))) \
             (tail (v 2)))))))",
        )
    })
}

fn uniform_f32(cx: &mut Cx) -> Imp {
    struct Key;
    cx.define::<Key>("uniform_f32", |cx| Source {
        types: vec![Ty::F32],
        constants: vec![Value::F32(1.0 / 16_777_216.0)],
        imps: vec![next_u32(cx)],
        ..source(
            generator(),
            Ty::F32,
            "(fn (random) (bl (tail (b * - (as 0 (b >> - (draw 0 (v 0)) (lit ^ 8))) (k 0)))))",
        )
    })
}

fn uniform_f64(cx: &mut Cx) -> Imp {
    struct Key;
    cx.define::<Key>("uniform_f64", |cx| Source {
        types: vec![Ty::F64],
        constants: vec![
            Value::F64(67_108_864.0),
            Value::F64(1.0 / 9_007_199_254_740_992.0),
        ],
        imps: vec![next_u32(cx)],
        ..source(
            generator(),
            Ty::F64,
            "(fn (random) (bl \
             (let 1 high - (as 0 (b >> - (draw 0 (v 0)) (lit ^ 5)))) \
             (let 2 low - (as 0 (b >> - (draw 0 (v 0)) (lit ^ 6)))) \
             (tail (b * - (b + - (b * - (v 1) (k 0)) (v 2)) (k 1)))))",
        )
    })
}

fn normal_f32(cx: &mut Cx) -> Imp {
    struct Key;
    cx.define::<Key>("normal_f32", |cx| Source {
        types: vec![Ty::F32],
        constants: vec![Value::F32(std::f32::consts::TAU)],
        imps: vec![uniform_f32(cx)],
        ..source(
            generator(),
            Ty::F32,
            "(fn (random) (bl \
             (let 1 radius - (m sqrt - (b * - (u - - (lit 0 2.0)) \
             (m ln - (b - - (lit 0 1.0) (draw 0 (v 0))))))) \
             (tail (b * - (v 1) (m cos - (b * - (k 0) (draw 0 (v 0))))))))",
        )
    })
}
