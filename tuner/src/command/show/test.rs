//! What is shown of models on a machine of their own.

use super::{
    super::environment::test::{Site, file, machine},
    *,
};

fn said(options: &ShowOptions, site: &Site) -> CommandOutput {
    run(options, &site.here(), Style::PLAIN).unwrap()
}

#[test]
fn an_instance_has_its_coefficients_and_ratios() {
    let site = Site::with(&["app::dot\u{1b}[31m"]);
    let CommandOutput { text, exit } = said(&ShowOptions::default(), &site);
    assert_eq!(exit, Exit::Ok);
    assert!(text.starts_with("Chip, 4 threads\n  in "), "{text}");
    for line in [
        "  with mock:a#0, driver 1.0\n",
        "  mock:a#0: up 9.00 µs and 50.0 GB/s, down 11.0 µs and 25.0 GB/s\n",
        "app::dot\\u{1b}[31m MapReduce f32\n",
        "  measured 2000-02-29 00:00 UTC, seed 7, drift 1 %; 50 % of what it writes is read by the host next\n",
        "  1 Mi elements: good\n",
        "measured fastest: cpu 25 % + mock:a#0 75 %\n",
        "  chosen together with other calls, 1 Mi elements: mock:a#0\n",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    // 3n = n + 30 µs at 15 Ki elements; a quarter of a million takes the CPU 18 % of the time.
    let rows: Vec<&str> = text.lines().map(str::trim).collect();
    let row = |elems: &str| {
        let found = rows
            .iter()
            .find(|row| row.starts_with(elems) && row.contains('×'));
        found
            .unwrap_or_else(|| panic!("{elems}: {text}"))
            .to_string()
    };
    assert!(row("256 Ki").contains("cpu 28 % + mock:a#0 72 %"), "{text}");
    assert!(row("4 Mi").ends_with("extrapolated"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn points_are_shown_on_demand() {
    let mut models = machine(&["app::dot"]);
    let unit = &mut models.instances[0].classes[0].units[0];
    unit.samples = vec![skel::model::Sample {
        elems: 1000,
        median_ns: 3030.0,
        mad_ns: 12.0,
        runs: 9,
    }];
    let site = Site::with(&[]);
    let path = site.file("a.json", &file(vec![models]).to_text());
    let mut options = ShowOptions {
        files: vec![path],
        ..ShowOptions::default()
    };
    let point = "1000      3.03 µs  12.0 ns     9         +1.0 %";
    assert!(!said(&options, &site).text.contains(point));
    options.raw = true;
    let text = said(&options, &site).text;
    assert!(text.contains(point), "{text}");
}

#[test]
fn names_choose() {
    let site = Site::with(&["app::dot", "app::blur"]);
    let with = |filter: &str| {
        let options = ShowOptions {
            filter: vec![filter.into()],
            message_format: MessageFormat::Json,
            ..ShowOptions::default()
        };
        run(&options, &site.here(), Style::PLAIN)
    };
    assert_eq!(with("app").unwrap().text.lines().count(), 2);
    let text = with("dot").unwrap().text;
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["model"]["key"]["name"], "app::dot");
    assert_eq!(json["fingerprint"]["threads"], 4);
    assert_eq!(with("scan").unwrap_err().exit, Exit::NothingTunable);
}

#[test]
fn how_a_device_launches_is_said_where_it_is_not_the_usual_way() {
    let site = Site::with(&[]);
    let mut models = super::super::environment::test::machine(&["app::dot", "app::blur"]);
    let gpu = &mut models.instances[1].classes[0].units[1];
    gpu.block = Some(skel::unit::BlockConfig {
        lanes: 128,
        elems_per_lane: 4,
    });
    let path = site.file(
        "b.json",
        &super::super::environment::test::file(vec![models]).to_text(),
    );
    let options = ShowOptions {
        files: vec![path],
        ..ShowOptions::default()
    };
    let text = said(&options, &site).text;
    let line = "\n    mock:a#0 is the fastest in work-groups of 128 lanes, 4 elements each\n";
    assert_eq!(text.matches(line).count(), 1, "{text}");
    let (dot, blur) = text.split_once("app::blur").expect("both");
    assert!(
        blur.contains(line) && !dot.contains("work-groups"),
        "{text}"
    );
    let json = ShowOptions {
        message_format: MessageFormat::Json,
        ..options
    };
    let text = said(&json, &site).text;
    assert!(
        text.contains(r#""block":{"lanes":128,"elems_per_lane":4}"#),
        "{text}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_said_and_fails_alone() {
    let site = Site::with(&["app::dot"]);
    let broken = site.file("broken.json", "{\"schema\": 1");
    let good = site.saved().remove(0);
    let options = |files: &[&PathBuf]| ShowOptions {
        files: files.iter().map(|path| path.to_path_buf()).collect(),
        ..ShowOptions::default()
    };
    let alone = said(&options(&[&broken]), &site);
    assert_eq!(alone.exit, Exit::CheckFailed);
    assert!(
        alone.text.contains(
            "line 1, column 13: it ends here, too early: expected `,` or `}`\nhelp: its end"
        ),
        "{}",
        alone.text
    );
    assert_eq!(said(&options(&[&broken, &good]), &site).exit, Exit::Ok);
}
