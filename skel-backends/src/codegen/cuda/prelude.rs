//! Helper functions and type names, emitted when the text mentions them.
//!
//! Each helper is a paragraph of a `.cu` file, comments included; what it mentions in turn is
//! emitted, too. Files about integers, floats and casts are read once per type, their holes filled.

use super::types::{INTEGERS, Integer};
use std::{
    collections::{BTreeSet, HashMap},
    sync::OnceLock,
};

const TYPES: &str = include_str!("helpers/types.cu");
const KERNEL: &str = include_str!("helpers/kernel.cu");
const ARRAY: &str = include_str!("helpers/array.cu");
const VECTOR: &str = include_str!("helpers/vector.cu");
const WINDOW: &str = include_str!("helpers/window.cu");
const INTEGER: &str = include_str!("helpers/integer.cu");
const SIGNED: &str = include_str!("helpers/signed.cu");
const UNSIGNED: &str = include_str!("helpers/unsigned.cu");
const FLOAT: &str = include_str!("helpers/float.cu");
const HALF: &str = include_str!("helpers/half.cu");
const CAST: &str = include_str!("helpers/cast.cu");

struct Helpers {
    /// In the order of emission: what is used comes first.
    texts: Vec<String>,
    by_name: HashMap<String, usize>,
}

/// All helpers that `source` needs, in a fixed order, each followed by an empty line.
#[must_use]
pub(super) fn helpers_for(source: &str) -> String {
    let all = helpers();
    let mut needed = BTreeSet::new();
    let mut texts = vec![source];
    while let Some(text) = texts.pop() {
        for word in words(text) {
            if let Some(&k) = all.by_name.get(word)
                && needed.insert(k)
            {
                texts.push(&all.texts[k]);
            }
        }
    }
    let mut out = String::new();
    let mut of_types = true;
    for k in needed {
        // Type names stand together, helpers apart.
        if of_types && !is_type(&all.texts[k]) && !out.is_empty() {
            out.push('\n');
        }
        of_types = is_type(&all.texts[k]);
        out.push_str(all.texts[k].trim_end());
        out.push_str(if of_types { "\n" } else { "\n\n" });
    }
    if of_types && !out.is_empty() {
        out.push('\n');
    }
    out
}

fn is_type(text: &str) -> bool {
    text.starts_with("typedef")
}

fn helpers() -> &'static Helpers {
    static HELPERS: OnceLock<Helpers> = OnceLock::new();
    HELPERS.get_or_init(|| {
        let mut files = [TYPES, KERNEL, ARRAY, VECTOR, WINDOW]
            .map(str::to_owned)
            .to_vec();
        for int in INTEGERS {
            files.push(fill(INTEGER, &of_integer(int)));
            files.push(fill(
                if int.signed { SIGNED } else { UNSIGNED },
                &of_integer(int),
            ));
        }
        files.push(HALF.to_owned());
        for float in FLOATS {
            files.push(fill(FLOAT, &of_float(float)));
            for int in INTEGERS {
                let mut values = of_integer(int);
                values.extend(of_float(float));
                values.extend(bounds(int, float));
                files.push(fill(CAST, &values));
            }
        }
        let mut all = Helpers {
            texts: Vec::new(),
            by_name: HashMap::new(),
        };
        for paragraph in files.iter().flat_map(|file| file.split("\n\n")) {
            // A paragraph without a declaration is the file's own comment.
            let mut code = paragraph.lines().filter(|line| !line.starts_with("//"));
            let Some(name) = code.find_map(declared) else {
                continue;
            };
            all.by_name.insert(name.to_owned(), all.texts.len());
            all.texts.push(paragraph.to_owned());
        }
        all
    })
}

/// What a declaration declares: a type name, or the first word that only helpers begin with.
fn declared(line: &str) -> Option<&str> {
    if is_type(line) {
        return words(line).last();
    }
    words(line).find(|word| word.starts_with("skel_"))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

type Values = Vec<(&'static str, String)>;

fn fill(text: &str, values: &[(&'static str, String)]) -> String {
    let mut out = text.to_owned();
    for (name, value) in values {
        out = out.replace(&format!("${{{name}}}"), value);
    }
    out
}

fn of_integer(int: Integer) -> Values {
    let wide = int.bits == 64;
    let pick = |narrow: &str, broad: &str| if wide { broad } else { narrow }.to_owned();
    vec![
        ("t", int.name.into()),
        ("u", pick("u32", "u64")),
        ("c", pick("i32", "i64")),
        ("w", format!("u{}", int.bits)),
        ("bits", int.bits.to_string()),
        ("mask", (int.bits - 1).to_string()),
        ("spare", if wide { 0 } else { 32 - int.bits }.to_string()),
        ("min", int.min()),
        ("max", int.max()),
        ("popc", pick("__popc", "__popcll")),
        ("clz", pick("__clz", "__clzll")),
        ("ffs", pick("__ffs", "__ffsll")),
        ("brev", pick("__brev", "__brevll")),
    ]
}

/// A float type: its name, the suffix of its functions and literals, infinity, its bits.
type Float = [&'static str; 4];

const FLOATS: [Float; 2] = [
    ["f32", "f", "__uint_as_float(0x7f800000u)", "__float_as_int"],
    [
        "f64",
        "",
        "__longlong_as_double(0x7ff0000000000000ll)",
        "__double_as_longlong",
    ],
];

fn of_float([name, suffix, infinity, as_signed]: Float) -> Values {
    vec![
        ("f", name.into()),
        ("s", suffix.into()),
        ("infinity", infinity.into()),
        ("as_signed", as_signed.into()),
    ]
}

/// The first float beyond the integer type, and the least within it.
fn bounds(int: Integer, [_, suffix, ..]: Float) -> Values {
    let (above, least) = if int.signed {
        let above = 2_f64.powi(int.bits.cast_signed() - 1);
        (above, -above)
    } else {
        (2_f64.powi(int.bits.cast_signed()), 0.0)
    };
    vec![
        ("above", format!("{above:.1}{suffix}")),
        ("least", format!("{least:.1}{suffix}")),
    ]
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn emits_what_is_mentioned_and_what_that_needs() {
        let text = helpers_for("skel_clamp_f32(x, y, z, 1u, skel_trap)");
        for name in [
            "f32 skel_clamp_f32(",
            "f32 skel_limit_f32(",
            "void skel_note(",
        ] {
            assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
        }
        for name in ["typedef float f32;", "typedef unsigned int u32;"] {
            assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
        }
        assert!(
            !text.contains("f64") && !text.contains("skel_signum"),
            "{text}"
        );
        assert_eq!(helpers_for("a + b"), "");
    }

    #[test]
    fn every_helper_has_a_name_of_its_own_and_no_hole() {
        let all = helpers();
        assert_eq!(all.by_name.len(), all.texts.len());
        assert!(all.texts.len() > 200);
        for text in &all.texts {
            assert!(!text.contains("${"), "{text}");
        }
    }

    #[test]
    fn what_is_used_comes_first() {
        let all = helpers();
        for (k, text) in all.texts.iter().enumerate() {
            for word in words(text) {
                assert!(
                    all.by_name.get(word).is_none_or(|&at| at <= k),
                    "{word} in {text}"
                );
            }
        }
    }
}
