//! Schemes over many steps, in virtual time.

mod history;
mod laws;
mod losses;
mod text;
mod traces;
