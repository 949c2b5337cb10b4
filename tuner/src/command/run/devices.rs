//! Which units `--device` means: a unit's id, a device's number or its name, as `doctor` shows them.

use crate::{
    exit::{Exit, Failure, Result},
    term::printable,
};
use skel::model::{DeviceFingerprint, UnitId};

/// The ids of what was asked for. Devices are looked for only if a number or a name has to be resolved.
pub(super) fn resolve(
    asked: &[String],
    there: impl FnOnce() -> Vec<DeviceFingerprint>,
) -> Result<Vec<String>> {
    // Whether a unit of such an id is there, the program knows best.
    let is_id = |text: &String| text.parse::<UnitId>().is_ok();
    if asked.iter().all(is_id) {
        return Ok(asked.to_vec());
    }
    let there = there();
    let id = |text: &String| match is_id(text) {
        true => Ok(text.clone()),
        false => of_device(text, &there).map(|id| id.to_string()),
    };
    asked.iter().map(id).collect()
}

fn of_device<'a>(text: &str, there: &'a [DeviceFingerprint]) -> Result<&'a UnitId> {
    let number = text.strip_prefix("device:").and_then(|n| n.parse().ok());
    let meant: Vec<&DeviceFingerprint> = match number {
        Some(number) => there.get::<usize>(number).into_iter().collect(),
        None => {
            let same = |d: &&DeviceFingerprint| d.name.eq_ignore_ascii_case(text.trim());
            there.iter().filter(same).collect()
        }
    };
    match &meant[..] {
        [device] => Ok(&device.id),
        [] => Err(refused("there is no unit", text, there)),
        _ => Err(refused("several devices are called", text, there)),
    }
}

fn refused(what: &str, text: &str, there: &[DeviceFingerprint]) -> Failure {
    let devices = there.iter().enumerate();
    let devices = devices.map(|(k, d)| format!("device:{k} ({})", d.id));
    let names = ["cpu".to_string(), "seq".into()].into_iter().chain(devices);
    let names = names.collect::<Vec<_>>().join(", ");
    let failure = Failure::new(Exit::Device, format!("{what} `{}`", printable(text)));
    failure.fix(format!(
        "expected one of {}; `cargo tune doctor` says why others are not used",
        printable(&names)
    ))
}

#[cfg(test)]
mod test {
    use super::*;

    fn device(name: &str, k: usize) -> DeviceFingerprint {
        DeviceFingerprint {
            id: UnitId::device("mock", name, k),
            name: name.into(),
            driver: "1".into(),
        }
    }

    fn resolved(asked: &[&str]) -> Result<Vec<String>> {
        let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
        resolve(&asked, || {
            vec![device("a", 0), device("Big One", 0), device("a", 1)]
        })
    }

    #[test]
    fn numbers_names_and_ids_are_the_same_device() {
        let same = ["device:1", "Big One", "big one", "mock:Big One#0"];
        for text in same {
            assert_eq!(resolved(&[text]), Ok(vec!["mock:Big One#0".into()]));
        }
        let several = resolved(&["cpu", "device:2", "other:x#3"]);
        let ids = ["cpu", "mock:a#1", "other:x#3"].map(String::from);
        assert_eq!(several, Ok(ids.to_vec()));
    }

    #[test]
    fn ids_need_no_look_at_devices() {
        let ids = ["seq".to_string(), "mock:b#0".into()];
        let looked = resolve(&ids, || panic!("looked for devices"));
        assert_eq!(looked, Ok(ids.to_vec()));
    }

    #[test]
    fn what_is_not_there_or_not_clear_is_refused_with_the_names() {
        for text in ["device:3", "gpu", "a", "device:-1", "Big"] {
            let failure = resolved(&[text]).unwrap_err();
            assert_eq!(failure.exit, Exit::Device);
            let said = failure.to_string();
            assert!(said.contains(&format!("`{text}`")), "{said}");
            assert!(said.contains("cpu, seq, device:0 (mock:a#0)"), "{said}");
        }
    }
}
