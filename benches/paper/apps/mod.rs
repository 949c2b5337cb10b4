//! Figure 7: the paper's seven applications, and the two of the Charm++ paper.

mod coulombic;
mod mandelbrot;
mod md;
mod stencil2d;
mod vectors;

use crate::app::App;
use skel::Context;

pub(crate) use mandelbrot::density as mandelbrot_density;

/// How large the programs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// To see that they run.
    Tiny,
    /// To be measured.
    Full,
}

impl Size {
    /// This many, or hardly any.
    fn of(self, full: usize) -> usize {
        match self {
            Size::Tiny => (full / 100).max(40),
            Size::Full => full,
        }
    }
}

/// Makes a program, of instances in a context.
type Make = fn(&Context, Size) -> App;

/// All of them.
pub(crate) const APPS: [(&str, Make); 9] = [
    ("CMA", vectors::cma),
    ("Coulombic", coulombic::coulombic),
    ("Dotproduct", vectors::dotproduct),
    ("Mandelbrot", mandelbrot::mandelbrot),
    ("PPMCC", vectors::ppmcc),
    ("PSNR", vectors::psnr),
    ("Taylor", vectors::taylor),
    ("stencil2d", stencil2d::stencil2d),
    ("md", md::md),
];
