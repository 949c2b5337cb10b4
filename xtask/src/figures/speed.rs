//! The parts of docs/speed.md, and of README.md.

use super::{
    FOLDER, read,
    table::{self, Table, seconds, three_digits, time},
    wrong,
};
use crate::cmd::Result;
use std::ops::Range;

const MAP_DOT: &str = "map-dot-xeon-2-threads.md";
const KERNELS: &str = "kernels-xeon-2-threads.md";
const DEVICE: &str = "device-kernels-llvmpipe-xeon-2-threads.md";
const CPU: &str = "cpu-epyc-2-threads.md";
const LAUNCH: &str = "launch-xeon-2-threads.md";

/// What README.md shows of the CPU's table.
const SUMMARY: [&str; 9] = [
    "sum f32, 33554432",
    "scan f32, 10000000",
    "triad f64, 33554432",
    "exp f32, 1048576",
    "Mandelbrot, 1024 × 768 × 1000",
    "5 points f32, 4096²",
    "16 steps of 5 points f32, 4096²",
    "Jacobi over CSR f64, 2250000 rows",
    "map of 100 f32",
];

pub(super) fn part(name: &str) -> Result<String> {
    match name {
        "map-dot" => map_dot(&File::read(MAP_DOT)?),
        "kernels" => kernels(&File::read(KERNELS)?),
        "cpu" => cpu(&File::read(CPU)?, None),
        "summary" => cpu(&File::read(CPU)?, Some(&SUMMARY)),
        "devices" => devices(&File::read(DEVICE)?, &File::read(LAUNCH)?),
        other => Err(wrong(
            "docs/speed.md",
            format!("there are no figures `{other}`"),
        )),
    }
}

/// A file of results.
struct File {
    path: String,
    /// The first line says which machine it is of.
    machine: String,
    /// What it copies, if that was measured.
    copy: Option<String>,
    tables: Vec<Table>,
}

impl File {
    fn read(name: &str) -> Result<Self> {
        let path = format!("{FOLDER}/{name}");
        let text = read(&path)?;
        let mut lines = text.lines();
        let machine = lines.next().unwrap_or_default().to_owned();
        let copy = lines.find_map(|line| {
            Some(
                line.strip_prefix("copy: ")?
                    .split_once(" read")?
                    .0
                    .to_owned(),
            )
        });
        Ok(File {
            machine,
            copy,
            tables: table::tables(&text),
            path,
        })
    }

    /// One of its tables.
    fn table(&self, k: usize) -> Result<&Table> {
        let table = self.tables.get(k);
        table.ok_or_else(|| wrong(&self.path, format!("no table {}", k + 1)))
    }

    /// A time of a row.
    fn seconds(&self, table: &Table, row: &[String], column: &str) -> Result<f64> {
        let cell = &row[table.column(&self.path, column)?];
        seconds(cell).ok_or_else(|| wrong(&self.path, format!("`{cell}` is no time")))
    }

    fn copy(&self) -> Result<&str> {
        let copy = self.copy.as_deref();
        copy.ok_or_else(|| wrong(&self.path, "what the machine copies is not there"))
    }
}

/// Three tables over sizes, side by side.
fn map_dot(file: &File) -> Result<String> {
    let mut text = format!(
        "Machine: {}; it copies {} (read and written) with all cores.\n\n",
        file.machine,
        file.copy()?
    );
    let titles = ["a·x + y, new output", "a·x + y, given output", "dot"];
    let columns =
        titles.map(|title| format!(" {title}: plain loop / rayon / skel | skel : rayon |"));
    text += &format!("| n |{}\n|---|---|---|---|---|---|---|\n", columns.concat());
    let mut of_rayon = Vec::new();
    for (k, row) in file.table(0)?.rows.iter().enumerate() {
        text += &format!("| {} |", power(&row[0]));
        for which in 0..titles.len() {
            let table = file.table(which)?;
            let row = &table.rows[k];
            let times =
                ["plain loop", "par_iter", "skel"].map(|name| file.seconds(table, row, name));
            let [plain, rayon, skel] = times;
            let (plain, rayon, skel) = (plain?, rayon?, skel?);
            if k == 0 {
                of_rayon.push(rayon);
            }
            let times = [plain, rayon, skel].map(time).join(" / ");
            text += &format!(" {times} | {} |", three_digits(rayon / skel));
        }
        text.push('\n');
    }
    let Range { start, end } = range(&of_rayon);
    let n = power(&file.table(0)?.rows[0][0]);
    text += &format!(
        "\nThe large calls run at the memory's speed; the small ones never leave the calling thread. Waking workers \
         from outside costs rayon most of its {} to {} for n = {n}.\n",
        time(start),
        time(end)
    );
    Ok(text)
}

