//! `for`, over what is the same for all elements and what is not.

use super::super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, Uniform, Whole};

#[user_function]
fn same_rounds(x: f32, #[uniform] n: u8) -> f32 {
    let n = n % 30;
    let mut sum = 0.0;
    for i in 0..n {
        let t = x * i as f32;
        sum += if t > 2.0 { t } else { -t };
    }
    sum
}

#[user_function]
fn own_rounds(x: u32, y: u8) -> u32 {
    let mut product = 1;
    for i in 2..x % 12 {
        product *= i;
    }
    for i in y..=255 {
        product ^= i as u32;
        if i % 32 == 31 {
            break;
        }
    }
    for i in y..=y.wrapping_add(5) {
        product += i as u32;
    }
    product
}

#[user_function]
fn inclusive_to_the_end(x: u8, y: i8) -> i32 {
    let mut sum = 0;
    for i in x | 0xf0..=u8::MAX {
        if i == 0xf5 {
            continue;
        }
        sum += i as i32;
    }
    for i in i8::MIN..=y & -100 {
        sum -= i as i32;
    }
    sum
}

#[user_function]
fn other_ranges(x: u32, #[uniform] n: u8) -> u32 {
    let mut sum = 0;
    for i in (0..x % 13).rev() {
        sum = sum * 3 + i;
    }
    for i in (0..n as u32).step_by(40) {
        sum += i;
        let mut k = i % 4 + x % 3;
        while k > 0 {
            k -= 1;
            sum ^= i;
        }
    }
    for mut i in 0..x % 5 {
        i += 2;
        sum += i;
    }
    for _ in 0..x % 4 {
        sum += 1;
    }
    sum
}

#[user_function]
fn round_in_round(x: u32) -> u32 {
    let mut sum = 0;
    for i in 0..x % 7 {
        for j in i..x % 11 {
            if (i ^ j) == 3 {
                continue;
            }
            for k in j..=i + 2 {
                sum += i * 100 + j * 10 + k;
                if sum > 9000 {
                    return sum;
                }
            }
        }
    }
    sum
}

#[user_function]
fn over_elements(x: i32, xs: &[i32]) -> i32 {
    let mut sum = x % 100;
    for &y in xs {
        if y == x {
            return sum;
        }
        sum = (sum + y % 10) & 0xff;
    }
    for (k, y) in xs.iter().enumerate() {
        if k > 5 {
            break;
        }
        if *y > x {
            sum += 1;
        }
    }
    sum
}

#[user_function]
fn search(x: i32, xs: &[i32]) -> u32 {
    let mut k = 0;
    while k < xs.len() {
        if xs[k] > x {
            break;
        }
        k += 1;
    }
    k as u32
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<same_rounds, (Each<f32>, Uniform<u8>)>(),
        case::<own_rounds, (Each<u32>, Each<u8>)>(),
        case::<inclusive_to_the_end, (Each<u8>, Each<i8>)>(),
        case::<other_ranges, (Each<u32>, Uniform<u8>)>(),
        case::<round_in_round, (Each<u32>,)>(),
        case::<over_elements, (Each<i32>, Whole<i32>)>(),
        case::<search, (Each<i32>, Whole<i32>)>(),
    ]
}
