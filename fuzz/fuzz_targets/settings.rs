//! Any bytes as the value of any variable of the environment: never a panic, and what is said of it is harmless.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skel_backends::setting::{TABLE, settings};
use std::os::unix::ffi::OsStringExt;

fuzz_target!(|bytes: &[u8]| {
    let Some((which, value)) = bytes.split_first() else {
        return;
    };
    let name = TABLE[usize::from(*which) % TABLE.len()].info().name;
    let value = std::ffi::OsString::from_vec(value.to_vec());
    for setting in settings(&|asked| (asked == name).then(|| value.clone())) {
        let said = setting.problem.map(|problem| problem.to_string());
        let said = said.unwrap_or_default();
        assert!(!setting.found.chars().chain(said.chars()).any(char::is_control));
    }
});
