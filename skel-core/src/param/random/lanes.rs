//! Generators of random numbers for several elements at once: what `rng: &mut Random` is to a face of lanes.
//!
//! A draw is one of all lanes that take part. Each lane has a counter of its own, and as many words left as it has,
//! so lanes that draw less often than others, or in other branches, have the numbers that their elements have alone. Where one
//! of them has no word left, the next four of every lane are computed, in step, and taken by those that need them.

use super::{
    Random, fraction_f32, fraction_f64, normal,
    philox::{keys, philox},
};
use crate::lanes::{Active, Mask, Var, get, pick, set, var};
use std::array::from_fn;

/// A [`Random`] for each lane. All are of one call: the words that tell the call are one for all of them.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Generators<const N: usize> {
    key: [u32; 2],
    seed_high: u32,
    index: [[u32; N]; 2],
    block: [u32; N],
    next: [[u32; N]; 3],
    left: [u32; N],
}

impl<const N: usize> Generators<N> {
    /// Generators of no call yet.
    #[expect(
        clippy::new_without_default,
        reason = "generated code alone makes them"
    )]
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Generators {
            key: [0; 2],
            seed_high: 0,
            index: [[0; N]; 2],
            block: [0; N],
            next: [[0; N]; 3],
            left: [0; N],
        }
    }

    /// That of lane `l`.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, l: usize) -> Random {
        Random {
            key: self.key,
            counter: [
                self.index[0][l],
                self.index[1][l],
                self.block[l],
                self.seed_high,
            ],
            next: from_fn(|k| self.next[k][l]),
            left: self.left[l],
        }
    }

    /// Sets that of lane `l`.
    #[inline(always)]
    pub fn set(&mut self, l: usize, random: &Random) {
        let [index, index_high, block, seed_high] = random.counter;
        (self.key, self.seed_high) = (random.key, seed_high);
        self.index[0][l] = index;
        self.index[1][l] = index_high;
        self.block[l] = block;
        for k in 0..3 {
            self.next[k][l] = random.next[k];
        }
        self.left[l] = random.left;
    }

    /// Those of the lanes that take part; the others have that of one that does, as [`among`](crate::lanes::among) says.
    #[inline(always)]
    #[must_use]
    pub fn among(&self, mask: &Mask<N>) -> Self {
        let mut one = 0;
        for l in 0..N {
            one = pick(mask.get(l), l, one);
        }
        let Random {
            counter: [index, index_high, block, _],
            next,
            left,
            ..
        } = self.get(one);
        let mut among = self.clone();
        for l in 0..N {
            let on = all_bits(mask.get(l));
            among.index[0][l] = blend(on, self.index[0][l], index);
            among.index[1][l] = blend(on, self.index[1][l], index_high);
            among.block[l] = blend(on, self.block[l], block);
            for (k, next) in next.into_iter().enumerate() {
                among.next[k][l] = blend(on, self.next[k][l], next);
            }
            among.left[l] = blend(on, self.left[l], left);
        }
        among
    }

    /// The lanes that take part become what they are in `other`, of the same elements.
    #[inline(always)]
    pub fn assign(&mut self, mask: &Mask<N>, other: &Self) {
        for l in 0..N {
            let on = all_bits(mask.get(l));
            self.block[l] = blend(on, other.block[l], self.block[l]);
            for k in 0..3 {
                self.next[k][l] = blend(on, other.next[k][l], self.next[k][l]);
            }
            self.left[l] = blend(on, other.left[l], self.left[l]);
        }
    }

    /// [`Random::next_u32`] of the lanes that are active; what the others find is no draw of theirs.
    #[inline(always)]
    pub fn next_u32(&mut self, active: &impl Active<N>, out: &mut Var<u32, N>) {
        let mut needed = 0;
        for l in 0..N {
            needed |= u32::from(active.is_active(l) & (self.left[l] == 0));
        }
        if needed == 0 {
            let [next0, next1, next2] = &mut self.next;
            for l in 0..N {
                let on = all_bits(active.is_active(l));
                set(out, l, next0[l]);
                next0[l] = blend(on, next1[l], next0[l]);
                next1[l] = blend(on, next2[l], next1[l]);
                self.left[l] = self.left[l].wrapping_add(on);
            }
            return;
        }
        let words = self.blocks();
        let [next0, next1, next2] = &mut self.next;
        for l in 0..N {
            let on = all_bits(active.is_active(l));
            let empty = on & all_bits(self.left[l] == 0);
            set(out, l, blend(empty, words[0][l], next0[l]));
            next0[l] = blend(empty, words[1][l], blend(on, next1[l], next0[l]));
            next1[l] = blend(empty, words[2][l], blend(on, next2[l], next1[l]));
            next2[l] = blend(empty, words[3][l], next2[l]);
            self.block[l] = self.block[l].wrapping_sub(empty);
            self.left[l] = blend(empty, 3, self.left[l].wrapping_add(on));
        }
    }

    /// The next block of every lane. By a loop of its own, which nothing but its length governs: so compilers vectorise it.
    #[inline(always)]
    fn blocks(&self) -> [[u32; N]; 4] {
        let (keys, seed_high) = (keys(self.key), self.seed_high);
        let [mut first, mut second, mut third, mut fourth] = [[0; N]; 4];
        for l in 0..N {
            let counter = [self.index[0][l], self.index[1][l], self.block[l], seed_high];
            [first[l], second[l], third[l], fourth[l]] = philox(counter, &keys);
        }
        [first, second, third, fourth]
    }

    /// Two words of each of them, in a loop: it is half the text of two draws.
    #[inline(always)]
    fn two(&mut self, active: &impl Active<N>) -> [Var<u32, N>; 2] {
        let mut words = [var::<u32, N>(); 2];
        for words in &mut words {
            self.next_u32(active, words);
        }
        words
    }

    /// [`Random::uniform_f32`] of the same lanes.
    #[inline(always)]
    pub fn uniform_f32(&mut self, active: &impl Active<N>, out: &mut Var<f32, N>) {
        let mut words = var::<u32, N>();
        self.next_u32(active, &mut words);
        for l in 0..N {
            set(out, l, fraction_f32(get(&words, l)));
        }
    }

    /// [`Random::uniform_f64`] of the same lanes.
    #[inline(always)]
    pub fn uniform_f64(&mut self, active: &impl Active<N>, out: &mut Var<f64, N>) {
        let [high, low] = self.two(active);
        for l in 0..N {
            set(out, l, fraction_f64(get(&high, l), get(&low, l)));
        }
    }

    /// [`Random::normal_f32`] of the same lanes.
    #[inline(always)]
    pub fn normal_f32(&mut self, active: &impl Active<N>, out: &mut Var<f32, N>) {
        let [first, second] = self.two(active);
        for l in 0..N {
            let first = fraction_f32(get(&first, l));
            set(out, l, normal(first, fraction_f32(get(&second, l))));
        }
    }
}

