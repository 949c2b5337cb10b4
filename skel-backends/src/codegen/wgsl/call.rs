//! Places, and calls of functions that write to them.

use super::{Wgsl, line::Stored, types};
use crate::codegen::Cx;
use skel_core::ir::{Arg, FnId, LocalId, Mode, Place, Step, Ty};

impl Wgsl {
    /// Where a value is stored; each index that is no constant goes through `keep`.
    pub(super) fn place_by(
        &mut self,
        cx: &mut Cx<'_>,
        place: &Place,
        mut keep: impl FnMut(&mut Cx<'_>, String) -> String,
    ) -> String {
        let mut text = Self::local(cx, place.local);
        let mut ty = cx.local_ty(place.local);
        for step in &place.path {
            match (step, ty) {
                (Step::Field(position), Ty::Struct(structure)) => {
                    text = format!("{text}.{}", types::field(structure, *position));
                    ty = &structure.fields[*position].ty;
                }
                (Step::Index(index, line), Ty::Array(array)) => {
                    let index = self.index(cx, array.len, index, *line);
                    let constant = index.bytes().all(|b| b.is_ascii_digit());
                    let index = if constant { index } else { keep(cx, index) };
                    text = format!("{text}[{index}]");
                    ty = &array.elem;
                }
                _ => return cx.internal("a part of what has no parts"),
            }
        }
        text
    }

    /// A call whose `&mut` arguments are pointers to variables. A part of a variable is copied there
    /// and back, for SPIR-V has no pointers to parts; its indices are evaluated once, before the call.
    pub(super) fn call_statement(
        &mut self,
        cx: &mut Cx<'_>,
        result: Option<LocalId>,
        callee: FnId,
        args: &[Arg],
    ) -> String {
        let views = args.iter().filter_map(|arg| match arg {
            Arg::Value(e) => self.container(cx, e),
            Arg::Place(place) if place.path.is_empty() => self.views.get(&place.local).copied(),
            Arg::Place(_) => None,
        });
        let views: Vec<usize> = views.collect();
        let name = self.version(cx, callee, &views);
        // Values, too, must be evaluated in their turn if a place has indices that trap.
        let indexed = |arg: &Arg| matches!(arg, Arg::Place(p) if p.indices().next().is_some());
        let in_turn = args.iter().any(indexed);
        let (mut before, mut after) = (String::new(), String::new());
        let mut passed = Vec::new();
        for arg in args {
            match arg {
                Arg::Value(e) if matches!(e.ty, Ty::View(_)) => {}
                Arg::Value(e) => {
                    let mut text = self.expression(cx, e);
                    if in_turn {
                        let name = cx.fresh("given");
                        before.push_str(&format!("let {name} = {text};\n"));
                        text = name;
                    }
                    passed.push(text);
                }
                // Its function is a version for this very container.
                Arg::Place(place) if matches!(cx.local_ty(place.local), Ty::View(_)) => {
                    if let Some(stored) = self.element_of_line(cx, place) {
                        let name = cx.fresh("part");
                        let Stored {
                            before: ahead,
                            part,
                            after: behind,
                        } = stored;
                        before.push_str(&format!("{ahead}var {name} = {part};\n"));
                        after.push_str(&format!("{part} = {name};\n{behind}"));
                        passed.push(format!("&{name}"));
                    }
                }
                Arg::Place(place) if place.path.is_empty() => {
                    passed.push(Self::pointer(cx, place.local));
                }
                Arg::Place(place) => {
                    let text = self.place_by(cx, place, |cx, index| {
                        let name = cx.fresh("at");
                        before.push_str(&format!("let {name} = {index};\n"));
                        name
                    });
                    let name = cx.fresh("part");
                    before.push_str(&format!("var {name} = {text};\n"));
                    after.push_str(&format!("{text} = {name};\n"));
                    passed.push(format!("&{name}"));
                }
            }
        }
        let call = format!("{name}({})", passed.join(", "));
        let unit = cx.program().function(callee).ret == Ty::Unit;
        let call = match result {
            Some(local) if !unit => format!("{} = {call};\n", Self::local(cx, local)),
            None if !unit => format!("_ = {call};\n"),
            _ => format!("{call};\n"),
        };
        format!("{before}{call}{after}")
    }

    /// A pointer to a local, which may be one already.
    fn pointer(cx: &Cx<'_>, local: LocalId) -> String {
        let name = cx.local_name(local);
        if Self::is_pointer(cx, local) {
            name
        } else {
            format!("&{name}")
        }
    }

    /// Whether a local is a `&mut` parameter.
    pub(super) fn is_pointer(cx: &Cx<'_>, local: LocalId) -> bool {
        cx.function()
            .params
            .iter()
            .any(|p| p.local == local && p.mode == Mode::InOut)
    }
}
