//! Scans: launched in two parts, of which the second gets the carry of the first; in three kernels, and once more
//! in one pass, which must give the same.

use super::{
    block::Block,
    bytes,
    launch::{Built, Job, KernelCall, ONE_PASS, Ran},
};
use skel_backends::codegen::cuda::{Member, Source, padded_bytes};
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
        call: &KernelCall<'_>,
    ) -> Result<Ran, String> {
        let phases = self.scan_by(Built::phases, carry, name, job, call)?;
        let one_pass = self.scan_by(Built::one_pass, carry, name, job, call)?;
        let agree = match (&phases, &one_pass) {
            (Ran::Done(all), Ran::Done(others)) => all.iter().all(|(k, values)| {
                let other = others.get(k).into_iter().flatten();
                values.iter().zip(other).all(|(a, b)| a.same(b))
            }),
            (Ran::Trapped(index, site), Ran::Trapped(other, same)) => {
                (index, site.line, site.kind) == (other, same.line, same.kind)
            }
            _ => false,
        };
        match agree {
            true => Ok(one_pass),
            false => Err(format!(
                "one pass gives {one_pass:?}, three kernels give {phases:?}"
            )),
        }
    }

    fn scan_by(
        &self,
        part: Part,
        carry: Option<&Value>,
        name: &str,
        job: &Job,
        call: &KernelCall<'_>,
    ) -> Result<Ran, String> {
        let middle = call.range.start + call.range.len() / 3;
        let mut carry = carry.map(|value| bytes::of(std::slice::from_ref(value)));
        let mut written: HashMap<usize, Vec<u8>> = HashMap::new();
        for range in [call.range.start..middle, middle..call.range.end] {
            if range.is_empty() {
                continue;
            }
            let call = KernelCall {
                range,
                ..call.clone()
            };
            match part(self, carry.take(), name, job, &call, &mut written)? {
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

    /// In three kernels.
    fn phases(
        &self,
        carry: Option<Vec<u8>>,
        name: &str,
        job: &Job,
        call: &KernelCall<'_>,
        written: &mut Written,
    ) -> Result<Carry, String> {
        let (count, lanes) = (call.range.len(), job.sources[0].lanes as usize);
        let blocks = count.div_ceil(lanes * PER_LANE);
        let size = padded_bytes(job.kernel.result_ty());
        let mut partials = vec![0xa5; (blocks + 2) * size];
        for (stage, source) in job.sources[..ONE_PASS].iter().enumerate() {
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
            let grid = if stage == 1 { 1 } else { blocks };
            let block = Block::new(job, call, stage);
            let launched =
                self.launched(block, (name, stage, source), grid, &numbers, &partials)?;
            let block = match launched {
                Ok(block) => block,
                Err(trapped) => return Ok(Err(trapped)),
            };
            if let Some(place) = block.place.get(&Member::Partials.name()) {
                partials.clone_from(&block.buffers[*place]);
            }
            if stage == 2 {
                take(job, call, &block, written);
            }
        }
        Ok(Ok(partials[(blocks + 1) * size..].to_vec()))
    }

    /// One of a scan's kernels; where it trapped.
    fn launched<'c>(
        &self,
        mut block: Block<'c>,
        (name, stage, source): (&str, usize, &Source),
        grid: usize,
        numbers: &dyn Fn(Member) -> usize,
        partials: &Vec<u8>,
    ) -> Result<Result<Block<'c>, Ran>, String> {
        block.fill(source, numbers, [partials, partials]);
        let order = block.call.order;
        self.go(name, stage, source, grid, &mut block, order)?;
        Ok(match block.trap::<Option<usize>>(source) {
            Some((index, site)) => Err(Ran::Trapped(index, site)),
            None => Ok(block),
        })
    }

    /// In one.
    fn one_pass(
        &self,
        carry: Option<Vec<u8>>,
        name: &str,
        job: &Job,
        call: &KernelCall<'_>,
        written: &mut Written,
    ) -> Result<Carry, String> {
        let source: &Source = &job.sources[ONE_PASS];
        let blocks = call.range.len().div_ceil(source.elems_per_block());
        let size = padded_bytes(job.kernel.result_ty());
        let mut partials = vec![0xa5; (blocks + 1) * size];
        if let Some(carry) = &carry {
            partials[blocks * size..].copy_from_slice(carry);
        }
        let numbers = |member| match member {
            Member::Count => call.range.len(),
            Member::Carried => usize::from(carry.is_some()),
            Member::Base | Member::First => call.range.start,
            Member::States => 1 + blocks,
            _ => 0,
        };
        let block = Block::new(job, call, ONE_PASS);
        let kernel = (name, ONE_PASS, source);
        let block = match self.launched(block, kernel, blocks, &numbers, &partials)? {
            Ok(block) => block,
            Err(trapped) => return Ok(Err(trapped)),
        };
        take(job, call, &block, written);
        let partials = &block.buffers[block.place[&Member::Partials.name()]];
        Ok(Ok(partials[(blocks - 1) * size..][..size].to_vec()))
    }
}

/// The bytes of what was written, by argument.
type Written = HashMap<usize, Vec<u8>>;

/// The carry of what follows, or where it trapped.
type Carry = Result<Vec<u8>, Ran>;

/// How a part of a scan is launched.
type Part =
    fn(&Built, Option<Vec<u8>>, &str, &Job, &KernelCall<'_>, &mut Written) -> Result<Carry, String>;

/// Takes the elements that a launch wrote.
fn take(job: &Job, call: &KernelCall<'_>, block: &Block<'_>, written: &mut Written) {
    for (k, argument) in job.kernel.arguments.iter().enumerate() {
        if argument.role == Role::Out {
            let buffer = &block.buffers[block.place[&Member::Argument(k).name()]];
            let all = written.entry(k).or_insert_with(|| buffer.clone());
            let element = argument.ty.size_bytes();
            let part = call.range.start * element..call.range.end * element;
            all[part.clone()].copy_from_slice(&buffer[part]);
        }
    }
}
