//! Under which name a package depends on skel, from its `Cargo.toml`.

use super::toml::{Entry, entries};
use std::{fs, path::Path};

/// The package that is looked for.
const PACKAGE: &str = "skel-hybrid";

/// Where dependencies stand.
const KINDS: [&str; 5] = [
    "dependencies",
    "dev-dependencies",
    "dev_dependencies",
    "build-dependencies",
    "build_dependencies",
];

/// The name that the package in `folder` gives to skel, as Rust spells it, if it renames the dependency.
pub(super) fn renamed(folder: &Path) -> Option<String> {
    let own = read(folder)?;
    let found = own_name(&own).or_else(|| inherited_name(folder, &own));
    found.map(|name| name.replace('-', "_"))
}

fn read(folder: &Path) -> Option<Vec<Entry>> {
    let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    Some(entries(&text))
}

/// `name = { package = "…" }`.
fn own_name(manifest: &[Entry]) -> Option<String> {
    let mut found = manifest.iter().filter_map(|entry| match field(entry)? {
        (name, "package") if entry.value == PACKAGE => Some(name),
        _ => None,
    });
    found.next().map(str::to_owned)
}

/// `name = { workspace = true }`, where the workspace says which package that is.
fn inherited_name(folder: &Path, manifest: &[Entry]) -> Option<String> {
    let inherited: Vec<&str> = manifest
        .iter()
        .filter_map(|entry| match field(entry)? {
            (name, "workspace") if entry.value == "true" && name != PACKAGE => Some(name),
            _ => None,
        })
        .collect();
    if inherited.is_empty() {
        return None;
    }
    let named = manifest.iter().find(|e| e.path == ["package", "workspace"]);
    let above = match named {
        Some(entry) => folder.join(&entry.value),
        None => folder.to_owned(),
    };
    let of_workspace = |entry: &Entry| entry.path.first().is_some_and(|key| key == "workspace");
    let root = above
        .ancestors()
        .filter_map(read)
        .find(|manifest| manifest.iter().any(of_workspace))?;
    root.iter().find_map(|entry| match entry.path.as_slice() {
        [workspace, dependencies, name, package]
            if [workspace, dependencies, package] == ["workspace", "dependencies", "package"]
                && entry.value == PACKAGE
                && inherited.contains(&name.as_str()) =>
        {
            Some(name.clone())
        }
        _ => None,
    })
}

/// The name of a dependency, and which of its fields the entry is.
fn field(entry: &Entry) -> Option<(&str, &str)> {
    let path = match entry.path.as_slice() {
        [target, _, rest @ ..] if target == "target" => rest,
        path => path,
    };
    match path {
        [kind, name, field] if KINDS.contains(&kind.as_str()) => Some((name, field)),
        _ => None,
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::path::PathBuf;

    /// A folder of files, which goes with the value.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Folder {
            let id = std::process::id();
            let folder = std::env::temp_dir().join(format!("skel-macros-{id}-{name}"));
            for (path, text) in files {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_dependency_is_renamed_in_all_ways_that_cargo_knows() {
        let renamed_in = |manifest: &str| own_name(&entries(manifest));
        for manifest in [
            "[dependencies]\nhybrid = { version = \"0.1\", package = \"skel-hybrid\" }",
            "[dependencies]\nhybrid.version = \"0.1\"\nhybrid.package = 'skel-hybrid'",
            "[dependencies.hybrid]\npackage = \"skel-hybrid\" # renamed\n",
            "[dev-dependencies]\n\"hybrid\" = { package = \"skel-hybrid\", features = [\"half\"] }",
            "[target.'cfg(unix)'.dependencies]\nhybrid = { package = \"skel-hybrid\" }",
            "[target.\"cfg(any(unix, windows))\".dependencies.hybrid]\npackage = \"skel-hybrid\"",
            "dependencies.hybrid.package = \"skel-hybrid\"",
            "dependencies = { hybrid = { package = \"skel-hybrid\" } }",
            "[dependencies]\nhybrid = {\n  features = [],\n  package = \"skel-hybrid\",\n}",
        ] {
            assert_eq!(
                renamed_in(manifest).as_deref(),
                Some("hybrid"),
                "{manifest}"
            );
        }
        for manifest in [
            "[dependencies]\nskel-hybrid = \"0.1\"",
            "[dependencies]\nskel-hybrid = { version = \"0.1\" }",
            "[dependencies]\n# hybrid = { package = \"skel-hybrid\" }",
            "[dependencies]\nskel = { package = \"skel\" }",
            "[features]\nhybrid.package = \"skel-hybrid\"",
            "[package]\ndescription = '''\n[dependencies]\nhybrid = { package = \"skel-hybrid\" }'''",
        ] {
            assert_eq!(renamed_in(manifest), None, "{manifest}");
        }
    }

    #[test]
    fn a_name_is_inherited_from_the_workspace() {
        let member = "[dependencies]\nmy-skel = { workspace = true }\nserde.workspace = true";
        let workspace = "[workspace]\nmembers = [\"crates/*\"]\n[workspace.dependencies]\nserde = \"1\"\n\
             other = { package = \"skel-hybrid\" }\nmy-skel = { package = \"skel-hybrid\" }";
        let beside = |name: &str, member: &str| {
            let files = [("Cargo.toml", workspace), ("crates/a/Cargo.toml", member)];
            let folder = Folder::new(name, &files);
            renamed(&folder.0.join("crates/a"))
        };
        assert_eq!(beside("taken", member).as_deref(), Some("my_skel"));
        assert_eq!(
            beside("not-taken", "[dependencies]\nserde.workspace = true"),
            None
        );
        let own = "[dependencies]\nmy-skel.workspace = true\nhybrid.package = \"skel-hybrid\"";
        assert_eq!(beside("own", own).as_deref(), Some("hybrid"));
        let named = format!("[package]\nworkspace = \"../root\"\n{member}");
        let files = [
            ("root/Cargo.toml", workspace),
            ("member/Cargo.toml", &named),
        ];
        let apart = Folder::new("apart", &files);
        assert_eq!(renamed(&apart.0.join("member")).as_deref(), Some("my_skel"));
    }

    #[test]
    fn what_cannot_be_read_renames_nothing() {
        assert_eq!(renamed(Path::new("/no/such/folder")), None);
    }
}
