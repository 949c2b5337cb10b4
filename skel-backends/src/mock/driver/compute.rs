//! What a launch computes: a phase of the plan, on the host.

use super::{MockArray, MockDriver};
use crate::{
    device::{Launch, LaunchArg, Launched, TrapWords, Trapped},
    mock::Operation,
    partials,
};
use skel_core::{
    Error, Result,
    caught::{Caught, catch},
    frame::{
        Before, Frame, LinesMut, LinesView, NeighbourhoodView, Partial, Parts, Slot, Spine,
        StridedViewMut, SweepMut,
    },
    plan::Phases,
    space::Lines,
};
use std::{sync::atomic::Ordering, time::Instant};

impl MockDriver {
    /// Computes a phase of a piece which `carry` precedes. What comes of it is pending, if it is wanted.
    pub(super) fn compute(
        &mut self,
        (operation, began): (Operation, Instant),
        launch: Launch<'_, MockArray>,
        carry: Spine,
        wanted: bool,
        phase: impl FnOnce(&'static dyn Phases, &mut Frame<'_>) -> Spine,
    ) -> Result<Launched<Spine>> {
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
                let parts = Parts::of(array.elements.all());
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
        let pending = wanted.then(|| computed.as_ref().map_or(Spine::EMPTY, Spine::clone));
        let traps = match computed {
            Ok(_) => None,
            Err(Caught::OutOfMemory(error)) => return Err(error),
            Err(caught) => {
                let carry = partials::value(phases, carry).unwrap_or(Partial::NONE);
                let found = phases.find_trap(frame, &before, carry);
                let words = TrapWords(self.next_words);
                self.next_words += 1;
                let name = kernel.program.function(kernel.map).name;
                let error = found.unwrap_or_else(|| phases.unplaced_trap(name, caught));
                self.traps.insert(words, trapped(error));
                Some(words)
            }
        };
        self.take(operation, began, |law, draw| {
            law.phase_ns(Some(kernel), &range, &space, block, draw)
        });
        Ok(Launched { pending, traps })
    }
}

fn trapped(error: Error) -> Trapped {
    let index = match &error {
        Error::Trap { index, .. } => *index,
        _ => None,
    };
    Trapped { index, error }
}
