//! What other crates have that this one takes: element types, arrays, files. Each is a feature.

#[cfg(feature = "complex")]
pub mod complex;
#[cfg(feature = "half")]
pub mod float16;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "npy")]
pub mod npy;
