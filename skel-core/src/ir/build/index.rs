//! Parts of values: fields, elements of arrays and views, lengths; and places, which are ways to such
//! parts.

use super::{
    lower::{Flow, Lower, Malformed, Result, Variable, has_effect},
    place::{field_of, part},
    text::Node,
};
use crate::ir::{Block, Expr, ExprKind, Place, Step, StmtKind, Ty, Value, ViewKind};

/// One step of a way: a field's name, or an index, and the line it stands in.
enum PathStep<'n> {
    Field(&'static str),
    Index(&'n Node, u32),
}

/// Where the way begins, and its steps from there.
fn way(node: &Node) -> Result<(&Node, Vec<PathStep<'_>>)> {
    let (mut root, mut steps) = (node, Vec::new());
    loop {
        match root.head() {
            "f" => {
                steps.push(PathStep::Field(root.part(0)?.atom()));
                root = root.part(1)?;
            }
            "ix" => {
                steps.push(PathStep::Index(root.part(1)?, root.line));
                root = root.part(0)?;
            }
            _ => {
                steps.reverse();
                return Ok((root, steps));
            }
        }
    }
}

impl Lower<'_> {
    /// `(f name value)`: a field. `(ix value index)`: an element; several indices are a tuple.
    pub(super) fn reach(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let (root, steps) = way(node)?;
        let Some(mut value) = self.value(root, out)? else {
            return Ok(Flow::Never);
        };
        for step in steps {
            match step {
                PathStep::Field(name) => value = field(value, name)?,
                PathStep::Index(index, line) => {
                    let mut effects = Block::new();
                    let Some(indices) = self.indices(index, &value.ty, &mut effects)? else {
                        if has_effect(&value) {
                            self.push(StmtKind::Eval(value), out);
                        }
                        out.append(&mut effects);
                        return Ok(Flow::Never);
                    };
                    let is_place = root.head() == "v";
                    if !effects.is_empty() && (has_effect(&value) || !is_place) {
                        // It would have trapped before them; and what is no place is a copy.
                        let local = self.local("tmp", value.ty.clone());
                        let kept = std::mem::replace(&mut value, self.read(local));
                        self.push(StmtKind::Let(local, Some(kept)), out);
                    }
                    out.append(&mut effects);
                    value = element(value, indices, line)?;
                }
            }
        }
        Ok(Flow::Value(value))
    }

    /// An expression that has a value; nothing if control does not come back.
    fn value(&mut self, node: &Node, out: &mut Block) -> Result<Option<Expr>> {
        match self.expr(node, out)? {
            Flow::Value(value) => Ok(Some(value)),
            Flow::Unit => Err(Malformed("`()` has no parts".into())),
            Flow::Never => Ok(None),
        }
    }

    /// One index of a value of type `base`, or those of a tuple.
    fn indices(&mut self, node: &Node, base: &Ty, out: &mut Block) -> Result<Option<Vec<Expr>>> {
        let ty = index_ty(base);
        let expected = |_: usize, _: Option<&Ty>| Some(ty.clone());
        if node.head() == "tup" {
            let nodes: Vec<&Node> = node.rest().iter().skip(1).collect();
            return self.operands(&nodes, &expected, out);
        }
        let Some(mut indices) = self.operands(&[node], &expected, out)? else {
            return Ok(None);
        };
        if let Some(Ty::Struct(tuple)) = indices.first().map(|index| index.ty.clone()) {
            // A variable that holds a tuple.
            let Some(whole) = indices.pop() else {
                return Ok(None);
            };
            for field in &tuple.fields {
                indices.push(self::field(whole.clone(), field.name)?);
            }
        }
        Ok(Some(indices))
    }

    /// `(len value)`: how many elements there are.
    pub(super) fn len(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let Some(value) = self.value(node.part(0)?, out)? else {
            return Ok(Flow::Never);
        };
        self.line = line;
        match &value.ty {
            Ty::Array(array) => {
                let len = Expr::constant(Value::Usize(array.len));
                if has_effect(&value) {
                    self.push(StmtKind::Eval(value), out);
                }
                Ok(Flow::Value(len))
            }
            Ty::View(_) => Ok(Flow::Value(Expr {
                kind: ExprKind::Extent(Box::new(value), 0),
                ty: Ty::Usize,
            })),
            other => Err(Malformed(format!("`{other}` has no `len`"))),
        }
    }

    /// The type of what can be assigned to; nothing for variables of type `()`.
    pub(super) fn place_ty(&self, node: &Node) -> Result<Option<Ty>> {
        let (root, steps) = way(node)?;
        let mut ty = match self.root(root)? {
            Variable::Local(local) => self.locals[local.0 as usize].ty.clone(),
            Variable::Unit => return Ok(None),
        };
        for step in steps {
            ty = match (step, &ty) {
                (PathStep::Field(name), ty) => field_of(ty, name)?.1,
                (PathStep::Index(..), ty) => assigned(ty)?,
            };
        }
        Ok(Some(ty))
    }

    fn root(&self, node: &Node) -> Result<Variable> {
        match node.head() {
            "v" => self.find(node.number(0)?),
            head => Err(Malformed(format!("`{head}` cannot be assigned to"))),
        }
    }

    /// What is assigned to, and its type; nothing for variables of type `()`, or if control does not
    /// come back from its indices.
    pub(super) fn place(&mut self, node: &Node, out: &mut Block) -> Result<Option<(Place, Ty)>> {
        let (root, steps) = way(node)?;
        let Variable::Local(local) = self.root(root)? else {
            return Ok(None);
        };
        let mut place = Place::local(local);
        let mut ty = self.locals[local.0 as usize].ty.clone();
        for step in steps {
            match step {
                PathStep::Field(name) => {
                    let (position, field) = field_of(&ty, name)?;
                    place.path.push(Step::Field(position));
                    ty = field;
                }
                PathStep::Index(index, line) => {
                    let mut effects = Block::new();
                    let indices = self.indices(index, &ty, &mut effects)?;
                    if !effects.is_empty() {
                        // They may change what earlier indices are made of.
                        self.settle(&mut place, false, out);
                        out.append(&mut effects);
                    }
                    let Some(indices) = indices else {
                        return Ok(None);
                    };
                    let [index] = <[Expr; 1]>::try_from(indices)
                        .map_err(|all| Malformed(format!("{} indices of a place", all.len())))?;
                    place.path.push(Step::Index(index, line));
                    ty = assigned(&ty)?;
                }
            }
        }
        Ok(Some((place, ty)))
    }

    /// Evaluates the indices of a place, so that it can be used more than once, and variables among
    /// them, too, unless those are known not to change.
    pub(super) fn settle(&mut self, place: &mut Place, variables_stay: bool, out: &mut Block) {
        for step in &mut place.path {
            let Step::Index(index, _) = step else {
                continue;
            };
            let stays = match index.kind {
                ExprKind::Const(_) => true,
                ExprKind::Local(_) => variables_stay,
                _ => false,
            };
            if !stays {
                let local = self.local("tmp", Ty::Usize);
                let value = std::mem::replace(index, self.read(local));
                self.push(StmtKind::Let(local, Some(value)), out);
            }
        }
    }

    /// The value of a place.
    pub(super) fn read_place(&self, place: &Place) -> Result<Expr> {
        place.path.iter().try_fold(self.read(place.local), part)
    }
}

