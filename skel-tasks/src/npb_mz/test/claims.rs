//! What González and Morancho (2024) claim of their schedulers, as far as geometry and speeds alone imply it: class D on
//! the model of their machine. Numbers are those of an independent model of the same, to the digit that is given.
//!
//! Not implied, and so the opposite is pinned here: that Guided is slower than Static-pcf for BT-MZ. In the paper it
//! is, since a zone that moves between cores and a device takes another time than was expected; the model's Guided meets
//! that, too, but only takes more steps for it.

use super::super::{Benchmark, Class, Evaluation, Mesh, Model, evaluate};
use crate::distribution::{ComputeUnits, parse};

const HYBRID: [&str; 8] = [
    "16x1+1", "32x1+1", "48x1+1", "63x1+1", "16x1+2", "32x1+2", "48x1+2", "62x1+2",
];
const BOTH_CLUSTERED: [&str; 2] = ["clustered-guided", "clustered-guided,variant=paper"];

fn at(benchmark: Benchmark, units: &str, scheme: &str) -> Evaluation {
    let mesh = Mesh::new(benchmark, Class::D);
    let model = Model::paper(&mesh, units.parse().unwrap());
    evaluate(&mesh, &model, parse(scheme).unwrap()).unwrap()
}

/// LU-MZ on one unit of cores that takes `pcf` times as long as a device, and some devices.
fn lu(pcf: f64, cpus: usize, devices: usize, scheme: &str) -> f64 {
    let mesh = Mesh::new(Benchmark::Lu, Class::D);
    let units = ComputeUnits::new(cpus, 16, devices).unwrap();
    let model = Model::new(units, 43.0 / pcf, 43.0);
    evaluate(&mesh, &model, parse(scheme).unwrap())
        .unwrap()
        .computation
}

fn rounded(speedup: f64) -> f64 {
    (10.0 * speedup).round() / 10.0
}

#[test]
fn numbers_are_those_of_another_model() {
    let schemes = [
        "static",
        "dynamic",
        "static-pcf",
        "guided-runtime,variant=paper",
        "clustered-guided,variant=paper",
        "clustered-guided",
    ];
    for (benchmark, units, expected) in [
        // That model rounds a factor of 14.5 down, and gets 15.2 for Static-pcf.
        (Benchmark::Bt, "16x1+1", [6.7, 19.3, 14.8, 20.5, 20.7, 20.7]),
        (
            Benchmark::Bt,
            "63x1+1",
            [11.5, 31.4, 23.0, 31.6, 36.2, 35.7],
        ),
        (
            Benchmark::Bt,
            "62x1+2",
            [11.5, 37.0, 27.6, 38.5, 40.6, 45.2],
        ),
        (
            Benchmark::Sp,
            "63x1+1",
            [29.1, 35.8, 38.2, 29.1, 25.9, 38.2],
        ),
    ] {
        let found = schemes.map(|scheme| rounded(at(benchmark, units, scheme).computation));
        assert_eq!(found, expected, "{benchmark} {units}");
    }
    // The paper: 15 against 10.
    let one = at(Benchmark::Bt, "0x1+1", "static").computation;
    let two = at(Benchmark::Bt, "0x1+2", "static").computation;
    assert_eq!((1000.0 * two / one).round(), 1460.0);
    // The paper: 49 to 61, and 85 to 97.
    let speedups = [6.0, 2.26].map(|pcf| [1, 2].map(|n| rounded(lu(pcf, 1, n, "static-pcf"))));
    assert_eq!(speedups, [[49.1, 86.0], [60.9, 98.3]]);
}

#[test]
fn claim_1_bt_clustered_guided_then_dynamic_then_pcf_then_static() {
    for units in HYBRID {
        let of = |scheme| at(Benchmark::Bt, units, scheme).computation;
        let (dynamic, pcf, even) = (of("dynamic"), of("static-pcf"), of("static"));
        for scheme in BOTH_CLUSTERED {
            let clustered = of(scheme);
            assert!(
                clustered > dynamic,
                "{units} {scheme}: {clustered} {dynamic}"
            );
        }
        assert!(
            dynamic > pcf && pcf > even,
            "{units}: {dynamic} {pcf} {even}"
        );
    }
}

