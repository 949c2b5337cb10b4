//! Random numbers: `rng.uniform_f32()`.

use super::{
    lower::{Flow, Lower, Malformed, Result},
    text::Node,
};
use crate::ir::{Arg, Block, Imp, StmtKind, Ty};

impl Lower<'_> {
    /// `(draw imp generator)`: calls a method of the generator, which changes it.
    pub(super) fn draw(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let Imp::Function(callee) = self.imp(node.part(0)?)? else {
            return Err(Malformed("a draw by something that is no function".into()));
        };
        let Some((place, ty)) = self.place(node.part(1)?, out)? else {
            return Err(Malformed("a draw from `()`".into()));
        };
        let function = &self.functions[callee.0];
        let generator = function.params.first().map(|param| function.local(param.local));
        if generator.is_none_or(|generator| generator.ty != ty) {
            return Err(Malformed(format!("a draw from `{ty}`")));
        }
        let ty = function.ret.clone();
        if ty == Ty::Unit {
            return Err(Malformed("a draw of `()`".into()));
        }
        let drawn = self.local("drawn", ty);
        self.push(StmtKind::Let(drawn, None), out);
        let args = vec![Arg::Place(place)];
        let result = Some(drawn);
        self.push(
            StmtKind::Call {
                result,
                callee,
                args,
            },
            out,
        );
        Ok(Flow::Value(self.read(drawn)))
    }
}
