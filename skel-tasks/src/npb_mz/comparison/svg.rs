//! The comparison as a picture.

use super::{BT_ALONE, Comparison, LU_ALONE, beside_paper};
use crate::{BadOption, npb_mz::Benchmark, svg::escaped};
use std::fmt::Write;

const LEFT: f64 = 220.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 70.0;
const LANE: f64 = 18.0;
const GAP: f64 = 10.0;
const BAND: &str = "#cfd8dc";
/// The model: one device, and two.
const DOTS: [&str; 2] = ["#0072b2", "#e69f00"];

/// [`beside_paper`] as a picture, so many pixels wide: two lanes for each scheme, with one device and with two. Grey is
/// what was measured, from the least to the greatest, dots are the model's speedups for 16, 32, 48 and 62 or 63 cores, the
/// larger the more cores; dashed lines are what was measured of devices alone.
///
/// ```
/// let svg = skel_tasks::npb_mz::beside_paper_svg(skel_tasks::npb_mz::Benchmark::Lu, 800)?;
/// assert!(svg.starts_with("<svg") && svg.contains("static-pcf"));
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// As [`beside_paper`].
pub fn beside_paper_svg(benchmark: Benchmark, width: u32) -> Result<String, BadOption> {
    let rows = beside_paper(benchmark)?;
    let alone: &[f64] = match benchmark {
        Benchmark::Bt => &BT_ALONE,
        Benchmark::Lu => &LU_ALONE,
        Benchmark::Sp => &[],
    };
    let width = f64::from(width.max(500));
    let values = rows
        .iter()
        .flat_map(|row| row.model.iter().chain(&row.most));
    let most = values.chain(alone).copied().fold(10.0, f64::max);
    let end = (most / 10.0).ceil() * 10.0;
    let x = |speedup: f64| LEFT + (width - LEFT - RIGHT) * speedup / end;
    let bottom = TOP + rows.chunks(2).len() as f64 * (2.0 * LANE + GAP);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="system-ui, sans-serif" font-size="12" fill="#222222">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{RIGHT}" y="24" font-size="14">{benchmark}, class D: speedup of the computation over one core</text>
"##,
        height = bottom + 30.0
    );
    let legend = [
        (BAND, "measured (paper)"),
        (DOTS[0], "model, 1 GPU"),
        (DOTS[1], "model, 2 GPUs"),
    ];
    for (k, (fill, text)) in legend.into_iter().enumerate() {
        let at = RIGHT + 150.0 * k as f64;
        let _ = writeln!(
            svg,
            r#"<rect x="{at}" y="38" width="12" height="12" fill="{fill}"/><text x="{}" y="48">{text}</text>"#,
            at + 18.0
        );
    }
    for tick in (0..=(end / 10.0) as u32).map(|tick| f64::from(tick) * 10.0) {
        let _ = writeln!(
            svg,
            r##"<path d="M{0:.1} {TOP}V{bottom:.1}" stroke="#e6e6e6"/><text x="{0:.1}" y="{1:.1}" text-anchor="middle">{tick}</text>"##,
            x(tick),
            bottom + 18.0
        );
    }
    for (speedup, colour) in alone.iter().zip(DOTS) {
        let _ = writeln!(
            svg,
            r#"<path d="M{:.1} {TOP}V{bottom:.1}" stroke="{colour}" stroke-dasharray="4 3"><title>devices alone, measured: {speedup}</title></path>"#,
            x(*speedup)
        );
    }
    for (k, both) in rows.chunks(2).enumerate() {
        let y = TOP + GAP / 2.0 + k as f64 * (2.0 * LANE + GAP);
        let _ = writeln!(
            svg,
            r#"<text x="{:.0}" y="{:.1}" text-anchor="end">{}</text>"#,
            LEFT - 10.0,
            y + LANE + 4.0,
            escaped(both[0].scheme)
        );
        for (lane, row) in both.iter().enumerate() {
            lane_of(&mut svg, row, y + lane as f64 * LANE, &x);
        }
    }
    Ok(svg + "</svg>\n")
}

fn lane_of(svg: &mut String, row: &Comparison, y: f64, x: &impl Fn(f64) -> f64) {
    if let Some(most) = row.most {
        // Where the least is not said, a line at the greatest.
        let least = row.least.map_or(x(most) - 2.0, x);
        let _ = writeln!(
            svg,
            r#"<rect x="{least:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill="{BAND}"><title>measured, up to {most}</title></rect>"#,
            y + 2.0,
            x(most) - least,
            LANE - 4.0
        );
    }
    for (k, speedup) in row.model.iter().enumerate() {
        let _ = writeln!(
            svg,
            r#"<circle cx="{:.1}" cy="{:.1}" r="{:.1}" fill="{}" fill-opacity="0.85"><title>the model: {speedup:.1}</title></circle>"#,
            x(*speedup),
            y + LANE / 2.0,
            2.5 + k as f64,
            DOTS[row.devices - 1]
        );
    }
}
