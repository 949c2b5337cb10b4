//! A journal as a real one looks: laws of two units, noise, a sweep.

use super::fake::HELLO;
use skel::model::{
    ClassModel, Curve, Fit, InstanceKey, Measured, Quality, Sample, UnitId, UnitModel, json::Json,
};

/// A relative error that depends on a number alone.
fn noise(seed: u64) -> f64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 32;
    0.03 * ((x % 2001) as f64 / 1000.0 - 1.0)
}

fn unit(unit: UnitId, points: &[(f64, f64)], elems: usize, seed: u64) -> UnitModel {
    let curve = Curve::through(points);
    let sizes = (0..9).map(|k| elems >> (8 - k));
    let sample = |n: usize| Sample {
        elems: n,
        median_ns: curve.at(n as f64) * (1.0 + noise(seed + n as u64)),
        mad_ns: 0.012 * curve.at(n as f64),
        runs: 9,
    };
    let slope_ns = curve.last_slope_ns();
    UnitModel {
        unit,
        samples: sizes.map(sample).collect(),
        block: None,
        fit: Fit {
            slope_ns,
            latency_ns: curve.latency_ns(),
            slope_ci: (0.97 * slope_ns, 1.03 * slope_ns),
            relative_rms: 0.017,
            r2: 0.9993,
            quality: Quality::Good,
            curve,
        },
    }
}

/// A class of calls on the CPU and a device, with a sweep of the shares.
pub(crate) fn class(elems: usize, cpu_ns: f64, gpu_ns: f64, launch_ns: f64) -> ClassModel {
    let n = elems as f64;
    let knee = n / 6.0;
    let cpu = [
        (1.0, 900.0 + cpu_ns),
        (knee, 900.0 + cpu_ns * knee),
        (n, 900.0 + cpu_ns * (knee + 1.35 * (n - knee))),
    ];
    let gpu_id = UnitId::device("mock", "a", 0);
    let gpu = [(1.0, launch_ns), (n, launch_ns + gpu_ns * n)];
    let units = vec![
        unit(UnitId::Cpu, &cpu, elems, 1),
        unit(gpu_id.clone(), &gpu, elems, 2),
        unit(
            UnitId::Sequential,
            &[(1.0, 200.0), (n, 6.5 * cpu_ns * n)],
            elems,
            3,
        ),
    ];
    let whole = |step: u32| {
        let share = f64::from(step) / 20.0;
        let [on_cpu, on_gpu] =
            [(0, share), (1, 1.0 - share)].map(|(unit, part)| match part > 0.0 {
                true => units[unit].fit.curve.at(part * n),
                false => 0.0,
            });
        let ns = on_cpu.max(on_gpu) * (1.0 + noise(u64::from(step) + elems as u64)) + 1500.0;
        Measured {
            shares: vec![(UnitId::Cpu, share), (gpu_id.clone(), 1.0 - share)],
            sample: Sample {
                elems,
                median_ns: ns,
                mad_ns: 0.01 * ns,
                runs: 9,
            },
        }
    };
    ClassModel {
        elems,
        beside_elems: 0,
        split_overhead_ns: 1500.0,
        measured: (0..=20).map(whole).collect(),
        best: None,
        quality: Quality::Good,
        units,
    }
}

/// Lines of a journal with two instances.
pub(crate) fn lines() -> Vec<String> {
    let dot = [10, 14, 18, 22].map(|k| class(1 << k, 0.21, 0.09, 14_000.0));
    let blur = [18, 22].map(|k| class(1 << k, 1.9, 0.31, 9_000.0));
    let mut lines = vec![HELLO.to_string()];
    let transfer = r#"{"reason":"transfer","unit":"mock:a#0","model":{"up_latency_ns":9000,"up_ns_per_byte":0.083,"down_latency_ns":8000,"down_ns_per_byte":0.078}}"#;
    lines.push(transfer.into());
    let instances = [
        ("psnr::squared_error_sum", "MapReduce", "f32", &dot[..]),
        (
            "filters::gaussian_blur",
            "MapOverlap",
            "(u8, u8, u8)",
            &blur[..],
        ),
    ];
    for (k, (name, pattern, elements, classes)) in instances.into_iter().enumerate() {
        let key = InstanceKey {
            name: name.into(),
            pattern: pattern.into(),
            elements: elements.into(),
            hash: k as u128 + 1,
        };
        let id = key.id();
        let instance = Json::object([
            ("reason", "instance".into()),
            ("id", id.as_str().into()),
            ("key", key.to_json()),
        ]);
        lines.push(instance.to_string());
        for class in classes {
            let finished = Json::object([
                ("reason", "class-finished".into()),
                ("id", id.as_str().into()),
                ("model", class.to_json()),
            ]);
            lines.push(finished.to_string());
        }
    }
    lines
}

/// A trace of a call, in which each unit does its part.
pub(crate) fn trace() -> String {
    let mut events = vec![
        r#"{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}}"#.to_string(),
        r#"{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"worker 1"}}"#.into(),
        r#"{"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"mock:a#0 copies"}}"#
            .into(),
        r#"{"ph":"M","name":"thread_name","pid":1,"tid":4,"args":{"name":"mock:a#0 kernels"}}"#
            .into(),
    ];
    let mut span = |tid: u32, kind: &str, name: &str, ts: f64, dur: f64| {
        events.push(format!(r#"{{"ph":"X","pid":1,"tid":{tid},"cat":"{kind}","name":"{name}","ts":{ts},"dur":{dur}}}"#));
    };
    for call in 0..4 {
        let at = f64::from(call) * 460.0;
        span(1, "call", "squared_error_sum 4 Mi hybrid", at, 440.0);
        span(1, "piece", "0..655360", at + 20.0, 380.0);
        span(2, "piece", "655360..1310720", at + 32.0, 371.0);
        span(3, "upload", "x", at + 12.0, 70.0);
        span(3, "upload", "y", at + 84.0, 70.0);
        span(4, "launch", "squared_error_sum", at + 156.0, 240.0);
        span(3, "download", "sum", at + 398.0, 14.0);
    }
    format!("[\n{}\n]\n", events.join(",\n"))
}
