//! Variables of the environment: the page that lists them is the table, nothing reads others, and what any of them
//! says is understood, refused or warned of, without a hang.

use skel::{
    Error, observe,
    prelude::*,
    setting::{OnInvalid, VariableInfo},
};
use skel_backends::setting::TABLE;
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// A child that takes so long hangs, on any machine.
const LIMIT: Duration = Duration::from_secs(120);

/// What the children below run: two calls of the default context.
#[test]
fn child() {
    if std::env::var_os("SKEL_TEST_CHILD").is_none() {
        return;
    }
    let double = map!(|x: u32| 2 * x);
    for _ in 0..2 {
        let (result, _) = observe(|| double.clone().on(Cpu).run((&[21_u32],)));
        match result.and_then(|y| Ok(y.host()?[0])) {
            Ok(y) => println!("\nresult {y}"),
            Err(error) => {
                let kind = match &error {
                    Error::BadSetting { name, .. } => format!("BadSetting {name}"),
                    Error::Forced { target, .. } => format!("Forced {target}"),
                    _ => "another".into(),
                };
                println!("\nerror {error}\nas {kind}");
            }
        }
    }
}

/// What a program says on standard output and standard error where these variables are set, and no others of ours.
fn said(variables: &[(&str, &Path)]) -> (String, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["environment::child", "--exact", "--nocapture"]);
    for row in TABLE {
        command.env_remove(row.info().name);
    }
    command.env("SKEL_CACHE", "off");
    command.envs(variables.iter().copied());
    command.env("SKEL_TEST_CHILD", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (send, ended) = mpsc::channel();
    let reader = |mut from: Box<dyn Read + Send>| {
        let send = send.clone();
        thread::spawn(move || {
            let mut text = String::new();
            from.read_to_string(&mut text).unwrap();
            drop(send);
            text
        })
    };
    let (out, err) = (reader(Box::new(out)), reader(Box::new(err)));
    drop(send);
    stop_if_it_hangs(&mut child, &ended, variables);
    assert!(child.wait().unwrap().success());
    (out.join().unwrap(), err.join().unwrap())
}

fn stop_if_it_hangs(child: &mut Child, ended: &mpsc::Receiver<()>, variables: &[(&str, &Path)]) {
    if ended.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
        child.kill().unwrap();
        panic!("it hangs with {variables:?}");
    }
}

fn ours(err: &str) -> Vec<&str> {
    err.lines().filter(|line| line.contains("skel: ")).collect()
}

#[test]
fn what_decides_where_and_how_calls_run_is_refused_if_it_is_nonsense() {
    let refusing = TABLE.iter().map(|row| row.info());
    let refusing = refusing.filter(|info| info.on_invalid == OnInvalid::Refuse);
    for VariableInfo { name, .. } in refusing {
        let (out, _) = said(&[(name, Path::new("./nonsense"))]);
        let errors = out.lines().filter(|line| line.starts_with("error "));
        let errors: Vec<&str> = errors.collect();
        assert_eq!(errors.len(), 2, "both calls: {name}: {out}");
        for error in errors {
            assert!(
                error.contains(name) && error.contains("nonsense"),
                "{error}"
            );
        }
        let typed = match *name {
            "SKEL_BACKEND" => "as Forced ./nonsense".into(),
            name => format!("as BadSetting {name}"),
        };
        assert_eq!(
            out.matches(&format!("{typed}\n")).count(),
            2,
            "{name}: {out}"
        );
    }
}

#[test]
fn a_scheduler_whose_options_no_machine_has_is_refused_with_the_variable() {
    let (out, _) = said(&[("SKEL_BACKEND", Path::new("tasks:dmda,alpha=-1"))]);
    let refused = out.matches("as Forced tasks:dmda,alpha=-1").count();
    assert_eq!(refused, 2, "{out}");
}

/// They have one line, and both calls run.
fn is_warned_of(variables: &[(&str, &Path)], parts: &[&str]) {
    let (out, err) = said(variables);
    assert_eq!(out.matches("result 42").count(), 2, "{variables:?}: {out}");
    let lines = ours(&err);
    assert_eq!(lines.len(), 1, "{variables:?}: {err}");
    for part in parts {
        assert!(lines[0].contains(part), "{variables:?}: {err}");
    }
}

#[test]
fn caches_and_names_that_nothing_reads_are_warned_of_once() {
    let cache = [("SKEL_CACHE", Path::new("none"))];
    is_warned_of(&cache, &["SKEL_CACHE is `none`"]);
    let slip = [("SKEL_BAKCEND", Path::new("seq"))];
    is_warned_of(&slip, &["SKEL_BAKCEND: no such variable"]);
    let (out, err) = said(&[("SKEL_CUDA", Path::new("off"))]);
    assert!(
        out.contains("result 42") && ours(&err).is_empty(),
        "{out}{err}"
    );
}

/// A folder that goes with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let folder = folder.join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Temporary(folder)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Places that are no files, and that open, read or write may wait for.
#[cfg(unix)]
fn no_files(folder: &Temporary) -> Vec<PathBuf> {
    use rustix::fs::{CWD, Mode, mkfifoat};
    let pipe = folder.0.join("pipe");
    mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
    vec![
        pipe,
        folder.0.clone(),
        "/dev/full".into(),
        "/dev/null".into(),
        "/proc/no/such/file".into(),
        folder.0.join("no such folder/file"),
    ]
}

#[cfg(unix)]
#[test]
fn a_trace_to_what_is_no_file_is_warned_of_and_nothing_waits() {
    let folder = Temporary::new("no-trace");
    for place in no_files(&folder) {
        let shown = place.display().to_string();
        is_warned_of(
            &[("SKEL_TRACE", &place)],
            &["SKEL_TRACE", &shown, "nothing is traced"],
        );
    }
    // A pipe that is read can be opened, and is none the more a file.
    let pipe = folder.0.join("pipe");
    let both_ends = fs::OpenOptions::new().read(true).write(true).open(&pipe);
    is_warned_of(&[("SKEL_TRACE", &pipe)], &["no regular file"]);
    drop(both_ends);
}

