//! Geometry against published numbers, and what the paper claims of its schedulers.

mod claims;
mod geometry;
