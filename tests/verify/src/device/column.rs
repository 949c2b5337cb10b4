//! Elements of any type in host memory, as drivers see them.

use crate::{Table, bytes, near::World};
use skel_core::{
    frame::{ElementLayout, View, ViewMut},
    ir::{Ty, Value},
};

/// Host memory of one argument: the bytes of values, which have no padding between them.
pub(super) struct Column {
    pub(super) ty: Ty,
    bytes: Vec<u8>,
}

/// `$body` for the type `$t` of as many bytes as `$size` says, which stands for any element of that
/// size: drivers look at bytes alone.
macro_rules! of_size {
    ($size:expr, $t:ident => $body:expr; $($bytes:literal)*) => {
        match $size {
            $($bytes => {
                type $t = [u8; $bytes];
                $body
            })*
            size => unreachable!("elements of {size} bytes: add the size here"),
        }
    };
    ($size:expr, $t:ident => $body:expr) => {
        of_size!($size, $t => $body;
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
            64 72 80 88 96 104 112 120 128 256)
    };
}

impl Column {
    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() / self.ty.size_bytes()
    }

    pub(super) fn zeros(ty: &Ty, n: usize) -> Column {
        Column {
            ty: ty.clone(),
            bytes: vec![0; n * ty.size_bytes()],
        }
    }

    pub(super) fn of<'v>(ty: &Ty, values: impl Iterator<Item = &'v Value>) -> Column {
        let mut memory = Vec::new();
        values.for_each(|value| bytes::put(value, &mut memory));
        Column {
            ty: ty.clone(),
            bytes: memory,
        }
    }

    /// What all elements see of a view.
    pub(super) fn table(ty: &Ty) -> Column {
        let Ty::View(view) = ty else {
            unreachable!("{ty} as a view")
        };
        Column::of(&view.elem, Table::of(ty).values.iter())
    }

    /// The container that windows and pools lie in.
    pub(super) fn world(ty: &Ty, world: &World) -> Column {
        let Ty::View(view) = ty else {
            unreachable!("{ty} as a neighbourhood")
        };
        Column::of(&view.elem, world.elements.iter())
    }

    pub(super) fn view(&self) -> View<'_> {
        of_size!(self.ty.size_bytes(), T => View::of::<T>(self.bytes.as_chunks().0))
    }

    pub(super) fn view_mut(&mut self) -> ViewMut<'_> {
        of_size!(self.ty.size_bytes(), T => ViewMut::of::<T>(self.bytes.as_chunks_mut().0))
    }

    pub(super) fn layout(&self) -> ElementLayout {
        of_size!(self.ty.size_bytes(), T => ElementLayout::of::<T>())
    }

    pub(super) fn get(&self, i: usize) -> Value {
        let size = self.ty.size_bytes();
        bytes::take(&self.ty, &mut &self.bytes[i * size..][..size])
    }
}
