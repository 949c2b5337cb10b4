//! What is said of a machine of its own.

use super::{super::environment::test::Site, *};

fn warned(site: &Site) -> (Vec<(String, String)>, Vec<String>) {
    let mut warnings = Vec::new();
    let places = places::places(&site.here(), &mut warnings);
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
    let settings = settings(site.here().variable, &[], &mut warnings);
    assert_eq!(
        (settings[0].name.as_str(), settings[0].value.as_str()),
        ("SKEL_BACKEND", "cpu")
    );
    assert!(settings[0].understood.starts_with("understood: "));
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

#[test]
fn what_is_not_understood_is_said_of_every_variable() {
    let mut site = Site::with(&[]);
    for (name, value) in [
        ("SKEL_CUDA_STREAMS", "many"),
        ("SKEL_CACHE", "none"),
        ("SKEL_WATCHDOG_MS", "2s"),
    ] {
        site.set(name, value);
    }
    let (mut warnings, slips) = (Vec::new(), ["SKEL_BAKCEND".to_string()]);
    let settings = settings(site.here().variable, &slips, &mut warnings);
    let said: Vec<(&str, bool)> = settings
        .iter()
        .map(|set| (set.name.as_str(), set.understood.starts_with("understood")))
        .filter(|(_, understood)| !understood)
        .collect();
    let expected = ["SKEL_WATCHDOG_MS", "SKEL_CUDA_STREAMS", "SKEL_CACHE"];
    assert_eq!(said, expected.map(|name| (name, false)));
    for (warning, part) in
        warnings
            .iter()
            .zip(["is `2s`", "is `many`", "is `none`", "SKEL_BAKCEND"])
    {
        assert!(warning.contains(part), "{warnings:?}");
    }
    assert_eq!(warnings.len(), 4, "{warnings:?}");
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
        "journals and reports of programs",
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
    let journals = std::path::Path::new(json["journals"].as_str().unwrap());
    assert!(journals.is_absolute() && journals.ends_with("tune"));
}

/// What a device was found to compute wrongly stands beside it.
#[test]
fn types_that_a_device_computes_wrongly_are_said_in_both_forms() {
    let found = skel::webgpu::enumerate().into_iter();
    let mut usable = found.filter(|device| device.rejected.is_none());
    let Some(found) = usable.next() else {
        let test = "types_that_a_device_computes_wrongly_are_said_in_both_forms";
        let reason = "no device that wgpu reaches (Debian: mesa-vulkan-drivers)";
        let line = format!("skipped: {test}: {reason}\n");
        std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
        return;
    };
    let options = skel::webgpu::Options {
        found_wrong: Some(("f16", "as f32")),
        ..skel::webgpu::Options::default()
    };
    let device = skel::webgpu::open_with(&found, options).unwrap();
    let unit = skel::unit::DeviceUnit::new(device).unwrap();
    let context = skel::Context::builder().unit(unit).build().unwrap();
    let site = Site::with(&[]);
    let findings = Findings {
        machine: Machine::this(),
        fingerprint: (site.here().machine)(),
        devices: context.devices(),
        compiler: String::new(),
        places: Vec::new(),
        journals: String::new(),
        settings: Vec::new(),
        warnings: Vec::new(),
    };
    let said = "`f16` not used: `as f32` of `f16` is wrong (of 0x";
    let human = findings.human(Style::PLAIN);
    assert!(human.contains(said), "{human}");
    let json: serde_json::Value = serde_json::from_str(&findings.json()).unwrap();
    let limits = json["devices"][0]["limits"].as_array().unwrap();
    let arithmetic = limits.iter().find(|limit| limit["what"] == "arithmetic");
    let value = arithmetic.unwrap()["value"].as_str().unwrap();
    assert!(value.contains(said), "{value}");
}
