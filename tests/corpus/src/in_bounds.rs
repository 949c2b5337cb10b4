//! Lines and arrays whose indices are surely there, from some length of lines on; and some that are not.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachLine, EachLineMut};

#[user_function]
fn neighbours(l: &mut Line<i32>) {
    let n = l.len();
    for i in 1..n - 1 {
        l[i] = l[i - 1].wrapping_add(l[i + 1]);
    }
}

#[user_function]
fn there_and_back(l: &mut Line<[i32; 5]>, by: &Line<i32>) {
    let n = l.len();
    let (before, here) = (by[0], by[1]);
    for i in 0..n {
        for m in 0..5 {
            let s = if m < 3 { 0 } else { m - 2 };
            l[i][m] = l[i][s].wrapping_add(before);
        }
    }
    for j in 1..n - 1 {
        let i = n - 1 - j;
        l[i][j % 5] = l[i + 1][2 * 2].wrapping_mul(here) ^ by[i - 1];
    }
}

#[user_function]
fn downwards(l: &mut Line<u32>) {
    for i in (1..l.len()).rev() {
        l[i - 1] ^= l[i];
    }
}

#[user_function]
fn by_halves(l: &mut Line<u32>) {
    let mut at = 0;
    while at < l.len() {
        l[at] = l[at / 2].wrapping_add(l[at.min(3)]);
        if l[at] % 2 == 0 && at > 2 {
            at += 2;
            continue;
        }
        at += 1;
    }
}

#[user_function]
fn guarded(l: &mut Line<u32>, from: u32) {
    let at = from as usize;
    if at < l.len() {
        l[at] += 1;
    }
    if at >= 7 || at == 0 {
        return;
    }
    let mut all = [0_u32; 7];
    all[at] = l[l.len() % at];
    for (k, x) in all.into_iter().enumerate() {
        if k < l.len() {
            l[k] ^= x;
        }
    }
}

#[user_function]
fn one_too_far(l: &mut Line<u32>) {
    for i in 0..l.len() {
        if l[i] % 3 == 0 {
            l[i + 1] += 1;
        }
    }
}

#[user_function]
fn counts_beyond(l: &mut Line<u32>) {
    let mut last = 0;
    for i in 0..l.len() {
        last = i + 1;
    }
    let at = last - l[0] as usize % 2;
    l[at] += 1;
}

#[user_function]
fn before_the_first(l: &mut Line<u32>) {
    let mut at = l.len() - 1;
    loop {
        l[at] += 1;
        at -= 1;
        if l[at] % 4 == 0 {
            break;
        }
    }
}

#[user_function]
fn at_of(l: &Line<u32>, i: usize) -> u32 {
    l[i]
}

#[user_function]
fn through_another(l: &mut Line<u32>) -> u32 {
    let mut sum = 0;
    for i in 0..l.len() {
        sum ^= at_of(l, i);
    }
    sum
}

pub(super) fn cases() -> Vec<Case> {
    cases_with_lengths()
        .into_iter()
        .map(|(case, _)| case)
        .collect()
}

/// The cases, and from which length of lines on they are known not to trap.
pub fn cases_with_lengths() -> Vec<(Case, Option<usize>)> {
    vec![
        (case::<neighbours, (EachLineMut<i32>,)>(), Some(1)),
        (
            case::<there_and_back, (EachLineMut<[i32; 5]>, EachLine<i32>)>(),
            Some(2),
        ),
        (case::<downwards, (EachLineMut<u32>,)>(), Some(1)),
        (case::<by_halves, (EachLineMut<u32>,)>(), Some(0)),
        (case::<guarded, (EachLineMut<u32>, Each<u32>)>(), None),
        (case::<one_too_far, (EachLineMut<u32>,)>(), None),
        (case::<counts_beyond, (EachLineMut<u32>,)>(), None),
        (case::<before_the_first, (EachLineMut<u32>,)>(), None),
        (case::<through_another, (EachLineMut<u32>,)>(), None),
    ]
}
