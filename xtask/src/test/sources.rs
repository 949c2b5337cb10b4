//! The files that a target is compiled from: its modules, and what these include.

use std::{
    collections::BTreeSet,
    path::{Component, Path, PathBuf},
};

/// What files say; nothing of those that are not there.
pub(super) type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// Macros whose argument is a file.
const INCLUDES: [&str; 3] = ["include!(\"", "include_str!(\"", "include_bytes!(\""];

/// All files of a target whose first one is `root`, itself included. Paths that macros put together are not seen.
pub(super) fn files(root: &Path, read: Read) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    // A file, and the folder where its modules are.
    let mut next = vec![(plain(root), folder(root).to_owned())];
    while let Some((file, modules)) = next.pop() {
        let Some(text) = read(&file) else { continue };
        if !found.insert(file.clone()) {
            continue;
        }
        let beside = folder(&file);
        found.extend(included(&text).map(|name| plain(&beside.join(name))));
        let mut path: Option<&str> = None;
        for line in text.lines().map(str::trim) {
            if let Some(given) = line.strip_prefix("#[path = \"") {
                path = given.split('"').next();
            } else if let Some(name) = module(line) {
                next.push(match path.take() {
                    Some(path) => {
                        let file = plain(&beside.join(path));
                        let modules = folder(&file).to_owned();
                        (file, modules)
                    }
                    None => (modules.join(format!("{name}.rs")), modules.join(name)),
                });
                next.push((modules.join(name).join("mod.rs"), modules.join(name)));
            } else if !line.starts_with("#[") {
                path = None;
            }
        }
    }
    found
}

/// The name in `mod name;`, whatever its visibility.
fn module(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let name = line.strip_prefix("mod ")?.strip_suffix(';')?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    name.chars().all(is_name).then_some(name)
}

fn included(text: &str) -> impl Iterator<Item = &str> {
    let all = INCLUDES.iter().flat_map(|call| text.split(call).skip(1));
    all.filter_map(|rest| rest.split('"').next())
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// The path without `.` and `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod test {
    use super::*;

    fn of(root: &str, all: &[(&str, &str)]) -> Vec<String> {
        let read = |path: &Path| {
            let file = all.iter().find(|(name, _)| Path::new(name) == path)?;
            Some(file.1.to_owned())
        };
        let found = files(Path::new(root), &read);
        found.iter().map(|f| f.display().to_string()).collect()
    }

    #[test]
    fn modules_are_followed_as_rustc_does() {
        let all = [
            (
                "p/src/lib.rs",
                "mod a;\npub(crate) mod b;\npub mod c;\nmod d { }",
            ),
            ("p/src/a.rs", "mod inner;"),
            ("p/src/a/inner.rs", ""),
            ("p/src/b/mod.rs", "mod inner;"),
            ("p/src/b/inner.rs", ""),
            ("p/src/c.rs", "// mod a_comment;"),
            ("p/src/other.rs", ""),
        ];
        let found = [
            "p/src/a/inner.rs",
            "p/src/a.rs",
            "p/src/b/inner.rs",
            "p/src/b/mod.rs",
            "p/src/c.rs",
            "p/src/lib.rs",
        ];
        assert_eq!(of("p/src/lib.rs", &all), found);
    }

    #[test]
    fn files_of_other_folders_are_followed() {
        let all = [
            (
                "p/tests/it/main.rs",
                "#[path = \"../../../common/setup.rs\"]\n#[allow(dead_code)]\nmod setup;\nmod own;\n\
                 const PAGE: &str = include_str!(\"../../../docs/page.md\");",
            ),
            ("p/tests/it/own.rs", ""),
            ("common/setup.rs", "mod more;"),
            ("common/more.rs", ""),
        ];
        let found = [
            "common/more.rs",
            "common/setup.rs",
            "docs/page.md",
            "p/tests/it/main.rs",
            "p/tests/it/own.rs",
        ];
        assert_eq!(of("p/tests/it/main.rs", &all), found);
    }
}
