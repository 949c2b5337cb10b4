//! Neighbourhoods: windows and pools.
//!
//! Where an element's neighbourhood lies is found once per element, and whether all of it is inside of
//! the container: then an access is a load. Only elements near an edge ask about edges.

use super::{
    Member, Wgsl,
    builder::{Binding, Builder, element},
    memory::{self, Words, is_aggregate},
};
use crate::codegen::{Cx, Number, WindowNumber};
use skel_core::{
    ir::{Expr, ExprKind, TrapKind, Ty, ViewKind, ViewTy},
    plan::Role,
    space::{EdgeKind, MAX_RANK, WindowSpecialisation},
};
use std::fmt::Write;

impl Wgsl {
    /// An element of the neighbourhood that argument `k` is. Offsets that are constants within it need
    /// no check.
    pub(super) fn neighbour(
        &mut self,
        cx: &mut Cx<'_>,
        k: usize,
        kind: ViewKind,
        indices: &[Expr],
        line: u32,
    ) -> String {
        if kind.surely_has(indices) {
            let known = indices.iter().filter_map(|index| match &index.kind {
                ExprKind::Const(value) => value.as_integer(),
                _ => None,
            });
            let texts: Vec<String> = known.map(|at| format!("{at}i")).collect();
            return format!("near{k}({})", texts.join(", "));
        }
        if let ViewKind::Sweep { .. } = kind {
            // The macro takes literals alone.
            return cx.unsupported("an offset of a sweep that is no constant within its reach");
        }
        let mut texts: Vec<String> = indices.iter().map(|i| self.expression(cx, i)).collect();
        let site = cx.site(TrapKind::OutOfReach, line);
        texts.push(format!("{site}u"));
        self.checked.insert(k);
        format!("window{k}({})", texts.join(", "))
    }
}

/// What the text says of one neighbourhood.
struct Names {
    k: usize,
    /// What is known beforehand.
    specialisation: Option<WindowSpecialisation>,
    /// Its dimensions, as `Neighbourhood` counts them.
    dimensions: std::ops::Range<usize>,
}

impl Names {
    fn number(&self, number: WindowNumber) -> String {
        if let Some(known) = number.known(self.specialisation) {
            return format!("{known}u");
        }
        format!("params.{}", Number::Window(self.k, number).name())
    }

    fn extent(&self, d: usize) -> String {
        self.number(WindowNumber::Extent(d))
    }

    /// `text` for each dimension, outermost first.
    fn each(&self, separator: &str, text: impl Fn(usize) -> String) -> String {
        let all: Vec<String> = self.dimensions.clone().map(text).collect();
        all.join(separator)
    }

    /// The distance in elements that places along each dimension make.
    fn distance(&self, signed: bool, place: impl Fn(usize) -> String) -> String {
        let cast = |text: String| if signed { format!("i32({text})") } else { text };
        let mut sum = String::new();
        for d in self.dimensions.clone() {
            sum = if sum.is_empty() {
                place(d)
            } else {
                format!("({sum} * {} + {})", cast(self.extent(d)), place(d))
            };
        }
        format!("{sum} * {}", cast(self.number(WindowNumber::Inner)))
    }
}

