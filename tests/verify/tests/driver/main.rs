//! The CUDA driver on the CPU does what CUDA promises, and no more than that.

#[cfg(target_os = "linux")]
mod basics;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod gpu;
#[cfg(target_os = "linux")]
mod order;

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("skipped: the CUDA driver on the CPU is for Linux");
}

#[cfg(target_os = "linux")]
fn main() {
    use libtest_mimic::{Arguments, Trial};
    use skel_verify::driver;

    let mut arguments = Arguments::from_args();
    // Seeds and faults are the whole driver's.
    arguments.test_threads = Some(1);
    let missing = driver::missing();
    if let Some(reason) = missing {
        eprintln!("skipped: {reason}");
    } else {
        let driver = driver::install().expect("CUDA is not open yet");
        driver.set("SKEL_SHIM_DEVICES", "2");
        driver.set("SKEL_SHIM_MEMORY", "16777216");
    }
    let all = [basics::TESTS, order::TESTS, faults::TESTS].concat();
    let trials = all.into_iter().map(|(name, run)| {
        let run = move || {
            let driver = driver::install().expect("it has been installed");
            driver.unset("SKEL_SHIM_EAGER");
            driver.set("SKEL_SHIM_SEED", "0");
            driver.fail_no_more();
            run(driver);
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(missing.is_some())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

#[cfg(target_os = "linux")]
type Test = (&'static str, fn(skel_verify::driver::Driver));
