//! From arguments to a call: what every `run` and `run_into` begins and ends with.

use super::{
    components::Operators, initial_value::InitialValue, instance::Instance, neighbourhood::Placed,
};
use crate::{
    Element, Result,
    bind::{BindAll, Destination, Domain, Fill},
    call::{ArgumentShapes, Call, Executor, Operand, Operands},
    frame::{Partial, View},
    later::Later,
    param::ParamList,
    plan::Phases,
    space::{Lines, MAX_RANK, Shape},
};
use std::marker::PhantomData;

/// What the shapes of arguments are compared with, in `run_shaped`.
pub(super) const GIVEN: &str = "the shape given says";

/// Arguments for the parameters `P` whose shapes agree, and the shape of the call. It is small: operands are made
/// where the call is, and moved nowhere.
pub(super) struct Bound<'a, E, P, A> {
    instance: &'a Instance<E>,
    args: &'a mut A,
    shape: Shape,
    near: Option<(&'a Placed, Option<View<'a>>)>,
    lines: Option<Lines>,
    sweep: Option<([bool; MAX_RANK], Option<View<'a>>)>,
    last: Option<View<'a>>,
    before: Option<&'a Partial>,
    _parameters: PhantomData<fn() -> P>,
}

impl<E: Executor> Instance<E> {
    /// Binds arguments that say the shape of the call.
    pub(super) fn bind<'a, P, A>(&'a self, args: &'a mut A) -> Result<Bound<'a, E, P, A>>
    where
        P: ParamList,
        A: BindAll<P>,
    {
        let shape = self.shape(&shapes_of(args))?;
        Ok(self.bound(args, shape))
    }

    /// Binds arguments of a call of a given shape.
    pub(super) fn bind_shaped<'a, P, A>(
        &'a self,
        args: &'a mut A,
        shape: Shape,
        reference: &'static str,
    ) -> Result<Bound<'a, E, P, A>>
    where
        P: ParamList,
        A: BindAll<P>,
    {
        let shape = self.countable(shape)?;
        self.check(&shapes_of(args), shape, reference)?;
        Ok(self.bound(args, shape))
    }

    /// Binds arguments of a call that has the shape of its output.
    pub(super) fn bind_into<'a, P, A, O>(
        &'a self,
        args: &'a mut A,
        out: &impl Destination<O>,
    ) -> Result<Bound<'a, E, P, A>>
    where
        P: ParamList,
        A: BindAll<P>,
    {
        let (shape, mut shapes) = (out.call_shape(), shapes_of(args));
        out.shapes(P::LEN + 1, &mut shapes);
        self.check_output(&shapes, P::LEN + 1, shape)?;
        Ok(self.bound(args, shape))
    }

    /// Binds arguments that are known to fit, some of which are seen through neighbourhoods; `pad` is what lies
    /// beyond their edges.
    pub(super) fn bind_near<'a, P, A>(
        &'a self,
        args: &'a mut A,
        placed: &'a Placed,
        pad: Option<View<'a>>,
    ) -> Bound<'a, E, P, A>
    where
        P: ParamList,
        A: BindAll<P>,
    {
        Bound {
            near: Some((placed, pad)),
            ..self.bound(args, placed.shape)
        }
    }

    /// Binds arguments that are known to fit, some of which are seen line by line.
    pub(super) fn bind_lines<'a, P, A>(
        &'a self,
        args: &'a mut A,
        shape: Shape,
        lines: Lines,
    ) -> Bound<'a, E, P, A>
    where
        P: ParamList,
        A: BindAll<P>,
    {
        Bound {
            lines: Some(lines),
            ..self.bound(args, shape)
        }
    }

    /// Binds arguments of which one is swept, downwards along some dimensions; `pad` is what lies beyond the edges.
    pub(super) fn bind_sweep<'a, P, A>(
        &'a self,
        args: &'a mut A,
        descending: [bool; MAX_RANK],
        pad: Option<View<'a>>,
    ) -> Result<Bound<'a, E, P, A>>
    where
        P: ParamList,
        A: BindAll<P>,
    {
        Ok(Bound {
            sweep: Some((descending, pad)),
            ..self.bind(args)?
        })
    }

    /// Checks the outputs of a call over neighbourhoods, behind `inputs` arguments, but for the first one's shape.
    pub(super) fn check_near<O>(
        &self,
        placed: &Placed,
        inputs: usize,
        out: &impl Destination<O>,
    ) -> Result<()> {
        let mut shapes = ArgumentShapes::new();
        out.shapes(inputs + 1, &mut shapes);
        self.check(&shapes, placed.shape, "the result has")
    }

    fn bound<'a, P, A>(&'a self, args: &'a mut A, shape: Shape) -> Bound<'a, E, P, A> {
        Bound {
            instance: self,
            args,
            shape,
            near: None,
            lines: None,
            sweep: None,
            last: None,
            before: None,
            _parameters: PhantomData,
        }
    }
}

