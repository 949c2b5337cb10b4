//! Statements and control flow.
//!
//! - After a statement whose expression can trap, the function is left: the trap travels to the
//!   kernel through the call chain, and nothing further is computed for the element.
//! - WGSL leaves the innermost loop only. `break 'outer` and `continue 'outer` set a
//!   flag, leave the inner loop, and the flag is looked at behind it.

use super::Wgsl;
use crate::codegen::Cx;
use skel_core::ir::{Arg, Block, Expr, FnId, LocalId, LoopId, Place, Stmt, StmtKind, TrapKind};
use std::fmt::Write;

const FLAG: &str = "leaving";

/// The statements of the current function's body.
pub(super) fn body(wgsl: &mut Wgsl, cx: &mut Cx<'_>) -> String {
    let function = cx.function();
    let mut printer = Printer {
        wgsl,
        cx,
        out: String::new(),
        depth: 1,
        loops: Vec::new(),
        exits: Vec::new(),
        any_exit: false,
        any_trap: false,
        between: None,
    };
    printer.block(&function.body);
    if !ends(&function.body) {
        printer.leave_function();
    }
    let (out, any_exit, any_trap) = (printer.out, printer.any_exit, printer.any_trap);
    if any_trap {
        // The checks took what was noted of each expression; the whole function traps.
        cx.note_trap();
    }
    if any_exit {
        format!("    var {FLAG} = 0u;\n{out}")
    } else {
        out
    }
}

/// Whether control never gets past the block's last statement.
fn ends(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::Return(_)
                | StmtKind::Break(_)
                | StmtKind::Continue(_)
                | StmtKind::Trap(_)
                | StmtKind::Foreign(_)
        )
    })
}

/// A `break` or `continue` of a loop that is not the innermost one.
#[derive(Clone, Copy, PartialEq)]
struct Exit {
    target: LoopId,
    again: bool,
}

impl Exit {
    fn code(self) -> u32 {
        self.target.0 * 2 + 1 + u32::from(self.again)
    }
}

struct Printer<'d, 'c, 'p> {
    wgsl: &'d mut Wgsl,
    cx: &'c mut Cx<'p>,
    out: String,
    depth: usize,
    /// The enclosing loops, innermost last.
    loops: Vec<LoopId>,
    /// Exits of the innermost loop to loops around it: each has to be taken on behind every loop that it leaves.
    exits: Vec<Exit>,
    any_exit: bool,
    any_trap: bool,
    /// Between the rounds of a loop, where nothing leaves: whether anything there trapped.
    between: Option<bool>,
}

