//! Names of instances and units in models.

use crate::{context::DeviceReport, unit::Unit};
use skel_core::{
    Result,
    call::{Access, Call, Input, Operand},
    plan::{Kernel, Pattern, Role},
    space::Lines,
    unit::{UnitInfo, UnitKind},
};
use skel_model::{InstanceKey, UnitId};

/// The key of a call's model: the instance's name and what it computes.
///
/// # Errors
/// Those of building the typed IR.
pub(crate) fn key(call: &Call<'_>) -> Result<InstanceKey> {
    let kernel = call.phases.kernel()?;
    Ok(InstanceKey {
        name: call.instance.to_owned(),
        pattern: pattern(kernel, call).to_owned(),
        elements: elements(kernel, borrowed(call)),
        hash: kernel.lasting_hash(),
    })
}

/// Whether its functions may be called to see how long they take: all but those whose bodies for the CPU may
/// contain anything.
pub(super) fn is_pure(call: &Call<'_>) -> bool {
    call.phases.kernel().is_ok_and(|kernel| kernel.is_pure)
}

/// The skeleton, as far as its plan shows.
fn pattern(kernel: &Kernel, call: &Call<'_>) -> &'static str {
    let windows = kernel
        .arguments
        .iter()
        .any(|argument| matches!(argument.role, Role::Window(_)));
    match kernel.pattern {
        Pattern::Elementwise if call.space.along().is_some() => "ReduceAlong",
        Pattern::Elementwise if windows => "MapOverlap",
        Pattern::Elementwise if kernel.has_lines() => "MapLines",
        Pattern::Elementwise => "Map",
        Pattern::Fold => "Reduce",
        Pattern::Scan => "Scan",
        Pattern::Sweep => "Sweep",
    }
}

/// The element types of arguments and outputs; in brackets those of slices.
fn elements(kernel: &Kernel, borrowed: u64) -> String {
    let arguments = kernel.arguments.iter().enumerate();
    let types = arguments.map(|(k, argument)| match bit(k) & borrowed {
        0 => argument.ty.to_string(),
        _ => format!("[{}]", argument.ty),
    });
    types.collect::<Vec<_>>().join(", ")
}

/// Which operands are slices of the caller's, a bit each: those are moved in every call, and containers may
/// stay where they are. So calls with one and with the other have models of their own.
pub(crate) fn borrowed(call: &Call<'_>) -> u64 {
    let operands = call.operands.iter().enumerate();
    let slices = operands.filter(|(_, operand)| operand.is_slice());
    slices.fold(0, |mask, (k, _)| mask | bit(k))
}

/// No call has so many operands that two would share a bit.
fn bit(k: usize) -> u64 {
    1 << (k % 64)
}

/// The elements on which the cost of an element may depend, beside their number: those of containers that
/// are read as a whole, or of a folded row or column.
pub(crate) fn beside_elems(call: &Call<'_>) -> usize {
    whole_elems(call).saturating_add(along_elems(call))
}

/// The elements of containers that are read as a whole.
pub(crate) fn whole_elems(call: &Call<'_>) -> usize {
    let whole = call.operands.iter().map(|operand| match operand {
        Operand::Input(Input {
            source,
            access: Access::Whole(_),
        }) => source.len(),
        _ => 0,
    });
    whole.fold(0, usize::saturating_add)
}

/// The elements that an element is made of: those of its lines, or of the row or column that is folded to it.
pub(crate) fn along_elems(call: &Call<'_>) -> usize {
    // The elements of a line: one of each that a call sees.
    let lines = call.operands.iter().filter_map(Operand::seen_lines);
    let of_lines: usize = lines.map(Lines::len).sum();
    let folded = match call.space.along() {
        Some(along) => along.space().len() / along.values().max(1),
        None => 0,
    };
    of_lines + folded
}

/// Devices by what they are. Two of the same name are told apart by their order.
pub(crate) fn devices(reports: &[DeviceReport]) -> Vec<UnitId> {
    let accepted = reports.iter().filter(|report| report.index.is_some());
    name_all(accepted.map(|report| &report.info))
}

fn name_all<'i>(infos: impl Iterator<Item = &'i UnitInfo>) -> Vec<UnitId> {
    let mut ids: Vec<UnitId> = Vec::new();
    for info in infos {
        let api = info.api.split(' ').next().unwrap_or_default();
        let same = |id: &&UnitId| matches!(id, UnitId::Device { api: a, name, .. } if *a == api.to_lowercase() && *name == info.name);
        let k = ids.iter().filter(same).count();
        ids.push(UnitId::device(&api.to_lowercase(), &info.name, k));
    }
    ids
}

/// The name of a unit of the host.
pub(crate) fn of_host(unit: &dyn Unit) -> UnitId {
    match unit.info().kind {
        UnitKind::Sequential => UnitId::Sequential,
        _ => UnitId::Cpu,
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn twins_have_numbers() {
        let info = |name: &str, api: &str| UnitInfo {
            name: name.into(),
            kind: UnitKind::Mock,
            api: api.into(),
            driver: String::new(),
            memory_bytes: None,
            limits: Vec::new(),
        };
        let all = [
            info("a", "CUDA"),
            info("a", "wgpu (Vulkan)"),
            info("a", "CUDA"),
        ];
        let ids: Vec<String> = name_all(all.iter()).iter().map(UnitId::to_string).collect();
        assert_eq!(ids, ["cuda:a#0", "wgpu:a#0", "cuda:a#1"]);
    }
}
