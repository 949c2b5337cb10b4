//! Shares that are fixed, and plans.

use super::drive::{BUS, Drive, machine};
use crate::{Access, Arch, ArchSet, Machine, Mode, NewTask, scheduler};

#[test]
fn host_and_device_run_nothing_elsewhere_but_what_only_the_other_can() {
    for (text, expected) in [("host", [10, 5]), ("device", [5, 10])] {
        let mut drive = Drive::new(text, machine(2, 2), &|_, _| 7);
        let kind = drive.engine.kind("task");
        for k in 0..15 {
            // Five for the host alone, five for devices alone, five for both.
            let archs = match k % 3 {
                0 => ArchSet::only(Arch(0)),
                1 => ArchSet::only(Arch(1)),
                _ => ArchSet::ALL,
            };
            drive
                .engine
                .submit(
                    NewTask {
                        archs,
                        ..NewTask::new(kind, &[])
                    },
                    0,
                )
                .unwrap();
        }
        drive.run();
        let devices = drive.on_devices(15);
        assert_eq!([15 - devices, devices], expected, "{text}");
    }
}

#[test]
fn percent_has_its_share_after_every_task() {
    for share in [0.0, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.6, 0.975, 1.0] {
        let mut drive = Drive::new(&format!("percent,device={share}"), machine(1, 1), &|_, _| 1);
        for n in 1..=1_000 {
            drive.round(&[("one", 1)]);
            let devices = drive.on_devices(n) as f64;
            assert!(
                (devices - share * n as f64).abs() <= 0.5 + 1e-6,
                "{devices} of {n} at {share}"
            );
        }
        assert_eq!(drive.on_devices(1_000), (share * 1_000.0).round() as usize);
    }
}

#[test]
fn static_percent_keeps_tasks_with_their_data() {
    let mut drive = Drive::new("percent,device=0.6,static=1", machine(1, 1), &|_, _| 5);
    let handles: Vec<_> = (0..100).map(|_| drive.engine.register(8, None)).collect();
    let kind = drive.engine.kind("task");
    for mode in [Mode::Write, Mode::Update, Mode::Read] {
        for &handle in &handles {
            drive
                .engine
                .submit(NewTask::new(kind, &[Access { handle, mode }]), 0)
                .unwrap();
        }
    }
    drive.run();
    assert_eq!(drive.on_devices(300), 180);
    // No datum has ever left its side: nothing was copied after the first writing.
    assert!(
        handles
            .iter()
            .all(|handle| drive.engine.view(0).valid(*handle).len() == 1)
    );
}

#[test]
fn ratio_cuts_each_kind_in_contiguous_parts() {
    let mut drive = Drive::new("ratio,cpu=0.4", machine(2, 2), &|_, _| 3);
    let kinds = [drive.engine.kind("a"), drive.engine.kind("b")];
    drive.engine.open_batch();
    let tasks: Vec<_> = (0..200)
        .map(|k| {
            drive
                .engine
                .submit(NewTask::new(kinds[k % 2], &[]), 0)
                .unwrap()
        })
        .collect();
    drive.engine.close_batch(0);
    drive.run();
    for (task, class) in &drive.ran {
        let k = tasks.iter().position(|other| other == task).unwrap() / 2;
        let expected = if k < 40 {
            0
        } else if k < 70 {
            1
        } else {
            2
        };
        assert_eq!(class.0, expected, "task {k} of its kind");
    }
    // One by one they are dealt in the same proportion.
    drive.round(&[("a", 100)]);
    assert_eq!(drive.on_devices(100), 60);
}

#[test]
fn what_cannot_be_is_named() {
    let (both, cores) = (machine(1, 1), Machine::cores(2).unwrap());
    let devices = Machine::builder()
        .device("gpu", 1, None, BUS)
        .build()
        .unwrap();
    for (text, machine, what) in [
        (
            "percent,device=1.5",
            &both,
            "`device` is `1.5`; expected a share from 0 to 1",
        ),
        (
            "percent,device=NaN",
            &both,
            "`device` is `NaN`; expected a share from 0 to 1",
        ),
        (
            "percent",
            &cores,
            "`device` is `0.5`; expected 0, since the machine has no device",
        ),
        (
            "percent,device=0.9",
            &devices,
            "expected 1, since the machine has devices only",
        ),
        ("device", &cores, "`scheduler` is `device`"),
        ("host", &devices, "`scheduler` is `host`"),
        ("ratio,cpu=-1", &both, "`cpu` is `-1`"),
        (
            "ratio,cpu=0.5",
            &cores,
            "expected 1, since the machine has no device",
        ),
        (
            "ratio,cpu=0.5",
            &devices,
            "expected 0, since the machine has devices only",
        ),
        (
            "step,step=0",
            &both,
            "`step` is `0`; expected a step above 0",
        ),
        (
            "hill,samples=0",
            &both,
            "`samples` is `0`; expected 1 or more",
        ),
        ("greedy,every=0", &both, "`every` is `0`"),
    ] {
        let error = scheduler::parse(text)
            .unwrap()
            .build(machine)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(what), "{error}");
    }
    for (text, what) in [
        ("percent,static=2", "`static` is `2`; expected 0 or 1"),
        (
            "percent,devices=1",
            "`devices` is `1`; expected one of the options static, device",
        ),
        (
            "adjust,period=0",
            "`period` is `0`; expected a number of tasks",
        ),
        (
            "hill,period=2s",
            "`period` is `2s`; expected a number of tasks",
        ),
        ("crawler,step=x", "`step` is `x`"),
    ] {
        let error = scheduler::parse(text).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    // What measures does without: all tasks run on the side that there is.
    for text in ["step", "hill", "adjust", "greedy", "crawler"] {
        for machine in [&cores, &devices] {
            let mut drive = Drive::new(text, machine.clone(), &|_, _| 3);
            drive.round(&[("task", 500)]);
            assert_eq!(drive.ran.len(), 500);
        }
    }
}

/// Tasks that are abandoned while they are ready end their periods, so shares go on moving.
#[test]
fn shares_move_after_tasks_were_abandoned() {
    // A device is nine times as fast.
    let law = |_, arch: Arch| if arch == Arch(0) { 900 } else { 100 };
    for text in ["adjust,period=4", "hill,period=4"] {
        let on_devices = |abandons: bool| {
            let mut drive = Drive::new(text, machine(1, 1), &law);
            drive.round(&[("one", 8)]);
            if abandons {
                let kind = drive.engine.kind("one");
                for _ in 0..64 {
                    let new = NewTask::new(kind, &[]);
                    drive.engine.submit(new, drive.now_ns).unwrap();
                }
                drive.engine.abandon(drive.now_ns);
                assert_eq!(drive.engine.take_cancelled().count(), 64);
            }
            // Few at a time: most of what the others had is not used again.
            for _ in 0..100 {
                drive.round(&[("one", 8)]);
            }
            drive.on_devices(100)
        };
        let [moved, kept] = [true, false].map(on_devices);
        assert!(
            moved.abs_diff(kept) <= 10,
            "{text}: {moved} instead of {kept}"
        );
    }
}
