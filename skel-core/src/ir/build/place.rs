//! Variables: reading, declaring, assigning.

use super::{
    lower::{Dest, Flow, Lower, Malformed, Result, Variable},
    text::Node,
};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, Place, Step, StmtKind, Ty, ViewKind, traps::may_panic,
};

impl Lower<'_> {
    pub(super) fn find(&self, number: usize) -> Result<Variable> {
        let found = self.variables.get(&number);
        found
            .copied()
            .ok_or_else(|| Malformed(format!("variable {number} is used but not declared")))
    }

    /// `(v 3)`: the variable with this number.
    pub(super) fn variable(&mut self, node: &Node) -> Result<Flow> {
        Ok(match self.find(node.number(0)?)? {
            Variable::Local(local) => Flow::Value(self.read(local)),
            Variable::Unit => Flow::Unit,
        })
    }

    /// `(let 3 name type init)`, where `-` is a type that the value has, or no value.
    pub(super) fn declare(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let number = node.number(0)?;
        let name = node.part(1)?.atom();
        let init = node.part(3)?;
        let ty = if node.part(2)?.atom() == "-" {
            None
        } else {
            Some(self.ty(node, 2)?)
        };
        let variable = match (init.atom(), ty) {
            ("-", None) => return Err(Malformed(format!("`{name}` has neither type nor value"))),
            ("-", Some(Ty::Unit)) => Variable::Unit,
            ("-", Some(ty)) => {
                let local = self.local(name, ty);
                self.push(StmtKind::Let(local, None), out);
                Variable::Local(local)
            }
            (_, ty) => match self.initialise(name, ty, init, out)? {
                Some(variable) => variable,
                None => return Ok(false),
            },
        };
        self.variables.insert(number, variable);
        Ok(true)
    }

    fn initialise(
        &mut self,
        name: &'static str,
        ty: Option<Ty>,
        init: &Node,
        out: &mut Block,
    ) -> Result<Option<Variable>> {
        let line = self.line;
        let flow = match (init.head(), ty) {
            ("if" | "loop" | "match" | "block", _) => {
                // The branches store into the variable itself.
                return Ok(match self.local_from(init, name, out)? {
                    Flow::Value(Expr {
                        kind: ExprKind::Local(local),
                        ..
                    }) => Some(Variable::Local(local)),
                    Flow::Value(_) | Flow::Unit => Some(Variable::Unit),
                    Flow::Never => None,
                });
            }
            ("bl", ty) => {
                let (falls, tail) = self.statements(init, out)?;
                match tail {
                    _ if !falls => return Ok(None),
                    Some(tail) => return self.initialise(name, ty, tail, out),
                    None => Flow::Unit,
                }
            }
            (_, Some(ty)) => self.typed(init, &ty, out)?,
            (_, None) => self.expr(init, out)?,
        };
        Ok(match flow {
            Flow::Value(value) => {
                let local = self.local(name, value.ty.clone());
                self.line = line;
                self.push(StmtKind::Let(local, Some(value)), out);
                Some(Variable::Local(local))
            }
            Flow::Unit => Some(Variable::Unit),
            Flow::Never => None,
        })
    }

    /// `(= place value)`.
    pub(super) fn assign(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let value = node.part(1)?;
        let to = node.part(0)?;
        let Some(ty) = self.place_ty(to)? else {
            return self.send(value, Dest::Discard, out);
        };
        if to.head() == "v"
            && matches!(value.head(), "if" | "loop" | "match" | "block" | "bl")
            && let Variable::Local(local) = self.find(to.number(0)?)?
        {
            return self.send(value, Dest::Local(local), out);
        }
        let line = self.line;
        let flow = self.typed(value, &ty, out)?;
        let Flow::Value(value) = flow else {
            return self.store(None, flow, out);
        };
        self.line = line;
        let Some((place, value)) = self.place_after(to, value, out)? else {
            return Ok(false);
        };
        self.line = line;
        self.store(Some(place), Flow::Value(value), out)
    }

    /// `(op + imp place value)`: the value is evaluated before the place is read.
    pub(super) fn compound_assign(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let op = node.part(0)?.atom();
        let op =
            BinaryOp::from_symbol(op).ok_or_else(|| Malformed(format!("no operator `{op}`")))?;
        let to = node.part(2)?;
        if let Some(id) = self.own(node.part(1)?)? {
            let flow = self.call_of(id, &[to, node.part(3)?], out)?;
            return Ok(!matches!(flow, Flow::Never));
        }
        let Some(ty) = self.place_ty(to)? else {
            return Err(Malformed("compound assignment to `()`".into()));
        };
        let line = self.line;
        let value = match self.typed(node.part(3)?, &ty, out)? {
            Flow::Value(value) => value,
            Flow::Unit => return Err(Malformed("compound assignment of `()`".into())),
            Flow::Never => return Ok(false),
        };
        self.line = line;
        let Some((mut place, mut value)) = self.place_after(to, value, out)? else {
            return Ok(false);
        };
        self.line = line;
        // What traps in the value traps before the place does, whose old value is the left operand.
        if place.indices().next().is_some() && may_panic(&value) {
            value = self.computed_first(value, out);
        }
        self.settle(&mut place, true, out);
        let old = self.read_place(&place)?;
        let new = self.operation(op, old, value)?;
        self.store(Some(place), Flow::Value(new), out)
    }

    /// Stores a value where the text says.
    pub(super) fn store_to(&mut self, to: &Node, value: Expr, out: &mut Block) -> Result<bool> {
        if self.place_ty(to)?.is_none() {
            return Ok(true);
        }
        let Some((place, value)) = self.place_after(to, value, out)? else {
            return Ok(false);
        };
        self.store(Some(place), Flow::Value(value), out)
    }

    /// A place, and a value that was evaluated before it.
    fn place_after(
        &mut self,
        to: &Node,
        value: Expr,
        out: &mut Block,
    ) -> Result<Option<(Place, Expr)>> {
        let mut effects = Block::new();
        let place = self.place(to, &mut effects)?;
        let value = self.undisturbed(value, effects, out);
        Ok(place.map(|(place, _)| (place, value)))
    }

    fn store(&mut self, place: Option<Place>, flow: Flow, out: &mut Block) -> Result<bool> {
        match (flow, place) {
            (Flow::Value(value), Some(place)) => {
                self.push(StmtKind::Assign(place, value), out);
                Ok(true)
            }
            (Flow::Never, _) => Ok(false),
            _ => Err(Malformed("`()` stored where a value belongs".into())),
        }
    }
}

