//! Statements and control flow, for every dialect.
//!
//! - After a statement whose expression can trap, the function is left: the trap travels to the
//!   kernel through the call chain, and nothing further is computed for the element.
//! - Device languages leave the innermost loop only. `break 'outer` and `continue 'outer` set a
//!   flag, leave the inner loop, and the flag is looked at behind it.

use super::{Cx, Dialect};
use skel_core::ir::{Block, Expr, LoopId, Place, Stmt, StmtKind};
use std::fmt::Write;

const FLAG: &str = "leaving";

/// The statements of the current function's body.
pub fn body<D: Dialect>(dialect: &mut D, cx: &mut Cx<'_>) -> String {
    let function = cx.function();
    let mut printer = Printer {
        dialect,
        cx,
        out: String::new(),
        depth: 1,
        loops: Vec::new(),
        exits: Vec::new(),
        conditions: 0,
        any_exit: false,
        any_trap: false,
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
        format!("    {}\n{out}", dialect.declare_flag(FLAG))
    } else {
        out
    }
}

/// Whether control never gets past the block's last statement.
fn ends(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::Return(_) | StmtKind::Break(_) | StmtKind::Continue(_)
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

struct Printer<'d, 'c, 'p, D> {
    dialect: &'d mut D,
    cx: &'c mut Cx<'p>,
    out: String,
    depth: usize,
    /// The enclosing loops, innermost last.
    loops: Vec<LoopId>,
    /// Exits on their way out, not yet handled by an enclosing loop.
    exits: Vec<Exit>,
    conditions: u32,
    any_exit: bool,
    any_trap: bool,
}

impl<D: Dialect> Printer<'_, '_, '_, D> {
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
        unparenthesised(&self.dialect.expr(self.cx, e)).to_owned()
    }

    fn leave_function(&mut self) {
        let function = self.cx.function();
        let value = self.dialect.zero(self.cx, &function.ret);
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
        self.open(&format!("if ({}) {{", D::TRAPPED));
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
                let text = self.dialect.declare(self.cx, *local, value);
                self.line(&text);
                self.check_trap();
            }
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::Eval(e) => {
                let value = self.expr(e);
                let text = self.dialect.discard(&e.ty, &value);
                self.line(&text);
                self.check_trap();
            }
            StmtKind::Call { .. } => {
                self.cx
                    .unsupported("it calls a function that writes through `&mut`");
            }
            StmtKind::Trap(_) => {
                self.cx.unsupported("it panics");
            }
            StmtKind::If(condition, yes, no) => self.branch(condition, yes, no),
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

    fn assign(&mut self, place: &Place, value: &Expr) {
        let value = self.expr(value);
        let place = self.dialect.place(self.cx, place);
        self.line(&format!("{place} = {value};"));
        self.check_trap();
    }

    fn branch(&mut self, condition: &Expr, yes: &Block, no: &Block) {
        let mut condition = self.expr(condition);
        if self.cx.take_traps() {
            let name = format!("condition{}", self.conditions);
            self.conditions += 1;
            let text = self.dialect.declare_condition(&name, &condition);
            self.line(&text);
            self.leave_if_trapped();
            condition = name;
        }
        self.open(&format!("if ({condition}) {{"));
        self.block(yes);
        if !no.is_empty() {
            self.depth -= 1;
            self.open("} else {");
            self.block(no);
        }
        self.close();
    }

    fn repeat(&mut self, id: LoopId, body: &Block, step: &Block) {
        self.open(D::LOOP);
        self.loops.push(id);
        let before = self.exits.len();

        // What happens between rounds must not leave the function; so a trap in it is looked at
        // when the next round begins.
        let mut steps = String::new();
        let mut step_traps = false;
        if !step.is_empty() {
            std::mem::swap(&mut self.out, &mut steps);
            self.depth += 1;
            for stmt in step {
                step_traps |= self.step(stmt);
            }
            self.depth -= 1;
            std::mem::swap(&mut self.out, &mut steps);
        }
        if step_traps {
            self.leave_if_trapped();
        }

        self.block(body);
        if !steps.is_empty() {
            self.open(D::STEP);
            self.out.push_str(&steps);
            self.close();
        }
        self.loops.pop();
        self.close();
        self.pass_on(before);
    }

    /// A statement between rounds: it neither branches away nor checks for traps.
    fn step(&mut self, stmt: &Stmt) -> bool {
        self.cx.set_line(stmt.line);
        match &stmt.kind {
            StmtKind::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let mut traps = self.cx.take_traps();
                self.open(&format!("if ({condition}) {{"));
                for inner in yes {
                    traps |= self.step(inner);
                }
                if !no.is_empty() {
                    self.depth -= 1;
                    self.open("} else {");
                    for inner in no {
                        traps |= self.step(inner);
                    }
                }
                self.close();
                traps
            }
            StmtKind::Let(local, value) => {
                let value = value.as_ref().map(|e| self.expr(e));
                let text = self.dialect.declare(self.cx, *local, value);
                self.line(&text);
                self.cx.take_traps()
            }
            StmtKind::Assign(place, value) => {
                let value = self.expr(value);
                let place = self.dialect.place(self.cx, place);
                self.line(&format!("{place} = {value};"));
                self.cx.take_traps()
            }
            StmtKind::Call { .. } | StmtKind::Trap(_) => {
                self.cx.unsupported("a call or a trap between rounds");
                false
            }
            StmtKind::Eval(e) => {
                let value = self.expr(e);
                let text = self.dialect.discard(&e.ty, &value);
                self.line(&text);
                self.cx.take_traps()
            }
            StmtKind::Loop { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(_) => {
                self.cx
                    .unsupported("control flow between the rounds of a loop");
                false
            }
        }
    }

    fn exit(&mut self, exit: Exit) {
        if self.loops.last() != Some(&exit.target) {
            self.any_exit = true;
            if !self.exits.contains(&exit) {
                self.exits.push(exit);
            }
            self.line(&format!("{FLAG} = {}u;", exit.code()));
            self.line("break;");
        } else if exit.again {
            self.line("continue;");
        } else {
            self.line("break;");
        }
    }

    /// Behind a loop: takes the exits that ended in it where they want to go.
    fn pass_on(&mut self, before: usize) {
        let Some(&innermost) = self.loops.last() else {
            return;
        };
        let arrived: Vec<Exit> = self.exits.drain(before..).collect();
        for exit in arrived {
            self.open(&format!("if ({FLAG} == {}u) {{", exit.code()));
            if exit.target == innermost {
                self.line(&format!("{FLAG} = 0u;"));
                self.line(if exit.again { "continue;" } else { "break;" });
            } else {
                self.exits.push(exit);
                self.line("break;");
            }
            self.close();
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
