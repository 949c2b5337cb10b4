//! Which devices there are.

use super::{WebGpu, gpu::Gpu, limits::Limits, strict};
use skel_core::{
    Error, Result,
    unit::{UnitInfo, UnitKind},
};
use std::sync::OnceLock;
use wgpu::{Adapter, AdapterInfo, Backend, DeviceType, DownlevelFlags, Features};

/// Limits to pretend, for tests of what happens at them: each lowers the device's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Storage buffers that a kernel can bind.
    pub max_storage_buffers: Option<u32>,
    /// Bytes of a buffer that a kernel can bind.
    pub max_binding_bytes: Option<u64>,
    /// Bytes of a buffer.
    pub max_buffer_bytes: Option<u64>,
    /// Work-groups of a dispatch, in each dimension.
    pub max_workgroups_per_dimension: Option<u32>,
    /// Invocations of a work-group; a power of two.
    pub lanes: Option<u32>,
    /// As if there were no `f64`.
    pub without_f64: bool,
}

/// A device that wgpu reports.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it says of itself.
    pub info: UnitInfo,
    /// Why it cannot be a unit, if so.
    pub rejected: Option<String>,
    adapter: Adapter,
}

impl Found {
    /// Who made it, and where it is plugged in; empty where that is not known.
    pub(crate) fn hardware(&self) -> (u32, String) {
        let info = self.adapter.get_info();
        (info.vendor, info.device_pci_bus_id)
    }
}

/// All devices, those that cannot be used with the reason. Empty where there is no driver at all.
#[must_use]
pub fn enumerate() -> Vec<Found> {
    let adapters = pollster::block_on(instance().enumerate_adapters(wgpu::Backends::all()));
    let mut seen: Vec<AdapterInfo> = Vec::new();
    let mut all = Vec::new();
    for adapter in adapters {
        let info = adapter.get_info();
        let twin = seen.iter().find(|other| same_hardware(other, &info));
        let rejected = match twin {
            Some(other) => Some(format!(
                "it is the same device as {} through {:?}",
                other.name, other.backend
            )),
            None => unfit(&adapter),
        };
        if rejected.is_none() {
            seen.push(info.clone());
        }
        all.push(Found {
            info: describe(&adapter, &Options::default()),
            rejected,
            adapter,
        });
    }
    all
}

/// Opens a device. Each call gives an independent one, also of the same adapter.
///
/// # Errors
/// [`Error::NoDevice`] if it was rejected, [`Error::Device`] if the driver refuses.
pub fn open(found: &Found) -> Result<WebGpu> {
    open_with(found, Options::default())
}

/// Opens a device that pretends lower limits.
///
/// # Errors
/// As [`open`].
pub fn open_with(found: &Found, options: Options) -> Result<WebGpu> {
    let name = found.info.name.clone();
    if let Some(reason) = &found.rejected {
        return Err(Error::NoDevice {
            wanted: name,
            reason: reason.clone(),
        });
    }
    let (required_features, required_limits) = requirements(&found.adapter, &options);
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("skel"),
        required_features,
        required_limits: required_limits.clone(),
        ..wgpu::DeviceDescriptor::default()
    };
    let opened = pollster::block_on(found.adapter.request_device(&descriptor));
    let (device, queue) = opened.map_err(|error| Error::Device {
        device: name.clone(),
        operation: "opening the device",
        message: error.to_string(),
    })?;
    let software = found.info.kind == UnitKind::SoftwareDevice;
    let limits = Limits::new(required_features, &required_limits, &options, software);
    WebGpu::new(
        Gpu::new(device, queue, name),
        describe(&found.adapter, &options),
        limits,
    )
}

fn instance() -> &'static wgpu::Instance {
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    INSTANCE.get_or_init(|| {
        wgpu::Instance::new(wgpu::InstanceDescriptor {
            // Validation layers would be loaded in debug builds; wgpu validates without them, too.
            flags: wgpu::InstanceFlags::default()
                .difference(wgpu::InstanceFlags::DEBUG | wgpu::InstanceFlags::VALIDATION),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        })
    })
}

