//! `docs/tasks.md` and its pictures say what comes out. To write them anew: `cargo run --release -p skel-tasks --example
//! simulate -- --compare-svg docs/pictures/schedulers-cholesky.svg --svg docs/pictures/gantt-cholesky.svg`, and the example
//! `locality`.

use skel_tasks::{
    Link, Machine, TaskError,
    ablation::{self, Gains, PAPER, Switches, gains, multiply},
    locality::{Application, Case, Node, Row, SCHEDULERS, table, tiles_table},
    scheduler,
    sim::{Report, Simulation, patterns, report},
};
use std::{fs, path::Path, sync::LazyLock, thread};

fn docs(file: &str) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    fs::read_to_string(docs.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All schedulers on the page's machine.
fn cholesky() -> Vec<Report> {
    let bus = Link {
        latency_ns: 10_000,
        bytes_per_ns: 12.0,
    };
    let builder = Machine::builder().arch("cpu", 4);
    let builder = builder.device("gpu", 1, Some(16_000_000_000), bus);
    let machine = builder.device("gpu", 1, Some(16_000_000_000), bus).build();
    let (program, machine) = (patterns::cholesky(16, 960), machine.unwrap());
    let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
    let run = |name| simulation.run(&*scheduler::parse(name)?, &program);
    let reports = scheduler::names_for(&machine).map(run);
    reports.collect::<Result<_, TaskError>>().unwrap()
}

#[test]
fn schedulers_of_the_cholesky_factorisation_are_what_comes_out() {
    let (page, reports) = (docs("tasks.md"), cholesky());
    for name in ["eager", "lws", "dmda", "heft", "heteroprio", "laheteroprio"] {
        let report = reports
            .iter()
            .find(|report| report.scheduler.split(',').next() == Some(name));
        let report = report.unwrap();
        let row = format!(
            "| {name} | {:.2} s | {:.0} % | {:.1} GB |",
            report.makespan_ns as f64 / 1e9,
            100.0 * report.efficiency(),
            report.bytes_moved() as f64 / 1e9
        );
        assert!(page.contains(&row), "{row}");
    }
    let svg = report::comparison_svg(&reports, 900);
    assert!(docs("pictures/schedulers-cholesky.svg") == svg);
    let best = reports.iter().min_by_key(|report| report.makespan_ns);
    assert!(docs("pictures/gantt-cholesky.svg") == best.unwrap().svg(1_400));
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let (schedulers, cases) = (SCHEDULERS.map(|(_, scheduler)| scheduler), Case::all());
    let row = |case: &Case| case.row(&schedulers).unwrap();
    let of = |half: &[Case]| half.iter().map(row).collect::<Vec<_>>();
    // The first application takes as long as the other two.
    let (first, others) = cases.split_at(cases.len() / 3);
    thread::scope(|scope| {
        let others = scope.spawn(|| of(others));
        let mut rows = of(first);
        rows.extend(others.join().unwrap());
        rows
    })
});

/// Of each row of an application, what one of the columns says: speedup, and part of the bytes.
fn column(application: Application, head: &str) -> Vec<(f64, f64)> {
    let (_, name) = SCHEDULERS
        .into_iter()
        .find(|(known, _)| *known == head)
        .unwrap();
    let its = ROWS
        .iter()
        .filter(|row| row.case.application == application);
    its.map(|row| (row.speedup(name).unwrap(), row.copied(name).unwrap()))
        .collect()
}

/// The row of a node with all of its GPUs.
fn full(node: Node) -> usize {
    match node {
        Node::K40 => 2,
        Node::P100 => 4,
    }
}

#[test]
fn the_table_of_locality_is_what_comes_out() {
    let text = table(&ROWS, &SCHEDULERS.map(|(head, _)| head));
    assert!(
        docs("tasks.md").contains(&text),
        "the table should be:\n{text}"
    );
}

#[test]
fn the_table_of_tiles_is_what_comes_out() {
    let text = tiles_table().unwrap();
    let page = docs("tasks.md");
    assert!(page.contains(&text), "the table should be:\n{text}");
}

#[test]
fn fewer_bytes_are_copied_and_with_several_gpus_about_half() {
    for application in Application::ALL {
        for (_, copied) in column(application, "auto") {
            assert!(copied <= 1.0, "{application:?}: {copied}");
        }
        for node in Node::ALL {
            let (_, copied) = column(application, "auto")[full(node)];
            assert!(copied < 0.6, "{application:?} {node:?}: {copied}");
        }
    }
}

#[test]
fn with_two_p100_whose_buses_are_what_is_scarce_all_three_are_30_percent_faster() {
    for application in Application::ALL {
        let (speedup, _) = column(application, "auto")[full(Node::P100)];
        assert!(speedup > 1.3, "{application:?}: {speedup}");
        // As the paper's average over six runs, whose times differ.
        let mean_s = |name: &str| {
            let (node, gpus) = (Node::P100, 2);
            let case = Case {
                application,
                node,
                gpus,
            };
            let runs = (1..=3).map(|seed| case.run(name, (0.05, seed)).unwrap().makespan_ns);
            runs.sum::<u64>() as f64 / 3.0
        };
        let noisy = mean_s("heteroprio") / mean_s("laheteroprio");
        assert!(noisy > 1.3, "{application:?}: {noisy}");
    }
}

