//! Nothing that a dialect leaves to the driver is taken on trust: the lists are made of the language and of printed
//! sources, not by hand.

use super::CLASSES;
use crate::{
    arithmetic::{Class, Remedies, checks},
    codegen::{
        cuda::{self, SourceOptions},
        wgsl::{self, ShaderOptions, Support},
    },
};
use skel_core::{
    ir::{
        BinaryOp, Builtin, Expr, ExprKind, FnId, Function, Local, LocalId, Mode, Param, Program,
        Stmt, StmtKind, Ty, UnaryOp,
    },
    plan::{Argument, Kernel, Pattern, Role},
};
use std::collections::BTreeSet;

/// An operation of the language on operands of these types.
#[derive(Clone)]
struct Operation {
    name: String,
    expr: Expr,
    params: Vec<Ty>,
}

const ALL_TYPES: [Ty; 14] = [
    Ty::Bool,
    Ty::I8,
    Ty::I16,
    Ty::I32,
    Ty::I64,
    Ty::Isize,
    Ty::U8,
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::Usize,
    Ty::F16,
    Ty::F32,
    Ty::F64,
];

const BINARY: [&str; 18] = [
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&",
    "||",
];

fn operand(k: u32, ty: &Ty) -> Expr {
    Expr::local(LocalId(k), ty.clone())
}

/// Whether the language has it.
fn has_operator(op: BinaryOp, ty: &Ty) -> bool {
    use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Div, Mul, Or, Rem, Shl, Shr, Sub};
    let number = ty.is_integer() || ty.is_float();
    match op {
        And | Or => *ty == Ty::Bool,
        BitAnd | BitOr | BitXor => *ty == Ty::Bool || ty.is_integer(),
        Shl | Shr => ty.is_integer(),
        Add | Sub | Mul | Div | Rem => number,
        _ => true,
    }
}

/// All operations on operands of a type. Those of `f16` are those of `f32`, and then rounded.
fn operations(ty: &Ty) -> Vec<Operation> {
    let mut all = Vec::new();
    let mut push = |name: String, expr, params: Vec<Ty>| {
        all.push(Operation {
            name: format!("{name} of {ty}"),
            expr,
            params,
        });
    };
    if *ty != Ty::F16 {
        for symbol in BINARY {
            let op = BinaryOp::from_symbol(symbol).expect("an operator");
            if has_operator(op, ty) {
                let e = Expr::binary(op, operand(0, ty), operand(1, ty), 0);
                push(symbol.into(), e, vec![ty.clone(); 2]);
            }
        }
        if ty.is_signed() || ty.is_float() {
            push(
                "neg".into(),
                Expr::unary(UnaryOp::Neg, operand(0, ty)),
                vec![ty.clone()],
            );
        }
        if *ty == Ty::Bool || ty.is_integer() {
            push(
                "not".into(),
                Expr::unary(UnaryOp::Not, operand(0, ty)),
                vec![ty.clone()],
            );
        }
    }
    for &builtin in Builtin::ALL {
        // Transcendentals of `f32` are functions of the program, made of what is asked. Of other types, and with
        // `fast_math`, the driver's are rounded as it likes.
        let is_there = Builtin::of(builtin.name(), ty) == Some(builtin);
        if !is_there || builtin.is_transcendental() || *ty == Ty::F16 && builtin != Builtin::ToBits
        {
            continue;
        }
        let params: Vec<Ty> = (0..builtin.arity())
            .map(|k| builtin.argument(k, ty))
            .collect();
        let args = (0..).zip(&params).map(|(k, ty)| operand(k, ty)).collect();
        push(
            builtin.name().into(),
            Expr::builtin(builtin, args, 0),
            params,
        );
    }
    for to in &ALL_TYPES {
        let only_f32 = |one: &Ty, other: &Ty| *one != Ty::F16 || *other == Ty::F32;
        // Rust makes no float of a `bool`.
        let has_cast = *ty != Ty::Bool || to.is_integer();
        if *to != Ty::Bool && to != ty && has_cast && only_f32(ty, to) && only_f32(to, ty) {
            push(
                format!("as {to}"),
                Expr::cast(operand(0, ty), to.clone()),
                vec![ty.clone()],
            );
        }
    }
    all
}

