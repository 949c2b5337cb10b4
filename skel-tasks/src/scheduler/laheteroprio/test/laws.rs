//! What holds for all machines, settings and tasks.

use super::{keeper, submit};
use crate::{
    Access, Arch, ArchSet, Configuration, Costs, Engine, Finish, HandleId, KindId, Link, Machine,
    MemoryNode, Mode, NewTask, Ns, Scheduler as _, TaskId, Work, WorkerId,
    scheduler::{Affinity, Block, Buckets, Heteroprio, LaHeteroprio, PerArch, Ties},
};
use proptest::{prelude::*, sample::Index};
use std::collections::VecDeque;

const BUCKETS: usize = 4;

/// CPUs, and GPUs behind links of these speeds.
fn machine(cpus: u32, speeds: &[u8]) -> Machine {
    let device = |builder: crate::MachineBuilder, speed: &u8| {
        let bytes_per_ns = f64::from(*speed);
        let bus = Link {
            latency_ns: 0,
            bytes_per_ns,
        };
        builder.device("gpu", 1, None, bus)
    };
    let cpu = Machine::builder().arch("cpu", cpus);
    let all = speeds.iter().fold(cpu, device);
    // Some have a direct link between GPUs, which makes these closer than the CPU.
    let peer = Link {
        latency_ns: 0,
        bytes_per_ns: 9.0,
    };
    let has_peers = speeds.len() > 1 && speeds[0] != 2;
    let all = match has_peers {
        true => all.link(MemoryNode(1), MemoryNode(2), peer),
        false => all,
    };
    all.build().unwrap()
}

/// LAHeteroprio by loops over all lists, with a memory node given for each task.
struct Loops {
    machine: Machine,
    settings: LaHeteroprio,
    lists: Vec<VecDeque<TaskId>>,
}

impl Loops {
    fn rows(&self, arch: &str) -> &[usize] {
        let orders = &self.settings.buckets.orders;
        &orders.iter().find(|(name, _)| name == arch).unwrap().1
    }

    fn arch_at(&self, node: usize) -> &'static str {
        if node == 0 { "cpu" } else { "gpu" }
    }

    /// 1 − Σ|P(i) − P(j)| / ((n + 1)(n + 2) / 2), and the transfer time as a fraction of the longest.
    fn distance(&self, i: usize, j: usize) -> f64 {
        let priority = |node: usize, bucket: usize| {
            let rows = self.rows(self.arch_at(node));
            rows.iter().position(|row| *row == bucket).unwrap_or(0)
        };
        let sum: usize = (0..BUCKETS)
            .map(|b| priority(i, b).abs_diff(priority(j, b)))
            .sum();
        let last = (0..BUCKETS).map(|b| priority(i, b).max(priority(j, b)));
        let n = last.max().unwrap() + 1;
        let nodes = 0..self.machine.nodes().len() as u8;
        let time = |from: u8, to: u8| {
            let (from, to) = (MemoryNode(from), MemoryNode(to));
            self.machine.transfer_ns(from, to, 1 << 30) as f64
        };
        let all = nodes
            .clone()
            .flat_map(|a| nodes.clone().map(move |b| (a, b)));
        let longest = all.map(|(a, b)| time(a, b)).fold(1.0, f64::max);
        let priority = 1.0 - sum as f64 / ((n + 1) * (n + 2) / 2) as f64;
        let transfer = time(j as u8, i as u8) / longest;
        self.settings.alpha * priority + (1.0 - self.settings.alpha) * transfer
    }

    fn pop(&mut self, worker: WorkerId) -> Option<TaskId> {
        let own = usize::from(self.machine.node_of(worker).0);
        let nodes = self.machine.nodes().len();
        let arch = self.arch_at(own);
        let of = |per: &PerArch<usize>| per.archs.iter().find(|of| of.0 == arch).unwrap().1;
        let (s, rows) = (of(&self.settings.s), self.rows(arch).to_vec());
        let block = self.settings.l.archs.iter().find(|of| of.0 == arch);
        let l = match block.unwrap().1 {
            Block::All => BUCKETS,
            Block::Buckets(l) => l,
        };
        let mut others: Vec<usize> = (0..nodes).filter(|node| *node != own).collect();
        if self.settings.ties == Ties::Highest {
            others.reverse();
        }
        others.sort_by(|a, b| self.distance(own, *a).total_cmp(&self.distance(own, *b)));
        let (near, far) = others.split_at(s);
        let mut walk = Vec::new();
        for block in rows.chunks(l) {
            walk.extend(block.iter().map(|row| (*row, own)));
            block
                .iter()
                .for_each(|row| walk.extend(near.iter().map(|node| (*row, *node))));
        }
        rows.iter()
            .for_each(|row| walk.extend(far.iter().map(|node| (*row, *node))));
        for (row, node) in walk {
            let ready: usize = (0..nodes).map(|m| self.lists[row * nodes + m].len()).sum();
            let buckets = &self.settings.buckets;
            let best = &buckets.best.iter().find(|best| best.0 == row).unwrap().1;
            let takes_best = self.rows(best).contains(&row);
            let workers = self.machine.workers_of(Arch(u8::from(best == "gpu"))) as f64;
            let slow = buckets.slow.iter().find(|of| of.0 == row && of.1 == arch);
            let is_kept = best != arch && takes_best && (ready as f64 / workers) < slow.unwrap().2;
            let list = &mut self.lists[row * nodes + node];
            if !is_kept && !list.is_empty() {
                return list.pop_front();
            }
        }
        None
    }
}