/// Not so in the paper: where computing is what takes time, moving less does not make it faster.
#[test]
fn with_one_or_two_k40_factorisations_are_not_faster() {
    for application in [Application::QrMumps, Application::SpLdlt] {
        for (speedup, copied) in &column(application, "auto")[..2] {
            assert!((0.94..1.06).contains(speedup), "{application:?}: {speedup}");
            assert!(*copied < 0.7, "{application:?}: {copied}");
        }
    }
}

#[test]
fn for_ldlt_what_is_written_has_to_count_more() {
    let of = |head| column(Application::SpLdlt, head);
    let rows = of("sdh2").len();
    for k in 0..rows {
        for blind in ["laru", "mc", "sdh"] {
            let (speedup, copied) = of(blind)[k];
            assert!(
                copied > 0.85 && (0.98..1.02).contains(&speedup),
                "{blind}: {copied}"
            );
        }
        let [sdh2, sdhb, smwb, sdh] = ["sdh2", "sdhb", "smwb", "sdh"].map(|head| of(head)[k].1);
        assert!(
            sdh2 == sdhb && sdh2 < 0.7 && sdh2 < smwb && smwb < sdh,
            "{k}: {sdh2} {smwb} {sdh}"
        );
    }
    let best = |head: &'static str| of(head)[full(Node::P100)].0;
    assert!(best("sdh2") > best("smwb") && best("smwb") > best("sdh"));
}

/// In the paper SDHB is among the best here. By its formula it is not: what is written counts a thousandfold, so a copy
/// of a border is made where the border lies, and the block comes there.
#[test]
fn for_the_stencil_sdh_and_smwb_are_best_and_sdhb_is_like_sdh2() {
    let of = |head| column(Application::Stencil, head);
    for k in [1, full(Node::K40), full(Node::P100)] {
        let [sdh, smwb, sdh2, sdhb] = ["sdh", "smwb", "sdh2", "sdhb"].map(|head| of(head)[k]);
        assert!(sdh == smwb && sdh2 == sdhb, "{k}");
        assert!(
            sdh.0 > sdh2.0 && sdh.1 < 0.7 * sdh2.1,
            "{k}: {sdh:?} {sdh2:?}"
        );
    }
}

#[test]
fn the_automatic_choice_is_near_the_best_formula() {
    for application in Application::ALL {
        let formulas = ["sdh", "sdh2", "sdhb", "smwb"].map(|head| column(application, head));
        for (k, (auto, _)) in column(application, "auto").into_iter().enumerate() {
            let best = formulas.iter().map(|rows| rows[k].0).fold(0.0, f64::max);
            // The stencil on four K40 is what it does worst.
            let least = if application == Application::Stencil {
                0.75
            } else {
                0.9
            };
            assert!(auto > least * best, "{application:?} {k}: {auto} of {best}");
        }
    }
}

/// The paper: it is best to set l for GPUs to its largest value.
#[test]
fn with_all_buckets_in_a_block_gpus_copy_less_and_are_not_faster() {
    for application in Application::ALL {
        let all = column(application, "auto");
        let one = column(application, "auto, l = 1");
        for (all, one) in all.into_iter().zip(one) {
            assert!(all.1 <= one.1, "{application:?}: {all:?} {one:?}");
            let gain = all.0 / one.0 - 1.0;
            assert!((-0.06..0.02).contains(&gain), "{application:?}: {gain}");
        }
    }
}

#[test]
fn the_table_of_ablations_is_what_comes_out() {
    let text = ablation::table().unwrap();
    let page = docs("tasks.md");
    assert!(page.contains(&text), "the table should be:\n{text}");
}

/// Each of PREMA's optimisations, at each size: within a factor of 2.2 of what was measured or within 20 points, but for
/// streams at 128, where the paper has 75 %.
#[test]
fn optimisations_for_devices_are_worth_what_prema_measured_by_order_of_magnitude() {
    for (n, paper) in PAPER {
        let here = gains(n).unwrap();
        let pairs = |gains: Gains| [gains.pinned, gains.pool, gains.streams];
        for (k, (here, paper)) in pairs(here).into_iter().zip(pairs(paper)).enumerate() {
            if (n, k) == (128, 2) {
                assert!((10.0..75.0).contains(&here), "{here}");
                continue;
            }
            let is_near = (here - paper).abs() < 20.0;
            let factor = here.max(1.0) / paper.max(1.0);
            assert!(
                is_near || (1.0 / 2.2..2.2).contains(&factor),
                "{n}, {k}: {here} and {paper}"
            );
        }
    }
}

/// The shapes: pools matter for small matrices alone, streams for large ones, pinned memory most in between.
#[test]
fn what_an_optimisation_is_worth_depends_on_the_size_as_prema_says() {
    let all: Vec<Gains> = PAPER.iter().map(|(n, _)| gains(*n).unwrap()).collect();
    assert!(all.windows(2).all(|two| two[0].pool > two[1].pool));
    assert!(
        all[1..]
            .windows(2)
            .all(|two| two[0].streams < two[1].streams)
    );
    let pinned = |k: usize| all[k].pinned;
    assert!(pinned(0) < pinned(1) && pinned(1) < pinned(3) && pinned(5) < pinned(3));
    // All together: "can exceed 300 %", that is up to four times as fast.
    let [none, .., all] = Switches::one_by_one();
    let time_ns = |switches| multiply(1_024, switches).unwrap().makespan_ns as f64;
    let together = time_ns(none) / time_ns(all);
    assert!((3.0..4.5).contains(&together), "{together}");
}