#[cfg(unix)]
#[test]
fn a_trace_follows_no_link() {
    let folder = Temporary::new("linked-trace");
    let (link, precious) = (folder.0.join("link"), folder.0.join("precious"));
    fs::write(&precious, "precious").unwrap();
    std::os::unix::fs::symlink(&precious, &link).unwrap();
    is_warned_of(&[("SKEL_TRACE", &link)], &["it is a symbolic link"]);
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
}

#[cfg(unix)]
#[test]
fn a_tuning_file_that_is_no_file_is_warned_of_and_nothing_waits() {
    let folder = Temporary::new("no-models");
    for place in no_files(&folder) {
        let shown = place.display().to_string();
        is_warned_of(&[("SKEL_TUNE_FILE", &place)], &[&shown]);
    }
}

#[cfg(unix)]
#[test]
fn a_journal_that_is_no_file_is_warned_of_and_nothing_waits() {
    let folder = Temporary::new("no-journal");
    for place in no_files(&folder) {
        let variables = [
            ("SKEL_TUNE", Path::new("list")),
            ("SKEL_TUNE_JOURNAL", place.as_path()),
        ];
        let shown = place.display().to_string();
        is_warned_of(&variables, &["nothing is tuned", &shown]);
    }
}

/// The rows as they stand in the page.
fn page_of_table() -> String {
    let mut page =
        String::from("| variable | decides | takes | default | else |\n|---|---|---|---|---|\n");
    for row in TABLE {
        let VariableInfo {
            name,
            expected,
            default,
            on_invalid,
            effect,
        } = row.info();
        let on_invalid = match (on_invalid, *name) {
            (OnInvalid::Refuse, "SKEL_BACKEND") => "`Error::Forced`",
            (OnInvalid::Refuse, _) => "`Error::BadSetting`",
            (OnInvalid::Warn, _) => "a warning",
        };
        page += &format!("| `{name}` | {effect} | {expected} | {default} | {on_invalid} |\n");
    }
    page
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// `GOLDEN=overwrite` writes it.
#[test]
fn the_page_is_the_table() {
    let path = root().join("docs/environment.md");
    let page = fs::read_to_string(&path).unwrap();
    let start = page.find("| variable | decides").expect("a table");
    let end = page[start..]
        .find("\n\n")
        .map_or(page.len(), |end| start + end + 1);
    let table = page_of_table();
    if std::env::var("GOLDEN").is_ok_and(|value| value == "overwrite") {
        fs::write(&path, format!("{}{table}{}", &page[..start], &page[end..])).unwrap();
    } else {
        assert_eq!(page[start..end], table, "GOLDEN=overwrite writes it");
    }
}

/// All files of a folder that end so, tests left out.
fn sources(folder: &str, ends: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("test") && !path.ends_with("target") {
                folders.push(path);
            } else if path.to_str().is_some_and(|name| name.ends_with(ends))
                && !path.ends_with("test.rs")
            {
                let text = fs::read_to_string(&path).unwrap();
                // Tests stand at the end.
                let text = text
                    .split("#[cfg(test)]\nmod test {")
                    .next()
                    .unwrap_or_default();
                found.push((path, text.to_owned()));
            }
        }
    }
    assert!(!found.is_empty(), "{folder}");
    found
}

/// What begins like a variable of ours.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("SKEL_").map(|(at, _)| {
        let name = &text[at..];
        let end = name.find(|c: char| !c.is_ascii_uppercase() && c != '_');
        &name[..end.unwrap_or(name.len())]
    })
}

#[test]
fn every_name_in_sources_and_pages_is_one_of_the_table() {
    let rust = [
        "skel-core/src",
        "skel-backends/src",
        "skel-macros/src",
        "src",
        "tuner/src",
        "examples",
        "benches",
    ];
    let files = rust.iter().flat_map(|folder| sources(folder, ".rs"));
    let pages = sources("docs", ".md").into_iter();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut seen = 0;
    for (path, text) in files.chain(pages).chain([("README.md".into(), readme)]) {
        for name in names(&text) {
            // `SKEL_CUDA_…` stands for several.
            let is_known = |row: &&dyn skel_core::setting::Row| {
                let known = row.info().name;
                known == name || (name.ends_with('_') && known.starts_with(name))
            };
            let of_tests = ["SKEL_TEST_", "SKEL_SHIM_"]
                .iter()
                .any(|own| name.starts_with(own));
            assert!(
                of_tests || TABLE.iter().any(is_known),
                "{name} in {}",
                path.display()
            );
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn the_environment_is_read_in_one_place() {
    let one = [
        "skel-core/src/setting/mod.rs",
        "skel-backends/src/setting/mod.rs",
    ];
    for folder in ["skel-core/src", "skel-backends/src", "src"] {
        for (path, text) in sources(folder, ".rs") {
            let reads = ["env::var", "var_os(", "vars_os(", "env::{"].iter();
            let reads = reads.filter(|read| text.contains(**read)).count();
            let allowed = one.iter().any(|one| path.ends_with(one));
            assert!(
                reads == 0 || allowed,
                "{} reads the environment",
                path.display()
            );
        }
    }
    // The command reads what is Cargo's and the terminal's, and nothing of ours by itself.
    for (path, text) in sources("tuner/src", ".rs") {
        let ours = text
            .lines()
            .find(|line| line.contains("env::var") && line.contains("SKEL_"));
        assert_eq!(ours, None, "{}", path.display());
    }
}
