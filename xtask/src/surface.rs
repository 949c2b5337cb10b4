//! What callers can tell code that is `unsafe`, as reviewed: the public functions and traits of every file
//! in which unsafe code is allowed are in `surface.txt`.
//!
//! Unsafe code believes what the rest of its file says. So a function that tells such a file what it cannot
//! find out (that elements are valid somewhere, were written, are not used any more) is `unsafe`, or not
//! public. No tool can tell such a claim from a question; this test sees to it that every new function is
//! asked which of them it is. So are those of the modules whose types unsafe code works on, wherever they stand. `SURFACE=overwrite cargo test -p xtask surface` rewrites the list.

use crate::cmd;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::{fs, path::Path};
use syn::{Attribute, FnArg, ImplItem, Item, Safety, Signature, TraitItem, Type, Visibility};

/// Where the `unsafe` code is that users can reach.
const FOLDERS: [&str; 2] = ["skel-core/src", "skel-backends/src"];

/// Modules of which files without unsafe code count as well: they hand out what such code works on.
const MODULES: [&str; 4] = [
    "skel-core/src/call",
    "skel-core/src/container",
    "skel-core/src/frame",
    "skel-core/src/plan",
];

const ADVICE: &str = "The public functions beside unsafe code are not those that were reviewed. For each that is \
new and safe: can a caller who lies by it, in arguments, callbacks or implementations of traits, break memory, \
or make a container show what no call has computed? Then it is `unsafe` with a `# Safety` section, or not \
public. Otherwise: SURFACE=overwrite cargo test -p xtask surface";

/// A line for each public function: what it belongs to, whether it is unsafe, and what it takes of it.
fn doors(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source file");
    let is_rust = file.extension().is_some_and(|extension| extension == "rs");
    let counts = is_rust
        && MODULES
            .iter()
            .any(|module| file.starts_with(cmd::root().join(module)));
    if !counts && !text.contains("unsafe_code") {
        return Vec::new();
    }
    let mut lines = Vec::new();
    of_items(&syn::parse_file(&text).expect("Rust").items, &mut lines);
    lines.sort();
    lines.dedup();
    lines
}

fn of_items(items: &[Item], lines: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Impl(block) if block.trait_.is_none() && !is_test(&block.attrs) => {
                let owner = name_of(&block.self_ty);
                for inner in &block.items {
                    if let ImplItem::Fn(function) = inner
                        && is_public(&function.vis)
                    {
                        lines.push(line(&owner, &function.sig));
                    }
                }
            }
            Item::Trait(item) if is_public(&item.vis) => {
                let kind = if item.unsafety.is_some() {
                    "unsafe trait"
                } else {
                    "trait"
                };
                let owner = format!("{kind} {}", item.ident);
                for inner in &item.items {
                    if let TraitItem::Fn(function) = inner {
                        lines.push(line(&owner, &function.sig));
                    }
                }
            }
            Item::Fn(function) if is_public(&function.vis) && !is_test(&function.attrs) => {
                lines.push(line("fn", &function.sig));
            }
            Item::Mod(module) if !is_test(&module.attrs) => {
                if let Some((_, items)) = &module.content {
                    of_items(items, lines);
                }
            }
            Item::Macro(item) => of_macro(item.mac.tokens.clone(), lines),
            _ => {}
        }
    }
}

/// Functions that a macro writes: of what, only its expansions know.
fn of_macro(tokens: TokenStream, lines: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (k, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            of_macro(group.stream(), lines);
        }
        if token.to_string() != "pub" {
            continue;
        }
        let words: Vec<String> = tokens[k + 1..]
            .iter()
            .map(ToString::to_string)
            .take(5)
            .collect();
        let Some(at) = words.iter().position(|word| word == "fn") else {
            continue;
        };
        if words[..at]
            .iter()
            .all(|word| ["const", "unsafe"].contains(&word.as_str()))
        {
            let kind = if words[..at].iter().any(|word| word == "unsafe") {
                "unsafe "
            } else {
                ""
            };
            lines.push(format!(
                "{kind}macro {}",
                words[at + 1..].join("").trim_end_matches('(')
            ));
        }
    }
}

fn line(owner: &str, sig: &Signature) -> String {
    let receiver = sig
        .inputs
        .first()
        .map_or(String::new(), |first| match first {
            FnArg::Receiver(receiver) => {
                let taken = receiver.to_token_stream().to_string().replace(' ', "");
                taken
                    .replace("&mut", "&mut ")
                    .replace("'e", "")
                    .replace("mutself", "self")
            }
            FnArg::Typed(_) => String::new(),
        });
    let kind = if matches!(sig.safety, Safety::Unsafe(_)) {
        "unsafe "
    } else {
        ""
    };
    format!("{kind}{owner}::{}({receiver})", sig.ident)
}

fn name_of(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default(),
        other => other.to_token_stream().to_string(),
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|a| a.path().is_ident("cfg") && a.to_token_stream().to_string().contains("test"))
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        match path.is_dir() {
            _ if ["test", "tests", "interleavings"].contains(&name) => {}
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn what_can_be_said_to_unsafe_code_is_as_reviewed() {
    let (root, mut found) = (cmd::root(), Vec::new());
    for folder in FOLDERS {
        files(&root.join(folder), &mut found);
    }
    found.sort();
    let mut list = String::new();
    for file in found {
        let lines = doors(&file);
        if !lines.is_empty() {
            let name = file.strip_prefix(&root).unwrap_or(&file);
            list += &format!("{}\n    {}\n", name.display(), lines.join("\n    "));
        }
    }
    let golden = root.join("xtask/src/surface.txt");
    if std::env::var("SURFACE").is_ok_and(|v| v == "overwrite") {
        fs::write(&golden, &list).expect("writing the list");
    }
    let reviewed = fs::read_to_string(&golden).unwrap_or_default();
    let new: Vec<&str> = list
        .lines()
        .filter(|line| !reviewed.lines().any(|known| known == *line))
        .collect();
    assert!(list == reviewed, "{ADVICE}\n{}", new.join("\n"));
    assert!(
        list.contains("unsafe Buffer::upload_missing(&self)"),
        "the walk sees claims"
    );
}
