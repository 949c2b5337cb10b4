//! The plain loop that sweeps are compared with.

/// A container as a plain loop sweeps it.
pub(super) struct Plain<T> {
    extents: [usize; 3],
    down: [bool; 3],
    pad: Option<T>,
    pub(super) elements: Vec<T>,
}

/// All directions of a sweep over so many dimensions, by their numbers: a bit for each, the innermost one is bit 0.
pub(super) fn directions(rank: usize) -> impl Iterator<Item = (usize, [bool; 3])> {
    (0..1 << rank).map(|turned| (turned, [4, 2, 1].map(|bit| turned & bit != 0)))
}

impl<T: Copy> Plain<T> {
    pub(super) fn new(
        extents: [usize; 3],
        down: [bool; 3],
        pad: Option<T>,
        elements: Vec<T>,
    ) -> Self {
        Plain {
            extents,
            down,
            pad,
            elements,
        }
    }

    /// What the element at these indices sees at these offsets, which count along the sweep.
    pub(super) fn see(&self, at: [usize; 3], offsets: [isize; 3]) -> T {
        let mut place = 0;
        for d in 0..3 {
            let step = if self.down[d] {
                -offsets[d]
            } else {
                offsets[d]
            };
            let (index, last) = (at[d] as isize + step, self.extents[d] as isize - 1);
            if let (Some(pad), false) = (self.pad, (0..=last).contains(&index)) {
                return pad;
            }
            place = place * self.extents[d] + index.clamp(0, last) as usize;
        }
        self.elements[place]
    }

    /// Computes all elements, one after the other.
    pub(super) fn sweep(&mut self, f: impl Fn(&Self, [usize; 3]) -> T) {
        let along = |d: usize| -> Vec<usize> {
            match self.down[d] {
                false => (0..self.extents[d]).collect(),
                true => (0..self.extents[d]).rev().collect(),
            }
        };
        let (planes, rows, cols) = (along(0), along(1), along(2));
        for k in planes {
            for i in &rows {
                for j in &cols {
                    let value = f(self, [k, *i, *j]);
                    self.elements[(k * self.extents[1] + i) * self.extents[2] + j] = value;
                }
            }
        }
    }
}
