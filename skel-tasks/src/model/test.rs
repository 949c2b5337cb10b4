//! Models against closed forms, and their text against anything.

use super::*;
use crate::{Arch, Costs, KindId, Rates, Work};
use proptest::prelude::*;

const RULES: HistoryRules = HistoryRules {
    usable: 10,
    off: 0.5,
    drift: 10,
};

fn history(samples: impl IntoIterator<Item = f64>) -> History {
    let mut history = History::default();
    assert_eq!(history.add(1e9, &RULES), Verdict::First);
    samples.into_iter().for_each(|ns| {
        history.add(ns, &RULES);
    });
    history
}

#[test]
fn a_history_is_used_from_ten_samples_on_without_the_first() {
    let mut nine = history([100.0; 9]);
    assert_eq!(nine.expected_ns(&RULES), None);
    assert_eq!(nine.add(100.0, &RULES), Verdict::Counted);
    assert_eq!(nine.expected_ns(&RULES), Some(100.0));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0] {
        let before = nine;
        assert_eq!(nine.add(bad, &RULES), Verdict::Refused);
        assert_eq!(nine, before);
    }
}

#[test]
fn one_spike_leaves_the_mean_as_it_was_wherever_it_comes() {
    for at in 0..30 {
        let mut with = History::default();
        with.add(1.0, &RULES);
        for k in 0..30 {
            if k == at {
                with.add(10_000.0, &RULES);
            }
            with.add(100.0, &RULES);
        }
        assert_eq!(with.moments().mean(), 100.0, "spike at {at}");
        assert_eq!(with.moments().variance(), 0.0);
    }
    // Spikes again and again, too, as long as they are few.
    let spiky = history((0..1000).map(|k| if k % 7 == 3 { 9_000.0 } else { 100.0 }));
    assert_eq!(spiky.moments().mean(), 100.0);
}

#[test]
fn a_drift_is_followed_after_ten_samples() {
    let mut drifting = history([100.0; 500]);
    for k in 1..=10 {
        let verdict = drifting.add(200.0, &RULES);
        let expected = if k < 10 {
            (Verdict::Outlier, Some(100.0))
        } else {
            (Verdict::Drifted, Some(200.0))
        };
        assert_eq!(
            (verdict, drifting.expected_ns(&RULES)),
            expected,
            "after {k}"
        );
    }
    // A slow one moves the mean, old samples lose weight.
    let mut slow = history([100.0; 100_000]);
    (0..3_000).for_each(|_| assert_eq!(slow.add(140.0, &RULES), Verdict::Counted));
    assert!(slow.moments().mean() > 135.0, "{}", slow.moments().mean());
    // Outliers that agree in nothing, once they are the more.
    let mut wild = history([100.0; 10]);
    let verdicts: Vec<_> = (1..=11)
        .map(|k| wild.add(100.0 * 4_f64.powi(k), &RULES))
        .collect();
    assert!(
        verdicts[..10]
            .iter()
            .all(|verdict| *verdict == Verdict::Outlier)
    );
    assert_eq!(verdicts[10], Verdict::Drifted);
}

#[test]
fn laws_recover_their_coefficients() {
    let (mut power, mut affine) = (PowerLaw::default(), Affine::default());
    for k in 1..=10 {
        let x = f64::from(k) * 100.0;
        assert_eq!(power.coefficients(), None);
        assert!(power.add(x, 2.5 * x.powf(1.5)));
        assert!(affine.add(x, 7_000.0 + 3.0 * x));
    }
    let (alpha, beta) = power.coefficients().unwrap();
    assert!((alpha - 2.5).abs() < 1e-9 && (beta - 1.5).abs() < 1e-9);
    let (a, b) = affine.coefficients().unwrap();
    assert!((a - 7_000.0).abs() < 1e-6 && (b - 3.0).abs() < 1e-9);
    for (size, is_inside) in [
        (89.9, false),
        (90.1, true),
        (1_099.0, true),
        (1_101.0, false),
    ] {
        assert_eq!(power.expected_ns(size).is_some(), is_inside, "{size}");
        assert_eq!(affine.expected_ns(size).is_some(), is_inside, "{size}");
    }
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(!power.add(bad, 1.0) && !power.add(1.0, bad) && !power.add(0.0, 1.0));
        assert!(!affine.add(bad, 1.0) && !affine.add(1.0, bad) && !affine.add(1.0, 0.0));
    }
    // Sizes too near to each other say nothing of others.
    let mut near = PowerLaw::default();
    (0..20).for_each(|k| assert!(near.add(95.0 + f64::from(k % 6), 10.0)));
    assert_eq!(near.coefficients(), None);
}

