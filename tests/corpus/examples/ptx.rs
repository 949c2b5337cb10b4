//! The kernels of the corpus as PTX: `ptx write FOLDER` compiles them, where there is NVRTC; `ptx load
//! FOLDER` lets the driver of a GPU compile them further, where there is one.
#![allow(unsafe_code, reason = "hands a text to the driver")]

use cudarc::driver::{CudaContext, result, sys};
use skel_backends::cuda::nvrtc::Options;
use skel_verify::{cuda::Job, launch, libraries};
use std::{env, error::Error, ffi::CString, fs, path::Path};

type Done = Result<(), Box<dyn Error>>;

/// Of this capability and all later ones.
const CAPABILITY: u32 = 75;

fn main() -> Done {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", folder] => write(Path::new(folder)),
        ["load", folder] => load(Path::new(folder)),
        _ => Err("usage: ptx write FOLDER | ptx load FOLDER".into()),
    }
}

fn write(folder: &Path) -> Done {
    let Some(nvrtc) = libraries::all().last() else {
        println!("skipped: all: no NVRTC");
        return Ok(());
    };
    for job in skel_corpus::corpus().into_iter().map(Job::new) {
        for (k, source) in launch::sources(&job.kernel, launch::LANES)?
            .iter()
            .enumerate()
        {
            let options = Options {
                contract: source.contracts,
                ..Options::ptx(CAPABILITY)
            };
            let ptx = nvrtc
                .compile(&job.case.name, &source.text, &options)
                .map_err(|error| format!("{}: {error}", job.case.name))?;
            let name = job
                .case
                .name
                .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
            fs::write(folder.join(format!("{name}-{k}.ptx")), ptx)?;
        }
    }
    Ok(())
}

fn load(folder: &Path) -> Done {
    // SAFETY: it only looks for the library.
    if !unsafe { sys::is_culib_present() } {
        println!("skipped: all: no CUDA driver");
        return Ok(());
    }
    let context = CudaContext::new(0)?;
    context.bind_to_thread()?;
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let text = CString::new(fs::read(&path)?)?;
        // SAFETY: a text that ends with a zero, as the driver wants it.
        let module = unsafe { result::module::load_data(text.as_ptr().cast()) }
            .map_err(|error| format!("{}: {error}", path.display()))?;
        // SAFETY: the module is loaded, and stays so.
        unsafe { result::module::get_function(module, CString::new("skel_kernel")?) }
            .map_err(|error| format!("{}: {error}", path.display()))?;
        // SAFETY: nothing of it is used any more.
        unsafe { result::module::unload(module) }?;
        println!("loaded {}", path.display());
    }
    Ok(())
}
