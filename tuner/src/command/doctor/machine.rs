//! What the system says of itself that matters to measurements.

/// What may disturb measurements, in sentences. `read` reads files of the system.
pub(super) fn disturbances(read: &dyn Fn(&str) -> Option<String>, threads: usize) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(load(read("/proc/loadavg").as_deref(), threads));
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    found.extend(clock(governor.as_deref()));
    found.extend(pressure(read("/proc/pressure/cpu").as_deref()));
    found
}

/// Other programs that run. The figure is that of the last minute.
fn load(loadavg: Option<&str>, threads: usize) -> Option<String> {
    let load: f64 = loadavg?.split_whitespace().next()?.parse().ok()?;
    // Ours is not among them yet.
    let busy = load > (threads as f64 / 8.0).max(0.5);
    busy.then(|| {
        format!("other programs use {load} of {threads} threads: measurements will be weak")
    })
}

/// A clock that changes with the load.
fn clock(governor: Option<&str>) -> Option<String> {
    let governor = governor?.trim();
    let steady = ["performance", ""].contains(&governor);
    (!steady).then(|| {
        let governor = crate::term::printable(governor);
        format!("the clock follows the load (governor `{governor}`): the first runs may be slow")
    })
}

/// Processes that are ready and wait for a core: because of others in the same container, or its quota.
fn pressure(file: Option<&str>) -> Option<String> {
    let some = file?.lines().find(|line| line.starts_with("some"))?;
    let percent = some
        .split_whitespace()
        .find_map(|word| word.strip_prefix("avg60="))?;
    let percent: f64 = percent.parse().ok()?;
    (percent > 10.0).then(|| format!("programs waited for a core {percent} % of the last minute"))
}

#[cfg(test)]
mod test {
    use super::*;

    fn on(load: &str, governor: &str, pressure: &str) -> Vec<String> {
        let read = |path: &str| {
            let text = match path {
                "/proc/loadavg" => load,
                "/proc/pressure/cpu" => pressure,
                _ => governor,
            };
            Some(text.to_string()).filter(|text| !text.is_empty())
        };
        disturbances(&read, 16)
    }

    #[test]
    fn a_quiet_machine_disturbs_nothing() {
        let pressure = "some avg10=0.00 avg60=1.25 avg300=0.00 total=0\nfull avg60=99\n";
        assert!(on("0.50 0.40 0.30 1/200 1234\n", "performance\n", pressure).is_empty());
        // Nor does one that is empty, or unknown.
        assert!(on("", "", "").is_empty());
        assert!(on("nonsense", "", "some\n").is_empty());
    }

    #[test]
    fn what_disturbs_is_said() {
        let pressure = "some avg10=0.00 avg60=42.50 avg300=0.00 total=0\n";
        let said = on("7.25 1 1 1/2 3", "powersave\n", pressure);
        assert_eq!(
            said,
            [
                "other programs use 7.25 of 16 threads: measurements will be weak",
                "the clock follows the load (governor `powersave`): the first runs may be slow",
                "programs waited for a core 42.5 % of the last minute",
            ]
        );
    }
}
