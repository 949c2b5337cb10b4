//! Loops and blocks that jumps can name.

use super::{Evident, Lower, Lowered, Sexp};
use crate::ast::spelling_of_label;
use quote::quote_spanned;
use syn::{ExprBlock, Label, Lifetime, spanned::Spanned};

/// A loop, or a block with a label, around the current place.
pub(crate) struct OpenLoop {
    number: usize,
    label: Option<String>,
    /// A block: only jumps that name it go there.
    block: bool,
}

impl Lower<'_> {
    /// Lowers what is inside of a loop; also gives the number of the loop.
    pub(super) fn in_loop<R>(
        &mut self,
        label: &Option<Label>,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (usize, R) {
        self.inside(label, false, body)
    }

    fn inside<R>(
        &mut self,
        label: &Option<Label>,
        block: bool,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (usize, R) {
        let number = self.loop_count;
        self.loop_count += 1;
        self.loops.push(OpenLoop {
            number,
            label: label.as_ref().map(|label| spelling_of_label(&label.name)),
            block,
        });
        let result = body(self);
        self.loops.pop();
        (number, result)
    }

    /// The number of the loop that a jump means. Where there is none, rustc says so.
    pub(super) fn target(&self, label: &Option<Lifetime>) -> Sexp {
        let label = label.as_ref().map(spelling_of_label);
        let found = self.loops.iter().rev().find(|open| match &label {
            Some(label) => open.label.as_ref() == Some(label),
            None => !open.block,
        });
        Sexp::atom(found.map_or(0, |open| open.number))
    }

    /// `'a: { … }`: `(block 1 body)`.
    pub(super) fn labelled_block(&mut self, e: &ExprBlock) -> Lowered {
        let span = e.span();
        let (number, (body, text, _)) =
            self.inside(&e.label, true, |lower| lower.block(&e.block, false));
        let label = &e.label;
        Lowered {
            probe: quote_spanned!(span=> #label #body),
            text: Sexp::list(span, "block", [Sexp::atom(number), text]),
            evident: Evident::Nothing,
        }
    }
}
