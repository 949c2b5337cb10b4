//! From what the macros write to a [`Program`].
//!
//! A macro writes the body of a function as text, without types (`text`), and beside it what rustc knows: the
//! types of the slots, the values of the constants, which function implements what ([`Source`]). `lower`
//! brings the two together, in one walk: leaves get their types from the source, everything else bottom-up
//! from its parts, so there is no inference. In the same walk, `if`, blocks and loops that give a value
//! become statements, in Rust's order of evaluation.

mod arithmetic;
mod call;
mod composed;
mod control;
mod data;
mod deep;
mod for_loop;
mod foreign;
mod half;
mod imp;
mod index;
mod lower;
mod matching;
mod math;
mod pattern;
mod place;
mod random;
mod shallow;
mod text;
mod trap;
mod view;

pub use imp::Imp;
pub use math::{Mathematics, NO_MATHEMATICS};

use super::{FnId, Function, Mode, Program, Ty, Value, valid};
use crate::{Error, Result};
use std::{any::TypeId, collections::HashMap};

/// What a macro says of one function.
pub struct Source {
    /// `file!()`.
    pub file: &'static str,
    /// Types and modes of the parameters; their names are in the text.
    pub params: Vec<(Ty, Mode)>,
    /// The result type.
    pub ret: Ty,
    /// Whether `#[user_function(fast_math)]` was said.
    pub fast_math: bool,
    /// Which of its built-ins are user functions.
    pub mathematics: Mathematics,
    /// The function as text: see the crate `skel-macros`, module `lower`.
    pub text: &'static str,
    /// The types that the text names by number.
    pub types: Vec<Ty>,
    /// The constants that the text names by number.
    pub constants: Vec<Value>,
    /// What operators, methods and paths of the text are, by number.
    pub imps: Vec<Imp>,
    /// What the panics of the text say, by number.
    pub messages: Vec<&'static str>,
}

/// Collects the functions of a program. Callees are complete before their callers.
#[derive(Default)]
pub struct Cx {
    functions: Vec<Function>,
    known: HashMap<TypeId, FnId>,
    /// The functions being built, each called by the one before it.
    stack: Vec<(TypeId, &'static str)>,
    error: Option<Error>,
}

impl Cx {
    /// Builds a function unless that is done already. `Key` tells it, with its generic arguments,
    /// from all others; `source` may define the functions it calls.
    pub fn define<Key: 'static>(
        &mut self,
        name: &'static str,
        source: impl FnOnce(&mut Cx) -> Source,
    ) -> Imp {
        let key = TypeId::of::<Key>();
        if let Some(done) = self.begin(key, name) {
            return done;
        }
        let source = source(self);
        self.complete(key, name, &source)
    }

    // What of `define` is the same for all functions is compiled once, and not in each of them.

    /// What there is already, or that it cannot be; else the function is begun.
    fn begin(&mut self, key: TypeId, name: &'static str) -> Option<Imp> {
        if self.error.is_some() {
            return Some(Imp::Failed);
        }
        if let Some(id) = self.known.get(&key) {
            return Some(Imp::Function(*id));
        }
        if let Some(start) = self.stack.iter().position(|(k, _)| *k == key) {
            let circle = self.stack[start..].iter().map(|(_, name)| *name);
            let path = circle.chain([name]).collect::<Vec<_>>().join(" -> ");
            self.error = Some(Error::Recursion { path });
            return Some(Imp::Failed);
        }
        self.stack.push((key, name));
        None
    }

    /// Ends the function that was begun last.
    fn complete(&mut self, key: TypeId, name: &'static str, source: &Source) -> Imp {
        self.stack.pop();
        if self.error.is_some() {
            return Imp::Failed;
        }
        match deep::function(name, source, &self.functions) {
            Ok(mut function) => {
                math::call_functions(&mut function, source.mathematics, self);
                self.insert(key, function)
            }
            Err(malformed) => {
                self.error = Some(Error::Ir {
                    function: name.into(),
                    message: malformed.0,
                });
                Imp::Failed
            }
        }
    }

    /// A function that is no text, unless it is there already. `Key` as in [`Cx::define`].
    pub(crate) fn add<Key: 'static>(&mut self, function: impl FnOnce() -> Function) -> Imp {
        let key = TypeId::of::<Key>();
        match self.known.get(&key) {
            _ if self.error.is_some() => Imp::Failed,
            Some(id) => Imp::Function(*id),
            None => self.insert(key, function()),
        }
    }

    /// Adds a function that is made by hand, unless that is done already: what `make` makes of `callee`,
    /// which it may call.
    pub(crate) fn wrap<Key: 'static>(
        &mut self,
        callee: Imp,
        make: impl FnOnce(FnId, &Function) -> Function,
    ) -> Imp {
        let Imp::Function(inner) = callee else {
            return callee;
        };
        let key = TypeId::of::<Key>();
        match self.known.get(&key) {
            Some(id) => Imp::Function(*id),
            None => {
                let function = make(inner, &self.functions[inner.0]);
                self.insert(key, function)
            }
        }
    }

    fn insert(&mut self, key: TypeId, function: Function) -> Imp {
        let id = FnId(self.functions.len());
        self.functions.push(function);
        self.known.insert(key, id);
        Imp::Function(id)
    }

    fn finish<const N: usize>(self, roots: [Imp; N]) -> Result<(Program, [FnId; N])> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let program = Program {
            functions: self.functions,
        };
        let mut ids = [FnId(0); N];
        for (id, root) in ids.iter_mut().zip(roots) {
            let Imp::Function(function) = root else {
                return Err(Error::Ir {
                    function: "the skeleton's function".into(),
                    message: format!("its builder gave {root:?} instead of a function"),
                });
            };
            *id = function;
        }
        match valid::check(&program) {
            Ok(()) => Ok((program, ids)),
            Err(invalid) => Err(Error::Ir {
                function: invalid.function.into(),
                message: invalid.to_string(),
            }),
        }
    }
}

/// What builds a function: `F::ir`. A pointer, so that what follows is compiled once for all functions.
pub type Root = fn(&mut Cx) -> Imp;

/// Builds a function and all that it calls: `build(F::ir)`.
///
/// # Errors
/// [`Error::Recursion`], and [`Error::Ir`] for what only a bug can cause.
pub fn build(root: Root) -> Result<(Program, FnId)> {
    build_chosen(root)
}

/// Builds several functions into one program, where they may share what they call (or be the same).
///
/// # Errors
/// As [`build`].
pub fn build_all<const N: usize>(roots: [Root; N]) -> Result<(Program, [FnId; N])> {
    let mut cx = Cx::default();
    let roots = roots.map(|root| root(&mut cx));
    cx.finish(roots)
}

/// As [`build`], of a function that is chosen at run time.
///
/// # Errors
/// As [`build`].
pub fn build_chosen(root: impl FnOnce(&mut Cx) -> Imp) -> Result<(Program, FnId)> {
    let mut cx = Cx::default();
    let root = root(&mut cx);
    let (program, [id]) = cx.finish([root])?;
    Ok((program, id))
}

#[cfg(test)]
mod test;
