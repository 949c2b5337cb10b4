//! Lines of containers: how their elements are read, and stored.
//!
//! A line is a place of its container: where its first element lies, a variable of the thread, from which its elements
//! lie `stride` apart. What is stored in a part of an element is stored with all of the element, for words of structs
//! and arrays are no variables.

use super::{
    Binding, Member, Wgsl,
    apply::store_at,
    builder::{Builder, element},
    types,
};
use crate::codegen::{Cx, Number};
use skel_core::ir::{Place, Step, TrapKind, Ty, ViewKind, ViewTy};
use std::fmt::Write;

impl Builder<'_> {
    /// Binds a container that is seen line by line, with the functions that read and store an element.
    pub(super) fn bind_line(&mut self, k: usize, view: &ViewTy, written: bool) {
        let elem = self.wgsl.ty(&mut self.cx, &view.elem);
        let name = format!("arg{k}");
        self.bind(Binding::Line(k, written), &name, &view.elem, true);
        self.number(Member::Offset(k));
        self.numbers(&[Number::Base, Number::Extent(k, 0), Number::Pitch(k, 0)]);
        let at = format!("line{k} + i * params.pitch{k}_0");
        let value = element(&view.elem, &name, &at);
        let beyond = format!("if (i >= params.extent{k}_0) {{\n        skel_note(site);");
        // Writing to a string cannot fail.
        let _ = write!(
            self.access,
            "// Where the first element of the thread's line lies.\nvar<private> line{k}: u32 = 0u;\n\nfn view{k}(i: u32, site: u32) -> {elem} {{\n    {beyond}\n        return {elem}();\n    }}\n    return {value};\n}}\n\n"
        );
        if written {
            let store = store_at(&name, &view.elem, &at, "value");
            let _ = write!(
                self.access,
                "fn put{k}(i: u32, value: {elem}, site: u32) {{\n    {beyond}\n        return;\n    }}\n    {store}\n}}\n\n"
            );
        }
    }

    /// Finds the line of the current element.
    pub(super) fn find_line(&self, k: usize) -> String {
        let (at, stride) = (self.place(), format!("params.pitch{k}_0"));
        format!(
            "line{k} = params.offset{k} + {at} / {stride} * (params.extent{k}_0 * {stride}) + {at} % {stride};\n"
        )
    }
}

/// An element of a line, or a part of one, that is stored: what is done ahead, the variable that holds it, and what is
/// done behind.
pub(super) struct Stored {
    pub(super) before: String,
    pub(super) part: String,
    pub(super) after: String,
}

impl Wgsl {
    /// Which argument the line is, and its elements, that a place begins in.
    fn line_of(&self, cx: &Cx<'_>, place: &Place) -> Option<(usize, Ty)> {
        match cx.local_ty(place.local) {
            Ty::View(view) if view.kind == ViewKind::Line => {
                Some((*self.views.get(&place.local)?, view.elem.clone()))
            }
            _ => None,
        }
    }

    /// The lines that store a value in an element of a line, or in a part of one; nothing of other places.
    pub(super) fn store_in_line(
        &mut self,
        cx: &mut Cx<'_>,
        place: &Place,
        value: &str,
    ) -> Option<String> {
        let (k, _) = self.line_of(cx, place)?;
        if let [Step::Index(index, line)] = place.path.as_slice() {
            let index = self.expression(cx, index);
            let site = cx.site(TrapKind::OutOfRange, *line);
            return Some(format!("put{k}({index}, {value}, {site}u);"));
        }
        let Stored {
            before,
            part,
            after,
        } = self.element_of_line(cx, place)?;
        Some(format!("{before}{part} = {value};\n{after}"))
    }

    /// An element of a line as a variable, for a part of it to be stored; nothing of other places.
    pub(super) fn element_of_line(&mut self, cx: &mut Cx<'_>, place: &Place) -> Option<Stored> {
        let (k, elem) = self.line_of(cx, place)?;
        let Some((Step::Index(index, line), rest)) = place.path.split_first() else {
            return None;
        };
        let index = self.expression(cx, index);
        let site = cx.site(TrapKind::OutOfRange, *line);
        let (at, name) = (cx.fresh("at"), cx.fresh("element"));
        let before = format!("let {at} = {index};\nvar {name} = view{k}({at}, {site}u);\n");
        let after = format!("put{k}({at}, {name}, {site}u);\n");
        let (mut part, mut ty) = (name, &elem);
        for step in rest {
            match (step, ty) {
                (Step::Field(position), Ty::Struct(structure)) => {
                    part = format!("{part}.{}", types::field(structure, *position));
                    ty = &structure.fields[*position].ty;
                }
                (Step::Index(index, line), Ty::Array(array)) => {
                    let index = self.index(cx, array.len, index, *line);
                    part = format!("{part}[{index}]");
                    ty = &array.elem;
                }
                _ => part = cx.internal("a part of what has no parts"),
            }
        }
        Some(Stored {
            before,
            part,
            after,
        })
    }
}
