//! Algorithmic skeletons: write a loop body once, run it on all CPU cores and all GPUs of a machine,
//! at the same time, in one call.
//!
//! ```
//! use skel::prelude::*;
//!
//! #[user_function]
//! fn mult(a: f32, b: f32) -> f32 {
//!     a * b
//! }
//!
//! #[user_function]
//! fn add<T: Number>(a: T, b: T) -> T {
//!     a + b
//! }
//!
//! fn main() -> skel::Result<()> {
//!     let x = Vector::from(vec![1.0_f32; 1 << 16]);
//!     let y = Vector::from_fn(1 << 16, |i| (i % 8) as f32);
//!
//!     let dot = map_reduce!(mult, add); // a skeleton instance
//!     assert_eq!(dot.run((&x, &y))?, 229_376.0); // wherever it runs best
//!
//!     let scale = map!(|x: f32, #[uniform] k: f32| k * x);
//!     let z = scale.on(Hybrid::ratio(0.2)).run((&y, 3.0))?; // 20 % on the CPU, the rest on devices
//!     assert_eq!(z.host()?[..4], [0.0, 3.0, 6.0, 9.0]); // downloads only what the host lacks
//!     Ok(())
//! }
//! ```
//!
//! - **User functions**: [`user_function`] leaves the function what it was, and gives it a form for
//!   devices. What may stand in one, and what it means on every unit: `docs/language.md`.
//! - **Skeletons**: [`Map`], [`MapOverlap`], [`MapPool`], [`MapPairs`], [`MapLines`], [`Reduce`], [`MapReduce`],
//!   [`MapOverlapReduce`], [`MapPairsReduce`], [`Scan`], [`Sweep`], [`Call`], made by [`map!`], [`map_overlap!`], [`map_pool!`],
//!   [`map_pairs!`], [`map_lines!`], [`reduce!`], [`map_reduce!`], [`map_overlap_reduce!`], [`map_pairs_reduce!`], [`scan!`], [`sweep!`],
//!   [`call!`].
//! - **Containers**: [`Vector`], [`Matrix`], [`Tensor3`], [`Tensor4`], [`Scalar`]; plain slices and `Vec`s are taken as well.
//! - **Where it runs**: `.on(…)` with [`Auto`], [`Sequential`], [`Cpu`], [`Cuda`], [`Wgpu`], [`Device`],
//!   [`Hybrid`] or [`Tasks`]; for a whole run, `SKEL_BACKEND` says it, by one of [`Target::TEXTS`]. What there is:
//!   [`devices`]. What ran: [`observe()`].
//!
//! # Features
//!
//! | feature | what |
//! |---|---|
//! | `wgpu`, `cuda` (both by default) | the devices |
//! | `complex`, `half` | elements of the crates `num-complex` and `half` |
//! | `ndarray` | arrays of that crate: `From` and `into_array`, `host_array`, as arguments and outputs |
//! | `npy` | `npy::load` and `npy::save`: files in NumPy's format (building it takes a C compiler) |
//! | `serde` | [`Target`] in configuration files, as the string that it parses from |
//! | `conformance` | the suite that units of other crates run, too |
//!
//! Parallel iterators need none: `v.host()?.par_iter()` is rayon's, over the slice.
//!
//! # Environment
//!
//! Variables of the environment change where a whole run computes (`SKEL_BACKEND`), how devices are driven, what is
//! kept on disk, and what is written for people (`SKEL_TRACE`, `SKEL_DUMP`). `docs/environment.md` lists all of them,
//! and what nonsense in each gives; [`setting::settings`] says how those that are set were understood.

#![deny(clippy::print_stderr, clippy::print_stdout)]

