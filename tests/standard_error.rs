//! Nothing is printed on a program's standard error but by the program.

use skel::prelude::*;
use std::{env, process::Command};

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
    program.args(["--exact", "program", "--nocapture", "--test-threads=1"]);
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
