//! Nothing is printed on a program's standard error but by the program.

use skel::{
    Context,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::{
    env,
    process::{Command, Stdio},
    time::Duration,
};

/// Says that this process is the program.
const CHILD: &str = "TEST_STANDARD_ERROR_CHILD";

/// Looks for devices, computes, and is silent.
#[test]
fn program() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let devices = skel::devices();
    let double = map!(|x: u32| 2 * x);
    let mut targets = vec![Target::Auto, Cpu.into()];
    targets.extend(
        devices
            .iter()
            .filter_map(|d| d.index)
            .map(|i| Device(i).into()),
    );
    for target in targets {
        let doubled = double.clone().on(target).run((&[1, 2, 3],)).unwrap();
        assert_eq!(doubled.host().unwrap()[..], [2, 4, 6]);
    }
}

/// Mesa complains where it looks for a display's server, and nothing says where that is.
#[test]
fn drivers_print_nothing_before_the_program_does() {
    let mut program = Command::new(env::current_exe().unwrap());
    program.args([
        "--exact",
        "standard_error::program",
        "--nocapture",
        "--test-threads=1",
    ]);
    program.env(CHILD, "1");
    for variable in ["XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "DISPLAY"] {
        program.env_remove(variable);
    }
    let output = program.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// A program whose devices give it something to say: one hangs, one compiles for too long, and there is none.
#[test]
fn talkative_program() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let gate = Gate::new();
    let hangs = Mock::named("hangs").waits(Operation::Launch, 1, &gate);
    let compiles = Mock::named("compiles").compiles_behind(1, &gate);
    let builder = |mock: Mock| Context::builder().unit(mock.unit().unwrap());
    let contexts = [
        builder(hangs).watchdog(Duration::from_millis(50)),
        builder(compiles).compile_budget(Duration::from_millis(1)),
        Context::builder(),
    ];
    for context in contexts.map(|builder| builder.build().unwrap()) {
        let double = map!(|x: u32| 2 * x).within(context);
        let mut doubled = [0; 4];
        let hybrid = double.on(Hybrid::ratio(0.5));
        hybrid.run_into((&[1, 2, 3, 4],), &mut doubled[..]).unwrap();
        assert_eq!(doubled, [2, 4, 6, 8]);
    }
    gate.open();
}

/// The pipe is not read, and the program computes.
#[test]
fn a_closed_standard_error_changes_nothing() {
    let mut program = Command::new(env::current_exe().unwrap());
    program.args([
        "--exact",
        "standard_error::talkative_program",
        "--nocapture",
        "--test-threads=1",
    ]);
    program.env(CHILD, "1").stdout(Stdio::piped());
    let mut child = program.stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}