/// What an expression asks for, in words: operations and the types of their first operands.
fn asked(e: &Expr, all: &mut BTreeSet<String>) {
    e.walk(&mut |part| {
        let name = match &part.kind {
            ExprKind::Unary(UnaryOp::Neg, x) => format!("neg of {}", x.ty),
            ExprKind::Unary(UnaryOp::Not, x) => format!("not of {}", x.ty),
            ExprKind::Binary(op, x, ..) => format!("{} of {}", op.symbol(), x.ty),
            ExprKind::Builtin(builtin, args, _) => format!("{} of {}", builtin.name(), args[0].ty),
            ExprKind::Cast(x) => format!("as {} of {}", part.ty, x.ty),
            _ => return,
        };
        all.insert(name);
    });
}

/// `i16` is printed as `i8` is, with another number of bits, and so on; `usize` is another name of a type, or code of
/// ours over `u32` that traps.
fn is_printed_as_another(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::I8 | Ty::I16 | Ty::U8 | Ty::U16 | Ty::Usize | Ty::Isize
    )
}

#[test]
fn every_operation_of_the_language_is_asked_of_devices() {
    let mut all = BTreeSet::new();
    for check in CLASSES.into_iter().flat_map(checks::of) {
        asked(&check.expr, &mut all);
    }
    // What chains of casts are about.
    let chained = |ty: &Ty| matches!(ty, Ty::I8 | Ty::U16) || !is_printed_as_another(ty);
    let mut missing = Vec::new();
    let mut number = 0;
    for ty in &ALL_TYPES {
        for operation in operations(ty) {
            let is_cast = matches!(operation.expr.kind, ExprKind::Cast(_));
            let counts = match is_cast {
                true => chained(ty) && chained(&operation.expr.ty),
                // Bits of `f16` are those of a `u16`.
                false => !is_printed_as_another(ty) || operation.expr.ty == Ty::F16,
            };
            number += usize::from(counts);
            if counts && !all.contains(&operation.name) {
                missing.push(operation.name);
            }
        }
    }
    assert!(missing.is_empty(), "nothing asks about {missing:#?}");
    assert!(number > 300, "{number} operations are no language");
}

/// A kernel that computes one operation.
fn kernel(operation: &Operation) -> Kernel {
    let written = operation.expr.ty.clone();
    let function = Function {
        name: "asked",
        file: file!(),
        params: (0..operation.params.len() as u32)
            .map(|k| Param {
                local: LocalId(k),
                mode: Mode::In,
            })
            .collect(),
        ret: written.clone(),
        locals: (operation.params.iter())
            .map(|ty| Local {
                name: "x",
                ty: ty.clone(),
            })
            .collect(),
        body: vec![Stmt {
            kind: StmtKind::Return(Some(operation.expr.clone())),
            line: 0,
        }],
        fast_math: false,
        implied: Vec::new(),
    };
    let read = operation.params.iter().map(|ty| Argument {
        role: Role::In,
        ty: ty.clone(),
    });
    let out = Argument {
        role: Role::Out,
        ty: written,
    };
    let program = Program {
        functions: vec![function],
    };
    let arguments = read.chain([out]).collect();
    Kernel::new(
        Pattern::Elementwise,
        program,
        FnId(0),
        None,
        None,
        arguments,
    )
}

