//! Parsers of values: any bytes, and what they mean.

use super::*;
use proptest::prelude::*;

const INFO: VariableInfo = VariableInfo {
    name: "SKEL_X",
    expected: "as it should be",
    default: "none",
    on_invalid: OnInvalid::Refuse,
    effect: "nothing",
};

fn os(bytes: Vec<u8>) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    return String::from_utf8_lossy(&bytes).into_owned().into();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 512 }))]

    /// No bytes are too strange for a parser, and what it refuses it names.
    #[test]
    fn any_bytes_are_taken_or_refused(bytes in proptest::collection::vec(any::<u8>(), 1..40)) {
        let value = os(bytes);
        let refused = [
            flag(&INFO, &value).err(),
            number(&INFO, &value, 0..=9_u64).err(),
            word(&INFO, &value, &[("model", ())]).err(),
            path(&INFO, &value).err(),
            name(&INFO, &value).err(),
        ];
        for error in refused.into_iter().flatten() {
            let is_named = matches!(
                &error,
                Error::BadSetting { name: "SKEL_X", found, expected: "as it should be" }
                    if *found == shown(&value)
            );
            prop_assert!(is_named, "{error}");
        }
    }

    /// Numbers are read as they are printed, and only those of the range are taken.
    #[test]
    fn numbers_are_read_as_they_are_printed(number in any::<u64>(), least in any::<u64>(), most in any::<u64>()) {
        let printed = OsString::from(format!(" {number}"));
        let read = super::number(&INFO, &printed, least..=most);
        prop_assert_eq!(read.ok(), (least <= number && number <= most).then_some(number));
    }

    /// What is shown has no control characters, and an end.
    #[test]
    fn what_is_shown_is_harmless(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let shown = shown(&os(bytes));
        prop_assert!(!shown.chars().any(char::is_control));
        prop_assert!(shown.len() < 3000);
    }
}

#[test]
fn a_flag_is_on_or_off_and_nothing_else() {
    let read = |text: &str| flag(&INFO, OsStr::new(text)).ok();
    assert_eq!([read("on"), read("1"), read(" on ")], [Some(true); 3]);
    assert_eq!([read("off"), read("0")], [Some(false); 2]);
    for nonsense in ["yes", "On", "OFF", "2", "", "offf", "of", "true"] {
        assert_eq!(read(nonsense), None, "{nonsense}");
    }
}

#[test]
fn an_empty_value_is_none() {
    assert_eq!(CACHE.read(&|_| Some(OsString::new())).unwrap(), None);
    assert_eq!(CACHE.read(&|_| None).unwrap(), None);
}

#[test]
fn a_library_is_a_name_or_a_file() {
    let read = |text: &str| name(&INFO, OsStr::new(text)).is_ok();
    assert!(read("libnvrtc.so.12"));
    assert!(!read("/no/such/libnvrtc.so"));
    assert!(!read("./libnvrtc.so"));
    assert!(!read("/"));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(read(file));
}
