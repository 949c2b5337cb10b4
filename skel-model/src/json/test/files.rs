//! Tuning files: what comes back, and what is refused.

use crate::json::test::*;

fn misfit(text: &str) -> String {
    match TuningFile::from_text(text.as_bytes()) {
        Err(error) => error.to_string(),
        Ok(file) => panic!("taken: {file:?}"),
    }
}

/// The sample file with its first `from` made `to`.
fn changed(from: &str, to: &str) -> String {
    let text = sample_file().to_json().to_string();
    assert!(text.contains(from), "{from} is not in {text}");
    text.replacen(from, to, 1)
}

#[test]
fn a_file_comes_back_as_it_was() {
    let file = sample_file();
    assert_eq!(
        TuningFile::from_text(file.to_text().as_bytes()),
        Ok(file.clone())
    );
    assert_eq!(TuningFile::from_json(&file.to_json()), Ok(file));
}

#[test]
fn a_text_with_nothing_in_it_has_no_models() {
    for text in ["", " \n", "{}", "{ }\n"] {
        let file = TuningFile::from_text(text.as_bytes()).unwrap();
        assert!(file.machines.is_empty(), "{text:?}");
    }
    // An object that says something says of which schema it is.
    assert!(misfit(r#"{"machines":[]}"#).contains("`schema`"));
    assert!(TuningFile::from_json(&Json::parse(b"{}").unwrap()).is_err());
}

#[test]
fn every_reason_comes_back() {
    use Reason::*;
    for reason in [
        FewSamples,
        Residuals,
        Slope,
        Drift,
        Busy,
        Budget,
        WrongResult,
    ] {
        let quality = Quality::Weak(reason);
        let mut file = sample_file();
        file.machines[0].instances[0].classes[0].quality = quality;
        let read = TuningFile::from_json(&file.to_json()).unwrap();
        assert_eq!(read.machines[0].instances[0].classes[0].quality, quality);
    }
}

#[test]
fn statistics_that_are_infinite_are_written_as_very_large() {
    let mut file = sample_file();
    let fit = &mut file.machines[0].instances[0].classes[0].units[0].fit;
    fit.slope_ci = (f64::NEG_INFINITY, f64::INFINITY);
    fit.r2 = f64::NEG_INFINITY;
    let read = TuningFile::from_text(file.to_text().as_bytes()).unwrap();
    let fit = &read.machines[0].instances[0].classes[0].units[0].fit;
    assert_eq!((fit.slope_ci, fit.r2), ((-1e18, 1e18), -1e18));
}

#[test]
fn other_majors_are_refused_and_other_minors_are_not() {
    for schema in [
        "skel.tune/2",
        "skel.tune/10",
        "skel.tune",
        "",
        "skel.tune/1x",
    ] {
        let text = changed("skel.tune/1", schema);
        let error = TuningFile::from_text(text.as_bytes()).unwrap_err();
        assert!(matches!(error, Malformed::Schema { .. }), "{error}");
    }
    let newer = changed("skel.tune/1", "skel.tune/1.3");
    // Which may say more, anywhere.
    let newer = newer.replacen("\"threads\":16", "\"threads\":16,\"sockets\":[2,null]", 1);
    assert_eq!(TuningFile::from_text(newer.as_bytes()), Ok(sample_file()));
}

#[test]
fn the_error_says_where() {
    assert_eq!(
        misfit(&changed("\"median_ns\":1500.0", "\"median_ns\":-1500.0")),
        "machines[0].instances[0].classes[0].units[0].samples[0].median_ns: \
         expected a number from 0.0 to 1e18, found -1500.0"
    );
    assert_eq!(
        misfit(&changed("[\"cpu\",0.3]", "[\"cpu\",7]")),
        "machines[0].instances[0].chain[0].shares[0][1]: expected a number from 0.0 to 1.0, found 7"
    );
    assert_eq!(
        misfit(&changed("\"threads\":16,", "")),
        "machines[0].fingerprint: expected a field `threads`, found none"
    );
    assert_eq!(
        misfit("[]"),
        "the whole text: expected an object, found a list of 0"
    );
}

#[test]
fn numbers_out_of_range_are_refused() {
    let wrong = [
        ("\"up_latency_ns\":9000.0", "\"up_latency_ns\":1e308"),
        ("\"up_latency_ns\":9000.0", "\"up_latency_ns\":null"),
        ("\"up_ns_per_byte\":0.018", "\"up_ns_per_byte\":-0.018"),
        ("\"threads\":16", "\"threads\":-1"),
        ("\"threads\":16", "\"threads\":1.5"),
        ("\"threads\":16", "\"threads\":1e3"),
        ("\"threads\":16", "\"threads\":18446744073709551616"),
        ("\"runs\":9", "\"runs\":4294967296"),
        ("\"slope_ns\":0.3333333333333333", "\"slope_ns\":-0.3"),
        ("\"last_slope_ns\":", "\"last_slope_ns\":-"),
        ("\"points\":[[0.0,", "\"points\":[[1.0,"),
        ("\"points\":[[0.0,", "\"points\":[[0.0,1.0],[0.0,"),
        ("\"points\":[[0.0,", "\"points\":[[0.0,1e10],[1.0,"),
        (
            "\"split_overhead_ns\":2500.0",
            "\"split_overhead_ns\":\"2500\"",
        ),
        ("\"read_back\":0.125", "\"read_back\":1.125"),
        ("[\"cpu\",0.3]", "[\"cpu\",-0.3]"),
        ("[\"cpu\",0.3]", "[\"cpu\",1.0]"),
        ("[\"cpu\",0.3],", ""),
        ("[\"cpu\",0.3],", "[\"cpu\",0.3],[\"cpu\",0.0],"),
        ("[\"cpu\",0.3]", "[\"gpu\",0.3]"),
        ("[\"cpu\",0.3]", "[\"cpu\",0.3,1]"),
        ("\"unit\":\"seq\"", "\"unit\":\"\""),
        ("\"hash\":\"ff", "\"hash\":\"+f"),
        ("\"hash\":\"ff", "\"hash\":\"f"),
        ("\"quality\":\"weak: busy\"", "\"quality\":\"perfect\""),
        ("\"quality\":\"good\"", "\"quality\":\"weak: \""),
        ("\"r2\":-0.5", "\"r2\":1.5"),
        ("\"lanes\":128", "\"lanes\":-1"),
        ("\"lanes\":128", "\"lanes\":4294967296"),
        ("\"elems_per_lane\":4294967295", "\"elems_per_lane\":1.5"),
    ];
    for (from, to) in wrong {
        let text = changed(from, to);
        let error = TuningFile::from_text(text.as_bytes());
        assert!(
            matches!(error, Err(Malformed::Misfit { .. })),
            "{to}: {error:?}"
        );
    }
    // Whole numbers are numbers, too.
    assert!(TuningFile::from_text(changed("9000.0", "9000").as_bytes()).is_ok());
}

#[test]
fn no_field_may_be_missing_but_those_that_may_be_nothing() {
    let whole = sample_file().to_json();
    let mut tried = 0;
    without_each_field(&whole, &mut |changed, name| {
        tried += 1;
        let read = TuningFile::from_json(&changed);
        let may = matches!(name, "best" | "block");
        assert_eq!(read.is_ok(), may, "without {name}: {read:?}");
    });
    assert!(tried > 100, "{tried}");
}

/// The value without one of its fields, for each of them at any depth.
fn without_each_field(json: &Json, then: &mut dyn FnMut(Json, &str)) {
    match json {
        Json::List(entries) => {
            for k in 0..entries.len() {
                without_each_field(&entries[k], &mut |changed, name| {
                    let mut copy = entries.clone();
                    copy[k] = changed;
                    then(Json::List(copy), name);
                });
            }
        }
        Json::Object(fields) => {
            for k in 0..fields.len() {
                let mut copy = fields.clone();
                let (name, _) = copy.remove(k);
                then(Json::Object(copy), &name);
                without_each_field(&fields[k].1, &mut |changed, name| {
                    let mut copy = fields.clone();
                    copy[k].1 = changed;
                    then(Json::Object(copy), name);
                });
            }
        }
        _ => {}
    }
}

#[test]
fn a_file_of_many_entries_is_refused() {
    let machine = sample_file().machines.remove(0);
    let key = machine.fingerprint.devices[0].to_json().to_string();
    let devices = vec![key; 1_000].join(",");
    let text = changed("\"devices\":[", &format!("\"devices\":[{devices},"));
    assert_eq!(
        misfit(&text),
        "machines[0].fingerprint.devices: expected at most 256 entries, found 1001"
    );
}

fn positive() -> impl Strategy<Value = f64> {
    // All magnitudes, not only those near 10^18.
    prop_oneof![
        Just(0.0),
        (-300.0..18.0).prop_map(|log: f64| 10_f64.powf(log).min(1e18))
    ]
}

proptest! {
    #[test]
    fn all_numbers_come_back(
        times in prop::collection::vec(positive(), 4),
        points in prop::collection::vec((0.0..1e19, positive()), 1..6),
        signed in -1e18..1e18,
        cpu in 0.0..=1.0,
        sizes in prop::array::uniform3(any::<u64>()),
        hash in any::<u128>(),
        texts in prop::array::uniform4(".{0,20}"),
        units in (0..4_usize, "[^:]{1,8}", ".{0,8}"),
    ) {
        let mut file = sample_file();
        let machine = &mut file.machines[0];
        let [tool, cpu_name, name, driver] = texts;
        file.tool = tool;
        machine.fingerprint.cpu = cpu_name;
        let unit = UnitId::device(&units.1, &units.2, units.0);
        machine.fingerprint.devices[0].id = unit.clone();
        machine.fingerprint.devices[0].driver = driver;
        machine.transfers[0].0 = unit.clone();
        machine.transfers[0].1.up_ns_per_byte = times[0];
        let instance = &mut machine.instances[0];
        instance.key.name = name;
        instance.key.hash = hash;
        instance.seed = sizes[0];
        instance.drift = signed;
        instance.chain[0].shares = vec![(UnitId::Cpu, cpu), (unit, 1.0 - cpu)];
        let class = &mut instance.classes[0];
        class.elems = sizes[1] as usize;
        class.units[0].fit.curve = Curve::through(&points);
        class.units[0].fit.slope_ns = times[1];
        class.units[0].fit.slope_ci = (-times[2], signed);
        class.units[0].samples[0].median_ns = times[3];
        // A curve's last slope may be steeper than what is read.
        prop_assume!(class.units[0].fit.curve.last_slope_ns() <= 1e18);
        let read = TuningFile::from_text(file.to_text().as_bytes());
        prop_assert_eq!(read, Ok(file));
    }
}
