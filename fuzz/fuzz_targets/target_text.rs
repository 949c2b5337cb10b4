//! Any text as a target: never a panic, and what is taken is printed and parsed as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skel_core::schedule::Target;

fuzz_target!(|text: &str| {
    if let Ok(target) = text.parse::<Target>() {
        let printed = target.to_string();
        assert_eq!(printed.parse::<Target>().ok(), Some(target), "{printed}");
    }
});
