//! What `in-a-row` and the rivals gave, side by side.

use serde_json::Value;
use std::{collections::BTreeMap, error::Error, fs, path::PathBuf};
use tuner::{Table, stats::median, table};

#[derive(clap::Args)]
pub(crate) struct RivalsOptions {
    /// Files of lines of JSON, which `in-a-row` and the rivals wrote, in several turns
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// What is compared.
const SKEL: &str = "skel";

/// The medians of each turn, by contender.
type Times = BTreeMap<String, Vec<f64>>;

/// What was timed, and of how many elements.
type Races = BTreeMap<(String, u64), (u64, Times)>;

pub(crate) fn run(options: &RivalsOptions) -> Result<(), Box<dyn Error>> {
    let mut races = Races::new();
    for path in &options.files {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        read(&text, &mut races).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!("{}", compare(&races)?.markdown());
    Ok(())
}

/// Adds what the lines say.
fn read(text: &str, races: &mut Races) -> Result<(), String> {
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let fail = |what: &str| format!("line {}: {what}", number + 1);
        let value: Value = serde_json::from_str(line).map_err(|e| fail(&e.to_string()))?;
        let text = |key| {
            value[key]
                .as_str()
                .ok_or_else(|| fail(&format!("no `{key}`")))
        };
        let number = |key| {
            value[key]
                .as_u64()
                .ok_or_else(|| fail(&format!("no `{key}`")))
        };
        let time_s = value["median_s"].as_f64().filter(|time_s| *time_s > 0.0);
        let time_s = time_s.ok_or_else(|| fail("no `median_s` above 0"))?;
        let race = (text("race")?.to_owned(), number("elems")?);
        let (_, times) = races
            .entry(race)
            .or_insert_with(|| (number("bytes").unwrap_or(0), Times::new()));
        let contender = text("contender")?.to_owned();
        times.entry(contender).or_default().push(time_s);
    }
    Ok(())
}

/// A row for each race in which skel took part; a column for each rival.
fn compare(races: &Races) -> Result<Table, String> {
    let mut rivals: Vec<&str> = Vec::new();
    for (_, times) in races.values() {
        let others = times
            .keys()
            .map(String::as_str)
            .filter(|name| *name != SKEL);
        rivals.extend(others);
    }
    rivals.sort_unstable();
    rivals.dedup();
    let mut head = ["kernel", "elements", "skel", "skel, GB/s"]
        .map(str::to_owned)
        .to_vec();
    head.extend(rivals.iter().map(|rival| format!("skel : {rival}")));
    let mut shown = Table::new(head);
    let ours = races
        .iter()
        .filter(|(_, (_, times))| times.contains_key(SKEL));
    let mut any = false;
    for ((race, elems), (bytes, times)) in ours {
        any = true;
        let time_s = median(&times[SKEL]);
        let mut row = vec![
            race.clone(),
            elems.to_string(),
            table::time(time_s),
            match bytes {
                0 => "-".to_owned(),
                bytes => format!("{:.1}", *bytes as f64 / time_s / 1e9),
            },
        ];
        row.extend(rivals.iter().map(|rival| match times.get(*rival) {
            Some(theirs) => format!("{:.2}", median(theirs) / time_s),
            None => "-".to_owned(),
        }));
        shown.row(row);
    }
    match any {
        true => Ok(shown),
        false => Err(format!("nothing of `{SKEL}` in these files")),
    }
}

#[cfg(test)]
mod test {
    use super::*;

    fn line(contender: &str, elems: u64, median_s: f64) -> String {
        format!(
            "{{\"race\":\"map\",\"elems\":{elems},\"bytes\":{},\"contender\":\"{contender}\",\
             \"median_s\":{median_s}}}\n",
            12 * elems
        )
    }

    #[test]
    fn speeds_are_of_the_medians_of_all_turns() {
        let mut races = Races::new();
        for (ours, theirs) in [(1e-6, 3e-6), (2e-6, 4e-6), (9e-6, 5e-6)] {
            let text = line("skel", 1000, ours) + &line("cub", 1000, theirs);
            read(&text, &mut races).expect("lines");
        }
        read(&line("jax", 10, 1.0), &mut races).expect("a line");
        let shown = compare(&races).expect("a race").markdown();
        let row = shown.lines().last().expect("a row");
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        // 12 000 bytes in 2 µs; 4 µs against 2.
        assert_eq!(
            cells[1..],
            ["map", "1000", "2.00 µs", "6.0", "2.00", "-", ""]
        );
        assert!(!shown.contains("| 10 |"), "{shown}");
    }

    #[test]
    fn what_is_no_result_is_named_by_line() {
        let mut races = Races::new();
        let bad = |text: &str, races: &mut Races| read(text, races).expect_err("bad");
        assert!(bad("\n{", &mut races).starts_with("line 2: "));
        assert_eq!(bad("{\"median_s\":1}", &mut races), "line 1: no `race`");
        let never = line("skel", 1, 0.0);
        assert_eq!(bad(&never, &mut races), "line 1: no `median_s` above 0");
        assert!(compare(&races).is_err());
    }
}
