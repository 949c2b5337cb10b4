//! Arithmetic that drivers leave as it is written.
//!
//! WGSL lets a driver contract `a * b + c` and regroup `a - b + c`, and drivers do (Mesa's software
//! device regroups). SPIR-V has a word against that, `NoContraction`, but naga has no way to ask for
//! it. So for Vulkan naga translates here instead of within wgpu, with the same checks, and every
//! floating-point instruction gets the decoration. Other APIs take the WGSL, as it is.
#![allow(unsafe_code, reason = "SPIR-V of our own is handed to the driver")]

use crate::codegen::wgsl::Shader;
use std::borrow::Cow;
use wgpu::{Adapter, Backend, Features, ShaderModule};

/// What must be asked of the adapter for it.
pub(super) fn features(adapter: &Adapter) -> Features {
    if adapter.get_info().backend == Backend::Vulkan {
        adapter.features() & Features::PASSTHROUGH_SHADERS
    } else {
        Features::empty()
    }
}

/// The shader as a module whose entry point is `main`. Within an error scope.
///
/// # Errors
/// What naga has against the source: a bug in the code generator.
pub(super) fn module(
    device: &wgpu::Device,
    name: &str,
    shader: &Shader,
) -> Result<ShaderModule, String> {
    if !device.features().contains(Features::PASSTHROUGH_SHADERS) {
        return Ok(device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(&shader.source)),
        }));
    }
    let words = spirv::exact(&shader.source, shader.bindings.len() as u32 + 1)?;
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: Some(name),
        entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
            name: Cow::Borrowed("main"),
            workgroup_size: (1, 1, 1),
        }]),
        spirv: Some(Cow::Owned(words)),
        ..wgpu::ShaderModuleDescriptorPassthrough::default()
    };
    // SAFETY: naga has validated the module and written the SPIR-V, with every index into arrays and
    // buffers checked and every loop bounded, as wgpu would have it; decorations change no meaning
    // but that of rounding.
    Ok(unsafe { device.create_shader_module_passthrough(descriptor) })
}

#[cfg(any(target_os = "macos", target_os = "ios"))]
mod spirv {
    /// Never called: there is no Vulkan here.
    pub(super) fn exact(_: &str, _: u32) -> Result<Vec<u32>, String> {
        Err("no SPIR-V on this system".into())
    }
}

#[cfg(not(any(target_os = "macos", target_os = "ios")))]
mod spirv {
    use wgpu::naga::{
        ResourceBinding, ShaderStage,
        back::spv::{
            self, BindingInfo, PipelineOptions, WriterFlags, ZeroInitializeWorkgroupMemoryMode,
        },
        front::wgsl,
        proc::{BoundsCheckPolicies, BoundsCheckPolicy},
        valid::{Capabilities, ValidationFlags, Validator},
    };

    /// Words of the header, before the first instruction.
    const HEADER: usize = 5;
    const OP_DECORATE: u32 = 71;
    const NO_CONTRACTION: u32 = 42;
    /// `OpFNegate OpFAdd OpFSub OpFMul OpFDiv OpFRem OpFMod`.
    const FLOAT_OPS: [u32; 7] = [127, 129, 131, 133, 136, 140, 141];

    /// The SPIR-V of `source`, whose bindings are `0..bindings` of group 0.
    pub(super) fn exact(source: &str, bindings: u32) -> Result<Vec<u32>, String> {
        let module = wgsl::parse_str(source).map_err(|e| e.emit_to_string(source))?;
        let info = Validator::new(ValidationFlags::all(), Capabilities::all())
            .validate(&module)
            .map_err(|e| e.emit_to_string(source))?;
        let binding_map = (0..bindings).map(|binding| {
            let info = BindingInfo {
                descriptor_set: 0,
                binding,
                binding_array_size: None,
            };
            (ResourceBinding { group: 0, binding }, info)
        });
        let options = spv::Options {
            flags: WriterFlags::empty(),
            fake_missing_bindings: false,
            binding_map: binding_map.collect(),
            bounds_check_policies: BoundsCheckPolicies {
                index: BoundsCheckPolicy::Restrict,
                buffer: BoundsCheckPolicy::Restrict,
                ..BoundsCheckPolicies::default()
            },
            // Every lane writes its own place of the tile before any reads it.
            zero_initialize_workgroup_memory: ZeroInitializeWorkgroupMemoryMode::None,
            force_loop_bounding: true,
            ..spv::Options::default()
        };
        let entry = PipelineOptions {
            shader_stage: ShaderStage::Compute,
            entry_point: "main".into(),
        };
        let words =
            spv::write_vec(&module, &info, &options, Some(&entry)).map_err(|e| e.to_string())?;
        Ok(decorated(&words))
    }

    /// The module, with every floating-point instruction decorated.
    fn decorated(words: &[u32]) -> Vec<u32> {
        let mut decorations = Vec::new();
        let mut first_decoration = words.len();
        let mut at = HEADER;
        while at < words.len() {
            let (op, length) = (words[at] & 0xffff, (words[at] >> 16) as usize);
            if op == OP_DECORATE {
                first_decoration = first_decoration.min(at);
            } else if FLOAT_OPS.contains(&op) {
                // The instruction's words: itself, the type, the result, operands.
                decorations.extend([3 << 16 | OP_DECORATE, words[at + 2], NO_CONTRACTION]);
            }
            at += length.max(1);
        }
        let (before, after) = words.split_at(first_decoration);
        [before, &decorations, after].concat()
    }

    #[cfg(test)]
    mod test {
        use super::*;

        const SOURCE: &str = "
            @group(0) @binding(0) var<storage, read_write> x: array<f32>;
            @compute @workgroup_size(1)
            fn main() { x[0] = x[1] * x[2] - x[3] / x[4]; x[5] = bitcast<f32>(bitcast<u32>(x[5]) + 1u); }";

        #[test]
        fn float_instructions_alone_are_decorated() {
            let words = exact(SOURCE, 1).unwrap();
            let mut float_results = Vec::new();
            let mut decorated = Vec::new();
            let mut at = HEADER;
            while at < words.len() {
                match words[at] & 0xffff {
                    129 | 131 | 133 | 136 => float_results.push(words[at + 2]),
                    OP_DECORATE if words[at + 2] == NO_CONTRACTION => decorated.push(words[at + 1]),
                    _ => {}
                }
                at += (words[at] >> 16) as usize;
            }
            assert_eq!(float_results.len(), 3);
            assert_eq!(decorated, float_results);
        }

        #[test]
        fn decorations_stand_where_decorations_do() {
            let words = exact(SOURCE, 1).unwrap();
            let mut ops = Vec::new();
            let mut at = HEADER;
            while at < words.len() {
                ops.push(words[at] & 0xffff);
                at += (words[at] >> 16) as usize;
            }
            let first = ops.iter().position(|op| *op == OP_DECORATE).unwrap();
            let run = ops[first..]
                .iter()
                .take_while(|op| matches!(op, 71 | 72))
                .count();
            let all = ops.iter().filter(|op| **op == OP_DECORATE).count();
            assert!(run >= all, "{ops:?}");
        }
    }
}
