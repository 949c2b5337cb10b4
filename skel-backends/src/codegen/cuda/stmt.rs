//! Statements and control flow.
//!
//! Behind a statement that can trap, the function is left: the trap travels to the kernel through
//! `skel_trap`, and nothing further is computed for the element. Jumps to an outer loop, or to what a
//! loop does between rounds, are `goto`; the body of such a loop is a block of its own, since C++
//! forbids to jump past declarations.

use super::{Cuda, foreign, literal::position, types};
use crate::codegen::Cx;
use skel_core::ir::{
    Arg, Block, Expr, FnId, LocalId, LoopId, Place, Step, Stmt, StmtKind, TrapKind, Ty,
    place_can_trap,
};
use std::fmt::Write;

/// The statements of the current function's body.
pub(super) fn body(cuda: &mut Cuda, cx: &mut Cx<'_>) -> String {
    let function = cx.function();
    let mut printer = Printer {
        cuda,
        cx,
        out: String::new(),
        depth: 1,
        loops: Vec::new(),
        labels: 0,
        line: 0,
        shown: 0,
    };
    printer.block(&function.body);
    printer.out
}

/// A loop around the statement being printed.
struct Around {
    id: LoopId,
    /// What its labels end in.
    label: usize,
    steps: bool,
    /// Whether a statement jumps to its step, or behind it.
    to_next: bool,
    to_end: bool,
}

struct Printer<'d, 'c, 'p> {
    cuda: &'d mut Cuda,
    cx: &'c mut Cx<'p>,
    out: String,
    depth: usize,
    /// Innermost last.
    loops: Vec<Around>,
    labels: usize,
    /// The source line of the statement, and the one that was said last.
    line: u32,
    shown: u32,
}

