//! Kernels that compute each element by itself.

use super::{
    along,
    apply::Applied,
    batch::batch,
    kernel::{Builder, Source, SourceOptions},
    traps::{noted, untrapped},
    vectors, windows,
};
use crate::codegen::{Number, template};
use skel_core::plan::Kernel;

const ELEMENTWISE: &str = include_str!("../templates/cuda/elementwise.cu");
pub(super) const ELEMENT: &str = include_str!("../templates/cuda/element.cu");

/// The source of an elementwise kernel.
///
/// # Errors
/// Why no device can run it.
pub fn elementwise(kernel: &Kernel, options: &SourceOptions) -> Result<Source, String> {
    if let Some(operator) = kernel.operator {
        return along::along(kernel, operator, options);
    }
    let usual = || batch(kernel, options.vectors);
    let elems = options.elems_per_lane.unwrap_or_else(usual).max(1);
    if options.vectors
        && let Some(width) = vectors::width(kernel)
        && elems.is_multiple_of(width)
    {
        return vectors::kernel(kernel, options, width, elems / width);
    }
    if windows::takes_rows(kernel) {
        return windows::kernel(kernel, options, elems);
    }
    let mut builder = Builder::new(kernel, options.lanes);
    builder.batch = elems;
    let traps = builder.cuda.trapping[kernel.map.0];
    builder.number(Number::Count);
    builder.bind_arguments();
    let Applied {
        ahead,
        fetch,
        load,
        apply,
        store,
        ..
    } = builder.apply_map();
    if traps {
        builder.bind_status(true);
    }
    let lanes = options.lanes;
    let tile = lanes * builder.batch;
    let mut values = vec![
        ("lanes", lanes.to_string()),
        ("tile", tile.to_string()),
        ("untrapped", untrapped(traps)),
        ("load", load),
        ("apply", apply),
        ("trap", noted(traps, "params.base + at", 0, "continue;")),
        ("store", store),
        ("from", format!("(u64)blockIdx.x * {tile}u + threadIdx.x")),
        ("end", "params.count".into()),
        ("steps", "stride".into()),
        ("apart", format!("{lanes}u")),
        ("ahead", ahead),
        ("fetch", fetch),
        // A trap ends its element alone.
        ("untrapped_yet", String::new()),
    ];
    builder.each(ELEMENT, &mut values);
    builder.finish(&[kernel.map], &template::fill(ELEMENTWISE, &values))
}
