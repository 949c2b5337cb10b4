//! Helper functions in WGSL, emitted when the text mentions them.
//!
//! Each helper is a paragraph of a `.wgsl` file, comments included; what it mentions in turn is
//! emitted, too. So nothing has to say what uses what.

use crate::arithmetic::{Remedies, Remedy};
use std::{collections::BTreeSet, sync::OnceLock};

const FILES: [&str; 18] = [
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
    include_str!("helpers/native.wgsl"),
    include_str!("helpers/fma.wgsl"),
];

/// Helpers that stand for others of the same name where the driver is wrong.
const OWN: &str = include_str!("helpers/own.wgsl");

/// What a helper of [`OWN`] is the remedy of; `None` of helpers that have one text only.
fn remedy(name: &str) -> Option<Remedy> {
    Some(match name {
        "skel_i32_to_i64" => Remedy::SpreadSigns,
        "skel_trunc_f32" => Remedy::TruncF32,
        "skel_floor_f32" => Remedy::FloorF32,
        "skel_ceil_f32" => Remedy::CeilF32,
        "skel_even_f32" => Remedy::TiesEvenF32,
        "skel_div_f32" => Remedy::DivF32,
        "skel_sqrt_f32" => Remedy::SqrtF32,
        "skel_trunc_f64" => Remedy::TruncF64,
        "skel_floor_f64" => Remedy::FloorF64,
        "skel_ceil_f64" => Remedy::CeilF64,
        "skel_even_f64" => Remedy::TiesEvenF64,
        "skel_div_f64" => Remedy::DivF64,
        "skel_sqrt_f64" => Remedy::SqrtF64,
        _ => return None,
    })
}

struct Helper {
    name: &'static str,
    text: &'static str,
    /// Whether it stands for another of its name.
    own: bool,
}

/// All helpers that `source` needs on a device that needs these remedies, in a fixed order, each followed by an
/// empty line.
#[must_use]
pub(super) fn helpers_for(source: &str, remedies: Remedies) -> String {
    let all = helpers();
    let mut needed = BTreeSet::new();
    let mut texts = vec![source];
    while let Some(text) = texts.pop() {
        for name in mentioned(text) {
            let own = remedy(name).is_some_and(|remedy| remedies.has(remedy));
            let is_meant = |helper: &Helper| helper.name == name && helper.own == own;
            if let Some(k) = all.iter().position(is_meant)
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
        let of_files = FILES.iter().flat_map(|file| file.split("\n\n"));
        let paragraphs = of_files
            .map(|text| (text, false))
            .chain(OWN.split("\n\n").map(|text| (text, true)));
        paragraphs
            .filter_map(|(text, of_own)| {
                // A paragraph without a declaration is the file's own comment.
                let declaration = text.lines().find(|line| !line.starts_with("//"))?;
                mentioned(declaration).next().map(|name| Helper {
                    name,
                    text,
                    own: of_own && remedy(name).is_some(),
                })
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
        let text = helpers_for("skel_clamp_f32(x, y, z, 1u)", Remedies::NONE);
        for name in [
            "fn skel_clamp_f32",
            "fn skel_is_nan_f32",
            "fn skel_note",
            "skel_trap: u32",
        ] {
            assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
        }
        assert!(!text.contains("fn skel_round_f32"), "{text}");
        assert_eq!(helpers_for("a + b", Remedies::NONE), "");
    }

    #[test]
    fn every_helper_has_a_name_of_its_own() {
        let names: BTreeSet<_> = helpers()
            .iter()
            .map(|helper| (helper.name, helper.own))
            .collect();
        assert_eq!(names.len(), helpers().len());
        assert!(names.len() > 60);
    }
}