pub use skel_backends::{
    CallReport, Context, ContextBuilder, DeviceReport, Health, Part, Traffic, Watchdog, observe,
};
#[doc(inline)]
pub use skel_core::container::with_slice;
pub use skel_core::{
    Cause, Element, Error, Result,
    container::{
        Across, Down, HostMut, HostRef, Matrix, MatrixPart, MatrixPartMut, Scalar, Tensor3,
        Tensor3Part, Tensor3PartMut, Tensor4, Tensor4Part, Tensor4PartMut, Vector, VectorPart,
        VectorPartMut, across, down,
    },
    host_memory::memory,
    param::{
        Col, Each, EachCol, EachLine, EachLineMut, EachMut, EachPool1, EachPool2, EachPool3,
        EachPool4, EachRow, EachSweep1, EachSweep2, EachSweep3, EachWindow1, EachWindow2,
        EachWindow3, EachWindow4, Index1, Index2, Index3, Index4, Line, MatrixView, Pool1, Pool2,
        Pool3, Pool4, Random, Row, Sweep1, Sweep2, Sweep3, Tensor3View, Tensor4View, Uniform,
        Whole, WholeMatrix, WholeTensor3, WholeTensor4, Window1, Window2, Window3, Window4,
    },
    schedule::{Auto, Cpu, Cuda, Device, Hybrid, Sequential, SizePlan, Target, Tasks, Wgpu},
    skeleton::{Edge, Update},
    space::Shape,
    user_function::{
        Float, Function1, Function2, Function3, Function4, Integer, Number, UserFunction,
    },
};
pub use skel_macros::{
    Element, call, map, map_lines, map_overlap, map_overlap_reduce, map_pairs, map_pairs_reduce,
    map_pool, map_reduce, reduce, scan, sweep, user_function,
};
#[doc(inline)]
pub use skel_model as model;

#[cfg(feature = "half")]
pub use skel_core::half;
#[cfg(feature = "npy")]
pub use skel_core::interop::npy;
#[cfg(feature = "ndarray")]
pub use skel_core::ndarray;
#[cfg(feature = "complex")]
pub use skel_core::num_complex;

pub use skel_backends::DefaultContext;

/// Has calls in the default context go by the models of a tuning file, which `cargo tune export` has made and
/// which becomes part of the program: `skel::tuning!("skel.tune.json")`, with a path from the source file.
/// To be said before the first call. It may hold models of many machines; on others, the program runs as
/// without. The file has to be there when the program is built for the first time: begin with one that is
/// empty, or `{}`, which holds no models. See [`tuning::embed`].
#[macro_export]
macro_rules! tuning {
    ($path:literal) => {
        $crate::tuning::embed($crate::__private::core::include_str!($path))
    };
}

// The macros write `::skel::…`, also where this crate uses them.
extern crate self as skel;

pub mod tuning;

#[cfg(feature = "conformance")]
pub mod conformance;

/// Map in the default context; [`skeleton::Map`] is the same in any.
pub type Map<F> = skeleton::Map<F, DefaultContext>;
/// MapOverlap in the default context; [`skeleton::MapOverlap`] is the same in any.
pub type MapOverlap<F> = skeleton::MapOverlap<F, DefaultContext>;
/// MapOverlapReduce in the default context; a [`skeleton::MapOverlap`] that is [`skeleton::Reduced`] is the same in any.
pub type MapOverlapReduce<F, R> =
    skeleton::MapOverlap<F, DefaultContext, skeleton::NoPad, skeleton::Reduced<R>>;
/// MapPool in the default context; [`skeleton::MapPool`] is the same in any.
pub type MapPool<F> = skeleton::MapPool<F, DefaultContext>;
/// MapLines in the default context; [`skeleton::MapLines`] is the same in any.
pub type MapLines<F> = skeleton::MapLines<F, DefaultContext>;
/// Reduce in the default context; [`skeleton::Reduce`] is the same in any.
pub type Reduce<R> = skeleton::Reduce<R, DefaultContext>;
/// MapReduce in the default context; [`skeleton::MapReduce`] is the same in any.
pub type MapReduce<F, R> = skeleton::MapReduce<F, R, DefaultContext>;
/// MapPairs in the default context; [`skeleton::MapPairs`] is the same in any.
pub type MapPairs<F> = skeleton::MapPairs<F, DefaultContext>;
/// MapPairsReduce in the default context; [`skeleton::MapReduceAlong`] is the same in any.
pub type MapPairsReduce<F, R, L = skeleton::Rows> =
    skeleton::MapReduceAlong<F, R, L, DefaultContext>;

