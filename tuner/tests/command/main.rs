//! The command, from the outside: what it runs, prints, writes, and how it ends.
#![cfg(unix)]

mod cargo;
mod chromium;
mod fake;
mod fixture;
mod folder;
mod interrupt;
mod real;
mod report;
mod run;
mod saved;
