//! Upward ranks: the longest way from the beginning of a task to an end of the graph, in mean times.

use super::graph::Batch;
use crate::{NodeSet, View};
use std::collections::HashMap;

/// The mean time of a copy over all ordered pairs of distinct memory nodes with live workers.
struct MeanTransfer<'v> {
    view: &'v View<'v>,
    nodes: NodeSet,
    by_bytes: HashMap<u64, f64>,
}

impl<'v> MeanTransfer<'v> {
    fn new(view: &'v View<'v>) -> MeanTransfer<'v> {
        let machine = view.machine();
        let classes = machine.classes().iter().enumerate();
        let live = classes.filter(|(k, _)| view.live(crate::ClassId(*k as u8)) > 0);
        MeanTransfer {
            view,
            nodes: live.map(|(_, class)| class.node).collect(),
            by_bytes: HashMap::new(),
        }
    }

    fn ns(&mut self, bytes: u64) -> f64 {
        if let Some(mean_ns) = self.by_bytes.get(&bytes) {
            return *mean_ns;
        }
        let machine = self.view.machine();
        let pairs = || {
            let all = self.nodes.iter();
            all.flat_map(|from| self.nodes.iter().map(move |to| (from, to)))
                .filter(|(from, to)| from != to)
        };
        let times_ns = pairs().map(|(from, to)| machine.transfer_ns(from, to, bytes) as f64);
        let mean_ns = times_ns.sum::<f64>() / pairs().count().max(1) as f64;
        self.by_bytes.insert(bytes, mean_ns);
        mean_ns
    }
}

/// The mean execution time of a task over the live workers that can run it.
fn mean_exec_ns(batch: &Batch<'_>, task: usize) -> f64 {
    let (mut sum_ns, mut workers) = (0.0, 0.0);
    for class in batch.view.able(batch.tasks[task]) {
        let live = f64::from(batch.view.live(class));
        sum_ns += live * batch.exec_ns(task, class) as f64;
        workers += live;
    }
    if workers > 0.0 { sum_ns / workers } else { 0.0 }
}

/// The upward rank of each task, and the tasks by descending rank; where ranks are equal, the one that was
/// submitted first, as far as it waits for none of the others.
pub(super) fn upward(batch: &Batch<'_>) -> (Vec<f64>, Vec<u32>) {
    let (mut ranks, mut transfer) = (vec![0.0_f64; batch.nodes()], MeanTransfer::new(batch.view));
    let mut order = batch.topological();
    for &task in order.iter().rev() {
        let mut longest_ns = 0.0_f64;
        for edges in batch.out_of(task).chunk_by(|a, b| a.to == b.to) {
            let data_ns: f64 = edges.iter().map(|edge| transfer.ns(edge.bytes)).sum();
            longest_ns = longest_ns.max(data_ns + ranks[edges[0].to as usize]);
        }
        let exec_ns = match batch.gate(task) {
            Some(_) => 0.0,
            None => mean_exec_ns(batch, task as usize),
        };
        ranks[task as usize] = exec_ns + longest_ns;
    }
    order.retain(|node| batch.gate(*node).is_none());
    ranks.truncate(batch.tasks.len());
    // What differs by less than a nanosecond is equal: rounding must not decide. The stable sort keeps the
    // topological order then, which tasks without duration need.
    let rounded = |task: u32| ranks[task as usize].round();
    order.sort_by(|a, b| rounded(*b).total_cmp(&rounded(*a)));
    (ranks, order)
}
