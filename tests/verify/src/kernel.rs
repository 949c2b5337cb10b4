//! A function of the corpus as a kernel, for every unit alike.

use crate::{
    Case, Native, Random, lines, near,
    stream::{generator, is_random},
};
use skel_core::{
    ir::{Mode, Ty, Value},
    plan::{Argument, IndexKind, Kernel, Pattern, Role},
    space::Shape,
};

/// Whether a parameter is an index, which is not passed.
fn index_kind(ty: &Ty) -> Option<IndexKind> {
    match ty {
        Ty::Struct(s) if s.name == "Index1" => Some(IndexKind::Index1),
        Ty::Struct(s) if s.name == "Index2" => Some(IndexKind::Index2),
        Ty::Struct(s) if s.name == "Index3" => Some(IndexKind::Index3),
        Ty::Struct(s) if s.name == "Index4" => Some(IndexKind::Index4),
        _ => None,
    }
}

/// The kernel of a case: all arguments element by element, or every other one the same for all. A
/// tuple fills several outputs.
pub(crate) fn kernel(case: &Case, uniform: bool) -> Kernel {
    let params = case.params();
    let index = params
        .iter()
        .enumerate()
        .find_map(|(at, (ty, _))| Some((at, index_kind(ty)?)));
    let random = params.iter().position(|(ty, _)| is_random(ty));
    let given = |ty: &Ty| index_kind(ty).is_some() || is_random(ty);
    let passed = params.iter().filter(|(ty, _)| !given(ty));
    let mut arguments: Vec<Argument> = passed
        .enumerate()
        .map(|(k, (ty, mode))| Argument {
            role: match mode {
                Mode::InOut if lines::is_line(ty) => Role::LineMut,
                Mode::In if lines::is_line(ty) => Role::Line,
                Mode::InOut => Role::InOut,
                Mode::In if near::is_near(ty) => Role::Window(None),
                Mode::In if matches!(ty, Ty::View(_)) => Role::View,
                Mode::In if uniform && k % 2 == 0 => Role::Uniform,
                Mode::In => Role::In,
            },
            ty: ty.clone(),
        })
        .collect();
    let outputs = match &case.program.function(case.function).ret {
        Ty::Unit => Vec::new(),
        Ty::Struct(s) if s.name == "tuple" => s.fields.iter().map(|f| f.ty.clone()).collect(),
        ty => vec![ty.clone()],
    };
    arguments.extend(outputs.into_iter().map(|ty| Argument {
        role: Role::Out,
        ty,
    }));
    let kernel = Kernel::new(
        Pattern::Elementwise,
        case.program.clone(),
        case.function,
        None,
        index,
        arguments,
    );
    match random {
        Some(at) => kernel.with_random(at),
        None => kernel,
    }
}

/// Which of the function's parameters the kernel's argument `k` is.
pub(crate) fn parameter(kernel: &Kernel, k: usize) -> usize {
    let mut given = [kernel.index.map(|(at, _)| at), kernel.random];
    given.sort_unstable();
    let skipped = |at: usize, given: usize| at + usize::from(given <= at);
    given.into_iter().flatten().fold(k, skipped)
}

/// The shape of calls of `n` elements, a multiple of 100.
pub(crate) fn shape(kernel: &Kernel, n: usize) -> Shape {
    match kernel.index.map(|(_, kind)| kind) {
        None | Some(IndexKind::Index1) => Shape::D1(n),
        Some(IndexKind::Index2) => Shape::D2(n / 25, 25),
        Some(IndexKind::Index3) => Shape::D3(n / 100, 4, 25),
        Some(IndexKind::Index4) => Shape::D4(n / 100, 2, 5, 10),
    }
}

/// The arguments of call number `salt` of `n` elements, in source order.
pub(crate) fn draw(case: &Case, kernel: &Kernel, salt: u64, n: usize) -> Vec<Vec<Value>> {
    let mut random = Random(salt.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ kernel.hash);
    let element = |i: usize| {
        let mut values = case.arguments(&mut random);
        near::place(&mut values, salt as usize, i);
        if let Some((at, _)) = kernel.index {
            let shape = shape(kernel, n);
            let (mut rest, mut place) = (i, Vec::new());
            for extent in shape.extents().into_iter().rev().take(shape.rank()) {
                place.insert(0, Value::Usize(rest % extent));
                rest /= extent;
            }
            values[at] = Value::structure(&values[at].ty(), place);
        }
        if let Some(at) = kernel.random {
            values[at] = generator(i);
        }
        values
    };
    (0..n).map(element).collect()
}

/// What the native function gives for each argument that is written, by its number.
pub(crate) fn expected(kernel: &Kernel, native: &Native) -> Result<Vec<(usize, Value)>, String> {
    let Ok((result, changed)) = native else {
        return Err("it should have trapped".into());
    };
    let mut changed = changed.iter();
    let mut results = match result {
        Value::Struct(s, parts) if s.name == "tuple" => parts.iter(),
        whole => std::slice::from_ref(whole).iter(),
    };
    let mut all = Vec::new();
    for (k, argument) in kernel.arguments.iter().enumerate() {
        let value = match argument.role {
            Role::Out => results.next().ok_or("an output too many")?,
            Role::InOut | Role::LineMut => {
                changed.next().ok_or("an in-place argument is missing")?
            }
            Role::In
            | Role::Strided(_)
            | Role::StridedOut(..)
            | Role::Uniform
            | Role::View
            // Sweeps are run as calls, by the conformance suite.
            | Role::Sweep(_)
            | Role::Window(_)
            | Role::Line => continue,
        };
        all.push((k, value.clone()));
    }
    Ok(all)
}
