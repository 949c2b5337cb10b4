//! Block configurations: which one is fastest on a device.

use super::{
    class::Job,
    measure,
    replay::{Bench, Contender, check},
    stats,
};
use crate::positions::FIRST_DEVICE;
use skel_core::{
    Result,
    call::Call,
    plan::{BlockConfig, Blocks},
};
use skel_model::Evidence;
use std::time::Instant;

/// A configuration is chosen only if it takes at most this part of the default's time: smaller differences
/// may be noise.
const LEAST_GAIN: f64 = 0.97;

/// A configuration whose first run takes this many times the fastest's time is not measured.
const HOPELESS: f64 = 1.2;

/// Choosing takes no more than this part of the time that the class has.
const SHARE: u32 = 4;

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
        evidence: &mut Evidence,
    ) -> Result<()> {
        let now = Instant::now();
        // Without time for all of it, nothing is chosen.
        let until = now + self.deadline.saturating_duration_since(now) / SHARE;
        for contender in contenders.iter().filter(|c| c.index >= FIRST_DEVICE) {
            let Some(found) = self.tried(call, bench, contender, until)? else {
                continue;
            };
            let Some(medians) = self.medians(bench, contender, found, until)? else {
                return Ok(());
            };
            let (Some((_, usual_ns)), Some((block, ns))) = (
                medians.first().copied(),
                medians.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)),
            ) else {
                continue;
            };
            let is_chosen = ns <= LEAST_GAIN * usual_ns && self.is_sound(call, contender, block)?;
            let chosen = is_chosen.then_some(block);
            evidence
                .blocks
                .extend(chosen.map(|block| (contender.id.clone(), block)));
            self.session
                .note(|journal| journal.blocks(self.about, &contender.id, &medians, chosen));
        }
        Ok(())
    }

    /// What the configurations take, run in turns; `None` if the time was over.
    fn medians(
        &self,
        bench: &mut Bench<'_, '_>,
        contender: &Contender,
        blocks: Vec<BlockConfig>,
        until: Instant,
    ) -> Result<Option<Vec<(BlockConfig, f64)>>> {
        let mut runs_ns = vec![Vec::new(); blocks.len()];
        for _ in 0..*self.options().samples.start() {
            for (block, runs_ns) in blocks.iter().zip(&mut runs_ns) {
                if Instant::now() >= until {
                    return Ok(None);
                }
                bench.launch_in(contender.index, Some(*block));
                let took = measure::whole(bench, contender.index, runs_ns);
                bench.launch_in(contender.index, None);
                runs_ns.push(took?);
            }
        }
        let medians = blocks.into_iter().zip(&runs_ns);
        let medians = medians.filter_map(|(block, ns)| Some((block, stats::median(ns)?)));
        Ok(Some(medians.collect()))
    }

    /// The configurations that may be the fastest, the usual one first; `None` where there is no choice.
    fn tried(
        &self,
        call: &Call<'_>,
        bench: &mut Bench<'_, '_>,
        contender: &Contender,
        until: Instant,
    ) -> Result<Option<Vec<BlockConfig>>> {
        let offered = self.context.unit(contender.index)?.block_configs(call);
        if offered.len() < 2 {
            return Ok(None);
        }
        let (index, all) = (contender.index, 0..bench.elems);
        let mut looks = Vec::new();
        for block in offered {
            if Instant::now() >= until {
                return Ok(None);
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

    /// Whether the device computes in this configuration what the CPU does; if not, that is reported.
    fn is_sound(&self, call: &Call<'_>, contender: &Contender, block: BlockConfig) -> Result<bool> {
        let mut blocks = Blocks::default();
        blocks.set(self.context.unit(contender.index)?.node(), block);
        let all = 0..call.space.elems();
        let different = check(self.context, contender.index, &all, call, &blocks)?;
        if let Some(difference) = &different {
            let difference = format!("in blocks of {block}: {difference}");
            self.leave_out(contender, "wrong-result", &difference);
        }
        Ok(different.is_none())
    }
}