#[test]
fn the_better_law_answers_and_spikes_do_not_bend_it() {
    let laws: [fn(f64) -> f64; 2] = [|x| 5_000.0 + 2.0 * x, |x| 0.3 * x.powf(1.8)];
    for law in laws {
        let mut learned = Regression::default();
        learned.add(50.0, 1e9, &RULES);
        for k in 1..=60 {
            let x = 100.0 * f64::from(k % 20 + 1);
            learned.add(x, law(x), &RULES);
        }
        assert_eq!(
            learned.add(1_000.0, 100.0 * law(1_000.0), &RULES),
            Verdict::Outlier
        );
        let expected_ns = learned.expected_ns(1_550.0).unwrap();
        assert!(
            (expected_ns / law(1_550.0) - 1.0).abs() < 1e-6,
            "{expected_ns}"
        );
        for k in 1..=10 {
            learned.add(
                100.0 * f64::from(k),
                4.0 * law(100.0 * f64::from(k)),
                &RULES,
            );
        }
        for k in 1..=10 {
            learned.add(
                100.0 * f64::from(k),
                4.0 * law(100.0 * f64::from(k)),
                &RULES,
            );
        }
        let expected_ns = learned.expected_ns(500.0).unwrap();
        assert!(
            (expected_ns / law(500.0) - 4.0).abs() < 0.1,
            "{expected_ns}"
        );
    }
}

#[test]
fn the_same_size_counts_before_a_law_and_a_law_before_a_prior() {
    let prior = Rates::new(vec![vec![Some(1.0)]]);
    let mut costs = Learned::default().with_prior(Box::new(prior));
    let (kind, arch) = (KindId(0), Arch(0));
    let expected = |costs: &Learned, elems| costs.exec_ns(kind, arch, Work { elems });
    assert_eq!(expected(&costs, 550), Some(550));
    for round in 0..4 {
        for elems in (100..=1000).step_by(100) {
            costs.observe(kind, arch, Work { elems }, 1_000 + 10 * elems);
            costs.observe(kind, arch, Work { elems }, 0); // refused
        }
        let law = expected(&costs, 550);
        assert_eq!(law, Some(if round == 0 { 550 } else { 6_500 }));
    }
    (0..11).for_each(|_| costs.observe(kind, arch, Work { elems: 200 }, 2_700));
    assert_eq!(expected(&costs, 200), Some((2_700 * 11 + 3_000 * 3) / 14));
    assert_eq!(expected(&costs, 5_000), Some(5_000));
    assert_eq!(costs.exec_ns(KindId(3), arch, Work { elems: 5 }), None);
}

fn learned() -> Learned {
    let mut costs = Learned::default();
    for k in 0..40_u32 {
        for kind in 0..3 {
            let elems = u64::from(100 + 37 * (k % 13) + kind);
            costs.observe(
                KindId(kind),
                Arch((k % 2) as u8),
                Work { elems },
                77 * elems + u64::from(k),
            );
        }
    }
    costs
}

const NAMES: [&str; 3] = ["two words", "100 %", "änd\n="];

fn kind(name: &str) -> Option<KindId> {
    let k = NAMES.iter().position(|other| *other == name)?;
    Some(KindId(k as u32))
}

fn arch(name: &str) -> Option<Arch> {
    match name {
        "cpu" => Some(Arch(0)),
        "" => Some(Arch(1)),
        _ => None,
    }
}

