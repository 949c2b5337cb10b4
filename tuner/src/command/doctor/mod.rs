//! `cargo tune doctor`: what there is, where models are looked for, and what may disturb measurements.

mod machine;

use super::{
    MessageFormat,
    here::{Here, Said, shown},
};
use crate::{
    Machine,
    exit::{Exit, Result},
    term::{Style, printable},
};
use clap::Args;
use skel::{
    DeviceReport,
    model::{
        Fingerprint, TuningFile,
        json::Json,
        store::{Folder, Place, Store, StoreError, layout},
    },
    unit::UnitKind,
};
use std::{ffi::OsString, fmt::Write, path::Path};

/// Say what there is: devices, drivers, where models are looked for, what may disturb measurements
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DoctorOptions {
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// What was found.
struct Findings {
    machine: Machine,
    /// What models are filed under.
    fingerprint: Fingerprint,
    devices: Vec<DeviceReport>,
    compiler: String,
    places: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    /// What may make measurements worse, or models useless.
    warnings: Vec<String>,
}

/// Says it.
pub(super) fn run(options: &DoctorOptions, here: &Here<'_>, style: Style) -> Result<Said> {
    let machine = Machine::this();
    let mut warnings =
        machine::disturbances(&|path| std::fs::read_to_string(path).ok(), machine.threads);
    let devices = skel::devices();
    let findings = Findings {
        compiler: compiler(),
        places: places(here, &mut warnings),
        settings: settings(here.variable, &mut warnings),
        fingerprint: (here.machine)(),
        machine,
        devices,
        warnings,
    };
    let text = match options.message_format {
        MessageFormat::Json => findings.json(),
        MessageFormat::Human => findings.human(style),
    };
    let exit = Exit::Ok;
    Ok(Said { text, exit })
}

/// The compiler of CUDA kernels.
fn compiler() -> String {
    match skel::cuda::nvrtc::Nvrtc::find() {
        Ok(nvrtc) => {
            let ((major, minor), path) = (nvrtc.version(), shown(nvrtc.path()));
            format!("CUDA {major}.{minor}, {path}")
        }
        Err(error) => printable(&error.to_string()),
    }
}

/// Where models are looked for, in order, and what is there.
fn places(here: &Here<'_>, warnings: &mut Vec<String>) -> Vec<(String, String)> {
    let store = Store::new(here.variable, None);
    let mut places = Vec::new();
    let mut named = false;
    for place in store.places() {
        let shown = printable(&place.to_string());
        let found = match &place {
            Place::Named(path) => {
                named = true;
                of_file(path, warnings)
            }
            Place::Embedded => continue,
            Place::Folder(_) => of_folder(store.folder(), warnings),
        };
        places.push((shown, found));
    }
    if !named {
        places.insert(0, ("SKEL_TUNE_FILE".into(), "not set".into()));
    }
    let embedded = "a file in the program itself";
    places.insert(1, (embedded.into(), "if it has one".into()));
    if let Err(error) = store.folder() {
        places.push(("the user's folder of models".into(), error.to_string()));
    }
    places
}

fn of_file(path: &Path, warnings: &mut Vec<String>) -> String {
    match layout::read(path) {
        Ok(file) => said(&file),
        Err(error) => {
            let error = printable(&error.to_string());
            warnings.push(format!("SKEL_TUNE_FILE is of no use: {error}"));
            "cannot be read".into()
        }
    }
}

fn said(file: &TuningFile) -> String {
    let instances: usize = file.machines.iter().map(|m| m.instances.len()).sum();
    let machines = file.machines.len();
    format!("{instances} instances on {machines} machines")
}

fn of_folder(
    folder: std::result::Result<&Folder, StoreError>,
    warnings: &mut Vec<String>,
) -> String {
    let files = match folder.and_then(Folder::files) {
        Ok(files) => files,
        Err(error) => {
            warnings.push(printable(&error.to_string()));
            return "cannot be read".into();
        }
    };
    let broken = files.iter().filter(|entry| entry.file.is_err()).count();
    if broken > 0 {
        warnings.push(format!(
            "{broken} of the saved models cannot be read: `cargo tune clear --stale` removes them"
        ));
    }
    match files.len() {
        0 => "nothing yet".into(),
        n => format!("{n} instances"),
    }
}

/// Variables that change what runs where.
const SETTINGS: [&str; 13] = [
    "SKEL_BACKEND",
    "SKEL_SOFTWARE_DEVICES",
    "SKEL_CUDA",
    "SKEL_NVRTC",
    "SKEL_DEVICE_MEMORY_BYTES",
    "SKEL_WATCHDOG_MS",
    "SKEL_TUNE",
    "SKEL_TUNE_FILE",
    "SKEL_CACHE",
    "SKEL_CACHE_DIR",
    "SKEL_DUMP",
    "SKEL_TRACE",
    "RAYON_NUM_THREADS",
];

fn settings(
    variable: &dyn Fn(&str) -> Option<OsString>,
    warnings: &mut Vec<String>,
) -> Vec<(String, String)> {
    let set = |name: &&str| {
        let value = variable(name).filter(|value| !value.is_empty())?;
        Some(((*name).to_string(), printable(&value.to_string_lossy())))
    };
    let settings: Vec<(String, String)> = SETTINGS.iter().filter_map(set).collect();
    for (name, value) in &settings {
        match name.as_str() {
            "SKEL_BACKEND" if value != "auto" => warnings.push(format!(
                "SKEL_BACKEND={value} overrides what models and programs say"
            )),
            "SKEL_TUNE" => warnings.push(format!(
                "SKEL_TUNE={value} makes every program that uses skel measure its calls"
            )),
            _ => {}
        }
    }
    settings
}

impl Findings {
    fn human(&self, style: Style) -> String {
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
        if !self.settings.is_empty() {
            let settings = self.settings.iter();
            let settings = settings.map(|(name, value)| format!("{name}={value}"));
            section("settings", settings.collect());
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
            .map(|d| printable(&d.to_string()))
            .collect();
        if lines.is_empty() {
            lines.push("none".into());
        }
        lines
    }

    /// Of calls that name no unit themselves.
    fn what_runs_where(&self) -> Vec<String> {
        let named = |name: &str| {
            let found = self.settings.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str())
        };
        if let Some(backend) = named("SKEL_BACKEND").filter(|value| *value != "auto") {
            return vec![format!(
                "all calls of the default context: {backend}, as SKEL_BACKEND says"
            )];
        }
        let software = named("SKEL_SOFTWARE_DEVICES") == Some("1");
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

    fn json(&self) -> String {
        let pairs = |pairs: &[(String, String)], names: [&str; 2]| {
            Json::list(pairs.iter().map(|(a, b)| {
                Json::object([(names[0], a.as_str().into()), (names[1], b.as_str().into())])
            }))
        };
        let line = Json::object([
            ("reason", "doctor".into()),
            ("fingerprint", self.fingerprint.to_json()),
            ("devices", Json::list(self.devices.iter().map(device_json))),
            ("nvrtc", self.compiler.as_str().into()),
            ("places", pairs(&self.places, ["place", "found"])),
            ("settings", pairs(&self.settings, ["name", "value"])),
            (
                "warnings",
                Json::list(self.warnings.iter().map(String::as_str)),
            ),
        ]);
        format!("{line}\n")
    }
}

fn device_json(device: &DeviceReport) -> Json {
    let info = &device.info;
    let limits = info.limits.iter();
    let limits = limits.map(|(what, value)| {
        Json::object([("what", (*what).into()), ("value", value.as_str().into())])
    });
    Json::object([
        ("index", device.index.map_or(Json::Null, Json::from)),
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

#[cfg(test)]
mod test {
    use super::{super::here::test::Site, *};

    fn warned(site: &Site) -> (Vec<(String, String)>, Vec<String>) {
        let mut warnings = Vec::new();
        let places = places(&site.here(), &mut warnings);
        (places, warnings)
    }

    #[test]
    fn places_stand_in_the_order_in_which_they_are_looked_into() {
        let site = Site::with(&["app::dot", "app::blur"]);
        let (places, warnings) = warned(&site);
        let found: Vec<&str> = places.iter().map(|(_, found)| found.as_str()).collect();
        assert_eq!(found, ["not set", "if it has one", "2 instances"]);
        assert!(places[2].0.ends_with("tune/v1"), "{places:?}");
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn files_of_no_use_are_warned_of() {
        let mut site = Site::with(&[]);
        let named = site.folder.path().join("named.json");
        site.set("SKEL_TUNE_FILE", named.to_str().unwrap());
        let (places, warnings) = warned(&site);
        assert_eq!(places[0].1, "cannot be read");
        assert!(
            warnings[0].contains("SKEL_TUNE_FILE is of no use"),
            "{warnings:?}"
        );
        site.set("SKEL_CACHE", "off");
        let (places, _) = warned(&site);
        assert!(places[2].1.contains("SKEL_CACHE is `off`"), "{places:?}");
    }

    #[test]
    fn settings_that_decide_more_than_models_are_warned_of() {
        let mut site = Site::with(&[]);
        site.set("SKEL_BACKEND", "cpu");
        site.set("SKEL_TUNE", "run");
        let mut warnings = Vec::new();
        let settings = settings(site.here().variable, &mut warnings);
        assert_eq!(settings[0], ("SKEL_BACKEND".into(), "cpu".into()));
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }

    #[test]
    fn all_of_it_is_said_in_both_forms() {
        let site = Site::with(&["app::dot"]);
        let said = |message_format| {
            let options = DoctorOptions { message_format };
            run(&options, &site.here(), Style::PLAIN).unwrap().text
        };
        let human = said(MessageFormat::Human);
        for title in [
            "machine\n",
            "devices\n",
            "what runs where\n",
            "models are looked for",
        ] {
            assert!(human.contains(title), "{human}");
        }
        assert!(
            human.contains("\n  models of Chip, 4 threads (folder "),
            "{human}"
        );
        assert!(!human.contains('\u{1b}'), "{human}");
        let json: serde_json::Value = serde_json::from_str(&said(MessageFormat::Json)).unwrap();
        assert_eq!(json["reason"], "doctor");
        assert_eq!(json["fingerprint"]["threads"], 4);
        assert_eq!(json["places"].as_array().unwrap().len(), 3);
    }
}
