//! Runs the corpus on the first device that wgpu finds, driver and all, and compares.

use crate::corpus::{Case, Random, corpus};
use libtest_mimic::{Arguments, Failed, Trial};
use skel_backends::{
    device::{Driver, Launch, LaunchArg},
    webgpu::{self, WebGpu},
};
use skel_core::{
    Element, Error,
    container::Shape,
    frame::{ElementLayout, Frame, Partial, View, ViewMut},
    ir::{Builtin, ExprKind, Function, Mode, Program, Stmt, Ty, Value},
    param::Stream,
    plan::{Argument, IndexKind, Kernel, Pattern, Phases, Role},
};
use std::sync::{Arc, Mutex, PoisonError};

/// Elements per launch; `usize` arguments, which no device holds in arrays, are uniform in each.
const ELEMS: usize = 500;
const LAUNCHES: usize = 6;
/// Rows of the shape that functions of `Index2` see.
const COLS: usize = 25;

pub(crate) fn main() {
    // The corpus panics by the thousand, on purpose; what a test finds is its result.
    std::panic::set_hook(Box::new(|_| ()));
    let arguments = Arguments::from_args();
    let found = webgpu::enumerate()
        .into_iter()
        .find(|found| found.rejected.is_none());
    let device = found
        .as_ref()
        .map(|found| Mutex::new(webgpu::open(found).expect("it opens")));
    let device: &'static Option<Mutex<WebGpu>> = Box::leak(Box::new(device));
    let trials = corpus().into_iter().map(|case| {
        let name = format!("device::{}", case.name);
        if device.is_none() {
            println!("skipped: {name}: no device that wgpu reaches (Debian: mesa-vulkan-drivers)");
        }
        let trial = Trial::test(name, move || match device {
            Some(device) => {
                let mut device = device.lock().unwrap_or_else(PoisonError::into_inner);
                check(&mut device, &case)
                    .map(|_| ())
                    .map_err(Failed::from)
            }
            None => Err("there is no device".into()),
        });
        trial.with_ignored_flag(device.is_none())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Host memory of one argument.
enum Column {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I32(Vec<i32>),
    U32(Vec<u32>),
    Bool(Vec<bool>),
    Usize(Vec<usize>),
}

macro_rules! columns {
    ($($t:ident $variant:ident),*) => {
        impl Column {
            fn zeros(ty: &Ty, n: usize) -> Column {
                match ty {
                    $(Ty::$variant => Column::$variant(vec![$t::default(); n]),)*
                    _ => unreachable!("no container holds {ty}"),
                }
            }

            fn of(ty: &Ty, values: impl Iterator<Item = Value>) -> Column {
                match ty {
                    $(Ty::$variant => Column::$variant(values.map(|v| $t::from_value(&v).unwrap()).collect()),)*
                    _ => unreachable!("no container holds {ty}"),
                }
            }

            fn view(&self) -> View<'_> {
                match self { $(Column::$variant(v) => View::of(v),)* }
            }

            fn view_mut(&mut self) -> ViewMut<'_> {
                match self { $(Column::$variant(v) => ViewMut::of(v),)* }
            }

            fn layout(&self) -> ElementLayout {
                match self { $(Column::$variant(_) => ElementLayout::of::<$t>(),)* }
            }

            fn get(&self, i: usize) -> Value {
                match self { $(Column::$variant(v) => v[i].to_value(),)* }
            }
        }
    };
}
columns!(f32 F32, f64 F64, i32 I32, u32 U32, bool Bool, usize Usize);

/// Devices compute; the host face is not asked.
struct NoHost;

// SAFETY: nothing ever returns from it.
#[expect(unsafe_code, reason = "the promise of `Phases`")]
unsafe impl Phases for NoHost {
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn local(&self, _: &mut Frame<'_>) -> Partial {
        unreachable!("devices do not call the host face")
    }

    fn kernel(&self) -> skel_core::Result<Arc<Kernel>> {
        unreachable!("devices do not call the host face")
    }

    fn find_trap(&self, _: &Frame<'_>, _: skel_core::ir::eval::Overflow) -> Option<Error> {
        unreachable!("devices do not call the host face")
    }
}

/// How exactly a device must agree.
#[derive(Clone, Copy)]
struct Precision {
    /// A transcendental, or `mul_add`, is among the operations: their own bounds are tested one by
    /// one elsewhere; here errors have been computed with.
    rounded: bool,
    /// Which zero `min` and `max` give is open.
    open_zeros: bool,
}

impl Precision {
    fn of(program: &Program) -> Precision {
        let uses = |wanted: &dyn Fn(Builtin) -> bool| {
            let mut found = false;
            for stmt in program.functions.iter().flat_map(|f: &Function| &f.body) {
                stmt.walk(&mut |s: &Stmt| {
                    for e in s.exprs() {
                        e.walk(&mut |part| {
                            found |= matches!(part.kind, ExprKind::Builtin(b, ..) if wanted(b));
                        });
                    }
                });
            }
            found
        };
        Precision {
            rounded: uses(&|b| b.is_transcendental() || b == Builtin::MulAdd),
            open_zeros: uses(&|b| matches!(b, Builtin::Min | Builtin::Max | Builtin::Clamp)),
        }
    }

    fn agree(self, a: &Value, b: &Value) -> bool {
        let close = |x: f64, y: f64| {
            let zeros = self.open_zeros && x == 0.0 && y == 0.0;
            zeros || self.rounded && (x - y).abs() <= 1e-4 * x.abs().max(y.abs()) + 1e-6
        };
        a.same(b)
            || match (a, b) {
                (Value::F32(x), Value::F32(y)) => close(f64::from(*x), f64::from(*y)),
                (Value::F64(x), Value::F64(y)) => close(*x, *y),
                _ => false,
            }
    }

    /// Whether a function of rounded operations is well-behaved there: neither huge nor special.
    fn covers(self, value: &Value) -> bool {
        match value {
            Value::F32(x) => !self.rounded || x.abs() <= 50.0,
            Value::F64(x) => !self.rounded || x.abs() <= 50.0,
            _ => true,
        }
    }
}

/// What a check has compared.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Elements that were computed and agree.
    pub(crate) elements: usize,
    /// Launches that trapped where the native function panics.
    pub(crate) traps: usize,
    /// Why the device does not run the function, where it need not.
    pub(crate) refused: Option<String>,
}