fn printed_as_wgsl(kernel: &Kernel) -> String {
    let options = ShaderOptions {
        lanes: 64,
        elems_per_lane: 1,
        f64: Support::Has,
        i64: Support::Has,
        f16: Support::Has,
        workgroup_bytes: 16 << 10,
        remedies: Remedies::NONE,
        most_indexed_words: None,
        masks_lanes: false,
    };
    wgsl::elementwise(kernel, &options).expect("WGSL").source
}

fn printed_as_cuda(kernel: &Kernel) -> String {
    let options = SourceOptions {
        lanes: 64,
        elems_per_lane: Some(1),
        vectors: false,
    };
    cuda::elementwise(kernel, &options).expect("CUDA C++").text
}

/// The functions that a source calls and does not have: those of the language.
fn natives(source: &str) -> BTreeSet<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut all = BTreeSet::new();
    let mut own = BTreeSet::new();
    for line in source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        let mut declares = line.starts_with("static") || line.starts_with("struct");
        for (at, _) in line.match_indices(['(', '<']) {
            let word = line[..at]
                .rsplit(|c| !is_word(c))
                .next()
                .unwrap_or_default();
            let before = line[..at - word.len()].trim_end();
            if std::mem::take(&mut declares) || before.ends_with("fn") {
                own.insert(word);
            }
            if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                all.insert(word);
            }
        }
    }
    all.retain(|word| !own.contains(word) && !word.starts_with("skel_"));
    // Control flow, memory, and where a thread is.
    for scaffold in [
        "if",
        "for",
        "while",
        "switch",
        "return",
        "var",
        "array",
        "ptr",
        "atomic",
        "atomicMin",
    ] {
        all.remove(scaffold);
    }
    all
}

/// The class of the widest type among the operation's.
fn class(operation: &Operation, sizes_are_long: bool) -> Class {
    let types = || operation.params.iter().chain([&operation.expr.ty]);
    let has = |wanted: &[Ty]| types().any(|ty| wanted.contains(ty));
    if has(&[Ty::F64]) {
        Class::F64
    } else if has(&[Ty::I64, Ty::U64]) || sizes_are_long && has(&[Ty::Usize, Ty::Isize]) {
        Class::Longs
    } else if has(&[Ty::F32, Ty::F16]) {
        Class::F32
    } else {
        Class::Words
    }
}

#[test]
fn every_function_of_a_driver_that_is_printed_is_asked_in_its_class() {
    type Printer = fn(&Kernel) -> String;
    for (dialect, print, sizes_are_long) in [
        ("WGSL", printed_as_wgsl as Printer, false),
        ("CUDA", printed_as_cuda as Printer, true),
    ] {
        let questions = CLASSES.map(|class| class.kernels().iter().map(print).collect::<String>());
        let asked_by = |class: Class| natives(&questions[class as usize]);
        let mut unasked = BTreeSet::new();
        let mut all = BTreeSet::new();
        for operation in ALL_TYPES.iter().flat_map(operations) {
            let source = print(&kernel(&operation));
            let class = class(&operation, sizes_are_long);
            // Floats of 32 bits and words are asked of every device.
            let mut asked = asked_by(class);
            if class == Class::F32 {
                asked.extend(asked_by(Class::Words));
            }
            for native in natives(&source) {
                all.insert(native.to_owned());
                if !asked.contains(native) {
                    unasked.insert(format!("{native} in {}", operation.name));
                }
            }
        }
        assert!(
            unasked.is_empty(),
            "{dialect}: nothing asks about {unasked:#?}"
        );
        // What is known to be a driver's own is among what was looked for.
        let known: &[&str] = match dialect {
            "WGSL" => &[
                "sqrt",
                "fma",
                "floor",
                "clamp",
                "countLeadingZeros",
                "f32",
                "bitcast",
            ],
            _ => &[
                "sqrtf", "fma", "fmodf", "fmod", "copysign", "__clz", "__popcll",
            ],
        };
        for native in known {
            assert!(
                all.contains(*native),
                "{dialect}: {native} is not among {all:?}"
            );
        }
    }
}