/// All bits of a word, or none: minus one, or zero.
#[inline(always)]
fn all_bits(on: bool) -> u32 {
    0_u32.wrapping_sub(u32::from(on))
}

/// One of two words. By their bits, since compilers make branches of choices, and then no vectors.
#[inline(always)]
fn blend(on: u32, then: u32, otherwise: u32) -> u32 {
    then & on | otherwise & !on
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{lanes::AllLanes, space::Stream};

    const N: usize = 16;

    /// Elements on both sides of 2³², and their generators.
    fn elements() -> ([Random; N], Generators<N>) {
        let stream = Stream {
            seed: 0x0123_4567_89ab_cdef,
            call: 3,
        };
        let elements = from_fn(|l| Random::new(stream, (1 << 32) - 5 + l));
        let mut generators = Generators::new();
        for (l, element) in elements.iter().enumerate() {
            generators.set(l, element);
        }
        (elements, generators)
    }

    /// A mask for each round: all lanes, some, none.
    fn mask(round: usize) -> Mask<N> {
        let mut mask = Mask::all();
        for l in 0..N {
            let on = match round % 4 {
                0 => true,
                1 => (l * 7 + round).is_multiple_of(3),
                2 => false,
                _ => l < round,
            };
            mask.set(l, on);
        }
        mask
    }

    #[test]
    fn lanes_draw_what_their_elements_draw() {
        let (mut elements, mut generators) = elements();
        for round in 0..200 {
            let mask = mask(round);
            let [mut words, mut all] = [var::<u32, N>(); 2];
            let mut singles = var::<f32, N>();
            let mut doubles = var::<f64, N>();
            match round % 5 {
                0 => generators.next_u32(&mask, &mut words),
                1 | 2 => generators.uniform_f32(&mask, &mut singles),
                3 => generators.uniform_f64(&mask, &mut doubles),
                _ => generators.normal_f32(&mask, &mut singles),
            }
            generators.next_u32(&AllLanes, &mut all);
            for (l, element) in elements.iter_mut().enumerate() {
                if mask.get(l) {
                    match round % 5 {
                        0 => assert_eq!(get(&words, l), element.next_u32()),
                        1 | 2 => assert_eq!(get(&singles, l), element.uniform_f32()),
                        3 => assert_eq!(get(&doubles, l), element.uniform_f64()),
                        _ => assert_eq!(get(&singles, l), element.normal_f32()),
                    }
                }
                assert_eq!(
                    get(&all, l),
                    element.next_u32(),
                    "lane {l} of round {round}"
                );
                let found = generators.get(l);
                let of =
                    |r: &Random| (r.key, r.counter, r.left, r.next[..r.left as usize].to_vec());
                assert_eq!(of(&found), of(element));
            }
        }
    }

    #[test]
    fn lanes_that_take_no_part_keep_their_numbers() {
        let (mut elements, mut generators) = elements();
        for round in 0..40 {
            let mask = mask(round);
            let mut lent = generators.among(&mask);
            let mut drawn = var::<u32, N>();
            lent.next_u32(&AllLanes, &mut drawn);
            generators.assign(&mask, &lent);
            for (l, element) in elements.iter_mut().enumerate() {
                if mask.get(l) {
                    assert_eq!(get(&drawn, l), element.next_u32());
                } else if mask.any() {
                    let on = (0..N).filter(|on| mask.get(*on));
                    assert!(
                        on.map(|on| get(&drawn, on))
                            .any(|word| word == get(&drawn, l))
                    );
                }
            }
        }
        let mut last = var::<u32, N>();
        generators.next_u32(&AllLanes, &mut last);
        for (l, element) in elements.iter_mut().enumerate() {
            assert_eq!(get(&last, l), element.next_u32());
        }
    }
}
