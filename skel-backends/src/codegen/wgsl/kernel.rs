//! Elementwise kernels: the user function in the template of its pattern.

use super::{
    along,
    apply::Applied,
    builder::{Builder, Shader, ShaderOptions},
};
use crate::codegen::{Number, template};
use skel_core::plan::Kernel;

const ELEMENTWISE: &str = include_str!("../templates/wgsl/elementwise.wgsl");
const ELEMENT: &str = include_str!("../templates/wgsl/element.wgsl");
const SEVERAL: &str = include_str!("../templates/wgsl/several.wgsl");

/// The source of an elementwise kernel.
///
/// # Errors
/// Why the device cannot run it.
pub fn elementwise(kernel: &Kernel, options: &ShaderOptions) -> Result<Shader, String> {
    if let Some(operator) = kernel.operator {
        return along::along(kernel, operator, options);
    }
    let mut builder = Builder::new(kernel, options);
    let traps = builder.cx.traps(kernel.map);
    builder.number(Number::Count);
    builder.bind_arguments();
    let Applied { load, apply, store } = builder.apply_map();
    let mut trap = String::new();
    if traps {
        trap = builder.note_trap("params.first + at", 0, "return;");
        builder.bind_status(true);
    }
    let mut values = vec![
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("load", load),
        ("apply", apply),
        ("trap", trap),
        ("store", store),
    ];
    let element = template::fill(ELEMENT, &values);
    let elems = options.elems_per_lane.max(1);
    let (first, each, distance) = match elems {
        1 => ("at", element, ""),
        _ => {
            values.push(("elems", elems.to_string()));
            values.push(("element", element));
            let each = template::fill(SEVERAL, &values);
            ("base", each, "; several to a lane, a group's width apart")
        }
    };
    values.extend([
        ("first", first.to_owned()),
        ("tile", (elems * options.lanes).to_string()),
        ("each", each),
        ("distance", distance.to_owned()),
    ]);
    builder.finish(&[kernel.map], &template::fill(ELEMENTWISE, &values))
}
