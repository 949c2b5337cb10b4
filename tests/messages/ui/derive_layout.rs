//! `#[derive(Element)]` on what lies in memory otherwise than a device would think, or whose bytes are not
//! all values.
#![allow(unused)]
use skel::prelude::*;
use std::{cell::Cell, cmp::Ordering, marker::PhantomData, num::NonZeroU32};

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8, align(4))]
enum PaddedEnum {
    A,
    B,
}

#[derive(Clone, Copy, Element)]
#[repr(C, align(16))]
struct Aligned {
    x: [f32; 4],
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
#[repr(align(8))]
struct AlignedBeside {
    x: [f32; 4],
}

#[derive(Clone, Copy, Element)]
#[repr(C, packed(2))]
struct PackedByTwo {
    tag: u16,
    x: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(align(8))]
struct AlignedOnly {
    x: f64,
}

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(C)]
enum OfC {
    A,
    B,
}

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u128)]
enum TooWide {
    A,
    B,
}

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum Fields {
    A { x: f32 },
    B(),
}

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum Never {}

#[derive(Clone, Copy, Element)]
#[repr(transparent)]
struct Marked(f32, PhantomData<u8>);

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfUnit {
    x: f32,
    none: (),
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfTuple {
    pair: (f32, f32),
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfOption {
    x: Option<NonZeroU32>,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfOrdering {
    x: Ordering,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfPointer {
    x: *const f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfFunction {
    x: fn(f32) -> f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfGeneric<T> {
    x: PhantomData<T>,
    y: T,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct OfNothing {
    x: f32,
    none: [f32; 0],
}

#[derive(Element)]
#[repr(C)]
struct OfCell {
    x: Cell<u32>,
}

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum Beyond {
    A,
    B = 256,
}

const ONE: u8 = 1;

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum Twice {
    A = 0,
    B = ONE,
    C = 1,
}

fn main() {}