/// Call in the default context; [`skeleton::Call`] is the same in any.
pub type Call<F> = skeleton::Call<F, DefaultContext>;
/// Scan in the default context; [`skeleton::Scan`] is the same in any.
pub type Scan<R, A = skeleton::scan::All> = skeleton::Scan<R, A, DefaultContext>;
/// Sweep in the default context; [`skeleton::Sweep`] is the same in any.
pub type Sweep<F> = skeleton::Sweep<F, DefaultContext>;

/// The skeletons, over any context.
pub mod skeleton {
    pub use skel_core::skeleton::{
        AlongAxis, Call, Coloured, Cols, Coordinates, Everywhere, Identity, IdentityOf, Initial,
        Iterated, Map, MapLines, MapOverlap, MapPairs, MapPool, MapReduce, MapReduceAlong,
        NoIdentity, NoPad, Operator, Operators, Pad, PadValue, Padded, Reduce, ReduceAlong,
        Reduced, Rows, Scan, Stencil, Sweep, TwoReductions, scan,
    };
    pub use skel_core::space::Axis;
}

/// What bounds of functions over any arguments name: `docs/library.md` has an example.
pub mod bind {
    pub use skel_core::{
        bind::{BindAll, Destination, Domain, Fill},
        param::{Outputs, ParamList},
    };
}

/// Dataflow tasks: calls in chunks that workers take ([`Tasks`]), and graphs of tasks ([`tasks::TaskGraph`]), under
/// schedulers of the literature ([`tasks::scheduler`]), for real or in virtual time ([`tasks::sim`]). Time steps over
/// items of unlike sizes: [`tasks::Steps`], under work distributions of the literature ([`tasks::distribution`]).
///
/// ```
/// use skel::{prelude::*, tasks::scheduler::LaHeteroprio};
///
/// let double = map!(|x: u32| 2 * x).on(Tasks::new(LaHeteroprio::default()).chunks(8));
/// assert_eq!(double.run((&Vector::from([1, 2, 3]),))?.host()?[..], [2, 4, 6]);
/// # skel::Result::Ok(())
/// ```
pub mod tasks {
    pub use skel_backends::steps::{StepUnit, Steps};
    pub use skel_backends::task_graph::{
        Accesses, Argument, CallAccesses, CallArgument, CallTasks, Handle, Lent, LentSlice,
        NewCall, NewTask, Reduction, RunningTask, Scope, Task, TaskData, TaskGraph,
        TaskGraphBuilder, Units,
    };
    pub use skel_core::container::RangeMut;
    #[doc(inline)]
    pub use skel_tasks as engine;
    pub use skel_tasks::{
        BadOption, Configuration, Link, Machine, MemoryNode, Rates, Scheduler, TaskError, TaskId,
        distribution, npb_mz, scheduler, sim,
    };
}

/// What is predicted of calls from their models.
pub mod schedule {
    pub use skel_model::policy::{LEAST_GAIN, Moved, Prediction, UnitCost, predict};
}

/// The variables of the environment, which `docs/environment.md` lists, and how they were understood.
pub mod setting {
    pub use skel_backends::setting::{Setting, settings, unknown};
    pub use skel_core::setting::{OnInvalid, VariableInfo};
}

/// A device for tests: see [`mock::Mock`].
pub mod mock {
    pub use skel_backends::mock::{Gate, Law, Load, Mock, Operation};
}

/// The devices that wgpu reaches, for contexts of one's own.
#[cfg(feature = "wgpu")]
pub mod webgpu {
    pub use skel_backends::webgpu::{Found, Loss, Options, WebGpu, enumerate, open, open_with};
}

