//! The operands of a piece that is taken to the device chunk by chunk.

use crate::device::{Driver, Scope, bind::Bound, held::Held, unit::DeviceUnit, work::ArrayId};
use skel_core::{
    Result,
    call::{Call, Layout, Operand, Source, Window},
    container::{Buffer, Shape},
    frame::{ElementLayout, ErasedArray, StripMut, View, ViewMut, ViewOut},
};
use std::ops::Range;

/// What of an operand each chunk gets. All but layouts and neighbourhoods counts as the call does.
pub(super) enum Feed<'e> {
    Uniform(ErasedArray),
    /// An array that stays throughout.
    Whole(ArrayId, Shape),
    In(View<'e>),
    Strided(View<'e>, Layout),
    /// The parts of a container that the piece sees.
    Window(ElementLayout, Vec<View<'e>>, Box<Window<'e>>),
    /// What is left of it.
    InOut(ViewMut<'e>),
    Out(ViewOut<'e>),
    /// What is left of what is written one by one; none while it is being divided.
    Strip(Option<StripMut<'e>>),
}

impl<D: Driver> DeviceUnit<D> {
    /// The operands of a piece: everything that is read is fetched to the host, then what is written is
    /// lent.
    pub(super) fn feeds<'e>(
        &self,
        scope: &Scope<'e>,
        call: &mut Call<'e>,
        r: &Range<usize>,
        wholes: &[Option<Held<D>>],
        bound: &mut Bound<'e, D>,
    ) -> Result<Vec<Feed<'e>>> {
        let mut read = Vec::with_capacity(call.operands.len());
        for (operand, whole) in call.operands.iter().zip(wholes) {
            let feed = match (operand, whole) {
                (Operand::View(buffer, shape), Some(held)) => {
                    let buffer: &'e Buffer = buffer;
                    self.bring(
                        scope,
                        held.id,
                        buffer,
                        std::iter::once(0..buffer.len()),
                        bound,
                    )?;
                    Some(Feed::Whole(held.id, *shape))
                }
                (Operand::ViewSlice(view), Some(held)) => {
                    self.post_upload(scope, held.id, *view);
                    Some(Feed::Whole(held.id, Shape::D1(view.window().len())))
                }
                (Operand::ViewPart(source, part, shape), Some(held)) => {
                    self.post_part(
                        scope,
                        held.id,
                        *source,
                        part,
                        std::iter::once(0..shape.len()),
                        bound,
                    )?;
                    Some(Feed::Whole(held.id, *shape))
                }
                (operand, _) => fetched(call, operand, r)?,
            };
            read.push(feed);
        }
        self.fetch_strips(call, r)?;
        let shape = call.shape;
        let mut feeds = Vec::with_capacity(read.len());
        for (operand, feed) in call.operands.iter_mut().zip(read) {
            feeds.push(match (feed, operand) {
                (Some(feed), _) => feed,
                (None, Operand::Update(target)) => {
                    let (first, places) = (target.window().start, target.places(r));
                    Feed::InOut(target.lend_mut(places)?.counted_from(first))
                }
                (None, Operand::Write(target)) => {
                    let (first, places) = (target.window().start, target.places(r));
                    Feed::Out(target.lend_out(places).counted_from(first))
                }
                (None, Operand::UpdateSlice(slice)) => Feed::InOut(slice.lend(r.clone())),
                (None, Operand::WriteSlice(slice)) => Feed::Out(slice.lend(r.clone()).into_out()),
                (None, Operand::Scatter(target, layout, reads)) => {
                    let steps = layout.over(shape);
                    Feed::Strip(Some(target.lend_scattered(&steps, r.clone(), *reads)?))
                }
                // All others are read.
                (None, _) => continue,
            });
        }
        Ok(feeds)
    }
}

/// What the piece reads of an operand, on the host; none if the operand is to be lent.
fn fetched<'e>(
    call: &Call<'e>,
    operand: &Operand<'e>,
    r: &Range<usize>,
) -> Result<Option<Feed<'e>>> {
    let (space, along) = (call.space(), call.along);
    let lies = |source: Source<'e>, layout: Layout| -> Result<Feed<'e>> {
        let view = source.host_view(layout.needed(r, space, along))?;
        match (along, layout.over(space).contiguous()) {
            (None, Some(first)) => Ok(Feed::In(view.counted_from(first))),
            _ => Ok(Feed::Strided(view, layout)),
        }
    };
    let rows = Layout::row_major(0, space);
    Ok(Some(match operand {
        Operand::Uniform(view) => Feed::Uniform(ErasedArray::copy_of(*view)?),
        Operand::Scalar(buffer) => Feed::Uniform(ErasedArray::copy_of(buffer.host_view(0..1)?)?),
        Operand::Read(buffer) => lies(Source::Container(buffer), rows)?,
        Operand::ReadSlice(view) => lies(Source::Slice(*view), rows)?,
        Operand::Strided(source, layout) => lies(*source, *layout)?,
        Operand::Window(buffer, window) => {
            let buffer: &'e Buffer = buffer;
            let halo = window.halo(r.clone());
            let parts = halo
                .ranges()
                .iter()
                .map(|part| buffer.host_view(part.clone()));
            Feed::Window(
                buffer.layout(),
                parts.collect::<Result<_>>()?,
                window.clone(),
            )
        }
        Operand::WindowSlice(view, window) => {
            Feed::Window(view.layout(), vec![*view], window.clone())
        }
        Operand::Update(target) => {
            target.buffer().host_view(target.places(r))?;
            return Ok(None);
        }
        Operand::WindowPart(source, part, window) => {
            let halo = window.halo(r.clone());
            let parts = halo.ranges().iter().map(|seen| {
                let view = source.host_view(part.start + seen.start..part.start + seen.end)?;
                Ok(view.counted_from(part.start))
            });
            let layout = source.element_layout();
            Feed::Window(layout, parts.collect::<Result<_>>()?, window.clone())
        }
        Operand::View(..)
        | Operand::ViewSlice(_)
        | Operand::ViewPart(..)
        | Operand::Scatter(..)
        | Operand::Write(_)
        | Operand::UpdateSlice(_)
        | Operand::WriteSlice(_) => return Ok(None),
    }))
}
