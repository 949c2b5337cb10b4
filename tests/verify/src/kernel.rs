//! A function of the corpus as a kernel, for every unit alike.

use crate::{Case, Native, Random};
use skel_core::{
    ir::{Mode, Ty, Value},
    plan::{Argument, IndexKind, Kernel, Pattern, Role},
};

/// Columns of the shape that functions of `Index2` see.
pub(crate) const COLS: usize = 25;

/// Whether a parameter is an index, which is not passed.
fn index_kind(ty: &Ty) -> Option<IndexKind> {
    match ty {
        Ty::Struct(s) if s.name == "Index1" => Some(IndexKind::Index1),
        Ty::Struct(s) if s.name == "Index2" => Some(IndexKind::Index2),
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
    let passed = params.iter().filter(|(ty, _)| index_kind(ty).is_none());
    let mut arguments: Vec<Argument> = passed
        .enumerate()
        .map(|(k, (ty, mode))| Argument {
            role: match mode {
                Mode::InOut => Role::InOut,
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
    Kernel::new(
        Pattern::Elementwise,
        case.program.clone(),
        case.function,
        None,
        index,
        arguments,
    )
}

/// Which of the function's parameters the kernel's argument `k` is.
pub(crate) fn parameter(kernel: &Kernel, k: usize) -> usize {
    k + usize::from(kernel.index.is_some_and(|(at, _)| at <= k))
}

/// Arguments of element `i`, in source order.
pub(crate) fn draw(random: &mut Random, case: &Case, kernel: &Kernel, i: usize) -> Vec<Value> {
    let mut values = case.arguments(random);
    if let Some((at, kind)) = kernel.index {
        let fields = match kind {
            IndexKind::Index1 => vec![Value::Usize(i)],
            IndexKind::Index2 => vec![Value::Usize(i / COLS), Value::Usize(i % COLS)],
        };
        values[at] = Value::structure(&values[at].ty(), fields);
    }
    values
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
            Role::InOut => changed.next().ok_or("an in-place argument is missing")?,
            Role::In | Role::Uniform | Role::View => continue,
        };
        all.push((k, value.clone()));
    }
    Ok(all)
}
