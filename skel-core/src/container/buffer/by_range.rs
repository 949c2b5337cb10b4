//! What is known of elements, range by range.

use std::ops::Range;

/// Ranges of which something is known, at most: the older half is forgotten beyond that.
pub(super) const MOST_PARTS: usize = 1024;

/// A value for each element of some ranges, the last one that was noted.
#[derive(Debug)]
pub(super) struct ByRange<V>(Vec<(Range<usize>, V)>);

impl<V> Default for ByRange<V> {
    fn default() -> Self {
        ByRange(Vec::new())
    }
}

impl<V: Clone> ByRange<V> {
    /// Of elements `r`, this is known from now on, and not what was before.
    pub(super) fn note(&mut self, r: &Range<usize>, value: V) {
        let old = std::mem::take(&mut self.0);
        for (part, earlier) in old {
            let left = part.start..part.end.min(r.start);
            let right = part.start.max(r.end)..part.end;
            for rest in [left, right] {
                if !rest.is_empty() {
                    self.0.push((rest, earlier.clone()));
                }
            }
        }
        if self.0.len() >= MOST_PARTS {
            self.0.drain(..MOST_PARTS / 2);
        }
        self.0.push((r.clone(), value));
    }

    /// What is known of an element.
    pub(super) fn get(&self, element: usize) -> Option<&V> {
        let (_, value) = self.0.iter().find(|(part, _)| part.contains(&element))?;
        Some(value)
    }

    /// The ranges, in no order; no two overlap.
    pub(super) fn ranges(&self) -> impl Iterator<Item = &Range<usize>> {
        self.0.iter().map(|(part, _)| part)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_last_value_of_each_element_is_known_of_so_many_parts() {
        let mut values = ByRange::default();
        values.note(&(0..10), 'a');
        values.note(&(4..6), 'b');
        let known: String = (0..10).filter_map(|at| values.get(at)).collect();
        assert_eq!(known, "aaaabbaaaa");
        assert_eq!(values.get(10), None);
        for at in 0..5 * MOST_PARTS {
            values.note(&(at..at + 1), 'c');
            assert!(values.ranges().count() <= MOST_PARTS);
        }
        assert_eq!(values.get(5 * MOST_PARTS - 1), Some(&'c'), "the newest");
    }
}
