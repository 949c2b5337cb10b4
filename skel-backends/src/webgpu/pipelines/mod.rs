//! What a driver has made of kernels, kept on disk, and given back to it in the next process.
//!
//! | module | what it does |
//! |---|---|
//! | `data` | what drivers have made, and where it is kept; why it may be given back to them |
//! | `writer` | writes on a thread of its own |
//!
//! Where wgpu has pipeline caches (Vulkan), each pipeline is made with one of its own, and what the driver has put
//! there is an entry of the [`kernel_cache`](crate::kernel_cache), named by source, device and driver. So it is
//! decided there whose the files are, what is believed of them, how large they grow and which of them go; two
//! processes write different entries, or the same one twice; and a process reads what it needs. One cache of all
//! pipelines would be read as a whole by each process, could only grow, and would lose what another process wrote.
//!
//! Nothing is written where the driver adds nothing: to what was read, or to any cache, as Mesa's software device,
//! which has files of its own. Of that one, nothing is read after its first kernel, either.
//!
//! What is kept is the driver's work. The translation from WGSL to SPIR-V is done in every process: it takes less than
//! a millisecond for a kernel, and a translation on disk would outlive the version of naga that made it, which a
//! program cannot ask for.

mod data;
mod writer;

use super::{Options, WebGpu, gpu::Gpu};
use crate::{arithmetic::DeviceIdentity, kernel_cache::KernelCache};
use data::{Data, MOST_BYTES, Place};
use skel_core::unit::UnitInfo;
use std::{
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};
use wgpu::{Features, PipelineCache};
use writer::Writer;

/// How many pipelines of a device came from disk, and went there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipelinesOnDisk {
    /// Pipelines for which the driver was given what an earlier process had kept.
    pub found: u64,
    /// Pipelines of which something was written.
    pub written: u64,
}

/// The pipelines of a device on disk, or none.
#[derive(Clone, Debug, Default)]
pub(super) struct Pipelines(Option<Arc<OfDevice>>);

#[derive(Debug)]
struct OfDevice {
    place: Place,
    /// What the data of a cache takes that has no pipeline.
    empty_bytes: usize,
    /// Whether all is kept, also where the driver adds nothing.
    anyway: bool,
    /// Whether the driver was seen to add nothing.
    idle: AtomicBool,
    found: AtomicU64,
    writer: Writer,
}

/// A pipeline that is being made.
pub(super) struct Making {
    cache: PipelineCache,
    /// Bytes that were read.
    found_bytes: Option<usize>,
}

impl Making {
    pub(super) fn cache(&self) -> &PipelineCache {
        &self.cache
    }
}

impl Pipelines {
    /// As the environment says; none where the driver has no such caches.
    pub(super) fn of(gpu: &Gpu, info: &UnitInfo, options: &Options) -> Pipelines {
        let files = KernelCache::of_user();
        let features = gpu.device.features();
        if files.folder().is_none() || !features.contains(Features::PIPELINE_CACHE) {
            return Pipelines::default();
        }
        let empty = data::cache(gpu, None).and_then(|cache| Data::of(&cache));
        let of_device = empty.map(|empty| {
            // It names vendor, device and the driver's build, more finely than the driver's version does.
            let mut driver = String::new();
            for byte in empty.bytes() {
                // Writing to a string cannot fail.
                let _ = write!(driver, "{byte:02x}");
            }
            Arc::new(OfDevice {
                place: Place {
                    files,
                    identity: DeviceIdentity::of(info, "", ""),
                    options: vec![driver, format!("{features:?}")],
                },
                empty_bytes: empty.bytes().len(),
                anyway: options.keeps_all_pipelines,
                idle: AtomicBool::new(false),
                found: AtomicU64::new(0),
                writer: Writer::default(),
            })
        });
        Pipelines(of_device)
    }

    /// Begins a pipeline of this source, with what was kept of it.
    pub(super) fn begin(&self, gpu: &Gpu, source: &str) -> Option<Making> {
        let of_device = self.0.as_deref()?;
        if of_device.idle.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(data) = of_device.place.get(source)
            && let Some(cache) = data::cache(gpu, Some(&data))
        {
            of_device.found.fetch_add(1, Ordering::Relaxed);
            return Some(Making {
                cache,
                found_bytes: Some(data.bytes().len()),
            });
        }
        Some(Making {
            cache: data::cache(gpu, None)?,
            found_bytes: None,
        })
    }

    /// Keeps what the driver has added. The pipeline is there; no call waits for the disk.
    pub(super) fn end(&self, making: &Making, source: &str) {
        let (Some(of_device), Some(data)) = (&self.0, Data::of(&making.cache)) else {
            return;
        };
        let bytes = data.bytes().len();
        if of_device.is_new(making.found_bytes, bytes) {
            let (shared, source) = (Arc::clone(of_device), source.to_owned());
            let write = move || shared.place.put(&source, &data);
            of_device.writer.later(write);
        } else if making.found_bytes.is_none() && bytes <= of_device.empty_bytes {
            of_device.idle.store(true, Ordering::Relaxed);
        }
    }

    fn kept(&self) -> PipelinesOnDisk {
        let kept = |of_device: &Arc<OfDevice>| PipelinesOnDisk {
            found: of_device.found.load(Ordering::Relaxed),
            written: of_device.writer.done(),
        };
        self.0.as_ref().map(kept).unwrap_or_default()
    }
}

impl WebGpu {
    /// What came from disk and went there since the device was opened; waits until it is written.
    #[must_use]
    pub fn pipelines_on_disk(&self) -> PipelinesOnDisk {
        self.gpu.pipelines.kept()
    }
}

impl OfDevice {
    /// Whether so many bytes are worth writing: more than were read, or than there are in any case.
    fn is_new(&self, found_bytes: Option<usize>, bytes: usize) -> bool {
        let known = match (found_bytes, self.anyway) {
            (Some(found), _) => found,
            (None, true) => 0,
            (None, false) => self.empty_bytes,
        };
        bytes > known && bytes <= MOST_BYTES
    }
}

#[cfg(test)]
mod test {
    use super::*;

    /// Of an empty cache of 96 bytes.
    pub(super) fn of_device(anyway: bool) -> OfDevice {
        let info = UnitInfo {
            name: "device".into(),
            kind: skel_core::unit::UnitKind::DiscreteGpu,
            api: "wgpu (Vulkan)".into(),
            driver: "driver 1.2".into(),
            memory_bytes: None,
            limits: Vec::new(),
        };
        OfDevice {
            place: Place {
                files: KernelCache::off(),
                identity: DeviceIdentity::of(&info, "", ""),
                options: vec!["00ff".into(), "FEATURES".into()],
            },
            empty_bytes: 96,
            anyway,
            idle: AtomicBool::new(false),
            found: AtomicU64::new(0),
            writer: Writer::default(),
        }
    }

    #[test]
    fn only_what_the_driver_has_added_is_written() {
        let of_device = of_device(false);
        for (found_bytes, bytes, is_new) in [
            (None, 96, false),
            (None, 97, true),
            (None, MOST_BYTES, true),
            (None, MOST_BYTES + 1, false),
            (Some(500), 500, false),
            (Some(500), 96, false),
            (Some(500), 501, true),
        ] {
            let what = (found_bytes, bytes);
            assert_eq!(of_device.is_new(found_bytes, bytes), is_new, "{what:?}");
        }
        // Tests see files where drivers add nothing; even there, what was read is not written again.
        let of_device = self::of_device(true);
        assert!(of_device.is_new(None, 96));
        assert!(!of_device.is_new(Some(96), 96));
    }
}
