//! The totals of tiles, level by level.

use super::TILE;
use crate::{
    Element, Error, Result,
    call::{Executor, Operand, Operands},
    container::{Container, Vector},
    frame::Partial,
    param::{Each, ParamList},
    skeleton::{
        along::FoldAlong,
        elementwise::Elementwise,
        fold::{Fold, Operator},
        initial_value::combine,
        instance::Instance,
        reduce::itself,
    },
    space::{Along, Axis, Layout, Shape},
    user_function::UserFunction,
};

/// The fold of `f`'s results, which are put into memory first. `Partial::NONE` without elements.
pub(super) fn total<F, R, P>(
    instance: &Instance<impl Executor>,
    shape: Shape,
    operands: Operands<'_>,
) -> Result<Partial>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let plan = Fold::<F, R, P>::PLAN;
    if shape.is_empty() {
        return instance.execute(plan, shape, operands);
    }
    let mut level = mapped::<F, P>(instance, shape, operands)?;
    // What is behind the last whole tile, of each level; the last level's comes first of all elements.
    let mut tails = Vec::new();
    for number in 0.. {
        let (n, tiles) = (level.len(), level.len() / TILE);
        let rest = level.host_range(tiles * TILE..n);
        // On the first level it was `f` that trapped.
        let rest = if number > 0 { unindexed(rest) } else { rest };
        let mut tail = None;
        for value in rest? {
            tail = Some(match tail {
                None => *value,
                Some(tail) => combine::<_, R>(tail, *value, || plan.kernel())?,
            });
        }
        tails.extend(tail);
        if tiles == 0 {
            break;
        }
        level = tile_totals::<R, _>(instance, &level, tiles)?;
    }
    let mut total = None;
    for tail in tails.into_iter().rev() {
        total = Some(match total {
            None => tail,
            Some(total) => combine::<_, R>(total, tail, || plan.kernel())?,
        });
    }
    Ok(total.map_or(Partial::NONE, Partial::of))
}

/// The results of `f`, in a row.
pub(super) fn mapped<F, P>(
    instance: &Instance<impl Executor>,
    shape: Shape,
    operands: Operands<'_>,
) -> Result<Vector<F::Output>>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    let mut values: Vector<F::Output> = Container::unwritten(Shape::D1(shape.len()))?;
    let mut all = Operands::new();
    all.extend(operands);
    all.push(Operand::write(values.target()));
    instance.execute(Elementwise::<F, P>::PLAN, shape, all)?;
    Ok(values)
}

/// The totals of the first tiles, each combined one after the other: the tiles are columns, of which
/// neighbours lie a tile apart.
pub(super) fn tile_totals<R: Operator<T>, T: Element>(
    instance: &Instance<impl Executor>,
    level: &Vector<T>,
    tiles: usize,
) -> Result<Vector<T>> {
    let along = Along {
        rows: TILE,
        cols: tiles,
        axis: Axis::Cols,
    };
    let layout = Layout {
        offset: 0,
        strides: [0, 0, 1, TILE as isize],
    };
    let mut totals: Vector<T> = Container::unwritten(Shape::D1(tiles))?;
    let mut operands = Operands::new();
    operands.push(Operand::strided(level.buffer(), layout));
    operands.push(Operand::write(totals.target()));
    let plan = FoldAlong::<itself, R, (Each<T>,), false, false>::PLAN;
    unindexed(instance.execute_along(plan, along, operands))?;
    Ok(totals)
}

/// The operator has trapped, for which an element of a level says nothing.
pub(super) fn unindexed<T>(result: Result<T>) -> Result<T> {
    result.map_err(|mut error| {
        if let Error::Trap { index, .. } = &mut error {
            *index = None;
        }
        error
    })
}
