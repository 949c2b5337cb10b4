//! Sweeps: how elements see others, and the kernel that goes through tiles.

use super::{
    Cuda, Member, MemberValue, Pointer,
    apply::Applied,
    kernel::{Builder, Source, SourceOptions},
    traps::{noted, only, untrapped},
    window::bounds,
};
use crate::codegen::Number;
use crate::{
    codegen::{cx, template},
    sweep::{SweptKernel, waits},
};
use skel_core::{
    ir::{Expr, ExprKind, Ty, ViewKind, ViewTy},
    plan::{Kernel, SweepForm},
    space::{EdgeKind, MAX_RANK},
};
use std::fmt::Write;

const SWEEP: &str = include_str!("../templates/cuda/sweep.cu");

/// The dimensions of all sweeps: the variable that has the place, the number of elements, and the dimension.
const DIMENSIONS: [(&str, &str, usize); 3] = [
    ("plane", "params.planes", 1),
    ("row", "params.rows", 2),
    ("column", "params.columns", 3),
];

/// The source of a sweep.
///
/// # Errors
/// Why no device can run it.
pub fn sweep(kernel: &Kernel, options: &SourceOptions) -> Result<Source, String> {
    let Some(swept) = SweptKernel::of(kernel) else {
        return Err(cx::malformed(kernel, "its first argument is not swept"));
    };
    let tile = swept.tile(options.lanes);
    let mut builder = Builder::new(kernel, tile.lanes());
    let traps = builder.cuda.trapping[kernel.map.0];
    builder.numbers(&Number::SWEEP);
    builder.bind_arguments();
    let Applied { load, apply, .. } = builder.apply_map();
    if traps {
        builder.bind_status(false);
    }
    let [planes, rows, columns] = tile.extents.map(|extent| extent.to_string());
    let before = waits(swept.radius)
        .into_iter()
        .zip(["tile_plane", "tile_row"])
        .filter_map(|(waits, tile)| waits.then_some(tile));
    let before: Vec<&str> = before.collect();
    let before = match before.is_empty() {
        true => "0u".to_owned(),
        false => before.join(" + "),
    };
    let [at_plane, at_row, at_column] =
        DIMENSIONS.map(|(place, extent, d)| index(place, extent, swept.form.descending[d]));
    let store = "params.arg0[at] = value;\n";
    let store = match traps {
        true => format!("if (skel_trap == 0u) {{\n    {store}}}\n"),
        false => store.to_owned(),
    };
    let sites = builder.cx.sites().len();
    let number = "(plane * params.rows + row) * params.columns + column";
    let stop = format!(
        "for (u32 site = 0u; is_next && site < {sites}u; site += 1u) {{\n    \
         is_next = ((const volatile u64 *)params.status)[site] > {number};\n}}"
    );
    let values = [
        ("stop", only(traps && swept.stops_behind_traps, &stop)),
        ("lanes", tile.lanes().to_string()),
        ("untrapped", untrapped(traps)),
        ("load", load),
        ("apply", apply),
        ("trap", noted(traps, number, 0, "")),
        ("store", store),
        ("planes", planes),
        ("rows", rows),
        ("columns", columns),
        ("turns", tile.turns().to_string()),
        ("before", before),
        ("at_plane", at_plane),
        ("at_row", at_row),
        ("at_column", at_column),
    ];
    builder.finish(&[kernel.map], &template::fill(SWEEP, &values))
}

/// The index that a place of the sweep is along a dimension.
fn index(place: &str, extent: &str, descends: bool) -> String {
    match descends {
        true => format!("({extent} - 1u - {place})"),
        false => place.to_owned(),
    }
}

impl Cuda {
    /// Constant offsets of a sweep, as the container counts; `None` of others. The macro takes no others.
    pub(super) fn along_sweep(&self, kind: ViewKind, indices: &[Expr]) -> Option<Vec<i128>> {
        let first = MAX_RANK - kind.rank();
        let along = indices
            .iter()
            .enumerate()
            .map(|(d, index)| match &index.kind {
                ExprKind::Const(value) => {
                    let at = value.as_integer()?;
                    Some(if self.turned[first + d] { -at } else { at })
                }
                _ => None,
            });
        let along: Option<Vec<i128>> = along.collect();
        along.filter(|_| kind.surely_has(indices))
    }
}

impl Builder<'_> {
    /// The container that is swept.
    pub(super) fn bind_sweep(&mut self, k: usize, view: &ViewTy, form: SweepForm) {
        self.pointer(Pointer::Argument(k), &view.elem, true);
        if form.edge == EdgeKind::Pad {
            let value = MemberValue::Value(view.elem.clone());
            self.params.push(Member::Pad(k), value);
        }
    }

    /// The statements that make what the current element of argument `k` sees.
    pub(super) fn find_seen(&mut self, k: usize, ty: &Ty, form: SweepForm, out: &mut String) {
        let Ty::View(view) = ty else { return };
        let name = self.cuda.ty(ty);
        let own = &DIMENSIONS[MAX_RANK - 1 - view.kind.rank()..];
        // Writing to a string cannot fail.
        // Offsets have been turned: see `Cuda::along_sweep`.
        let _ = writeln!(out, "{name} sweep{k};");
        let _ = writeln!(out, "sweep{k}.data = params.arg{k};");
        for (d, (place, extent, dimension)) in own.iter().enumerate() {
            let place = index(place, extent, form.descending[*dimension]);
            let _ = writeln!(out, "sweep{k}.place[{d}] = (i64){place};");
            let _ = writeln!(out, "sweep{k}.extent[{d}] = (i64){extent};");
        }
        let _ = writeln!(out, "sweep{k}.edge = {}u;", form.edge as u32);
        let (first, last) = bounds(view.kind);
        let _ = writeln!(out, "skel_center(sweep{k}, 1u, {first}, {last});");
        if form.edge == EdgeKind::Pad {
            let _ = writeln!(out, "sweep{k}.pad = params.pad{k};");
        }
    }
}
