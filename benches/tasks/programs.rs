//! The skeletons of figure 8, and where they run.

use skel::{Context, Result, Target, prelude::*, unit::DeviceUnit, unit::UnitKind, webgpu};
use std::time::Instant;

#[user_function]
fn saxpy(x: f32, y: f32, #[uniform] a: f32) -> f32 {
    a * x + y
}

#[user_function]
fn sum(a: f32, b: f32) -> f32 {
    a + b
}

#[user_function]
fn product(a: f32, b: f32) -> f32 {
    a * b
}

#[user_function]
fn sum_of_products(a: f32, b: f32) -> f32 {
    a + b
}

/// What takes a unit longer than the copies to it and back do.
#[user_function]
fn iterated(x: f32) -> f32 {
    let mut y = x;
    for _ in 0..ROUNDS {
        y = 0.25 * y * y + x;
    }
    y
}

const ROUNDS: i32 = 1024;

/// A skeleton.
pub(crate) struct Program {
    /// As the paper calls it, where it has it.
    pub(crate) name: &'static str,
    /// It is called for one in so many elements, so that all programs take about as long.
    divisor: usize,
    call: Box<Call>,
}

/// Seconds that a call takes, of so many elements, on fresh containers.
type Call = dyn Fn(&Target, usize) -> Result<f64>;

/// A container that no unit has seen, whose memory the system has given.
fn fresh(elems: usize) -> Vector<f32> {
    Vector::from((0..elems).map(|i| (i % 4) as f32).collect::<Vec<f32>>())
}

impl Program {
    pub(crate) fn all(context: &Context) -> [Program; 4] {
        let within = || context.clone();
        let map = map!(saxpy).within(within());
        let reduce = reduce!(sum).within(within());
        let map_reduce = map_reduce!(product, sum_of_products).within(within());
        let loops = map!(iterated).within(within());
        let program = |name, call| Program {
            name,
            divisor: 1,
            call,
        };
        [
            program(
                "Map",
                Box::new(move |at, n| {
                    let (x, y, mut z) = (fresh(n), fresh(n), fresh(n));
                    let map = map.clone().on(at.clone());
                    let started = Instant::now();
                    map.run_into((&x, &y, 2.0), &mut z)?;
                    // What a device has written comes back, too.
                    z.host()?;
                    Ok(started.elapsed().as_secs_f64())
                }),
            ),
            program(
                "Reduce",
                Box::new(move |at, n| {
                    let x = fresh(n);
                    let reduce = reduce.clone().on(at.clone());
                    let started = Instant::now();
                    reduce.run((&x,))?;
                    Ok(started.elapsed().as_secs_f64())
                }),
            ),
            program(
                "MapReduce",
                Box::new(move |at, n| {
                    let (x, y) = (fresh(n), fresh(n));
                    let map_reduce = map_reduce.clone().on(at.clone());
                    let started = Instant::now();
                    map_reduce.run((&x, &y))?;
                    Ok(started.elapsed().as_secs_f64())
                }),
            ),
            Program {
                name: "Loop",
                divisor: 64,
                call: Box::new(move |at, n| {
                    let (x, mut y) = (fresh(n), fresh(n));
                    let loops = loops.clone().on(at.clone());
                    let started = Instant::now();
                    loops.run_into((&x,), &mut y)?;
                    y.host()?;
                    Ok(started.elapsed().as_secs_f64())
                }),
            },
        ]
    }

    /// How many elements it has where the paper's have so many.
    pub(crate) fn elems(&self, elems: usize) -> usize {
        elems.div_ceil(self.divisor)
    }

    /// Seconds that a call of `self.elems(elems)` takes.
    pub(crate) fn call(&self, at: &Target, elems: usize) -> std::result::Result<f64, String> {
        let seconds = (self.call)(at, self.elems(elems));
        seconds.map_err(|error| format!("{} on {at}: {error}", self.name))
    }
}

/// A context with a device, if there is one, and its name.
pub(crate) fn context(software: bool) -> Result<(Context, Option<String>)> {
    let cuda = skel::cuda::enumerate();
    if let Some(found) = cuda.into_iter().find(|found| found.rejected.is_none()) {
        let unit = DeviceUnit::new(skel::cuda::open(&found)?)?;
        let context = Context::builder().unit(unit).build()?;
        return Ok((context, Some(found.info.name)));
    }
    let found = webgpu::enumerate().into_iter().find(|found| {
        let is_software = found.info.kind == UnitKind::SoftwareDevice;
        found.rejected.is_none() && (software || !is_software)
    });
    match found {
        Some(found) => {
            let unit = DeviceUnit::new(webgpu::open(&found)?)?;
            let context = Context::builder().unit(unit).build()?;
            Ok((context, Some(found.info.name)))
        }
        None => Ok((Context::builder().build()?, None)),
    }
}