#[test]
fn what_is_written_is_read_to_the_bit() {
    let costs = learned();
    let kinds = NAMES.map(String::from);
    let archs = ["cpu".to_string(), String::new()];
    let text = costs.to_text(&kinds, &archs);
    assert!(text.is_ascii());
    let again = Learned::from_text(&text, kind, arch).unwrap();
    assert_eq!(again.to_text(&kinds, &archs), text);
    for (key, history) in &costs.histories {
        assert_eq!(again.histories[key].kept, history.kept);
    }
    for (key, law) in &costs.regressions {
        assert_eq!(
            (
                &again.regressions[key].power,
                &again.regressions[key].affine
            ),
            (&law.power, &law.affine)
        );
    }
    // What this machine does not have is left out.
    let none = Learned::from_text(&text, |_| None, arch).unwrap();
    assert!(none.histories.is_empty() && none.regressions.is_empty());
}

#[test]
fn wrong_texts_are_named() {
    let history = "history kind=a arch=cpu elems=1 first=1 count=1 mean_ns=5 m2=0";
    for (text, what) in [
        (String::new(), "no model of tasks"),
        (
            "#################\n# Performance Model Version\n45".into(),
            "begins with `####",
        ),
        ("skel.tasks/0\n".into(), "version `0`"),
        ("skel.tasks/12\nx".into(), "version `12`"),
        (
            "skel.tasks/1\n\nhistry kind=a".into(),
            "line 3 of the model: `histry`; expected history",
        ),
        (
            "skel.tasks/1\nhistory kind=a".into(),
            "line 2 of the model: ``; expected arch=",
        ),
        (format!("skel.tasks/1\n{history} x"), "`x` after its end"),
        (
            format!("skel.tasks/1\n{history}\n{history}"),
            "line 3 of the model: an entry that was there before",
        ),
        (
            format!("skel.tasks/1\n{}", history.replace("=5", "=NaN")),
            "finite",
        ),
        (
            format!("skel.tasks/1\n{}", history.replace("=5", "=-5")),
            "cannot be",
        ),
        (
            format!("skel.tasks/1\n{}", history.replace("kind=a", "kind=%f")),
            "expected a name",
        ),
        (
            format!("skel.tasks/1\n{}", history.replace("elems=1", "elems=-9")),
            "`elems=-9`; expected a number",
        ),
    ] {
        let error = Learned::from_text(&text, |_| Some(KindId(0)), arch)
            .unwrap_err()
            .to_string();
        assert!(error.contains(what), "{error}");
    }
}

proptest! {
    #[test]
    fn moments_are_those_of_plain_sums(samples in prop::collection::vec(1.0..1e6_f64, 1..200)) {
        let mut moments = Moments::default();
        samples.iter().for_each(|ns| moments.add(*ns));
        let n = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / n;
        let squares: f64 = samples.iter().map(|ns| (ns - mean).powi(2)).sum();
        let variance = if samples.len() < 2 { 0.0 } else { squares / (n - 1.0) };
        prop_assert!((moments.mean() - mean).abs() <= 1e-9 * mean);
        prop_assert!((moments.variance() - variance).abs() <= 1e-9 * (variance + mean));
    }

    #[test]
    fn no_text_panics(text in "(skel.tasks/1\n)?(\\PC|\n){0,200}") {
        let _ = Learned::from_text(&text, kind, arch);
    }

    #[test]
    fn no_damaged_text_panics(at in 0..4000_usize, with in "\\PC{0,3}", elems in any::<u64>(), took in any::<u64>()) {
        let text = learned().to_text(&NAMES.map(String::from), &["cpu".into(), String::new()]);
        let (at, end) = (at % text.len(), (at + 2).min(text.len()));
        let damaged = format!("{}{with}{}", &text[..at], &text[end.max(at)..]);
        if let Ok(mut read) = Learned::from_text(&damaged, kind, arch) {
            read.observe(KindId(0), Arch(0), Work { elems }, took);
            read.exec_ns(KindId(0), Arch(0), Work { elems });
        }
    }
}

#[test]
fn sizes_that_never_come_again_do_not_fill_memory() {
    let mut learned = Learned::default();
    let (kind, arch) = (KindId(0), Arch(0));
    for elems in 1..=10_000 {
        learned.observe(kind, arch, Work { elems }, 3 * elems);
    }
    let text = learned.to_text(&["k".into()], &["cpu".into()]);
    assert_eq!(text.matches("history ").count(), 4096);
    // What has no history is on the law.
    let expected = learned.exec_ns(kind, arch, Work { elems: 9_999 });
    assert_eq!(expected, Some(29_997));
}
