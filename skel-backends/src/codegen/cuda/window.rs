//! Neighbourhoods: windows and pools.
//!
//! A neighbourhood is a struct, made once per element: it knows whether all that it reaches is inside of
//! the container. Then an access is a load; only elements near an edge ask about edges.

use super::{Cuda, Member, MemberValue, Pointer, kernel::Builder};
use crate::codegen::{Cx, Number, WindowNumber};
use skel_core::{
    ir::{Expr, TrapKind, Ty, ViewKind, ViewTy},
    space::{MAX_RANK, WindowSpecialisation},
};
use std::fmt::Write;

impl Cuda {
    /// An element of the neighbourhood `view`. Offsets that are constants within it need no check.
    pub(super) fn neighbour(
        &mut self,
        cx: &mut Cx<'_>,
        kind: ViewKind,
        view: &str,
        texts: &[String],
        indices: &[Expr],
        line: u32,
    ) -> String {
        let at = match kind.index_ty() {
            Ty::Isize => offsets(kind, texts.iter().cloned()),
            _ => offsets(kind, texts.iter().map(|at| format!("(i64){at}"))),
        };
        if let ViewKind::Sweep { .. } = kind {
            let Some(along) = self.along_sweep(kind, indices) else {
                return cx.unsupported("an offset of a sweep that is no constant within its reach");
            };
            let at = offsets(kind, along.into_iter().map(|at| at.to_string()));
            return format!("skel_near({view}, {at})");
        }
        if kind.surely_has(indices) {
            return format!("skel_near({view}, {at})");
        }
        let site = cx.site(TrapKind::OutOfReach, line);
        let (first, last) = bounds(kind);
        format!("skel_window_at({view}, {at}, {first}, {last}, {site}u, skel_trap)")
    }
}

impl Builder<'_> {
    /// The container, and the numbers that say where neighbourhoods lie in it.
    pub(super) fn bind_window(
        &mut self,
        k: usize,
        view: &ViewTy,
        specialisation: Option<WindowSpecialisation>,
    ) {
        self.pointer(Pointer::Argument(k), &view.elem, false);
        for number in numbers(view.kind) {
            if number.known(specialisation).is_none() {
                self.number(Number::Window(k, number));
            }
        }
        self.params
            .push(Member::Pad(k), MemberValue::Value(view.elem.clone()));
    }

    /// The statements that make the neighbourhood of element `at` of argument `k`.
    pub(super) fn find_window(
        &mut self,
        k: usize,
        ty: &Ty,
        kind: ViewKind,
        specialisation: Option<WindowSpecialisation>,
        out: &mut String,
    ) {
        let (declared, places) = self.window(k, ty, kind, specialisation);
        let (first, last) = bounds(kind);
        let at = self.place();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{declared}");
        let _ = writeln!(
            out,
            "skel_find_window(window{k}, {at}, {places}, {first}, {last});"
        );
    }

    /// The statements that declare the neighbourhood of argument `k`, and the places of all of them.
    pub(super) fn window(
        &mut self,
        k: usize,
        ty: &Ty,
        kind: ViewKind,
        specialisation: Option<WindowSpecialisation>,
    ) -> (String, String) {
        let name = self.cuda.ty(ty);
        let rank = kind.rank();
        let number = |number: WindowNumber| match number.known(specialisation) {
            Some(known) => format!("{known}u"),
            None => format!("params.{}", Number::Window(k, number).name()),
        };
        let all: Vec<String> = numbers(kind).map(number).collect();
        let (along, rest) = all.split_at(4 * rank);
        let along: Vec<String> = along
            .chunks(rank)
            .map(|numbers| format!("{{{}}}", numbers.join(", ")))
            .collect();
        let declared = format!(
            "{name} window{k};\nwindow{k}.data = params.arg{k};\nwindow{k}.pad = params.pad{k};"
        );
        let places = format!(
            "skel_places<{rank}>{{{}, {}}}",
            along.join(", "),
            rest.join(", ")
        );
        (declared, places)
    }
}

/// All numbers of a neighbourhood, as `skel_places` lists them.
fn numbers(kind: ViewKind) -> impl Iterator<Item = WindowNumber> {
    let dimensions = MAX_RANK - kind.rank()..MAX_RANK;
    let along = [
        WindowNumber::Positions,
        WindowNumber::Extent,
        WindowNumber::Stride,
        WindowNumber::Shift,
    ];
    along
        .into_iter()
        .flat_map(move |number| dimensions.clone().map(number))
        .chain([WindowNumber::Inner, WindowNumber::Edge])
}

/// The first and the last offset along each dimension.
pub(super) fn bounds(kind: ViewKind) -> (String, String) {
    let reach: Vec<_> = (0..kind.rank()).filter_map(|d| kind.reach(d)).collect();
    (
        offsets(kind, reach.iter().map(|r| r.start.to_string())),
        offsets(kind, reach.iter().map(|r| (r.end - 1).to_string())),
    )
}

fn offsets(kind: ViewKind, all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    format!("skel_offsets<{}>{{{{{}}}}}", kind.rank(), all.join(", "))
}
