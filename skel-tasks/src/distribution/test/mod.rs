//! Schemes over many steps, in virtual time.

mod laws;
mod losses;
mod text;
mod traces;
