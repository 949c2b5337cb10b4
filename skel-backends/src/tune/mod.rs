//! Tuning: calls of a program are measured where they are made, on what they are given.
//!
//! The design is described in the README.md of this folder.
//!
//! ```text
//! call ──► Session::before ──► replays on copies ──► samples ──► fit ──► class model ──► Table, journal
//! ```
//!
//! A [`Session`] is attached to a context. Before a call is run, it may make it several times over copies of
//! its arguments: the first elements on the CPU, the last ones on devices, since that is where each will
//! work. The program's own containers stay as they are, and so does the call, which is run afterwards as if
//! nothing had been. Each instance is measured once per size class.
//!
//! Its models are in the context's [`Table`] at once, and in the journal, if there is one. Files of models
//! are written by the command alone.

mod blocks;
mod class;
mod compare;
mod files;
mod identify;
mod journal;
mod load;
mod measure;
mod places;
mod planner;
mod program;
mod record;
mod replay;
mod session;
mod table;
mod transfer;
mod trial;

use skel_model::stats;

pub use crate::tune_options::Options;
pub use files::embed;
pub(crate) use files::models_of_files;
pub(crate) use identify::{
    along_elems, beside_elems, borrowed, devices as device_ids, key, of_host, whole_elems,
};
pub use program::{Tuned, tune};
pub(crate) use replay::Contender;
pub(crate) use session::{Mode, Session};
pub(crate) use table::{Answer, Entry, Instead, Query, Table};
pub(crate) use trial::{Arm, Trial, Turn};
