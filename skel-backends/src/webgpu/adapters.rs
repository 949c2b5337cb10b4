//! Which devices there are.

use super::{
    Options, WebGpu, examine::examine, float_controls::FloatControls, gpu::Gpu, instance::instance,
    limits::Limits, pipelines::Pipelines, strict,
};
use crate::fork::{self, OwnerProcess};
use skel_core::{
    Error, Result,
    unit::{UnitInfo, UnitKind},
};
use wgpu::{Adapter, AdapterInfo, Backend, DeviceType, DownlevelFlags, Features};

/// A device that wgpu reports.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it says of itself.
    pub info: UnitInfo,
    /// Why it cannot be a unit, if so.
    pub rejected: Option<String>,
    adapter: Adapter,
    owner: OwnerProcess,
}

impl Found {
    /// Its vendor, and its place on the bus; empty where that is not known.
    pub(crate) fn hardware(&self) -> (u32, String) {
        let info = self.adapter.get_info();
        (info.vendor, info.device_pci_bus_id)
    }
}

/// All devices, those that cannot be used with the reason. Empty where there is no driver at all; and in a process
/// that was forked from one that had asked for them, since drivers do not outlive a fork.
#[must_use]
pub fn enumerate() -> Vec<Found> {
    let (owner, instance) = instance();
    if owner.is_ancestor() {
        return Vec::new();
    }
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let mut seen: Vec<AdapterInfo> = Vec::new();
    let mut all = Vec::new();
    // Opening one reports what is wrong in the environment.
    let options = Options::default();
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
            info: describe(&adapter, &options),
            rejected,
            adapter,
            owner: *owner,
        });
    }
    all
}

/// Opens a device, as the environment says. Each call gives an independent one, also of the same adapter.
///
/// # Errors
/// [`Error::NoDevice`] if it was rejected, or is found to compute wrongly (see [`crate::arithmetic`]);
/// [`Error::Device`] if the driver refuses; [`Error::DeviceLost`] if this process was forked from the one that has
/// found it.
pub fn open(found: &Found) -> Result<WebGpu> {
    open_with(found, Options::default())
}

/// Opens a device that pretends lower limits, or does without something.
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
    if found.owner.is_ancestor() {
        return Err(Error::DeviceLost {
            device: name,
            reason: fork::REASON.into(),
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
    let info = describe(&found.adapter, &options);
    let mut gpu = Gpu::new(device, queue, name);
    gpu.float_controls = FloatControls::of(&found.adapter);
    gpu.pipelines = Pipelines::of(&gpu, &info, &options);
    let mut driver = WebGpu::new(gpu, info, limits)?;
    examine(&mut driver, found, &options)?;
    Ok(driver)
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
    features |= adapter.features() & Features::PIPELINE_CACHE;
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
            ("strict floats", strict::summary(adapter)),
            (
                "pipeline cache",
                yes(features.contains(Features::PIPELINE_CACHE)),
            ),
            ("arithmetic", "asked when it is opened".to_owned()),
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
