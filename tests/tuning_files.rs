//! Models that a program finds in files: a program of its own reads them, and says where its calls ran.

use skel::{
    Context, DefaultContext,
    model::{
        Curve, DeviceFingerprint, Fit, InstanceModel, MachineModels, Quality, Sample, TuningFile,
        UnitId, UnitModel,
    },
    observe,
    prelude::*,
    tuning::{self, Options},
};
use std::{
    env, fs,
    path::PathBuf,
    process::{self, Command},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

const N: usize = 50_000;
/// No call of so few elements takes nearly as long.
const AGES_NS: f64 = 1e15;

#[user_function]
fn triple(x: u32) -> u32 {
    3 * x
}

/// The program. What it is told to embed, it embeds; it says of each call on which unit it ran.
#[test]
fn program() {
    if let Some(path) = env::var_os("TEST_EMBEDDED") {
        let text: &'static str = fs::read_to_string(path).unwrap().leak();
        let other = "{}";
        println!("embedded {} {}", tuning::embed(text), tuning::embed(other));
    }
    let calls = env::var("TEST_CALLS").map_or(1, |calls| calls.parse().unwrap());
    let x = Vector::from(vec![2_u32; N]);
    let triples = map!(triple).named("tests::triples");
    for _ in 0..calls {
        let (y, reports) = observe(|| triples.run((&x,)).unwrap());
        assert_eq!(y.host().unwrap()[N - 1], 6);
        let parts = &reports[0].parts;
        let units = parts.iter().map(|part| part.unit_index.to_string());
        println!("ran on {}", units.collect::<Vec<_>>().join("+"));
    }
    assert!(!tuning::embed("{}"), "files were read at the first call");
}

/// A file whose model of the program's call sends it to the first of these units.
struct Tuned(PathBuf);

impl Tuned {
    fn to(units: [UnitId; 2]) -> Tuned {
        let context = Context::builder().build().unwrap();
        let x = Vector::from(vec![2_u32; N]);
        let triples = map!(triple).named("tests::triples").within(context.clone());
        let call = || drop(triples.run((&x,)).unwrap());
        // Only the key is of interest: what was measured is replaced.
        let mut options = Options::quick();
        (options.points, options.samples, options.budget) = (2, 1..=1, Duration::MAX);
        let (_, mut tuned) = tuning::tune(&context, &options, call);
        let mut model: InstanceModel = tuned.instances.remove(0);
        let class = &mut model.classes[0];
        (class.best, class.quality) = (None, Quality::Good);
        let mut fit = class.units[0].fit.clone();
        fit.quality = Quality::Good;
        let timed = |(times, unit): (usize, UnitId)| UnitModel {
            unit,
            fit: Fit {
                curve: Curve::line(AGES_NS * times as f64, 0.0),
                ..fit.clone()
            },
            // One thread is asked within what was measured of it.
            samples: vec![Sample {
                elems: N,
                median_ns: AGES_NS,
                mad_ns: 0.0,
                runs: 1,
            }],
            block: None,
        };
        class.units = (1..).zip(units).map(timed).collect();
        let file = TuningFile {
            tool: format!("test {}", env!("CARGO_PKG_VERSION")),
            machines: vec![MachineModels {
                fingerprint: DefaultContext.get().fingerprint(),
                transfers: Vec::new(),
                instances: vec![model],
            }],
        };
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("skel-tuned-{}-{count}.json", process::id());
        let path = env::temp_dir().join(name);
        fs::write(&path, file.to_text()).unwrap();
        Tuned(path)
    }

    fn sequential() -> Tuned {
        Tuned::to([UnitId::Sequential, UnitId::Cpu])
    }
}

impl Drop for Tuned {
    fn drop(&mut self) {
        let removed = fs::remove_file(&self.0);
        // A second panic would hide the first.
        assert!(removed.is_ok() || std::thread::panicking(), "{removed:?}");
    }
}

/// Runs the program. What it says, and what is said on standard error.
fn run(variables: &[(&str, &str)]) -> (Vec<String>, String) {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([
        "tuning_files::program",
        "--exact",
        "--nocapture",
        "--test-threads=1",
    ]);
    for name in [
        "SKEL_BACKEND",
        "SKEL_TUNE",
        "SKEL_TUNE_FILE",
        "SKEL_CACHE_DIR",
    ] {
        command.env_remove(name);
    }
    // What this machine's user has tuned is none of this.
    command.env("SKEL_CACHE", "off");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let [out, error] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{out}{error}");
    let said = out.lines().filter_map(|line| {
        // The test harness begins a line, which the program goes on with.
        let at = line.find("ran on ").or_else(|| line.find("embedded "))?;
        Some(line[at..].to_owned())
    });
    (said.collect(), error)
}

#[test]
fn a_named_file_says_where_calls_run() {
    for (units, ran) in [
        ([UnitId::Sequential, UnitId::Cpu], "ran on 0"),
        ([UnitId::Cpu, UnitId::Sequential], "ran on 1"),
    ] {
        let tuned = Tuned::to(units);
        let (said, error) = run(&[("SKEL_TUNE_FILE", tuned.0.to_str().unwrap())]);
        assert_eq!(said, [ran], "{error}");
    }
}

/// Of two machines that differ by their devices, the file has the other one first.
#[test]
fn of_machines_that_are_alike_this_one_counts() {
    let (other, here) = (
        Tuned::sequential(),
        Tuned::to([UnitId::Cpu, UnitId::Sequential]),
    );
    let read = |tuned: &Tuned| TuningFile::from_text(&fs::read(&tuned.0).unwrap()).unwrap();
    let mut file = read(&other);
    let devices = &mut file.machines[0].fingerprint.devices;
    devices.push(DeviceFingerprint {
        id: UnitId::device("cuda", "Gone", 0),
        name: "Gone".into(),
        driver: "1".into(),
    });
    let run_with = |file: &TuningFile| {
        fs::write(&other.0, file.to_text()).unwrap();
        run(&[("SKEL_TUNE_FILE", other.0.to_str().unwrap())])
    };
    let (said, error) = run_with(&file);
    assert_eq!(said, ["ran on 0"], "alone, it is good enough: {error}");
    file.machines.extend(read(&here).machines);
    let (said, error) = run_with(&file);
    assert_eq!(said, ["ran on 1"], "{error}");
}

/// What is not there any more was the fastest.
#[test]
fn a_model_that_needs_a_device_that_is_gone_is_said_and_not_used() {
    let tuned = Tuned::sequential();
    let mut file = TuningFile::from_text(&fs::read(&tuned.0).unwrap()).unwrap();
    let gone = UnitId::device("cuda", "Gone", 0);
    file.machines[0].instances[0].classes[0].best = Some(vec![(gone, 1.0)]);
    fs::write(&tuned.0, file.to_text()).unwrap();
    let (said, error) = run(&[("SKEL_TUNE_FILE", tuned.0.to_str().unwrap())]);
    assert_eq!(said, ["ran on 1"], "{error}");
    assert!(error.contains("cuda:Gone#0, which is not there"), "{error}");
}

#[test]
fn an_embedded_file_says_where_calls_run_and_the_first_one_counts() {
    let tuned = Tuned::sequential();
    let (said, error) = run(&[("TEST_EMBEDDED", tuned.0.to_str().unwrap())]);
    assert_eq!(said, ["embedded true false", "ran on 0"], "{error}");
}

#[test]
fn a_file_of_another_machine_or_of_nothing_is_said_once_and_not_used() {
    let tuned = Tuned::sequential();
    let text = fs::read_to_string(&tuned.0).unwrap();
    let threads = DefaultContext.get().fingerprint().threads;
    let other = text.replace(
        &format!("\"threads\": {threads}"),
        &format!("\"threads\": {}", threads + 1),
    );
    assert_ne!(other, text);
    for (text, why) in [(other.as_str(), "threads"), ("{\"schema\": 7}", "schema")] {
        fs::write(&tuned.0, text).unwrap();
        let variables = [
            ("SKEL_TUNE_FILE", tuned.0.to_str().unwrap()),
            ("TEST_CALLS", "3"),
        ];
        let (said, error) = run(&variables);
        assert_eq!(said[..1], ["ran on 1"], "{error}");
        assert_eq!(error.matches(why).count(), 1, "{error}");
    }
}

#[test]
fn a_model_that_is_far_off_is_given_up_after_32_calls_and_that_is_said_once() {
    let tuned = Tuned::sequential();
    let file = tuned.0.to_str().unwrap();
    let (said, error) = run(&[("SKEL_TUNE_FILE", file), ("TEST_CALLS", "31")]);
    assert_eq!(said, vec!["ran on 0"; 31]);
    assert!(!error.contains("not used any more"), "{error}");
    let (said, error) = run(&[("SKEL_TUNE_FILE", file), ("TEST_CALLS", "100")]);
    assert_eq!(said.len(), 100);
    assert_eq!(said[..32], vec!["ran on 0"; 32]);
    // Without a model, nothing runs on one thread unasked.
    assert!(said[32..].iter().all(|unit| unit != "ran on 0"), "{said:?}");
    assert_eq!(error.matches("not used any more").count(), 1, "{error}");
    assert!(error.contains("tests::triples"), "{error}");
}

#[test]
fn while_a_program_is_tuned_its_models_are_not_judged() {
    let tuned = Tuned::sequential();
    let variables = [
        ("SKEL_TUNE_FILE", tuned.0.to_str().unwrap()),
        ("SKEL_TUNE", "list"),
        ("TEST_CALLS", "100"),
    ];
    let (said, error) = run(&variables);
    assert_eq!(said, vec!["ran on 0"; 100]);
    assert!(!error.contains("tune again"), "{error}");
}