/// The part of a value that one step leads to.
pub(super) fn part(value: Expr, step: &Step) -> Result<Expr> {
    let (ty, kind) = match (step, &value.ty) {
        (Step::Field(field), ty) => {
            let ty = fields(ty)?[*field].ty.clone();
            (ty, ExprKind::Field(Box::new(value), *field))
        }
        (Step::Index(index, line), Ty::Array(array)) => {
            let ty = array.elem.clone();
            let index = Box::new(index.clone());
            (ty, ExprKind::Index(Box::new(value), index, *line))
        }
        (Step::Index(index, line), Ty::View(view)) if view.kind == ViewKind::Line => {
            let ty = view.elem.clone();
            let indices = vec![index.clone()];
            (ty, ExprKind::At(Box::new(value), indices, *line))
        }
        (Step::Index(..), other) => return Err(Malformed(format!("`{other}` is indexed"))),
    };
    Ok(Expr { kind, ty })
}

fn fields(ty: &Ty) -> Result<&[crate::ir::FieldTy]> {
    match ty {
        Ty::Struct(s) => Ok(&s.fields),
        other => Err(Malformed(format!("`{other}` has no fields"))),
    }
}

pub(super) fn field_of(ty: &Ty, name: &str) -> Result<(usize, Ty)> {
    let all = fields(ty)?;
    let position = all.iter().position(|f| f.name == name);
    let position = position.ok_or_else(|| Malformed(format!("`{ty}` has no field `{name}`")))?;
    Ok((position, all[position].ty.clone()))
}
