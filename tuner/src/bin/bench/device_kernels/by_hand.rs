//! The kernels, as they are written by hand.

use super::hand::{Hand, Step};
use wgpu::Buffer;

/// A kernel that is ready to be run again and again.
pub(super) struct ByHand<'a> {
    /// Runs it, and waits.
    pub(super) run: Box<dyn FnMut() + 'a>,
    /// What it gave when it was run first.
    pub(super) gave: Vec<u8>,
}

/// Elementwise: both arguments are `x`.
pub(super) fn saxpy<'a>(hand: &'a Hand, x: &[u8]) -> ByHand<'a> {
    let [a, b, c] = [(); 3].map(|()| hand.buffer(x));
    let source = include_str!("saxpy.wgsl");
    let groups = Hand::grid((x.len() / 4).div_ceil(256));
    let step = hand.step(source, "main", &[], &[(0, &a), (1, &b), (2, &c)], groups);
    into_array(hand, vec![step], &c)
}

/// A fold: both arguments are `x`.
pub(super) fn dot<'a>(hand: &'a Hand, x: &[u8]) -> ByHand<'a> {
    let (a, b) = (hand.buffer(x), hand.buffer(x));
    let (sums, to) = (hand.buffer(&[0; 4 * 257]), hand.readable(4));
    let source = include_str!("dot.wgsl");
    let all = [(0, &a), (1, &b), (2, &sums)];
    let steps = [
        hand.step(source, "groups", &[], &all, [256, 1]),
        hand.step(source, "all", &[], &[(2, &sums)], [1, 1]),
    ];
    let run = move || {
        hand.run(&steps, Some((&sums, &to)));
        hand.read(&to)
    };
    let gave = run();
    let run = move || {
        std::hint::black_box(run());
    };
    let run = Box::new(run);
    ByHand { run, gave }
}

/// Five points of a square of `side` rows.
pub(super) fn stencil<'a>(hand: &'a Hand, x: &[u8], side: usize) -> ByHand<'a> {
    let (a, b) = (hand.buffer(x), hand.buffer(x));
    let groups = [side.div_ceil(32) as u32, side.div_ceil(8) as u32];
    let source = include_str!("stencil.wgsl");
    let constants = [("SIDE", side as f64)];
    let step = hand.step(source, "main", &constants, &[(0, &a), (1, &b)], groups);
    into_array(hand, vec![step], &b)
}

/// Prefixes, by reducing first and scanning then.
pub(super) fn scan<'a>(hand: &'a Hand, x: &[u8]) -> ByHand<'a> {
    let (a, b) = (hand.buffer(x), hand.buffer(x));
    let blocks = (x.len() / 4).div_ceil(2048);
    let sums = hand.buffer(&vec![0; 4 * blocks]);
    let (source, groups) = (include_str!("scan.wgsl"), Hand::grid(blocks));
    let all = [(0, &a), (1, &b), (2, &sums)];
    let steps = vec![
        hand.step(source, "reduce", &[], &[(0, &a), (2, &sums)], groups),
        hand.step(source, "carries", &[], &[(2, &sums)], [1, 1]),
        hand.step(source, "scan", &[], &all, groups),
    ];
    into_array(hand, steps, &b)
}

fn into_array<'a>(hand: &'a Hand, steps: Vec<Step>, output: &Buffer) -> ByHand<'a> {
    hand.run(&steps, None);
    let to = hand.readable(output.size());
    hand.run(&[], Some((output, &to)));
    ByHand {
        run: Box::new(move || hand.run(&steps, None)),
        gave: hand.read(&to),
    }
}
