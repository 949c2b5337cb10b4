//! The tables of docs/evaluation.md, from the files that `cargo bench -p tuner --bench paper` writes.

use super::{table::time, wrong};
use crate::cmd::Result;
use serde_json::Value;

const HEADER: &str = "|  | elements | one thread | CPU | device | tuned | % CPU | oracle | % CPU | bound | oracle / tuned \
                      | bound / tuned |\n\
                      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";

/// Of single skeletons the largest size, and all applications.
pub(super) fn tables(json: &str) -> Result<String> {
    let bad = |what: &str| wrong("benches/results/paper", what);
    let file: Value = serde_json::from_str(json).map_err(|e| bad(&e.to_string()))?;
    let list = |name: &str| file[name].as_array().ok_or_else(|| bad(name));
    let singles = list("figure_6")?
        .iter()
        .filter_map(|sizes| sizes.as_array()?.last());
    let mut text = format!("{HEADER}{}\n", rows(singles)?);
    text += &format!("{HEADER}{}", rows(list("figure_7")?.iter())?);
    Ok(text)
}

fn rows<'a>(measured: impl Iterator<Item = &'a Value>) -> Result<String> {
    measured.map(row).collect()
}

fn row(m: &Value) -> Result<String> {
    let missing = |name: &str| wrong("benches/results/paper", format!("no `{name}` in {m}"));
    let number = |m: &Value, name: &str| m[name].as_f64().ok_or_else(|| missing(name));
    let percents = |m: &Value, name: &str| -> Result<String> {
        let shares = m[name].as_array().ok_or_else(|| missing(name))?;
        let percent = |share: &Value| format!("{:.0}", 100.0 * share.as_f64().unwrap_or(f64::NAN));
        Ok(shares.iter().map(percent).collect::<Vec<_>>().join(", "))
    };
    let (oracle, tuned_s) = (&m["oracle"], number(m, "tuned_s")?);
    let (oracle_s, bound_s) = (number(oracle, "seconds")?, number(m, "bound_s")?);
    let cells = [
        m["name"]
            .as_str()
            .ok_or_else(|| missing("name"))?
            .to_owned(),
        m["elems"].to_string(),
        time(number(m, "sequential_s")?),
        time(number(m, "cpu_s")?),
        time(number(m, "device_s")?),
        time(tuned_s),
        percents(m, "tuned_cpu_shares")?,
        time(oracle_s),
        percents(oracle, "cpu_shares")?,
        time(bound_s),
        format!("{:.3}", oracle_s / tuned_s),
        format!("{:.3}", bound_s / tuned_s),
    ];
    Ok(format!("| {} |\n", cells.join(" | ")))
}
