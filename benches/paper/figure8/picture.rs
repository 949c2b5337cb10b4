//! Figure 8 as a picture: medians of the last calls and their range.

use super::{CALLS, CHUNKS, SETTLED, Series, Skeleton, Spread};
use crate::{
    svg::{LogAxis, Svg},
    table::time,
};

const PANEL: f64 = 330.0;
const HEIGHT: f64 = 250.0;
const TOP: f64 = 64.0;
const LEFT: f64 = 62.0;

/// The class of a series' colour.
fn class(name: &str) -> &str {
    match name {
        "CPU" => "cpu",
        "hybrid, tuned" => "tuned",
        // Schedulers, and the device.
        _ => name,
    }
}

/// A panel for each skeleton: single units and the tuned split as lines, tasks by their number of chunks.
pub(crate) fn picture(machine: &str, skeletons: &[Skeleton]) -> String {
    let mut svg = Svg::new(PANEL * skeletons.len() as f64, TOP + HEIGHT + 74.0);
    let title = format!("{CALLS} calls in a row, each on fresh containers: {machine}");
    svg.text((16.0, 20.0), "start", "title", &title);
    let what = format!(
        "dots: medians of the last {SETTLED}; thick: from the shortest to the longest of these; thin: of all; \
         tasks by the number of chunks"
    );
    svg.text((16.0, 38.0), "start", "small", &what);
    for (k, skeleton) in skeletons.iter().enumerate() {
        panel(&mut svg, PANEL * k as f64, skeleton);
    }
    if let Some(first) = skeletons.first() {
        legend(&mut svg, first);
    }
    svg.finish()
}

fn panel(svg: &mut Svg, left: f64, skeleton: &Skeleton) {
    let spreads: Vec<Spread> = skeleton.series.iter().map(Series::settled).collect();
    let wholes = skeleton.series.iter().map(|it| Spread::of(&it.times_s));
    let wholes: Vec<Spread> = wholes.collect();
    let least = wholes.iter().map(|it| it.least_s);
    let least = least.fold(f64::INFINITY, f64::min);
    let most = wholes.iter().map(|it| it.most_s).fold(0.0, f64::max);
    let (from, to) = (left + LEFT, left + PANEL - 12.0);
    let axis = LogAxis::new((least * 0.9, most * 1.1), (TOP + HEIGHT, TOP + 14.0));
    svg.text((from, TOP), "start", "", skeleton.name);
    for tick in axis.ticks() {
        let y = axis.at(tick);
        svg.line((from, y), (to, y), "grid");
        svg.text((from - 6.0, y + 4.0), "end", "small", &time(tick));
    }
    let step = (to - from) / CHUNKS.len() as f64;
    for (k, chunks) in CHUNKS.iter().enumerate() {
        let x = from + step * (k as f64 + 0.5);
        svg.text(
            (x, TOP + HEIGHT + 16.0),
            "middle",
            "small",
            &chunks.to_string(),
        );
    }
    let schedulers = skeleton
        .series
        .iter()
        .filter(|it| it.chunks == Some(CHUNKS[0]));
    let names: Vec<&str> = schedulers.map(|it| it.name.as_str()).collect();
    for ((series, spread), whole) in skeleton.series.iter().zip(&spreads).zip(&wholes) {
        let (name, y) = (&series.name, axis.at(spread.median_s));
        let says = format!(
            "{name}: {} ({} to {})",
            time(spread.median_s),
            time(spread.least_s),
            time(spread.most_s)
        );
        let Some(chunks) = series.chunks else {
            svg.path(&[(from, y), (to, y)], class(name), &says);
            continue;
        };
        let column = CHUNKS
            .iter()
            .position(|known| *known == chunks)
            .unwrap_or(0);
        let place = names
            .iter()
            .position(|known| *known == name.as_str())
            .unwrap_or(0);
        let apart = step / (names.len() + 1) as f64;
        let x = from + step * column as f64 + apart * (place + 1) as f64;
        let range = |of: &Spread| (axis.at(of.least_s), axis.at(of.most_s));
        svg.bar((x - 0.5, x + 0.5), range(whole), class(name), &says);
        svg.bar((x - 1.5, x + 1.5), range(spread), class(name), &says);
        svg.dot((x, y), class(name), &says);
    }
}

fn legend(svg: &mut Svg, skeleton: &Skeleton) {
    let once = skeleton.series.iter();
    let once = once.filter(|it| it.chunks.is_none_or(|chunks| chunks == CHUNKS[0]));
    for (k, series) in once.enumerate() {
        let (x, y) = (LEFT + 116.0 * k as f64, TOP + HEIGHT + 50.0);
        let name = &series.name;
        match series.chunks {
            None => svg.path(&[(x, y - 4.0), (x + 22.0, y - 4.0)], class(name), name),
            Some(_) => svg.dot((x + 11.0, y - 4.0), class(name), name),
        }
        svg.text((x + 28.0, y), "start", "", name);
    }
}
