//! Kernels whose speed is that of the memory: BabelStream's five, a scan, and sums of neighbours.

mod contest;
mod prefix;
mod stencil;
mod stream;

use skel::Target;
use std::error::Error;
use tuner::{Machine, limits};

#[derive(clap::Args)]
pub(crate) struct KernelsOptions {
    /// The number of elements of each array of BabelStream, and of the scan
    #[arg(long, default_value_t = 1 << 25)]
    n: usize,
    /// The number of rows and columns of the matrix whose neighbours are added up
    #[arg(long, default_value_t = 8192)]
    matrix: usize,
    /// The number of planes, rows and columns of the tensor
    #[arg(long, default_value_t = 400)]
    tensor: usize,
    #[command(flatten)]
    contest: contest::ContestOptions,
}

pub(crate) fn run(options: &KernelsOptions) -> Result<(), Box<dyn Error>> {
    let target: Target = options.contest.backend.parse()?;
    println!("{}", Machine::this());
    println!(
        "copy: {:.1} GB/s read and written by all cores",
        limits::copy_gigabytes_per_s(1 << 28, 7)
    );
    println!("skel on: {target}; speeds: above 1 skel is faster\n");
    let (contest, n) = (&options.contest, options.n);
    println!("BabelStream, {n} numbers of 64 bits in each array\n");
    contest::run(
        &stream::contests(n, &target),
        stream::Arrays::new(n),
        contest,
    )?;

    println!("prefixes, {n} numbers of 64 bits\n");
    let scan = [prefix::contest(n, &target)];
    contest::run(&scan, prefix::Arrays::new(n), contest)?;

    println!("sums of neighbours, numbers of 32 bits\n");
    let (matrix, tensor) = (options.matrix, options.tensor);
    let two = [stencil::two_dimensional(matrix, &target)];
    contest::run(&two, stencil::Arrays::new(matrix, 2), contest)?;
    let three = [stencil::three_dimensional(tensor, &target)];
    contest::run(&three, stencil::Arrays::new(tensor, 3), contest)
}
