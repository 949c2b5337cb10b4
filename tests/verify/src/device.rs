//! Runs the corpus on the first device that wgpu finds, driver and all, and compares.

mod column;

use self::column::Column;
use crate::{
    Case, Checked,
    kernel::{draw, expected, kernel, parameter, shape},
    lines, message,
    near::{self, World},
    precision::Precision,
    same_cause,
    stream::STREAM,
    tables,
};
use libtest_mimic::{Arguments, Failed, Trial};
use skel_backends::{
    device::{Driver, Launch, LaunchArg},
    webgpu::{self, WebGpu},
};
use skel_core::{
    Error,
    ir::{Ty, Value},
    plan::{DeviceOnly, Kernel, Role},
    space::{IndexSpace, Neighbourhood},
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Elements per launch.
const ELEMS: usize = 500;
const LAUNCHES: usize = 6;
/// Elements per launch of functions whose arguments are given.
const SWEPT: usize = 1 << 14;

/// Compares all of them: the `main` of a test.
pub fn main(corpus: Vec<Case>) {
    // The corpus panics by the thousand, on purpose; what a test finds is its result.
    std::panic::set_hook(Box::new(|_| ()));
    let arguments = Arguments::from_args();
    let found = webgpu::enumerate()
        .into_iter()
        .find(|found| found.rejected.is_none());
    let devices: &'static Option<Devices> = Box::leak(Box::new(found.map(Devices::of)));
    let trials = corpus.into_iter().map(|case| {
        let name = format!("device::{}", case.name);
        if devices.is_none() {
            println!("skipped: {name}: no device that wgpu reaches (Debian: mesa-vulkan-drivers)");
        }
        let trial = Trial::test(name, move || match devices {
            Some(devices) => {
                devices.with(|device| check(device, &case).map(|_| ()).map_err(Failed::from))
            }
            None => Err("there is no device".into()),
        });
        trial.with_ignored_flag(devices.is_none())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// The device, opened once for each test that runs at the same time: most of a test is the driver's compiler, which takes one
/// core.
struct Devices {
    found: webgpu::Found,
    idle: Mutex<Vec<WebGpu>>,
}

impl Devices {
    fn of(found: webgpu::Found) -> Self {
        let idle = Mutex::default();
        Devices { found, idle }
    }

    /// One that no other test has meanwhile. Of a test that panics, it is not used again.
    fn with<R>(&self, test: impl FnOnce(&mut WebGpu) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let mut device = known.unwrap_or_else(|| webgpu::open(&self.found).expect("it opens"));
        let result = test(&mut device);
        idle().push(device);
        result
    }
}

/// Compares the device with the native function on many inputs.
pub fn check(device: &mut WebGpu, case: &Case) -> Result<Checked, String> {
    let mut checked = Checked::default();
    for uniform in [false, true] {
        let kernel = Arc::new(kernel(case, uniform));
        if let Err(reason) = WebGpu::check(&device.limits(), &kernel, shape(&kernel, ELEMS)) {
            // What no device of this kind can do; anything else must run.
            let known = [
                "of `f64`, which WGSL does not have",
                "does not fit the 32 bits that this device computes in",
                "which this device does not have",
                "in which this device's driver gives wrong results",
                "this device's compiler is right up to",
            ];
            if !known.iter().any(|what| reason.contains(what)) {
                return Err(format!("refused: {reason}"));
            }
            checked.refused = Some(reason);
            return Ok(checked);
        }
        if let Some(sweep) = case.sweep {
            for inputs in (sweep.inputs)().chunks(SWEPT) {
                launch(device, case, &kernel, inputs.to_vec(), &mut checked)?;
            }
            break;
        }
        for salt in 0..LAUNCHES / (1 + usize::from(uniform)) {
            let inputs = drawn(case, &kernel, salt as u64);
            launch(device, case, &kernel, inputs, &mut checked)?;
        }
    }
    Ok(checked)
}

/// Random arguments of a launch, such that the function is well-behaved there.
fn drawn(case: &Case, kernel: &Kernel, salt: u64) -> Vec<Vec<Value>> {
    let precision = Precision::of_device(&case.program);
    let mut inputs = draw(case, kernel, salt, ELEMS);
    for value in inputs.iter_mut().flatten() {
        precision.tame(value);
    }
    for (k, argument) in kernel.arguments.iter().enumerate() {
        if argument.role == Role::Uniform {
            let at = parameter(kernel, k);
            let value = inputs[0][at].clone();
            for input in &mut inputs {
                input[at] = value.clone();
            }
        }
    }
    inputs
}

fn launch(
    device: &mut WebGpu,
    case: &Case,
    kernel: &Arc<Kernel>,
    mut inputs: Vec<Vec<Value>>,
    checked: &mut Checked,
) -> Result<(), String> {
    let mut natives: Vec<_> = inputs.iter().map(|args| (case.native)(args)).collect();
    // With elements that trap, the smallest index is reported; without them, everything is stored.
    loop {
        let first = natives.iter().position(Result::is_err);
        match (run(device, kernel, &inputs)?, first) {
            (Ran::Trapped(at, says), Some(first)) if at == first => {
                let panic = natives[first].as_ref().err();
                let panic = panic.map_or_else(String::new, |panic| message(&**panic));
                if !same_cause(&panic, &says) {
                    return Err(format!("{says:?} at {at}, where the panic says {panic:?}"));
                }
                checked.traps += 1;
            }
            // Beyond 32 bits a device says so, where the CPU goes on.
            (Ran::Narrow, _) => return Ok(()),
            (Ran::Trapped(at, says), first) => {
                return Err(format!(
                    "{says:?} at {at}, the native function at {first:?}"
                ));
            }
            (Ran::Done(..), Some(first)) => return Err(format!("no trap at {first}")),
            (Ran::Done(columns), None) => {
                checked.elements += inputs.len();
                return compare(case, kernel, &inputs, &natives, &columns);
            }
        }
        let fixed = kernel.index.is_some() || kernel.random.is_some();
        if fixed || !near::without_traps(&mut inputs, &mut natives, case.native) {
            return Ok(());
        }
    }
}

enum Ran {
    Done(Vec<Column>),
    Trapped(usize, String),
    Narrow,
}

fn run(device: &mut WebGpu, kernel: &Arc<Kernel>, inputs: &[Vec<Value>]) -> Result<Ran, String> {
    let say = |error: Error| error.to_string();
    let n = inputs.len();
    let position = |k: usize| parameter(kernel, k);
    let lying = lines::lying(kernel, n);
    let mut columns: Vec<Column> = kernel
        .arguments
        .iter()
        .enumerate()
        .map(|(k, argument)| match argument.role {
            Role::Out => Column::zeros(&argument.ty, n),
            Role::View => Column::table(&argument.ty),
            Role::Line | Role::LineMut => {
                let values = inputs.iter().map(|args| &args[position(k)]);
                Column::of(element(&argument.ty), lines::laid(lying, values).iter())
            }
            Role::Window(_) => Column::world(&argument.ty, &World::of(&inputs[0][position(k)]).0),
            _ => Column::of(&argument.ty, inputs.iter().map(|args| &args[position(k)])),
        })
        .collect();
    let worlds: Vec<Option<(Neighbourhood, Column)>> = kernel
        .arguments
        .iter()
        .enumerate()
        .map(|(k, argument)| match (argument.role, &argument.ty) {
            (Role::Window(_), Ty::View(view)) => {
                let world = World::of(&inputs[0][position(k)]).0;
                Some((
                    world.near,
                    Column::of(&view.elem, std::iter::once(&world.pad)),
                ))
            }
            _ => None,
        })
        .collect();
    let mut arrays = Vec::new();
    for (argument, column) in kernel.arguments.iter().zip(&columns) {
        arrays.push(match argument.role {
            Role::Uniform => None,
            _ => {
                let mut array = device
                    .allocate(column.layout(), &column.ty, 0..column.len())
                    .map_err(say)?;
                device.upload(&mut array, column.view()).map_err(say)?;
                Some(array)
            }
        });
    }
    let parts = arrays.iter_mut().zip(&columns).zip(&worlds);
    let args = parts.zip(&kernel.arguments);
    let args =
        args.map(
            |(((array, column), world), argument)| match (argument.role, array, world) {
                (Role::In, Some(array), _) => LaunchArg::In(&*array),
                (Role::InOut, Some(array), _) => LaunchArg::InOut(array),
                (Role::Out, Some(array), _) => LaunchArg::Out(array),
                (Role::Line, Some(array), _) => LaunchArg::Lines(&*array, lying),
                (Role::LineMut, Some(array), _) => LaunchArg::LinesMut(array, lying),
                (Role::View, Some(array), _) => match &argument.ty {
                    Ty::View(view) => LaunchArg::View(&*array, tables::shape(view.kind)),
                    ty => unreachable!("{ty} as a view"),
                },
                (Role::Window(_), Some(array), Some((near, pad))) => {
                    LaunchArg::Window(&*array, *near, Some(pad.view()))
                }
                _ => LaunchArg::Uniform(column.view().narrow(0..1)),
            },
        );
    let shape = shape(kernel, n);
    let launch = Launch {
        kernel,
        phases: &DeviceOnly::<u32>::FACE,
        args: args.collect(),
        range: 0..n,
        offsets: Vec::new(),
        space: IndexSpace::new(shape, STREAM),
        followed: false,
        block: None,
    };
    let launched = device.launch(launch).map_err(say)?;
    if let Some(words) = launched.traps
        && let Some(trapped) = device.read_traps(words).map_err(say)?
    {
        return match trapped.error {
            Error::Unsupported { .. } => Ok(Ran::Narrow),
            Error::Trap { message, .. } => Ok(Ran::Trapped(
                trapped.index.ok_or("a trap without an index")?,
                message,
            )),
            other => Err(say(other)),
        };
    }
    for ((argument, column), array) in kernel.arguments.iter().zip(&mut columns).zip(&arrays) {
        if let (Role::InOut | Role::Out | Role::LineMut, Some(array)) = (argument.role, array) {
            device
                .download(array, column.view_mut().into_out())
                .map_err(say)?;
        }
    }
    Ok(Ran::Done(columns))
}

fn compare(
    case: &Case,
    kernel: &Kernel,
    inputs: &[Vec<Value>],
    natives: &[crate::Native],
    columns: &[Column],
) -> Result<(), String> {
    let lying = lines::lying(kernel, inputs.len());
    let precision = Precision::of_device(&case.program);
    // Of each result how often it differs, and the first time.
    let mut wrong: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for (i, (args, native)) in inputs.iter().zip(natives).enumerate() {
        for (result, (k, expected)) in expected(kernel, native)?.into_iter().enumerate() {
            let found = match &kernel.arguments[k] {
                line if line.role == Role::LineMut => {
                    lines::taken(&line.ty, lying, i, |at| columns[k].get(at))
                }
                _ => columns[k].get(i),
            };
            let fine = match &case.sweep {
                None => precision.agree(&found, &expected),
                Some(sweep) => {
                    precision.to_the_bit().agree(&found, &expected)
                        || sweep.allows(args, result, &found)
                }
            };
            if !fine {
                let first = || format!("{args:?} gives {found:?} instead of {expected:?}");
                wrong.entry(result).or_insert_with(|| (0, first())).0 += 1;
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let lines = wrong.iter().map(|(result, (times, first))| {
        format!(
            "result {result}, {times} of {} times: {first}",
            inputs.len()
        )
    });
    Err(lines.collect::<Vec<_>>().join("\n"))
}

/// What lies in memory.
fn element(ty: &Ty) -> &Ty {
    match ty {
        Ty::View(view) => &view.elem,
        ty => ty,
    }
}