/// Some buckets in some order, one at least.
fn some_buckets() -> impl Strategy<Value = Vec<usize>> {
    let all: Vec<usize> = (0..BUCKETS).collect();
    (Just(all).prop_shuffle(), 1..=BUCKETS).prop_map(|(all, len)| all[..len].to_vec())
}

fn settings(nodes: usize) -> impl Strategy<Value = LaHeteroprio> {
    let all: Vec<usize> = (0..BUCKETS).collect();
    let slow = prop::collection::vec(0.5..4.0_f64, BUCKETS * 2);
    let best = prop::collection::vec(any::<bool>(), BUCKETS);
    let walk = (0..nodes, 0..nodes, 1..=BUCKETS + 1, 0..=BUCKETS);
    let ties = prop_oneof![Just(Ties::Lowest), Just(Ties::Highest)];
    let alpha = prop_oneof![Just(0.0), Just(0.5), Just(1.0)];
    // The CPU has all buckets, so that each task has a worker.
    let orders = (Just(all).prop_shuffle(), some_buckets());
    (orders, slow, best, walk, ties, alpha).prop_map(
        |((cpu, gpu), slow, best, (s_cpu, s_gpu, l_cpu, l_gpu), ties, alpha)| {
            let mut buckets = Buckets::default().order("cpu", &cpu).order("gpu", &gpu);
            for (b, gpu_is_best) in best.into_iter().enumerate() {
                let best = if gpu_is_best { "gpu" } else { "cpu" };
                buckets = buckets.best(b, best).slow(b, "cpu", slow[2 * b]).slow(
                    b,
                    "gpu",
                    slow[2 * b + 1],
                );
            }
            let l_gpu = if l_gpu == 0 {
                Block::All
            } else {
                Block::Buckets(l_gpu)
            };
            LaHeteroprio {
                buckets,
                affinity: Affinity::LaRu,
                s: PerArch::default().arch("cpu", s_cpu).arch("gpu", s_gpu),
                l: PerArch::default()
                    .arch("cpu", Block::Buckets(l_cpu))
                    .arch("gpu", l_gpu),
                alpha,
                ties,
                ..LaHeteroprio::default()
            }
        },
    )
}