/// Compares the device with the native function on many inputs.
pub(crate) fn check(device: &mut WebGpu, case: &Case) -> Result<Checked, String> {
    let params = case.params();
    let ret = case.program.function(case.function).ret.clone();
    let index = params
        .iter()
        .position(|(ty, _)| matches!(ty, Ty::Struct(_)))
        .map(|at| {
            let one = matches!(&params[at].0, Ty::Struct(s) if s.name == "Index1");
            (
                at,
                if one {
                    IndexKind::Index1
                } else {
                    IndexKind::Index2
                },
            )
        });
    let mut arguments: Vec<Argument> = params
        .iter()
        .filter(|(ty, _)| !matches!(ty, Ty::Struct(_)))
        .map(|(ty, mode)| Argument {
            role: role(ty, *mode),
            ty: ty.clone(),
        })
        .collect();
    if ret != Ty::Unit {
        arguments.push(Argument {
            role: Role::Out,
            ty: ret.clone(),
        });
    }
    let program = case.program.clone();
    let kernel = Kernel::new(
        Pattern::Elementwise,
        program,
        case.function,
        None,
        index,
        arguments,
    );
    let kernel = Arc::new(kernel);
    if let Err(reason) = WebGpu::check(&device.limits(), &kernel, Shape::D1(ELEMS)) {
        // What no device of this kind can do; anything else must run.
        let known = ["usize", "f64"].iter().any(|what| reason.contains(what));
        return if known {
            Ok(Checked {
                refused: Some(reason),
                ..Checked::default()
            })
        } else {
            Err(format!("refused: {reason}"))
        };
    }
    let mut checked = Checked::default();
    for salt in 0..LAUNCHES {
        launch(device, case, &kernel, salt as u64, &mut checked)?;
    }
    Ok(checked)
}

fn role(ty: &Ty, mode: Mode) -> Role {
    match mode {
        Mode::InOut => Role::InOut,
        Mode::In if *ty == Ty::Usize => Role::Uniform,
        Mode::In => Role::In,
    }
}

/// Arguments of element `i`, in source order.
fn draw(
    random: &mut Random,
    kernel: &Kernel,
    precision: Precision,
    uniform: &[Value],
    i: usize,
) -> Vec<Value> {
    let mut values: Vec<Value> = kernel
        .arguments
        .iter()
        .zip(uniform)
        .filter(|(argument, _)| argument.role != Role::Out)
        .map(|(argument, uniform)| match argument.role {
            Role::Uniform => uniform.clone(),
            _ => loop {
                let value = random.value(&argument.ty);
                if precision.covers(&value) {
                    break value;
                }
            },
        })
        .collect();
    if let Some((at, kind)) = kernel.index {
        let ty = kernel.program.function(kernel.map).param_ty(at).clone();
        let Ty::Struct(ty) = ty else {
            unreachable!("an index is a struct")
        };
        let fields = match kind {
            IndexKind::Index1 => vec![Value::Usize(i)],
            IndexKind::Index2 => vec![Value::Usize(i / COLS), Value::Usize(i % COLS)],
        };
        values.insert(at, Value::Struct(ty, fields));
    }
    values
}

