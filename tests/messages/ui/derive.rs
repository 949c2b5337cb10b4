//! `#[derive(Element)]` on what cannot be an element.
#![allow(unused)]
use skel::prelude::*;

#[derive(Clone, Copy, Element)]
struct NoOrder {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Nothing;

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Gap {
    tag: u8,
    x: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct End {
    x: f64,
    tag: u16,
}

#[derive(Clone, Copy, Element)]
#[repr(C, packed)]
struct Packed {
    tag: u8,
    x: f32,
}

#[derive(Element)]
#[repr(C)]
struct NotCopy {
    x: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Letters {
    x: f32,
    letter: char,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Borrowed<'a> {
    x: &'a f32,
}

#[derive(Clone, Copy, Element)]
union Either {
    x: f32,
    n: u32,
}

#[derive(Clone, Copy, Element)]
#[element(eq)]
#[repr(C)]
struct ByHand {
    x: f32,
}

impl PartialEq for ByHand {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Copy, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
struct Generic<T> {
    x: T,
}

#[derive(Clone, Copy, Element)]
#[element(order)]
#[repr(C)]
struct Options {
    x: f32,
}

#[derive(Clone, Copy, PartialEq, Element)]
enum NoInteger {
    A,
    B,
}

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum Values {
    A,
    B(f32),
}

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum NoZero {
    A = 1,
    B,
}

#[derive(Clone, Copy, Element)]
#[repr(u8)]
enum NotCompared {
    A,
    B,
}

fn main() {}
