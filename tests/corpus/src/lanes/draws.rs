//! Random numbers, wherever they may be drawn, and by functions that are called: each lane has those of its element.
#![allow(unused_parens, reason = "a generator in parentheses is one")]

use super::Case;
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::case;

#[user_function]
fn in_a_quarter(rng: &mut Random, #[uniform] points: u32) -> u32 {
    let mut hits = 0;
    for _ in 0..points % 20 {
        let x = rng.uniform_f32();
        let y = rng.uniform_f32();
        if x * x + y * y < 1.0 {
            hits += 1;
        }
    }
    hits
}

#[user_function]
fn without_a_loop(x: f32, rng: &mut Random) -> f32 {
    x + (rng.uniform_f32() - 0.5) * rng.normal_f32()
}

/// Of different lengths: so lanes come to have different numbers of words left.
#[user_function]
fn nested(rng: &mut Random, n: u32) -> u32 {
    let mut all = 0u32;
    for i in 0..n % 5 {
        for _ in 0..i + n % 3 {
            all = u32::rotate_left(all, 5) ^ rng.next_u32();
        }
        all ^= rng.next_u32() >> 7;
    }
    all.wrapping_add(rng.next_u32())
}

#[user_function]
fn in_conditions(rng: &mut Random, n: u32) -> u32 {
    let mut rounds = 0;
    while rng.uniform_f32() < 0.75 && rounds < 30 {
        rounds += 1;
    }
    let mut more = n % 7;
    while more > 2 || rng.uniform_f32() < 0.5 && more < 9 {
        more = if rng.next_u32() % 2 == 0 {
            more.wrapping_sub(1)
        } else if rng.next_u32() % 3 == 0 {
            more + 2
        } else {
            0
        };
        rounds += 1;
        if rounds > 60 {
            break;
        }
    }
    rounds * 100 + more
}

#[user_function]
fn in_branches(rng: &mut Random, x: u32) -> u32 {
    let mut y = x;
    for k in 0..6u32 {
        if (y >> k) & 1 == 1 {
            y ^= rng.next_u32();
            if k == 4 {
                continue;
            }
        } else if y % 3 == 0 {
            let (a, b) = (rng.next_u32(), rng.next_u32());
            y = a.wrapping_mul(3) ^ b;
        }
        if y % 11 == 0 {
            return y ^ rng.next_u32();
        }
        y = match y % 4 {
            0 => rng.next_u32(),
            1 => y,
            _ => y.wrapping_add(rng.next_u32() & 0xff),
        };
    }
    y
}

/// The order of draws is that of the function, whatever stands between them.
#[user_function]
fn in_order(rng: &mut Random, x: u32, table: &[u32]) -> u32 {
    let n = table.len() as u32;
    let mut own = [x, 1, 2, 3];
    let mut sum = 0u32;
    for k in 0..x % 4 {
        sum = sum
            .wrapping_add(table[(rng.next_u32() % n) as usize].wrapping_mul(rng.next_u32()))
            .wrapping_sub(rng.next_u32() / (rng.next_u32() % 5 + 1));
        own[(rng.next_u32() % 4) as usize] = rng.next_u32();
        own[(rng.next_u32() % 4) as usize] ^= rng.next_u32().wrapping_mul(k + 1);
        let late = k % 2 == 0 && rng.next_u32() % 2 == 0;
        sum = u32::rotate_left(sum, u32::from(late) + rng.next_u32() % 3);
        let inner = {
            let first = rng.next_u32();
            first.wrapping_mul(rng.next_u32())
        };
        sum ^= inner.max(rng.next_u32()).min(rng.next_u32());
    }
    (own[0] ^ own[1])
        .wrapping_add(own[2])
        .wrapping_sub(own[3])
        .wrapping_add(sum)
}

#[user_function]
fn number_of_rounds(rng: &mut Random, at: Index1) -> u32 {
    let mut sum = at.i as u32;
    for k in 0..rng.next_u32() % 6 {
        sum = sum.wrapping_mul(31).wrapping_add(rng.next_u32() % (k + 1));
    }
    sum
}

