//! `match`, `matches!`, `if let`, `let … else`, `while let`.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

const LIMIT: i32 = 7;
const LOW: f32 = -1.5;

#[user_function]
fn match_integers(n: i32) -> i32 {
    match n {
        0 => 10,
        1 | 2 | 3 => 20,
        -5..=-1 => 30,
        LIMIT => 40,
        i32::MAX => 50,
        _ => n + 1,
    }
}

#[user_function]
fn match_ranges(n: u32) -> u32 {
    match n % 100 {
        0 => 1,
        1..10 => 2,
        10..=19 => 3,
        20..50 => 4,
        50.. => 5,
    }
}

#[user_function]
fn match_open_ranges(n: i32) -> f32 {
    let class = match n {
        ..-10 => -2.0,
        -10..=-1 => -1.0,
        0 => 0.0,
        1.. => 1.0,
    };
    class * 2.0
}

#[user_function]
fn match_bools(a: bool, b: bool) -> i32 {
    let first = match a {
        true => 1,
        false => 2,
    };
    let second = match !b {
        false => 10,
        _ => 20,
    };
    first + second
}

#[user_function]
fn match_floats(x: f32) -> i32 {
    match x {
        0.0 => 1,
        LOW => 2,
        1.0..=2.0 => 3,
        -1.0..0.0 => 4,
        f32::INFINITY => 5,
        _ => 6,
    }
}

#[user_function]
fn match_binds(n: i32) -> i32 {
    match n {
        small @ 0..=9 => small * 100,
        middle @ (10 | 20 | 30) => middle + 1,
        mut other => {
            other = other.wrapping_add(1);
            other ^ n
        }
    }
}

#[user_function]
fn match_guards(n: i32, k: i32) -> i32 {
    match n {
        0 if k > 0 => 1,
        0 => 2,
        x if x == k => 3,
        x @ 1..=20 if x % 2 == 0 => x,
        _ if k < 0 => 4,
        x if x > 100 => x - 100,
        _ => 5,
    }
}

#[user_function]
fn guards_with_effects(n: u32, k: u32) -> u32 {
    let mut tried = 0;
    let class = match n % 8 {
        0 | 1 | 2
            if {
                tried += 1;
                k % 2 == 0
            } =>
        {
            100
        }
        x if {
            tried += x;
            k % 3 == 0
        } =>
        {
            200 + x
        }
        3 => 300,
        _ => 400,
    };
    class * 1000 + tried
}

#[user_function]
fn guards_are_tried_for_each_alternative(n: u32, k: u32) -> u32 {
    let mut tried = 0;
    let class = match n % 4 {
        1 | _
            if {
                tried += 1;
                k == 0
            } =>
        {
            1
        }
        0 => 2,
        _ => 3,
    };
    class * 10 + tried
}

#[user_function]
fn guards_that_trap(n: i32, k: i32) -> i32 {
    match n {
        0..=9 if 100 / k > n => 1,
        5 => 2,
        x if x % k == 1 => 3,
        _ => 4,
    }
}

#[user_function]
fn guards_that_leave(n: i32, k: i32) -> i32 {
    let class = match n {
        x if (if x == k { return -1 } else { x > 3 }) => 1,
        _ => 2,
    };
    class + k % 7
}

#[user_function]
fn guards_with_short_circuit(n: i32, k: i32) -> i32 {
    match n {
        x if k != 0 && x / k > 2 => x / k,
        1 if k == 0 || n / k == 0 => 1,
        _ => 0,
    }
}

#[user_function]
fn arms_that_jump(n: u32) -> u32 {
    let mut sum = 0;
    let mut k = n % 50;
    loop {
        k += 1;
        let add = match k % 7 {
            0 => continue,
            1 if k > 40 => break,
            5 if sum > 500 => return sum + 1,
            x => x + 1,
        };
        sum += add;
        if k > 90 {
            break;
        }
    }
    sum
}

#[user_function]
fn match_as_statement(n: i32) -> i32 {
    let mut a = 1;
    match n {
        0 => a = 5,
        1 => {
            a += 2;
            a *= 3;
        }
        2 => (),
        _ => {}
    }
    match a {
        3.. => a += 100,
        _ => a -= 100,
    };
    a
}

#[user_function]
fn match_nested(a: i32, b: i32) -> i32 {
    match a {
        0 => match b {
            0 => 1,
            1 => 2,
            _ => 3,
        },
        1 => {
            let c = match b {
                0..=4 => b,
                _ => 4,
            };
            match c {
                4 => 10,
                c => c + 20,
            }
        }
        _ => {
            1 + match b {
                0 => 30,
                _ => 40,
            }
        }
    }
}

