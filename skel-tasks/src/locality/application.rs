//! The applications of Bramas (2019), as graphs.

use super::Node;
use crate::sim::{Program, patterns};

/// An application that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Application {
    /// Multifrontal QR of a sparse matrix.
    QrMumps,
    /// Cholesky factorisation by tiles, of which GPUs run one kind of tasks alone.
    SpLdlt,
    /// A stencil over blocks with borders.
    Stencil,
}

impl Application {
    /// All of them.
    pub const ALL: [Application; 3] = [
        Application::QrMumps,
        Application::SpLdlt,
        Application::Stencil,
    ];

    /// Its name in the paper.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Application::QrMumps => "QrMumps",
            Application::SpLdlt => "SpLDLT",
            Application::Stencil => "Stencil",
        }
    }

    /// Its graph.
    #[must_use]
    pub fn program(self) -> Program {
        match self {
            // TF18 itself is not at hand; fronts whose sizes follow from nested dissection stand for it.
            Application::QrMumps => patterns::multifrontal_qr(5, 8, 256),
            // 20,000 columns, by tiles of 512.
            Application::SpLdlt => patterns::cholesky(39, 512),
            // 1,024³ cells of a byte each, in 64 blocks, which is the example's default.
            Application::Stencil => patterns::stencil_halo(64, 32, 16 << 20, 1 << 20),
        }
    }

    /// How many streams the paper gave each GPU.
    pub(super) fn streams(self, node: Node) -> u32 {
        match (self, node) {
            (Application::QrMumps, Node::K40) => 7,
            (Application::QrMumps, Node::P100) => 16,
            (Application::SpLdlt, Node::K40) => 11,
            (Application::SpLdlt, Node::P100) => 18,
            (Application::Stencil, _) => 3,
        }
    }

    /// Whether GPUs run a kind of its tasks: three of four, one of four, all.
    pub(super) fn runs_on_gpu(self, kind: &str) -> bool {
        match self {
            Application::QrMumps => kind != "geqrt",
            Application::SpLdlt => kind == "gemm",
            Application::Stencil => true,
        }
    }
}
