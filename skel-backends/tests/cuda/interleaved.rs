//! Blocks that meet each other anywhere: what one order of blocks hides, another shows.

use crate::{
    Test,
    harness::{Args, values},
    shim::{Order, Shim},
};
use std::collections::BTreeSet;

pub(crate) const TESTS: &[Test] = &[
    (
        "a_state_before_its_value_shows_in_some_order",
        a_state_before_its_value_shows_in_some_order,
    ),
    (
        "blocks_are_met_wherever_they_have_come",
        blocks_are_met_wherever_they_have_come,
    ),
];

/// What kernels publish with.
const HELPERS: &str = include_str!("../../src/codegen/cuda/helpers/kernel.cu");

/// Every block shows a value, and notes what it sees of the last block, before and after it waited for it.
const PUBLISHES: &str = r#"
struct Params { u32 *states; u32 *places; u32 *seen; };
extern "C" __global__ void __launch_bounds__(1) skel_kernel(const Params params) {
    const u32 block = blockIdx.x;
    const u32 last = gridDim.x - 1u;
    skel_publish(&params.states[block], &params.places[block], block + 1u);
    __threadfence();
    params.seen[2u * block] = *(const volatile u32*)&params.states[last];
    params.seen[2u * block + 1u] = skel_await(&params.states[last], &params.places[last]);
}"#;

const BLOCKS: usize = 30;

fn source(helpers: &str) -> String {
    format!("typedef unsigned int u32; typedef unsigned long long u64;\n{helpers}{PUBLISHES}")
}

/// The last block's state and value, as each block saw them.
fn seen(shim: &Shim, name: &str, order: Order) -> Vec<(u32, u32)> {
    let zeros = vec![0_u32; BLOCKS];
    let args = Args::default()
        .buffer(&zeros)
        .buffer(&zeros)
        .buffer(&vec![0_u32; 2 * BLOCKS]);
    let out = args.launch(shim, name, BLOCKS, 1, order).unwrap();
    let seen = values::<u32>(&out[2]);
    seen.chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .collect()
}

fn interleaved() -> impl Iterator<Item = Order> {
    (0..20).map(Order::Interleaved)
}

fn a_state_before_its_value_shows_in_some_order() {
    let (value, state) = ("*place = value;", "*(volatile u32*)state = 1u;");
    let swapped = HELPERS.replace(value, "VALUE").replace(state, value);
    let swapped = swapped.replace("VALUE", state);
    assert_ne!(swapped, HELPERS, "the helper is written otherwise now");
    let (right, wrong) = (source(HELPERS), source(&swapped));
    let shim = Shim::compile(&[("right", &right), ("wrong", &wrong)]).unwrap();
    let is_wrong = |name, order| {
        let seen = seen(&shim, name, order);
        seen.iter().any(|(_, value)| *value != BLOCKS as u32)
    };
    for order in interleaved().chain(Order::ALL) {
        assert!(!is_wrong("right", order), "{order:?}");
    }
    assert!(interleaved().any(|order| is_wrong("wrong", order)));
    // Blocks that go on as long as they can hide it.
    assert!(!is_wrong("wrong", Order::Ascending));
}

fn blocks_are_met_wherever_they_have_come() {
    let right = source(HELPERS);
    let shim = Shim::compile(&[("right", &right)]).unwrap();
    let all = interleaved().flat_map(|order| seen(&shim, "right", order));
    let states: BTreeSet<u32> = all.map(|(state, _)| state).collect();
    assert_eq!(states.into_iter().collect::<Vec<_>>(), [0, 1]);
}
