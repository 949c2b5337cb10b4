//! Water filling with results that the host reads after the call.

use crate::{
    Curve,
    policy::water_fill::{UnitCost, predict},
};

/// The least time of all divisions: both work, then what the device has computed goes back.
fn least_ns(elems: usize, host: &Curve, device: &Curve, (latency, rate): (f64, f64)) -> f64 {
    let ns = |curve: &Curve, elems: usize| match elems {
        0 => 0.0,
        elems => curve.at(elems as f64),
    };
    let total = |on_host: usize| {
        let there = elems - on_host;
        let back = if there > 0 {
            latency + rate * there as f64
        } else {
            0.0
        };
        ns(host, on_host).max(ns(device, there)) + back
    };
    (0..=elems).map(total).fold(f64::INFINITY, f64::min)
}

#[test]
fn lines_are_divided_as_well_as_can_be() {
    const ELEMS: usize = 1000;
    for host_rate in [0.1, 0.5, 2.0, 10.0] {
        for device_rate in [0.1, 1.0, 3.0] {
            for back in [(0.0, 0.3), (50.0, 0.7), (10.0, 5.0)] {
                let (host, device) = (
                    Curve::line(host_rate, 20.0),
                    Curve::line(device_rate, 100.0),
                );
                let units = [
                    UnitCost::new(&host, 1.0),
                    UnitCost::new(&device, 1.0).returning(back.0, back.1),
                ];
                let found = predict(ELEMS, &units, 0.0, &[]).unwrap();
                let least = least_ns(ELEMS, &host, &device, back);
                // One unit is chosen where a split is no 2 % better.
                let ratio = found.ns / least;
                assert!(
                    (0.999..1.021).contains(&ratio),
                    "{host_rate} {device_rate} {back:?}: {found:?}, {least}"
                );
                assert_eq!(found.sizes.iter().sum::<usize>(), ELEMS);
            }
        }
    }
}

#[test]
fn the_host_has_more_where_getting_back_costs_more() {
    // Both end together with 333 elements on the host, which then waits for the others for 467 ns.
    let host = Curve::through(&[(1.0, 0.2), (600.0, 120.0), (1000.0, 2120.0)]);
    let device = Curve::line(0.1, 0.0);
    let units = [
        UnitCost::new(&host, 1.0),
        UnitCost::new(&device, 1.0).returning(0.0, 0.7),
    ];
    let found = predict(1000, &units, 0.0, &[]).unwrap();
    assert!((500..650).contains(&found.sizes[0]), "{found:?}");
    assert!(found.ns < 500.0, "{found:?}");
}
