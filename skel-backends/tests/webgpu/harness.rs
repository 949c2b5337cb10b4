//! Drives a [`WebGpu`] directly, as a device unit would.

use skel_backends::{
    device::{Driver, Launch, LaunchArg, TrapWords, Trapped},
    webgpu::{self, Array, Options, WebGpu},
};
use skel_core::{
    Element, Result,
    frame::{ElementLayout, View, ViewMut},
    plan::{DeviceOnly, Kernel},
    space::{IndexSpace, Shape, Stream},
};
use std::{ops::Range, sync::Arc};

/// The first usable device; real ones come first.
pub(crate) fn found() -> Option<webgpu::Found> {
    webgpu::enumerate()
        .into_iter()
        .find(|found| found.rejected.is_none())
}

/// The device, and the random numbers of its launches.
pub(crate) struct Device(pub(crate) WebGpu, pub(crate) Stream);

impl Device {
    pub(crate) fn open() -> Device {
        Device::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Device {
        let found = found().expect("tests without a device are ignored");
        Device(
            webgpu::open_with(&found, options).expect("the device opens"),
            Stream::default(),
        )
    }

    pub(crate) fn has_i64(&self) -> bool {
        self.0.limits().supports_i64()
    }

    pub(crate) fn has_f64(&self) -> bool {
        self.0.limits().supports_f64()
    }

    pub(crate) fn empty<T: Element>(&mut self, window: Range<usize>) -> Array {
        self.0
            .allocate(ElementLayout::of::<T>(), &T::ty(), window)
            .expect("memory")
    }

    pub(crate) fn array<T: Element>(&mut self, data: &[T]) -> Array {
        let mut array = self.empty::<T>(0..data.len());
        self.0.upload(&mut array, View::of(data)).expect("upload");
        array
    }

    pub(crate) fn read<T: Element + Default>(&mut self, array: &Array, n: usize) -> Vec<T> {
        let mut data = vec![T::default(); n];
        self.0
            .download(array, ViewMut::of(&mut data).into_out())
            .expect("download");
        data
    }

    /// A launch that gives nothing.
    pub(crate) fn launch(
        &mut self,
        kernel: &Arc<Kernel>,
        args: Vec<LaunchArg<'_, Array>>,
        range: Range<usize>,
        shape: Shape,
    ) -> Result<Launched> {
        self.launch_for::<f32>(kernel, args, range, shape)
    }

    /// A launch; a fold gives a `T`.
    pub(crate) fn launch_for<T: Element>(
        &mut self,
        kernel: &Arc<Kernel>,
        args: Vec<LaunchArg<'_, Array>>,
        range: Range<usize>,
        shape: Shape,
    ) -> Result<Launched> {
        WebGpu::check(&self.0.limits(), kernel, shape).expect("the device can run it");
        let launch = Launch {
            kernel,
            phases: &DeviceOnly::<T>::FACE,
            args,
            offsets: Vec::new(),
            range,
            space: IndexSpace::new(shape, self.1),
            followed: false,
            block: None,
        };
        let launched = self.0.launch(launch)?;
        Ok(Launched {
            pending: launched.pending,
            traps: launched.traps,
        })
    }

    /// A map over whole inputs; its output, or where it trapped.
    pub(crate) fn map<T: Element + Default>(
        &mut self,
        kernel: &Arc<Kernel>,
        inputs: &[&Array],
        n: usize,
    ) -> std::result::Result<Vec<T>, Trapped> {
        let mut out = self.empty::<T>(0..n);
        let mut args: Vec<LaunchArg<'_, Array>> =
            inputs.iter().copied().map(LaunchArg::In).collect();
        args.push(LaunchArg::Out(&mut out));
        let launched = self
            .launch(kernel, args, 0..n, Shape::D1(n))
            .expect("launch");
        match launched
            .traps
            .and_then(|traps| self.0.read_traps(traps).expect("traps"))
        {
            Some(trapped) => Err(trapped),
            None => Ok(self.read(&out, n)),
        }
    }

    /// A fold over a range of inputs; its partial, or where it trapped.
    pub(crate) fn fold<T: Element>(
        &mut self,
        kernel: &Arc<Kernel>,
        inputs: &[&Array],
        range: Range<usize>,
        n: usize,
    ) -> std::result::Result<T, Trapped> {
        let args = inputs.iter().copied().map(LaunchArg::In).collect();
        let launched = self
            .launch_for::<T>(kernel, args, range, Shape::D1(n))
            .expect("launch");
        let pending = launched.pending.expect("a fold has a partial");
        let spine = self.0.partial(pending).expect("partial");
        match launched
            .traps
            .and_then(|traps| self.0.read_traps(traps).expect("traps"))
        {
            Some(trapped) => Err(trapped),
            // A device gives one value, of elements that nothing follows, or as a lump.
            None => {
                let (lump, nodes) = spine.split();
                Ok(*lump
                    .as_ref()
                    .or(nodes.first())
                    .expect("there were elements"))
            }
        }
    }
}

pub(crate) struct Launched {
    pub(crate) pending: Option<webgpu::Pending>,
    pub(crate) traps: Option<TrapWords>,
}
