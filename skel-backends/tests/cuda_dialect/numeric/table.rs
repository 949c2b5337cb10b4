//! Kernels that give the results of many operations, and what Rust gives.

use crate::{
    ir::{formula, local, map},
    launch::{Built, Column, KernelCall, Ran},
    shim::Order,
    values::Sample,
};
use skel_core::{
    ir::{Expr, ExprKind, Ty, Value},
    plan::{Kernel, Role},
};
use std::sync::Arc;

/// An operation as the IR says it, and as Rust does it; `None` where Rust panics.
pub(crate) struct Row<In> {
    pub(crate) expr: Expr,
    pub(crate) native: Box<dyn Fn(In) -> Option<Value>>,
}

/// A row for an operation that never panics.
pub(crate) fn row<In: 'static, R: Sample>(
    expr: Expr,
    native: impl Fn(In) -> R + 'static,
) -> Row<In> {
    partial(expr, move |given| Some(native(given)))
}

/// A row for one that may.
pub(crate) fn partial<In: 'static, R: Sample>(
    expr: Expr,
    native: impl Fn(In) -> Option<R> + 'static,
) -> Row<In> {
    Row {
        expr,
        native: Box::new(move |given| native(given).map(Sample::value)),
    }
}

/// The first parameter.
pub(crate) fn x<A: Sample>() -> Expr {
    local(0, A::TY)
}

/// The second one.
pub(crate) fn y<B: Sample>() -> Expr {
    local(1, B::TY)
}

/// The third one.
pub(crate) fn z<C: Sample>() -> Expr {
    local(2, C::TY)
}

/// What goes in: as many values as the kernel has parameters.
pub(crate) trait Input: Copy + std::fmt::Debug {
    fn types() -> Vec<Ty>;
    fn values(self) -> Vec<Value>;
}

impl<A: Sample> Input for (A,) {
    fn types() -> Vec<Ty> {
        vec![A::TY]
    }
    fn values(self) -> Vec<Value> {
        vec![self.0.value()]
    }
}

impl<A: Sample, B: Sample> Input for (A, B) {
    fn types() -> Vec<Ty> {
        vec![A::TY, B::TY]
    }
    fn values(self) -> Vec<Value> {
        vec![self.0.value(), self.1.value()]
    }
}

impl<A: Sample, B: Sample, C: Sample> Input for (A, B, C) {
    fn types() -> Vec<Ty> {
        vec![A::TY, B::TY, C::TY]
    }
    fn values(self) -> Vec<Value> {
        vec![self.0.value(), self.1.value(), self.2.value()]
    }
}

/// One kernel's part of a test.
struct Part {
    name: String,
    kernel: Arc<Kernel>,
    columns: Vec<Column>,
    inputs: Vec<String>,
    expected: Vec<Vec<Value>>,
    formulas: Vec<String>,
}

/// Kernels to be compiled together.
#[derive(Default)]
pub(crate) struct Table(Vec<Part>);

impl Table {
    /// Adds rows. Inputs for which one of them panics are left out. Rows of one type are the elements
    /// of an array; of several types, each fills an output of its own.
    pub(crate) fn add<In: Input>(&mut self, inputs: &[In], rows: Vec<Row<In>>) {
        let types: Vec<Ty> = rows.iter().map(|row| row.expr.ty.clone()).collect();
        let alike = types.iter().all(|ty| *ty == types[0]);
        let (mut columns, mut args) = (Vec::new(), Vec::new());
        for ty in In::types() {
            columns.push(Vec::new());
            args.push((Role::In, ty));
        }
        let formulas = rows
            .iter()
            .map(|row| format!("{:?}", row.expr.kind))
            .collect();
        let (mut kept, mut expected) = (Vec::new(), Vec::new());
        for input in inputs {
            let results: Option<Vec<Value>> = rows.iter().map(|row| (row.native)(*input)).collect();
            let Some(results) = results else { continue };
            for (column, value) in columns.iter_mut().zip(input.values()) {
                column.push(value);
            }
            kept.push(format!("{input:?}"));
            expected.push(results);
        }
        assert!(kept.len() > 1, "no inputs for {types:?}");
        let parts: Vec<Expr> = rows.into_iter().map(|row| row.expr).collect();
        let e = if alike {
            Expr {
                ty: Ty::array(types[0].clone(), parts.len()),
                kind: ExprKind::Array(parts),
            }
        } else {
            Expr {
                ty: Ty::tuple(types.clone()),
                kind: ExprKind::Struct(parts),
            }
        };
        if alike {
            args.push((Role::Out, e.ty.clone()));
        } else {
            args.extend(types.into_iter().map(|ty| (Role::Out, ty)));
        }
        let mut columns: Vec<Column> = columns.into_iter().map(Column::Elements).collect();
        columns.resize(args.len(), Column::Out);
        let body = formula("all", &In::types(), e);
        self.0.push(Part {
            name: format!("k{}", self.0.len()),
            kernel: map(vec![body], None, &args),
            columns,
            inputs: kept,
            expected,
            formulas,
        });
    }

    /// The kernels, with names.
    pub(crate) fn kernels(&self) -> Vec<(String, Arc<Kernel>)> {
        let named = |part: &Part| (part.name.clone(), part.kernel.clone());
        self.0.iter().map(named).collect()
    }

    /// Compiles, launches and compares. Which of 0.0 and -0.0 may be open.
    pub(crate) fn check(self, open_zeros: bool) {
        let built = Built::new(&self.kernels()).unwrap_or_else(|e| panic!("{e}"));
        for part in &self.0 {
            let call = KernelCall {
                columns: &part.columns,
                range: 0..part.expected.len(),
                elems: part.expected.len(),
                cols: None,
                order: Order::Ascending,
            };
            let ran = built
                .run(&part.name, &call)
                .unwrap_or_else(|e| panic!("{e}"));
            let Ran::Done(written) = ran else {
                panic!("{ran:?}: {:?}", part.formulas)
            };
            let outputs = part.columns.iter().enumerate();
            let outputs: Vec<&Vec<Value>> = outputs
                .filter(|(_, column)| matches!(column, Column::Out))
                .map(|(k, _)| &written[&k])
                .collect();
            for (i, (expected, input)) in part.expected.iter().zip(&part.inputs).enumerate() {
                let found: Vec<Value> = match &outputs[0][i] {
                    Value::Array(_, elements) => elements.clone(),
                    _ => outputs.iter().map(|output| output[i].clone()).collect(),
                };
                part.compare(&found, expected, input, open_zeros);
            }
        }
    }
}

impl Part {
    fn compare(&self, found: &[Value], expected: &[Value], input: &str, open_zeros: bool) {
        assert_eq!(found.len(), expected.len());
        for ((found, expected), formula) in found.iter().zip(expected).zip(&self.formulas) {
            let zeros = open_zeros
                && match (found, expected) {
                    (Value::F32(a), Value::F32(b)) => a == b,
                    (Value::F64(a), Value::F64(b)) => a == b,
                    _ => false,
                };
            assert!(
                zeros || found.same(expected),
                "of {input}: {found:?}, not {expected:?}: {formula}"
            );
        }
    }
}
