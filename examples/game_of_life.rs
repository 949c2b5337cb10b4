//! Conway's Game of Life on a torus: a glider's way around it, and a gun that fires every 30 generations.
//!
//! `cargo run --release --example game_of_life -- --gliders 100`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
use support::{Backend, Result, check, image::Image, report};

/// Plays the Game of Life
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// How many gliders Gosper's gun fires; the board is large enough for them
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1000))]
    gliders: u16,
    /// The file to write the last board to
    #[arg(long, default_value = "game_of_life.png", value_name = "FILE")]
    out: PathBuf,
    /// Draw a line between the units' parts
    #[arg(long)]
    show_split: bool,
}

/// A cell lives on with two or three neighbours, and comes to life with three.
#[user_function]
fn next(cells: Window2<u8, 1, 1>) -> u8 {
    let mut sum = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            sum += cells[(dy, dx)];
        }
    }
    let alive = cells[(0, 0)];
    (sum == 3 || sum == 3 + alive) as u8
}

/// Cells are drawn so large that the picture has about so many pixels along each side.
const PICTURE: usize = 1600;

const GLIDER: [&str; 3] = [".O.", "..O", "OOO"];
/// R. W. Gosper, 1970.
const GUN: [&str; 9] = [
    "........................O...........",
    "......................O.O...........",
    "............OO......OO............OO",
    "...........O...O....OO............OO",
    "OO........O.....O...OO..............",
    "OO........O...O.OO....O.O...........",
    "..........O.....O.......O...........",
    "...........O...O....................",
    "............OO......................",
];

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let life = map_overlap!(next)
        .edge(Edge::Cyclic)
        .on(options.backend.target()?);

    // A glider goes one cell along the diagonal in four generations.
    let home = board(40, &GLIDER);
    let back = life.iterate(4 * 40, board(40, &GLIDER), ())?;
    let is_home = back.host()?[..] == home.host()?[..];
    check(is_home, || "the glider has not come home".into())?;

    let gliders = usize::from(options.gliders);
    let (size, generations) = (48 + 8 * gliders, 30 * gliders);
    let first = board(size, &GUN);
    let (last, report) = report::of(|| life.iterate(generations, board(size, &GUN), ()))?;
    let (first, last) = (first.host()?, last.host()?);
    let alive = last.iter().filter(|cell| **cell == 1).count();
    println!("{alive} cells are alive after {generations} generations");

    let mut image = Image::grey(size, size, last.iter().map(|cell| 255 * cell).collect());
    if options.show_split {
        report
            .calls
            .last()
            .into_iter()
            .for_each(|call| image.draw_split(call));
    }
    image
        .enlarged((PICTURE / size).max(1))
        .write(&options.out)?;
    report.print();
    // The gun has 36 cells, and a glider five.
    check(alive == 36 + 5 * gliders, || {
        format!("{alive} cells are alive")
    })?;
    let same = (0..13).all(|row| first.row(row)[..40] == last.row(row)[..40]);
    check(same, || "the gun is not what it was".into())
}

/// A board of `size` × `size` cells, with the pattern near its first corner.
fn board(size: usize, pattern: &[&str]) -> Matrix<u8> {
    Matrix::from_fn(size, size, |row, col| {
        let line = row.checked_sub(4).and_then(|row| pattern.get(row));
        let cell = line
            .zip(col.checked_sub(4))
            .and_then(|(line, col)| line.as_bytes().get(col));
        (cell == Some(&b'O')) as u8
    })
}
