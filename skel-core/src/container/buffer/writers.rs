//! The calls that wrote the elements on devices, so that a late error can name its call.

use super::by_range::ByRange;
use crate::Error;
use std::{ops::Range, sync::Arc};

/// The last call that wrote each element on a device. Where a container is written in very many parts, each by a call of
/// its own, errors in older parts name no call.
#[derive(Debug, Default)]
pub(super) struct Writers(ByRange<Arc<str>>);

impl Writers {
    /// Elements `r` are from this call, and not from those before it.
    pub(super) fn note(&mut self, r: &Range<usize>, call: &Arc<str>) {
        self.0.note(r, Arc::clone(call));
    }

    /// Elements `r`, cut where the calls that wrote them meet.
    pub(super) fn cut(&self, r: &Range<usize>) -> Vec<Range<usize>> {
        let ends = self.0.ranges().flat_map(|part| [part.start, part.end]);
        let mut ends: Vec<usize> = ends.filter(|at| r.start < *at && *at < r.end).collect();
        ends.extend([r.start, r.end]);
        ends.sort_unstable();
        ends.dedup();
        ends.windows(2).map(|two| two[0]..two[1]).collect()
    }

    /// The error of reading elements `r`, which are on a device, with the name of the call that wrote them.
    /// Traps say where they are themselves.
    pub(super) fn blame(&self, r: Range<usize>, error: Error) -> Error {
        if !error.is_of_device() {
            return error;
        }
        let call = self.0.get(r.start);
        Error::Late {
            call: call.map_or_else(|| "a call".to_owned(), ToString::to_string),
            elements: r,
            cause: error.into(),
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_last_call_is_blamed_for_what_it_wrote() {
        let mut writers = Writers::default();
        writers.note(&(0..10), &"first".into());
        writers.note(&(4..6), &"second".into());
        let blamed = |at: usize| {
            let error = Error::DeviceLost {
                device: String::new(),
                reason: String::new(),
            };
            match writers.blame(at..at + 1, error) {
                Error::Late { call, elements, .. } => (call, elements),
                other => panic!("{other}"),
            }
        };
        assert_eq!(writers.cut(&(2..12)), [2..4, 4..6, 6..10, 10..12]);
        assert_eq!(writers.cut(&(4..6)), [4..6]);
        assert_eq!(blamed(3), ("first".into(), 3..4));
        assert_eq!(blamed(4), ("second".into(), 4..5));
        assert_eq!(blamed(6), ("first".into(), 6..7));
        assert_eq!(blamed(10), ("a call".into(), 10..11));
    }
}
