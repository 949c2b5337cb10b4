//! The methods of [`Random`](super::Random) for devices and for the interpreter.
//!
//! User functions as any other. They are not those that the CPU runs, since 32-bit arithmetic is all that every
//! device has: [`high_product`] multiplies by halves, for which a CPU has one instruction.

use super::philox::{INCREMENTS, MULTIPLIERS, ROUNDS};
use crate::{
    ir::{Imp, build::Cx},
    param::EachMut,
    user_function::UserFunction,
};
use skel_macros::{Element, user_function};

/// A [`Random`](super::Random) on a device. At an element's first draw all is zero but the key and the number of
/// the element.
#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(super) struct Generator {
    /// The lower half of the seed.
    pub(super) seed: u32,
    pub(super) seed_high: u32,
    /// The number of the call.
    pub(super) call: u32,
    /// The lower half of the element's index.
    pub(super) index: u32,
    pub(super) index_high: u32,
    /// How many blocks were drawn.
    pub(super) block: u32,
    /// The words of the current block that are still to come.
    pub(super) next0: u32,
    pub(super) next1: u32,
    pub(super) next2: u32,
    pub(super) left: u32,
}

/// Counter and key between two rounds.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct PhiloxBlock {
    c0: u32,
    c1: u32,
    c2: u32,
    c3: u32,
    k0: u32,
    k1: u32,
}

/// The file that the methods' functions say they are of.
pub(super) const FILE: &str = file!();

// A constant of a user function is a value that kernels hold; of an array they would hold all of it.
const MULTIPLIER_0: u32 = MULTIPLIERS[0];
const MULTIPLIER_1: u32 = MULTIPLIERS[1];
const INCREMENT_0: u32 = INCREMENTS[0];
const INCREMENT_1: u32 = INCREMENTS[1];
const TAU: f32 = std::f32::consts::TAU;
/// 2⁻²⁴.
const STEP_F32: f32 = 1.0 / 16_777_216.0;
/// 2⁻⁵³.
const STEP_F64: f64 = 1.0 / 9_007_199_254_740_992.0;

/// Builds a method of [`Random`](super::Random), by its name. Its one parameter is the generator, `&mut`.
pub fn method(name: &str, cx: &mut Cx) -> Imp {
    type Drawn = (EachMut<Generator>,);
    match name {
        "next_u32" => <next_u32 as UserFunction<Drawn>>::ir(cx),
        "uniform_f32" => <uniform_f32 as UserFunction<Drawn>>::ir(cx),
        "uniform_f64" => <uniform_f64 as UserFunction<Drawn>>::ir(cx),
        "normal_f32" => <normal_f32 as UserFunction<Drawn>>::ir(cx),
        // The macro knows which methods there are.
        _ => Imp::Failed,
    }
}

/// The upper half of the product of two words.
#[user_function]
fn high_product(a: u32, b: u32) -> u32 {
    let a_low = a & 0xffff;
    let a_high = a >> 16;
    let b_low = b & 0xffff;
    let b_high = b >> 16;
    let carry = (a_low * b_low) >> 16;
    let middle = a_high * b_low + carry;
    let other = a_low * b_high + (middle & 0xffff);
    a_high * b_high + (middle >> 16) + (other >> 16)
}

#[user_function]
fn philox_round(b: PhiloxBlock) -> PhiloxBlock {
    PhiloxBlock {
        c0: high_product(MULTIPLIER_1, b.c2) ^ b.c1 ^ b.k0,
        c1: MULTIPLIER_1.wrapping_mul(b.c2),
        c2: high_product(MULTIPLIER_0, b.c0) ^ b.c3 ^ b.k1,
        c3: MULTIPLIER_0.wrapping_mul(b.c0),
        k0: b.k0.wrapping_add(INCREMENT_0),
        k1: b.k1.wrapping_add(INCREMENT_1),
    }
}

/// The words of the current block. Rounds are written out, since a loop would make the work of an
/// element look unbounded.
#[user_function]
fn philox(random: Generator) -> PhiloxBlock {
    let b = PhiloxBlock {
        c0: random.index,
        c1: random.index_high,
        c2: random.block,
        c3: random.seed_high,
        k0: random.seed,
        k1: random.call,
    };
    let b = philox_round(philox_round(philox_round(philox_round(philox_round(b)))));
    philox_round(philox_round(philox_round(philox_round(philox_round(b)))))
}

const _: () = assert!(ROUNDS == 10, "`philox` has ten rounds");

#[user_function]
fn next_u32(random: &mut Generator) -> u32 {
    if random.left == 0 {
        let words = philox(*random);
        random.block = random.block.wrapping_add(1);
        random.next0 = words.c1;
        random.next1 = words.c2;
        random.next2 = words.c3;
        random.left = 3;
        words.c0
    } else {
        let word = random.next0;
        random.next0 = random.next1;
        random.next1 = random.next2;
        random.left -= 1;
        word
    }
}

#[user_function]
fn uniform_f32(random: &mut Generator) -> f32 {
    (next_u32(random) >> 8) as f32 * STEP_F32
}

#[user_function]
fn uniform_f64(random: &mut Generator) -> f64 {
    let high = (next_u32(random) >> 5) as f64;
    let low = (next_u32(random) >> 6) as f64;
    (high * 67_108_864.0 + low) * STEP_F64
}

#[user_function]
fn normal_f32(random: &mut Generator) -> f32 {
    let radius = (-2.0 * (1.0 - uniform_f32(random)).ln()).sqrt();
    radius * (TAU * uniform_f32(random)).cos()
}
