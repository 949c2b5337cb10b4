use super::*;
use proptest::prelude::*;

const MIN: usize = 64;
const LIMIT: usize = 2000;

#[derive(Clone, Debug)]
enum Step {
    /// A container of so many elements of the kind appears.
    Make(usize, usize),
    /// One of those there are goes.
    Drop(usize),
    Limit(usize),
    Trim,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..4_usize, 0..200_usize).prop_map(|(kind, len)| Step::Make(kind, len)),
        6 => any::<prop::sample::Index>().prop_map(|k| Step::Drop(k.index(1 << 16))),
        1 => (0..=LIMIT).prop_map(Step::Limit),
        1 => Just(Step::Trim),
    ]
}

/// A vector of one of four kinds: two alignments, and sizes that do not divide each other.
#[derive(Debug)]
enum Any {
    Word(Vec<u32>),
    Triple(Vec<[u32; 3]>),
    Double(Vec<u64>),
    Byte(Vec<u8>),
}

/// A block as the model knows it: size and alignment.
type Known = (usize, usize);

impl Any {
    fn take(pool: &mut Pool, kind: usize, len: usize) -> Option<Any> {
        match kind {
            0 => pool.take(len).map(Any::Word),
            1 => pool.take(len).map(Any::Triple),
            2 => pool.take(len).map(Any::Double),
            _ => pool.take(len).map(Any::Byte),
        }
    }

    fn new(kind: usize, len: usize) -> Any {
        match kind {
            0 => Any::Word(Vec::with_capacity(len)),
            1 => Any::Triple(Vec::with_capacity(len)),
            2 => Any::Double(Vec::with_capacity(len)),
            _ => Any::Byte(Vec::with_capacity(len)),
        }
    }

    fn give(self, pool: &mut Pool) -> Excess {
        match self {
            Any::Word(vec) => pool.give(vec),
            Any::Triple(vec) => pool.give(vec),
            Any::Double(vec) => pool.give(vec),
            Any::Byte(vec) => pool.give(vec),
        }
    }

    fn known(&self) -> Known {
        match self {
            Any::Word(vec) => (vec.capacity() * 4, 4),
            Any::Triple(vec) => (vec.capacity() * 12, 4),
            Any::Double(vec) => (vec.capacity() * 8, 8),
            Any::Byte(vec) => (vec.capacity(), 1),
        }
    }

    /// Writes all of it, and says whether it reads the same.
    fn use_it(&mut self, len: usize, value: u8) -> bool {
        match self {
            Any::Word(vec) => vec.resize(len, value.into()),
            Any::Triple(vec) => vec.resize(len, [value.into(); 3]),
            Any::Double(vec) => vec.resize(len, value.into()),
            Any::Byte(vec) => vec.resize(len, value),
        }
        self.holds(value)
    }

    fn holds(&self, value: u8) -> bool {
        match self {
            Any::Word(vec) => vec.iter().all(|x| *x == u32::from(value)),
            Any::Triple(vec) => vec.iter().all(|x| *x == [u32::from(value); 3]),
            Any::Double(vec) => vec.iter().all(|x| *x == u64::from(value)),
            Any::Byte(vec) => vec.iter().all(|x| *x == value),
        }
    }
}

