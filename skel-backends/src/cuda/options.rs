//! Options: what can be switched off, so that its gain can be measured.

use crate::setting::{
    CUDA, CUDA_COPIERS, CUDA_ONE_PASS, CUDA_PINNED, CUDA_POOL, CUDA_STEPS, CUDA_STREAMS,
    CUDA_VECTORS, MOST_COPIERS,
};
use skel_core::{Result, setting::environment};
use std::ffi::OsString;

pub(super) use crate::setting::MOST_STREAMS;

/// How a device is driven.
///
/// Devices of the default context take theirs from variables of the environment, `SKEL_CUDA_…`: see
/// `docs/environment.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether transfers go through page-locked memory, so that they go on while kernels run.
    pub pinned: bool,
    /// Whether device memory that was freed is kept for later arrays.
    pub pool: bool,
    /// Whether a large elementwise call computes its first elements while the next ones are on their way.
    pub steps: bool,
    /// Whether scans behind which no other unit waits are made in one pass.
    pub one_pass: bool,
    /// Whether threads load and store neighbouring elements at once, 16 bytes at a time.
    pub vectors: bool,
    /// How many streams kernels have; uploads and downloads have one more each. With 0 there is one stream,
    /// in which everything is done in order.
    pub streams: usize,
    /// How many threads copy between ordinary and page-locked memory, in large transfers.
    pub copiers: usize,
}

impl Default for Options {
    fn default() -> Options {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            pinned: true,
            pool: true,
            steps: true,
            one_pass: true,
            vectors: true,
            streams: 2,
            // The other cores have work of their own.
            copiers: (cores / 4).clamp(1, 4),
        }
    }
}

impl Options {
    /// As the environment says; `None` if it wants no CUDA at all.
    ///
    /// # Errors
    /// [`skel_core::Error::BadSetting`] if the value of a variable is not accepted.
    pub fn from_env() -> Result<Option<Options>> {
        Self::from(&environment)
    }

    fn from(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Option<Options>> {
        let default = Options::default();
        let options = Options {
            pinned: CUDA_PINNED.read(variable)?.unwrap_or(default.pinned),
            pool: CUDA_POOL.read(variable)?.unwrap_or(default.pool),
            steps: CUDA_STEPS.read(variable)?.unwrap_or(default.steps),
            one_pass: CUDA_ONE_PASS.read(variable)?.unwrap_or(default.one_pass),
            vectors: CUDA_VECTORS.read(variable)?.unwrap_or(default.vectors),
            streams: CUDA_STREAMS.read(variable)?.unwrap_or(default.streams),
            copiers: CUDA_COPIERS.read(variable)?.unwrap_or(default.copiers),
        };
        Ok((CUDA.read(variable)? != Some(false)).then_some(options))
    }

    /// The same, as far as it can be done.
    pub(super) fn within_bounds(self) -> Options {
        Options {
            streams: self.streams.min(MOST_STREAMS),
            copiers: self.copiers.clamp(1, MOST_COPIERS),
            ..self
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Result<Option<Options>> {
        Options::from(&|name| {
            let found = variables.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_environment_switches_things_off() {
        assert_eq!(with(&[]).unwrap(), Some(Options::default()));
        assert_eq!(with(&[("SKEL_CUDA", "off")]).unwrap(), None);
        let names = ["PINNED", "POOL", "STEPS", "ONE_PASS", "VECTORS"];
        let names = names.map(|name| format!("SKEL_CUDA_{name}"));
        let off = with(&names.each_ref().map(|name| (name.as_str(), "off")));
        let off = off.unwrap().unwrap();
        assert!(!off.pinned && !off.pool && !off.steps && !off.one_pass && !off.vectors);
        let one = with(&[("SKEL_CUDA_STREAMS", "0"), ("SKEL_CUDA_COPIERS", "1")]);
        let one = one.unwrap().unwrap();
        assert_eq!((one.streams, one.copiers), (0, 1));
    }

    #[test]
    fn what_the_environment_cannot_say_is_refused() {
        for (name, value) in [
            ("SKEL_CUDA", "maybe"),
            ("SKEL_CUDA_POOL", "oof"),
            ("SKEL_CUDA_STREAMS", "many"),
            ("SKEL_CUDA_STREAMS", "1000"),
            ("SKEL_CUDA_COPIERS", "0"),
        ] {
            let error = with(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains(&format!("{name} is `{value}`")), "{error}");
        }
    }
}
