//! The block of parameters of a launch: addresses, values, and numbers.

use super::{
    launch::{Extra, Stage},
    memory::{Array, PooledMemory},
};
use crate::{
    codegen::cuda::{Member, Pointer, Source, Whole, whole_vectors},
    device::{Launch, LaunchArg},
};

/// Writes the block of parameters, as the source lays it out; the member for which there is nothing.
pub(super) fn fill(
    block: &mut Vec<u64>,
    source: &Source,
    launch: &Launch<'_, Array>,
    stage: &Stage<'_>,
) -> std::result::Result<(), Member> {
    let whole = whole(source, launch);
    block.clear();
    block.resize(source.params.size_bytes() / 8, 0);
    for (member, _, at) in &source.params.members {
        let number = match *member {
            Member::Uniform(k) => {
                let Some(LaunchArg::Uniform(value)) = launch.args.get(k) else {
                    return Err(*member);
                };
                put(block, *at, value.bytes());
                continue;
            }
            Member::Pad(k) => {
                // Without a padded edge it is not read.
                if let Some(pad) = launch.pad(k) {
                    put(block, *at, pad.bytes());
                }
                continue;
            }
            Member::Pointer(wanted) => pointer(wanted, launch, &stage.extra),
            Member::Offset(k) => origin(launch, k).map(|origin| origin as u64),
            Member::Head => Some(whole.head),
            Member::Vectors => Some(whole.vectors),
            Member::Number(number) => (stage.numbers)
                .of(number, launch, &launch.range)
                .map(|number| number as u64),
        };
        put(block, *at, &number.ok_or(*member)?.to_ne_bytes());
    }
    Ok(())
}

/// Writes bytes into a block of words.
fn put(block: &mut [u64], at: usize, bytes: &[u8]) {
    if let (0, Ok(word)) = (at % 8, bytes.try_into()) {
        block[at / 8] = u64::from_ne_bytes(word);
        return;
    }
    for (k, byte) in bytes.iter().enumerate() {
        let (word, within) = ((at + k) / 8, (at + k) % 8);
        let mut all = block[word].to_ne_bytes();
        all[within] = *byte;
        block[word] = u64::from_ne_bytes(all);
    }
}

/// Where a pointer points.
fn pointer(pointer: Pointer, launch: &Launch<'_, Array>, extra: &Extra<'_>) -> Option<u64> {
    let k = match pointer {
        Pointer::Argument(k) => k,
        Pointer::Gathered => return extra.gathered.map(PooledMemory::address),
        Pointer::Partials => return extra.partials.map(PooledMemory::address),
        Pointer::Listed => return extra.listed,
        Pointer::States => return extra.states.map(PooledMemory::address),
        Pointer::Status => return extra.status.map(PooledMemory::address),
    };
    match launch.args.get(k)? {
        LaunchArg::In(array) => Some(first(launch, k, array)),
        LaunchArg::InOut(array) | LaunchArg::Out(array) => Some(first(launch, k, array)),
        // Elements are counted from the array's first: see `Member::Offset`.
        LaunchArg::Strided(array, _) => Some(array.piece.address()),
        LaunchArg::StridedMut(array, _) => Some(array.piece.address()),
        LaunchArg::View(array, _) | LaunchArg::Window(array, ..) => Some(array.address_of(0)),
        LaunchArg::Lines(array, _) => Some(array.address_of(offset(launch, k))),
        LaunchArg::LinesMut(array, _) => Some(array.address_of(offset(launch, k))),
        LaunchArg::Sweep(array, ..) => Some(array.address_of(offset(launch, k))),
        LaunchArg::Uniform(_) => None,
    }
}

/// Which element of the array of argument `k` belongs to element 0 of the call.
fn offset(launch: &Launch<'_, Array>, k: usize) -> usize {
    launch.offsets.get(k).copied().unwrap_or(0)
}

/// Which element of the array of argument `k`, which is strided, belongs to index 0, modulo 2^64.
fn origin(launch: &Launch<'_, Array>, k: usize) -> Option<usize> {
    let array = match launch.args.get(k)? {
        LaunchArg::Strided(array, _) => array,
        LaunchArg::StridedMut(array, _) => &**array,
        _ => return None,
    };
    Some(launch.layout(k)?.offset.wrapping_sub(array.window.start))
}

/// Where the launch's first element lies in the array of argument `k`.
fn first(launch: &Launch<'_, Array>, k: usize, array: &Array) -> u64 {
    array.address_of(launch.range.start + offset(launch, k))
}

/// Where the vectors of a launch lie, if its kernel takes any.
fn whole(source: &Source, launch: &Launch<'_, Array>) -> Whole {
    let Some(width) = source.width else {
        return Whole::default();
    };
    let arguments = launch.args.iter().enumerate();
    let own = arguments.filter_map(|(k, argument)| match argument {
        LaunchArg::In(array) => Some((first(launch, k, array), array.element_bytes)),
        LaunchArg::InOut(array) | LaunchArg::Out(array) => {
            Some((first(launch, k, array), array.element_bytes))
        }
        _ => None,
    });
    whole_vectors(width, launch.range.len() as u64, own)
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn bytes_of_a_block_lie_where_they_belong() {
        let mut block = vec![0; 3];
        put(&mut block, 6, &[1, 2, 3]);
        put(&mut block, 16, &7_u64.to_ne_bytes());
        let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!(bytes[5..10], [0, 1, 2, 3, 0]);
        assert_eq!(block[2], 7);
    }
}
