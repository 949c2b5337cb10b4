//! What a launch computes: a phase of the plan, on the host.

use super::{MockArray, MockDriver, MockPending};
use crate::{
    device::{Launch, LaunchArg, Launched, TrapWords, Trapped},
    mock::Operation,
    partials,
};
use skel_core::{
    Error, Result,
    caught::{Caught, catch},
    frame::{
        Before, Frame, LinesMut, LinesView, NeighbourhoodView, Partial, Slot, SparseView, Spine,
        StridedViewMut, SweepMut,
    },
    plan::{self, Pattern, Phases},
    space::Lines,
};
use std::{sync::atomic::Ordering, time::Instant};

impl MockDriver {
    /// Computes a phase of a piece which `carry` precedes. What comes of it is pending, if it is wanted. A scan's last
    /// phase notes its traps in the words of its launch, as on a device.
    pub(super) fn compute(
        &mut self,
        (operation, began): (Operation, Instant),
        launch: Launch<'_, MockArray>,
        (carry, of_launch): (Spine, Option<TrapWords>),
        wanted: bool,
        phase: impl FnOnce(&'static dyn Phases, &mut Frame<'_>) -> Spine,
    ) -> Result<Launched<MockPending>> {
        if let Some((block, found)) = &self.script.refuses
            && launch.block == Some(*block)
        {
            found.store(true, Ordering::Relaxed);
        }
        self.lies_now = launch.block.is_some() && launch.block == self.script.lies_in;
        self.pass(operation, began, (self.script.takes)(launch.range.len()));
        let Launch {
            kernel,
            phases,
            args,
            offsets,
            range,
            space,
            block,
            followed: _,
        } = launch;
        let places = |k: usize| {
            let offset = offsets.get(k).copied().unwrap_or(0);
            (offset + range.start..offset + range.end, offset)
        };
        let of_lines = |k: usize, lines: Lines| {
            let (offset, hull) = (offsets.get(k).copied().unwrap_or(0), lines.hull(&range));
            (offset + hull.start..offset + hull.end, offset)
        };
        let slots = args.into_iter().enumerate().map(|(k, arg)| match arg {
            LaunchArg::In(array) => {
                let (places, offset) = places(k);
                Slot::In(array.elements.view(places).counted_from(offset))
            }
            LaunchArg::Strided(array, layout) => {
                let arguments = space.arguments();
                let needed = layout.needed(&range, arguments, space.along());
                Slot::strided(array.elements.view(needed), layout.over(arguments))
            }
            LaunchArg::StridedMut(array, layout) => {
                let reads = kernel.arguments[k].role.is_in_out();
                let places = array.elements.window();
                let scattered = StridedViewMut::within(
                    array.elements.view_mut(places),
                    layout.over(space.shape()),
                    range.clone(),
                    reads,
                );
                Slot::Scattered(Box::new(scattered))
            }
            LaunchArg::InOut(array) => {
                let (places, offset) = places(k);
                Slot::InOut(array.elements.view_mut(places).counted_from(offset))
            }
            LaunchArg::Out(array) => {
                let (places, offset) = places(k);
                Slot::Out(array.elements.view_out(places).counted_from(offset))
            }
            LaunchArg::Uniform(value) => Slot::In(value),
            LaunchArg::View(array, shape) => {
                Slot::Whole(array.elements.view(0..shape.len()), shape)
            }
            LaunchArg::Lines(array, lines) => {
                let (places, offset) = of_lines(k, lines);
                let view = array.elements.view(places).counted_from(offset);
                Slot::Lines(Box::new(LinesView::new(view, lines, range.clone())))
            }
            LaunchArg::LinesMut(array, lines) => {
                let (places, offset) = of_lines(k, lines);
                let view = array.elements.view_mut(places).counted_from(offset);
                Slot::LinesMut(Box::new(LinesMut::new(view, lines, range.clone())))
            }
            LaunchArg::Sweep(array, order, pad) => {
                let (places, offset) = places(k);
                let view = array.elements.view_mut(places).counted_from(offset);
                Slot::Sweep(Box::new(SweepMut::new(view, order, pad)))
            }
            LaunchArg::Window(array, near, pad) => {
                let parts = SparseView::of(array.elements.all());
                Slot::Window(Box::new(NeighbourhoodView::new(parts, near, pad)))
            }
        });
        let slots = slots.collect();
        let mut frame = Frame {
            slots,
            range: range.clone(),
            space,
            grouping: kernel.grouping,
        };
        // For the case of a trap.
        let before = match kernel.can_trap || cfg!(debug_assertions) {
            true => Before::of(&frame)?,
            false => Before::default(),
        };
        // What a user function panics with, a real device would note in its status words.
        let computed = catch(|| phase(phases, &mut frame));
        let value = wanted.then(|| computed.as_ref().map_or(Spine::EMPTY, Spine::clone));
        let goes_on = operation == Operation::Launch && phases.pattern() == Pattern::Scan;
        let traps = match computed {
            Ok(_) => (goes_on && kernel.can_trap).then(|| self.new_words()),
            Err(Caught::OutOfMemory(error)) => return Err(error),
            Err(caught) => {
                let carry = partials::value(phases, carry).unwrap_or(Partial::NONE);
                let found = phases.find_trap(frame, &before, carry);
                let name = kernel.program.function(kernel.map).name;
                let error = found.unwrap_or_else(|| plan::unplaced_trap(phases, name, caught));
                let words = of_launch.unwrap_or_else(|| self.new_words());
                self.traps.entry(words).or_insert_with(|| trapped(error));
                Some(words).filter(|_| of_launch.is_none())
            }
        };
        let pending = value.map(|value| MockPending {
            value,
            words: traps,
        });
        self.take(operation, began, |law, draw| {
            law.phase_ns(Some(kernel), &range, &space, block, draw)
        });
        Ok(Launched { pending, traps })
    }

    fn new_words(&mut self) -> TrapWords {
        self.next_words += 1;
        TrapWords(self.next_words)
    }
}

fn trapped(error: Error) -> Trapped {
    let index = match &error {
        Error::Trap { index, .. } => *index,
        _ => None,
    };
    Trapped { index, error }
}
