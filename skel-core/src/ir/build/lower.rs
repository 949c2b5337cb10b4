//! One function: locals, statements, and the dispatch over the forms of the text.

use super::{
    Source, shallow,
    text::{self, Node},
};
use crate::ir::{
    Block, Expr, ExprKind, FnId, Function, Local, LocalId, LoopId, Param, Place, Stmt, StmtKind,
    Ty, can_trap,
};
use std::collections::HashMap;

/// What is wrong with a text: a bug in the macro, or a macro of another version.
#[derive(Debug)]
pub(super) struct Malformed(pub(super) String);

pub(super) type Result<T> = std::result::Result<T, Malformed>;

/// What comes out of evaluating an expression.
pub(super) enum Flow {
    /// A value, of a type that is not `()`.
    Value(Expr),
    /// `()`.
    Unit,
    /// Nothing: control went elsewhere.
    Never,
}

/// Where the value of an expression goes.
#[derive(Clone, Copy)]
pub(super) enum Dest {
    /// Nowhere.
    Discard,
    /// To a local that has been declared.
    Local(LocalId),
    /// To the local that `Lower::pending` names by this number, made when its type is known.
    Pending(usize),
    /// To the caller of the function.
    Return,
}

/// What a variable of the text is.
#[derive(Clone, Copy)]
pub(super) enum Variable {
    /// A local of the IR.
    Local(LocalId),
    /// Of type `()`.
    Unit,
}

/// A loop around the current place.
pub(super) struct OpenLoop {
    /// Its number in the text.
    pub(super) number: usize,
    pub(super) id: LoopId,
    /// Where the value of its `break`s goes.
    pub(super) dest: Dest,
    pub(super) left: bool,
}

/// The state of the walk.
pub(super) struct Lower<'a> {
    pub(super) source: &'a Source,
    /// What may be called.
    pub(super) functions: &'a [Function],
    /// As [`Function::implied`].
    pub(super) implied: Vec<FnId>,
    pub(super) locals: Vec<Local>,
    pub(super) variables: HashMap<usize, Variable>,
    /// Locals to come: the name, and, once the type is known, the local.
    pub(super) pending: Vec<(&'static str, Option<LocalId>)>,
    pub(super) loops: Vec<OpenLoop>,
    pub(super) loop_count: u32,
    /// The line of what is being lowered.
    pub(super) line: u32,
}

/// Lowers a whole function: `(fn (x y) body)`.
pub(super) fn function(
    name: &'static str,
    source: &Source,
    functions: &[Function],
) -> Result<Function> {
    let text = text::read(source.text)?;
    let names = text.part(0)?.parts();
    if names.len() != source.params.len() {
        return Err(Malformed(format!(
            "{} parameters, but {} names",
            source.params.len(),
            names.len()
        )));
    }
    let mut lower = Lower {
        source,
        functions,
        implied: Vec::new(),
        locals: Vec::new(),
        variables: HashMap::new(),
        pending: Vec::new(),
        loops: Vec::new(),
        loop_count: 0,
        line: 0,
    };
    let mut params = Vec::with_capacity(names.len());
    for (number, (name, (ty, mode))) in names.iter().zip(&source.params).enumerate() {
        let local = lower.local(name.atom(), ty.clone());
        lower.variables.insert(number, Variable::Local(local));
        params.push(Param { local, mode: *mode });
    }
    let mut body = Block::new();
    let dest = if source.ret == Ty::Unit {
        Dest::Discard
    } else {
        Dest::Return
    };
    let falls = lower.send(text.part(1)?, dest, &mut body)?;
    if falls && source.ret != Ty::Unit {
        return Err(Malformed("a path ends without a value".into()));
    }
    let mut function = Function {
        name,
        file: source.file,
        params,
        ret: source.ret.clone(),
        locals: lower.locals,
        body,
        fast_math: source.fast_math,
        implied: lower.implied,
    };
    shallow::make(&mut function);
    Ok(function)
}

