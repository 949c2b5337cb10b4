//! What is kept on disk between runs of a program: where, and under which names.
//!
//! | module | what |
//! |---|---|
//! | [`folder`] | the user's cache folder, and reading from it |
//! | [`hash`] | names of files, which say nothing and are always the same |

pub mod folder;
pub mod hash;

pub use folder::CacheFolder;
pub use hash::Fnv;
