//! Where skel is in the crate that a macro is expanded in.
//!
//! A proc macro has no `$crate`: what it writes names skel by the name that it has among the dependencies of the
//! crate that uses it. That is `::skel`, after the library target, unless `Cargo.toml` renames the dependency. So
//! the macros look there (`manifest`), once for each crate that is compiled. The crate `proc-macro-crate` does the same,
//! but with a TOML parser that preserves formatting, which every user would compile, and with a run of `cargo` for
//! each crate of a workspace.
//!
//! Skeleton macros and attributes alike go by that answer, so no `map!(…)` needs an argument.
//! `crate = path` in an attribute overrides it. Where there is no `Cargo.toml`, or it does not say it (another
//! build system, a macro of another crate), the answer is `::skel`; `extern crate other_name as skel;` in the root of
//! the crate makes that true for all macros at once, as it does in skel and in `skel-core` themselves, which have
//! `extern crate self as skel;`.

mod manifest;
mod toml;

use proc_macro2::TokenStream;
use quote::quote;
use std::{
    ffi::OsString,
    path::Path,
    sync::{Mutex, PoisonError},
};
use syn::Ident;

/// The name of the library target, and so of skel, where it is not renamed.
const LIBRARY: &str = "skel";

/// The folder of the last crate that was looked at, and skel's name there. A compiler has one crate; the server of
/// an editor has several.
static LAST: Mutex<Option<(OsString, String)>> = Mutex::new(None);

/// Where `skel::__private` is unless the user says otherwise.
pub(crate) fn default_root() -> TokenStream {
    let name = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| LIBRARY.to_owned(), name_in);
    // What is no name in Rust has not come from Cargo.
    let name: Ident = syn::parse_str(&name).unwrap_or_else(|_| quote::format_ident!("{LIBRARY}"));
    quote!(::#name::__private)
}

fn name_in(folder: OsString) -> String {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, name)) = &*last
        && *known == folder
    {
        return name.clone();
    }
    let name = manifest::renamed(Path::new(&folder)).unwrap_or_else(|| LIBRARY.to_owned());
    *last = Some((folder, name.clone()));
    name
}