fn machine_and_settings() -> impl Strategy<Value = (Machine, LaHeteroprio)> {
    let speeds = prop::collection::vec(1..4_u8, 1..4);
    (1..4_u32, speeds).prop_flat_map(|(cpus, speeds)| {
        let nodes = speeds.len() + 1;
        (Just(machine(cpus, &speeds)), settings(nodes))
    })
}

proptest! {
    #[test]
    fn each_task_is_popped_once_and_in_the_order_of_loops(
        (machine, settings) in machine_and_settings(),
        calls in prop::collection::vec((any::<bool>(), 0..BUCKETS, any::<Index>()), 1..120),
    ) {
        let mut queues = settings.build_queues(&machine).unwrap();
        let (nodes, workers) = (machine.nodes().len(), machine.workers());
        let mut loops = Loops {
            machine: machine.clone(),
            settings,
            lists: vec![VecDeque::new(); BUCKETS * nodes],
        };
        let mut engine = keeper(machine.clone());
        let (mut pushed, mut popped) = (0, Vec::new());
        for (is_push, kind, worker) in calls {
            let worker = WorkerId(worker.index(workers) as u32);
            if is_push {
                let task = submit(&mut engine, kind as u32, &[], None);
                queues.push(task, Some(worker), &engine.view(0));
                loops.lists[kind * nodes + usize::from(machine.node_of(worker).0)].push_back(task);
                pushed += 1;
            } else {
                let task = queues.pop(worker, &engine.view(0));
                prop_assert_eq!(task, loops.pop(worker));
                popped.extend(task);
            }
        }
        // As long as there are tasks, some worker may take one.
        while popped.len() < pushed {
            let before = popped.len();
            for worker in machine.worker_ids() {
                let task = queues.pop(worker, &engine.view(0));
                prop_assert_eq!(task, loops.pop(worker));
                popped.extend(task);
            }
            prop_assert!(popped.len() > before, "tasks are left");
        }
        popped.sort_unstable();
        popped.dedup();
        prop_assert_eq!(popped.len(), pushed);
        for class in 0..machine.classes().len() {
            prop_assert_eq!(queues.ready(crate::ClassId(class as u8)), 0);
        }
    }
}

/// What each kind took last, so that orders, best architectures and slow factors change all the time.
#[derive(Default)]
struct Last(Vec<Vec<Option<Ns>>>);

impl Costs for Last {
    fn exec_ns(&self, kind: KindId, arch: Arch, _: Work) -> Option<Ns> {
        *self.0.get(kind.0 as usize)?.get(usize::from(arch.0))?
    }

    fn observe(&mut self, kind: KindId, arch: Arch, _: Work, took_ns: Ns) {
        self.0.resize(BUCKETS, vec![None; 3]);
        self.0[kind.0 as usize][usize::from(arch.0)] = Some(took_ns);
    }
}

/// Workers that sleep until they are woken, as threads do.
struct Threads {
    engine: Engine,
    woken: Vec<WorkerId>,
    running: Vec<(TaskId, WorkerId)>,
}

impl Threads {
    fn look(&mut self, worker: WorkerId) {
        if let Some(task) = self.engine.next(worker, 0).unwrap() {
            self.running.push((task, worker));
        }
    }

    fn hear(&mut self) {
        self.woken.extend(self.engine.take_wakes());
    }

    /// A woken worker looks, or a running one ends its task and looks; false if all sleep.
    fn step(&mut self, which: Index, took_ns: Ns) -> bool {
        let count = self.woken.len() + self.running.len();
        if count == 0 {
            return false;
        }
        let k = which.index(count);
        if k < self.woken.len() {
            let worker = self.woken.swap_remove(k);
            self.look(worker);
        } else {
            let (task, worker) = self.running.swap_remove(k - self.woken.len());
            let is_live = self.engine.view(0).is_live(worker);
            let how = match is_live {
                true => Finish::Done { took_ns },
                false => Finish::Retry,
            };
            self.engine.finished(task, how, worker, 0).unwrap();
            if is_live {
                self.look(worker);
            }
        }
        true
    }
}

