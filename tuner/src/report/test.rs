use super::{Page, blocks::Blocks};
use crate::predict::{fastest, regret, test::class};
use skel::model::{
    ClassModel, DeviceFingerprint, Fingerprint, InstanceKey, InstanceModel, MachineModels,
    Measured, Quality, Sample, UnitId,
};
use skel::unit::BlockConfig;

const EVIL: &str = "\"/><script>alert('x')</script>\u{1b}[31m";

fn gpu() -> UnitId {
    UnitId::device("mock", EVIL, 0)
}

/// Two lines, and a sweep that finds a fifth on the CPU best.
fn measured_class() -> ClassModel {
    let mut class = class(1 << 20, &[(UnitId::Cpu, 4.0, 0.0), (gpu(), 1.0, 2e4)]);
    for unit in &mut class.units {
        let sample = |n: usize| Sample {
            elems: n,
            median_ns: 1.02 * unit.fit.curve.at(n as f64),
            mad_ns: 10.0,
            runs: 7,
        };
        unit.samples = [1 << 12, 1 << 16, 1 << 20].map(sample).to_vec();
    }
    for step in 0..=20 {
        let cpu = f64::from(step) / 20.0;
        let n = class.elems as f64;
        let ns = (4.0 * n * cpu).max(n * (1.0 - cpu) + 2e4);
        class.measured.push(Measured {
            shares: vec![(UnitId::Cpu, cpu), (gpu(), 1.0 - cpu)],
            sample: Sample {
                elems: class.elems,
                median_ns: ns,
                mad_ns: 0.0,
                runs: 7,
            },
        });
    }
    class
}

fn page(classes: Vec<ClassModel>) -> Page {
    let instance = InstanceModel {
        key: InstanceKey {
            name: EVIL.into(),
            pattern: EVIL.into(),
            elements: EVIL.into(),
            hash: 1,
        },
        classes,
        chain: Vec::new(),
        read_back: 0.5,
        seed: 1,
        when_unix_s: 0,
        drift: 0.01,
    };
    let fingerprint = Fingerprint {
        cpu: EVIL.into(),
        threads: 4,
        devices: vec![DeviceFingerprint {
            id: gpu(),
            name: EVIL.into(),
            driver: EVIL.into(),
        }],
    };
    Page {
        blocks: Vec::new(),
        program: EVIL.into(),
        commands: vec![EVIL.into(), EVIL.into()],
        when: EVIL.into(),
        machines: vec![MachineModels {
            fingerprint,
            transfers: Vec::new(),
            instances: vec![instance],
        }],
        timeline: None,
        notes: vec![EVIL.into()],
    }
}

#[test]
fn names_stay_text() {
    let html = page(vec![measured_class()]).html();
    assert!(!html.contains("<script") && !html.contains('\u{1b}'));
    assert!(html.matches("&lt;script&gt;").count() > 10);
}

#[test]
fn block_configurations_stand_in_a_table_with_the_usual_and_the_chosen_one() {
    let block = |lanes, elems_per_lane| BlockConfig {
        lanes,
        elems_per_lane,
    };
    let mut class = measured_class();
    class.units[1].block = Some(block(128, 4));
    let mut page = page(vec![class]);
    // Without the journal, only the model's choice is known.
    let html = page.html();
    assert!(html.contains("is launched in work-groups of 128 lanes, 4 elements each."));
    let table = Blocks {
        machine: page.machines[0].fingerprint.clone(),
        id: page.machines[0].instances[0].key.id(),
        class: (1 << 20, 0),
        unit: gpu(),
        medians_ns: vec![
            (block(256, 1), 2000.0),
            (block(128, 4), 1500.0),
            (block(64, 8), 2100.0),
        ],
    };
    let mut elsewhere = table.clone();
    elsewhere.machine.threads += 1;
    elsewhere.medians_ns[0].1 = 77.0;
    page.blocks = vec![elsewhere, table];
    let html = page.html();
    // One table: that of this machine.
    assert!(!html.contains("is launched in") && !html.contains("<td>77 ns</td>"));
    let rows: Vec<&str> = html
        .lines()
        .filter(|l| l.contains("</td><td>+") || l.contains("</td><td>-"))
        .collect();
    let row = |lanes: u32, elems: u32, time: &str, against: &str, note: &str| {
        format!(
            "<tr><td>{lanes}</td><td>{elems}</td><td>{time}</td><td>{against}</td><td class=\"left\">{note}</td></tr>"
        )
    };
    let expected = [
        row(256, 1, "2.00 µs", "+0.0 %", "usual"),
        row(128, 4, "1.50 µs", "-25.0 %", "chosen"),
        row(64, 8, "2.10 µs", "+5.0 %", ""),
    ];
    assert_eq!(rows, expected);
    assert!(!html.contains("<script"));
}

#[test]
fn the_page_needs_nothing_else() {
    let html = page(vec![measured_class()]).html();
    let links = html.matches("http").count();
    assert_eq!(links, html.matches("http://www.w3.org/2000/svg").count());
    for tag in ["<link", "<img", "src=", "url(", "@import"] {
        assert!(!html.contains(tag), "{tag}");
    }
    assert_eq!(html.matches("<figure>").count(), 4);
}

#[test]
fn a_whisker_that_is_cut_ends_in_an_arrow() {
    let arrows = |mad_ns: f64| {
        let mut class = measured_class();
        class.units[0].samples[1].mad_ns = mad_ns;
        page(vec![class]).html().matches(" cut\"").count()
    };
    // One that goes down to nothing has no end on a logarithmic scale; nor have residuals room for both ends.
    assert_eq!(arrows(10.0), 0);
    assert!(arrows(1e9) > 0);
}

#[test]
fn models_without_numbers_are_drawn() {
    let empty = ClassModel {
        quality: Quality::Weak(skel::model::Reason::FewSamples),
        ..class(0, &[])
    };
    let level = class(7, &[(UnitId::Cpu, 0.0, 0.0), (gpu(), 0.0, 0.0)]);
    for classes in [vec![], vec![empty.clone()], vec![level, empty]] {
        let html = page(classes).html();
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    }
}

#[test]
fn regret_is_what_the_choice_costs_against_the_sweep() {
    let class = measured_class();
    // Of the steps, 0.2 is the fastest: 4 · 0.2 < 1 · 0.8 + latency.
    let best = fastest(&class).expect("a sweep");
    assert_eq!(best.shares[0].1, 0.2);
    let shares = |cpu: f64| vec![(UnitId::Cpu, cpu), (gpu(), 1.0 - cpu)];
    assert_eq!(regret(&class, &shares(0.2)), Some(0.0));
    let half = regret(&class, &shares(0.5)).expect("measured");
    let n = class.elems as f64;
    assert!((half - (4.0 * n * 0.5 / (n * 0.8 + 2e4) - 1.0)).abs() < 1e-12);
    assert_eq!(regret(&self::class(8, &[]), &shares(0.2)), None);
}
