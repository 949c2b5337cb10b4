//! Panics.

use super::{
    lower::{Flow, Lower, Malformed, Result},
    text::Node,
};
use crate::ir::{Block, StmtKind, TrapKind, Value};

impl Lower<'_> {
    /// `(trap 0)`: fails with the message of this number.
    pub(super) fn trap(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        let number = node.number(0)?;
        let message = self.source.messages.get(number);
        let message = message.ok_or_else(|| Malformed(format!("there is no message {number}")))?;
        self.push(StmtKind::Trap(TrapKind::Panic(message)), out);
        Ok(Flow::Never)
    }

    /// `(debug constant statement)`: the statement, if the constant is `true`.
    pub(super) fn debug_only(&mut self, node: &Node, out: &mut Block) -> Result<bool> {
        let number = node.number(0)?;
        match self.source.constants.get(number) {
            Some(Value::Bool(true)) => self.statement(node.part(1)?, out),
            Some(Value::Bool(false)) => Ok(true),
            _ => Err(Malformed(format!("constant {number} is no `bool`"))),
        }
    }
}