impl Lower<'_> {
    /// Makes a local.
    pub(super) fn local(&mut self, name: &'static str, ty: Ty) -> LocalId {
        let id = u32::try_from(self.locals.len()).expect("a function has fewer than 2^32 locals");
        self.locals.push(Local { name, ty });
        LocalId(id)
    }

    /// The value of a local.
    pub(super) fn read(&self, local: LocalId) -> Expr {
        let ty = self.locals[local.0 as usize].ty.clone();
        Expr {
            kind: ExprKind::Local(local),
            ty,
        }
    }

    pub(super) fn push(&self, kind: StmtKind, out: &mut Block) {
        out.push(Stmt {
            kind,
            line: self.line,
        });
    }

    /// The type that part `k` of `node` names by number.
    pub(super) fn ty(&self, node: &Node, k: usize) -> Result<Ty> {
        let number = node.number(k)?;
        let found = self.source.types.get(number);
        found
            .cloned()
            .ok_or_else(|| Malformed(format!("there is no type {number}")))
    }

    /// Evaluates `node` and sends its value to `dest`. Whether control goes on from there.
    pub(super) fn send(&mut self, node: &Node, dest: Dest, out: &mut Block) -> Result<bool> {
        self.line = node.line;
        match node.head() {
            "if" => self.branch(node, dest, out),
            "loop" => self.endless(node, dest, out),
            "match" => self.matching(node, dest, out),
            "block" => self.labelled_block(node, dest, out),
            "bl" => {
                let (falls, tail) = self.statements(node, out)?;
                match tail {
                    _ if !falls => Ok(false),
                    Some(tail) => self.send(tail, dest, out),
                    None => self.finish(Flow::Unit, dest, out),
                }
            }
            "lit" | "tup" | "arr" | "rep" | "st" => {
                let ty = match dest {
                    Dest::Return => Some(self.source.ret.clone()),
                    Dest::Local(local) => Some(self.locals[local.0 as usize].ty.clone()),
                    Dest::Discard | Dest::Pending(_) => None,
                };
                let value = match ty {
                    Some(ty) => self.typed(node, &ty, out)?,
                    None => self.expr(node, out)?,
                };
                self.finish(value, dest, out)
            }
            _ => {
                let value = self.expr(node, out)?;
                self.finish(value, dest, out)
            }
        }
    }

    /// Sends a value to where it belongs. Whether control goes on from there.
    fn finish(&mut self, flow: Flow, dest: Dest, out: &mut Block) -> Result<bool> {
        match (flow, dest) {
            (Flow::Never, _) => Ok(false),
            (Flow::Value(e), Dest::Discard) => {
                if has_effect(&e) {
                    self.push(StmtKind::Eval(e), out);
                }
                Ok(true)
            }
            (Flow::Value(e), Dest::Local(local)) => {
                self.push(StmtKind::Assign(Place::local(local), e), out);
                Ok(true)
            }
            (Flow::Value(e), Dest::Pending(number)) => {
                let (name, known) = self.pending[number];
                let local = known.unwrap_or_else(|| self.local(name, e.ty.clone()));
                self.pending[number].1 = Some(local);
                self.push(StmtKind::Assign(Place::local(local), e), out);
                Ok(true)
            }
            (Flow::Value(e), Dest::Return) => {
                self.push(StmtKind::Return(Some(e)), out);
                Ok(false)
            }
            (Flow::Unit, Dest::Return) => Err(Malformed("`()` where a value is returned".into())),
            (Flow::Unit, _) => Ok(true),
        }
    }

    /// Evaluates what cannot be an expression of the IR into a local of its own.
    pub(super) fn local_from(
        &mut self,
        node: &Node,
        name: &'static str,
        out: &mut Block,
    ) -> Result<Flow> {
        let number = self.pending.len();
        self.pending.push((name, None));
        let start = out.len();
        let line = node.line;
        let falls = self.send(node, Dest::Pending(number), out)?;
        let Some(local) = self.pending[number].1 else {
            return Ok(if falls { Flow::Unit } else { Flow::Never });
        };
        out.insert(
            start,
            Stmt {
                kind: StmtKind::Let(local, None),
                line,
            },
        );
        Ok(if falls {
            Flow::Value(self.read(local))
        } else {
            Flow::Never
        })
    }

    /// The statements of a block but for its tail. Whether control reaches the end, and the tail.
    /// What follows a statement that never ends is dead, and left out.
    pub(super) fn statements<'n>(
        &mut self,
        block: &'n Node,
        out: &mut Block,
    ) -> Result<(bool, Option<&'n Node>)> {
        for stmt in block.rest() {
            if stmt.head() == "tail" {
                return Ok((true, Some(stmt.part(0)?)));
            }
            if !self.statement(stmt, out)? {
                return Ok((false, None));
            }
        }
        Ok((true, None))
    }

    pub(super) fn statement(&mut self, stmt: &Node, out: &mut Block) -> Result<bool> {
        self.line = stmt.line;
        match stmt.head() {
            "let" => self.declare(stmt, out),
            "=" => self.assign(stmt, out),
            "op" => self.compound_assign(stmt, out),
            "while" => self.while_loop(stmt, out),
            "for" => self.for_loop(stmt, out),
            "unpack" => self.unpack(stmt, out),
            "unless" => self.unless(stmt, out),
            "unpack-to" => self.unpack_to(stmt, out),
            "debug" => self.debug_only(stmt, out),
            _ => self.send(stmt, Dest::Discard, out),
        }
    }

    /// An expression, of the type `expected` if it is a literal that leaves that open.
    pub(super) fn typed(&mut self, node: &Node, expected: &Ty, out: &mut Block) -> Result<Flow> {
        if is_open_literal(node) {
            return self.literal(node.part(1)?.atom(), expected);
        }
        if is_aggregate(node) {
            return self.aggregate(node, Some(expected), out);
        }
        self.expr(node, out)
    }

    /// An expression. What it does beside giving a value is appended to `out`.
    pub(super) fn expr(&mut self, node: &Node, out: &mut Block) -> Result<Flow> {
        self.line = node.line;
        match node.head() {
            "lit" => {
                let ty = self.ty(node, 0)?;
                self.literal(node.part(1)?.atom(), &ty)
            }
            "v" => self.variable(node),
            "k" => self.constant(node),
            "f" | "ix" => self.reach(node, out),
            "len" => self.len(node, out),
            "tup" | "arr" | "rep" | "st" => self.aggregate(node, None, out),
            "b" => self.binary(node, out),
            "&&" | "||" => self.short_circuit(node, out),
            "u" => self.unary(node, out),
            "as" => self.cast(node, out),
            "m" => self.method(node, out),
            "c" => self.call(node, out),
            "draw" => self.draw(node, out),
            "extent" => self.extent(node, out),
            "bl" => {
                let (falls, tail) = self.statements(node, out)?;
                match tail {
                    _ if !falls => Ok(Flow::Never),
                    Some(tail) => self.expr(tail, out),
                    None => Ok(Flow::Unit),
                }
            }
            "if" | "loop" | "match" | "block" => self.local_from(node, "tmp", out),
            "is" => self.is(node, out),
            "trap" => self.trap(node, out),
            "brk" => self.leave(node, out),
            "cont" => self.next_round(node, out),
            "ret" => self.give_back(node, out),
            "let" | "=" | "op" | "while" | "for" | "unpack" | "unless" | "unpack-to" | "debug" => {
                Ok(if self.statement(node, out)? {
                    Flow::Unit
                } else {
                    Flow::Never
                })
            }
            head => Err(Malformed(format!("unknown form `{head}`"))),
        }
    }
}

/// A literal whose type is that of its neighbour.
pub(super) fn is_open_literal(node: &Node) -> bool {
    node.head() == "lit" && node.rest().first().is_some_and(|ty| ty.atom() == "^")
}

/// A value that is written with its parts: they may leave their types to what is expected.
fn is_aggregate(node: &Node) -> bool {
    matches!(node.head(), "tup" | "arr" | "rep" | "st")
}

/// Whether leaving the expression out, or evaluating it once more or elsewhere, could be noticed.
pub(super) fn has_effect(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= can_trap(part) || matches!(part.kind, ExprKind::Call(..)));
    found
}
