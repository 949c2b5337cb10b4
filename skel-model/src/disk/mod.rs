//! What is kept on disk between runs of a program: where, and under which names.
//!
//! | module | what |
//! |---|---|
//! | [`mod@file`] | opening what others name, and writing whole files |
//! | [`folder`] | the user's cache folder, and reading from it |

pub mod file;
pub mod folder;

pub use folder::CacheFolder;
