//! What can be switched off, so that what it is worth can be measured.

use std::ffi::OsString;

/// How a device is driven.
///
/// # Environment
///
/// Devices of the default context take theirs from it:
///
/// | variable | means |
/// |---|---|
/// | `SKEL_CUDA=off` | no device is driven through CUDA; wgpu may have them |
/// | `SKEL_CUDA_PINNED=off` | no page-locked memory: transfers are copied by the driver, and waited for |
/// | `SKEL_CUDA_POOL=off` | device memory is asked of the driver, and given back, each time |
/// | `SKEL_CUDA_STEPS=off` | a large elementwise call waits for all that it needs before it begins |
/// | `SKEL_CUDA_ONE_PASS=off` | scans read their elements twice, also where nobody waits for their totals |
/// | `SKEL_CUDA_VECTORS=off` | threads load and store elements one by one |
/// | `SKEL_CUDA_STREAMS=N` | kernels on so many streams; 0: one stream for kernels and transfers |
/// | `SKEL_CUDA_COPIERS=N` | so many threads fill page-locked memory in large transfers |
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

/// Streams of kernels, at most.
pub(super) const MOST_STREAMS: usize = 6;

/// Threads that copy, at most.
const MOST_COPIERS: usize = 16;

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
    #[must_use]
    pub fn from_env() -> Option<Options> {
        Self::from(|name| std::env::var_os(name))
    }

    fn from(variable: impl Fn(&str) -> Option<OsString>) -> Option<Options> {
        let is_off = |name: &str| variable(name).is_some_and(|value| value == "off");
        let number = |name: &str| variable(name)?.to_str()?.parse::<usize>().ok();
        let default = Options::default();
        (!is_off("SKEL_CUDA")).then(|| {
            Options {
                pinned: !is_off("SKEL_CUDA_PINNED"),
                pool: !is_off("SKEL_CUDA_POOL"),
                steps: !is_off("SKEL_CUDA_STEPS"),
                one_pass: !is_off("SKEL_CUDA_ONE_PASS"),
                vectors: !is_off("SKEL_CUDA_VECTORS"),
                streams: number("SKEL_CUDA_STREAMS").unwrap_or(default.streams),
                copiers: number("SKEL_CUDA_COPIERS").unwrap_or(default.copiers),
            }
            .within_bounds()
        })
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

    fn with(variables: &[(&str, &str)]) -> Option<Options> {
        Options::from(|name| {
            let found = variables.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_environment_switches_things_off() {
        assert_eq!(with(&[]), Some(Options::default()));
        assert_eq!(with(&[("SKEL_CUDA", "off")]), None);
        let names = ["PINNED", "POOL", "STEPS", "ONE_PASS", "VECTORS"];
        let names = names.map(|name| format!("SKEL_CUDA_{name}"));
        let off = with(&names.each_ref().map(|name| (name.as_str(), "off"))).unwrap();
        assert!(!off.pinned && !off.pool && !off.steps && !off.one_pass && !off.vectors);
        let one = with(&[("SKEL_CUDA_STREAMS", "0"), ("SKEL_CUDA_COPIERS", "0")]).unwrap();
        assert_eq!((one.streams, one.copiers), (0, 1));
        let many = with(&[("SKEL_CUDA_STREAMS", "1000")]).unwrap();
        assert_eq!(many.streams, MOST_STREAMS);
        // What is no number is not taken for one.
        assert_eq!(
            with(&[("SKEL_CUDA_STREAMS", "many")]),
            Some(Options::default())
        );
    }
}
