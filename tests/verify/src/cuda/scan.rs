//! Scans: launched in two parts, of which the second gets the carry of the first.

use super::{
    bytes,
    launch::{Block, Built, Call, Job, Ran},
};
use skel_backends::codegen::cuda::{Member, padded_bytes};
use skel_core::{ir::Value, plan::Role};
use std::collections::HashMap;

/// Elements of a lane.
const PER_LANE: usize = 3;

impl Built {
    pub(super) fn scan(
        &self,
        carry: Option<&Value>,
        name: &str,
        job: &Job,
        call: &Call<'_>,
    ) -> Result<Ran, String> {
        let middle = call.range.start + call.range.len() / 3;
        let mut carry = carry.map(|value| bytes::of(std::slice::from_ref(value)));
        let mut written: HashMap<usize, Vec<u8>> = HashMap::new();
        for range in [call.range.start..middle, middle..call.range.end] {
            if range.is_empty() {
                continue;
            }
            let part = Call {
                range,
                ..call.clone()
            };
            match self.scan_part(carry.take(), name, job, &part, &mut written)? {
                Ok(next) => carry = Some(next),
                Err(trapped) => return Ok(trapped),
            }
        }
        let written = written.into_iter().map(|(k, buffer)| {
            let ty = &job.kernel.arguments[k].ty;
            (k, bytes::values(ty, &buffer))
        });
        Ok(Ran::Done(written.collect()))
    }

    /// The carry of what follows, or where it trapped.
    fn scan_part(
        &self,
        carry: Option<Vec<u8>>,
        name: &str,
        job: &Job,
        call: &Call<'_>,
        written: &mut HashMap<usize, Vec<u8>>,
    ) -> Result<Result<Vec<u8>, Ran>, String> {
        let (count, lanes) = (call.range.len(), job.sources[0].lanes as usize);
        let blocks = count.div_ceil(lanes * PER_LANE);
        let size = padded_bytes(job.kernel.result_ty());
        let mut partials = vec![0xa5; (blocks + 2) * size];
        for (stage, source) in job.sources.iter().enumerate() {
            let numbers = |member| match (member, stage) {
                (Member::Count, 1) => blocks,
                (Member::Count, _) => count,
                (Member::PerLane, 1) => blocks.div_ceil(lanes),
                (Member::PerLane, _) => PER_LANE,
                (Member::Carried, _) => usize::from(carry.is_some()),
                (Member::Base | Member::First, _) => call.range.start,
                _ => 0,
            };
            if let (1, Some(carry)) = (stage, &carry) {
                partials[blocks * size..][..size].copy_from_slice(carry);
            }
            let mut block = Block::new(job, call, stage);
            block.fill(source, &numbers, [&partials, &partials]);
            let grid = if stage == 1 { 1 } else { blocks };
            self.go(name, stage, source, grid, &mut block, call.order)?;
            if let Some((index, site)) = block.trap::<Option<usize>>(source) {
                return Ok(Err(Ran::Trapped(index, site)));
            }
            if let Some(place) = block.place.get(&Member::Partials.name()) {
                partials.clone_from(&block.buffers[*place]);
            }
            for (k, argument) in job.kernel.arguments.iter().enumerate() {
                if let (2, Role::Out) = (stage, argument.role) {
                    let buffer = &block.buffers[block.place[&Member::Argument(k).name()]];
                    let all = written.entry(k).or_insert_with(|| buffer.clone());
                    let element = argument.ty.size_bytes();
                    let part = call.range.start * element..call.range.end * element;
                    all[part.clone()].copy_from_slice(&buffer[part]);
                }
            }
        }
        Ok(Ok(partials[(blocks + 1) * size..].to_vec()))
    }
}
