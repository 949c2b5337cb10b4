//! Software devices, which take part only where that is asked for: what is said where they did not.

use crate::term::printable;
use skel::{
    model::{MachineModels, UnitId},
    unit::UnitKind,
};
use std::env;

/// The variable that makes them count.
const VARIABLE: &str = "SKEL_SOFTWARE_DEVICES";

/// Whether they count, by what the variable says: as the library reads it, which keeps its own reading to itself.
pub(super) fn count(value: &str) -> bool {
    matches!(value.trim(), "on" | "1")
}

/// What to say if a software device was left out. Devices are looked for only if one took no part.
pub(crate) fn left_out(models: &MachineModels) -> Option<String> {
    if env::var(VARIABLE).is_ok_and(|value| count(&value)) {
        return None;
    }
    note(models, || {
        let devices = skel::DefaultContext.get().devices().into_iter();
        devices.map(|d| (d.info.name, d.info.kind)).collect()
    })
}

fn note(models: &MachineModels, there: impl FnOnce() -> Vec<(String, UnitKind)>) -> Option<String> {
    let classes = models.instances.iter().flat_map(|i| &i.classes);
    let measured: Vec<&UnitId> = classes.flat_map(|c| &c.units).map(|u| &u.unit).collect();
    let devices = models.fingerprint.devices.iter();
    let idle: Vec<_> = devices.filter(|d| !measured.contains(&&d.id)).collect();
    if idle.is_empty() {
        return None;
    }
    let there = there();
    let is_software =
        |name: &str| (there.iter()).any(|(n, kind)| n == name && *kind == UnitKind::SoftwareDevice);
    let names = idle.iter().filter(|device| is_software(&device.name));
    let names: Vec<String> = names.map(|device| printable(&device.name)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} was left out: a software device computes on the CPU's own cores; with {VARIABLE}=1 before this \
             command and before the program, it counts like any other",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::predict::test::{class, instance};
    use skel::model::{DeviceFingerprint, Fingerprint};

    #[test]
    fn the_variable_is_read_as_the_library_reads_it() {
        let read = |value: &str| {
            let set = skel::setting::settings(&|name| (name == VARIABLE).then(|| value.into()));
            set.into_iter().next().expect("it is a variable")
        };
        // All that it takes, in the row's own words.
        let expected = read("on").info.expected;
        let taken: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        assert_eq!(taken, ["on", "off", "1", "0"]);
        for word in taken {
            for value in [word.to_string(), format!(" {word}\n")] {
                assert!(read(&value).problem.is_none(), "{value:?}");
                assert_eq!(count(&value), ["on", "1"].contains(&word), "{value:?}");
            }
        }
        for value in ["", "yes", "true", "On", "2", "1 1"] {
            assert!(!count(value), "{value:?}");
        }
    }

    #[test]
    fn a_software_device_that_took_no_part_is_named_with_the_way_to_include_it() {
        let id = |name: &str| UnitId::device("mock", name, 0);
        let models = |measured: &[(UnitId, f64, f64)]| MachineModels {
            fingerprint: Fingerprint {
                cpu: "Chip".into(),
                threads: 4,
                devices: ["soft", "real"]
                    .map(|name| DeviceFingerprint {
                        id: id(name),
                        name: name.into(),
                        driver: "1".into(),
                    })
                    .to_vec(),
            },
            transfers: Vec::new(),
            instances: vec![instance(vec![class(1 << 20, measured)])],
        };
        let there = || {
            let devices = [
                ("soft", UnitKind::SoftwareDevice),
                ("real", UnitKind::DiscreteGpu),
            ];
            devices.map(|(name, kind)| (name.into(), kind)).to_vec()
        };
        let cpu = (UnitId::Cpu, 1.0, 0.0);
        let said = note(&models(std::slice::from_ref(&cpu)), there).expect("it was left out");
        assert!(said.starts_with("soft was left out"), "{said}");
        assert!(said.contains("SKEL_SOFTWARE_DEVICES=1"), "{said}");
        let soft = (id("soft"), 1.0, 0.0);
        assert_eq!(note(&models(&[cpu.clone(), soft.clone()]), there), None);
        // Nothing is looked for where all took part.
        let all = models(&[cpu, soft, (id("real"), 1.0, 0.0)]);
        assert_eq!(note(&all, || panic!("looked")), None);
    }
}
