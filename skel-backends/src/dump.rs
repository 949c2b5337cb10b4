//! `SKEL_DUMP`: the folder in which kernels are left for people to read.

use crate::setting::DUMP;
use skel_core::{
    ir,
    plan::Kernel,
    setting::{shown, warn},
};
use skel_model::disk::file;
use std::{io, path::Path};

/// So much of a function's name stands in a file's: systems take some 255 bytes, and the hash tells functions
/// apart.
const MOST_CHARS: usize = 100;

/// Writes a kernel's IR, and its sources with this extension, to the folder that `SKEL_DUMP` names, if it
/// names one. What cannot be written is said once, and is no error of the call.
pub(crate) fn kernel<'s>(
    kernel: &Kernel,
    sources: impl ExactSizeIterator<Item = &'s str>,
    extension: &str,
) {
    let Ok(Some(folder)) = DUMP.get() else {
        return;
    };
    if let Err(error) = write(&folder, kernel, sources, extension) {
        let (name, folder) = (DUMP.info.name, shown(folder.as_os_str()));
        warn(
            name,
            &format!("{name}: {folder}: {error}: kernels are not written"),
        );
    }
}

fn write<'s>(
    folder: &Path,
    kernel: &Kernel,
    sources: impl ExactSizeIterator<Item = &'s str>,
    extension: &str,
) -> io::Result<()> {
    let name = plain(kernel.program.function(kernel.map).name);
    let stem = format!("{name}-{:016x}", kernel.hash);
    let write = |name: String, text: &str| file::replace(folder, &name, text.as_bytes());
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

/// A name that every file system takes, and that leads nowhere.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().take(MOST_CHARS).map(plain).collect()
}

#[cfg(test)]
mod test {
    use super::plain;

    #[test]
    fn names_lead_nowhere_and_are_short() {
        assert_eq!(plain("dot"), "dot");
        assert_eq!(plain("../../etc/passwd\0"), "______etc_passwd_");
        assert_eq!(plain(&"é".repeat(5000)), "_".repeat(100));
    }
}
