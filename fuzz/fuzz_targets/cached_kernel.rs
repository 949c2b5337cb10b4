//! Any bytes as an entry of the kernel cache: never a panic, and nothing is taken that was not sealed with the secret.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skel_backends::kernel_cache::{KernelKey, entry::Sealer};

fuzz_target!(|bytes: &[u8]| {
    let options = ["-arch=sm_90".to_owned()];
    let key = KernelKey {
        compiler: "NVRTC 13.0",
        driver: "580.1",
        architecture: "sm_90",
        options: &options,
        source: "source",
    };
    let sealer = Sealer::new(&[7; 32]);
    // A seed that is an entry would have to break the code of authentication.
    assert_eq!(sealer.open(&key, bytes), None);
    let sealed = sealer.seal(&key, bytes);
    assert_eq!(sealer.open(&key, &sealed).as_deref(), Some(bytes));
    // Cut off anywhere, or changed at a place that the bytes choose.
    if let Some(first) = bytes.first() {
        let at = usize::from(*first) * sealed.len() / 256;
        assert_eq!(sealer.open(&key, &sealed[..at]), None);
        let mut changed = sealed;
        changed[at] ^= 1;
        assert_eq!(sealer.open(&key, &changed), None);
    }
});
