//! Scans: launched in two parts, of which the second gets the carry of the first; in three kernels, and once more
//! in one pass, which must give the same.

use super::{
    block::Block,
    bytes,
    launch::{Built, Job, KernelCall, ONE_PASS, Ran, passes},
};
use skel_backends::codegen::{
    Number,
    cuda::{Member, Pointer, Source, padded_bytes},
};
use skel_core::{
    ir::{Value, eval},
    plan::Role,
};
use std::collections::HashMap;

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

    /// In three kernels, with tiles that are counted from the launch's first element.
    fn phases(
        &self,
        carry: Option<Vec<u8>>,
        name: &str,
        job: &Job,
        call: &KernelCall<'_>,
        written: &mut Written,
    ) -> Result<Carry, String> {
        let (ty, count) = (job.kernel.result_ty(), call.range.len());
        let leaves = count.div_ceil(job.kernel.grouping.tile_elems());
        let [of_tiles, reach, of_blocks] = [0, 1, 2].map(|k| job.sources[k].of_block as usize);
        let size = padded_bytes(ty);
        let (initial, listed) = (2 * leaves * size, (2 * leaves + 1) * size);
        let mut table = vec![0xa5; listed + size];
        if let Some(carry) = &carry {
            table[initial..listed].copy_from_slice(carry);
        }
        let mut stages = vec![(0, of_tiles.ilog2() as usize, leaves.div_ceil(of_tiles), 0)];
        stages.extend(passes(0, leaves, reach));
        stages.push((2, 0, leaves.div_ceil(of_blocks), 0));
        for (stage, level, blocks, to_leaf) in stages {
            let source = &job.sources[stage];
            let numbers = |member| match member {
                Member::Number(Number::Count) => count,
                Member::Number(Number::Carried) => usize::from(carry.is_some()),
                Member::Number(Number::Base) => call.range.start,
                Member::Number(Number::Level) => level,
                Member::Number(Number::TileWidth) => 16,
                Member::Number(Number::Leaves) => leaves,
                // So that all is one node.
                Member::Number(Number::ToLeaf) if to_leaf > 0 => to_leaf.next_power_of_two(),
                _ => 0,
            };
            let block = Block::new(job, call, stage);
            let launched = self.launched(block, (name, stage, source), blocks, &numbers, &table)?;
            let block = match launched {
                Ok(block) => block,
                Err(trapped) => return Ok(Err(trapped)),
            };
            if let Some(partials) = block.buffer(Pointer::Partials) {
                table.clone_from(partials);
            }
            if stage == 2 {
                take(job, call, &block, written);
            }
        }
        let total = bytes::values(ty, &table[listed..]);
        let total = match carry {
            Some(carry) => combined(job, [bytes::values(ty, &carry), total].concat())?,
            None => total,
        };
        Ok(Ok(bytes::of(&total)))
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
        let leaf = job.kernel.grouping.tile_elems() * source.of_block as usize;
        let blocks = call.range.len().div_ceil(leaf);
        let size = padded_bytes(job.kernel.result_ty());
        // Of nodes; of what precedes them and of nodes astride the beginning, by level; and of the total.
        let (initial, places) = (2 * blocks * size, 2 * blocks + 130);
        let mut partials = vec![0xa5; places * size];
        if let Some(carry) = &carry {
            partials[initial..][..size].copy_from_slice(carry);
        }
        let numbers = |member| match member {
            Member::Number(Number::Count) => call.range.len(),
            // The total is wanted.
            Member::Number(Number::Carried) => usize::from(carry.is_some()) + 4,
            Member::Number(Number::Base) => call.range.start,
            Member::Number(Number::Level) => source.of_block.ilog2() as usize,
            Member::Number(Number::Leaves) => blocks,
            Member::Pointer(Pointer::States) => 1 + places,
            _ => 0,
        };
        let block = Block::new(job, call, ONE_PASS);
        let kernel = (name, ONE_PASS, source);
        let block = match self.launched(block, kernel, blocks, &numbers, &partials)? {
            Ok(block) => block,
            Err(trapped) => return Ok(Err(trapped)),
        };
        take(job, call, &block, written);
        let partials = block.buffer(Pointer::Partials).expect("is bound");
        Ok(Ok(partials[(places - 1) * size..].to_vec()))
    }
}

/// What an operator makes of two values.
fn combined(job: &Job, values: Vec<Value>) -> Result<Vec<Value>, String> {
    let operator = job.kernel.operator.ok_or("a scan has an operator")?;
    let all = eval::call(&job.kernel.program, operator, &values, 1 << 20);
    let all = all.map_err(|stop| format!("{stop:?}"))?;
    Ok(vec![all.result])
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
            let buffer = block.buffer(Pointer::Argument(k)).expect("is bound");
            let all = written.entry(k).or_insert_with(|| buffer.clone());
            let element = argument.ty.size_bytes();
            let part = call.range.start * element..call.range.end * element;
            all[part.clone()].copy_from_slice(&buffer[part]);
        }
    }
}
