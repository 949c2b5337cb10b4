//! Structs, tuples, arrays, enums: their types, their values, their parts.

use super::{Generator, methods::INTEGERS};
use crate::fuzz::{
    tree::{Node, Part, Sort, node},
    types::{EnumTy, Scalar, Step, StructTy, Ty},
};
use std::rc::Rc;

impl Generator {
    /// Adds types with parts to the pool, and their declarations to the items.
    pub(super) fn composites(&mut self) {
        for _ in 0..self.dice.weighted(&[(4, 0), (4, 1), (3, 2)]) {
            let ty = match self.dice.below(6) {
                0 | 1 => self.structure(),
                2 => self.enumeration(),
                3 => self.tuple(),
                _ => self.array(),
            };
            self.pool.extend(ty);
        }
    }

    /// A type that an element may have inside of it.
    fn part_ty(&mut self) -> Ty {
        let parts: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| ty.layout().is_some())
            .cloned()
            .collect();
        self.dice.pick(&parts).clone()
    }

    fn structure(&mut self) -> Option<Ty> {
        let name = format!("{}_{}", self.fresh("S"), self.number);
        let is_tuple = self.dice.percent(30);
        // What has padding is no element: a few tries, then one of equal parts.
        let mut fields = Vec::new();
        for attempt in 0..12 {
            let count = self.dice.range(1, 4);
            let one = self.part_ty();
            fields = (0..count)
                .map(|k| {
                    let ty = if attempt > 8 {
                        one.clone()
                    } else {
                        self.part_ty()
                    };
                    (
                        if is_tuple {
                            k.to_string()
                        } else {
                            format!("p{k}")
                        },
                        ty,
                    )
                })
                .collect();
            fields.sort_by_key(|(_, ty)| std::cmp::Reverse(ty.layout().map(|(_, align)| align)));
            if is_tuple {
                for (k, (name, _)) in fields.iter_mut().enumerate() {
                    *name = k.to_string();
                }
            }
            let tried = StructTy {
                name: name.clone(),
                fields: fields.clone(),
                is_tuple,
                eq: false,
            };
            if Ty::Struct(Rc::new(tried)).layout().is_some() {
                break;
            }
        }
        let eq = self.dice.percent(50) && fields.iter().all(|(_, ty)| comparable(ty));
        let ty = Ty::Struct(Rc::new(StructTy {
            name: name.clone(),
            fields: fields.clone(),
            is_tuple,
            eq,
        }));
        ty.layout()?;
        let list: String = fields
            .iter()
            .map(|(name, ty)| match is_tuple {
                true => format!("pub {ty}, "),
                false => format!("pub {name}: {ty}, "),
            })
            .collect();
        let (derived, attribute) = match eq {
            true => (", PartialEq", "#[element(eq)]\n"),
            false => ("", ""),
        };
        let body = match is_tuple {
            true => format!("({list});"),
            false => format!(" {{ {list} }}"),
        };
        let text = format!(
            "#[derive(Clone, Copy, Debug{derived}, Element)]\n{attribute}#[repr(C)]\npub struct {name}{body}\nskel_fuzz::to_value!({name});"
        );
        let construct = if is_tuple { "tuple struct" } else { "struct" };
        self.items.push(node!(Sort::Stmt, construct, &text));
        Some(ty)
    }

    fn enumeration(&mut self) -> Option<Ty> {
        let name = format!("{}_{}", self.fresh("E"), self.number);
        let repr = *self.dice.pick(&INTEGERS);
        let mut variants = Vec::new();
        let (mut list, mut next) = (String::new(), 0);
        for (k, value) in self.discriminants(repr).into_iter().enumerate() {
            let variant = format!("V{k}");
            match value == next {
                true => list.push_str(&format!("{variant}, ")),
                false => list.push_str(&format!("{variant} = {value}, ")),
            }
            next = value + 1;
            variants.push(variant);
        }
        let text = format!(
            "#[derive(Clone, Copy, Debug, PartialEq, Eq, Element)]\n#[repr({})]\npub enum {name} {{ {list} }}\nskel_fuzz::to_value!({name});",
            repr.name()
        );
        self.items.push(node!(Sort::Stmt, "enum", &text));
        Some(Ty::Enum(Rc::new(EnumTy {
            name,
            repr,
            variants,
        })))
    }

    /// Values of variants, among them 0: in order, as a rule, or anywhere between the integer's ends.
    fn discriminants(&mut self, repr: Scalar) -> Vec<i128> {
        // Devices have sizes of 32 bits.
        let bits = match repr {
            Scalar::Usize | Scalar::Isize => 31,
            other => other.bits().unwrap_or(8),
        };
        let (low, high) = match repr.is_signed() {
            true => (-(1_i128 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        };
        let (count, anywhere) = (self.dice.range(2, 5), self.dice.percent(40));
        let mut all = vec![0];
        while all.len() < count {
            let last = all[all.len() - 1];
            let value = match (anywhere, self.dice.below(3)) {
                (true, 0) => *self.dice.pick(&[low, high]),
                (true, _) => low + i128::from(self.dice.bits()) % (high - low + 1),
                (false, 0) => last + self.dice.range(2, 20) as i128,
                (false, _) => last + 1,
            };
            if !all.contains(&value) {
                all.push(value);
            }
        }
        if anywhere {
            let zero = self.dice.below(count);
            all.swap(0, zero);
        }
        all
    }

    fn tuple(&mut self) -> Option<Ty> {
        let count = self.dice.range(2, 3);
        Some(Ty::Tuple((0..count).map(|_| self.any_ty()).collect()))
    }

    fn array(&mut self) -> Option<Ty> {
        let elem = self.part_ty();
        let len = self.dice.range(1, 5);
        Some(Ty::Array(Rc::new(elem), len))
    }

    /// A value of a type with parts, from its parts.
    pub(super) fn built(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let sort = Sort::Expr(ty.clone());
        Some(match ty {
            Ty::Struct(s) => return Some(self.struct_literal(ty, s, depth)),
            Ty::Tuple(parts) => {
                let values: Vec<Part> = parts
                    .iter()
                    .map(|ty| self.expr(ty, depth - 1, false).into())
                    .collect();
                let template = format!("({})", "$, ".repeat(values.len()));
                Node::new(sort, "tuple", &template, values)
            }
            Ty::Array(elem, len) if self.dice.percent(30) => {
                let value = self.expr(elem, depth - 1, false);
                node!(sort, "array of one value", &format!("[$; {len}]"), value)
            }
            Ty::Array(elem, len) => {
                let values: Vec<Part> = (0..*len)
                    .map(|k| self.expr(elem, depth - 1, k > 0).into())
                    .collect();
                let template = format!("[{}]", vec!["$"; *len].join(", "));
                Node::new(sort, "array", &template, values)
            }
            Ty::Enum(e) => {
                let variant = self.dice.pick(&e.variants);
                node!(sort, "variant", &format!("{}::{variant}", e.name))
            }
            Ty::Unit | Ty::Scalar(_) | Ty::Generic(_) | Ty::View(_) | Ty::Line(..) => return None,
        })
    }

    fn struct_literal(&mut self, ty: &Ty, s: &StructTy, depth: usize) -> Node {
        let sort = Sort::Expr(ty.clone());
        if s.is_tuple && self.dice.percent(80) {
            let values: Vec<Part> = s
                .fields
                .iter()
                .map(|(_, ty)| self.expr(ty, depth - 1, true).into())
                .collect();
            let template = format!("{}({})", s.name, vec!["$"; values.len()].join(", "));
            return Node::new(sort, "tuple struct literal", &template, values);
        }
        let update = self.dice.percent(30);
        let mut order: Vec<usize> = (0..s.fields.len()).collect();
        // Evaluation follows the text, not the declaration.
        for k in (1..order.len()).rev() {
            order.swap(k, self.dice.below(k + 1));
        }
        if update {
            order.truncate(self.dice.range(1, order.len()));
        }
        let mut values: Vec<Part> = Vec::new();
        let mut list = String::new();
        for k in order {
            let (name, ty) = &s.fields[k];
            values.push(self.expr(ty, depth - 1, true).into());
            list.push_str(&format!("{name}: $, "));
        }
        if update {
            let base = self.expr(ty, depth - 1, false);
            values.push(base.into());
            list.push_str("..$ ");
        }
        let construct = if update {
            "struct update"
        } else {
            "struct literal"
        };
        let template = format!("({} {{ {list} }})", s.name);
        Node::new(sort, construct, &template, values)
    }

    /// A part of a variable or of any value with parts.
    pub(super) fn part(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let is = |found: &Ty| found == ty;
        let mut found: Vec<(String, Ty, Vec<Step>)> = Vec::new();
        for var in self.body.visible() {
            for (way, _) in var.ty.ways_to(&is) {
                if !way.is_empty() {
                    found.push((var.place.clone(), var.ty.clone(), way));
                }
            }
        }
        for (name, of) in &self.constants {
            for (way, _) in of.ways_to(&is) {
                if !way.is_empty() {
                    found.push((name.clone(), of.clone(), way));
                }
            }
        }
        if found.is_empty() || self.dice.percent(20) {
            return self.part_of_value(ty, depth);
        }
        let (place, _, way) = self.dice.pick(&found).clone();
        let (template, holes, construct) = self.steps(&place, &way, depth);
        Some(Node::new(
            Sort::Expr(ty.clone()),
            construct,
            &template,
            holes,
        ))
    }

    /// A part of what another expression gives.
    fn part_of_value(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let is = |found: &Ty| found == ty;
        let mut found = Vec::new();
        for whole in &self.pool {
            for (way, _) in whole.ways_to(&is) {
                if !way.is_empty() {
                    found.push((whole.clone(), way));
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        let (whole, way) = self.dice.pick(&found).clone();
        let value = self.expr(&whole, depth - 1, false);
        let (template, mut holes, construct) = self.steps("($)", &way, depth);
        holes.insert(0, value.into());
        Some(Node::new(
            Sort::Expr(ty.clone()),
            construct,
            &template,
            holes,
        ))
    }

    /// The text of a way to a part, with a hole for each index.
    pub(super) fn steps(
        &mut self,
        place: &str,
        way: &[Step],
        depth: usize,
    ) -> (String, Vec<Part>, &'static str) {
        let mut template = match place.starts_with('*') && !way.is_empty() {
            true => format!("({place})"),
            false => place.to_owned(),
        };
        let (mut holes, mut construct) = (Vec::new(), "field");
        for step in way {
            match step {
                Step::Field(name) => template.push_str(&format!(".{name}")),
                Step::Element(len) => {
                    construct = "index";
                    template.push_str("[$]");
                    // Of a line, the element is held while this index is computed.
                    let index = match way.contains(&Step::OfLine) {
                        true => self.without(place, |g| g.index_below(*len, depth)),
                        false => self.index_below(*len, depth),
                    };
                    holes.push(index.into());
                }
                Step::OfLine => {
                    construct = "element of a line";
                    template.push_str("[$]");
                    holes.push(self.index_of_line(place, depth).into());
                }
            }
        }
        (template, holes, construct)
    }

    /// An index that an array of `len` elements most often has.
    pub(super) fn index_below(&mut self, len: usize, depth: usize) -> Node {
        let sort = Sort::Expr(Scalar::Usize.into());
        let usize_ty = Ty::from(Scalar::Usize);
        match self.dice.below(20) {
            0 if depth > 1 => self.expr(&usize_ty, depth.min(3) - 1, true),
            1..8 => {
                let k = self.dice.below(len).to_string();
                node!(sort, "open literal", &k)
            }
            8..12 if depth > 1 => {
                let index = self.expr(&usize_ty, depth.min(3) - 1, false);
                node!(sort, "%", &format!("($ % {len})"), index)
            }
            _ => {
                let from: Ty = self.any_integer().into();
                let index = self.expr(&from, depth.min(2) - 1, false);
                node!(
                    sort,
                    "cast",
                    &format!("(($ as u8) as usize % {len})"),
                    index
                )
            }
        }
    }

    /// A constant or static table.
    pub(super) fn table(&mut self) {
        let ty = match self.dice.percent(60) {
            true => {
                let elem = self.any_number();
                Ty::Array(Rc::new(elem), self.dice.range(2, 6))
            }
            false => self.any_ty(),
        };
        if matches!(ty, Ty::Scalar(_) | Ty::Tuple(_) | Ty::Generic(_)) {
            return;
        }
        let name = self.fresh("TABLE");
        let Some(value) = self.constant_value(&ty) else {
            return;
        };
        let keyword = match ty {
            Ty::Array(..) if self.dice.percent(40) => "static",
            _ => "const",
        };
        let template = format!("{keyword} {name}: {ty} = $;");
        let construct = if keyword == "static" {
            "static table"
        } else {
            "const table"
        };
        self.items
            .push(node!(Sort::Stmt, construct, &template, value));
        self.constants.push((name, ty));
    }

    /// A value that a constant may have.
    fn constant_value(&mut self, ty: &Ty) -> Option<Node> {
        let sort = Sort::Expr(ty.clone());
        Some(match ty {
            Ty::Scalar(scalar) => self.literal(*scalar, false),
            Ty::Enum(_) => self.built(ty, 1)?,
            Ty::Array(elem, len) => {
                let values: Option<Vec<Part>> = (0..*len)
                    .map(|_| self.constant_value(elem).map(Part::from))
                    .collect();
                Node::new(sort, "array", &format!("[{}]", "$, ".repeat(*len)), values?)
            }
            Ty::Struct(s) => {
                let values: Option<Vec<Part>> = s
                    .fields
                    .iter()
                    .map(|(_, ty)| self.constant_value(ty).map(Part::from))
                    .collect();
                let list: String = s.fields.iter().map(|(n, _)| format!("{n}: $, ")).collect();
                Node::new(
                    sort,
                    "struct literal",
                    &format!("{} {{ {list} }}", s.name),
                    values?,
                )
            }
            Ty::Unit | Ty::Generic(_) | Ty::Tuple(_) | Ty::View(_) | Ty::Line(..) => return None,
        })
    }
}

/// Whether `==` works on values of the type.
pub(super) fn comparable(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) | Ty::Enum(_) => true,
        Ty::Struct(s) => s.eq,
        Ty::Array(elem, _) => comparable(elem),
        Ty::Tuple(parts) => parts.iter().all(comparable),
        Ty::Unit | Ty::Generic(_) | Ty::View(_) | Ty::Line(..) => false,
    }
}
