//! The command, from the outside: what it runs, prints, writes, and how it ends.
#![cfg(unix)]

mod cargo;
mod fake;
mod fixture;
mod interrupt;
mod run;
