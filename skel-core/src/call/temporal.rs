//! Calls of which several steps can be taken together.

use super::{Access, Call, Operand};
use crate::plan::{Pattern, TemporalBlocks};

impl Call<'_> {
    /// How at most `most_steps` steps of this call are taken together, each on what the one before gave: its outputs take
    /// the place of as many first arguments, which are seen through windows. Nothing where that cannot be done piece by
    /// piece, or where the containers are not too large for the caches.
    #[must_use]
    pub fn temporal_blocks(&self, most_steps: usize) -> Option<TemporalBlocks> {
        let outputs = self.operands.iter().filter_map(|operand| match operand {
            Operand::Output(output) => Some(output),
            Operand::Input(_) => None,
        });
        let (mut containers, mut elem_bytes) = (0_usize, 0_usize);
        for output in outputs {
            if output.reads || output.access.is_some() {
                return None;
            }
            containers += 1;
            elem_bytes += output.target.element_layout().size_bytes();
        }
        if self.phases.pattern() != Pattern::Elementwise || containers == 0 {
            return None;
        }
        let mut windows = self.operands.iter().map_while(|operand| match operand {
            Operand::Input(input) => match &input.access {
                Access::Window(window) => Some(&**window),
                _ => None,
            },
            Operand::Output(_) => None,
        });
        let first = windows.next()?;
        let (mut reach, mut count) = (first.reach, 1);
        for window in windows.take(containers - 1) {
            if window.near != first.near {
                return None;
            }
            (reach, count) = (reach.or(&window.reach), count + 1);
        }
        if count < containers {
            return None;
        }
        let kernel = self.phases.kernel().ok()?;
        // Elements at the ends of pieces are computed several times, and in another order.
        if !kernel.is_pure || kernel.random.is_some() {
            return None;
        }
        let (near, elems) = (first.near, self.space.elems());
        TemporalBlocks::new((near, reach), (containers, elem_bytes), elems, most_steps)
    }
}
