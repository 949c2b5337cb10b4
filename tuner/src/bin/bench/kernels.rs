//! Kernels whose speed is that of the memory: BabelStream's five.

mod contest;
mod stream;

use skel::Target;
use std::error::Error;
use tuner::{Machine, limits};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of elements of each array of BabelStream
    #[arg(long, default_value_t = 1 << 25)]
    n: usize,
    #[command(flatten)]
    contest: contest::Options,
}

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let target: Target = options.contest.backend.parse()?;
    println!("{}", Machine::this());
    println!(
        "copy: {:.1} GB/s read and written by all cores",
        limits::copy_gigabytes_per_s(1 << 28, 7)
    );
    println!("skel on: {target}; speeds: above 1 skel is faster\n");
    println!(
        "BabelStream, {} numbers of 64 bits in each array\n",
        options.n
    );
    let arrays = stream::Arrays::new(options.n);
    contest::run(
        &stream::contests(options.n, &target),
        arrays,
        &options.contest,
    )
}
