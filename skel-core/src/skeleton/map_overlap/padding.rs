//! What lies beyond padded edges, checked by rustc.

use super::MapOverlap;
use crate::{
    Element, Result,
    call::Executor,
    frame::View,
    param::{
        Each, EachCol, EachMut, EachPool1, EachPool2, EachPool3, EachPool4, EachRow, EachSweep1,
        EachSweep2, EachSweep3, EachWindow1, EachWindow2, EachWindow3, EachWindow4, Uniform, Whole,
        WholeMatrix, WholeTensor3, WholeTensor4, for_each_arity,
    },
    skeleton::neighbourhood::unfit,
    space::EdgeKind,
};

impl<F, E: Executor, V: PadValue, U> MapOverlap<F, E, V, U> {
    /// The value beyond the edges, if they are padded.
    pub(super) fn beyond(&self) -> Result<Option<View<'_>>> {
        if self.settings.layout.edge != EdgeKind::Pad {
            return Ok(None);
        }
        match self.settings.pad.view() {
            Some(value) => Ok(Some(value)),
            None => Err(unfit(
                &self.instance,
                "`Edge::Pad` takes a value: say `.pad(value)` before `.edge(…)`",
            )),
        }
    }
}

/// Edges are not padded.
#[derive(Clone, Copy, Debug)]
pub struct NoPad;

/// Edges are padded with this value.
#[derive(Clone, Copy, Debug)]
pub struct Pad<T>(pub(super) T);

impl<T> Pad<T> {
    /// This value.
    pub(in crate::skeleton) fn new(value: T) -> Self {
        Pad(value)
    }
}

/// A value beyond the edges, or none.
pub trait PadValue {
    /// The value.
    fn view(&self) -> Option<View<'_>>;
}

impl PadValue for NoPad {
    fn view(&self) -> Option<View<'_>> {
        None
    }
}

impl<T: Element> PadValue for Pad<T> {
    fn view(&self) -> Option<View<'_>> {
        Some(View::of(std::slice::from_ref(&self.0)))
    }
}

/// Parameters whose windows can see `V` beyond the edges.
#[diagnostic::on_unimplemented(
    message = "windows of the kind `{Self}` cannot be padded with `{V}`",
    label = "`.pad(…)` was given a value of another type than the elements of a window"
)]
pub trait Padded<V> {}

macro_rules! any {
    ($($kind:ident)*) => { $(impl<T, V> Padded<V> for $kind<T> {})* };
}
any!(Each EachMut Uniform Whole WholeMatrix WholeTensor3 WholeTensor4 EachRow EachCol);

macro_rules! windows {
    ($($kind:ident [$($n:ident)*])*) => {
        $(
            impl<T, $(const $n: usize),*> Padded<NoPad> for $kind<T, $($n),*> {}
            impl<T, $(const $n: usize),*> Padded<Pad<T>> for $kind<T, $($n),*> {}
        )*
    };
}
windows! {
    EachWindow1 [X] EachWindow2 [Y X] EachWindow3 [Z Y X] EachWindow4 [W Z Y X]
    EachSweep1 [X] EachSweep2 [Y X] EachSweep3 [Z Y X]
    EachPool1 [X] EachPool2 [Y X] EachPool3 [Z Y X] EachPool4 [W Z Y X]
}

macro_rules! all {
    ($($k:ident $i:tt),*) => {
        impl<V, $($k: Padded<V>),*> Padded<V> for ($($k,)*) {}
    };
}
for_each_arity!(all);
