//! Whole containers, read at random.

use super::{
    lower::{Flow, Lower, Malformed, Result},
    text::Node,
};
use crate::ir::{Block, Expr, ExprKind, StmtKind, Ty, ViewTy};
use std::sync::Arc;

impl Lower<'_> {
    /// `(at view index …)`: as many indices as the view has dimensions, or one tuple of them.
    pub(super) fn element_of_view(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let line = self.line;
        let Some((view, ty)) = self.view(node.part(0)?, out)? else {
            return Ok(Flow::Never);
        };
        let nodes: Vec<&Node> = node.rest().iter().skip(1).collect();
        let indices = self.operands(&nodes, &|_, _| Some(Ty::Usize), out)?;
        let Some(mut indices) = indices else {
            return Ok(Flow::Never);
        };
        let rank = ty.kind.rank();
        if let (true, [tuple]) = (rank > 1, indices.as_slice()) {
            let all = self.local("at", tuple.ty.clone());
            self.push(StmtKind::Let(all, Some(tuple.clone())), out);
            indices = (0..rank)
                .map(|k| Expr {
                    kind: ExprKind::Field(Box::new(self.read(all)), k),
                    ty: Ty::Usize,
                })
                .collect();
        }
        if indices.len() != rank {
            let found = indices.len();
            return Err(Malformed(format!("{found} indices into `{}`", view.ty)));
        }
        Ok(Flow::Value(Expr {
            ty: ty.elem.clone(),
            kind: ExprKind::At(Box::new(view), indices, line),
        }))
    }

    /// `(extent rows view)`: the dimension is `len`, `rows` or `cols`.
    pub(super) fn extent(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let Some((view, ty)) = self.view(node.part(1)?, out)? else {
            return Ok(Flow::Never);
        };
        let name = node.part(0)?.atom();
        let dimension = match (ty.kind.rank(), name) {
            (1, "len") | (2, "rows") => 0,
            (2, "cols") => 1,
            _ => return Err(Malformed(format!("`{}` has no `{name}`", view.ty))),
        };
        Ok(Flow::Value(Expr {
            ty: Ty::Usize,
            kind: ExprKind::Extent(Box::new(view), dimension),
        }))
    }

    fn view(&mut self, node: &Node, out: &mut Block) -> Result<Option<(Expr, Arc<ViewTy>)>> {
        match self.expr(node, out)? {
            Flow::Value(view) => match view.ty.clone() {
                Ty::View(ty) => Ok(Some((view, ty))),
                other => Err(Malformed(format!("`{other}` is no view"))),
            },
            Flow::Unit => Err(Malformed("`()` is no view".into())),
            Flow::Never => Ok(None),
        }
    }
}
