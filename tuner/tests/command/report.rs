//! `cargo tune report`: the page, and what a browser makes of it.

use super::{
    chromium,
    fake::{Place, stderr, stdout},
    fixture,
};
use std::{fs, io::Write, path::Path, process::Output};

/// A place where a program was tuned.
fn tuned() -> Place {
    let place = Place::silent("");
    let journal = place.journal();
    fs::create_dir_all(journal.parent().expect("a folder")).expect("made");
    fs::write(journal, fixture::lines().join("\n") + "\n").expect("written");
    fs::write(place.path("t.json"), fixture::trace()).expect("written");
    place
}

fn report(place: &Place, words: &[&str]) -> Output {
    let mut all = vec!["report"];
    all.extend(words);
    place.tune(&all).output().expect("it starts")
}

#[test]
fn a_browser_shows_its_pictures_and_reports_no_errors() {
    let name = "report::a_browser_shows_its_pictures_and_reports_no_errors";
    let Some(browser) = chromium::find() else {
        // Past the capture of the test harness.
        let told = writeln!(std::io::stderr(), "skipped: {name}: no Chromium");
        return told.expect("standard error is open");
    };
    let place = tuned();
    let output = report(&place, &["--trace", "t.json", "--out", "r.html"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let (said, picture) = chromium::draw(&browser, &place.path("r.html"), place.dir.path(), 1280);
    keep(&place.path("page.png"), &place.path("r.html"), "page");
    let errors: Vec<&str> = said.lines().filter(|l| l.contains("CONSOLE")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    // The colours of the CPU, of the device, and of whole calls that were measured.
    for colour in [[0xd9, 0x73, 0x0d], [0x25, 0x63, 0xeb], [0x0f, 0x76, 0x6e]] {
        let count = picture.count(colour);
        assert!(
            count > 300 && count < picture.len() / 4,
            "{colour:?}: {count} pixels"
        );
    }
}

/// Says of each text of a picture that is shown where it crosses an edge of the picture, and where it is small.
const LOOK: &str = r"<script>
document.querySelectorAll('details').forEach(d => d.open = true);
let seen = 0;
for (const svg of document.querySelectorAll('svg')) {
  const edges = svg.getBoundingClientRect();
  if (edges.width == 0) continue;
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(text).fontSize) * edges.width / svg.viewBox.baseVal.width;
    const crosses = box.left < edges.left - 1 || box.right > edges.right + 1 || box.top < edges.top - 1 ||
      box.bottom > edges.bottom + 1;
    if (crosses || size < 8) console.log(`BAD ${text.textContent}: crosses ${crosses}, ${size} pixels`);
    seen += 1;
  }
}
console.log(`SEEN ${seen} texts on ${innerWidth}`);
</script>";

#[test]
fn text_can_be_read_and_stays_within_its_picture_on_screens_of_any_width() {
    let name = "report::text_can_be_read_and_stays_within_its_picture_on_screens_of_any_width";
    let Some(browser) = chromium::find() else {
        let told = writeln!(std::io::stderr(), "skipped: {name}: no Chromium");
        return told.expect("standard error is open");
    };
    let place = tuned();
    let journal = fs::read_to_string(place.journal()).expect("a journal");
    let long = journal.replace(
        "mock:a#0",
        "wgpu:A Device Of A Very Long Name (LLVM 15.0.6, 256 bits, and more)#0",
    );
    fs::write(place.journal(), long).expect("written");
    let output = report(&place, &["--trace", "t.json", "--out", "r.html"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(place.path("r.html")).expect("a page");
    fs::write(
        place.path("looked.html"),
        page.replace("</body>", &format!("{LOOK}</body>")),
    )
    .expect("written");
    for width in [500, 1000, 1280] {
        let (said, _) = chromium::draw(
            &browser,
            &place.path("looked.html"),
            place.dir.path(),
            width,
        );
        keep(
            &place.path("page.png"),
            &place.path("looked.html"),
            &width.to_string(),
        );
        assert!(said.contains(" texts on "), "{said}");
        let bad: Vec<&str> = said.lines().filter(|l| l.contains("BAD ")).collect();
        assert!(bad.is_empty(), "{width}: {bad:#?}");
    }
}

/// Where `SKEL_KEEP_PICTURES` names a folder, people can look at it.
fn keep(picture: &Path, page: &Path, of: &str) {
    if let Some(folder) = std::env::var_os("SKEL_KEEP_PICTURES") {
        for file in [picture, page] {
            let name = file.file_name().expect("a name").to_string_lossy();
            fs::copy(file, Path::new(&folder).join(format!("{of}-{name}"))).expect("copied");
        }
    }
}

#[test]
fn journals_and_tuning_files_give_the_same_pictures() {
    let place = tuned();
    let output = report(&place, &["--out", "a.html"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("a.html"));
    let page = fs::read_to_string(place.path("a.html")).expect("a page");
    assert!(page.contains("psnr::squared_error_sum") && page.contains("filters::gaussian_blur"));
    // Time over size, residuals and the bathtub for each of six sizes; shares once per instance.
    assert_eq!(page.matches("<figure").count(), 6 * 3 + 2);
}

#[test]
fn the_header_says_which_program_was_measured_and_with_which_arguments() {
    let lines = fixture::lines();
    let (begin, end) = lines[0].split_once("\"fingerprint\"").expect("a greeting");
    let script = format!(
        "printf '{begin}\"command\":\"%s\",\"fingerprint\"{end}\\n' \"$SKEL_TUNE_COMMAND\" >> \"$SKEL_TUNE_JOURNAL\"\n\
         cat \"$0.lines\" >> \"$SKEL_TUNE_JOURNAL\""
    );
    let place = Place::silent(&script);
    fs::write(place.path("app.lines"), lines[1..].join("\n") + "\n").expect("written");
    let words = [
        "run",
        "--seed",
        "3",
        "--",
        "A <b>.png",
        "--token",
        "s3cret",
        "&amp;",
    ];
    let output = place.tune(&words).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let header = |words: &[&str]| {
        let output = report(&place, words);
        assert!(output.status.success(), "{}", stderr(&output));
        let page = fs::read_to_string(place.path("target/tune/report.html")).expect("a page");
        let (header, _) = page.split_once("class=\"facts\"").expect("the machine");
        header.to_string()
    };
    let app = place.path("app").display().to_string();
    let page = header(&[]);
    assert!(page.contains("<h1>app</h1>"), "{page}");
    let command = format!(
        "<code>cargo tune run --exe {app} --seed 3 -- &#39;A &lt;b&gt;.png&#39; --token &#39;***&#39; &#39;&amp;amp;&#39;</code>"
    );
    let shown = page.replace("'", "&#39;");
    assert!(shown.contains(&command), "{page}");
    assert!(!page.contains("s3cret"), "{page}");
    let page = header(&["--no-args"]);
    assert!(
        page.contains("--seed 3 -- …</code>") && !page.contains("A &lt;"),
        "{page}"
    );
}

#[test]
fn a_journal_whose_process_was_told_no_command_has_none_in_the_header() {
    let place = tuned();
    assert!(report(&place, &["--out", "a.html"]).status.success());
    let page = fs::read_to_string(place.path("a.html")).expect("a page");
    assert!(!page.contains("Measured by"));
}

#[test]
fn without_measurements_it_says_what_to_do() {
    let place = Place::silent("");
    let output = report(&place, &[]);
    assert_eq!(output.status.code(), Some(4));
    assert!(
        stderr(&output).contains("help: cargo tune run"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_is_no_trace_or_no_tuning_file_is_refused() {
    let place = tuned();
    fs::write(place.path("bad.json"), "{\"schema\":7").expect("written");
    let output = report(&place, &["--trace", "bad.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = report(&place, &["bad.json"]);
    assert_eq!(output.status.code(), Some(100), "{}", stderr(&output));
    assert!(stderr(&output).contains("bad.json"));
}