/// The large arrays row by row, and between what the ratios of the small ones lie.
fn kernels(file: &File) -> Result<String> {
    // Large ones: BabelStream's, a scan, two stencils; and the same of small ones.
    let half = file.tables.len() / 2;
    let mut text = format!(
        "On a machine that copies {} ({}):\n\n| | plain loop / rayon by hand / skel | skel : plain loop | skel : rayon |\n\
         |---|---|---|---|\n",
        file.copy()?,
        file.machine
    );
    for table in &file.tables[..half] {
        for row in &table.rows {
            let times = ["plain loop", "rayon", "skel"].map(|name| file.seconds(table, row, name));
            let [plain, rayon, skel] = times;
            let (plain, rayon, skel) = (plain?, rayon?, skel?);
            text += &format!(
                "| {} | {} | {} | {} |\n",
                row[0],
                [plain, rayon, skel].map(time).join(" / "),
                three_digits(plain / skel),
                three_digits(rayon / skel)
            );
        }
    }
    let mut ratios = Vec::new();
    for table in &file.tables[half..] {
        for row in &table.rows {
            ratios.push(file.seconds(table, row, "rayon")? / file.seconds(table, row, "skel")?);
        }
    }
    let Range { start, end } = range(&ratios);
    text += &format!(
        "\nOf arrays that the cache holds, the ratios to rayon lie between {start:.2} and {end:.2}.\n"
    );
    Ok(text)
}

/// The CPU unit against what an expert writes, row by row: all rows, or some.
fn cpu(file: &File, only: Option<&[&str]>) -> Result<String> {
    let mut text = format!(
        "Machine: {}.\n\n| | plain loop / par_iter / by hand / skel | skel : par_iter | skel : by hand |\n\
         |---|---|---|---|\n",
        file.machine
    );
    let table = file.table(0)?;
    let is_shown = |row: &&Vec<String>| only.is_none_or(|only| only.contains(&row[0].as_str()));
    let shown: Vec<&Vec<String>> = table.rows.iter().filter(is_shown).collect();
    if only.is_some_and(|only| only.len() != shown.len()) {
        return Err(wrong(&file.path, "rows that README.md shows are not there"));
    }
    for row in shown {
        let times = ["plain loop", "par_iter", "by hand", "skel"];
        let times = times.map(|name| file.seconds(table, row, name));
        let [plain, rayon, hand, skel] = times;
        let (plain, rayon, hand, skel) = (plain?, rayon?, hand?, skel?);
        text += &format!(
            "| {} | {} | {} | {} |\n",
            row[0],
            [plain, rayon, hand, skel].map(time).join(" / "),
            three_digits(rayon / skel),
            three_digits(hand / skel)
        );
    }
    Ok(text)
}

/// Kernels against the same by hand, and what calls cost.
fn devices(kernels: &File, launch: &File) -> Result<String> {
    let table = kernels.table(0)?;
    let mut ratios = Vec::new();
    for row in &table.rows {
        let ratio =
            kernels.seconds(table, row, "wgpu by hand")? / kernels.seconds(table, row, "skel")?;
        let name = row[0].split(':').next().unwrap_or_default();
        ratios.push(format!("{name} {ratio:.2}"));
    }
    let (table, path) = (launch.table(0)?, &launch.path);
    let [awake, idle] = [1, 2].map(|k| table.rows.first().and_then(|row| row.get(k)));
    let (awake, idle) = awake
        .zip(idle)
        .ok_or_else(|| wrong(path, "no first row of two times"))?;
    Ok(format!(
        "Kernels of a device against the same by hand in WGSL, on arrays that are there (Mesa's software device, on \
         which branches cost what they do not on a GPU): {}. Handing a call over to a device takes the caller {awake}, \
         or {idle} where the cores of this virtual machine have gone to sleep.",
        ratios.join(", ")
    ))
}

/// The smallest and the largest.
fn range(values: &[f64]) -> Range<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    least..most
}

/// `10^3` as 10³.
fn power(text: &str) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let Some((base, power)) = text.split_once('^') else {
        return text.into();
    };
    let raised = power
        .chars()
        .filter_map(|c| digits.get(c.to_digit(10)? as usize));
    base.chars().chain(raised.copied()).collect()
}
