//! Labels, loops over ranges in all directions.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn break_outer(n: u32, limit: u32) -> u32 {
    let mut found = 0;
    'outer: for i in 1..n % 30 {
        for j in 1..20 {
            if i * j > limit % 200 {
                break 'outer;
            }
            if (i + j) % 5 == 0 {
                continue 'outer;
            }
            found += i * j;
        }
        found += 1000;
    }
    found
}

#[user_function]
fn break_with_value(n: u32) -> u32 {
    let mut k = 0;
    let answer = 'search: loop {
        k += 1;
        let mut j = k;
        while j < 100 {
            if j * k == n % 60 + 12 {
                break 'search j;
            }
            j += 1;
        }
        if k > 60 {
            break 999;
        }
    };
    answer + k
}

#[user_function]
fn labelled_while(n: i32) -> i32 {
    let mut i = n & 15;
    let mut sum = 0;
    'rows: while i < 20 {
        i += 1;
        let mut j = 0;
        loop {
            j += 1;
            match (j * i) & 7 {
                3 => continue 'rows,
                5 if sum > 50 => break 'rows,
                6 => break,
                other => sum += other,
            }
            if j > 9 {
                continue 'rows;
            }
        }
        sum -= 1;
    }
    sum
}

#[user_function]
fn labelled_block(n: i32) -> i32 {
    let class = 'class: {
        if n < 0 {
            break 'class -1;
        }
        let half = n / 2;
        if half > 10 {
            if half % 2 == 0 {
                break 'class half;
            }
            break 'class half + 1;
        }
        half * 100
    };
    'rest: {
        if class > 500 {
            break 'rest;
        }
        return class;
    }
    class - 500
}

#[user_function]
fn blocks_in_loops(n: u32) -> u32 {
    let mut sum = 0;
    'loops: for i in 0..n % 40 {
        let add = 'add: {
            if i % 3 == 0 {
                break 'add 1;
            }
            if i % 7 == 6 {
                continue 'loops;
            }
            for j in 0..5 {
                if i * j == 20 {
                    break 'add 50;
                }
                if i + j == 36 {
                    break 'loops;
                }
                if i + j == 33 {
                    continue 'loops;
                }
            }
            2
        };
        sum += add;
    }
    sum
}

#[user_function]
fn block_as_result(x: f32) -> f32 {
    'done: {
        if x < 0.0 {
            break 'done 0.0;
        }
        if x.is_nan() {
            break 'done -1.0;
        }
        x.sqrt()
    }
}

#[user_function]
#[allow(unused_labels)]
fn label_is_not_needed(x: f32) -> f32 {
    let y = 'unused: { x + 1.0 };
    'also: for _ in 0..3 {}
    y
}

#[user_function]
fn same_label_twice(n: u32) -> u32 {
    let mut sum = 0;
    'a: for i in 0..5 {
        if i == n % 8 {
            break 'a;
        }
        sum += i;
    }
    'a: for i in 0..5 {
        'b: for j in 0..5 {
            if j == n % 3 {
                continue 'b;
            }
            if i == n % 6 {
                break 'a;
            }
            sum += j * 10;
        }
    }
    sum
}

#[user_function]
fn backwards(n: u32) -> u32 {
    let mut digits = 0;
    for i in (0..n % 9).rev() {
        if i == 1 {
            continue;
        }
        digits = digits * 10 + i;
    }
    for i in (n % 4..=5).rev() {
        digits = (digits % 1000) * 10 + i;
    }
    digits
}

#[user_function]
fn to_the_extremes(n: u32) -> u32 {
    let mut rounds = 0;
    for i in (u32::MAX - n % 5..=u32::MAX).rev() {
        rounds += i & 7;
    }
    for i in (0..=n % 5).rev() {
        rounds += i * 10;
    }
    for i in (i32::MIN..i32::MIN + 3).rev() {
        rounds += (i & 3) as u32;
    }
    for i in (i32::MIN..=i32::MIN).rev() {
        rounds += (i & 3) as u32 + 1;
    }
    rounds
}

#[user_function]
fn steps(n: u32, k: usize) -> u32 {
    let mut sum = 0;
    for i in (0..n % 50).step_by(3) {
        sum += i;
    }
    for i in (n % 7..=40).step_by(k % 9) {
        sum += i * 2;
    }
    for i in (0..20).rev().step_by(k % 5 + 1) {
        sum = sum * 3 + i;
    }
    sum
}

#[user_function]
fn steps_at_the_edge(n: i32, k: usize) -> i32 {
    let mut sum = 0;
    let from = i32::MAX - (n & 15);
    for i in (from..=i32::MAX).step_by(4) {
        sum += i & 31;
    }
    for i in (i32::MIN..=i32::MAX).step_by(1_500_000_000) {
        sum ^= i;
    }
    for i in (i32::MIN..i32::MAX).step_by(k + 1_000_000_000) {
        sum ^= i + 1;
    }
    for i in (i32::MIN..=n).rev().step_by(1_000_000_000 + k) {
        sum += i >> 3;
    }
    sum
}

#[user_function]
fn reassigned_downwards(n: i32) -> i32 {
    let mut sum = 0;
    for mut i in (0..n & 15).rev() {
        i *= 3;
        sum += i;
    }
    for mut i in (0..=n & 15).step_by(2) {
        i += 100;
        sum += i;
    }
    sum
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<break_outer, (Each<u32>, Each<u32>)>(),
        case::<break_with_value, (Each<u32>,)>(),
        case::<labelled_while, (Each<i32>,)>(),
        case::<labelled_block, (Each<i32>,)>(),
        case::<blocks_in_loops, (Each<u32>,)>(),
        case::<block_as_result, (Each<f32>,)>(),
        case::<label_is_not_needed, (Each<f32>,)>(),
        case::<same_label_twice, (Each<u32>,)>(),
        case::<backwards, (Each<u32>,)>(),
        case::<to_the_extremes, (Each<u32>,)>(),
        case::<steps, (Each<u32>, Each<usize>)>(),
        case::<steps_at_the_edge, (Each<i32>, Each<usize>)>(),
        case::<reassigned_downwards, (Each<i32>,)>(),
    ]
}
