//! The tables of figure 8, from the file that `cargo bench -p tuner --bench paper -- --figure8` writes.

use super::{table::time, wrong};
use crate::cmd::Result;
use serde_json::Value;

/// Calls in a row in one way: median and range of the last ones.
struct Series {
    name: String,
    chunks: Option<u64>,
    median_s: f64,
    /// From the shortest to the longest, as a part of the median.
    range: f64,
}

struct Skeleton {
    name: String,
    series: Vec<Series>,
}

/// How far calls may be apart, as a part of the median, to count as stable: noise of 2 % is some 6 % among ten.
const STABLE: f64 = 0.10;
/// The paper's numbers of chunks.
const PAPER: std::ops::RangeInclusive<u64> = 3..=14;

/// An overview, a table for each skeleton, and the paper's claims.
pub(super) fn part(json: &str) -> Result<String> {
    let skeletons = read(json)?;
    let mut text = String::from(
        "|  | CPU | device | hybrid, tuned | best as tasks | under | its time / tuned |\n\
         | --- | ---: | ---: | ---: | ---: | --- | ---: |\n",
    );
    for skeleton in &skeletons {
        let [cpu, device, tuned] = ["CPU", "device", "hybrid, tuned"].map(|way| skeleton.way(way));
        let (best, tuned_s) = (skeleton.best(|_| true)?, tuned?.median_s);
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {:.2} |\n",
            skeleton.name,
            time(cpu?.median_s),
            time(device?.median_s),
            time(tuned_s),
            time(best.median_s),
            best.text(),
            best.median_s / tuned_s
        );
    }
    for skeleton in &skeletons {
        text += &format!("\n{}", skeleton.by_chunks()?);
    }
    Ok(text + "\n" + &claims(&skeletons)?)
}

fn read(json: &str) -> Result<Vec<Skeleton>> {
    let bad = |what: String| wrong("benches/results/paper/figure8", what);
    let file: Value = serde_json::from_str(json).map_err(|e| bad(e.to_string()))?;
    let list = |value: &Value, name: &str| {
        let list = value[name].as_array().cloned();
        list.ok_or_else(|| bad(format!("no `{name}`")))
    };
    let text = |value: &Value| value["name"].as_str().unwrap_or("?").to_owned();
    let series = |it: &Value| -> Result<Series> {
        let number = |name: &str| it[name].as_f64().ok_or_else(|| bad(format!("no `{name}`")));
        let median_s = number("settled_median_s")?;
        Ok(Series {
            name: text(it),
            chunks: it["chunks"].as_u64(),
            median_s,
            range: (number("settled_most_s")? - number("settled_least_s")?) / median_s,
        })
    };
    let skeleton = |it: &Value| -> Result<Skeleton> {
        let all = list(it, "series")?;
        Ok(Skeleton {
            name: text(it),
            series: all.iter().map(series).collect::<Result<_>>()?,
        })
    };
    list(&file, "skeletons")?.iter().map(skeleton).collect()
}

impl Series {
    fn text(&self) -> String {
        match self.chunks {
            Some(chunks) => format!("{}, {chunks} chunks", self.name),
            None => self.name.clone(),
        }
    }
}

impl Skeleton {
    fn way(&self, name: &str) -> Result<&Series> {
        let found = self.series.iter().find(|it| it.name == name);
        found.ok_or_else(|| wrong(&self.name, format!("no `{name}`")))
    }

    fn tasks(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|it| it.chunks.is_some())
    }

    /// The schedulers, each once.
    fn schedulers(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.tasks().map(|it| it.name.as_str()).collect();
        names.dedup();
        names
    }

    /// The fastest way as tasks, of those that are meant.
    fn best(&self, is_meant: impl Fn(&Series) -> bool) -> Result<&Series> {
        let meant = self.tasks().filter(|it| is_meant(it));
        let best = meant.min_by(|a, b| a.median_s.total_cmp(&b.median_s));
        best.ok_or_else(|| wrong(&self.name, "no tasks"))
    }

    /// Medians and ranges, a row for each scheduler.
    fn by_chunks(&self) -> Result<String> {
        let mut text = String::new();
        for (k, scheduler) in self.schedulers().into_iter().enumerate() {
            let cells: Vec<&Series> = self.tasks().filter(|it| it.name == scheduler).collect();
            if k == 0 {
                let heads = cells.iter().map(|it| it.chunks.unwrap_or(0).to_string());
                let heads: Vec<String> = heads.collect();
                text += &format!(
                    "| {} in so many chunks | {} |\n",
                    self.name,
                    heads.join(" | ")
                );
                text += &format!("| --- |{}\n", " ---: |".repeat(heads.len()));
            }
            let cell = |it: &&Series| format!("{} ({:.0} %)", time(it.median_s), 100.0 * it.range);
            let cells: Vec<String> = cells.iter().map(cell).collect();
            text += &format!("| {scheduler} | {} |\n", cells.join(" | "));
        }
        Ok(text)
    }
}

/// What the paper says, beside what these times say.
fn claims(skeletons: &[Skeleton]) -> Result<String> {
    let (mut faster, mut within, mut cases, mut unstable, mut all) = (Vec::new(), 0, 0, 0, 0);
    let mut tuned_range = 0.0_f64;
    for skeleton in skeletons {
        let tuned = skeleton.way("hybrid, tuned")?;
        tuned_range = tuned_range.max(tuned.range);
        let best = skeleton.best(|_| true)?;
        if best.median_s < tuned.median_s {
            faster.push(format!("{} ({})", skeleton.name, best.text()));
        }
        for scheduler in skeleton.schedulers() {
            let best = skeleton.best(|it| it.name == scheduler)?;
            cases += 1;
            within += usize::from(best.chunks.is_some_and(|chunks| PAPER.contains(&chunks)));
        }
        all += skeleton.tasks().count();
        unstable += skeleton.tasks().filter(|it| it.range > STABLE).count();
    }
    let faster = match faster.is_empty() {
        true => "confirmed, for all three".to_owned(),
        false => format!("not confirmed for {}", faster.join(", ")),
    };
    Ok(format!(
        "- the tuned hybrid is faster than tasks, whatever scheduler and number of chunks: {faster}\n\
         - the best number of chunks lies between 3 and 14: in {within} of {cases} pairs of skeleton and scheduler\n\
         - times are uneven even after twenty calls: in {unstable} of {all} ways as tasks the last ten are more than \
         {:.0} % apart; those of the tuned hybrid at most {:.0} %\n",
        100.0 * STABLE,
        100.0 * tuned_range
    ))
}