/// Which of the kept blocks the rules would give: the smallest that is large enough, has the right
/// alignment and a multiple of the size, and wastes no more than a quarter; the oldest of equals.
fn choose(kept: &[Known], (size, align): (usize, usize), len: usize) -> Option<usize> {
    let needed = size * len;
    let good = |(bytes, a): Known| {
        a == align && bytes % size == 0 && bytes >= needed && bytes <= needed + needed / 4
    };
    let fitting = (0..kept.len()).filter(|k| needed >= MIN && good(kept[*k]));
    fitting.min_by_key(|k| (kept[*k].0, *k))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 512 }))]

    #[test]
    fn agrees_with_a_list_of_sizes(steps in prop::collection::vec(step(), 1..80)) {
        let mut pool = Pool::new(MIN, LIMIT);
        let (mut kept, mut limit): (Vec<Known>, usize) = (Vec::new(), LIMIT);
        let mut live: Vec<(Any, u8)> = Vec::new();
        for (time, step) in steps.into_iter().enumerate() {
            match step {
                Step::Make(kind, len) => {
                    let element = [(4, 4), (12, 4), (8, 8), (1, 1)][kind];
                    let taken = Any::take(&mut pool, kind, len);
                    let chosen = choose(&kept, element, len).map(|k| kept.remove(k));
                    prop_assert_eq!(taken.as_ref().map(Any::known), chosen);
                    let mut vec = taken.unwrap_or_else(|| Any::new(kind, len));
                    // No other vector has this memory: what all live vectors hold stays (below).
                    let value = u8::try_from(time).unwrap();
                    prop_assert!(vec.use_it(len, value));
                    live.push((vec, value));
                }
                Step::Drop(k) if !live.is_empty() => {
                    let (vec, _) = live.swap_remove(k % live.len());
                    let known = vec.known();
                    drop(vec.give(&mut pool));
                    if (MIN..=limit).contains(&known.0) {
                        kept.push(known);
                    }
                }
                Step::Drop(_) => {}
                Step::Limit(bytes) => {
                    limit = bytes;
                    drop(pool.set_limit(bytes));
                }
                Step::Trim => {
                    drop(pool.empty());
                    kept.clear();
                }
            }
            while kept.iter().map(|(bytes, _)| bytes).sum::<usize>() > limit {
                kept.remove(0);
            }
            prop_assert_eq!(pool.kept_bytes(), kept.iter().map(|(bytes, _)| bytes).sum::<usize>());
            let blocks: Vec<Known> =
                pool.blocks.iter().map(|b| (b.layout.size(), b.layout.align())).collect();
            prop_assert_eq!(&blocks, &kept);
            prop_assert!(live.iter().all(|(vec, value)| vec.holds(*value)));
        }
    }
}

#[test]
fn so_many_blocks_and_no_more() {
    let mut pool = Pool::new(1, usize::MAX);
    for _ in 0..2 * MAX_BLOCKS {
        drop(pool.give(vec![0_u8; 10]));
    }
    assert_eq!(pool.kept_bytes(), 10 * MAX_BLOCKS);
}

#[test]
fn advice_is_harmless_for_any_memory() {
    for len in [0, 1, 1 << 10, 5 << 20] {
        let mut vec: Vec<u8> = Vec::with_capacity(if cfg!(miri) { len.min(1 << 10) } else { len });
        advise(vec.spare_capacity_mut());
        vec.resize(vec.capacity(), 7);
        assert!(vec.iter().all(|x| *x == 7));
    }
}

/// What a loop makes of a vector each time comes back to the allocator with it.
#[test]
fn the_memory_of_users_vectors_is_not_kept() {
    use crate::container::{Matrix, Tensor3, Vector};

    let keeps = |at: *const u8| {
        let pool = pool();
        pool.blocks
            .iter()
            .any(|block| block.ptr.as_ptr().cast_const() == at)
    };
    // Of a size that no other test's container fits in.
    let len = (MIN_BLOCK_BYTES + 4096) / 4 * 3;
    let users = vec![1_u32; len];
    let at = users.as_ptr().cast();
    drop(Vector::from(users));
    assert!(!keeps(at));
    drop(Matrix::from_vec(3, len / 3, vec![1_u32; len]).unwrap());
    drop(Tensor3::from_vec(1, 3, len / 3, vec![1_u32; len]).unwrap());
    assert!(
        pool()
            .blocks
            .iter()
            .all(|block| block.len_bytes() != 4 * len)
    );
    for made in [
        Vector::filled(len, 1_u32),
        Vector::from_fn(len, |i| i as u32),
        Vector::try_from_slice(&vec![1_u32; len]).unwrap(),
    ] {
        let at = made.host().unwrap().as_ptr().cast();
        drop(made);
        assert!(keeps(at));
        drop(pool().take::<u32>(len));
    }
}