#[test]
fn claim_2_lu_pcf_is_not_beaten_and_static_beats_nothing() {
    for (pcf, devices) in [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
        .into_iter()
        .flat_map(|pcf| [(pcf, 1), (pcf, 2)])
    {
        let of = |scheme| lu(pcf, 1, devices, scheme);
        let (best, even) = (of("static-pcf"), of("static"));
        for scheme in [
            "guided-sizes,variant=paper",
            "guided-runtime,variant=paper",
            "guided-runtime",
            "dynamic",
        ] {
            assert!(best >= of(scheme), "{scheme} {pcf} {devices}");
            assert!(of(scheme) >= even, "{scheme} {pcf} {devices}");
        }
        assert!(best >= even && of("clustered-guided") >= even);
    }
    let (dynamic, alone) = (lu(6.0, 1, 2, "dynamic"), lu(6.0, 0, 2, "static"));
    assert_eq!((rounded(dynamic), rounded(alone)), (57.3, 86.0));
    assert!(dynamic < alone && lu(6.0, 1, 2, "static-pcf") >= alone);
}

#[test]
fn claim_3_lu_static_is_slower_than_devices_alone() {
    for (devices, from) in [(1, 2.0), (2, 4.0 / 3.0)] {
        let alone = lu(1.0, 0, devices, "static");
        for more in [0.01, 0.5, 1.0, 6.0] {
            assert!(
                lu(from + more, 1, devices, "static") < alone,
                "{devices} {more}"
            );
        }
        assert!(lu(from - 0.01, 1, devices, "static") >= alone, "{devices}");
    }
}

#[test]
fn claim_4_clustered_guided_cuts_few_faces() {
    for (benchmark, units) in [Benchmark::Bt, Benchmark::Sp]
        .into_iter()
        .flat_map(|benchmark| HYBRID.map(|units| (benchmark, units)))
    {
        let cuts = |scheme| at(benchmark, units, scheme).cut_faces;
        let (dynamic, even) = (cuts("dynamic"), cuts("static"));
        for scheme in BOTH_CLUSTERED {
            let clustered = cuts(scheme);
            assert!(
                dynamic > 2 * clustered,
                "{benchmark} {units}: {dynamic} {clustered}"
            );
            assert!(
                clustered <= even + 2 * 32,
                "{benchmark} {units}: {clustered} {even}"
            );
        }
    }
    let found = ["static", "static-pcf", "clustered-guided", "dynamic"]
        .map(|scheme| at(Benchmark::Bt, "62x1+2", scheme).cut_faces);
    assert_eq!(found, [66, 100, 100, 1229]);
}

#[test]
fn claim_5_sp_clustered_guided_is_like_pcf_and_guided_is_not_better() {
    for units in HYBRID {
        let of = |scheme| at(Benchmark::Sp, units, scheme).computation;
        let (pcf, clustered) = (of("static-pcf"), of("clustered-guided"));
        assert!(
            (clustered / pcf - 1.0).abs() < 0.02,
            "{units}: {clustered} {pcf}"
        );
        let guided = of("guided-runtime,variant=paper");
        assert!(guided <= pcf, "{units}: {guided} {pcf}");
    }
}

#[test]
fn claim_6_searches_end_in_time() {
    for (benchmark, units) in Benchmark::ALL
        .into_iter()
        .flat_map(|benchmark| HYBRID.map(|units| (benchmark, units)))
    {
        let zones = Mesh::new(benchmark, Class::D).len();
        let most = 4 * zones.ilog2() as usize + 10;
        for scheme in BOTH_CLUSTERED {
            let searched = at(benchmark, units, scheme).searched.unwrap();
            assert!(searched <= most, "{benchmark} {units} {scheme}: {searched}");
        }
    }
}

#[test]
fn claim_7_together_not_slower_than_the_better_cluster() {
    let mesh = |benchmark| Mesh::new(benchmark, Class::D);
    for benchmark in Benchmark::ALL {
        // Zones take whole nanoseconds.
        for (cores, device) in [(1.0, 43.0), (1.0, 10.0), (1.0, 1.0), (5.0, 1.0), (1.0, 1e4)] {
            let mesh = mesh(benchmark);
            let model = Model::new("1x1+1".parse().unwrap(), cores, device);
            let scheme = parse("clustered-guided").unwrap();
            let together = evaluate(&mesh, &model, scheme).unwrap().computation;
            assert!(
                together >= f64::max(cores, device) * (1.0 - 1e-5),
                "{benchmark} {together}"
            );
        }
    }
}

#[test]
fn claim_8_with_the_exchange_clustered_guided_beats_dynamic() {
    for (benchmark, units) in [Benchmark::Bt, Benchmark::Sp]
        .into_iter()
        .flat_map(|benchmark| HYBRID.map(|units| (benchmark, units)))
    {
        let clustered = at(benchmark, units, "clustered-guided").overall;
        let dynamic = at(benchmark, units, "dynamic").overall;
        // Equal zones, and a device that takes as many as ten cores: Dynamic's pattern keeps most neighbours together,
        // and the search costs more than the rest. Within one part in a hundred, not above.
        let is_close = (benchmark, units) == (Benchmark::Sp, "16x1+1");
        assert_eq!(
            clustered <= dynamic,
            is_close,
            "{benchmark} {units}: {clustered} {dynamic}"
        );
        assert!(
            clustered > 0.99 * dynamic,
            "{benchmark} {units}: {clustered} {dynamic}"
        );
    }
}

#[test]
fn not_implied_guided_below_pcf_for_bt() {
    for units in HYBRID {
        let of = |scheme| at(Benchmark::Bt, units, scheme).computation;
        assert!(
            of("guided-runtime,variant=paper") > of("static-pcf"),
            "{units}"
        );
    }
}