fn launch(
    device: &mut WebGpu,
    case: &Case,
    kernel: &Arc<Kernel>,
    salt: u64,
    checked: &mut Checked,
) -> Result<(), String> {
    let precision = Precision::of(&case.program);
    let mut random = Random(salt.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ kernel.hash);
    let uniform: Vec<Value> = kernel
        .arguments
        .iter()
        .map(|a| random.value(&a.ty))
        .collect();
    let mut inputs: Vec<Vec<Value>> = (0..ELEMS)
        .map(|i| draw(&mut random, kernel, precision, &uniform, i))
        .collect();
    let mut natives: Vec<_> = inputs.iter().map(|args| (case.native)(args)).collect();
    // With elements that trap, the smallest index is reported; without them, everything is stored.
    loop {
        let first = natives.iter().position(Result::is_err);
        match (run(device, kernel, &inputs)?, first) {
            (Ran::Trapped(at), Some(first)) if at == first => checked.traps += 1,
            // Beyond 32 bits a device says so, where the CPU goes on.
            (Ran::Narrow, _) => return Ok(()),
            (Ran::Trapped(at), first) => {
                return Err(format!("trapped at {at}, the native function at {first:?}"));
            }
            (Ran::Done(..), Some(first)) => return Err(format!("no trap at {first}")),
            (Ran::Done(columns), None) => {
                checked.elements += ELEMS;
                return compare(kernel, precision, &inputs, &natives, &columns);
            }
        }
        let clean = natives.iter().position(Result::is_ok);
        let Some(clean) = clean else { return Ok(()) };
        if kernel.index.is_some() {
            // An element's index cannot be moved elsewhere, so its trap stays.
            return Ok(());
        }
        for i in 0..ELEMS {
            if natives[i].is_err() {
                inputs[i] = inputs[clean].clone();
                natives[i] = (case.native)(&inputs[i]);
            }
        }
    }
}

enum Ran {
    Done(Vec<Column>),
    Trapped(usize),
    Narrow,
}

fn run(device: &mut WebGpu, kernel: &Arc<Kernel>, inputs: &[Vec<Value>]) -> Result<Ran, String> {
    let say = |error: Error| error.to_string();
    let n = inputs.len();
    let position = |k: usize| k + usize::from(kernel.index.is_some_and(|(at, _)| at <= k));
    let mut columns: Vec<Column> = kernel
        .arguments
        .iter()
        .enumerate()
        .map(|(k, argument)| match argument.role {
            Role::Out => Column::zeros(&argument.ty, n),
            _ => Column::of(
                &argument.ty,
                inputs.iter().map(|args| args[position(k)].clone()),
            ),
        })
        .collect();
    let mut arrays = Vec::new();
    for (argument, column) in kernel.arguments.iter().zip(&columns) {
        arrays.push(match argument.role {
            Role::Uniform => None,
            _ => {
                let mut array = device
                    .allocate(column.layout(), &argument.ty, 0..n)
                    .map_err(say)?;
                device.upload(&mut array, column.view()).map_err(say)?;
                Some(array)
            }
        });
    }
    let args = arrays.iter_mut().zip(&columns).zip(&kernel.arguments).map(
        |((array, column), argument)| match (argument.role, array) {
            (Role::In, Some(array)) => LaunchArg::In(&*array),
            (Role::InOut, Some(array)) => LaunchArg::InOut(array),
            (Role::Out, Some(array)) => LaunchArg::Out(array),
            _ => LaunchArg::Uniform(column.view().narrow(0..1)),
        },
    );
    let shape = match kernel.index {
        Some((_, IndexKind::Index2)) => Shape::D2(n / COLS, COLS),
        _ => Shape::D1(n),
    };
    let launch = Launch {
        kernel,
        phases: &NoHost,
        args: args.collect(),
        range: 0..n,
        shape,
        stream: Stream::default(),
    };
    let launched = device.launch(launch).map_err(say)?;
    if let Some(words) = launched.traps
        && let Some(trapped) = device.read_traps(words).map_err(say)?
    {
        return match trapped.error {
            Error::Unsupported { .. } => Ok(Ran::Narrow),
            _ => Ok(Ran::Trapped(
                trapped.index.ok_or("a trap without an index")?,
            )),
        };
    }
    for ((argument, column), array) in kernel.arguments.iter().zip(&mut columns).zip(&arrays) {
        if let (Role::InOut | Role::Out, Some(array)) = (argument.role, array) {
            device
                .download(array, column.view_mut().into_out())
                .map_err(say)?;
        }
    }
    Ok(Ran::Done(columns))
}

fn compare(
    kernel: &Kernel,
    precision: Precision,
    inputs: &[Vec<Value>],
    natives: &[crate::corpus::Native],
    columns: &[Column],
) -> Result<(), String> {
    for (i, (args, native)) in inputs.iter().zip(natives).enumerate() {
        let Ok((result, changed)) = native else {
            return Err(format!("element {i} should have trapped"));
        };
        let mut changed = changed.iter();
        for (argument, column) in kernel.arguments.iter().zip(columns) {
            let expected = match argument.role {
                Role::Out => result,
                Role::InOut => changed.next().ok_or("an in-place argument is missing")?,
                Role::In | Role::Uniform | Role::View => continue,
            };
            let found = column.get(i);
            if !precision.agree(&found, expected) {
                return Err(format!("{args:?} gives {found:?} instead of {expected:?}"));
            }
        }
    }
    Ok(())
}
