//! Memory: arrays, where they lie, and transfers.
//!
//! | module | what it does |
//! |---|---|
//! | `array` | the elements of one container on the device |
//! | `spans` | pieces of blocks: which are free (pure) |
//! | `pool` | device memory, kept for later |
//! | `staging` | page-locked host memory, kept for later |
//! | `uses` | which range of a piece is used by what (pure) |
//! | `transfer` | uploads and downloads, step by step; copies on the device |

mod array;
mod pool;
mod spans;
mod staging;
mod transfer;
mod uses;

pub use array::Array;
pub(super) use pool::{Pool, PooledMemory, piece_bytes};
pub(super) use staging::{Chunk, Staging};
pub(super) use transfer::{copy, download, upload};
