//! What is planned for a worker, and where another task fits in.

use crate::Ns;

/// The times in which a worker is not planned to be busy: gaps in order, and all from `free_ns` on.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    gaps: Vec<(Ns, Ns)>,
    free_ns: Ns,
}

impl Slots {
    /// A worker that is busy until then.
    pub(super) fn new(free_ns: Ns) -> Slots {
        Slots {
            gaps: Vec::new(),
            free_ns,
        }
    }

    /// The first start, not before `ready_ns`, at which `length_ns` fit in.
    pub(super) fn start_ns(&self, ready_ns: Ns, length_ns: Ns) -> Ns {
        let first = self.gaps.partition_point(|(_, end)| *end < ready_ns);
        let starts = self.gaps[first..].iter().map(|(start, end)| {
            let start_ns = ready_ns.max(*start);
            (start_ns, *end)
        });
        let mut fitting = starts.filter(|(start, end)| start.saturating_add(length_ns) <= *end);
        let in_gap = fitting.next().map(|(start_ns, _)| start_ns);
        in_gap.unwrap_or(ready_ns.max(self.free_ns))
    }

    /// Plans a task where [`Slots::start_ns`] has found room.
    pub(super) fn insert(&mut self, start_ns: Ns, length_ns: Ns) {
        let end_ns = start_ns.saturating_add(length_ns);
        if start_ns >= self.free_ns {
            if start_ns > self.free_ns {
                self.gaps.push((self.free_ns, start_ns));
            }
            self.free_ns = end_ns;
            return;
        }
        let k = self.gaps.partition_point(|(_, end)| *end < end_ns);
        let Some((gap_start, gap_end)) = self.gaps.get(k).copied() else {
            return;
        };
        let parts = [(gap_start, start_ns), (end_ns, gap_end)];
        let left = parts.into_iter().filter(|(start, end)| start < end);
        self.gaps.splice(k..=k, left);
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn idle_slots_are_filled_and_split() {
        let mut slots = Slots::new(5);
        assert_eq!((slots.start_ns(0, 3), slots.start_ns(20, 3)), (5, 20));
        slots.insert(20, 10);
        assert_eq!(slots.start_ns(0, 15), 5);
        assert_eq!(slots.start_ns(0, 16), 30);
        slots.insert(10, 4);
        assert_eq!(slots.start_ns(0, 5), 5);
        assert_eq!(slots.start_ns(0, 6), 14);
        assert_eq!(slots.start_ns(15, 6), 30);
        slots.insert(14, 6);
        slots.insert(5, 5);
        assert_eq!(slots.start_ns(0, 1), 30);
        // What takes no time needs no gap.
        assert_eq!(slots.start_ns(7, 0), 30);
    }
}
