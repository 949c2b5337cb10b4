//! Indices beyond lines, and what does not go together.

use super::{
    super::{Context, Failure, Outcome, Target, data::same},
    places,
};
use crate::{Error, Shape, prelude::*};

#[user_function]
fn beyond(l: &mut Line<i32>, #[uniform] limit: i32) {
    let n = l.len();
    for i in 0..n {
        if l[i] > limit {
            l[n + i] = 0;
        }
        l[i] += 1;
    }
}

pub(super) fn out_of_range(context: &Context, target: &Target) -> Outcome {
    let f = map_lines!(beyond).within(context).on(target.clone());
    let (rows, cols) = (19, 23);
    for axis in 0..2 {
        let lines = places(Shape::D2(rows, cols), axis);
        for bad in [0, 17, lines.len() - 1] {
            let mut x = vec![1; rows * cols];
            x[lines[bad][5]] = 9;
            x[lines[lines.len() - 1][7]] = 8;
            let mut m = Matrix::from_vec(rows, cols, x)?;
            let ran = f.clone().along(axis).run((&mut m, 5));
            let found = match ran.and_then(|()| m.host().map(|_| ())) {
                Err(error @ Error::Unsupported { .. }) => return Err(error.into()),
                Err(error) => error,
                Ok(()) => return Err(Failure::Wrong("an index beyond the end is none".into())),
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
                        && (&**function, *line, *index) == ("beyond", 14, Some(bad))
                        && message == "index out of bounds"
                }
                _ => false,
            };
            if !says {
                return Err(Failure::Wrong(format!(
                    "line {bad} along {axis}: {found:?}"
                )));
            }
        }
    }
    Ok(())
}

/// What does not go together, and what has nothing to do.
pub(super) fn refused(context: &Context, target: &Target) -> Outcome {
    let f = map_lines!(|l: &mut Line<i32>, k: &Line<i32>, by: i32| l[0] = k[0] + by)
        .within(context)
        .on(target.clone());
    let matrix = |rows, cols| Matrix::filled(rows, cols, 1);
    let by = [1; 3];
    let refused = |what: &str, found: crate::Result<()>, says: fn(&Error) -> bool| match found {
        Err(error) if says(&error) => Ok(()),
        found => Err(Failure::Wrong(format!("{what}: {found:?}"))),
    };
    refused(
        "a dimension that is not there",
        f.clone()
            .along(2)
            .run((&mut matrix(3, 4), &matrix(3, 4), &by)),
        |e| matches!(e, Error::Lines { .. }),
    )?;
    refused(
        "lines of another length",
        f.run((&mut matrix(3, 4), &matrix(3, 5), &by)),
        |e| matches!(e, Error::ShapeMismatch { argument: 2, .. }),
    )?;
    refused(
        "elements for other lines",
        f.clone()
            .along(0)
            .run((&mut matrix(3, 4), &matrix(3, 4), &by)),
        |e| matches!(e, Error::ShapeMismatch { argument: 3, .. }),
    )?;
    refused(
        "a part with gaps",
        f.run((matrix(3, 4).part_mut(.., 1..), &matrix(3, 3), &by)),
        |e| matches!(e, Error::Scattered { argument: 1, .. }),
    )?;
    let count = map_lines!(|l: &Line<i32>| l.len() as u32)
        .within(context)
        .on(target.clone());
    refused(
        "results of lines without elements",
        count.run((&matrix(3, 0),)).map(|_| ()),
        |e| matches!(e, Error::Lines { .. }),
    )?;
    // No elements, nothing to do.
    let none: &[i32] = &[];
    f.clone()
        .along(0)
        .run((&mut matrix(3, 0), &matrix(3, 0), none))?;
    f.run((&mut matrix(0, 4), &matrix(0, 4), none))?;
    same("of no lines", &count.run((&matrix(0, 4),))?.host()?, &[])
}
