//! How large a whole container is.

use super::{
    lower::{Flow, Lower, Malformed, Result},
    text::Node,
};
use crate::ir::{Block, Expr, ExprKind, Ty, ViewTy};
use std::sync::Arc;

impl Lower<'_> {
    /// `(extent rows view)`: by the method that tells it.
    pub(super) fn extent(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let Some((view, ty)) = self.view(node.part(1)?, out)? else {
            return Ok(Flow::Never);
        };
        let name = node.part(0)?.atom();
        let Some(dimension) = ty.kind.dimension(name) else {
            return Err(Malformed(format!("`{}` has no `{name}`", view.ty)));
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
