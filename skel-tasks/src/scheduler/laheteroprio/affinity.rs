//! Which memory node a task is best run at, by what it accesses and where that lies.
//!
//! Bramas 2019, "Data locality affinity formulas". All scores are whole numbers, so that equal ones are equal.

use crate::{MemoryNode, NodeSet, TaskId, View};
use std::{fmt, str::FromStr};

/// How the memory node of a task is found when it is pushed.
///
/// Data that is written is data of any mode but [`Mode::Read`](crate::Mode::Read). Of memory nodes that are
/// equally good, the one of the worker that pushes is taken, else the one of the lowest number. A
/// push from outside counts as one from the host's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Affinity {
    /// `laru`: the memory node of the worker that pushes, which used some of the data last.
    LaRu,
    /// `mc`: the least expected time to bring what is read.
    Mc,
    /// `sdh`, LS_SDH: the most bytes hosted.
    Sdh,
    /// `sdh2`, LS_SDH2: the most bytes hosted, where each piece that is written counts by its square.
    Sdh2,
    /// `sdhb`, LS_SDHB: the most bytes hosted, where those written count times `theta` and the number of such
    /// pieces.
    Sdhb,
    /// `smwb`, LC_SMWB: the fewest bytes missing, where those written count between once, if all data is
    /// written, and nearly twice, if little is.
    Smwb,
    /// `auto`: the one of the last four whose choice at push differed from that at pop for the fewest tasks
    /// until now; of equals, the one that is first here.
    #[default]
    Auto,
}

/// All affinities, with their names.
const NAMES: [(Affinity, &str); 7] = [
    (Affinity::LaRu, "laru"),
    (Affinity::Mc, "mc"),
    (Affinity::Sdh, "sdh"),
    (Affinity::Sdh2, "sdh2"),
    (Affinity::Sdhb, "sdhb"),
    (Affinity::Smwb, "smwb"),
    (Affinity::Auto, "auto"),
];

impl Affinity {
    /// The names, as text for messages.
    pub(super) fn choices() -> String {
        let names: Vec<&str> = NAMES.iter().map(|(_, name)| *name).collect();
        format!("one of {}", names.join(", "))
    }
}

impl fmt::Display for Affinity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMES.iter().find(|(affinity, _)| affinity == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

impl FromStr for Affinity {
    type Err = ();

    fn from_str(text: &str) -> Result<Affinity, ()> {
        let named = NAMES.iter().find(|(_, name)| *name == text);
        named.map(|(affinity, _)| *affinity).ok_or(())
    }
}

/// The formulas that look at accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    Sdh,
    Sdh2,
    Sdhb,
    Smwb,
}

/// All of them; equally robust ones are preferred in this order.
pub(super) const FORMULAS: [Formula; 4] =
    [Formula::Sdh, Formula::Sdh2, Formula::Sdhb, Formula::Smwb];

/// In how many parts `theta` is counted.
pub(super) const THETA_PARTS: u128 = 1_000;

/// What a task reads and writes, all of it or that on one memory node.
#[derive(Clone, Copy, Default)]
struct Data {
    read_bytes: u128,
    write_bytes: u128,
    write_squares: u128,
    reads: u128,
    writes: u128,
}

impl Data {
    fn add(&mut self, is_written: bool, bytes: u64) {
        let bytes = u128::from(bytes);
        if is_written {
            self.writes += 1;
            self.write_bytes += bytes;
            self.write_squares = self.write_squares.saturating_add(bytes * bytes);
        } else {
            self.reads += 1;
            self.read_bytes += bytes;
        }
    }
}

/// What one task accesses, by memory nodes. Kept from task to task, since it has room for each node.
pub(super) struct Locality {
    nodes: Vec<Data>,
    all: Data,
    /// `theta` in [`THETA_PARTS`].
    theta_parts: u128,
    ignores_common: bool,
}

impl Locality {
    pub(super) fn new(nodes: usize, theta_parts: u128, ignores_common: bool) -> Locality {
        Locality {
            nodes: vec![Data::default(); nodes],
            all: Data::default(),
            theta_parts,
            ignores_common,
        }
    }

    /// Begins with a task without data.
    pub(super) fn clear(&mut self) {
        self.nodes.fill(Data::default());
        self.all = Data::default();
    }

    /// Adds a piece of data that these memory nodes have.
    pub(super) fn add(&mut self, is_written: bool, bytes: u64, valid: NodeSet) {
        let is_node = |node: &MemoryNode| usize::from(node.0) < self.nodes.len();
        if self.ignores_common && valid.iter().filter(is_node).count() == self.nodes.len() {
            return;
        }
        self.all.add(is_written, bytes);
        for node in valid.iter() {
            if let Some(data) = self.nodes.get_mut(usize::from(node.0)) {
                data.add(is_written, bytes);
            }
        }
    }

    /// Looks at the data of a task.
    pub(super) fn look(&mut self, task: TaskId, view: &View<'_>) {
        self.clear();
        for access in view.accesses(task) {
            let (bytes, valid) = (view.bytes(access.handle), view.valid(access.handle));
            self.add(access.mode.writes(), bytes, valid);
        }
    }

    /// The score of a memory node; that of LS_SDHB times [`THETA_PARTS`], the cost of LC_SMWB times the number of
    /// pieces of data.
    pub(super) fn score(&self, formula: Formula, node: usize) -> u128 {
        let (data, all) = (&self.nodes[node], &self.all);
        match formula {
            Formula::Sdh => data.read_bytes + data.write_bytes,
            Formula::Sdh2 => data.read_bytes.saturating_add(data.write_squares),
            Formula::Sdhb => {
                let written = data.write_bytes.saturating_mul(data.writes);
                let written = written.saturating_mul(self.theta_parts);
                (data.read_bytes * THETA_PARTS).saturating_add(written)
            }
            Formula::Smwb => {
                // (2·#D − #W) / #D, times #D. The formula as printed has lost a term; the text beside it says
                // that the factor is 1 if all is written, and tends to 2.
                let count = all.reads + all.writes;
                let read_bytes = all.read_bytes - data.read_bytes;
                let write_bytes = all.write_bytes - data.write_bytes;
                read_bytes * count + write_bytes * (2 * count - all.writes)
            }
        }
    }

    /// The best memory node by a formula, where the push comes from `home`.
    pub(super) fn best(&self, formula: Formula, home: MemoryNode) -> MemoryNode {
        let score = |node| self.score(formula, node);
        match formula {
            Formula::Smwb => least(self.nodes.len(), home, score),
            Formula::Sdh | Formula::Sdh2 | Formula::Sdhb => {
                least(self.nodes.len(), home, |node| u128::MAX - score(node))
            }
        }
    }
}

/// The memory node of the least cost: of equals `home`, else the one of the lowest number.
pub(super) fn least(nodes: usize, home: MemoryNode, cost: impl Fn(usize) -> u128) -> MemoryNode {
    // What is not 0 comes behind in a tie, and the first of what is left is taken.
    let by_cost = |node: &usize| (cost(*node), *node != usize::from(home.0));
    let least = (0..nodes).min_by_key(by_cost);
    MemoryNode(least.unwrap_or(0) as u8)
}
