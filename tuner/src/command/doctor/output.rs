//! What was found, for people and for programs.

use super::{super::software, Findings};
use crate::term::{Style, printable};
use skel::{
    DeviceReport,
    model::{Fingerprint, UnitId, json::Json, store::layout},
    unit::UnitKind,
};
use std::fmt::Write;

impl Findings {
    pub(super) fn human(&self, style: Style) -> String {
        let mut text = String::new();
        let mut section = |title: &str, lines: Vec<String>| {
            text.push_str(&style.bold(title));
            text.push('\n');
            for line in lines {
                // Writing to a string does not fail.
                let _ = writeln!(text, "  {line}");
            }
        };
        section("machine", self.machine_lines());
        section("devices", self.device_lines());
        section(
            "compiler of CUDA kernels (NVRTC)",
            vec![self.compiler.clone()],
        );
        section("what runs where", self.what_runs_where());
        let places = self.places.iter().enumerate();
        let places = places.map(|(k, (place, found))| format!("{}. {place}: {found}", k + 1));
        section("models are looked for, in this order, in", places.collect());
        section(
            "journals and reports of programs that are measured from here",
            vec![self.journals.clone()],
        );
        if !self.settings.is_empty() {
            let settings = self.settings.iter();
            let settings =
                settings.map(|set| format!("{}={} ({})", set.name, set.value, set.understood));
            section("variables of the environment", settings.collect());
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "{}: {warning}", style.warn("warning"));
        }
        text
    }

    fn machine_lines(&self) -> Vec<String> {
        let Fingerprint { cpu, threads, .. } = &self.fingerprint;
        let folder = layout::machine_hash(cpu, *threads);
        vec![
            printable(&self.machine.to_string()),
            format!(
                "models of {}, {threads} threads (folder {folder})",
                printable(cpu)
            ),
        ]
    }

    fn device_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .devices
            .iter()
            .zip(ids(&self.devices))
            .map(|(device, id)| match id {
                Some(id) => printable(&format!("{device}, id {id}")),
                None => printable(&device.to_string()),
            })
            .collect();
        if lines.is_empty() {
            lines.push("none".into());
        }
        lines
    }

    /// Of calls that name no unit themselves.
    fn what_runs_where(&self) -> Vec<String> {
        let named = |name: &str| {
            let found = self.settings.iter().find(|set| set.name == name);
            found.map(|set| set.value.as_str())
        };
        if let Some(backend) = named("SKEL_BACKEND").filter(|value| *value != "auto") {
            return vec![format!(
                "all calls of the default context: {backend}, as SKEL_BACKEND says"
            )];
        }
        let software = named("SKEL_SOFTWARE_DEVICES").is_some_and(software::count);
        let usable = self.devices.iter().filter(|device| {
            device.index.is_some()
                && device.rejected.is_none()
                && (software || device.info.kind != UnitKind::SoftwareDevice)
        });
        let usable: Vec<String> = usable.map(|device| printable(&device.info.name)).collect();
        let units = match &usable[..] {
            [] => "the CPU alone: no device may be chosen unasked".into(),
            names => format!("the CPU and {}", names.join(", ")),
        };
        vec![
            "calls that name a unit (`.on(…)`): there".into(),
            format!("calls that are tuned, and `Hybrid::tuned()`: as their model says, on {units}"),
            "other calls: wherever they run best as far as is known without measuring".into(),
        ]
    }

    pub(super) fn json(&self) -> String {
        let pairs = |pairs: &[(String, String)], names: [&str; 2]| {
            Json::list(pairs.iter().map(|(a, b)| {
                Json::object([(names[0], a.as_str().into()), (names[1], b.as_str().into())])
            }))
        };
        let line = Json::object([
            ("reason", "doctor".into()),
            ("fingerprint", self.fingerprint.to_json()),
            (
                "devices",
                Json::list(self.devices.iter().zip(ids(&self.devices)).map(device_json)),
            ),
            ("nvrtc", self.compiler.as_str().into()),
            ("places", pairs(&self.places, ["place", "found"])),
            ("journals", self.journals.as_str().into()),
            (
                "settings",
                Json::list(self.settings.iter().map(|set| {
                    Json::object([
                        ("name", set.name.as_str().into()),
                        ("value", set.value.as_str().into()),
                        ("understood", set.understood.as_str().into()),
                    ])
                })),
            ),
            (
                "warnings",
                Json::list(self.warnings.iter().map(String::as_str)),
            ),
        ]);
        format!("{line}\n")
    }
}

/// The ids by which models know devices: none for those that are not used.
fn ids(devices: &[DeviceReport]) -> Vec<Option<UnitId>> {
    let called = |device: &DeviceReport, (api, name): (&str, &str)| {
        device.index.is_some()
            && (device.info.api.as_str(), device.info.name.as_str()) == (api, name)
    };
    let id = |(at, device): (usize, &DeviceReport)| {
        device.index?;
        let (api, name) = (device.info.api.as_str(), device.info.name.as_str());
        let before = devices[..at].iter().filter(|d| called(d, (api, name)));
        Some(UnitId::device(api, name, before.count()))
    };
    devices.iter().enumerate().map(id).collect()
}

fn device_json((device, id): (&DeviceReport, Option<UnitId>)) -> Json {
    let info = &device.info;
    let limits = info.limits.iter();
    let limits = limits.map(|(what, value)| {
        Json::object([("what", (*what).into()), ("value", value.as_str().into())])
    });
    Json::object([
        ("index", device.index.map_or(Json::Null, Json::from)),
        (
            "id",
            id.map_or(Json::Null, |id| id.to_string().as_str().into()),
        ),
        ("name", info.name.as_str().into()),
        ("kind", info.kind.to_string().into()),
        ("api", info.api.as_str().into()),
        ("driver", info.driver.as_str().into()),
        (
            "memory_bytes",
            info.memory_bytes.map_or(Json::Null, Json::from),
        ),
        ("limits", Json::list(limits)),
        (
            "rejected",
            device.rejected.as_deref().map_or(Json::Null, Json::from),
        ),
    ])
}
