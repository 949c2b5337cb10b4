//! Vectors: 16 bytes of neighbouring elements, which a thread loads and stores at once.
//!
//! A kernel has both loops, and launches say where the vectors lie ([`whole_vectors`]): as many elements come before
//! the first one as make addresses aligned. So there is one kernel to compile and to keep, whatever part of a container
//! a call is about, and every thread of it takes the same way. Only where arguments are not aligned alike (parts that
//! begin at different places) there is no vector, and the other loop takes all elements.

use super::{
    Member,
    apply::Applied,
    batch::{self, is_light},
    elementwise::ELEMENT,
    kernel::{Builder, Source, SourceOptions},
    traps::{noted, untrapped},
};
use crate::codegen::{Number, template};
use skel_core::plan::{Kernel, Role};

const KERNEL: &str = include_str!("../templates/cuda/vectors.cu");
const AHEAD: &str = include_str!("../templates/cuda/vectors_ahead.cu");
const BESIDE: &str = include_str!("../templates/cuda/vectors_beside.cu");

/// Bytes that a thread loads or stores at once, at most.
const VECTOR_BYTES: usize = 16;

/// How many elements make a vector: 16 bytes of the largest ones. `None` if the kernel is to take its elements one by
/// one, because computing is what takes long, because sizes do not divide a vector's, or because neighbouring threads
/// would no longer read neighbouring elements of what is not read in vectors.
#[must_use]
pub(super) fn width(kernel: &Kernel) -> Option<u32> {
    if !is_light(kernel) || kernel.operator.is_some() {
        return None;
    }
    width_of_elements(kernel)
}

/// The same of a fold by lanes, of which each takes at most four neighbouring elements of a tile.
#[must_use]
pub(super) fn width_of_fold(kernel: &Kernel) -> Option<u32> {
    let width = width_of_elements(kernel)?.min(4);
    (width > 1).then_some(width)
}

fn width_of_elements(kernel: &Kernel) -> Option<u32> {
    let mut largest = 0;
    for argument in &kernel.arguments {
        match argument.role {
            Role::In | Role::InOut | Role::Out => {
                let size = argument.ty.size_bytes();
                if !size.is_power_of_two() || size > VECTOR_BYTES {
                    return None;
                }
                largest = largest.max(size);
            }
            Role::Uniform => {}
            Role::Strided(_)
            | Role::StridedOut(..)
            | Role::View
            | Role::Window(_)
            | Role::Line
            | Role::LineMut
            | Role::Sweep(_) => {
                return None;
            }
        }
    }
    let width = VECTOR_BYTES.checked_div(largest)?;
    // At most 16.
    Some(width as u32)
}

/// Which elements of a launch are in vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// Elements before the first vector.
    pub head: u64,
    /// How many vectors there are.
    pub vectors: u64,
}

/// Where the vectors of `width` elements lie, among `count` elements of arguments of which each begins at an address
/// and has elements of so many bytes. None if there is no place at which all are aligned.
#[must_use]
pub fn whole_vectors(
    width: u32,
    count: u64,
    arguments: impl IntoIterator<Item = (u64, usize)>,
) -> Whole {
    let width = u64::from(width);
    let mut common = None;
    for (address, size) in arguments {
        let size = size.max(1) as u64;
        let beyond = address % (width * size);
        let head = (width - beyond / size) % width;
        if !beyond.is_multiple_of(size) || common.is_some_and(|common| common != head) {
            return Whole::default();
        }
        common = Some(head);
    }
    let head = common.unwrap_or(0);
    match count.saturating_sub(head) / width {
        0 => Whole::default(),
        vectors => Whole { head, vectors },
    }
}

/// The source of an elementwise kernel in which a thread takes so many vectors of `width` elements at once.
pub(super) fn kernel(
    kernel: &Kernel,
    options: &SourceOptions,
    width: u32,
    vectors: u32,
) -> Result<Source, String> {
    let mut builder = Builder::new(kernel, options.lanes);
    let traps = builder.cuda.trapping[kernel.map.0];
    builder.number(Number::Count);
    builder.number(Member::Head);
    builder.number(Member::Vectors);
    builder.bind_arguments();
    // Of a single element nothing would be loaded ahead.
    builder.batch = match batch::read_bytes(kernel) {
        0 => 1,
        _ => batch::single(kernel).max(2),
    };
    let beside = builder.batch;
    let single = builder.apply_map();
    builder.batch = vectors;
    builder.width = Some(width);
    let whole = builder.apply_map();
    if traps {
        builder.bind_status(true);
    }
    let lanes = options.lanes;
    let numbers = [
        ("lanes", lanes.to_string()),
        ("tile", (lanes * vectors).to_string()),
        ("beside", (lanes * beside).to_string()),
        ("vectors", vectors.to_string()),
        ("width", width.to_string()),
        ("batch", beside.to_string()),
    ];
    let element = |applied: &Applied| {
        let values = [
            ("untrapped", untrapped(traps)),
            ("load", applied.load.clone()),
            ("apply", applied.apply.clone()),
            ("trap", noted(traps, "params.base + at", 0, "continue;")),
            ("store", applied.store.clone()),
        ];
        template::fill(ELEMENT, &values)
    };
    let fetched = |template: &str, applied: &Applied| {
        if applied.fetch.is_empty() {
            return String::new();
        }
        let loads = [
            ("ahead", applied.ahead.clone()),
            ("fetch", applied.fetch.clone()),
        ];
        template::fill(template, &[numbers.as_slice(), &loads].concat())
    };
    let parts = [
        ("fetched_vectors", fetched(AHEAD, &whole)),
        ("made", whole.made.clone()),
        ("vector_body", element(&whole)),
        ("put", whole.put.clone()),
        ("fetched", fetched(BESIDE, &single)),
        ("body", element(&single)),
    ];
    let values = [numbers.as_slice(), &parts].concat();
    builder.batch = vectors * width;
    builder.finish(&[kernel.map], &template::fill(KERNEL, &values))
}
