//! The block of parameters of a launch: addresses, values, and numbers.

use super::{
    launch::{Extra, Numbers, Stage},
    memory::{Array, Piece},
};
use crate::{
    codegen::cuda::{Member, MemberValue, Source, Whole, whole_vectors},
    device::{Launch, LaunchArg},
};
use skel_core::{
    frame::View,
    ir::ViewKind,
    space::{Lines, MAX_RANK, Neighbourhood, Shape},
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
    for (member, held, at) in &source.params.members {
        match (member, held) {
            (Member::Uniform(k), _) => {
                let Some(LaunchArg::Uniform(value)) = launch.args.get(*k) else {
                    return Err(*member);
                };
                put(block, *at, value.bytes());
            }
            (Member::Pad(k), _) => {
                // Without a padded edge it is not read.
                if let Some(pad) = pad(launch, *k) {
                    put(block, *at, pad.bytes());
                }
            }
            (Member::Call, _) => put(block, *at, &launch.space.stream().call.to_ne_bytes()),
            (_, MemberValue::Pointer(..)) => {
                let address = pointer(*member, launch, &stage.extra).ok_or(*member)?;
                put(block, *at, &address.to_ne_bytes());
            }
            (_, MemberValue::Value(_)) => {
                let number = number(*member, launch, &stage.numbers, whole).ok_or(*member)?;
                put(block, *at, &number.to_ne_bytes());
            }
        }
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
fn pointer(member: Member, launch: &Launch<'_, Array>, extra: &Extra<'_>) -> Option<u64> {
    let k = match member {
        Member::Argument(k) => k,
        Member::Gathered => return extra.gathered.map(Piece::address),
        Member::Partials => return extra.partials.map(Piece::address),
        Member::Listed => return extra.listed,
        Member::States => return extra.states.map(Piece::address),
        Member::Status => return extra.status.map(Piece::address),
        _ => return None,
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

/// How the lines of argument `k` lie.
fn lines(launch: &Launch<'_, Array>, k: usize) -> Option<Lines> {
    match launch.args.get(k)? {
        LaunchArg::Lines(_, lines) => Some(*lines),
        LaunchArg::LinesMut(_, lines) => Some(*lines),
        _ => None,
    }
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

/// What a number is.
fn number(
    member: Member,
    launch: &Launch<'_, Array>,
    numbers: &Numbers,
    whole: Whole,
) -> Option<u64> {
    let Numbers {
        count,
        carried,
        nodes,
        along,
        hyperplane,
        tiles,
        first_tiles,
    } = *numbers;
    let space = launch.space.arguments();
    let number = match member {
        Member::Count => return Some(count),
        Member::Level => return Some(nodes.level),
        Member::TileWidth => return Some(along.map_or(nodes.width, |pass| pass.width as u64)),
        Member::Depth => along?.depth,
        Member::LeafElems => along?.leaf,
        Member::Spans => along?.spans,
        Member::SpanElems => along?.span,
        Member::Joining => usize::from(along?.joining),
        Member::FromNode => along?.from,
        Member::ToNode => along?.to,
        Member::TableNode => along?.table,
        Member::FirstLeaf => return Some(nodes.first_leaf),
        Member::Leaves => return Some(nodes.leaves),
        Member::ToLeaf => return Some(nodes.to_leaf),
        Member::Carried => return Some(carried),
        Member::Hyperplane => return Some(hyperplane),
        Member::Tiles(d) => tiles[d],
        Member::FirstTile(d) => first_tiles[d],
        Member::Head => return Some(whole.head),
        Member::Vectors => return Some(whole.vectors),
        // Traps name elements by their index in the whole index space.
        Member::Base | Member::First => launch.range.start,
        Member::Columns => space.row_elems(),
        Member::Rows => space.extents()[MAX_RANK - 2],
        Member::Planes => space.extents()[MAX_RANK - 3],
        Member::Seed => return Some(launch.space.stream().seed),
        Member::Extent(k, dimension) => extent(launch, k, dimension)?,
        Member::PerRow(k) => match (view_kind(launch, k)?, space) {
            (ViewKind::Row, Shape::D1(_)) => 1,
            _ => space.row_elems(),
        },
        Member::Offset(k) => match launch.args.get(k)? {
            LaunchArg::Strided(array, layout) => layout.offset.wrapping_sub(array.window.start),
            LaunchArg::StridedMut(array, layout) => layout.offset.wrapping_sub(array.window.start),
            _ => return None,
        },
        // Modulo 2^64, as kernels count.
        Member::Pitch(k, d) => match lines(launch, k) {
            Some(lines) => lines.stride(),
            None => launch.pitch(k, d)? as usize,
        },
        Member::StridedExtent(k, d) => {
            let dims = launch.layout(k)?.over(space).dims;
            dims.get(d).map_or(1, |dim| dim.0)
        }
        Member::PlacesPerValue => launch.space.along()?.element(1, 0),
        Member::PlacesPerStep => launch.space.along()?.element(0, 1),
        Member::Window(k, number) => number.of(near(launch, k)?),
        Member::Call
        | Member::Uniform(_)
        | Member::Pad(_)
        | Member::Argument(_)
        | Member::Gathered
        | Member::Partials
        | Member::Listed
        | Member::States
        | Member::Status => return None,
    };
    Some(number as u64)
}

/// The neighbourhood that argument `k` of a launch is.
fn near<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<&'l Neighbourhood> {
    match launch.args.get(k)? {
        LaunchArg::Window(_, near, _) => Some(near),
        _ => None,
    }
}

/// What lies beyond edges that are padded.
fn pad<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<View<'l>> {
    match launch.args.get(k)? {
        LaunchArg::Window(_, _, pad) | LaunchArg::Sweep(_, _, pad) => *pad,
        _ => None,
    }
}

fn view_kind(launch: &Launch<'_, Array>, k: usize) -> Option<ViewKind> {
    match &launch.kernel.arguments.get(k)?.ty {
        skel_core::ir::Ty::View(view) => Some(view.kind),
        _ => None,
    }
}

/// An extent of the container that argument `k` is, as the function sees it; of a row or column, of its
/// matrix.
fn extent(launch: &Launch<'_, Array>, k: usize, dimension: usize) -> Option<usize> {
    if let Some(lines) = lines(launch, k) {
        return Some(lines.len());
    }
    launch.view_extent(k, dimension)
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
