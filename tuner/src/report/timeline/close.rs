//! One call of a run.

use super::{Span, Timeline};

impl Timeline {
    /// What went on from the beginning to the end of the call that kept most lanes busy, and a little
    /// before and after it. Calls for which something was compiled are passed over; of several, the
    /// longest. `None` if no call kept two lanes busy, or if there is only one.
    #[must_use]
    pub fn around_a_call(&self) -> Option<Timeline> {
        let all = || self.lanes.iter().flat_map(|(_, spans)| spans);
        let overlap = |a: &Span, b: &Span| a.from_ns < b.to_ns && b.from_ns < a.to_ns;
        let calls: Vec<&Span> = all().filter(|s| s.kind == "call").collect();
        if calls.len() < 2 {
            return None;
        }
        let warm = |call: &&&Span| !all().any(|s| s.kind == "compile" && overlap(s, call));
        let busy = |call: &Span| {
            let works = |s: &Span| !matches!(s.kind.as_str(), "call" | "wait") && overlap(s, call);
            let lanes = self.lanes.iter();
            lanes.filter(|(_, spans)| spans.iter().any(works)).count()
        };
        let best = calls.iter().filter(warm).map(|call| (busy(call), *call));
        let (lanes, call) = best.max_by(|(n, a), (m, b)| {
            let length = |s: &Span| s.to_ns - s.from_ns;
            n.cmp(m).then(length(a).total_cmp(&length(b)))
        })?;
        let length = call.to_ns - call.from_ns;
        let (from, to) = (call.from_ns - 0.03 * length, call.to_ns + 0.12 * length);
        let cut = |(name, spans): &(String, Vec<Span>)| {
            let inside = spans.iter().filter(|s| s.from_ns < to && s.to_ns > from);
            let spans = inside.map(|s| Span {
                from_ns: s.from_ns.max(from) - from,
                to_ns: s.to_ns.min(to) - from,
                ..s.clone()
            });
            (name.clone(), spans.collect::<Vec<_>>())
        };
        (lanes > 1).then(|| Timeline {
            lanes: self
                .lanes
                .iter()
                .map(cut)
                .filter(|(_, spans)| !spans.is_empty())
                .collect(),
            left_out: 0,
        })
    }
}
