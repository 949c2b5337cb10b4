//! The loops of a scan on the host.

use super::{Form, pass::Pass, scanning::Scanning};
use crate::{
    Element,
    frame::{Fence, Frame},
    isa,
    param::{Outputs, ParamList},
    skeleton::elementwise::by_rows,
};
use std::ops::Range;

/// Walks over the segments of these elements of a piece, from what precedes it in all; `WRITES` says whether to write
/// prefixes, or to combine the elements alone.
///
/// Not inlined: it is called from several places, and is compiled once for all of them.
#[inline(never)]
pub(super) fn walk<S: Form, const WRITES: bool>(
    frame: &mut Frame<'_>,
    range: Range<usize>,
    scanning: &mut Scanning<S>,
) {
    isa::dispatch(Walk::<S, WRITES, false> {
        frame,
        range,
        scanning,
    });
}

/// The same, which writes prefixes, and streams them. Gives `false` where the machine's instruction set has no such loop.
pub(super) fn walk_streaming<S: Form>(
    frame: &mut Frame<'_>,
    range: Range<usize>,
    scanning: &mut Scanning<S>,
) -> bool {
    let walked = isa::dispatch_vectors(Walk::<S, true, true> {
        frame,
        range,
        scanning,
    });
    walked.is_some()
}

struct Walk<'a, 'm, S: Form, const WRITES: bool, const STREAMS: bool> {
    frame: &'a mut Frame<'m>,
    range: Range<usize>,
    scanning: &'a mut Scanning<S>,
}

impl<S: Form, const WRITES: bool, const STREAMS: bool> isa::Body
    for Walk<'_, '_, S, WRITES, STREAMS>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.walk::<false>();
    }

    #[inline(always)]
    fn run_baseline(self) {
        self.walk::<true>();
    }
}

impl<S: Form, const WRITES: bool, const STREAMS: bool> Walk<'_, '_, S, WRITES, STREAMS> {
    /// With `BY_PARTS`, all blocks are combined as those are of which only some elements are there: little is compiled then.
    #[inline(always)]
    fn walk<const BY_PARTS: bool>(self) {
        let (mut rest, opening) = (self.range, self.frame.opening());
        let scanning = self.scanning;
        let fence = const { STREAMS }.then(Fence::new);
        while !rest.is_empty() {
            let segment = opening.segment(&rest, by_rows::<S::Map, S::Params>());
            let r = segment.range();
            let n = r.len();
            rest.start = r.end;
            let (inputs, outputs) = self.frame.slots.split_at_mut(S::Params::LEN);
            let mut inputs = S::Params::open(inputs, &segment);
            let mut outputs = WRITES.then(|| <S::Output as Outputs>::open(outputs, &r));
            let mut pass = Pass::<'_, '_, S, WRITES> {
                segment: &segment,
                first: 0,
                fence: fence.as_ref(),
                // Slices of exactly `n` elements, so that no access in the loop is checked.
                inputs: S::Params::sub(&mut inputs, 0..n),
                outputs: outputs
                    .as_mut()
                    .map(|all| <S::Output as Outputs>::sub(all, 0..n)),
            };
            // What is known of the type is not compiled otherwise. Elements that are combined alone go by tiles in any case.
            let is_chain = const { WRITES && !matches!(exact::<S>(), Some(false)) }
                && (const { matches!(exact::<S>(), Some(true)) } || scanning.exact);
            if is_chain {
                scanning.within = Some(pass.chain(0, n, scanning.within));
            } else if const { !WRITES || !matches!(exact::<S>(), Some(true)) } {
                pass.tiles::<BY_PARTS>(n, scanning);
            }
        }
    }
}

/// Whether all groupings have the same bits, as where no float is involved; `None` if the type does not say it at compile
/// time.
const fn exact<S: Form>() -> Option<bool> {
    if S::Inner::IS_FLOAT {
        Some(false)
    } else if S::Inner::IS_INTEGER {
        Some(true)
    } else {
        None
    }
}

/// The same, for all types.
pub(super) fn is_exact<S: Form>() -> bool {
    exact::<S>().unwrap_or_else(|| !S::State::ty().has_floats())
}
