//! Functions and programs.

use super::{Block, Builtin, ExprKind, Stmt, StmtKind, Ty, ViewKind};

/// Position of a function in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(pub usize);

/// Position of a local in [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalId(pub u32);

/// Functions that call only each other, callees before callers.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions.
    pub functions: Vec<Function>,
}

/// One monomorphic function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The Rust name, without path; several instances of a generic function share it.
    pub name: &'static str,
    /// Source file, as `file!()` gives it.
    pub file: &'static str,
    /// The parameters, in source order.
    pub params: Vec<Param>,
    /// The result type.
    pub ret: Ty,
    /// All locals, the parameters among them. Names may repeat (shadowing); ids do not.
    pub locals: Vec<Local>,
    /// The statements. Every path ends in a `Return` or a `Trap` unless `ret` is `()`.
    pub body: Block,
    /// Whether its float arithmetic may be contracted and reassociated on devices.
    pub fast_math: bool,
    /// The functions of users that it calls for an operator, or for a method that is named like one of numbers: their
    /// names are not in its text, so only rustc's types tell that something is called.
    pub implied: Vec<FnId>,
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// The local it begins as.
    pub local: LocalId,
    /// How it is passed.
    pub mode: Mode,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// By value.
    In,
    /// `&mut T`: the final value of the local goes back to the caller.
    InOut,
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// The user's name for it, or `"tmp"`.
    pub name: &'static str,
    /// Its type.
    pub ty: Ty,
}

impl Program {
    /// The function `id`.
    #[must_use]
    pub fn function(&self, id: FnId) -> &Function {
        &self.functions[id.0]
    }

    /// Whether any of its functions calls such a built-in.
    #[must_use]
    pub fn calls(&self, wanted: impl Fn(Builtin) -> bool) -> bool {
        let mut found = false;
        for stmt in self.functions.iter().flat_map(|f| &f.body) {
            stmt.walk(&mut |s: &Stmt| {
                for e in s.exprs() {
                    e.walk(&mut |part| {
                        found |= matches!(part.kind, ExprKind::Builtin(b, ..) if wanted(b));
                    });
                }
            });
        }
        found
    }

    /// Which functions run when `f` is called: itself, and what it calls, and so on.
    #[must_use]
    pub fn reached_from(&self, f: FnId) -> Vec<bool> {
        let mut reached = vec![false; self.functions.len()];
        reached[f.0] = true;
        // Callees come before callers.
        for k in (0..=f.0).rev() {
            if !reached[k] {
                continue;
            }
            for stmt in &self.functions[k].body {
                stmt.walk(&mut |s: &Stmt| {
                    if let StmtKind::Call { callee, .. } = &s.kind {
                        reached[callee.0] = true;
                    }
                    for e in s.exprs() {
                        e.walk(&mut |part| {
                            if let ExprKind::Call(callee, _) = &part.kind {
                                reached[callee.0] = true;
                            }
                        });
                    }
                });
            }
        }
        reached
    }

    /// Whether its functions may be called as often as one likes: not if the body of one for the CPU may contain anything.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        let mut pure = true;
        for stmt in self.functions.iter().flat_map(|f| &f.body) {
            stmt.walk(&mut |s: &Stmt| {
                if let StmtKind::Foreign(foreign) = &s.kind {
                    pure &= foreign.pure;
                }
            });
        }
        pure
    }

    /// Whether units may compute other last bits of floats than others: as `fast_math` allows them to, by elementary
    /// functions of their own, or by bodies written by hand.
    #[must_use]
    pub fn is_rounded(&self) -> bool {
        let by_hand = |f: &Function| {
            let mut foreign = false;
            for stmt in &f.body {
                stmt.walk(&mut |s: &Stmt| foreign |= matches!(s.kind, StmtKind::Foreign(_)));
            }
            foreign
        };
        let mut functions = self.functions.iter();
        functions.any(|f| f.fast_math || by_hand(f)) || self.calls(Builtin::is_transcendental)
    }
}

impl Function {
    /// The local `id`.
    #[must_use]
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// Whether it takes a line of a container.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        let is_line = |ty: &Ty| matches!(ty, Ty::View(view) if view.kind == ViewKind::Line);
        (0..self.params.len()).any(|k| is_line(self.param_ty(k)))
    }

    /// The type of parameter `k`.
    #[must_use]
    pub fn param_ty(&self, k: usize) -> &Ty {
        &self.local(self.params[k].local).ty
    }
}
