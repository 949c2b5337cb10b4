//! Machines that are laws: what each user function takes for an element, and what a byte on its way.

use crate::apps;
use skel::{
    Context, Result,
    mock::{Law, Mock},
};

/// What an element of a user function takes, in nanoseconds.
struct Cost {
    function: &'static str,
    sequential: f64,
    cpu: f64,
    device: f64,
}

/// A machine of laws.
pub(crate) struct Laws {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    device: &'static str,
    /// How many times as much an element takes as in the table: for one core, for all, for the device.
    slower: [f64; 3],
    /// What all elements of a call have in common: one core's, all cores', the device's.
    shapes: fn() -> [Law; 3],
}

/// Both.
pub(crate) const MACHINES: [Laws; 2] = [
    Laws {
        name: "laws-k20x",
        description: "laws in the proportions of the paper's machine: 16 cores, a Tesla K20x, PCIe 2",
        device: "K20x",
        slower: [1.0; 3],
        shapes: lines,
    },
    Laws {
        name: "laws-knees",
        description: "laws that are no lines: caches that end, a device that many elements suit better, 2 % noise",
        device: "knees",
        slower: [0.8, 1.8, 2.5],
        shapes: knees,
    },
];

/// The proportions are those of 2 × 8 cores at 2.2 GHz with some 60 GB/s, and of a K20x with some 180 GB/s:
/// what moves bytes is bound by those, what computes by 16 cores and 2688.
const COSTS: [Cost; 18] = [
    cost("polynomial", 24.0, 1.65, 0.08),
    cost("single_sum", 1.4, 0.10, 0.03),
    cost("single_product", 1.5, 0.16, 0.05),
    cost("mean_around", 9.0, 0.62, 0.08),
    cost("running_sum", 1.4, 0.22, 0.10),
    cost("prefix_sum", 1.4, 0.22, 0.10),
    cost("average", 2.2, 0.18, 0.05),
    cost("potential", 500.0, 34.0, 1.6),
    cost("product", 1.5, 0.16, 0.05),
    cost("escape", 150.0, 10.3, 0.9),
    cost("column_sum", 1.4, 0.10, 0.03),
    cost("squared_distance", 1.4, 0.10, 0.03),
    cost("co_distance", 1.6, 0.16, 0.05),
    cost("with_noise", 2.0, 0.20, 0.07),
    cost("squared_difference", 1.5, 0.16, 0.05),
    cost("term", 45.0, 3.1, 0.35),
    cost("five_points", 2.6, 0.25, 0.09),
    cost("change", 1.5, 0.16, 0.05),
];

/// Those of md, whose device is twice as fast as all cores, as in the paper that it is from.
const COSTS_OF_MD: [Cost; 2] = [
    cost("pull", 3500.0, 240.0, 110.0),
    cost("moved", 6.0, 0.9, 0.3),
];

const fn cost(function: &'static str, sequential: f64, cpu: f64, device: f64) -> Cost {
    Cost {
        function,
        sequential,
        cpu,
        device,
    }
}

impl Laws {
    /// A context of these laws, for a program.
    pub(crate) fn open(&self, app: &str) -> Result<Context> {
        self.with_shapes(app, (self.shapes)())
    }

    /// The same whose times are blurred, with this standard deviation.
    pub(crate) fn noisy(&self, app: &str, relative: f64) -> Result<Context> {
        let [sequential, cpu, device] = (self.shapes)();
        let shapes = [
            sequential.noise(relative, 1),
            cpu.noise(relative, 2),
            device.noise(relative, 3),
        ];
        self.with_shapes(app, shapes)
    }

    /// What an element of a function takes on all cores, and on the device.
    pub(crate) fn elem_ns(&self, function: &str) -> Option<(f64, f64)> {
        let [_, cores, gpu] = self.slower;
        let cost = COSTS.iter().find(|cost| cost.function == function)?;
        Some((cores * cost.cpu, gpu * cost.device))
    }

    fn with_shapes(&self, app: &str, shapes: [Law; 3]) -> Result<Context> {
        let [mut sequential, mut cpu, mut device] = shapes;
        let [core, cores, gpu] = self.slower;
        for cost in COSTS.iter().chain(&COSTS_OF_MD) {
            sequential = sequential.factor(cost.function, core * cost.sequential);
            cpu = cpu.factor(cost.function, cores * cost.cpu);
            device = device.factor(cost.function, gpu * cost.device);
        }
        if app == "Mandelbrot" {
            let by_row = |law: Law| law.density(apps::mandelbrot_density());
            [sequential, cpu, device] = [sequential, cpu, device].map(by_row);
        }
        let device = Mock::named(self.device).law(device).virtual_time();
        Context::builder()
            .unit(device.unit()?)
            .virtual_time(cpu, sequential)
            .build()
    }
}

/// What [`lines`] have in common: the latency of a piece, and of a copy.
pub(crate) const PIECE_NS: f64 = 8_000.0;
pub(crate) const COPY_NS: f64 = 12_000.0;
/// 6 GB/s each way.
pub(crate) const BYTE_NS: f64 = 1.0 / 6.0;

/// A latency, and the same for each element.
fn lines() -> [Law; 3] {
    [
        Law::per_elem_ns(1.0),
        Law::per_elem_ns(1.0).latency_ns(PIECE_NS),
        Law::per_elem_ns(1.0)
            .latency_ns(PIECE_NS)
            .transfers(COPY_NS, BYTE_NS),
    ]
}

/// Elements that fit into a cache take less; a device with few elements takes more for each.
fn knees() -> [Law; 3] {
    let host = || {
        Law::per_elem_ns(1.0)
            .knee(250_000, 1.5)
            .knee(1_000_000, 2.2)
    };
    [
        host().noise(0.02, 1),
        host().latency_ns(4_000.0).noise(0.02, 2),
        Law::per_elem_ns(3.0)
            .knee(50_000, 1.0)
            .latency_ns(15_000.0)
            .uploads(20_000.0, 0.1)
            .downloads(20_000.0, 0.15)
            .noise(0.02, 3),
    ]
}
