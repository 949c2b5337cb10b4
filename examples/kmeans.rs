//! Clusters flowers by their measurements, and compares the clusters with the species.
//!
//! `cargo run --release --example kmeans`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
use support::{Backend, Failure, Result, check, report, table};

/// Clusters Fisher's irises
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The table as a CSV file: 50 flowers of one species, 50 of the next, 50 of the third
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/iris.csv"))]
    file: PathBuf,
}

/// Four measurements in cm.
type Flower = [f32; 4];

#[user_function]
fn distance(a: Flower, b: Flower) -> f32 {
    let mut squares = 0.0;
    for k in 0..4 {
        squares += (a[k] - b[k]) * (a[k] - b[k]);
    }
    squares.sqrt()
}

/// Which centre is the nearest.
#[user_function]
fn nearest(flower: Flower, centres: &[Flower]) -> u32 {
    let mut best = 0;
    for k in 1..centres.len() {
        if distance(flower, centres[k]) < distance(flower, centres[best]) {
            best = k;
        }
    }
    best as u32
}

/// The flower and 1, to be added up; all 0 unless it is in the cluster.
#[user_function]
fn only(flower: Flower, label: u32, #[uniform] cluster: u32) -> [f32; 5] {
    let [a, b, c, d] = flower;
    if label == cluster {
        [a, b, c, d, 1.0]
    } else {
        [0.0; 5]
    }
}

#[user_function]
fn add(a: [f32; 5], b: [f32; 5]) -> [f32; 5] {
    let mut sum = a;
    for k in 0..5 {
        sum[k] += b[k];
    }
    sum
}

/// How many of the flowers end in a cluster where another species prevails: so does R's `kmeans`.
const MISPLACED: usize = 16;

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let nearest = map!(nearest).on(target.clone());
    let total = map_reduce!(only, add).on(target);
    let names = ["sepal_length", "sepal_width", "petal_length", "petal_width"];
    let columns = table::columns(&options.file, names)?;
    let flowers = Vector::from_fn(columns[0].len(), |i| {
        columns.each_ref().map(|c| c[i] as f32)
    });
    if flowers.len() != 150 {
        return Err(Failure::file(&options.file, "expected 150 flowers"));
    }

    let mut centres = far_apart(&flowers.host()?);
    let (labels, report) = report::of(|| -> skel::Result<_> {
        let mut labels = Vec::new();
        loop {
            let next = nearest.run((&flowers, &centres))?.into_vec()?;
            if next == labels {
                return Ok(labels);
            }
            labels = next;
            for (cluster, centre) in (0..).zip(&mut centres) {
                let [a, b, c, d, count] = total.run((&flowers, &labels, cluster))?;
                *centre = [a, b, c, d].map(|sum| sum / count);
            }
        }
    })?;

    let mut misplaced = 0;
    for (cluster, centre) in (0..).zip(&centres) {
        let members = |species: &[u32]| species.iter().filter(|label| **label == cluster).count();
        let species: Vec<usize> = labels.chunks(50).map(members).collect();
        println!("around {centre:.2?}: {species:?} of the three species");
        misplaced += species.iter().sum::<usize>() - species.iter().max().unwrap_or(&0);
    }
    println!("{misplaced} flowers among others");
    report.print();
    check(misplaced == MISPLACED, || {
        format!("{misplaced} misplaced flowers, not {MISPLACED}")
    })
}

/// Three flowers to begin with: the first, then twice the one that is farthest from those there are.
fn far_apart(flowers: &[Flower]) -> Vec<Flower> {
    let mut chosen = vec![flowers[0]];
    while chosen.len() < 3 {
        let gap = |f: &Flower| distance(*f, chosen[nearest(*f, &chosen) as usize]);
        let farthest = flowers.iter().max_by(|a, b| gap(a).total_cmp(&gap(b)));
        chosen.extend(farthest);
    }
    chosen
}
