mod complete;
mod faults;

use super::{ask::judge, checks, known::*, *};
use skel_core::{
    Result,
    ir::{Value, eval, valid},
    unit::{UnitInfo, UnitKind},
};

const CLASSES: [Class; 4] = [Class::Words, Class::F32, Class::Longs, Class::F64];

fn right_answers(checks: &[checks::Check]) -> Vec<u64> {
    checks
        .iter()
        .flat_map(|check| check.cases.iter().map(|case| case.expected))
        .collect()
}

/// What is found if the answers of these cases differ from Rust's.
fn found_if(class: Class, is_wrong: impl Fn(&checks::Check, &checks::Case) -> bool) -> Arithmetic {
    let checks = checks::of(class);
    let mut answers = right_answers(&checks);
    let all = checks
        .iter()
        .flat_map(|c| c.cases.iter().map(move |case| (c, case)));
    for (answer, (check, case)) in answers.iter_mut().zip(all) {
        if is_wrong(check, case) {
            *answer ^= 1;
        }
    }
    let mut found = Arithmetic::default();
    judge(&mut found, &checks, &answers);
    found
}

#[test]
fn right_answers_leave_nothing_to_say() {
    for class in CLASSES {
        let found = found_if(class, |_, _| false);
        assert_eq!(found, Arithmetic::default());
        assert_eq!(found.summary(), "as Rust's");
    }
}

#[test]
fn every_wrong_operation_is_noticed() {
    for class in CLASSES {
        for check in checks::of(class) {
            let (ty, operation) = (check.ty, check.operation);
            let found = found_if(class, |other, case| {
                other.operation == operation && other.ty == ty && !case.subnormal
            });
            let noticed = found
                .wrong
                .iter()
                .any(|w| w.operation == operation && w.ty == ty);
            assert!(
                noticed || found.contracts == [ty],
                "{operation} of {ty}: {found:?}"
            );
        }
    }
}

#[test]
fn flushed_subnormals_are_a_property_and_no_fault() {
    for (class, ty) in [(Class::F32, "f32"), (Class::F64, "f64")] {
        let found = found_if(class, |_, case| case.subnormal);
        assert_eq!(found.flushes, [ty]);
        assert!(
            found.wrong.is_empty() && found.remedies.is_empty(),
            "{found:?}"
        );
    }
}

/// Some devices decide before they round whether a result is subnormal.
#[test]
fn results_that_round_to_the_least_normal_number_may_be_flushed_and_nothing_else_becomes_of_them() {
    for (class, ty) in [(Class::F32, "f32"), (Class::F64, "f64")] {
        let checks = checks::of(class);
        let found_with = |rounds: bool, becomes: fn(u64) -> u64| {
            let cases = checks
                .iter()
                .flat_map(|c| c.cases.iter().map(move |case| (c, case)));
            let answers = cases.map(|(check, case)| {
                let format = check.result.filter(|f| f.is_least_normal(case.expected));
                let format = format.filter(|_| check.rounds() == rounds);
                format.map_or(case.expected, |_| becomes(case.expected))
            });
            let mut found = Arithmetic::default();
            judge(&mut found, &checks, &answers.collect::<Vec<_>>());
            found
        };
        let flushed = found_with(true, |_| 0);
        assert!(
            flushed.flushes == [ty] && flushed.wrong.is_empty(),
            "{flushed:?}"
        );
        let next = found_with(true, |bits| bits + 1);
        assert!(!next.wrong.is_empty());
        // Where nothing is rounded, a normal number would be lost.
        let lost = found_with(false, |_| 0);
        assert!(!lost.wrong.is_empty(), "{lost:?}");
    }
}

/// The interpreter is another implementation of all that is asked.
#[test]
fn the_interpreter_gives_all_the_right_answers() {
    for class in CLASSES {
        let checks = checks::of(class);
        let kernels = class.kernels();
        for kernel in &kernels {
            valid::check(&kernel.program).expect("a valid program");
        }
        let groups = kernels.iter().zip(checks::groups(class));
        let asked = groups.flat_map(|(kernel, group)| {
            let numbers = 0..group.len() as u32;
            numbers
                .zip(group)
                .map(move |(number, check)| (kernel, number, check))
        });
        let operand = |bits: u64| match class {
            Class::Words => Value::U32(bits as u32),
            Class::F32 => Value::F32(f32::from_bits(bits as u32)),
            Class::Longs => Value::U64(bits),
            Class::F64 => Value::F64(f64::from_bits(bits)),
        };
        let mut answers = Vec::new();
        for (kernel, number, check) in asked {
            for case in &check.cases {
                let [x, y] = case.operands.map(operand);
                let args = [Value::U32(number), x, y];
                let outcome = eval::call(&kernel.program, kernel.map, &args, 1000);
                answers.push(match outcome.expect("no check traps").result {
                    Value::U32(bits) => u64::from(bits),
                    Value::U64(bits) => bits,
                    other => panic!("{other:?} are no bits"),
                });
            }
        }
        let mut found = Arithmetic::default();
        judge(&mut found, &checks, &answers);
        assert_eq!(found, Arithmetic::default());
    }
}

#[test]
fn findings_survive_a_file_and_nonsense_does_not() {
    let all = Arithmetic {
        remedies: Remedies::NONE
            .with(Remedy::TruncF64)
            .with(Remedy::HideOperands),
        flushes: vec!["f32"],
        contracts: vec!["f32", "f64"],
        ..Arithmetic::default()
    };
    assert_eq!(decode(encode(&all).as_bytes()), Some(all));
    for nonsense in [
        "",
        "remedies",
        "remedies 4294967295\n",
        "remedies 1\nflushes u8\n",
        "remedies 1\nloses f32\n",
        "\u{0}",
    ] {
        assert_eq!(decode(nonsense.as_bytes()), None, "{nonsense:?}");
    }
}

#[test]
fn what_is_wrong_with_one_device_is_not_said_of_another() {
    let info = UnitInfo {
        name: "GPU of a test".into(),
        kind: UnitKind::DiscreteGpu,
        api: "test".into(),
        driver: format!("{}", std::process::id()),
        memory_bytes: None,
        limits: Vec::new(),
    };
    let broken = || {
        let mut broken = Arithmetic::default();
        broken.wrong.push(Wrong {
            ty: "f32",
            operation: "+".into(),
            operands: [0, 0],
            expected: 0,
            found: 1,
        });
        Ok(broken)
    };
    let wrong = |place: &str, ask: &dyn Fn() -> Result<Arithmetic>| {
        let identity = DeviceIdentity::of(&info, place, "questions");
        !known_or(&identity, ask).unwrap().wrong.is_empty()
    };
    let sound = || Ok(Arithmetic::default());
    assert!(wrong("0000:3b:00.0", &broken));
    assert!(wrong("0000:3b:00.0", &sound), "it is not asked again");
    assert!(!wrong("0000:3c:00.0", &sound));
    // It may be a different device.
    assert!(wrong("", &broken));
    assert!(!wrong("", &sound));
}
