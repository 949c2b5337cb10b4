//! Values of several parts: tuples, arrays, structs; and whether two of them are equal.

use super::{
    lower::{Flow, Lower, Malformed, Result, has_effect},
    text::Node,
};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, StmtKind, Ty, UnaryOp, Value};

/// Arrays of more elements are not compared: the comparison is written out.
const MAX_COMPARED: usize = 64;

impl Lower<'_> {
    /// `(tup - part …)`, `(arr - element …)`, `(rep - element count)`, `(st type (field value) …)`.
    /// `expected` is the type, if something around says it.
    pub(super) fn aggregate(
        &mut self,
        node: &Node,
        expected: Option<&Ty>,
        out: &mut Block,
    ) -> Result<Flow> {
        match node.head() {
            "tup" => self.tuple(node, expected, out),
            "arr" => self.array(node, expected, out),
            "rep" => self.repeated(node, expected, out),
            _ => self.structure(node, expected, out),
        }
    }

    fn tuple(&mut self, node: &Node, expected: Option<&Ty>, out: &mut Block) -> Result<Flow> {
        let nodes: Vec<&Node> = node.rest().iter().skip(1).collect();
        let part = |k: usize, _: Option<&Ty>| match expected {
            Some(Ty::Struct(tuple)) => tuple.fields.get(k).map(|f| f.ty.clone()),
            _ => None,
        };
        let Some(parts) = self.operands(&nodes, &part, out)? else {
            return Ok(Flow::Never);
        };
        let ty = Ty::tuple(parts.iter().map(|part| part.ty.clone()));
        Ok(Flow::Value(Expr {
            kind: ExprKind::Struct(parts),
            ty,
        }))
    }

    fn array(&mut self, node: &Node, expected: Option<&Ty>, out: &mut Block) -> Result<Flow> {
        let nodes: Vec<&Node> = node.rest().iter().skip(1).collect();
        let element =
            |_: usize, first: Option<&Ty>| element_of(expected).or_else(|| first.cloned());
        let Some(elements) = self.operands(&nodes, &element, out)? else {
            return Ok(Flow::Never);
        };
        let Some(elem) = elements.first().map(|e| e.ty.clone()) else {
            return Err(Malformed("an array of no elements".into()));
        };
        let ty = Ty::array(elem, elements.len());
        Ok(Flow::Value(Expr {
            kind: ExprKind::Array(elements),
            ty,
        }))
    }

    fn repeated(&mut self, node: &Node, expected: Option<&Ty>, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let count = match self.constant(node.part(2)?)? {
            Flow::Value(Expr {
                kind: ExprKind::Const(Value::Usize(count)),
                ..
            }) => count,
            _ => return Err(Malformed("the length of an array is no `usize`".into())),
        };
        let element = node.part(1)?;
        let element = match element_of(expected) {
            Some(ty) => self.typed(element, &ty, out)?,
            None => self.expr(element, out)?,
        };
        self.line = line;
        Ok(match element {
            Flow::Value(element) => {
                let ty = Ty::array(element.ty.clone(), count);
                Flow::Value(Expr {
                    kind: ExprKind::Repeat(Box::new(element)),
                    ty,
                })
            }
            Flow::Unit => return Err(Malformed("an array of `()`".into())),
            Flow::Never => Flow::Never,
        })
    }

    /// Fields are evaluated as they stand in the text, and the base of `..base` after them.
    fn structure(&mut self, node: &Node, expected: Option<&Ty>, out: &mut Block) -> Result<Flow> {
        let ty = match (node.part(0)?.atom(), expected) {
            ("^", Some(expected)) => expected.clone(),
            _ => self.ty(node, 0)?,
        };
        let Ty::Struct(shape) = &ty else {
            return Err(Malformed(format!("`{ty}` made of fields")));
        };
        let given: Vec<&Node> = node.rest().iter().skip(1).collect();
        let mut positions = Vec::with_capacity(given.len());
        let mut nodes = Vec::with_capacity(given.len());
        for field in &given {
            if field.head() == ".." {
                positions.push(None);
            } else {
                positions.push(Some(super::place::field_of(&ty, field.head())?.0));
            }
            nodes.push(field.part(0)?);
        }
        let types = |k: usize, _: Option<&Ty>| match positions[k] {
            Some(position) => Some(shape.fields[position].ty.clone()),
            None => Some(ty.clone()),
        };
        let Some(values) = self.operands(&nodes, &types, out)? else {
            return Ok(Flow::Never);
        };
        let mut fields: Vec<Option<Expr>> = shape.fields.iter().map(|_| None).collect();
        let mut base = None;
        for (position, value) in positions.iter().zip(values) {
            match position {
                Some(position) => fields[*position] = Some(value),
                None => base = Some(value),
            }
        }
        if let Some(value) = &mut base
            && !matches!(value.kind, ExprKind::Local(_) | ExprKind::Const(_))
        {
            // The other values come before it, and it is read more than once.
            for field in fields
                .iter_mut()
                .flatten()
                .filter(|field| has_effect(field))
            {
                self.set_aside(field, out);
            }
            self.set_aside(value, out);
        }
        let fields = fields.into_iter().enumerate().map(|(k, field)| {
            let rest = || base.clone().map(|base| nth(base, k));
            field
                .or_else(rest)
                .ok_or_else(|| Malformed(format!("`{ty}` lacks `{}`", shape.fields[k].name)))
        });
        let fields = fields.collect::<Result<Vec<Expr>>>()?;
        Ok(Flow::Value(Expr {
            kind: ExprKind::Struct(fields),
            ty: ty.clone(),
        }))
    }

    /// Puts a value into a local of its own.
    fn set_aside(&mut self, value: &mut Expr, out: &mut Block) {
        let local = self.local("tmp", value.ty.clone());
        let value = std::mem::replace(value, self.read(local));
        self.push(StmtKind::Let(local, Some(value)), out);
    }

    /// `==` or `!=` of two values of several parts: part by part.
    pub(super) fn equality(
        &mut self,
        op: BinaryOp,
        mut left: Expr,
        mut right: Expr,
        out: &mut Block,
    ) -> Result<Expr> {
        if left.ty != right.ty {
            return Err(Malformed(format!(
                "`{}` compared with `{}`",
                left.ty, right.ty
            )));
        }
        let (mut first, mut second) = (Block::new(), Block::new());
        for (value, out) in [(&mut left, &mut first), (&mut right, &mut second)] {
            if !is_way(value) {
                self.set_aside(value, out);
            }
        }
        out.append(&mut first);
        out.append(&mut second);
        let mut all = None;
        self.compare_parts(left, right, &mut all)?;
        let equal = all.unwrap_or_else(|| Expr::constant(Value::Bool(true)));
        Ok(match op {
            BinaryOp::Ne => Expr {
                kind: ExprKind::Unary(UnaryOp::Not, Box::new(equal)),
                ty: Ty::Bool,
            },
            _ => equal,
        })
    }

    fn compare_parts(&self, left: Expr, right: Expr, all: &mut Option<Expr>) -> Result<()> {
        let count = match &left.ty {
            Ty::Struct(s) => s.fields.len(),
            Ty::Array(a) if a.len <= MAX_COMPARED => a.len,
            Ty::Array(a) => {
                return Err(Malformed(format!(
                    "`==` of arrays of more than {MAX_COMPARED} elements, here {}: compare them in a loop",
                    a.len
                )));
            }
            _ => {
                let same = self.operation(BinaryOp::Eq, left, right)?;
                *all = Some(match all.take() {
                    None => same,
                    Some(before) => self.operation(BinaryOp::And, before, same)?,
                });
                return Ok(());
            }
        };
        for k in 0..count {
            self.compare_parts(nth(left.clone(), k), nth(right.clone(), k), all)?;
        }
        Ok(())
    }
}

fn element_of(array: Option<&Ty>) -> Option<Ty> {
    match array {
        Some(Ty::Array(array)) => Some(array.elem.clone()),
        _ => None,
    }
}

/// Whether it is a variable, a constant, or a part of one: cheap to write down again.
fn is_way(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Const(_) => true,
        ExprKind::Field(base, _) => is_way(base),
        _ => false,
    }
}

/// Part `k` of a struct or an array.
fn nth(whole: Expr, k: usize) -> Expr {
    let ty = match &whole.ty {
        Ty::Struct(s) => s.fields[k].ty.clone(),
        Ty::Array(a) => a.elem.clone(),
        other => other.clone(),
    };
    let kind = match whole.ty {
        Ty::Array(_) => {
            let index = Expr::constant(Value::Usize(k));
            ExprKind::Index(Box::new(whole), Box::new(index), 0)
        }
        _ => ExprKind::Field(Box::new(whole), k),
    };
    Expr { kind, ty }
}