impl Printer<'_, '_, '_> {
    /// Lines of text. The first line of a statement says where it comes from, if that has changed.
    fn line(&mut self, text: &str) {
        for line in text.lines() {
            let mut source = String::new();
            if self.line != self.shown && self.line != 0 {
                self.shown = self.line;
                source = format!(" // {}:{}", base_name(self.cx.function().file), self.line);
            }
            // Writing to a string cannot fail.
            let _ = writeln!(self.out, "{:1$}{line}{source}", "", self.depth * 4);
        }
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// An expression, behind what it needs ahead.
    fn expr(&mut self, e: &Expr) -> String {
        let text = self.cuda.expr(self.cx, e);
        self.ahead();
        unparenthesised(&text).to_owned()
    }

    fn ahead(&mut self) {
        for text in std::mem::take(&mut self.cuda.ahead) {
            self.line(&text);
        }
    }

    /// Leaves the function if `e`, in the statement just printed, trapped.
    fn check(&mut self, e: &Expr) {
        if self.cuda.traps(e) {
            self.cuda.leave(self.cx);
            self.ahead();
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.cx.set_line(stmt.line);
        self.line = stmt.line;
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let (ty, name) = types::local(self.cuda, self.cx, *local);
                match value {
                    None => self.line(&format!("{ty} {name};")),
                    Some(value) => {
                        let text = self.expr(value);
                        self.line(&format!("{ty} {name} = {text};"));
                        self.check(value);
                    }
                }
            }
            StmtKind::Assign(place, value) => {
                let mut text = self.expr(value);
                let place_traps =
                    place_can_trap(place, self.cx.local_ty(place.local), &self.cuda.trapping);
                // The value comes first.
                let settled = place_traps && self.cuda.traps(value);
                if settled {
                    text = self.cuda.settle(self.cx, &value.ty, &text);
                    self.ahead();
                }
                let place = self.place(place);
                self.line(&format!("{place} = {text};"));
                if !settled {
                    self.check(value);
                }
            }
            StmtKind::Eval(e) => {
                let text = self.expr(e);
                if e.ty == Ty::Unit {
                    self.line(&format!("{text};"));
                } else {
                    self.line(&format!("(void)({text});"));
                }
                self.check(e);
            }
            StmtKind::Call {
                result,
                callee,
                args,
            } => self.call(*result, *callee, args),
            StmtKind::Trap(kind) => {
                let site = self.cx.site(*kind, stmt.line);
                self.line(&format!("skel_note({site}u, skel_trap);"));
                let unit = self.cx.function().ret == Ty::Unit;
                self.line(if unit { "return;" } else { "return {};" });
            }
            StmtKind::Foreign(foreign) => {
                let text = foreign::body(self.cx, foreign);
                self.line(&text);
            }
            StmtKind::If(condition, yes, no) => self.branch(condition, yes, no),
            StmtKind::Loop { id, body, step } => self.repeat(*id, body, step),
            StmtKind::Break(target) => self.break_out(*target),
            StmtKind::Continue(target) => self.begin_again(*target),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(value)) => {
                // The caller looks for a trap.
                let text = self.expr(value);
                self.line(&format!("return {text};"));
            }
        }
    }

    /// A call whose callee writes through references.
    fn call(&mut self, result: Option<LocalId>, callee: FnId, args: &[Arg]) {
        let traps = self.cuda.trapping[callee.0];
        let mut texts = Vec::with_capacity(args.len() + 1);
        for arg in args {
            texts.push(match arg {
                Arg::Place(place) => self.place(place),
                Arg::Value(e) => {
                    let mut text = self.expr(e);
                    if self.cuda.traps(e) {
                        text = self.cuda.settle(self.cx, &e.ty, &text);
                        self.ahead();
                    }
                    text
                }
            });
        }
        if traps {
            texts.push("skel_trap".into());
        }
        let call = format!("{}({});", self.cx.function_name(callee), texts.join(", "));
        self.line(&match result {
            Some(local) => format!("{} = {call}", self.cx.local_name(local)),
            None => call,
        });
        self.cx.call(callee);
        if traps {
            self.cuda.leave(self.cx);
            self.ahead();
        }
    }

    /// Where a value is stored, behind the checks of the indices on the way.
    fn place(&mut self, place: &Place) -> String {
        let mut text = self.cx.local_name(place.local);
        let mut ty = self.cx.local_ty(place.local);
        for step in &place.path {
            match (step, ty) {
                (Step::Field(position), Ty::Struct(structure)) => {
                    text = format!("{text}.{}", types::field(structure, *position));
                    ty = &structure.fields[*position].ty;
                }
                (Step::Index(index, line), Ty::Array(array)) => {
                    let at = self.index(index, array.len, *line);
                    text = format!("{text}.part[{at}]");
                    ty = &array.elem;
                }
                (Step::Index(index, line), Ty::View(view)) => {
                    let at = self.checked(index, &format!("{text}.len"), *line);
                    text = format!("{text}.data[{at} * {text}.stride]");
                    ty = &view.elem;
                }
                _ => return self.cx.internal("a part of what has none"),
            }
        }
        text
    }

    /// An index that is less than `len`.
    fn index(&mut self, index: &Expr, len: usize, line: u32) -> String {
        match position(index, len) {
            Some(at) => at.to_string(),
            None => self.checked(index, &format!("{len}u"), line),
        }
    }

    /// An index that is compared with `len`.
    fn checked(&mut self, index: &Expr, len: &str, line: u32) -> String {
        let text = self.expr(index);
        let name = self.cuda.part();
        let site = self.cx.site(TrapKind::OutOfRange, line);
        self.line(&format!("const usize {name} = {text};"));
        self.line(&format!("skel_check({name}, {len}, {site}u, skel_trap);"));
        self.cuda.leave(self.cx);
        self.ahead();
        name
    }

    fn branch(&mut self, condition: &Expr, yes: &Block, no: &Block) {
        let mut text = self.expr(condition);
        if self.cuda.traps(condition) {
            text = self.cuda.settle(self.cx, &Ty::Bool, &text);
            self.ahead();
        }
        self.open(&format!("if ({text}) {{"));
        self.block(yes);
        let mut no = no;
        while let [only] = no.as_slice()
            && let StmtKind::If(condition, yes, others) = &only.kind
            && !self.cuda.traps(condition)
        {
            // What cannot trap needs nothing ahead.
            self.cx.set_line(only.line);
            self.line = only.line;
            let text = self.expr(condition);
            self.depth -= 1;
            self.open(&format!("}} else if ({text}) {{"));
            self.block(yes);
            no = others;
        }
        if !no.is_empty() {
            self.depth -= 1;
            self.open("} else {");
            self.block(no);
        }
        self.close();
    }

    fn repeat(&mut self, id: LoopId, body: &Block, step: &Block) {
        self.open("for (;;) {");
        self.loops.push(Around {
            id,
            label: self.labels,
            steps: !step.is_empty(),
            to_next: false,
            to_end: false,
        });
        self.labels += 1;
        // Whether the body must be a block is known when it has been printed.
        let before = std::mem::take(&mut self.out);
        self.depth += 1;
        self.block(body);
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.out, before);
        let Some(around) = self.loops.pop() else {
            return;
        };
        if around.to_next {
            self.line("{");
            self.out.push_str(&inner);
            self.line("}");
            let _ = writeln!(
                self.out,
                "{:1$}next{2}:;",
                "",
                self.depth * 4 - 4,
                around.label
            );
        } else {
            for line in inner.lines() {
                let _ = writeln!(self.out, "{}", line.get(4..).unwrap_or(line));
            }
        }
        self.block(step);
        self.close();
        if around.to_end {
            let _ = writeln!(self.out, "{:1$}end{2}:;", "", self.depth * 4, around.label);
        }
    }

    fn break_out(&mut self, target: LoopId) {
        let innermost = self.loops.last().is_some_and(|around| around.id == target);
        if innermost {
            return self.line("break;");
        }
        if let Some(around) = self.loops.iter_mut().find(|around| around.id == target) {
            around.to_end = true;
            let text = format!("goto end{};", around.label);
            self.line(&text);
        }
    }

    fn begin_again(&mut self, target: LoopId) {
        let innermost = self.loops.last().is_some_and(|around| around.id == target);
        if let Some(around) = self.loops.iter_mut().find(|around| around.id == target) {
            if innermost && !around.steps {
                return self.line("continue;");
            }
            around.to_next = true;
            let text = format!("goto next{};", around.label);
            self.line(&text);
        }
    }
}

/// The last part of a path, without what could end a comment early or continue its line.
fn base_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
        .collect()
}

/// Without the outermost parentheses, where they enclose all of it.
fn unparenthesised(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_i32;
    for c in inner.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    inner
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn comments_cannot_reach_into_the_code() {
        assert_eq!(base_name("src/a b*/\n\\x\\y.rs"), "y.rs");
        assert_eq!(base_name("src/odd\nname\\"), "");
        assert_eq!(unparenthesised("(a) + (b)"), "(a) + (b)");
        assert_eq!(unparenthesised("(a + (b))"), "a + (b)");
    }
}
