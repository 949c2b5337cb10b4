//! `SKEL_DUMP`: the folder in which kernels are left for people to read.

use skel_core::{Error, Result, ir, plan::Kernel};
use std::path::Path;

/// Writes a kernel's IR, and its sources with this extension, to the folder that `SKEL_DUMP` names, if it
/// names one.
///
/// # Errors
/// What cannot be written, and why.
pub(crate) fn kernel<'s>(
    kernel: &Kernel,
    sources: impl ExactSizeIterator<Item = &'s str>,
    extension: &str,
) -> Result<()> {
    let Some(folder) = std::env::var_os("SKEL_DUMP") else {
        return Ok(());
    };
    let name = kernel.program.function(kernel.map).name;
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let stem = format!("{plain}-{:016x}", kernel.hash);
    let write = |file: String, text: &str| {
        let path = Path::new(&folder).join(file);
        std::fs::write(&path, text).map_err(|error| Error::BadSetting {
            name: "SKEL_DUMP",
            found: format!("{}: {error}", path.display()),
            expected: "a folder that can be written to",
        })
    };
    write(format!("{stem}.ir"), &ir::print(&kernel.program))?;
    let several = sources.len() > 1;
    for (k, source) in sources.enumerate() {
        let part = if several {
            format!("-{}", k + 1)
        } else {
            String::new()
        };
        write(format!("{stem}{part}.{extension}"), source)?;
    }
    Ok(())
}
