//! The NAS multi-zone benchmarks, as skeletons: the equations (`equations`, `rhs`), the three implicit solvers (`sp`,
//! `bt`, `lu`), a zone with its time step (`zone`), the exchange of borders (`exchange`), and all zones of a mesh
//! (`field`), with the published norms (`reference`).
#![allow(
    clippy::needless_range_loop,
    reason = "user functions go over components by their numbers"
)]

pub(crate) mod bt;
pub(crate) mod equations;
pub(crate) mod exchange;
pub(crate) mod field;
pub(crate) mod lu;
pub(crate) mod reference;
pub(crate) mod rhs;
pub(crate) mod sp;
pub(crate) mod zone;