impl Builder<'_> {
    /// Binds the container, with the functions that find the neighbourhood in it and read from it.
    pub(super) fn bind_window(
        &mut self,
        k: usize,
        view: &ViewTy,
        specialisation: Option<WindowSpecialisation>,
    ) {
        let names = Names {
            k,
            specialisation,
            dimensions: MAX_RANK - view.kind.rank()..MAX_RANK,
        };
        let elem = self.wgsl.ty(&mut self.cx, &view.elem);
        self.bind(Binding::View(k), &format!("arg{k}"), &view.elem, true);
        self.number(Number::Base);
        for d in names.dimensions.clone() {
            for number in [
                WindowNumber::Positions(d),
                WindowNumber::Extent(d),
                WindowNumber::Stride(d),
                WindowNumber::Shift(d),
            ] {
                self.push_number(k, number, specialisation);
            }
        }
        for number in [WindowNumber::Inner, WindowNumber::Edge] {
            self.push_number(k, number, specialisation);
        }
        self.number(Member::Beginning(k));
        let pad = self.bind_pad(k, &view.elem);
        let mut text = String::new();
        find(&mut text, &names, view.kind);
        match specialisation.map(|specialisation| specialisation.edge) {
            None | Some(EdgeKind::None) => read(&mut text, &names, view, &elem, &pad),
            Some(edge) => read_once(&mut text, &names, view, &elem, &pad, edge),
        }
        if self.wgsl.checked.contains(&k) {
            check(&mut text, &names, view.kind, &elem);
        }
        self.access.push_str(&text);
    }

    /// A number that is not known beforehand.
    fn push_number(
        &mut self,
        k: usize,
        number: WindowNumber,
        specialisation: Option<WindowSpecialisation>,
    ) {
        if number.known(specialisation).is_none() {
            self.number(Number::Window(k, number));
        }
    }

    /// The value beyond edges that are padded.
    pub(super) fn bind_pad(&mut self, k: usize, ty: &Ty) -> String {
        self.params.push(Member::Pad(k), ty.clone());
        let name = format!("params.pad{k}");
        if !is_aggregate(ty) {
            return memory::loaded(ty, &name);
        }
        let load = format!("load_pad{k}");
        let text = self
            .wgsl
            .load_function(&mut self.cx, &load, ty, Words::Uniform(&name));
        self.access.push_str(&text);
        format!("{load}()")
    }

    /// Finds the neighbourhoods of the current element.
    pub(super) fn find_windows(&self) -> String {
        let arguments = self.kernel.arguments.iter().enumerate();
        let windows = arguments.filter(|(_, a)| matches!(a.role, Role::Window(_)));
        windows
            .map(|(k, _)| format!("find_window{k}({});\n", self.place()))
            .collect()
    }
}

// Writing to a string cannot fail.

/// Notes places, whether all that the neighbourhood reaches is inside, and which element offset 0 is.
fn find(out: &mut String, names: &Names, kind: ViewKind) {
    let k = names.k;
    let _ = writeln!(out, "var<private> window{k}_inside: bool;");
    let _ = writeln!(out, "var<private> window{k}_outer: u32;");
    let _ = writeln!(out, "var<private> window{k}_origin: u32;");
    for d in names.dimensions.clone() {
        let _ = writeln!(out, "var<private> window{k}_place{d}: i32;");
    }
    let inner = names.number(WindowNumber::Inner);
    let _ = writeln!(out, "\nfn find_window{k}(element: u32) {{");
    let _ = writeln!(out, "    var rest = element / {inner};");
    for d in names.dimensions.clone().rev() {
        let positions = names.number(WindowNumber::Positions(d));
        let stride = names.number(WindowNumber::Stride(d));
        let shift = names.number(WindowNumber::Shift(d));
        let alone = names
            .specialisation
            .is_some_and(|specialisation| specialisation.alone);
        let (position, rest) = if alone && d == names.dimensions.start {
            ("rest".to_owned(), "0u".to_owned())
        } else {
            // One division, of which the remainder follows.
            let _ = writeln!(out, "    let rows{d} = rest / {positions};");
            (
                format!("(rest - rows{d} * {positions})"),
                format!("rows{d}"),
            )
        };
        let _ = writeln!(
            out,
            "    window{k}_place{d} = i32({position} * {stride} + {shift});\n    rest = {rest};"
        );
    }
    let all = names.each(" * ", |d| names.extent(d));
    let _ = writeln!(
        out,
        "    window{k}_outer = rest * ({all} * {inner}) + element % {inner} - params.{};",
        Member::Beginning(k).name()
    );
    let inside = names.each(" && ", |d| {
        let reach = kind.reach(d - names.dimensions.start).unwrap_or(0..1);
        let place = format!("window{k}_place{d}");
        let (before, behind) = (-reach.start, reach.end - 1);
        format!(
            "{place} >= {before}i && {place} < i32({}) - {behind}i",
            names.extent(d)
        )
    });
    let _ = writeln!(out, "    window{k}_inside = {inside};");
    let origin = names.distance(false, |d| format!("u32(window{k}_place{d})"));
    let _ = writeln!(
        out,
        "    window{k}_origin = window{k}_outer + {origin};\n}}\n"
    );
}

