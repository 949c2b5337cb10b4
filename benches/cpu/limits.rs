//! What the machine's memory gives at most, to all threads: read, copied, and written around the caches, in memory that has
//! huge pages where the system gives them.

use crate::{folds::sum_of_doubles, maps::triad_by_hand};
use rayon::prelude::*;
use skel::prelude::*;
use std::error::Error;
use tuner::{Budget, Race};

/// A line of text, of arrays of so many `f64`.
pub(crate) fn measured(elems: usize, budget: &Budget) -> Result<String, Box<dyn Error>> {
    // Containers ask for huge pages; a `Vec` does not.
    let (x, y) = (
        Vector::from_fn(elems, |i| i as f64),
        Vector::filled(elems, 1.0),
    );
    let mut out = Vector::filled(elems, 0.0);
    let (x, y, mut out) = (x.host()?, y.host()?, out.host_mut()?);
    let chunk = elems.div_ceil(rayon::current_num_threads());
    let bytes = elems * size_of::<f64>();
    let mut rates = Vec::new();
    let mut race = |what: &'static str, arrays: usize, run: &mut dyn FnMut()| {
        let result = Race::new(what, elems, arrays * bytes)
            .contender(what, run)
            .run(budget);
        rates.push(format!("{:.1} GB/s {what}", result.gigabytes_per_s(what)));
    };
    race("read", 1, &mut || {
        let sum: f64 = x.par_chunks(chunk).map(sum_of_doubles).sum();
        std::hint::black_box(sum);
    });
    race("copied", 2, &mut || {
        let parts = x.par_chunks(chunk).zip(out.par_chunks_mut(chunk));
        // Large copies of the C library go around the caches by themselves.
        parts.for_each(|(x, out)| out.copy_from_slice(x));
    });
    race("triad, streamed", 3, &mut || {
        triad_by_hand(&x, &y, 0.4, &mut out)
    });
    Ok(format!("the machine's memory: {}", rates.join(", ")))
}
