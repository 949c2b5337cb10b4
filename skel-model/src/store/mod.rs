//! Where models are kept, and finding them again.
//!
//! | module | what |
//! |---|---|
//! | [`error`] | what can go wrong |
//! | [`find`] | the look-up, in order, that a program makes |
//! | [`layout`] | the files in the user's cache folder |
//! | [`merge`] | models of one instance from two sources |
//! | [`save`] | writing, so that a file is always the old one or the new one |
//! | [`stale`] | models that do not fit any more |
//!
//! Programs only read. What cannot be read, is damaged, or was measured elsewhere, is not used: that
//! changes how long calls take, and nothing else. Only `cargo tune` writes.
//!
//! `SKEL_TUNE_FILE` is looked into first; `SKEL_CACHE_DIR` and `SKEL_CACHE` say where the folder of models is: see
//! [`skel_core::setting`].
//!
//! The current directory is not looked into: its owner is not trusted to say how programs run.

pub mod error;
pub mod find;
pub mod layout;
mod lock;
pub mod merge;
pub mod save;
pub mod stale;
#[cfg(test)]
mod test;

pub use error::StoreError;
pub use find::{Found, Lookup, Machine, Place, Store};
pub use layout::{Folder, machine_hash};
pub use save::{Existing, Saved, update};
pub use stale::{Soft, Stale};