/// The GPUs that CUDA drives, for contexts of one's own, and what can be switched off.
///
/// ```no_run
/// use skel::{Context, cuda, prelude::*, unit::DeviceUnit};
///
/// let mut slow = cuda::Options::default();
/// slow.pinned = false;
/// let mut builder = Context::builder();
/// for found in cuda::enumerate().iter().filter(|found| found.rejected.is_none()) {
///     builder = builder.unit(DeviceUnit::new(cuda::open_with(found, slow)?)?);
/// }
/// let twice = map!(|x: f32| 2.0 * x).within(builder.build()?);
/// # Ok::<(), skel::Error>(())
/// ```
#[cfg(feature = "cuda")]
pub mod cuda {
    pub use skel_backends::cuda::{CudaGpu, Found, Options, enumerate, nvrtc, open, open_with};
}

/// For code that adds units: see [`unit::Driver`]. A dialect needs the IR of `skel-core`, too.
pub mod unit {
    pub use skel_backends::{
        ItemId, Running, Unit,
        device::{DeviceUnit, Driver, Launch, LaunchArg, Launched, Mark, TrapWords, Trapped},
    };
    pub use skel_core::{
        frame::{ElementLayout, ErasedArray, Frame, Partial, Slot, Spine, View, ViewOut},
        ir::Ty,
        plan::{BlockConfig, BlockConfigs, Blocks, Kernel, Pattern, Phases, Role},
        unit::{NodeId, UnitInfo, UnitKind},
    };
}

/// The devices of this machine that the default context found: those it uses, numbered as
/// [`Device`] counts them, and those it rejected, with the reason.
#[must_use]
pub fn devices() -> Vec<DeviceReport> {
    DefaultContext.get().devices()
}

/// Opens all devices of the default context, and says what was found: see [`Context::open_devices`].
///
/// ```
/// for device in skel::open_devices() {
///     println!("{device}"); // …, arithmetic trunc of f64 by integers
/// }
/// ```
#[must_use]
pub fn open_devices() -> Vec<DeviceReport> {
    DefaultContext.get().open_devices()
}

/// Waits until all devices of the default context have done what they were given: see
/// [`Context::sync`].
///
/// # Errors
/// The first error on a device since the last `sync()` that was not reported yet.
///
/// ```
/// use skel::prelude::*;
///
/// let y = map!(|x: f32| 2.0 * x).run((&Vector::from([1.0, 2.0]),))?;
/// skel::sync()?;
/// assert_eq!(y.host()?[..], [2.0, 4.0]);
/// # skel::Result::Ok(())
/// ```
pub fn sync() -> Result<()> {
    DefaultContext.get().sync()
}

/// What most programs need: `use skel::prelude::*;`.
///
/// The skeletons' macros and types, containers, targets, what parameters of user functions are, and [`Error`].
/// A type of your own named `Error`, or one that is imported by its name, takes precedence, as over any glob
/// import. [`Result`] is not here, since it would hide the one of std: write `skel::Result`.
pub mod prelude {
    pub use crate::{
        Auto, Call, Col, Cpu, Cuda, Device, Edge, Element, Error, Float, Function1, Function2,
        Function3, Function4, Hybrid, Index1, Index2, Index3, Index4, Integer, Line, Map, MapLines,
        MapOverlap, MapOverlapReduce, MapPairs, MapPairsReduce, MapPool, MapReduce, Matrix,
        MatrixView, Number, Pool1, Pool2, Pool3, Pool4, Random, Reduce, Row, Scalar, Scan,
        Sequential, Sweep, Sweep1, Sweep2, Sweep3, Target, Tasks, Tensor3, Tensor3View, Tensor4,
        Tensor4View, Update, Vector, Wgpu, Window1, Window2, Window3, Window4, across, call, down,
        map, map_lines, map_overlap, map_overlap_reduce, map_pairs, map_pairs_reduce, map_pool,
        map_reduce, reduce, scan, sweep, user_function,
    };
}