/// Classes of three architectures in some order, each at the host or at a memory of its own.
fn any_machine() -> impl Strategy<Value = Machine> {
    let class = (0..3_usize, 1..3_u32, any::<bool>());
    prop::collection::vec(class, 1..6).prop_map(|classes| {
        let bus = Link {
            latency_ns: 1,
            bytes_per_ns: 1.0,
        };
        let all = classes.into_iter();
        let add = |builder: crate::MachineBuilder, (arch, workers, is_device)| {
            let name = ["a", "b", "c"][arch];
            match is_device {
                true => builder.device(name, workers, None, bus),
                false => builder.arch(name, workers),
            }
        };
        all.fold(Machine::builder(), add).build().unwrap()
    })
}

/// A submission, with the handle and how it is accessed; a step; the loss of a worker.
#[derive(Clone, Debug)]
enum Event {
    Submit(u32, u8, usize, bool),
    Step(Index, Ns),
    Lose(Index),
}

fn event() -> impl Strategy<Value = Event> {
    let submit = (0..BUCKETS as u32, 1..8_u8, 0..6_usize, any::<bool>());
    prop_oneof![
        6 => submit.prop_map(|(kind, archs, handle, writes)| Event::Submit(kind, archs, handle, writes)),
        5 => (any::<Index>(), 1..1_000_u64).prop_map(|(which, took)| Event::Step(which, took)),
        1 => any::<Index>().prop_map(Event::Lose),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn no_task_is_left_while_all_workers_sleep(
        machine in any_machine(),
        is_local in any::<bool>(),
        events in prop::collection::vec((event(), any::<bool>()), 1..80),
        rest in prop::collection::vec((any::<Index>(), 1..1_000_u64), 16),
    ) {
        let built = match is_local {
            true => LaHeteroprio::default().build(&machine),
            false => Heteroprio::default().build(&machine),
        };
        let archs: Vec<u8> = machine.archs().iter().map(|name| name.as_bytes()[0] - b'a').collect();
        let mut engine = Engine::new(machine.clone(), built.unwrap(), Box::new(Last::default()));
        for k in 0..BUCKETS {
            engine.kind(&format!("kind {k}"));
        }
        let handles: Vec<HandleId> = (0..6)
            .map(|k| engine.register(8 << k, Some(MemoryNode::HOST)))
            .collect();
        let (woken, running) = (Vec::new(), Vec::new());
        let mut threads = Threads { engine, woken, running };
        machine.worker_ids().for_each(|worker| threads.look(worker));
        for (event, ends_section) in events {
            match event {
                Event::Submit(kind, able, handle, writes) => {
                    let able = archs.iter().enumerate().filter(|(_, name)| able >> **name & 1 == 1);
                    let archs: ArchSet = able.map(|(arch, _)| Arch(arch as u8)).collect();
                    let mode = if writes { Mode::Update } else { Mode::Read };
                    let access = [Access { handle: handles[handle], mode }];
                    let task = NewTask { archs, ..NewTask::new(KindId(kind), &access) };
                    // Refused where no worker is left.
                    let _ = threads.engine.submit(task, 0);
                }
                Event::Step(which, took_ns) => {
                    threads.step(which, took_ns);
                }
                Event::Lose(which) => {
                    let worker = WorkerId(which.index(machine.workers()) as u32);
                    threads.engine.lost(worker, 0);
                }
            }
            if ends_section {
                threads.hear();
            }
        }
        threads.hear();
        let steps = rest.into_iter().cycle().take(10_000);
        for (which, took_ns) in steps {
            if !threads.step(which, took_ns) {
                break;
            }
            threads.hear();
        }
        prop_assert!(threads.running.is_empty(), "it ends");
        prop_assert_eq!(threads.engine.pending(), 0);
    }
}
