//! The simulation against one that knows nothing of ranges: each element has its own flags.

use crate::chain::{
    sequence::{Op, Operand, Sequence, ns},
    simulate::Simulation,
    test::*,
};
use proptest::prelude::*;
use skel_core::schedule::{Share, cut};
use std::ops::Range;

const UNITS: usize = 3;
const N: usize = 9;

/// Which units have an element; the first is the host.
type Flags = [bool; UNITS];

struct Plain<'a> {
    sequence: &'a Sequence<'a>,
    buffers: Vec<Vec<Flags>>,
    clocks: [f64; UNITS],
}

/// Longest stretches of a range in which something holds.
fn runs(range: Range<usize>, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for k in range.filter(|k| holds(*k)) {
        match runs.last_mut() {
            Some(run) if run.end == k => run.end += 1,
            _ => runs.push(k..k + 1),
        }
    }
    runs
}

impl Plain<'_> {
    fn fetch(&mut self, buffer: usize, range: Range<usize>) {
        let flags = self.buffers[buffer].clone();
        let bytes = self.sequence.buffers[buffer].bytes_per_elem;
        for gap in runs(range, |k| !flags[k][0]) {
            for device in 1..UNITS {
                let transfer = self.sequence.transfers[device];
                for run in runs(gap.clone(), |k| {
                    flags[k][device] && !flags[k][1..device].contains(&true)
                }) {
                    let begin = self.clocks[0].max(self.clocks[device]);
                    let moving = run.len() as f64 * bytes * transfer.down_ns_per_byte;
                    self.clocks[0] = begin + transfer.down_latency_ns + moving;
                    self.clocks[device] = self.clocks[0];
                }
            }
            gap.for_each(|k| self.buffers[buffer][k][0] = true);
        }
    }

    /// The elements of an operand for a part of a call of `elems` elements.
    fn needed(operand: &Operand, part: &Range<usize>, elems: usize) -> Range<usize> {
        match operand.role {
            RecordedRole::Whole => 0..operand.elems,
            _ => part.start * operand.elems / elems..part.end * operand.elems / elems,
        }
    }

    fn run(mut self, shares: &[Vec<f64>]) -> f64 {
        for op in &self.sequence.ops {
            let call = match op {
                Op::Read { buffer, range } => {
                    self.fetch(*buffer, range.clone());
                    continue;
                }
                Op::Call(call) => call,
                Op::Forget => unreachable!("the programs are short"),
            };
            let site = call.site.unwrap();
            let exact: Vec<Share> = shares[site]
                .iter()
                .map(|s| Share::from_ratio(*s).unwrap())
                .collect();
            let mut start = 0;
            let mut parts: Vec<Range<usize>> = Vec::new();
            for size in cut(call.elems, &exact) {
                parts.push(start..start + size);
                start += size;
            }
            let taking = |unit: &usize| !parts[*unit].is_empty();
            let reads = || call.operands.iter().filter(|operand| operand.role.reads());
            for unit in (0..UNITS).filter(taking) {
                for operand in reads() {
                    let needed = Plain::needed(operand, &parts[unit], call.elems);
                    let flags = self.buffers[operand.buffer].clone();
                    for gap in runs(needed, |k| unit == 0 || !flags[k][unit]) {
                        self.fetch(operand.buffer, gap);
                    }
                }
            }
            let begin = self.clocks[0];
            let mut host = begin;
            let mut value = begin;
            for unit in (0..UNITS).filter(taking) {
                let ns = ns(&call.curves, unit, parts[unit].len());
                if unit == 0 {
                    host = host.max(begin + ns);
                    continue;
                }
                let mut clock = begin.max(self.clocks[unit]);
                let transfer = self.sequence.transfers[unit];
                for operand in reads() {
                    let needed = Plain::needed(operand, &parts[unit], call.elems);
                    let bytes = self.sequence.buffers[operand.buffer].bytes_per_elem;
                    let flags = &mut self.buffers[operand.buffer];
                    for gap in runs(needed, |k| !flags[k][unit]) {
                        clock += transfer.up_latency_ns
                            + gap.len() as f64 * bytes * transfer.up_ns_per_byte;
                        host = host.max(clock);
                        gap.for_each(|k| flags[k][unit] = true);
                    }
                }
                self.clocks[unit] = clock + ns;
                value = value.max(self.clocks[unit]);
            }
            if call.value || self.sequence.waits == Waits::ForDevices {
                host = host.max(value);
            }
            let overhead = self.sequence.sites[site].split_overhead_ns();
            let shared = (0..UNITS).filter(taking).count() > 1;
            let overhead = if shared { overhead } else { 0.0 };
            self.clocks[0] = host + overhead;
            for unit in (1..UNITS).filter(taking) {
                self.clocks[unit] += overhead;
            }
            for operand in call.operands.iter().filter(|operand| operand.role.writes()) {
                for unit in (0..UNITS).filter(taking) {
                    for k in Plain::needed(operand, &parts[unit], call.elems) {
                        self.buffers[operand.buffer][k] = [false; UNITS];
                        self.buffers[operand.buffer][k][unit] = true;
                    }
                }
            }
        }
        self.clocks.into_iter().fold(0.0, f64::max)
    }
}

fn event() -> impl Strategy<Value = Event> {
    use RecordedRole::{Read, Update, Whole, Window, Write};
    let role = prop::sample::select(vec![Read, Read, Write, Update, Whole, Window]);
    let operands = prop::collection::vec((0..3_u64, role), 1..4);
    let call = (0..2_usize, 1..=N, operands)
        .prop_map(|(site, elems, operands)| call(["f", "g"][site], elems, &operands));
    let read = (0..3_u64, 0..=N, 0..=N).prop_map(|(buffer, a, b)| Event::Read {
        buffer,
        from: a.min(b),
        to: a.max(b),
    });
    prop_oneof![4 => call, 1 => read]
}

fn shares() -> impl Strategy<Value = Vec<f64>> {
    prop::array::uniform3(0..5_u8).prop_map(|parts| {
        let all = f64::from(parts.iter().sum::<u8>().max(1));
        let mut shares: Vec<f64> = parts.iter().map(|part| f64::from(*part) / all).collect();
        if parts == [0; 3] {
            shares[0] = 1.0;
        }
        shares
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 1000 }))]

    #[test]
    fn ranges_give_what_elements_give(
        events in prop::collection::vec(event(), 1..12),
        laws in prop::array::uniform6((0.0..9.0_f64, 0.0..20.0_f64)),
        moving in prop::array::uniform4(0.0..9.0_f64),
        chosen in prop::collection::vec(shares(), 8),
        overhead in 0.0..9.0_f64,
        waits in prop::sample::select(vec![Waits::ForUploads, Waits::ForDevices]),
    ) {
        let laws = laws.map(Some);
        let models = [model("f", N, &laws[..3], overhead), model("g", N, &laws[3..], overhead)];
        let [up_latency_ns, up_ns_per_byte, down_latency_ns, down_ns_per_byte] = moving;
        let transfers = transfers(TransferModel { up_latency_ns, up_ns_per_byte, down_latency_ns, down_ns_per_byte });
        let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
        let mut sequence = Sequence::new(&events, &models, &sizes, &transfers);
        sequence.waits = waits;
        let plain = Plain {
            sequence: &sequence,
            buffers: sequence.buffers.iter().map(|b| vec![[true, false, false]; b.elems]).collect(),
            clocks: [0.0; UNITS],
        };
        let expected = plain.run(&chosen);
        let found = Simulation::run(&sequence, &chosen);
        prop_assert!((found - expected).abs() <= 1e-9 * expected, "{} but {}", found, expected);
    }
}
