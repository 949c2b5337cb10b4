//! What tasks of a scope may not borrow.
use skel::{Context, tasks::TaskGraph};

fn main() -> skel::Result<()> {
    let graph = TaskGraph::new(&Context::builder().build()?)?;
    let (mut x, own) = (1_u32, 2_u32);
    // Of the graph, without a scope.
    graph.task("borrows", (), |()| Ok(drop(&own))).submit()?;
    graph.scope(|s| {
        // What ends before the scope.
        let mut inner = 2_u32;
        s.task("inner", (), |()| Ok(inner += 1)).submit()?;
        let lent = s.lend_mut(&mut x);
        s.task("set", (lent.update(),), |(x,)| Ok(*x = 3)).submit()?;
        // It is lent.
        x = 4;
        s.task("shared", (lent.read(),), |(x,)| Ok(*x = 3)).submit()?;
        Ok(())
    })?;
    // The result of a task borrows from the scope.
    let _late = graph.scope(|s| s.task("late", (), move |()| Ok(s)).submit())?;
    Ok(())
}