impl Printer<'_, '_, '_> {
    fn line(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", self.depth * 4);
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn expr(&mut self, e: &Expr) -> String {
        unparenthesised(&self.wgsl.expression(self.cx, e)).to_owned()
    }

    fn leave_function(&mut self) {
        let function = self.cx.function();
        let value = self.wgsl.zero(self.cx, &function.ret);
        self.line(&format!("return {value};").replace(" ;", ";"));
    }

    /// Leaves the function if the statement just printed trapped.
    fn check_trap(&mut self) {
        if self.cx.take_traps() {
            self.leave_if_trapped();
        }
    }

    fn leave_if_trapped(&mut self) {
        self.any_trap = true;
        if let Some(traps) = &mut self.between {
            *traps = true;
            return;
        }
        self.open("if (skel_trap != 0u) {");
        self.leave_function();
        self.close();
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
            if ends(std::slice::from_ref(stmt)) {
                // What follows is never reached, and device languages refuse it.
                break;
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.cx.set_line(stmt.line);
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = value.as_ref().map(|e| self.expr(e));
                let text = self.wgsl.declare(self.cx, *local, value);
                self.line(&text);
                self.check_trap();
            }
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::Eval(e) => {
                let value = self.expr(e);
                let text = self.wgsl.discard(&e.ty, &value);
                self.line(&text);
                self.check_trap();
            }
            StmtKind::Call {
                result,
                callee,
                args,
            } => self.call(*result, *callee, args),
            StmtKind::Trap(kind) => self.trap(*kind),
            StmtKind::Foreign(foreign) => {
                for line in self.wgsl.foreign_body(self.cx, foreign).lines() {
                    self.line(line);
                }
            }
            StmtKind::If(condition, yes, no) => self.branch(condition, yes, no),
            StmtKind::Loop { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(_)
                if self.between.is_some() =>
            {
                self.cx
                    .internal("control flow between the rounds of a loop");
            }
            StmtKind::Loop { id, body, step } => self.repeat(*id, body, step),
            StmtKind::Break(target) => self.exit(Exit {
                target: *target,
                again: false,
            }),
            StmtKind::Continue(target) => self.exit(Exit {
                target: *target,
                again: true,
            }),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e)).unwrap_or_default();
                self.line(&format!("return {value};").replace(" ;", ";"));
                // The caller looks.
                self.any_trap |= self.cx.take_traps();
            }
        }
    }

    /// The value comes before the indices of the place; so where it can trap, it is
    /// evaluated on a line of its own. A place that traps is reached all the same, in its first
    /// element: what is there is never seen.
    fn assign(&mut self, place: &Place, value: &Expr) {
        let mut text = self.expr(value);
        let traps = self.cx.take_traps();
        if traps && place.indices().next().is_some() {
            text = self.name_value("value", &text);
            self.leave_if_trapped();
        } else if traps {
            self.cx.note_trap();
        }
        for line in self.wgsl.store(self.cx, place, &text).lines() {
            self.line(line);
        }
        self.check_trap();
    }

    /// A line that names a value, and the name.
    fn name_value(&mut self, what: &str, text: &str) -> String {
        let name = self.cx.fresh(what);
        self.line(&format!("let {name} = {text};"));
        name
    }

    fn call(&mut self, result: Option<LocalId>, callee: FnId, args: &[Arg]) {
        let text = self.wgsl.call_statement(self.cx, result, callee, args);
        self.cx.call(callee);
        for line in text.lines() {
            self.line(line);
        }
        self.check_trap();
    }

    fn trap(&mut self, kind: TrapKind) {
        let site = self.cx.site(kind, 0);
        self.line(&format!("skel_note({site}u);"));
        self.cx.take_traps();
        self.any_trap = true;
        match &mut self.between {
            Some(traps) => *traps = true,
            None => self.leave_function(),
        }
    }

    fn branch(&mut self, condition: &Expr, yes: &Block, no: &Block) {
        let text = self.expr(condition);
        let traps = self.cx.take_traps();
        self.branch_on(text, traps, yes, no);
    }

    /// `text`: the condition, and whether it can trap.
    fn branch_on(&mut self, mut text: String, traps: bool, yes: &Block, no: &Block) {
        if traps {
            text = self.name_value("condition", &text);
            self.leave_if_trapped();
        }
        self.open(&format!("if ({text}) {{"));
        self.block(yes);
        // Device languages limit how deep blocks lie in each other, and a long `match` is a chain.
        let mut no = no;
        while let [only] = no.as_slice()
            && let StmtKind::If(condition, yes, others) = &only.kind
        {
            self.cx.set_line(only.line);
            let text = self.expr(condition);
            self.depth -= 1;
            if self.cx.take_traps() {
                self.open("} else {");
                self.branch_on(text, true, yes, others);
                return self.close();
            }
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
        self.open("loop {");
        self.loops.push(id);
        let outer = std::mem::take(&mut self.exits);

        // What happens between rounds must not leave the function; so a trap in it is looked at
        // when the next round begins.
        let mut steps = String::new();
        if !step.is_empty() {
            std::mem::swap(&mut self.out, &mut steps);
            self.between = Some(false);
            self.depth += 1;
            self.block(step);
            self.depth -= 1;
            std::mem::swap(&mut self.out, &mut steps);
            if self.between.take() == Some(true) {
                self.leave_if_trapped();
            }
        }

        self.block(body);
        if !steps.is_empty() {
            self.open("continuing {");
            self.out.push_str(&steps);
            self.close();
        }
        self.loops.pop();
        self.close();
        let arrived = std::mem::replace(&mut self.exits, outer);
        self.pass_on(arrived);
    }

    fn exit(&mut self, exit: Exit) {
        if self.loops.last() != Some(&exit.target) {
            self.any_exit = true;
            self.note(exit);
            self.line(&format!("{FLAG} = {}u;", exit.code()));
            self.line("break;");
        } else if exit.again {
            self.line("continue;");
        } else {
            self.line("break;");
        }
    }

    /// Behind a loop: takes the exits that ended in it where they want to go.
    fn pass_on(&mut self, arrived: Vec<Exit>) {
        let Some(&innermost) = self.loops.last() else {
            return;
        };
        for exit in arrived {
            self.open(&format!("if ({FLAG} == {}u) {{", exit.code()));
            if exit.target == innermost {
                self.line(&format!("{FLAG} = 0u;"));
                self.line(if exit.again { "continue;" } else { "break;" });
            } else {
                self.note(exit);
                self.line("break;");
            }
            self.close();
        }
    }

    fn note(&mut self, exit: Exit) {
        if !self.exits.contains(&exit) {
            self.exits.push(exit);
        }
    }
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
