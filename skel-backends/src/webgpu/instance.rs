//! wgpu's way to the drivers of this system.

use crate::fork::OwnerProcess;
use std::sync::OnceLock;
use wgpu::{Instance, InstanceDescriptor, InstanceFlags};

/// The only one of the process, and the process that it was made in.
pub(super) fn instance() -> &'static (OwnerProcess, Instance) {
    static INSTANCE: OnceLock<(OwnerProcess, Instance)> = OnceLock::new();
    INSTANCE.get_or_init(|| (OwnerProcess::here(), platform::instance(descriptor())))
}

fn descriptor() -> InstanceDescriptor {
    InstanceDescriptor {
        // Validation layers would be loaded in debug builds; wgpu validates without them, too.
        flags: InstanceFlags::default()
            .difference(InstanceFlags::DEBUG | InstanceFlags::VALIDATION),
        ..InstanceDescriptor::new_without_display_handle()
    }
}

/// Where all backends of wgpu are opened as it does by itself.
#[cfg(any(target_os = "macos", target_os = "ios", windows))]
mod platform {
    pub(super) fn instance(descriptor: wgpu::InstanceDescriptor) -> wgpu::Instance {
        wgpu::Instance::new(descriptor)
    }
}

/// Where there is only Vulkan.
#[cfg(not(any(target_os = "macos", target_os = "ios", windows)))]
mod platform {
    #![allow(
        unsafe_code,
        reason = "an instance without extensions for windows is made by wgpu's backend"
    )]

    use std::ffi::CStr;
    use wgpu::{Backends, Instance, InstanceDescriptor, hal};

    /// Extensions for windows. An instance that enables one makes Mesa's layer for the choice of a device
    /// connect to the display's server whenever devices are listed, which takes its time, and without such a
    /// server ends in `error: XDG_RUNTIME_DIR is invalid or not set` on the program's standard error.
    const WINDOWS: [&CStr; 3] = [
        c"VK_KHR_wayland_surface",
        c"VK_KHR_xcb_surface",
        c"VK_KHR_xlib_surface",
    ];

    pub(super) fn instance(descriptor: InstanceDescriptor) -> Instance {
        let own = hal::InstanceDescriptor {
            name: "skel",
            flags: descriptor.flags,
            memory_budget_thresholds: descriptor.memory_budget_thresholds,
            backend_options: descriptor.backend_options.clone(),
            telemetry: None,
            display: None,
        };
        // SAFETY: `init` has no conditions; of the callback's, all hold but that it takes names from the list of
        // extensions. wgpu-hal keeps that very list and looks into it before it uses one of these three, which it
        // does only to make a surface for a window: that fails there, and we make none. What other extensions
        // depend on, `VK_KHR_surface`, stays.
        let vulkan = unsafe {
            hal::vulkan::Instance::init_with_callback(
                &own,
                Some(Box::new(|args| {
                    args.extensions.retain(|name| !WINDOWS.contains(name));
                })),
            )
        };
        match vulkan {
            // SAFETY: it was made just now for this backend, and nothing else has it.
            Ok(vulkan) => unsafe { Instance::from_hal::<hal::api::Vulkan>(vulkan) },
            // There is no driver, so there are no devices.
            Err(_) => Instance::new(InstanceDescriptor {
                backends: Backends::empty(),
                ..descriptor
            }),
        }
    }
}
