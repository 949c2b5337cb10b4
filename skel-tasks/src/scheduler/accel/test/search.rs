//! Shares that are found by measuring.

use super::super::{
    adjust::adjusted,
    kinds::{Load, allocate},
    valley::Valley,
};
use super::drive::{Drive, machine};
use crate::{Access, Arch, KindId, MemoryNode, Mode, NewTask, Ns};

/// Even numbers from 0 to 1, from a seed (SplitMix64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) as f64 / u64::MAX as f64
    }
}

#[test]
fn the_valley_is_found_to_two_bins_through_noise() {
    let mut worst: f64 = 0.0;
    for (host, device) in [(1.0, 1.0), (4.0, 1.0), (1.0, 3.0), (10.0, 1.0), (1.0, 2.5)] {
        let optimum = host / (host + device);
        for seed in 0..8 {
            let (mut noise, mut valley) = (Noise(seed), Valley::new(0.5, 5));
            for _ in 0..6_000 {
                let share = valley.share();
                let ns = 1e6 * f64::max(host * (1.0 - share), device * share);
                valley.add(ns * (0.95 + 0.1 * noise.next()));
            }
            // The optimum itself may lie between two bins.
            worst = worst.max((valley.best() - optimum).abs() * 200.0);
        }
    }
    assert!(worst < 2.5, "{worst} bins of 0.5 %");
    for bad in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert!(!Valley::new(0.5, 1).add(bad));
    }
}

#[test]
fn valleys_at_the_ends_are_found_too() {
    for (rise, optimum) in [(-1.0, 1.0), (1.0, 0.0)] {
        let mut valley = Valley::new(0.5, 5);
        (0..2_000).for_each(|_| {
            valley.add(2.0 + rise * valley.share());
        });
        assert_eq!(valley.best(), optimum);
    }
}

#[test]
fn hill_finds_the_share_of_a_machine() {
    // One core at 300, one device at 100: three quarters.
    let law = |_: KindId, arch: Arch| if arch == Arch(0) { 300 } else { 100 };
    let mut drive = Drive::new("hill,device=0.3,samples=2,period=200", machine(1, 1), &law);
    (0..400).for_each(|_| {
        drive.round(&[("task", 200)]);
    });
    let share = drive.on_devices(4_000) as f64 / 4_000.0;
    assert!((share - 0.75).abs() <= 0.01, "{share}");
}

#[test]
fn step_sweeps_and_keeps_the_best() {
    let law = |_: KindId, arch: Arch| if arch == Arch(0) { 300 } else { 100 };
    let mut drive = Drive::new("step,step=0.05,samples=1,period=100", machine(1, 1), &law);
    // Two periods for each of 21 shares.
    for k in 0..=20 {
        (0..2).for_each(|_| {
            drive.round(&[("task", 100)]);
        });
        assert_eq!(drive.on_devices(200), 200 - 10 * k, "step {k}");
    }
    drive.round(&[("task", 1_000)]);
    assert_eq!(drive.on_devices(1_000), 750);
}

#[test]
fn adjust_moves_in_steps_that_grow_with_the_imbalance() {
    assert_eq!(adjusted(0.5, 100.0, 104.0), 0.5);
    assert_eq!(adjusted(0.5, 200.0, 100.0), 0.5 + 0.0025 * 6.0);
    assert_eq!(adjusted(0.5, 100.0, 200.0), 0.5 - 0.0025 * 6.0);
    assert_eq!(adjusted(0.5, 1e9, 1.0), 0.7);
    assert_eq!(adjusted(0.9, 1e9, 0.0), 0.9 + 0.0025 * 6.0);
    assert_eq!(adjusted(0.9, 1e9, 1.0), 1.0);
    assert_eq!(
        (adjusted(0.1, 0.0, 5.0), adjusted(0.5, 0.0, 0.0)),
        (0.0, 0.5)
    );
    let law = |_: KindId, arch: Arch| if arch == Arch(0) { 300 } else { 100 };
    for text in ["adjust,period=200", "adjust,period=15000ns"] {
        let mut drive = Drive::new(text, machine(3, 1), &law);
        (0..200).for_each(|_| {
            drive.round(&[("task", 200)]);
        });
        // Three cores are as fast as the device; 5 % of imbalance are left alone.
        let share = drive.on_devices(2_000) as f64 / 2_000.0;
        assert!((share - 0.5).abs() <= 0.02, "{text}: {share}");
    }
    // Also where all tasks are ready at once, and both sides always have something to do.
    let mut drive = Drive::new("adjust,device=0.9,period=100", machine(1, 1), &law);
    let handle = drive.engine.register(0, None);
    let kind = drive.engine.kind("task");
    for k in 0..20_000 {
        let mode = if k % 100 == 0 {
            Mode::Write
        } else {
            Mode::Read
        };
        drive
            .engine
            .submit(NewTask::new(kind, &[Access { handle, mode }]), 0)
            .unwrap();
    }
    drive.run();
    let share = drive.on_devices(5_000) as f64 / 5_000.0;
    assert!((share - 0.75).abs() <= 0.03, "{share}");
}

