//! Smith–Waterman: where two sequences are most alike. Every score of the table depends on the three before it, so the
//! table is swept. Without arguments, the sequences of the textbook example, then longer ones of known history.
//!
//! `cargo run --release --example smith_waterman -- --length 8000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, report};

/// Aligns two sequences locally, by Smith and Waterman
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Letters of the sequences that are made up
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u16).range(100..=30_000))]
    length: u16,
}

const MATCH: i32 = 3;
const MISMATCH: i32 = -3;
const GAP: i32 = -2;

/// The best score of an alignment that ends here: of two letters, or of a letter and a gap, or none.
#[user_function]
fn score(h: Sweep2<i32, 1, 1>, a: u8, b: u8) -> i32 {
    let letters = h[(-1, -1)] + if a == b { MATCH } else { MISMATCH };
    // What the sweep has just computed comes last: the loop waits for it.
    letters.max(h[(-1, 0)] + GAP).max(0).max(h[(0, -1)] + GAP)
}

/// A score, and where it is.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Best {
    score: i32,
    at: u32,
}

#[user_function]
fn placed(score: i32, at: Index1) -> Best {
    Best {
        score,
        at: at.i as u32,
    }
}

/// The better of two, the first of several.
#[user_function(commutative)]
fn better(a: Best, b: Best) -> Best {
    if a.score > b.score || (a.score == b.score && a.at < b.at) {
        a
    } else {
        b
    }
}

/// Two aligned parts, with `-` for gaps.
struct Alignment {
    score: i32,
    first: String,
    second: String,
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    // From the literature: score 13.
    let known = align(b"TGTTACGG", b"GGTTGACTA", &target)?;
    println!("{}\n{}", known.first, known.second);
    let right = (known.first.as_str(), known.second.as_str()) == ("GTT-AC", "GTTGAC");
    check(right && known.score == 13, || {
        format!("the textbook's alignment has score {}", known.score)
    })?;

    let (a, b) = relatives(usize::from(options.length));
    let (found, report) = report::of(|| align(&a, &b, &target))?;
    let same = found.first.bytes().zip(found.second.bytes());
    let same = same.filter(|(a, b)| a == b).count();
    println!(
        "score {}: {same} of {} letters are the same",
        found.score,
        found.first.len()
    );
    report.print();
    let expected = best_of_plain_loop(&a, &b);
    check(
        found.score == expected && rescored(&found) == expected,
        || {
            format!(
                "a plain loop finds {expected}, and the letters make {}",
                rescored(&found)
            )
        },
    )
}

/// The best local alignment.
fn align(a: &[u8], b: &[u8], target: &Target) -> skel::Result<Alignment> {
    let (rows, cols) = (a.len(), b.len());
    let mut table = Matrix::filled(rows, cols, 0);
    let score = sweep!(score).pad(0).on(target.clone());
    score.run((&mut table, down(a), across(b)))?;
    let best = map_reduce!(placed, better).on(target.clone());
    let Best { score, at } = best.run((&table,))?;

    // Back from there to where the score was 0.
    let h = table.host()?;
    let of = |i: usize, j: usize| {
        if i == 0 || j == 0 {
            0
        } else {
            h[(i - 1) * cols + j - 1]
        }
    };
    let (mut i, mut j) = (at as usize / cols + 1, at as usize % cols + 1);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    while of(i, j) > 0 {
        let letters = if a[i - 1] == b[j - 1] {
            MATCH
        } else {
            MISMATCH
        };
        if of(i, j) == of(i - 1, j - 1) + letters {
            (i, j) = (i - 1, j - 1);
            first.push(a[i]);
            second.push(b[j]);
        } else if of(i, j) == of(i - 1, j) + GAP {
            i -= 1;
            first.push(a[i]);
            second.push(b'-');
        } else {
            j -= 1;
            first.push(b'-');
            second.push(b[j]);
        }
    }
    let text = |letters: Vec<u8>| letters.into_iter().rev().map(char::from).collect();
    Ok(Alignment {
        score,
        first: text(first),
        second: text(second),
    })
}

/// A sequence, and one that became of its middle: now and then a letter has changed, was lost, or came in.
fn relatives(length: usize) -> (Vec<u8>, Vec<u8>) {
    let mut state = 12345_u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let a: Vec<u8> = (0..length).map(|_| b"ACGT"[next(4) as usize]).collect();
    let mut b: Vec<u8> = (0..length / 4).map(|_| b"ACGT"[next(4) as usize]).collect();
    for letter in &a[length / 4..3 * length / 4] {
        match next(20) {
            0 => b.push(b"ACGT"[next(4) as usize]),
            1 => {}
            2 => b.extend([*letter, b"ACGT"[next(4) as usize]]),
            _ => b.push(*letter),
        }
    }
    (a, b)
}

/// What the letters of an alignment come to.
fn rescored(alignment: &Alignment) -> i32 {
    let pairs = alignment.first.bytes().zip(alignment.second.bytes());
    let scores = pairs.map(|(a, b)| match (a, b) {
        (b'-', _) | (_, b'-') => GAP,
        (a, b) if a == b => MATCH,
        _ => MISMATCH,
    });
    scores.sum()
}

/// The best score by two rows of the table, as in a textbook.
fn best_of_plain_loop(a: &[u8], b: &[u8]) -> i32 {
    let (mut before, mut best) = (vec![0; b.len() + 1], 0);
    for x in a {
        let mut row = vec![0; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let letters = before[j] + if x == y { MATCH } else { MISMATCH };
            row[j + 1] = letters.max(before[j + 1] + GAP).max(row[j] + GAP).max(0);
            best = best.max(row[j + 1]);
        }
        before = row;
    }
    best
}