/// What the macros name in their output. Not for people; changes with every version.
#[doc(hidden)]
pub mod __private {
    pub use skel_core::private::*;

    use super::{DefaultContext, MapOverlapReduce, MapPairsReduce, MapReduce};

    macro_rules! of_one_function {
        ($($skeleton:ident $type:ident;)*) => { $(
            #[doc = concat!("What `", stringify!($skeleton), "!` makes.")]
            #[must_use]
            pub const fn $skeleton<F>(_: Fun<F>, name: &'static str) -> super::$type<F> {
                super::$type::with_executor(name, DefaultContext)
            }
        )* };
    }
    of_one_function! {
        call Call;
        map Map;
        map_lines MapLines;
        map_overlap MapOverlap;
        map_pairs MapPairs;
        map_pool MapPool;
        reduce Reduce;
        scan Scan;
        sweep Sweep;
    }

    /// What `map_reduce!` makes.
    #[must_use]
    pub const fn map_reduce<F, R>(_: Fun<F>, _: Fun<R>, name: &'static str) -> MapReduce<F, R> {
        MapReduce::with_executor(name, DefaultContext)
    }

    /// What `map_overlap_reduce!` makes.
    #[must_use]
    pub const fn map_overlap_reduce<F, R>(
        _: Fun<F>,
        _: Fun<R>,
        name: &'static str,
    ) -> MapOverlapReduce<F, R> {
        MapOverlapReduce::reducing(name, DefaultContext)
    }

    /// What `map_pairs_reduce!` makes.
    #[must_use]
    pub fn map_pairs_reduce<F, R>(
        f: Fun<F>,
        op: Fun<R>,
        name: &'static str,
    ) -> MapPairsReduce<F, R> {
        map_reduce(f, op, name).rows()
    }

    macro_rules! several_operators {
        ($($map_reduce:ident $map_overlap_reduce:ident $map_pairs_reduce:ident $($r:ident)+;)*) => { $(
            /// What `map_reduce!` makes of a function with as many results.
            #[must_use]
            pub const fn $map_reduce<F, $($r),+>(
                _: Fun<F>,
                $(_: Fun<$r>,)+
                name: &'static str,
            ) -> MapReduce<F, ($($r,)+)> {
                MapReduce::with_executor(name, DefaultContext)
            }

            /// What `map_overlap_reduce!` makes of a function with as many results.
            #[must_use]
            pub const fn $map_overlap_reduce<F, $($r),+>(
                _: Fun<F>,
                $(_: Fun<$r>,)+
                name: &'static str,
            ) -> MapOverlapReduce<F, ($($r,)+)> {
                MapOverlapReduce::reducing(name, DefaultContext)
            }

            /// What `map_pairs_reduce!` makes of a function with as many results.
            #[must_use]
            pub fn $map_pairs_reduce<F, $($r),+>(
                _: Fun<F>,
                $(_: Fun<$r>,)+
                name: &'static str,
            ) -> MapPairsReduce<F, ($($r,)+)> {
                MapReduce::with_executor(name, DefaultContext).rows()
            }
        )* };
    }
    several_operators! {
        map_reduce_3 map_overlap_reduce_3 map_pairs_reduce_3 A B;
        map_reduce_4 map_overlap_reduce_4 map_pairs_reduce_4 A B C;
        map_reduce_5 map_overlap_reduce_5 map_pairs_reduce_5 A B C D;
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod first_page {}

#[cfg(doctest)]
#[doc = include_str!("../docs/skeletons.md")]
mod skeletons_page {}

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library_page {}

#[cfg(doctest)]
#[doc = include_str!("../docs/tasks.md")]
mod tasks_page {}

#[cfg(doctest)]
#[doc = include_str!("../docs/distribution.md")]
mod distribution_page {}

#[cfg(doctest)]
mod refused;