#[test]
fn greedy_is_the_closed_form_of_two_kinds() {
    let load = |kind, host_ns, device_ns| Load {
        kind,
        host_ns,
        device_ns,
        share: f64::NAN,
    };
    // The second one gains more, and all of it goes; of the first, p with 600 (1 − p) = 100 + 300 p.
    let mut loads = [load(0, 600.0, 300.0), load(1, 800.0, 100.0)];
    allocate(&mut loads, 0.0, 0.0);
    assert_eq!(
        [
            (loads[0].kind, loads[0].share),
            (loads[1].kind, loads[1].share)
        ],
        [(1, 1.0), (0, 5.0 / 9.0)]
    );
    // ACCEL's form of the same: (r·d + r·X) / (X + r·X).
    let (r, d, x) = (2.0, -100.0, 600.0);
    assert!(((r * d + r * x) / (x + r * x) - 5.0 / 9.0_f64).abs() < 1e-12);
    // What cannot be moved counts: devices that have enough to do get nothing.
    let mut loads = [load(0, 600.0, 300.0)];
    allocate(&mut loads, 0.0, 700.0);
    assert_eq!(loads[0].share, 0.0);

    let law = |kind: KindId, arch: Arch| match (kind.0, arch.0) {
        (0, 0) => 60,
        (0, _) => 30,
        (_, 0) => 80,
        (_, _) => 10,
    };
    let mut drive = Drive::new("greedy", machine(1, 1), &law);
    (0..50).for_each(|_| {
        drive.round(&[("slow", 90), ("fast", 90)]);
    });
    // 90 · 60 · (1 − p) = 90 · 10 + 90 · 30 · p: five ninths.
    assert_eq!(drive.on_devices(180), 90 + 50);
}

/// Two kinds; the device is twice as fast at both but each `far` task first fetches what it reads.
fn with_copies(text: &str, rounds: usize) -> Ns {
    let law = |_: KindId, arch: Arch| if arch == Arch(0) { 100 } else { 50 };
    let mut drive = Drive::new(text, machine(1, 1), &law);
    let (far, near) = (drive.engine.kind("far"), drive.engine.kind("near"));
    let mut last_ns = 0;
    for round in 0..rounds {
        for _ in 0..60 {
            let handle = drive.engine.register(140, Some(MemoryNode::HOST));
            let read = [Access {
                handle,
                mode: Mode::Read,
            }];
            drive
                .engine
                .submit(NewTask::new(far, &read), drive.now_ns)
                .unwrap();
            drive
                .engine
                .submit(NewTask::new(near, &[]), drive.now_ns)
                .unwrap();
        }
        let since_ns = drive.now_ns;
        drive.run();
        if round >= rounds - 20 {
            last_ns += drive.now_ns - since_ns;
        }
    }
    last_ns / 20
}

#[test]
fn crawler_improves_on_greedy_where_copies_make_it_wrong() {
    // Greedy reckons with 50 of what takes 200: all `far` and a third of `near` on the device, 60 · 200 + 20 · 50.
    let greedy_ns = with_copies("greedy", 60);
    let crawler_ns = with_copies("crawler,step=0.05,samples=1,period=120", 400);
    assert_eq!(greedy_ns, 13_000);
    // Both sides are equally long at 7,000 with half of `far` there.
    assert!(crawler_ns <= 7_400, "{crawler_ns}");
}