/// By Marsaglia's polar method.
#[user_function]
fn by_rejection(rng: &mut Random) -> f32 {
    loop {
        let (x, y) = (2.0 * rng.uniform_f32() - 1.0, 2.0 * rng.uniform_f32() - 1.0);
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

#[user_function]
fn exponential(rate: f32, rng: &mut Random) -> f32 {
    -(1.0 - rng.uniform_f32()).ln() / rate
}

#[user_function]
fn scaled(rng: &mut Random, #[uniform] by: f32) -> f32 {
    by * rng.uniform_f32()
}

#[user_function(lanes = off)]
fn without_lanes(x: f32, rng: &mut Random) -> f32 {
    x - rng.uniform_f32()
}

#[user_function]
fn calls_what_draws(rng: &mut Random, x: f32, #[uniform] steps: u32) -> f32 {
    let mut y = by_rejection(rng);
    for k in 0..steps % 6 {
        if y > 0.5 {
            y -= exponential(1.0 + k as f32, rng) * rng.uniform_f32();
        } else {
            y += x * by_rejection(rng) + scaled(rng, 0.5);
        }
        if y.abs() > 3.0 {
            y = without_lanes(scaled(rng, x), rng);
        }
    }
    y + rng.uniform_f32()
}

/// It has nothing of its own.
#[user_function]
fn passes_on(rng: &mut Random) -> f32 {
    by_rejection(rng)
}

#[user_function]
fn first_of(rng: &mut Random, n: u32) -> u32 {
    (exponential(2.0, rng) * n as f32) as u32 % 8
}

#[user_function]
fn as_arguments(rng: &mut Random, n: u32) -> f32 {
    let count = first_of(rng, n % 20);
    let mut sum = 0.0;
    for _ in 0..count {
        sum += exponential(1.0 + rng.uniform_f32(), rng);
    }
    let one = [sum, 1.0, 0.5][n as usize % 3] + exponential(1.0, rng) - rng.uniform_f32();
    sum.max(passes_on(rng)).min(rng.normal_f32() + one)
}

#[user_function]
fn doubles(rng: &mut Random, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y = 0.5 * y + rng.uniform_f64();
        if y > 1.0 {
            y -= f64::from(rng.next_u32() % 4) * 0.25;
        }
    }
    y
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Walker {
    at: f32,
    steps: u32,
}

#[user_function]
impl Walker {
    fn stepped(self, rng: &mut Random) -> Walker {
        Walker {
            steps: self.steps + 1,
            at: self.at + rng.uniform_f32() - 0.5,
        }
    }
}

/// Methods are called lane by lane.
#[user_function]
fn methods(walker: &mut Walker, rng: &mut Random) {
    let far = 0.5 + rng.uniform_f32();
    let mut w = *walker;
    for _ in 0..12 {
        let on = w.stepped(rng).at * 4.0 + rng.uniform_f32();
        w = w.stepped(rng);
        if w.at.abs() > far + on {
            *walker = Walker {
                steps: w.steps,
                at: rng.uniform_f32(),
            };
            return;
        }
    }
    walker.at = w.at;
}

#[user_function]
fn that_traps(rng: &mut Random, x: u32) -> u32 {
    let mut sum = 0;
    for _ in 0..4 {
        let n = rng.next_u32() % 256;
        assert!(n != x % 256, "the same");
        sum += 1000 / (rng.next_u32() % 1000);
    }
    sum
}

#[user_function]
fn chosen<T: Number>(rng: &mut Random, a: T, b: T) -> T {
    if rng.uniform_f32() < 0.25 { a } else { b }
}

#[user_function]
fn generic(rng: &mut Random, x: u32, y: f32) -> f32 {
    let mut sum = y;
    for _ in 0..chosen(rng, x % 3, x % 7) {
        sum = chosen::<f32>(rng, sum, 0.5 * sum + 1.0);
    }
    sum
}

const MOST: f32 = 0.3;

/// The condition does not mean what the body calls by the same name.
#[user_function]
fn items_in_a_loop(rng: &mut Random, x: u32) -> f32 {
    let mut sum = rng.uniform_f32();
    while rng.uniform_f32() < MOST {
        const MOST: f32 = 0.9;
        sum += MOST * rng.uniform_f32();
    }
    while sum + (x % 4) as f32 > 4.0 * MOST {
        const MOST: f32 = 0.25;
        sum -= MOST;
    }
    sum
}

/// Numbers that are drawn and not used.
#[user_function]
fn dropped(rng: &mut Random, x: u32) -> f32 {
    let _ = if x % 2 == 0 {
        rng.next_u32();
    };
    let nothing = {
        rng.next_u32();
    };
    let _same = nothing;
    let y = if x % 3 == 0 {
        return rng.uniform_f32();
    } else if x % 5 == 0 {
        panic!("a fifth")
    } else {
        rng.normal_f32()
    };
    loop {
        if rng.uniform_f32() < 0.5 {
            break;
        }
    }
    y + rng.uniform_f32()
}

#[user_function]
fn spelled_otherwise(mut rng: &mut Random, x: f32) -> f32 {
    let first = exponential(1.0, (rng));
    first * (rng).uniform_f32() + exponential(2.0, &mut rng) - x
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<in_a_quarter, (Uniform<u32>,)>(),
        case::<without_a_loop, (Each<f32>,)>(),
        case::<nested, (Each<u32>,)>(),
        case::<in_conditions, (Each<u32>,)>(),
        case::<in_branches, (Each<u32>,)>(),
        case::<in_order, (Each<u32>, Whole<u32>)>(),
        case::<number_of_rounds, ()>(),
        case::<by_rejection, ()>(),
        case::<exponential, (Each<f32>,)>(),
        case::<scaled, (Uniform<f32>,)>(),
        case::<calls_what_draws, (Each<f32>, Uniform<u32>)>(),
        case::<passes_on, ()>(),
        case::<first_of, (Each<u32>,)>(),
        case::<as_arguments, (Each<u32>,)>(),
        case::<doubles, (Each<f64>,)>(),
        case::<methods, (EachMut<Walker>,)>(),
        case::<that_traps, (Each<u32>,)>(),
        case::<generic, (Each<u32>, Each<f32>)>(),
        case::<items_in_a_loop, (Each<u32>,)>(),
        case::<dropped, (Each<u32>,)>(),
        case::<spelled_otherwise, (Each<f32>,)>(),
    ]
}
