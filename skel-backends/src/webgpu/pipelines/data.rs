//! The data of pipeline caches, which drivers trust: it is what wgpu gave, in this process or in another one.
#![allow(
    unsafe_code,
    reason = "a driver believes the data that it is given back"
)]

use super::super::{cache::OPERATION, gpu::Gpu};
use crate::{
    arithmetic::DeviceIdentity,
    kernel_cache::{KernelCache, KernelKey},
};
use wgpu::{PipelineCache, PipelineCacheDescriptor};

/// What data is kept as. Nothing else is kept under a key with this compiler.
const COMPILER: &str = concat!("skel ", env!("CARGO_PKG_VERSION"), ", pipelines of wgpu");

/// What one pipeline may take on disk. Some hundred kilobytes are usual.
pub(super) const MOST_BYTES: usize = 4 << 20;

/// What [`PipelineCache::get_data`] gave.
pub(super) struct Data(Vec<u8>);

impl Data {
    pub(super) fn of(cache: &PipelineCache) -> Option<Data> {
        cache.get_data().map(Data)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Where the data of a device's pipelines is kept.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) files: KernelCache,
    pub(super) identity: DeviceIdentity,
    /// What else decides what the driver makes of a source.
    pub(super) options: Vec<String>,
}

impl Place {
    fn key<'a>(&'a self, source: &'a str) -> KernelKey<'a> {
        KernelKey {
            compiler: COMPILER,
            driver: self.identity.driver(),
            architecture: self.identity.device(),
            options: &self.options,
            source,
        }
    }

    /// What was kept for this source.
    pub(super) fn get(&self, source: &str) -> Option<Data> {
        let image = self.files.get(&self.key(source))?;
        (image.len() <= MOST_BYTES).then_some(Data(image))
    }

    /// Keeps it for this source.
    pub(super) fn put(&self, source: &str, data: &Data) {
        self.files.put(&self.key(source), data.bytes());
    }
}

/// A cache with this data, or an empty one. None if wgpu or the driver refuses.
pub(super) fn cache(gpu: &Gpu, data: Option<&Data>) -> Option<PipelineCache> {
    let made = gpu.scoped(OPERATION, 0, |device, _| {
        let descriptor = PipelineCacheDescriptor {
            label: None,
            data: data.map(Data::bytes),
            fallback: true,
        };
        // SAFETY: `Data` is what `PipelineCache::get_data` gave: in this process, or, if `Place::get` has read it, in
        // one that called `Place::put` with the same key. For the kernel cache gives back the very bytes that were put
        // there under the key that it is asked for, or nothing: it authenticates them in memory, with a secret that
        // only the user can read. The key names the device, the driver and its build, so they are those of
        // this one; wgpu and the driver look at that again, by the headers that each of them has put before the data.
        unsafe { device.create_pipeline_cache(&descriptor) }
    });
    made.ok()
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::webgpu::{Options, enumerate, open_with};
    use std::io::Write;

    #[test]
    fn an_entry_is_of_one_device_and_one_build_of_its_driver() {
        let place = super::super::test::of_device(false).place;
        let key = place.key("source");
        assert_eq!((key.architecture, key.source), ("device", "source"));
        assert_eq!(key.driver, "wgpu (Vulkan) driver 1.2");
        assert_eq!(key.options, ["00ff", "FEATURES"]);
        assert!(key.compiler.contains(env!("CARGO_PKG_VERSION")));
    }

    /// As if it had been read: of another device, of another version of the driver, truncated by its writer.
    #[test]
    fn what_a_driver_has_not_made_is_left_alone_and_no_error() {
        let found = enumerate();
        let has = |found: &&super::super::super::Found| {
            let about = &found.info.limits;
            found.rejected.is_none() && about.contains(&("pipeline cache", "yes".into()))
        };
        let Some(found) = found.iter().find(has) else {
            let reason = "no device with pipeline caches (Debian: mesa-vulkan-drivers)";
            // Past libtest, which keeps what passing tests print.
            let _unseen = writeln!(std::io::stderr(), "skipped: pipeline caches: {reason}");
            return;
        };
        let gpu = open_with(found, Options::default()).unwrap().gpu;
        let data = Data::of(&cache(&gpu, None).unwrap()).unwrap();
        assert!(cache(&gpu, Some(&data)).is_some());
        // What comes first is wgpu's own header, and the driver does not see what that says is something else's.
        for at in 0..48 {
            let mut other = data.bytes().to_vec();
            other[at] ^= 0x5a;
            let is_of_another_device = (16..32).contains(&at);
            let made = cache(&gpu, Some(&Data(other)));
            assert_eq!(made.is_none(), is_of_another_device, "byte {at}");
        }
        for bytes in 0..data.bytes().len() {
            let cut = Data(data.bytes()[..bytes].to_vec());
            assert!(cache(&gpu, Some(&cut)).is_some(), "{bytes} bytes");
        }
        assert!(gpu.scoped("asking", 0, |_, _| ()).is_ok());
    }
}
