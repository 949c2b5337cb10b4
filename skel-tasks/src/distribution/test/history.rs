//! Which unit computed what, step by step.

use crate::distribution::{
    ComputeUnits, Distributor, History, ItemRun, Outcome, Sizes, Static, StepReport, virtual_time,
};

/// A step whose items were done by these units; none failed where there is one.
fn step(units: &str, owners: &[Option<usize>]) -> StepReport {
    let units: ComputeUnits = units.parse().unwrap();
    let sizes = Sizes::equal(owners.len());
    let mut distributor = Distributor::new(Box::new(Static), units, sizes).unwrap();
    let mut report = virtual_time::step(&mut distributor, |_, _| 1).unwrap();
    let run = |(item, owner): (usize, &Option<usize>)| ItemRun {
        item,
        unit: owner.unwrap_or(0),
        begin_ns: 0,
        took_ns: 1,
        outcome: owner.map_or(Outcome::Failed, |_| Outcome::Done),
    };
    report.runs = owners.iter().enumerate().map(run).collect();
    report
}

#[test]
fn stretches_of_steps_on_one_unit_are_one_bar() {
    let mut history = History::default();
    for owners in [[0, 0, 2], [0, 1, 2], [0, 1, 2], [0, 0, 2]] {
        history.record(&step("2x1+1", &owners.map(Some)));
    }
    assert_eq!((history.steps(), history.moves()), (4, 2));
    let svg = history.svg(600);
    let bars = svg.matches("<title>").count();
    assert_eq!(bars, 5, "{svg}");
    assert!(svg.contains("item 1, steps 1 to 2: ") && svg.contains("item 0, steps 0 to 3: "));
    assert!(
        svg.contains("3 items in 4 steps on 2x1+1, static: 2 moves"),
        "{svg}"
    );
}

#[test]
fn failures_show_and_other_items_begin_anew() {
    let mut history = History::default();
    assert!(history.svg(600).ends_with("</svg>\n"));
    history.record(&step("2x1", &[Some(0), None]));
    assert!(history.svg(600).contains("item 1, steps 0 to 0: failed"));
    history.record(&step("2x1", &[Some(0), Some(1), Some(1)]));
    assert_eq!((history.steps(), history.moves()), (1, 0));
    history.record(&step("1x1", &[Some(0); 3]));
    assert_eq!((history.steps(), history.moves()), (1, 0));
}

#[test]
fn a_report_lists_what_failed() {
    let whole = step("2x1", &[Some(0), Some(1)]).to_string();
    assert!(!whole.contains("failed"), "{whole}");
    let text = step("2x1", &[Some(0), None, None, Some(1), None]).to_string();
    assert!(text.ends_with("  failed: 1..3, 4\n"), "{text}");
}