/// The type of the elements of what may be assigned to by index: an array, or a line.
fn assigned(ty: &Ty) -> Result<Ty> {
    match ty {
        Ty::Array(array) => Ok(array.elem.clone()),
        Ty::View(view) if view.kind == ViewKind::Line => Ok(view.elem.clone()),
        other => Err(Malformed(format!("an element of `{other}` is assigned"))),
    }
}

/// What an array or a view is indexed by.
fn index_ty(base: &Ty) -> Ty {
    match base {
        Ty::View(view) => view.kind.index_ty(),
        _ => Ty::Usize,
    }
}

/// A field of a value.
fn field(base: Expr, name: &str) -> Result<Expr> {
    let (position, ty) = field_of(&base.ty, name)?;
    Ok(Expr {
        kind: ExprKind::Field(Box::new(base), position),
        ty,
    })
}

/// An element of an array or a view.
pub(super) fn element(base: Expr, mut indices: Vec<Expr>, line: u32) -> Result<Expr> {
    let ty = index_ty(&base.ty);
    if let Some(odd) = indices.iter().find(|index| index.ty != ty) {
        return Err(Malformed(format!("an index of type `{}`", odd.ty)));
    }
    let base = Box::new(base);
    let (ty, kind) = match (&base.ty, indices.len()) {
        (Ty::Array(array), 1) => {
            let index = Box::new(indices.remove(0));
            (array.elem.clone(), ExprKind::Index(base, index, line))
        }
        (Ty::View(view), rank) if rank == view.kind.rank() => {
            (view.elem.clone(), ExprKind::At(base, indices, line))
        }
        (other, count) => {
            return Err(Malformed(format!("{count} indices of a `{other}`")));
        }
    };
    Ok(Expr { kind, ty })
}
