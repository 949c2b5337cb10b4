//! Programs as text: for readers, for goldens, and for the hash of kernel caches.
//!
//! The text has no source lines and no files, so that moving a function recompiles nothing. Equal
//! programs give equal text and the other way round: locals carry their number, and float constants
//! are written exactly.

use super::{
    Arg, Block, Expr, ExprKind, Foreign, Function, LocalId, Mode, Place, Program, Step, StmtKind,
    StructTy, Ty, Value,
};
use std::{
    fmt::{self, Display, Write},
    sync::Arc,
};

/// Writes the program.
#[must_use]
pub fn print(program: &Program) -> String {
    let mut writer = Writer {
        program,
        out: String::new(),
        structs: Vec::new(),
    };
    for function in &program.functions {
        for local in &function.locals {
            writer.declare(&local.ty);
        }
        writer.declare(&function.ret);
        for stmt in &function.body {
            stmt.walk(&mut |s| {
                for e in s.exprs() {
                    e.walk(&mut |part| writer.declare(&part.ty));
                }
            });
        }
    }
    for (k, function) in program.functions.iter().enumerate() {
        if k > 0 {
            writer.out.push('\n');
        }
        writer
            .function(k, function)
            .expect("writing to a string does not fail");
    }
    writer.out
}

struct Writer<'a> {
    program: &'a Program,
    out: String,
    /// The struct types, parts before wholes.
    structs: Vec<Arc<StructTy>>,
}

