//! Which block configuration a device is fastest in.

use super::{
    class::Job,
    measure::{Dice, Point, What, rounds},
    replay::{Bench, Contender, check},
    stats,
};
use crate::context::FIRST_DEVICE;
use skel_core::{
    Result,
    call::Call,
    plan::{BlockConfig, Blocks},
};
use std::time::Instant;

/// A configuration takes at most so much of what the usual one takes, or is not worth it: differences that
/// are smaller may be noise.
const LEAST_GAIN: f64 = 0.97;

/// What takes so many times as long as the fastest when it is tried first, is not measured.
const HOPELESS: f64 = 1.2;

impl Job<'_> {
    /// Tries the configurations that the devices offer, with all elements of the call. From then on each
    /// device launches in the one that it is fastest in, if that computes what the CPU does.
    ///
    /// # Errors
    /// Those of the call.
    pub(super) fn choose_blocks(
        &self,
        call: &Call<'_>,
        bench: &mut Bench<'_, '_>,
        contenders: &[Contender],
        dice: &mut Dice,
    ) -> Result<()> {
        let indices: Vec<usize> = contenders.iter().map(|c| c.index).collect();
        let devices = contenders.iter().enumerate();
        for (k, contender) in devices.filter(|(_, c)| c.index >= FIRST_DEVICE) {
            let Some(found) = self.tried(call, bench, contender)? else {
                continue;
            };
            let points = found.iter().map(|block| What::InBlock(k, *block));
            let mut points: Vec<Point> = points.map(Point::new).collect();
            let options = self.options();
            // Without time for it, nothing is chosen.
            if !rounds(bench, &indices, &mut points, options, self.deadline, dice)? {
                return Ok(());
            }
            let medians: Vec<(BlockConfig, f64)> = found
                .into_iter()
                .zip(&points)
                .filter_map(|(block, point)| Some((block, stats::median(&point.ns)?)))
                .collect();
            self.session
                .note(|journal| journal.blocks(self.about, &contender.id, &medians));
            let (Some((_, usual_ns)), Some((block, ns))) = (
                medians.first().copied(),
                medians.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)),
            ) else {
                continue;
            };
            if ns <= LEAST_GAIN * usual_ns && self.is_sound(call, contender, block)? {
                bench.launch_in(contender.index, Some(block));
            }
        }
        Ok(())
    }

    /// The configurations that may be the fastest, the usual one first; `None` where there is no choice.
    fn tried(
        &self,
        call: &Call<'_>,
        bench: &mut Bench<'_, '_>,
        contender: &Contender,
    ) -> Result<Option<Vec<BlockConfig>>> {
        let offered = self.context.unit(contender.index)?.block_configs(call);
        if offered.len() < 2 {
            return Ok(None);
        }
        let (index, all) = (contender.index, 0..bench.elems);
        let mut looks = Vec::new();
        for block in offered {
            if Instant::now() >= self.deadline {
                break;
            }
            bench.launch_in(index, Some(block));
            // The first time, it is compiled.
            let looked = bench
                .single(index, &all, 1)
                .and_then(|_| bench.single(index, &all, 1));
            bench.launch_in(index, None);
            looks.push((block, looked?));
        }
        // What the device found not to do was launched as usual, and is not offered any more.
        let offered = self.context.unit(index)?.block_configs(call);
        looks.retain(|(block, _)| offered.contains(block));
        let least = looks
            .iter()
            .map(|(_, ns)| *ns)
            .fold(f64::INFINITY, f64::min);
        let mut blocks = looks.into_iter();
        let usual = blocks.next().map(|(block, _)| block);
        let others = blocks.filter(|(_, ns)| *ns <= HOPELESS * least);
        let found: Vec<BlockConfig> = usual
            .into_iter()
            .chain(others.map(|(block, _)| block))
            .collect();
        Ok((found.len() > 1).then_some(found))
    }

    /// Whether the device computes in this configuration what the CPU does; if not, that is told.
    fn is_sound(&self, call: &Call<'_>, contender: &Contender, block: BlockConfig) -> Result<bool> {
        let mut blocks = Blocks::default();
        blocks.set(self.context.unit(contender.index)?.node(), block);
        let all = 0..call.shape.len();
        let different = check(self.context, contender.index, &all, call, &blocks)?;
        if let Some(difference) = &different {
            let difference = format!("in blocks of {block}: {difference}");
            self.leave_out(contender, "wrong-result", &difference);
        }
        Ok(different.is_none())
    }
}
