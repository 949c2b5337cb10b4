//! Folds and scans in the grouping of `skel_core::plan::grouping`, written for being read: what every unit's results
//! are compared with, bit by bit.

use skel_core::plan::Grouping;

/// An operator, and whether its scans go by doubling: those of `f32` and `f64` by an operator that commutes.
#[derive(Clone, Copy)]
pub(crate) struct Op<T> {
    pub(crate) apply: fn(T, T) -> T,
    pub(crate) is_wide: bool,
}

impl<T: Copy> Op<T> {
    fn chain(self, x: impl Iterator<Item = T>) -> Option<T> {
        x.reduce(self.apply)
    }

    fn join(self, a: Option<T>, b: Option<T>) -> Option<T> {
        match (a, b) {
            (Some(a), Some(b)) => Some((self.apply)(a, b)),
            (a, b) => a.or(b),
        }
    }

    /// The truncated binary tree.
    pub(crate) fn tree(self, v: &[T]) -> Option<T> {
        match v.len() {
            0 => None,
            1 => Some(v[0]),
            m => {
                let p = m.next_power_of_two() / 2;
                self.join(self.tree(&v[..p]), self.tree(&v[p..]))
            }
        }
    }

    fn block(self, x: &[T]) -> Option<T> {
        match x.len() {
            16 => self.tree(x),
            _ => self.chain(x.iter().copied()),
        }
    }

    fn chunk(self, x: &[T]) -> Option<T> {
        self.chain(x.chunks(16).filter_map(|b| self.block(b)))
    }

    fn lanes(self, x: &[T]) -> Option<T> {
        let lane = |l: usize| self.chain(x[l..].iter().step_by(128).copied());
        let mut v: Vec<T> = (0..x.len().min(128)).filter_map(lane).collect();
        for w in [64, 32, 16, 8, 4, 2, 1] {
            for l in 0..w {
                if l + w < v.len() {
                    v[l] = (self.apply)(v[l], v[l + w]);
                }
            }
            v.truncate(w);
        }
        v.first().copied()
    }

    fn tile(self, grouping: Grouping, x: &[T]) -> Option<T> {
        match grouping {
            Grouping::Heavy => self.block(x),
            Grouping::Ordered { .. } => self.chain(x.chunks(256).filter_map(|c| self.chunk(c))),
            Grouping::Lanes => self.lanes(x),
        }
    }

    /// The fold of all elements; none of none.
    pub(crate) fn fold(self, grouping: Grouping, x: &[T]) -> Option<T> {
        if x.len() < 64 && grouping != Grouping::Heavy {
            return self.chain(x.iter().copied());
        }
        let tiles = x.chunks(grouping.tile_elems());
        let tiles: Vec<T> = tiles.filter_map(|t| self.tile(grouping, t)).collect();
        self.tree(&tiles)
    }

    /// The fold of a column: chains of 32 rows, and a tree.
    pub(crate) fn column(self, x: &[T]) -> Option<T> {
        let chains = x.chunks(32).filter_map(|c| self.chain(c.iter().copied()));
        self.tree(&chains.collect::<Vec<T>>())
    }

    /// The prefixes of a block, by doubling.
    fn doubling(self, x: &[T]) -> Vec<T> {
        let mut p = x.to_vec();
        for reach in [1, 2, 4, 8] {
            let last = p.clone();
            for i in reach..p.len() {
                p[i] = (self.apply)(last[i - reach], last[i]);
            }
        }
        p
    }

    /// The scan of all elements, behind `initial` if there is one.
    pub(crate) fn scan(
        self,
        grouping: Grouping,
        exclusive: bool,
        initial: Option<T>,
        x: &[T],
    ) -> Vec<T> {
        let (elems, mut out) = (grouping.tile_elems(), Vec::with_capacity(x.len()));
        let whole = x.chunks_exact(elems);
        let totals: Vec<T> = whole.filter_map(|t| self.tile(grouping, t)).collect();
        for (j, tile) in x.chunks(elems).enumerate() {
            let (before, mut chunks) = (self.join(initial, self.tree(&totals[..j])), None);
            for chunk in tile.chunks(256) {
                let (before, mut blocks) = (self.join(before, chunks), None);
                for block in chunk.chunks(16) {
                    let carry = self.join(before, blocks);
                    out.extend(self.scan_block(block, carry, exclusive));
                    blocks = self.join(blocks, self.block(block));
                }
                chunks = self.join(chunks, self.chunk(chunk));
            }
        }
        out
    }

    fn scan_block(self, block: &[T], carry: Option<T>, exclusive: bool) -> Vec<T> {
        let prefixes = self.doubling(block);
        let all = (0..block.len()).map(|i| {
            let upto = i + usize::from(!exclusive);
            match self.is_wide {
                true => self.join(carry, upto.checked_sub(1).map(|i| prefixes[i])),
                false => {
                    let own = block[..upto].iter();
                    own.fold(carry, |a, v| self.join(a, Some(*v)))
                }
            }
        });
        all.flatten().collect()
    }
}
