//! The table: its rows, and what any value does.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

#[cfg(unix)]
fn os(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}
#[cfg(not(unix))]
fn os(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[test]
fn each_variable_has_one_row_which_says_everything() {
    let names: BTreeSet<&str> = TABLE.iter().map(|row| row.info().name).collect();
    assert_eq!(names.len(), TABLE.len());
    for row in TABLE {
        let VariableInfo {
            name,
            expected,
            default,
            effect,
            ..
        } = row.info();
        assert!(name.starts_with("SKEL_"), "{name}");
        for text in [expected, default, effect] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{name}: {text}");
        }
    }
}

/// What every variable that does not name a place or any text makes of a slip of the pen.
#[test]
fn nonsense_is_an_error_that_names_the_variable_and_what_it_takes() {
    let free = [
        "SKEL_TUNE_JOURNAL",
        "SKEL_TUNE_COMMAND",
        "SKEL_TUNE_FILE",
        "SKEL_CACHE_DIR",
        "SKEL_DUMP",
        "SKEL_TRACE",
    ];
    for row in TABLE {
        let info = row.info();
        let set = |name: &str| (name == info.name).then(|| OsString::from("./nonsense"));
        let checked = row.check(&set);
        if free.contains(&info.name) {
            assert!(checked.is_ok(), "{}", info.name);
            assert_eq!(info.on_invalid, OnInvalid::Warn, "{}", info.name);
            continue;
        }
        let error = checked.unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains(info.name) && text.contains("nonsense"),
            "{text}"
        );
        let is_typed = matches!(error, Error::BadSetting { name, .. } if name == info.name)
            || matches!(error, Error::Forced { .. });
        assert!(is_typed, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever a variable says, it is understood or refused; what is refused is harmless to print.
    #[test]
    fn any_bytes_are_understood_or_refused(
        which in 0..TABLE.len(),
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            "(hybrid|device|auto|points|units|samples)[:=\\[,.;0-9a-z%# -]{0,12}".prop_map(String::into_bytes),
        ],
    ) {
        let row = TABLE[which];
        let value = os(bytes);
        let name = row.info().name;
        let set = |asked: &str| (asked == name).then(|| value.clone());
        let found = settings(&set);
        prop_assert_eq!(found.len(), usize::from(!value.is_empty()));
        for Setting { found, problem, .. } in found {
            let said = problem.map(|problem| problem.to_string()).unwrap_or_default();
            prop_assert!(!found.chars().any(char::is_control), "{found}");
            prop_assert!(!said.chars().any(char::is_control), "{said}");
            prop_assert!(said.is_empty() || said.contains("SKEL_"), "{said}");
        }
    }
}

#[test]
fn names_that_nothing_reads_are_found() {
    let names = [
        "SKEL_BAKCEND",
        "SKEL_CUDA",
        "HOME",
        "SKEL_SHIM_SEED",
        "SKEL_",
        "SKEL_cuda",
    ];
    let found = unknown_among(names.into_iter().map(OsString::from));
    assert_eq!(found, ["SKEL_", "SKEL_BAKCEND", "SKEL_cuda"]);
}
