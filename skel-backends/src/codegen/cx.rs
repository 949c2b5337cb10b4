//! What is noted while a program is printed.

use super::namer;
use skel_core::ir::{FnId, Function, LocalId, Program, TrapKind, Ty};

/// One place in the source that can trap, for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function it is in.
    pub function: FnId,
    /// The line in the function's file.
    pub line: u32,
    /// The reason.
    pub kind: TrapKind,
}

/// The program being printed, where we are in it, and what was found on the way.
#[derive(Debug)]
pub struct Cx<'p> {
    program: &'p Program,
    function: FnId,
    line: u32,
    sites: Vec<Site>,
    /// Whether a call can trap, for the functions printed so far: callees come first.
    trapping: Vec<bool>,
    expression_traps: bool,
    reasons: Vec<String>,
}

impl<'p> Cx<'p> {
    /// At the beginning of `program`.
    #[must_use]
    pub fn new(program: &'p Program) -> Cx<'p> {
        Cx {
            program,
            function: FnId(0),
            line: 0,
            sites: Vec::new(),
            trapping: Vec::new(),
            expression_traps: false,
            reasons: Vec::new(),
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The function being printed.
    #[must_use]
    pub fn function(&self) -> &'p Function {
        self.program.function(self.function)
    }

    /// Begins function `id`; those before it were finished.
    pub fn enter(&mut self, id: FnId) {
        self.function = id;
    }

    /// Ends the function that was begun last.
    pub fn leave(&mut self) {
        let traps = self.take_traps();
        self.trapping.push(traps);
    }

    /// Whether a call of `id` can trap; it was printed before.
    #[must_use]
    pub fn traps(&self, id: FnId) -> bool {
        self.trapping[id.0]
    }

    /// Begins a statement that came from `line`.
    pub fn set_line(&mut self, line: u32) {
        self.line = line;
    }

    /// The line of the statement, for expressions that have none of their own.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Numbers a new trap site, from 1.
    pub fn site(&mut self, kind: TrapKind, line: u32) -> usize {
        let line = if line == 0 { self.line } else { line };
        self.sites.push(Site {
            function: self.function,
            line,
            kind,
        });
        self.expression_traps = true;
        self.sites.len()
    }

    /// Notes a call.
    pub fn call(&mut self, callee: FnId) {
        self.expression_traps |= self.trapping[callee.0];
    }

    /// Notes that the current function traps somewhere.
    pub fn note_trap(&mut self) {
        self.expression_traps = true;
    }

    /// Whether anything printed since the last call of this function can trap.
    pub fn take_traps(&mut self) -> bool {
        std::mem::take(&mut self.expression_traps)
    }

    /// All sites so far; number `n` is at `n - 1`.
    #[must_use]
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Notes that the device cannot do something; gives a text to go on with.
    pub fn unsupported(&mut self, what: impl Into<String>) -> String {
        let what = format!("{}: {}", self.function().name, what.into());
        if !self.reasons.contains(&what) {
            self.reasons.push(what);
        }
        String::new()
    }

    /// Why the device cannot run the program; empty if it can.
    #[must_use]
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }

    /// The name of a local of the current function.
    #[must_use]
    pub fn local_name(&self, local: LocalId) -> String {
        namer::local(self.function().local(local).name, local)
    }

    /// The type of a local of the current function.
    #[must_use]
    pub fn local_ty(&self, local: LocalId) -> &'p Ty {
        &self.function().local(local).ty
    }

    /// The name of a function.
    #[must_use]
    pub fn function_name(&self, id: FnId) -> String {
        namer::function(self.program.function(id).name, id)
    }
}