/// The shapes of the arguments, as far as they matter.
pub(super) fn shapes_of<P>(args: &impl BindAll<P>) -> ArgumentShapes {
    let mut shapes = ArgumentShapes::new();
    args.shapes(&mut shapes);
    shapes
}

impl<'a, E, P, A> Bound<'a, E, P, A>
where
    E: Executor,
    P: ParamList,
    A: BindAll<P>,
{
    /// The same call, which begins with `before`; the value `last` is an argument behind the others.
    pub(super) fn from(self, before: &'a Partial, last: Option<View<'a>>) -> Self {
        Bound {
            before: Some(before),
            last,
            ..self
        }
    }

    /// Runs the call, and gives new containers for its outputs, `O`.
    pub(super) fn run<O, D>(self, plan: &'static dyn Phases) -> Result<O::Containers>
    where
        O: Fill<D>,
        D: Domain,
    {
        let mut containers = O::unwritten(self.shape)?;
        let outputs = &mut containers;
        self.execute(plan, move |operands| O::operands(outputs, operands))?;
        Ok(containers)
    }

    /// Runs the call, and writes its outputs, `O`, to `out`.
    pub(super) fn run_into<O>(
        self,
        plan: &'static dyn Phases,
        mut out: impl Destination<O>,
    ) -> Result<()> {
        let out = &mut out;
        self.execute(plan, move |operands| out.operands(operands))?;
        Ok(())
    }

    /// Runs a call that has no outputs beside what it changes in place.
    pub(super) fn run_in_place(self, plan: &'static dyn Phases) -> Result<()> {
        self.execute(plan, |_| ())?;
        Ok(())
    }

    /// Runs a fold, and gives its total.
    pub(super) fn fold(self, plan: &'static dyn Phases) -> Result<Partial> {
        self.execute(plan, |_| ())
    }

    /// Runs a fold whose value may come later.
    pub(super) fn fold_later<R, O>(
        self,
        plan: &'static dyn Phases,
        initial_value: InitialValue<O>,
    ) -> Result<Later<O>>
    where
        O: Element,
        R: Operators<O>,
    {
        let instance = self.instance;
        let mut call = instance.open(plan, self.shape);
        self.inputs(&mut call.operands);
        instance.reduce_later::<R, O>(&mut call, initial_value)
    }

    fn execute<'x>(
        self,
        plan: &'static dyn Phases,
        outputs: impl FnOnce(&mut Operands<'x>),
    ) -> Result<Partial>
    where
        'a: 'x,
    {
        let instance = self.instance;
        let mut call: Call<'x> = instance.open(plan, self.shape);
        if let Some(before) = self.before {
            call.initial = before.clone();
        }
        self.inputs(&mut call.operands);
        outputs(&mut call.operands);
        instance.execute(&mut call)
    }

    fn inputs<'x>(self, operands: &mut Operands<'x>)
    where
        'a: 'x,
    {
        self.args.operands(operands);
        if let Some((placed, pad)) = self.near {
            placed.tell(operands, pad);
        }
        if let Some(lines) = self.lines {
            operands
                .iter_mut()
                .for_each(|operand| operand.lie_in(lines));
        }
        if let Some((descending, pad)) = self.sweep {
            let sweep = |operand: &mut Operand<'x>| operand.sweep_so(descending, pad);
            operands.iter_mut().for_each(sweep);
        }
        operands.extend(self.last.map(Operand::uniform));
    }
}
