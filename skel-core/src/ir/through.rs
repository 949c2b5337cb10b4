//! Whether a function goes through all of what it is passed.

use super::{ExprKind, Function, LoopId, Stmt, StmtKind};

/// Whether the function asks for an extent, and has a `for` upwards that nothing but its end leaves: then it most likely reads
/// most elements of its lines. A search that halves a range, or that ends with what it has found, does not. (To count
/// downwards is a loop like any other here.)
#[must_use]
pub fn goes_through(function: &Function) -> bool {
    let (mut asks, mut counts) = (false, false);
    for stmt in &function.body {
        stmt.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |part| asks |= matches!(part.kind, ExprKind::Extent(..)));
            }
            if let StmtKind::Loop { id, body, step } = &stmt.kind {
                counts |= !step.is_empty() && exits(*id, body) == 1;
            }
        });
    }
    asks && counts
}

/// How many places in the body leave the loop.
fn exits(id: LoopId, body: &[Stmt]) -> usize {
    let mut exits = 0;
    for stmt in body {
        stmt.walk(&mut |stmt| {
            exits += match &stmt.kind {
                StmtKind::Return(_) => 1,
                StmtKind::Break(target) => usize::from(*target == id),
                _ => 0,
            };
        });
    }
    exits
}

#[cfg(test)]
mod test {
    use crate::{
        frame::Line,
        ir::build,
        param::{Each, EachLine, EachLineMut, Params},
        user_function::UserFunction,
    };
    use skel_macros::user_function;

    fn through<P: Params, F: UserFunction<P>>() -> bool {
        let (program, map) = build::build(F::ir).unwrap();
        super::goes_through(program.function(map))
    }

    #[user_function]
    fn sums(l: &mut Line<f32>) {
        for i in 1..l.len() {
            l[i] += l[i - 1];
        }
    }

    #[user_function]
    fn where_positive(l: &mut Line<f32>) {
        let n = l.len();
        for i in 0..n - 1 {
            if l[i] > 0.0 {
                continue;
            }
            l[i] += l[i + 1];
        }
    }

    #[user_function]
    fn place_of(l: &Line<f32>, x: f32) -> u32 {
        let (mut low, mut high) = (0, l.len());
        while low < high {
            let middle = (low + high) / 2;
            if l[middle] < x {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low as u32
    }

    #[user_function]
    fn first_above(l: &Line<f32>, x: f32) -> u32 {
        for i in 0..l.len() {
            if l[i] > x {
                return i as u32;
            }
        }
        l.len() as u32
    }

    #[user_function]
    fn three(l: &mut Line<f32>) {
        for i in 0..3 {
            l[i] = 0.0;
        }
    }

    #[test]
    fn what_counts_to_the_end_goes_through() {
        assert!(through::<(EachLineMut<f32>,), sums>());
        assert!(through::<(EachLineMut<f32>,), where_positive>());
        assert!(!through::<(EachLine<f32>, Each<f32>), place_of>());
        assert!(!through::<(EachLine<f32>, Each<f32>), first_above>());
        assert!(!through::<(EachLineMut<f32>,), three>());
    }
}
