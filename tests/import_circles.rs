//! Which top-level modules of a crate import each other in a circle: none but those that are listed here, each with
//! the sentence that defends it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Circles that are meant.
const DEFENDED: [(&str, &[&str], &str); 4] = [
    (
        "skel-core",
        &["math", "param", "user_function"],
        "a user function has parameters and floats with a mathematics; the random numbers that one of them draws are user functions, and so is the mathematics",
    ),
    (
        "skel-core",
        &["frame", "plan"],
        "a plan computes frames, and a frame knows the grouping that its plan's kernel has",
    ),
    (
        "skel-backends",
        &["device", "observe", "unit"],
        "a unit starts a call within a scope of a device's queue, and a device is a unit, whose work is observed",
    ),
    (
        "skel-backends",
        &["context", "tune"],
        "a context begins a tuning session, which measures calls on the context",
    ),
];

type Graph = BTreeMap<String, BTreeSet<String>>;

fn sources(folder: &Path, to: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => sources(&path, to),
            false => to.push(path),
        }
    }
}

/// The text without comments, and without what stands behind its first inline module of tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod test {").next().unwrap_or("");
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first segments of all paths that begin with `crate::`, those in braces among them.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let word = |text: &str| -> String {
        let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
        text.chars().take_while(is_word).collect()
    };
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let (mut depth, mut begins) = (0, true);
        for (at, c) in list.char_indices() {
            if begins && !c.is_whitespace() {
                found.insert(word(&list[at..]));
                begins = false;
            }
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                _ => {}
            }
        }
    }
    found
}

/// What a crate's root passes on: of each name, the module that it comes from. `crate::Error` is an import of `error`.
fn passed_on(root: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for statement in code(root).split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or("");
        let Some((module, names)) = statement.split_once("::") else {
            continue;
        };
        let module = module.trim().trim_start_matches("crate::");
        for name in names.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if name.starts_with(char::is_uppercase) {
                found.insert(name.to_string(), module.to_string());
            }
        }
    }
    found
}

/// What each top-level module of a crate imports of the others.
fn graph(src: &Path) -> Graph {
    let root = fs::read_to_string(src.join("lib.rs")).expect("the root of a crate");
    let passed_on = passed_on(&root);
    let mut files = Vec::new();
    sources(src, &mut files);
    let module = |path: &Path| -> Option<String> {
        let first = path.strip_prefix(src).ok()?.components().next()?;
        let name = first.as_os_str().to_str()?;
        Some(name.strip_suffix(".rs").unwrap_or(name).to_string())
    };
    let is_rust = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    let is_test = |path: &Path| {
        path.components().any(|part| {
            part.as_os_str()
                .to_str()
                .is_some_and(|name| name == "test" || name == "test.rs")
        })
    };
    let mut graph = Graph::new();
    for path in files.iter().filter(is_rust) {
        let text = fs::read_to_string(path).expect("a source file");
        let Some(name) = module(path).filter(|name| name != "lib") else {
            continue;
        };
        let edges = graph.entry(name).or_default();
        if !is_test(path) && !path.ends_with("attacks.rs") {
            let imported = imports(&code(&text)).into_iter();
            edges.extend(imported.map(|name| passed_on.get(&name).cloned().unwrap_or(name)));
        }
    }
    let names: BTreeSet<String> = graph.keys().cloned().collect();
    for (name, edges) in &mut graph {
        edges.retain(|edge| edge != name && names.contains(edge));
    }
    graph
}

fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    let (mut open, mut seen) = (vec![from.to_string()], BTreeSet::new());
    while let Some(next) = open.pop() {
        for edge in &graph[&next] {
            if edge == to {
                return true;
            }
            if seen.insert(edge.clone()) {
                open.push(edge.clone());
            }
        }
    }
    false
}

fn circles(graph: &Graph) -> BTreeSet<BTreeSet<String>> {
    let on_circle = graph.keys().filter(|name| reaches(graph, name, name));
    let circle = on_circle.map(|name| {
        let others = graph.keys();
        let others = others.filter(|o| reaches(graph, name, o) && reaches(graph, o, name));
        others.cloned().collect()
    });
    circle.collect()
}

#[test]
fn modules_import_each_other_in_circles_only_where_it_is_defended() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for krate in ["skel-tasks", "skel-core", "skel-model", "skel-backends"] {
        let of_crate = DEFENDED.iter().filter(|(of, ..)| *of == krate);
        let defended: BTreeSet<BTreeSet<String>> = of_crate
            .map(|(_, modules, _)| modules.iter().map(ToString::to_string).collect())
            .collect();
        let found = circles(&graph(&root.join(krate).join("src")));
        assert_eq!(found, defended, "{krate}");
    }
}

#[test]
fn circles_are_found() {
    let text = "use crate::{a::X, b::{Y, Z}};\n// crate::c\nfn f() -> crate::d::W {}\n#[cfg(test)]\nmod test { use crate::e; }";
    let found: Vec<String> = imports(&code(text)).into_iter().collect();
    assert_eq!(found, ["a", "b", "d"]);
    let root = "pub use error::{Cause, Error};\npub use a::b::C;\npub use std_like;\nmod d;";
    let found: Vec<(String, String)> = passed_on(root).into_iter().collect();
    let expected = [("C", "a"), ("Cause", "error"), ("Error", "error")];
    assert_eq!(found, expected.map(|(a, b)| (a.to_string(), b.to_string())));
    let edges = [("a", ["b"]), ("b", ["c"]), ("c", ["b"])];
    let graph = edges.map(|(name, edges)| (name.to_string(), edges.map(str::to_string).into()));
    let expected: BTreeSet<String> = ["b", "c"].map(str::to_string).into();
    assert_eq!(circles(&Graph::from(graph)), BTreeSet::from([expected]));
}
