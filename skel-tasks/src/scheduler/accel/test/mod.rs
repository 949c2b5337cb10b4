//! The strategies under a sequential driver in virtual time, against closed forms.

mod drive;
mod laws;
mod search;
mod shares;
