//! How much is moved, beside Heteroprio.

use super::{machine, submit};
use crate::{Arch, Costs, Engine, Finish, HandleId, KindId, MemoryNode, Mode, Ns, Work, scheduler};

/// GPUs are eight times as fast.
struct Speeds;

impl Costs for Speeds {
    fn exec_ns(&self, _: KindId, arch: Arch, _: Work) -> Option<Ns> {
        Some([8, 1][usize::from(arch.0)])
    }
}

const BLOCKS: usize = 24;
const STEPS: usize = 20;

/// The bytes that a stencil moves: each task updates a block and reads its neighbours, on two CPUs and `gpus` GPUs.
/// Workers take tasks in turn, and end them by their speeds.
fn moved_bytes(name: &str, gpus: u32) -> u64 {
    let machine = machine(2, gpus);
    let built = scheduler::parse(name).unwrap().build(&machine).unwrap();
    let mut engine = Engine::new(machine.clone(), built, Box::new(Speeds));
    engine.kind("stencil");
    let handles: Vec<[HandleId; 2]> = (0..BLOCKS)
        .map(|_| [0, 1].map(|_| engine.register(1 << 20, Some(MemoryNode::HOST))))
        .collect();
    for step in 0..STEPS {
        let (from, to) = (step % 2, (step + 1) % 2);
        for k in 0..BLOCKS {
            let near = [k.wrapping_sub(1), k, k + 1];
            let near = near.iter().filter_map(|k| handles.get(*k));
            let reads = near.map(|block| (block[from], Mode::Read));
            let all: Vec<_> = reads.chain([(handles[k][to], Mode::Write)]).collect();
            submit(&mut engine, 0, &all, None);
        }
    }
    let (mut bytes, mut now) = (0, 0);
    let mut running = vec![None; machine.workers()];
    while engine.pending() > 0 {
        for worker in machine.worker_ids() {
            let slot = &mut running[worker.0 as usize];
            if let Some((task, _)) = slot.take_if(|(_, end)| *end <= now) {
                let done = Finish::Done { took_ns: 1 };
                engine.finished(task, done, worker, now).unwrap();
            }
            if slot.is_none()
                && let Some(task) = engine.next(worker, now).unwrap()
            {
                bytes += engine.transfers().iter().map(|of| of.bytes).sum::<u64>();
                let arch = usize::from(machine.arch_of(worker).0);
                *slot = Some((task, now + [8, 1][arch]));
            }
        }
        now += 1;
    }
    bytes
}

#[test]
fn a_stencil_moves_less_than_half_of_what_it_does_under_heteroprio() {
    for gpus in [2, 4] {
        let plain = moved_bytes("heteroprio", gpus);
        for name in ["auto", "sdh", "sdh2", "sdhb", "smwb"] {
            let bytes = moved_bytes(&format!("laheteroprio,affinity={name}"), gpus);
            assert!(
                2 * bytes < plain,
                "{gpus} GPUs, {name}: {bytes} of {plain} bytes"
            );
        }
    }
}
