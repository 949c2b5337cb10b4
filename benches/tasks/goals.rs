//! How far the project's goals for tasks are reached.

use crate::{
    book::Book,
    contender::Beside,
    figure8, grain,
    overhead::{self, per_handle_s},
};
use tuner::table::time;

/// A line for each goal of which something was measured.
pub(crate) fn markdown(book: &Book) -> String {
    let mut text = String::new();
    let mut goal = |what: &str, found: Vec<(String, f64)>, most: f64, show: fn(f64) -> String| {
        let Some((name, worst)) = found.iter().max_by(|(_, a), (_, b)| a.total_cmp(b)) else {
            return;
        };
        let reached = found.iter().filter(|(_, found)| *found <= most).count();
        text += &format!(
            "- {what}: {reached} of {} reach it, the farthest is {} ({name})\n",
            found.len(),
            show(*worst)
        );
    };
    let of = |what: &str| of_graphs(|name| book.median_s(QUIET, name, what));
    goal("an empty task below 1 µs", of("empty task"), 1e-6, time);
    for (k, mode) in ["reads", "updates"].iter().enumerate() {
        goal(
            &format!("a further handle that it {mode}, below 0.2 µs"),
            of_graphs(|name| per_handle_s(book, Beside::Nothing, name)[k]),
            0.2e-6,
            time,
        );
    }
    let trip = of("submit and wait; mean");
    goal("submit and wait below 5 µs", trip, 5e-6, time);
    let lost =
        |beside, what| of_graphs(|name| Some(1.0 / grain::efficiency(book, beside, name, what)?));
    goal(
        "tasks of 16 µs at 95 % of the plain loop divided by the workers",
        lost(Beside::Nothing, "16 µs"),
        1.0 / 0.95,
        |lost| format!("{:.1} %", 100.0 / lost),
    );
    goal(
        "tasks of 16 µs beside two busy loops in 1.2 times what static threads take",
        lost(Beside::BusyLoops, "16 µs"),
        1.2,
        |ratio| format!("{ratio:.2} times"),
    );
    goal(
        "a call of 2^24 elements in 64 chunks within 3 % of `Cpu`",
        figure8::goal_ratios(book),
        1.03,
        |ratio| format!("{ratio:.3} times"),
    );
    text
}

const QUIET: (&str, Beside) = (overhead::PART, Beside::Nothing);

/// Of each scheduler of this library's graphs.
fn of_graphs(of: impl Fn(&str) -> Option<f64>) -> Vec<(String, f64)> {
    let names = ["skel eager", "skel lws", "skel dmda"];
    names
        .iter()
        .filter_map(|name| Some((name.to_string(), of(name)?)))
        .collect()
}
