//! Helper functions in WGSL, emitted when the text mentions them.
//!
//! Each helper is a paragraph of a `.wgsl` file, comments included; what it mentions in turn is
//! emitted, too. So nothing has to say what uses what.

use std::{collections::BTreeSet, sync::OnceLock};

const FILES: [&str; 16] = [
    include_str!("helpers/trap.wgsl"),
    include_str!("helpers/integer.wgsl"),
    include_str!("helpers/narrow.wgsl"),
    include_str!("helpers/long.wgsl"),
    include_str!("helpers/usize.wgsl"),
    include_str!("helpers/float.wgsl"),
    include_str!("helpers/half.wgsl"),
    include_str!("helpers/cast.wgsl"),
    include_str!("helpers/double.wgsl"),
    include_str!("helpers/exp.wgsl"),
    include_str!("helpers/log.wgsl"),
    include_str!("helpers/trig.wgsl"),
    include_str!("helpers/pow.wgsl"),
    include_str!("helpers/arc.wgsl"),
    include_str!("helpers/hyperbolic.wgsl"),
    include_str!("helpers/window.wgsl"),
];

struct Helper {
    name: &'static str,
    text: &'static str,
}

/// All helpers that `source` needs, in a fixed order, each followed by an empty line.
#[must_use]
pub(super) fn helpers_for(source: &str) -> String {
    let all = helpers();
    let mut needed = BTreeSet::new();
    let mut texts = vec![source];
    while let Some(text) = texts.pop() {
        for name in mentioned(text) {
            if let Some(k) = all.iter().position(|helper| helper.name == name)
                && needed.insert(k)
            {
                texts.push(all[k].text);
            }
        }
    }
    needed
        .into_iter()
        .flat_map(|k| [all[k].text.trim_end(), "\n\n"])
        .collect()
}

fn helpers() -> &'static [Helper] {
    static HELPERS: OnceLock<Vec<Helper>> = OnceLock::new();
    HELPERS.get_or_init(|| {
        let paragraphs = FILES.iter().flat_map(|file| file.split("\n\n"));
        paragraphs
            .filter_map(|text| {
                // A paragraph without a declaration is the file's own comment.
                let declaration = text.lines().find(|line| !line.starts_with("//"))?;
                mentioned(declaration)
                    .next()
                    .map(|name| Helper { name, text })
            })
            .collect()
    })
}

/// The names in `text` that look like helpers.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("skel_"))
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn emits_what_is_mentioned_and_what_that_needs() {
        let text = helpers_for("skel_clamp_f32(x, y, z, 1u)");
        for name in [
            "fn skel_clamp_f32",
            "fn skel_is_nan_f32",
            "fn skel_note",
            "skel_trap: u32",
        ] {
            assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
        }
        assert!(!text.contains("fn skel_round_f32"), "{text}");
        assert_eq!(helpers_for("a + b"), "");
    }

    #[test]
    fn every_helper_has_a_name_of_its_own() {
        let names: BTreeSet<_> = helpers().iter().map(|helper| helper.name).collect();
        assert_eq!(names.len(), helpers().len());
        assert!(names.len() > 60);
    }
}
