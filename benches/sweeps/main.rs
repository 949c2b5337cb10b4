//! `cargo bench -p tuner --bench sweeps`: sweeps beside plain loops in place, on one core and on all.

mod plain;

use clap::Parser;
use skel::prelude::*;
use std::{cell::RefCell, error::Error, time::Duration};
use tuner::{Budget, Machine, Race, RaceResult, Table, table};

/// Measures sweeps beside plain loops
#[derive(Parser)]
struct Options {
    /// Seconds for each row
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Rows and columns of matrices
    #[arg(long, default_value_t = 2000)]
    size: usize,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

/// Smith and Waterman.
#[user_function]
fn align(h: Sweep2<i32, 1, 1>, a: u8, b: u8) -> i32 {
    let letters = h[(-1, -1)] + if a == b { 3 } else { -3 };
    letters.max(h[(-1, 0)] - 2).max(0).max(h[(0, -1)] - 2)
}

#[user_function]
fn integral(s: Sweep2<f32, 1, 1>) -> f32 {
    s[(0, 0)] + s[(-1, 0)] + s[(0, -1)] - s[(-1, -1)]
}

/// Gauss and Seidel, over-relaxed.
#[user_function]
fn relax(u: Sweep2<f64, 1, 1>, f: f64) -> f64 {
    let around = u[(-1, 0)] + u[(0, -1)] + u[(0, 1)] + u[(1, 0)];
    u[(0, 0)] + 1.5 * (0.25 * (around + f) - u[(0, 0)])
}

/// The lower half of a factorisation without fill-in, of seven diagonals.
#[user_function]
fn lower(v: Sweep3<f64, 1, 1, 1>, k: f64) -> f64 {
    k * (v[(0, 0, 0)] + 0.3 * (v[(-1, 0, 0)] + v[(0, -1, 0)] + v[(0, 0, -1)]))
}

const PLAIN: &str = "plain loop";
const ONE: &str = "skel, 1 core";
const ALL: &str = "skel, all cores";

/// A race of one sweep, in place over elements that stay in their range; both make the same of them.
macro_rules! race {
    ($budget:expr, $name:expr, $f:expr, $container:expr, $plain:expr $(, $arg:expr)*) => {{
        let (mut one, mut all) = ($container, $container);
        let mut plain = one.host()?.to_vec();
        let (f, parallel) = ($f.on(Sequential), $f.on(Cpu));
        for _ in 0..3 {
            f.run((&mut one, $($arg),*))?;
            parallel.run((&mut all, $($arg),*))?;
            $plain(&mut plain);
            assert!(one.host()?[..] == plain[..] && all.host()?[..] == plain[..], "{}", $name);
        }
        let elem_bytes = size_of_val(&plain[0]);
        let (n, plain) = (plain.len(), RefCell::new(plain));
        let (one, all) = (RefCell::new(one), RefCell::new(all));
        let race = Race::new($name, n, n * elem_bytes)
            .contender(PLAIN, || $plain(&mut plain.borrow_mut()))
            .contender(ONE, || f.run((&mut *one.borrow_mut(), $($arg),*)))
            .contender(ALL, || parallel.run((&mut *all.borrow_mut(), $($arg),*)));
        race.run($budget)
    }};
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let budget = Budget {
        total: Duration::try_from_secs_f64(options.seconds)?,
        ..Budget::default()
    };
    println!("{}\n", Machine::this());
    let n = options.size;
    let side = ((n * n / 16) as f64).cbrt() as usize + 1;
    // No period in them, as in genes: branches are not foreseen.
    let letters = |salt: u64| -> Vec<u8> {
        let mut state = salt;
        let mut letter = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005);
            state = state.wrapping_add(1_442_695_040_888_963_407);
            b"ACGT"[(state >> 62) as usize]
        };
        (0..n).map(|_| letter()).collect()
    };
    let (a, b) = (letters(1), letters(2));
    let f = Matrix::from_fn(n, n, |i, j| 1.0 + ((i * 7 + j) % 5) as f64);
    let k = Tensor3::filled(side, side, side, 0.5_f64);
    let (down_a, across_b) = (down(&a[..]), across(&b[..]));
    let (right, factors) = (f.host()?, k.host()?);
    let results = [
        race!(
            &budget,
            "Smith–Waterman",
            sweep!(align).pad(0),
            Matrix::filled(n, n, 0_i32),
            |h: &mut Vec<i32>| plain::align(h, &a, &b),
            down_a,
            across_b
        ),
        race!(
            &budget,
            "integral image",
            sweep!(integral).pad(0.0),
            Matrix::filled(n, n, 0.0_f32),
            |s: &mut Vec<f32>| plain::integral(s, n)
        ),
        race!(
            &budget,
            "SOR",
            sweep!(relax).pad(0.0),
            Matrix::filled(n, n, 0.0_f64),
            |u: &mut Vec<f64>| plain::relax(u, &right, n),
            &f
        ),
        race!(
            &budget,
            "SOR, downwards",
            sweep!(relax).pad(0.0).descending([0, 1]),
            Matrix::filled(n, n, 0.0_f64),
            |u: &mut Vec<f64>| plain::relax_down(u, &right, n),
            &f
        ),
        race!(
            &budget,
            "lower triangle, 3-D",
            sweep!(lower).pad(0.0),
            Tensor3::filled(side, side, side, 1.0_f64),
            |v: &mut Vec<f64>| plain::lower(v, &factors, side),
            &k
        ),
    ];
    let mut shown = Table::new(["sweep", PLAIN, ONE, ALL, "1 core : plain", "all : plain"]);
    for result in &results {
        shown.row(row(result));
    }
    let text = match options.markdown {
        true => shown.markdown(),
        false => shown.text(),
    };
    println!("{text}");
    Ok(())
}

fn row(result: &RaceResult) -> [String; 6] {
    let seconds = |name: &str| table::time(result.of(name).median_s());
    let speed = |name: &str| format!("{:.2}", result.speed(name, PLAIN));
    [
        result.name.clone(),
        seconds(PLAIN),
        seconds(ONE),
        seconds(ALL),
        speed(ONE),
        speed(ALL),
    ]
}