/// The functions that read at offsets which the neighbourhood has.
fn read(out: &mut String, names: &Names, view: &ViewTy, elem: &str, pad: &str) {
    let k = names.k;
    let array = format!("arg{k}");
    let params = names.each(", ", |d| format!("d{d}: i32"));
    let inside = names.distance(true, |d| format!("d{d}"));
    let at = format!("window{k}_origin + bitcast<u32>({inside})");
    let direct = element(&view.elem, &array, &at);
    if names.specialisation.is_some() {
        // Without an edge, all is inside.
        let _ = writeln!(
            out,
            "fn near{k}({params}) -> {elem} {{\n    return {direct};\n}}\n"
        );
        return;
    }
    let _ = writeln!(out, "fn edge{k}({params}) -> {elem} {{");
    for d in names.dimensions.clone() {
        let (extent, edge) = (names.extent(d), names.number(WindowNumber::Edge));
        let _ = writeln!(
            out,
            "    let at{d} = skel_edge(window{k}_place{d} + d{d}, i32({extent}), {edge});"
        );
    }
    let beyond = names.each(" || ", |d| format!("at{d} < 0i"));
    let distance = names.distance(false, |d| format!("u32(at{d})"));
    let at = format!("window{k}_outer + {distance}");
    let _ = writeln!(
        out,
        "    if ({beyond}) {{\n        return {pad};\n    }}\n    return {};\n}}\n",
        element(&view.elem, &array, &at)
    );
    let _ = writeln!(
        out,
        "fn near{k}({params}) -> {elem} {{\n    if (window{k}_inside) {{\n        return {direct};\n    }}\n    return edge{k}({});\n}}\n",
        names.each(", ", |d| format!("d{d}"))
    );
}

/// The same where the edge is known, and wrapped or mirrored once at most: then it is cheaper to make it
/// for every element than to ask which ones need it.
fn read_once(
    out: &mut String,
    names: &Names,
    view: &ViewTy,
    elem: &str,
    pad: &str,
    edge: EdgeKind,
) {
    let k = names.k;
    let params = names.each(", ", |d| format!("d{d}: i32"));
    let _ = writeln!(out, "fn near{k}({params}) -> {elem} {{");
    let resolve = match edge {
        EdgeKind::Cyclic => "skel_cyclic",
        EdgeKind::Reflect => "skel_reflect",
        EdgeKind::Symmetric => "skel_symmetric",
        EdgeKind::Duplicate | EdgeKind::Pad | EdgeKind::None => "skel_duplicate",
    };
    for d in names.dimensions.clone() {
        let extent = names.extent(d);
        let _ = writeln!(
            out,
            "    let at{d} = {resolve}(window{k}_place{d} + d{d}, i32({extent}));"
        );
    }
    let distance = names.distance(false, |d| format!("u32(at{d})"));
    let at = format!("window{k}_outer + {distance}");
    let found = element(&view.elem, &format!("arg{k}"), &at);
    if edge == EdgeKind::Pad {
        let beyond = names.each(" || ", |d| format!("at{d} != window{k}_place{d} + d{d}"));
        if is_aggregate(&view.elem) {
            let _ = writeln!(out, "    if ({beyond}) {{\n        return {pad};\n    }}");
        } else {
            let _ = writeln!(out, "    return select({found}, {pad}, {beyond});\n}}\n");
            return;
        }
    }
    let _ = writeln!(out, "    return {found};\n}}\n");
}

/// The function that takes any offsets, and traps at those that the neighbourhood has not.
fn check(out: &mut String, names: &Names, kind: ViewKind, elem: &str) {
    let k = names.k;
    let signed = kind.index_ty() == Ty::Isize;
    let ty = if signed { "i32" } else { "u32" };
    let params = names.each(", ", |d| format!("d{d}: {ty}"));
    let beyond = names.each(" || ", |d| {
        let reach = kind.reach(d - names.dimensions.start).unwrap_or(0..1);
        if signed {
            format!("d{d} < {}i || d{d} >= {}i", reach.start, reach.end)
        } else {
            format!("d{d} >= {}u", reach.end)
        }
    });
    let offsets = names.each(", ", |d| {
        if signed {
            format!("d{d}")
        } else {
            format!("i32(d{d})")
        }
    });
    let _ = writeln!(
        out,
        "fn window{k}({params}, site: u32) -> {elem} {{\n    if ({beyond}) {{\n        skel_note(site);\n        return {elem}();\n    }}\n    return near{k}({offsets});\n}}\n"
    );
}
