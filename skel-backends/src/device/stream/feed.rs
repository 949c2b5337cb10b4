//! The operands of a piece that is taken to the device chunk by chunk.

use crate::device::{
    Driver, Scope, bind::Bound, lent::Lent, memory::Memory, pinned::PinnedArray, scope::Lender,
    unit::DeviceUnit, work::ArrayId,
};
use skel_core::{
    Result,
    call::{Access, Call, Input, Operand, Output, OutputTarget, Window},
    frame::{ElementLayout, ErasedArray, StridedViewMut, View, ViewMut, ViewOut},
    space::{IndexSpace, Layout, Shape},
};
use std::ops::Range;

/// What of an operand each chunk gets. All but layouts and neighbourhoods counts as the call does.
pub(super) enum Feed {
    Uniform(ErasedArray),
    /// An array that stays throughout.
    Whole(ArrayId, Shape),
    In(Lent<View<'static>>),
    Strided(Lent<View<'static>>, Layout),
    /// The parts of a container that the piece sees; windows of which the padding lies beside them.
    Window(
        ElementLayout,
        Vec<Lent<View<'static>>>,
        Box<Window<'static>>,
        Option<ErasedArray>,
    ),
    /// What is left of it.
    InOut(Lent<ViewMut<'static>>),
    Out(Lent<ViewOut<'static>>),
    /// What is left of what is written one by one.
    Scattered(Lent<StridedViewMut<'static>>),
}

impl<D: Driver> DeviceUnit<D> {
    /// The operands of a piece: everything that is read is fetched to the host, then what is written is
    /// lent.
    pub(super) fn feeds<'e>(
        &self,
        (scope, lender): (&Scope<'e>, &Lender<'_, 'e, Memory<D>>),
        call: &mut Call<'e>,
        r: &Range<usize>,
        wholes: &[Option<PinnedArray<D>>],
        bound: &mut Bound<'e, D>,
    ) -> Result<Vec<Feed>> {
        let mut read = Vec::with_capacity(call.operands.len());
        for (operand, whole) in call.operands.iter().zip(wholes) {
            let feed = match operand {
                Operand::Output(output) => {
                    if let OutputTarget::Container(target) = &output.target
                        && output.reads
                        && output.is_ranged()
                    {
                        target.buffer().host_view(target.places(r))?;
                    }
                    None
                }
                Operand::Input(input) => Some(match (&input.access, whole) {
                    (Access::Whole(shape), Some(held)) => {
                        let needs = input.needs(&call.space, r);
                        self.send(scope, held.id, input, &needs, bound)?;
                        Feed::Whole(held.id, *shape)
                    }
                    _ => fetched(lender, &call.space, input, r)?.ok_or_else(|| {
                        self.unsupported(call.instance, "lines are not taken in chunks")
                    })?,
                }),
            };
            read.push(feed);
        }
        self.fetch_scattered(call, r)?;
        let shape = call.space.shape();
        let mut feeds = Vec::with_capacity(read.len());
        for (operand, feed) in call.operands.iter_mut().zip(read) {
            feeds.push(match (feed, operand) {
                (Some(feed), _) => feed,
                (None, Operand::Output(output)) => lent(lender, output, shape, r)?,
                // All inputs are read.
                (None, Operand::Input(_)) => continue,
            });
        }
        Ok(feeds)
    }
}

/// What the piece writes of an output, on the host.
fn lent<'e, S: 'static>(
    lender: &Lender<'_, 'e, S>,
    output: &mut Output<'e>,
    shape: Shape,
    r: &Range<usize>,
) -> Result<Feed> {
    let reads = output.reads;
    if let Some((target, coalesced)) = output.scattered_by_host(|| shape) {
        let elements = target.lend_scattered(&coalesced, r.clone(), reads)?;
        return Ok(Feed::Scattered(lender.lend(elements)));
    }
    Ok(match (&mut output.target, reads) {
        (OutputTarget::Container(target), reads) => {
            let (first, places) = (target.window().start, target.places(r));
            match reads {
                true => Feed::InOut(lender.lend(target.lend_mut(places)?.counted_from(first))),
                false => Feed::Out(lender.lend(target.lend_out(places).counted_from(first))),
            }
        }
        (OutputTarget::Slice(slice), true) => Feed::InOut(lender.lend(slice.lend(r.clone()))),
        (OutputTarget::Slice(slice), false) => {
            Feed::Out(lender.lend(slice.lend(r.clone()).into_out()))
        }
    })
}

/// What the piece reads of an input that is divided among the chunks, on the host; nothing of others.
fn fetched<'e, S: 'static>(
    lender: &Lender<'_, 'e, S>,
    space: &IndexSpace,
    input: &Input<'e>,
    r: &Range<usize>,
) -> Result<Option<Feed>> {
    let (source, needs) = (&input.source, input.needs(space, r));
    Ok(Some(match &input.access {
        Access::Uniform => Feed::Uniform(ErasedArray::copy_of(source.host_view(0..1)?)?),
        Access::Window(window) => {
            let parts = needs.ranges().iter();
            let parts = parts.map(|part| Ok(lender.lend(source.host_view(part.clone())?)));
            let parts = parts.collect::<Result<_>>()?;
            let pad = window.pad.map(ErasedArray::copy_of).transpose()?;
            let window = Window {
                near: window.near,
                reach: window.reach,
                pad: None,
            };
            Feed::Window(source.element_layout(), parts, Box::new(window), pad)
        }
        Access::Each | Access::Strided(_) => {
            let view = source.host_view(input.span(space, r))?;
            let Some(layout) = input.layout(space) else {
                return Ok(None);
            };
            match (space.along(), layout.over(space.arguments()).contiguous()) {
                (None, Some(first)) => Feed::In(lender.lend(view.counted_from(first))),
                _ => Feed::Strided(lender.lend(view), layout),
            }
        }
        Access::Whole(_) | Access::Lines(_) => return Ok(None),
    }))
}
