//! Launches with typed arguments, for kernels that are written by hand.

use crate::shim::{Launch, Order, Shim};

/// A scalar as bytes.
pub(crate) trait Scalar: Copy {
    fn put(self, bytes: &mut Vec<u8>);
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! scalar {
    ($($ty:ty)*) => {$(
        impl Scalar for $ty {
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_ne_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                <$ty>::from_ne_bytes(bytes.try_into().expect("as many bytes as it has"))
            }
        }
    )*};
}
scalar!(i32 u32 i64 u64 f32 f64);

pub(crate) fn bytes<T: Scalar>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        value.put(&mut bytes);
    }
    bytes
}

pub(crate) fn values<T: Scalar>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(T::get).collect()
}

/// The arguments of one launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    params: Vec<u8>,
    pointers: Vec<(usize, usize)>,
    buffers: Vec<Vec<u8>>,
}

impl Args {
    /// A pointer to a new buffer.
    pub(crate) fn buffer<T: Scalar>(mut self, values: &[T]) -> Args {
        self.align(8);
        self.pointers.push((self.params.len(), self.buffers.len()));
        0_u64.put(&mut self.params);
        self.buffers.push(bytes(values));
        self
    }

    pub(crate) fn scalar<T: Scalar>(mut self, value: T) -> Args {
        self.align(size_of::<T>());
        value.put(&mut self.params);
        self
    }

    fn align(&mut self, bytes: usize) {
        self.params
            .resize(self.params.len().next_multiple_of(bytes), 0);
    }

    /// Runs it; the buffers, in order.
    pub(crate) fn launch(
        mut self,
        shim: &Shim,
        kernel: &str,
        blocks: usize,
        threads: usize,
        order: Order,
    ) -> Result<Vec<Vec<u8>>, String> {
        self.align(8);
        let launch = Launch {
            kernel,
            grid: [u32::try_from(blocks).expect("few blocks"), 1, 1],
            block: [u32::try_from(threads).expect("few threads"), 1, 1],
            params: &self.params,
            pointers: &self.pointers,
            order,
        };
        shim.launch(&launch, &mut self.buffers)?;
        Ok(self.buffers)
    }
}