/// Whether two reports are of one device, seen through two APIs.
fn same_hardware(a: &AdapterInfo, b: &AdapterInfo) -> bool {
    let bus = &a.device_pci_bus_id;
    a.backend != b.backend
        && (a.vendor, a.device) == (b.vendor, b.device)
        && (bus.is_empty() || b.device_pci_bus_id.is_empty() || *bus == b.device_pci_bus_id)
}

fn unfit(adapter: &Adapter) -> Option<String> {
    let limits = adapter.limits();
    if !adapter
        .get_downlevel_capabilities()
        .flags
        .contains(DownlevelFlags::COMPUTE_SHADERS)
    {
        return Some("it has no compute shaders".into());
    }
    if limits.max_storage_buffers_per_shader_stage < 2 {
        return Some(format!(
            "a kernel can bind {} storage buffers, and 2 are the least that is of use",
            limits.max_storage_buffers_per_shader_stage
        ));
    }
    None
}

/// What is asked of the driver: all that the adapter has, less what `options` takes away.
fn requirements(adapter: &Adapter, options: &Options) -> (Features, wgpu::Limits) {
    let wanted = Features::SHADER_F64 | Features::SHADER_INT64;
    // `f64` is of no use without the integers that show its bits.
    let doubles = adapter.features().contains(wanted) && !options.without_f64;
    let mut features = if doubles { wanted } else { Features::empty() };
    if strict::is_possible(adapter) {
        features |= Features::PASSTHROUGH_SHADERS;
    }
    let mut limits = adapter.limits();
    lower(
        &mut limits.max_storage_buffers_per_shader_stage,
        options.max_storage_buffers,
    );
    lower(
        &mut limits.max_storage_buffer_binding_size,
        options.max_binding_bytes,
    );
    lower(&mut limits.max_buffer_size, options.max_buffer_bytes);
    lower(
        &mut limits.max_compute_workgroups_per_dimension,
        options.max_workgroups_per_dimension,
    );
    (features, limits)
}

fn lower<T: Ord + Copy>(limit: &mut T, option: Option<T>) {
    *limit = (*limit).min(option.unwrap_or(*limit));
}

fn describe(adapter: &Adapter, options: &Options) -> UnitInfo {
    let info = adapter.get_info();
    let (features, limits) = requirements(adapter, options);
    UnitInfo {
        name: info.name,
        kind: match info.device_type {
            DeviceType::DiscreteGpu => UnitKind::DiscreteGpu,
            DeviceType::IntegratedGpu => UnitKind::IntegratedGpu,
            DeviceType::Cpu => UnitKind::SoftwareDevice,
            DeviceType::VirtualGpu | DeviceType::Other => UnitKind::OtherDevice,
        },
        api: format!("wgpu ({})", api_name(info.backend)),
        driver: format!("{} {}", info.driver, info.driver_info)
            .trim()
            .to_owned(),
        memory_bytes: None,
        limits: vec![
            (
                "storage buffers",
                limits.max_storage_buffers_per_shader_stage.to_string(),
            ),
            (
                "bytes per binding",
                limits.max_storage_buffer_binding_size.to_string(),
            ),
            ("bytes per buffer", limits.max_buffer_size.to_string()),
            (
                "work-groups per dimension",
                limits.max_compute_workgroups_per_dimension.to_string(),
            ),
            ("f64", yes(features.contains(Features::SHADER_F64))),
            ("strict floats", yes(strict::is_possible(adapter))),
        ],
    }
}

fn yes(it_is_so: bool) -> String {
    if it_is_so { "yes" } else { "no" }.to_owned()
}

fn api_name(backend: Backend) -> &'static str {
    match backend {
        Backend::Noop => "none",
        Backend::Vulkan => "Vulkan",
        Backend::Metal => "Metal",
        Backend::Dx12 => "Direct3D 12",
        Backend::Gl => "OpenGL",
        Backend::BrowserWebGpu => "WebGPU",
    }
}