#[user_function]
fn match_scrutinee_has_effects(n: i32) -> i32 {
    let mut k = n & 7;
    let class = match {
        k += 1;
        k
    } {
        1 => k * 2,
        x if {
            k = x + 10;
            x > 4
        } =>
        {
            k + x
        }
        x => k - x,
    };
    class + k
}

#[user_function]
fn if_lets(n: i32, x: f32) -> i32 {
    if let 0 = n {
        return 1;
    }
    let a = if let k @ 1..=9 = n {
        k
    } else if let -3 | -2 = n {
        11
    } else {
        12
    };
    if let 1.0 = x { a + 100 } else { a }
}

#[user_function]
fn if_let_chains(n: i32, k: i32) -> i32 {
    if n != 3
        && let x @ 1..=50 = n
        && k != 0
        && let y = x / k
        && y > 2
    {
        x * 100 + y
    } else if let 3 = n
        && let 1..=5 = k
    {
        -1
    } else {
        -2
    }
}

#[user_function]
fn let_else(n: i32) -> i32 {
    let x @ 0..=100 = n else { return -1 };
    let mut sum = 0;
    for i in 0..x {
        let (0 | 1 | 5..) = i else { continue };
        sum += i;
    }
    let (1 | 2 | 3) = sum % 4 else {
        return if sum == 0 { -2 } else { -3 };
    };
    sum
}

#[user_function]
fn while_let(n: u32) -> u32 {
    let mut k = n % 1000;
    let mut steps = 0;
    while let x @ 1.. = k
        && steps < 50
    {
        k = x / 3;
        steps += 1;
    }
    while let 0..5 = steps {
        steps += 2;
    }
    steps * 1000 + k
}

#[user_function]
fn matches_macro(n: i32, x: f32) -> i32 {
    let mut bits = 0;
    if matches!(n, 0 | 5..=9) {
        bits |= 1;
    }
    if matches!(n, k if k % 2 == 0) {
        bits |= 2;
    }
    bits |= (matches!(x, 0.0..=1.0) as i32) << 2;
    if !matches!(n, k @ 1..=30 if k / (k - 3 + n - n) > 1,) {
        bits |= 8;
    }
    bits
}

#[user_function]
fn is_vowel(c: u32) -> bool {
    matches!(c, 97 | 101 | 105 | 111 | 117)
}

#[user_function]
fn match_generic<T: Number>(x: T, n: u32) -> T {
    match n % 3 {
        0 => x,
        1 => x + T::ONE,
        _ => x * x,
    }
}

#[user_function]
fn match_unit(x: f32) -> f32 {
    let mut y = x;
    match () {
        () => y += 1.0,
    }
    let unit = match x > 0.0 {
        true => y *= 2.0,
        false => {}
    };
    let () = unit;
    y
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<match_integers, (Each<i32>,)>(),
        case::<match_ranges, (Each<u32>,)>(),
        case::<match_open_ranges, (Each<i32>,)>(),
        case::<match_bools, (Each<bool>, Each<bool>)>(),
        case::<match_floats, (Each<f32>,)>(),
        case::<match_binds, (Each<i32>,)>(),
        case::<match_guards, (Each<i32>, Each<i32>)>(),
        case::<guards_with_effects, (Each<u32>, Each<u32>)>(),
        case::<guards_are_tried_for_each_alternative, (Each<u32>, Each<u32>)>(),
        case::<guards_that_trap, (Each<i32>, Each<i32>)>(),
        case::<guards_that_leave, (Each<i32>, Each<i32>)>(),
        case::<guards_with_short_circuit, (Each<i32>, Each<i32>)>(),
        case::<arms_that_jump, (Each<u32>,)>(),
        case::<match_as_statement, (Each<i32>,)>(),
        case::<match_nested, (Each<i32>, Each<i32>)>(),
        case::<match_scrutinee_has_effects, (Each<i32>,)>(),
        case::<if_lets, (Each<i32>, Each<f32>)>(),
        case::<if_let_chains, (Each<i32>, Each<i32>)>(),
        case::<let_else, (Each<i32>,)>(),
        case::<while_let, (Each<u32>,)>(),
        case::<matches_macro, (Each<i32>, Each<f32>)>(),
        case::<is_vowel, (Each<u32>,)>(),
        case::<match_generic, (Each<f32>, Each<u32>)>(),
        case::<match_unit, (Each<f32>,)>(),
    ]
}
