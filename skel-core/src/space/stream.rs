//! Streams of random numbers.

/// Which random numbers the elements of a call get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stream {
    /// The instance's seed.
    pub seed: u64,
    /// The number of the call among those of the instance.
    pub call: u32,
}
