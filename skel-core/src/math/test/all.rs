//! All floats of 32 bits: the largest error of each function, and a hash of its bits. `cargo xtask mathematics` runs it,
//! once for each change of a function; some half an hour on two cores.

use super::{Exact, ONE, One, error, hash, hash_of_words, told};
use crate::ir::Builtin;
use std::{
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

/// Floats are taken by blocks of so many that follow each other as bits.
const BLOCK: u32 = 1 << 24;
const BLOCKS: u32 = 1 << 8;

/// The hashes of the hashes of all blocks, in the order of [`ONE`].
const PINNED: [u64; 17] = [
    0x7900_817e_cce2_c13c,
    0xc5cc_e0a3_ae21_5197,
    0xb6e8_77b8_9f47_89ac,
    0x9be1_644c_c2e7_7c24,
    0xa130_ac53_99ce_5220,
    0xcc55_932e_8943_55f3,
    0x25f2_f788_cf64_9b29,
    0xa17d_dfed_b6f4_4ce9,
    0x89da_4c0a_c809_38a9,
    0x9fe7_3694_789a_7605,
    0x590a_93a3_fdeb_f525,
    0xfc40_484a_9efe_d822,
    0xd5a1_958c_1235_a26d,
    0x89d3_ed83_5f0e_09ed,
    0x301c_defb_dc6b_1341,
    0x5d37_b054_8d25_3c75,
    0x9321_76f4_f661_9685,
];

/// What a function gives of all floats.
struct Found {
    /// In units in the last place, and where.
    error: f64,
    at: f32,
    hash: u64,
}

fn block(number: u32) -> impl Iterator<Item = f32> {
    (0..BLOCK).map(move |k| f32::from_bits(number * BLOCK + k))
}

fn all(ours: One, exact: Exact) -> Found {
    let next = AtomicU32::new(0);
    let blocks = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= BLOCKS {
                return;
            }
            let mut worst = (0.0, 0.0);
            let hash = hash(block(number).map(|x| {
                let got = ours(x);
                let error = error(got, exact(f64::from(x)));
                if error > worst.0 {
                    worst = (error, x);
                }
                got
            }));
            blocks
                .lock()
                .unwrap()
                .push((number, worst.0, worst.1, hash));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut blocks = blocks.into_inner().unwrap();
    blocks.sort_unstable_by_key(|(number, ..)| *number);
    let hash = hash_of_words(blocks.iter().map(|(.., hash)| *hash));
    let (_, error, at, _) = blocks
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap();
    Found { error, at, hash }
}

#[test]
#[ignore = "takes half an hour: cargo xtask mathematics"]
fn errors_and_bits_of_all_floats() {
    let mut wrong = Vec::new();
    for ((builtin, ours, exact, _), pinned) in ONE.into_iter().zip(PINNED) {
        let Found { error, at, hash } = all(ours, exact);
        let (name, told) = (Builtin::name(builtin), told(builtin, "f32"));
        println!("| `{name}` | {error:.4} | all floats | of {at:e}; {hash:#018x}");
        // The page has two digits, rounded up.
        if error > told || error < told - 0.010_1 {
            wrong.push(format!("`{name}` is {error} off, and {told} is told"));
        }
        if hash != pinned {
            wrong.push(format!("`{name}` has other bits: {hash:#018x}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
