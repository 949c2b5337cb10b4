//! Elements that trap, and what does not go together.

use super::{
    super::{
        Context, Failure, Outcome, Target,
        data::{instead, same},
    },
    Plain, bound,
};
use crate::{Error, prelude::*};

const DIVIDED: u32 = line!() + 3;
#[user_function]
fn divided(x: Sweep2<i32, 1, 1>, by: i32) -> i32 {
    x[(0, 0)] + x[(-1, 0)].max(x[(0, -1)]) / by
}

/// The first element of a plain loop is named, whichever traps first; those behind it are computed from nothing.
pub(super) fn traps(context: &Context, target: &Target) -> Outcome {
    let f = sweep!(divided).within(context).on(target.clone()).pad(1);
    // The second is small enough for any device to bind.
    for (turned, (rows, cols)) in (0..4).flat_map(|t| [(t, (70, 90)), (t, (30, 66))]) {
        for zeros in [
            vec![0],
            vec![rows * cols - 1],
            vec![5 * cols + 60, 25 * cols + 3, (rows - 1) * cols],
            vec![7 * cols + 20, 7 * cols + 21],
            vec![20 * cols + 64, 21 * cols + 2],
        ] {
            let mut by = vec![3; rows * cols];
            zeros.iter().for_each(|k| by[*k] = 0);
            // Rows and columns as the sweep counts them: columns go downwards at 1 and 3, rows at 2 and 3.
            let order = |k: &usize| {
                let (row, col) = (k / cols, k % cols);
                let row = if turned >= 2 { rows - 1 - row } else { row };
                (row, if turned % 2 == 1 { cols - 1 - col } else { col })
            };
            let first = zeros.iter().copied().min_by_key(order).unwrap_or(0);
            let by = Matrix::from_vec(rows, cols, by)?;
            let mut m = Matrix::filled(rows, cols, 2);
            let ran = match turned {
                0 => f.run((&mut m, &by)),
                1 => f.clone().descending([1]).run((&mut m, &by)),
                2 => f.clone().descending([0]).run((&mut m, &by)),
                _ => f.clone().descending([0, 1]).run((&mut m, &by)),
            };
            let found = match ran.and_then(|()| m.host().map(|_| ())) {
                Err(Error::Unsupported { reason, .. })
                    if rows == 70 && reason.contains("read at random") =>
                {
                    continue;
                }
                Err(error @ Error::Unsupported { .. }) => return Err(error.into()),
                Err(error) => error,
                Ok(()) => return Err(Failure::Wrong("nothing was divided by zero".into())),
            };
            let says = match found.root_cause() {
                Error::Trap {
                    function,
                    file,
                    line,
                    index,
                    message,
                } => {
                    file.ends_with("refused.rs")
                        && (&**function, *line, *index) == ("divided", DIVIDED, Some(first))
                        && message == "attempt to divide by zero"
                }
                _ => false,
            };
            if !says {
                return Err(Failure::Wrong(format!("{zeros:?}, {turned}: {found:?}")));
            }
        }
    }
    Ok(())
}

/// Never ends at 0, which no element is when it has been computed.
#[user_function]
fn halved(x: Sweep2<u32, 1, 1>, by: u32) -> u32 {
    let mut n = x[(-1, 0)].min(x[(0, -1)]);
    while n.is_multiple_of(2) {
        n /= 2;
    }
    n + 24 / by
}

/// What is behind an element that traps is not computed: it would see what the sweep has not made.
pub(super) fn loops_behind_traps(context: &Context, target: &Target) -> Outcome {
    loops_behind_traps_of(context, target, 24)?;
    loops_behind_traps_of(context, target, 40)
}

fn loops_behind_traps_of(context: &Context, target: &Target, rows: usize) -> Outcome {
    let f = sweep!(halved).within(context).on(target.clone()).pad(4);
    let cols = 70;
    let mut by = vec![5; rows * cols];
    let run = |by: &[u32]| -> crate::Result<Vec<u32>> {
        let mut m = Matrix::filled(rows, cols, 0);
        let by = Matrix::from_vec(rows, cols, by.to_vec())?;
        f.run((&mut m, &by))?;
        m.to_vec()
    };
    let Some(found) = bound(run(&by))? else {
        return Ok(());
    };
    let mut plain = Plain::new([1, rows, cols], [false; 3], Some(4), vec![0; rows * cols]);
    plain.sweep(|s, at| {
        let n: u32 = s.see(at, [0, -1, 0]).min(s.see(at, [0, 0, -1]));
        (n >> n.trailing_zeros()) + 4
    });
    same("odd parts", &found, &plain.elements)?;
    // The later one is on an earlier hyperplane, and what is behind it may be before the other.
    by[12 * cols + 60] = 0;
    by[20 * cols + 2] = 0;
    match run(&by) {
        Err(error) if matches!(error.root_cause(), Error::Trap { index: Some(at), .. } if *at == 12 * cols + 60) => {
            Ok(())
        }
        found => Err(instead("a trap behind", found)),
    }
}

/// What does not go together, and what has nothing to do.
pub(super) fn refused(context: &Context, target: &Target) -> Outcome {
    let f = sweep!(divided).within(context).on(target.clone());
    let matrix = |rows, cols| Matrix::filled(rows, cols, 1);
    let refused = |what: &str, found: crate::Result<()>, says: fn(&Error) -> bool| match found {
        Err(error) if says(&error) => Ok(()),
        found => Err(Failure::Wrong(format!("{what}: {found:?}"))),
    };
    refused(
        "a dimension that is not there",
        f.clone()
            .descending([2])
            .run((&mut matrix(3, 4), &matrix(3, 4))),
        |e| matches!(e, Error::Sweep { .. }),
    )?;
    refused(
        "elements of another shape",
        f.run((&mut matrix(3, 4), &matrix(4, 3))),
        |e| matches!(e, Error::ShapeMismatch { argument: 2, .. }),
    )?;
    refused(
        "a part with gaps",
        f.run((matrix(3, 4).part_mut(.., 1..), &matrix(3, 3))),
        |e| matches!(e, Error::Scattered { argument: 1, .. }),
    )?;
    // No elements, nothing to do.
    let mut none = matrix(0, 4);
    f.run((&mut none, &matrix(0, 4)))?;
    let mut empty = matrix(3, 0);
    f.clone().descending([0]).run((&mut empty, &matrix(3, 0)))?;
    same("of no elements", &empty.host()?, &[])
}