impl Writer<'_> {
    /// Writes what structs the type consists of, once each: two of one name are told apart.
    fn declare(&mut self, ty: &Ty) {
        match ty {
            Ty::Array(a) => self.declare(&a.elem),
            Ty::View(v) => self.declare(&v.elem),
            Ty::Struct(s) if !self.structs.contains(s) => {
                for field in &s.fields {
                    self.declare(&field.ty);
                }
                let fields: Vec<String> = s
                    .fields
                    .iter()
                    .map(|f| format!("{}: {}", f.name, self.ty(&f.ty)))
                    .collect();
                self.structs.push(s.clone());
                let name = self.ty(ty);
                self.out
                    .push_str(&format!("struct {name} {{ {} }}\n", fields.join(", ")));
            }
            _ => {}
        }
    }

    /// The type; of several structs of one name, all but the first carry a number.
    fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Struct(s) => {
                let alike = self.structs.iter().filter(|known| known.name == s.name);
                match alike.clone().position(|known| known == s) {
                    None | Some(0) => s.name.to_owned(),
                    Some(k) => format!("{}#{k}", s.name),
                }
            }
            Ty::Array(a) => format!("[{}; {}]", self.ty(&a.elem), a.len),
            Ty::View(v) => v.kind.of(&self.ty(&v.elem)),
            other => other.to_string(),
        }
    }

    fn function(&mut self, k: usize, f: &Function) -> fmt::Result {
        if f.fast_math {
            self.out.push_str("fast ");
        }
        write!(self.out, "fn {}#{k}(", f.name)?;
        for (n, param) in f.params.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            let mode = match param.mode {
                Mode::In => "",
                Mode::InOut => "&mut ",
            };
            write!(
                self.out,
                "{comma}{}: {mode}{}",
                name(f, param.local),
                self.ty(f.param_ty(n))
            )?;
        }
        self.out.push(')');
        if f.ret != Ty::Unit {
            write!(self.out, " -> {}", self.ty(&f.ret))?;
        }
        self.out.push_str(" {\n");
        self.block(f, &f.body, 1)?;
        self.out.push_str("}\n");
        Ok(())
    }

    fn block(&mut self, f: &Function, block: &Block, depth: usize) -> fmt::Result {
        for stmt in block {
            self.indent(depth);
            self.stmt(f, &stmt.kind, depth)?;
            self.out.push('\n');
        }
        Ok(())
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.out.push_str("    ");
        }
    }

    fn stmt(&mut self, f: &Function, stmt: &StmtKind, depth: usize) -> fmt::Result {
        match stmt {
            StmtKind::Let(local, value) => {
                write!(
                    self.out,
                    "let {}: {}",
                    name(f, *local),
                    self.ty(&f.local(*local).ty)
                )?;
                if let Some(value) = value {
                    self.out.push_str(" = ");
                    self.expr(f, value)?;
                }
            }
            StmtKind::Assign(place, value) => {
                self.place(f, place)?;
                self.out.push_str(" = ");
                self.expr(f, value)?;
            }
            StmtKind::Call {
                result,
                callee,
                args,
            } => {
                self.out.push_str("call ");
                if let Some(result) = result {
                    write!(self.out, "{} = ", name(f, *result))?;
                }
                write!(
                    self.out,
                    "{}#{}(",
                    self.program.function(*callee).name,
                    callee.0
                )?;
                for (k, arg) in args.iter().enumerate() {
                    self.out.push_str(if k > 0 { ", " } else { "" });
                    match arg {
                        Arg::Value(e) => self.expr(f, e)?,
                        Arg::Place(place) => {
                            self.out.push_str("&mut ");
                            self.place(f, place)?;
                        }
                    }
                }
                self.out.push(')');
            }
            StmtKind::Trap(kind) => write!(self.out, "trap {:?}", kind.message())?,
            StmtKind::Foreign(Foreign { wgsl, cuda, .. }) => {
                write!(self.out, "foreign wgsl {wgsl:?} cuda {cuda:?}")?;
            }
            StmtKind::Eval(e) => {
                self.out.push_str("eval ");
                self.expr(f, e)?;
            }
            StmtKind::If(condition, yes, no) => {
                self.out.push_str("if ");
                self.expr(f, condition)?;
                self.out.push_str(" {\n");
                self.block(f, yes, depth + 1)?;
                self.indent(depth);
                self.out.push('}');
                if !no.is_empty() {
                    self.out.push_str(" else {\n");
                    self.block(f, no, depth + 1)?;
                    self.indent(depth);
                    self.out.push('}');
                }
            }
            StmtKind::Loop { id, body, step } => {
                writeln!(self.out, "loop {} {{", id.0)?;
                self.block(f, body, depth + 1)?;
                if !step.is_empty() {
                    self.indent(depth);
                    self.out.push_str("} step {\n");
                    self.block(f, step, depth + 1)?;
                }
                self.indent(depth);
                self.out.push('}');
            }
            StmtKind::Break(id) => write!(self.out, "break {}", id.0)?,
            StmtKind::Continue(id) => write!(self.out, "continue {}", id.0)?,
            StmtKind::Return(None) => self.out.push_str("return"),
            StmtKind::Return(Some(value)) => {
                self.out.push_str("return ");
                self.expr(f, value)?;
            }
        }
        Ok(())
    }

    fn place(&mut self, f: &Function, place: &Place) -> fmt::Result {
        self.out.push_str(&name(f, place.local));
        let mut ty = &f.local(place.local).ty;
        for step in &place.path {
            match step {
                Step::Field(field) => ty = self.field_name(ty, *field)?,
                Step::Index(index, _) => {
                    self.out.push('[');
                    self.expr(f, index)?;
                    self.out.push(']');
                    if let Ty::Array(array) = ty {
                        ty = &array.elem;
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends `.field` and gives the field's type.
    fn field_name<'t>(&mut self, ty: &'t Ty, field: usize) -> Result<&'t Ty, fmt::Error> {
        match ty {
            Ty::Struct(s) if field < s.fields.len() => {
                write!(self.out, ".{}", s.fields[field].name)?;
                Ok(&s.fields[field].ty)
            }
            other => {
                write!(self.out, ".{field}")?;
                Ok(other)
            }
        }
    }

    /// Operators are written with all their parentheses: the text says how the tree is.
    fn expr(&mut self, f: &Function, e: &Expr) -> fmt::Result {
        match &e.kind {
            ExprKind::Const(value) => write!(self.out, "{}", Constant(value)),
            ExprKind::Local(local) => {
                self.out.push_str(&name(f, *local));
                Ok(())
            }
            ExprKind::Field(base, field) => {
                self.expr(f, base)?;
                self.field_name(&base.ty, *field).map(drop)
            }
            ExprKind::Struct(fields) => {
                self.out.push_str(&self.ty(&e.ty));
                self.list(f, fields)
            }
            ExprKind::Array(all) => {
                self.out.push_str(&self.ty(&e.ty));
                self.list(f, all)
            }
            ExprKind::Repeat(x) => {
                write!(self.out, "{}(", self.ty(&e.ty))?;
                self.expr(f, x)?;
                self.out.push_str("; all)");
                Ok(())
            }
            ExprKind::Index(array, index, _) => {
                self.expr(f, array)?;
                self.out.push('[');
                self.expr(f, index)?;
                self.out.push(']');
                Ok(())
            }
            ExprKind::At(view, indices, _) => {
                self.expr(f, view)?;
                self.out.push_str(".at");
                self.list(f, indices)
            }
            ExprKind::Extent(view, dimension) => {
                self.expr(f, view)?;
                write!(self.out, ".extent{dimension}")
            }
            ExprKind::Unary(op, x) => {
                self.out.push_str(op.symbol());
                self.expr(f, x)
            }
            ExprKind::Binary(op, a, b, _) => {
                self.out.push('(');
                self.expr(f, a)?;
                write!(self.out, " {} ", op.symbol())?;
                self.expr(f, b)?;
                self.out.push(')');
                Ok(())
            }
            ExprKind::Cast(x) => {
                self.out.push('(');
                self.expr(f, x)?;
                write!(self.out, " as {})", self.ty(&e.ty))
            }
            ExprKind::Builtin(builtin, args, _) => {
                self.out.push_str(builtin.name());
                self.list(f, args)
            }
            ExprKind::Call(id, args) => {
                write!(self.out, "{}#{}", self.program.function(*id).name, id.0)?;
                self.list(f, args)
            }
        }
    }

    fn list(&mut self, f: &Function, all: &[Expr]) -> fmt::Result {
        self.out.push('(');
        for (k, e) in all.iter().enumerate() {
            if k > 0 {
                self.out.push_str(", ");
            }
            self.expr(f, e)?;
        }
        self.out.push(')');
        Ok(())
    }
}

fn name(f: &Function, local: LocalId) -> String {
    format!("{}_{}", f.local(local).name, local.0)
}

/// A constant with its type. Rust writes floats with as many digits as tell them from all others.
struct Constant<'a>(&'a Value);

impl Display for Constant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Unit => f.write_str("()"),
            Value::Bool(x) => write!(f, "{x}"),
            Value::F32(x) if x.is_nan() => write!(f, "nan:{:#010x}:f32", x.to_bits()),
            Value::F64(x) if x.is_nan() => write!(f, "nan:{:#018x}:f64", x.to_bits()),
            Value::F16(x) if x.is_nan() => write!(f, "nan:{:#06x}:f16", x.0),
            Value::F16(x) => write!(f, "{:?}f16", x.to_f32()),
            Value::F32(x) => write!(f, "{x:?}f32"),
            Value::F64(x) => write!(f, "{x:?}f64"),
            Value::Struct(ty, fields) => {
                write!(f, "{} {{", ty.name)?;
                for (k, (field, value)) in ty.fields.iter().zip(fields).enumerate() {
                    let comma = if k > 0 { "," } else { "" };
                    write!(f, "{comma} {}: {}", field.name, Constant(value))?;
                }
                f.write_str(" }")
            }
            Value::Array(_, elements) => {
                f.write_str("[")?;
                for (k, value) in elements.iter().enumerate() {
                    let comma = if k > 0 { ", " } else { "" };
                    write!(f, "{comma}{}", Constant(value))?;
                }
                f.write_str("]")
            }
            Value::View(ty, number) => write!(f, "{}#{number}", Ty::View(ty.clone())),
            integer => match integer.as_integer() {
                Some(x) => write!(f, "{x}{}", integer.ty()),
                None => f.write_str("?"),
            },
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::ir::{Expr, ExprKind, Param, Stmt};

    /// `fn f(u: f32, v: f32) -> f32 { P(u, v).x }`, where `x` is the field at `position`.
    fn program(fields: [&'static str; 2], position: usize) -> Program {
        let local = |k| Expr {
            kind: ExprKind::Local(LocalId(k)),
            ty: Ty::F32,
        };
        let whole = Expr {
            kind: ExprKind::Struct(vec![local(0), local(1)]),
            ty: Ty::structure("P", &fields.map(|name| (name, Ty::F32))),
        };
        let part = Expr {
            kind: ExprKind::Field(Box::new(whole), position),
            ty: Ty::F32,
        };
        let locals = ["u", "v"].map(|name| crate::ir::Local { name, ty: Ty::F32 });
        let params = [0, 1].map(|k| Param {
            local: LocalId(k),
            mode: Mode::In,
        });
        let body = vec![Stmt {
            kind: StmtKind::Return(Some(part)),
            line: 1,
        }];
        Program {
            functions: vec![Function {
                name: "f",
                file: "here.rs",
                params: params.to_vec(),
                ret: Ty::F32,
                locals: locals.to_vec(),
                body,
                fast_math: false,
                implied: Vec::new(),
            }],
        }
    }

    #[test]
    fn structs_of_one_name_are_told_apart() {
        let (first, second) = (program(["x", "y"], 0), program(["y", "x"], 1));
        assert_ne!(print(&first), print(&second));
    }
}
