#![allow(
    clippy::needless_range_loop,
    reason = "loops that index are what is tested"
)]

use super::*;
use crate::{
    element::Element,
    ir::{build, eval, valid},
    param::{Each, Params},
    user_function::UserFunction,
};
use skel_macros::user_function;

type Numbers = [u32; 5];

#[user_function]
fn upwards(x: Numbers) -> Numbers {
    let mut out = [0; 5];
    for m in 0..5 {
        out[m] = x[m] * 3 + m as u32;
    }
    out
}

#[user_function]
fn downwards(x: Numbers) -> u32 {
    let mut sum = 0;
    for m in (1..5).rev() {
        sum = sum * 7 + x[m] - x[m - 1];
    }
    sum
}

#[user_function]
fn closed_and_by_steps(x: Numbers) -> u32 {
    let mut sum = 0;
    for m in (0..=4).step_by(2) {
        sum = sum * 7 + x[m];
    }
    for m in (0..=4).rev() {
        sum = sum * 5 + x[m];
    }
    sum
}

#[user_function]
fn triangle(x: Numbers) -> u32 {
    let mut sum = 0;
    for i in 0..5 {
        for k in 0..i {
            if i + k == 4 {
                continue;
            }
            sum = sum * 3 + x[i] * x[k];
        }
    }
    sum
}

#[user_function]
fn leaves_where_it_is_known(x: Numbers) -> u32 {
    let mut sum = 0;
    'outer: for i in 0..5 {
        let mut k = i;
        while k < 5 {
            sum = sum * 3 + x[k];
            k += 2;
            if i == 3 {
                break 'outer;
            }
        }
        let scale = sum + 1;
        sum *= scale;
    }
    sum
}

#[user_function]
fn returns_from_a_round(x: Numbers) -> u32 {
    for i in 0..5 {
        if x[i] > 5 {
            return x[i] + i as u32;
        }
    }
    0
}

#[user_function]
fn leaves_by_what_is_not_known(x: Numbers) -> u32 {
    let mut sum = 0;
    for i in 0..5 {
        if x[i] > 5 {
            break;
        }
        sum += x[i];
    }
    sum
}

#[user_function]
fn only_inner(x: Numbers, n: u32) -> Numbers {
    let mut out = x;
    for _ in 0..n % 4 {
        for m in 0..5 {
            out[m] = out[m] * 3 + 1;
        }
    }
    out
}

#[user_function]
fn counts_only(n: u32) -> u32 {
    let mut sum = 0;
    for k in 0..4 {
        sum = sum * n + k;
    }
    sum
}

#[user_function]
fn twice(x: Numbers) -> Numbers {
    let mut out = x;
    for m in 0..5 {
        out[m] = out[m] * 3 + 1;
    }
    for m in 0..5 {
        out[m] = out[m] * 3 + 1;
    }
    out
}

#[user_function]
fn too_many_rounds(x: [u32; 17]) -> u32 {
    let mut sum = 0;
    for k in 0..17 {
        sum = sum * 3 + x[k];
    }
    sum
}

#[user_function]
fn too_much(x: [u32; 16]) -> u32 {
    let mut sum = 0;
    for a in 0..16 {
        for b in 0..16 {
            for c in 0..16 {
                sum = sum * 3 + x[a] + x[b] * x[c];
            }
        }
    }
    sum
}

#[user_function]
fn beyond_the_end(x: Numbers) -> u32 {
    let mut sum = 0;
    for k in 0..6 {
        sum += x[k];
    }
    sum
}

/// The program as it is and taken apart.
fn both<F: UserFunction<K>, K: Params>() -> [(Program, crate::ir::FnId); 2] {
    let (program, id) = build::build(F::ir).unwrap();
    let apart = unrolled(&program);
    valid::check(&apart).unwrap();
    [(program, id), (apart, id)]
}

fn loops(program: &Program) -> usize {
    let mut count = 0;
    for stmt in program.functions.iter().flat_map(|f| &f.body) {
        stmt.walk(&mut |s| count += usize::from(matches!(s.kind, StmtKind::Loop { .. })));
    }
    count
}

/// Both mean the same for some arguments; how many loops are left.
fn left<F: UserFunction<K>, K: Params, const N: usize>(more: &[Value]) -> usize {
    let [(program, id), (apart, _)] = both::<F, K>();
    for seed in 0..50_u32 {
        let x = std::array::from_fn::<u32, N, _>(|k| (seed * 77 + k as u32 * 13) % 11);
        let args: Vec<Value> = std::iter::once(x.to_value())
            .chain(more.iter().cloned())
            .collect();
        let [native, found] =
            [&program, &apart].map(|program| eval::call(program, id, &args, 1 << 20));
        match (native, found) {
            (Ok(native), Ok(found)) => assert!(native.result.same(&found.result), "{args:?}"),
            (Err(native), Err(found)) => assert_eq!(format!("{native:?}"), format!("{found:?}")),
            (native, found) => panic!("{args:?}: {native:?}, and taken apart {found:?}"),
        }
    }
    loops(&apart)
}

type Of<T> = (Each<T>,);

#[test]
fn loops_whose_rounds_are_known_are_gone() {
    type K = Of<Numbers>;
    assert_eq!(left::<upwards, K, 5>(&[]), 0);
    assert_eq!(left::<downwards, K, 5>(&[]), 0);
    assert_eq!(left::<closed_and_by_steps, K, 5>(&[]), 0);
    assert_eq!(left::<triangle, K, 5>(&[]), 0);
    assert_eq!(left::<leaves_where_it_is_known, K, 5>(&[]), 0);
    assert_eq!(left::<returns_from_a_round, K, 5>(&[]), 0);
    let n = [Value::U32(3)];
    assert_eq!(left::<only_inner, (Each<Numbers>, Each<u32>), 5>(&n), 1);
}

#[test]
fn others_stay() {
    assert_eq!(left::<leaves_by_what_is_not_known, Of<Numbers>, 5>(&[]), 1);
    assert_eq!(left::<too_many_rounds, Of<[u32; 17]>, 17>(&[]), 1);
    // The two inner ones come to 256 rounds, which is not too much; all three do.
    assert_eq!(left::<too_much, Of<[u32; 16]>, 16>(&[]), 1);
    let [_, (apart, _)] = both::<counts_only, Of<u32>>();
    assert_eq!(loops(&apart), 1);
}

/// Two loops of five rounds each.
#[test]
fn a_function_does_not_become_more_than_so_much() {
    let [(program, id), _] = both::<twice, Of<Numbers>>();
    let left = |most: usize| {
        let functions = vec![function(program.function(id), most)];
        loops(&Program { functions })
    };
    let enough = (0..500).find(|most| left(*most) == 0).unwrap();
    let one = (0..500).find(|most| left(*most) == 1).unwrap();
    assert_eq!(
        (enough, left(enough / 2 - 1), left(one - 1)),
        (2 * one, 2, 2)
    );
}

#[test]
fn a_round_that_traps_does_so_at_its_line() {
    assert_eq!(left::<beyond_the_end, Of<Numbers>, 5>(&[]), 0);
}

#[test]
fn counters_that_are_gone_leave_nothing() {
    let [_, (apart, id)] = both::<upwards, Of<Numbers>>();
    let lets = apart
        .function(id)
        .body
        .iter()
        .filter(|s| matches!(s.kind, StmtKind::Let(..)));
    assert_eq!(lets.count(), 1, "{}", crate::ir::print(&apart));
}
