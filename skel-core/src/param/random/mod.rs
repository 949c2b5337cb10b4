//! Random numbers: the parameter `rng: &mut Random`.
//!
//! Philox 4×32-10 (`philox`), counter-based: the numbers of an element follow from the seed, the
//! call and the element's index, so they are the same on every unit, in every split, with any number
//! of threads.
//!
//! | word | of the key | of the counter |
//! |---|---|---|
//! | 0 | the lower half of the seed | the lower half of the element's index |
//! | 1 | the number of the call | the upper half of the index |
//! | 2 | | how many blocks of four words the element has drawn |
//! | 3 | | the upper half of the seed |
//!
//! So no two draws of one seed share key and counter, up to 2³² calls and 2³⁴ words an element.
//!
//! The methods are here three times: as the CPU runs them, for one element and for several at once (`lanes`), and as
//! user functions (`ir`), which the interpreter and every device have without further ado. There, a `Random` is a struct
//! of ten `u32`s.

mod ir;
mod lanes;
mod philox;

pub use ir::method;
pub use lanes::Generators;

use crate::{
    Element,
    ir::{Function, Ty, Value},
    math::single::{ln::ln, sin::near_cos},
    space::Stream,
};
use ir::Generator;
use philox::{keys, philox};
use std::{cell::Cell, f32::consts::TAU};

/// A generator of random numbers, as a parameter of a user function: `rng: &mut Random`. It is not
/// passed; every element of a call has its own, and always the same, whatever unit computes it.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn inside(rng: &mut Random) -> u32 {
///     let (x, y) = (rng.uniform_f32(), rng.uniform_f32());
///     (x * x + y * y < 1.0) as u32
/// }
///
/// let hits = map_reduce!(inside, |a: u32, b: u32| a + b).seed(7);
/// let pi = 4.0 * hits.run_shaped(100_000, ())? as f64 / 1e5;
/// assert!((pi - 3.14).abs() < 0.02);
/// # skel::Result::Ok(())
/// ```
///
/// The numbers are Philox 4×32-10 of the seed (`.seed(…)` of the skeleton; 0 at first), the number of
/// the call among those of the instance, the element's index, and how many were drawn before.
#[derive(Debug)]
pub struct Random {
    key: [u32; 2],
    counter: [u32; 4],
    /// The words of the current block that are still to come, first the next one.
    next: [u32; 3],
    left: u32,
}

impl Random {
    /// The generator of element `index`.
    #[inline(always)]
    #[must_use]
    pub fn new(stream: Stream, index: usize) -> Random {
        let (seed, index) = (stream.seed, index as u64);
        Random {
            key: [seed as u32, stream.call],
            counter: [index as u32, (index >> 32) as u32, 0, (seed >> 32) as u32],
            next: [0; 3],
            left: 0,
        }
    }

    /// 32 random bits.
    #[inline(always)]
    pub fn next_u32(&mut self) -> u32 {
        if self.left == 0 {
            let [first, next @ ..] = philox(self.counter, &keys(self.key));
            self.counter[2] = self.counter[2].wrapping_add(1);
            (self.next, self.left) = (next, 3);
            return first;
        }
        let [first, second, third] = self.next;
        self.next = [second, third, third];
        self.left -= 1;
        first
    }

    /// Uniform in [0, 1): a multiple of 2⁻²⁴. Draws one word.
    #[inline(always)]
    pub fn uniform_f32(&mut self) -> f32 {
        fraction_f32(self.next_u32())
    }

    /// Uniform in [0, 1): a multiple of 2⁻⁵³. Draws two words.
    #[inline(always)]
    pub fn uniform_f64(&mut self) -> f64 {
        let high = self.next_u32();
        fraction_f64(high, self.next_u32())
    }

    /// Normal, with mean 0 and standard deviation 1, by Box and Muller. Draws two words.
    #[inline(always)]
    pub fn normal_f32(&mut self) -> f32 {
        let first = self.uniform_f32();
        normal(first, self.uniform_f32())
    }

    /// Its type in the IR.
    #[must_use]
    pub fn ty() -> Ty {
        Generator::ty()
    }

    /// Whether a user function takes a generator; the methods of this type, which are functions as well, do not count.
    pub(crate) fn is_drawn_from(function: &Function) -> bool {
        let mut types = function
            .params
            .iter()
            .map(|param| &function.local(param.local).ty);
        let ty = Self::ty();
        function.file != ir::FILE && types.any(|of| *of == ty)
    }

    /// The generator as a value of the IR.
    pub(super) fn value(&self) -> Value {
        let ([seed, call], [index, index_high, block, seed_high]) = (self.key, self.counter);
        let [next0, next1, next2] = self.next;
        let left = self.left;
        Generator {
            seed,
            seed_high,
            call,
            index,
            index_high,
            block,
            next0,
            next1,
            next2,
            left,
        }
        .to_value()
    }
}

/// In [0, 1), from a random word.
#[inline(always)]
fn fraction_f32(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// In [0, 1), from two.
#[inline(always)]
fn fraction_f64(high: u32, low: u32) -> f64 {
    let (high, low) = (f64::from(high >> 5), f64::from(low >> 6));
    (high * 67_108_864.0 + low) * (1.0 / 9_007_199_254_740_992.0)
}

/// Normal, from two numbers in [0, 1).
#[inline(always)]
fn normal(first: f32, second: f32) -> f32 {
    let radius = (-2.0 * ln(1.0 - first)).sqrt();
    // No angle is far: see `crate::math`.
    radius * near_cos(TAU * second, &Cell::new(false))
}

#[cfg(test)]
mod test;
