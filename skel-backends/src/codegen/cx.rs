//! What is noted while a program is printed.

use super::namer;
use skel_core::{
    ir::{FnId, Function, LocalId, Program, TrapKind, Ty},
    plan::Kernel,
};

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

/// A function whose printing was interrupted by that of another.
#[derive(Debug)]
struct Outer {
    function: FnId,
    line: u32,
    expression_traps: bool,
    fresh: usize,
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
    /// Names given in the current function.
    fresh: usize,
    /// Where the functions were left that are still being printed.
    outer: Vec<Outer>,
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
            trapping: vec![false; program.functions.len()],
            expression_traps: false,
            fresh: 0,
            outer: Vec::new(),
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

    /// Begins function `id`, perhaps amidst another one, which goes on at [`Cx::leave`].
    pub fn enter(&mut self, id: FnId) {
        self.outer.push(Outer {
            function: self.function,
            line: self.line,
            expression_traps: std::mem::take(&mut self.expression_traps),
            fresh: std::mem::take(&mut self.fresh),
        });
        self.function = id;
    }

    /// Ends the function that was begun last.
    pub fn leave(&mut self) {
        self.trapping[self.function.0] = self.take_traps();
        if let Some(outer) = self.outer.pop() {
            self.function = outer.function;
            self.line = outer.line;
            self.expression_traps = outer.expression_traps;
            self.fresh = outer.fresh;
        }
    }

    /// A name for a value of the printer's own, unlike any other in the function: no local ends so.
    pub fn fresh(&mut self, what: &str) -> String {
        self.fresh += 1;
        format!("{what}{}", self.fresh - 1)
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

    /// Notes what no valid program has: a bug of skel, for which the device refuses this one. Gives a text to go on with.
    pub fn internal(&mut self, what: impl Into<String>) -> String {
        let place = format!("{}, line {}", self.function().name, self.line);
        let what = internal(&place, &what.into());
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

/// Why a kernel is refused that no valid program gives.
fn internal(place: &str, what: &str) -> String {
    let text = format!("internal error in code generation: {place}: {what}");
    debug_assert!(false, "{text}");
    text
}

/// As [`Cx::internal`], of a kernel as a whole.
pub(super) fn malformed(kernel: &Kernel, what: &str) -> String {
    internal(kernel.program.function(kernel.map).name, what)
}

/// The operator of a fold or scan.
pub(super) fn operator(kernel: &Kernel) -> Result<FnId, String> {
    let missing = || malformed(kernel, "its kernel has no operator");
    kernel.operator.ok_or_else(missing)
}
