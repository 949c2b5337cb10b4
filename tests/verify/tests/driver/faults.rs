//! What goes wrong, and what still works then.

use crate::{
    Test,
    gpu::{Address, Arg, DEFAULT, Error, Gpu, Kernel, Stream},
};
use skel_verify::driver::{Code, Driver, Kind};
use std::{env, process::Command};

pub(crate) const TESTS: &[Test] = &[
    ("an_address_that_is_none", an_address_that_is_none),
    ("memory_that_was_freed", memory_that_was_freed),
    ("over_the_end", over_the_end),
    (
        "an_access_that_is_not_aligned",
        an_access_that_is_not_aligned,
    ),
    ("a_trap", a_trap),
    ("a_kernel_without_an_end", a_kernel_without_an_end),
    ("the_third_allocation", the_third_allocation),
    ("a_launch_that_fails_at_once", a_launch_that_fails_at_once),
    ("a_launch_that_fails_later", a_launch_that_fails_later),
    ("a_launch_that_hangs", a_launch_that_hangs),
    ("faults_by_variable", faults_by_variable),
];

const SOURCE: &str = r#"
extern "C" __global__ void store(unsigned *to, unsigned value) { to[threadIdx.x] = value; }
extern "C" __global__ void trap(unsigned *to) { if (to[0] == 1u) { __trap(); } }
extern "C" __global__ void forever(volatile unsigned *to) { while (to[0] == 1u) {} }
"#;

struct Setting {
    gpu: Gpu,
    memory: Address,
}

impl Setting {
    fn new() -> Setting {
        let gpu = Gpu::new(0).unwrap();
        let memory = gpu.with(&[1_u32, 1]).unwrap();
        Setting { gpu, memory }
    }

    fn kernel(&self, name: &str) -> Kernel {
        self.gpu.kernel(SOURCE, name).unwrap()
    }

    fn store(&self, to: Address, threads: u32) -> Result<(), Error> {
        let args = &mut [Arg::Address(to), Arg::U32(7)];
        self.kernel("store").launch(1, threads, DEFAULT, args)
    }

    /// Nothing works any more with this error; with a new context everything does.
    fn ends_with(self, error: Error) {
        let read = self.gpu.download::<u32>(self.memory, 1);
        assert_eq!(read, Err(error));
        assert_eq!(self.gpu.alloc(4), Err(error));
        assert_eq!(self.gpu.free(self.memory), Err(error));
        assert_eq!(Stream::new().err(), Some(error));
        assert_eq!(self.gpu.synchronize(), Err(error));
        drop(self);
        let fresh = Setting::new();
        fresh.works();
    }

    fn works(&self) {
        self.store(self.memory, 2).unwrap();
        assert_eq!(self.gpu.download::<u32>(self.memory, 2).unwrap(), [7, 7]);
    }
}

fn an_address_that_is_none(_: Driver) {
    let setting = Setting::new();
    // The launch is in order; that it failed is seen later.
    setting.store(0x1000, 1).unwrap();
    let error = setting.gpu.synchronize().unwrap_err();
    assert_eq!(error, Error::CUDA_ERROR_ILLEGAL_ADDRESS);
    setting.ends_with(error);
}

fn memory_that_was_freed(_: Driver) {
    let setting = Setting::new();
    let other = setting.gpu.alloc(8).unwrap();
    setting.store(other, 1).unwrap();
    setting.gpu.synchronize().unwrap();
    setting.gpu.free(other).unwrap();
    setting.store(other, 1).unwrap();
    setting.gpu.synchronize().unwrap_err();
    setting.ends_with(Error::CUDA_ERROR_ILLEGAL_ADDRESS);
}

fn over_the_end(_: Driver) {
    let setting = Setting::new();
    let other = setting.gpu.alloc(1024).unwrap();
    setting.store(other, 256).unwrap();
    setting.gpu.synchronize().unwrap();
    setting.store(other + 4, 256).unwrap();
    setting.gpu.synchronize().unwrap_err();
    setting.ends_with(Error::CUDA_ERROR_ILLEGAL_ADDRESS);
}

fn an_access_that_is_not_aligned(_: Driver) {
    let setting = Setting::new();
    setting.store(setting.memory + 4, 1).unwrap();
    setting.gpu.synchronize().unwrap();
    setting.store(setting.memory + 2, 1).unwrap();
    let error = setting.gpu.synchronize();
    assert_eq!(error, Err(Error::CUDA_ERROR_MISALIGNED_ADDRESS));
    setting.ends_with(Error::CUDA_ERROR_MISALIGNED_ADDRESS);
}

fn a_trap(_: Driver) {
    let setting = Setting::new();
    let args = &mut [Arg::Address(setting.memory)];
    let kernel = setting.kernel("trap");
    kernel.launch(1, 1, DEFAULT, args).unwrap();
    setting.ends_with(Error::CUDA_ERROR_LAUNCH_FAILED);
}

fn a_kernel_without_an_end(driver: Driver) {
    driver.set("SKEL_SHIM_LIMIT_S", "1");
    let setting = Setting::new();
    let args = &mut [Arg::Address(setting.memory)];
    let kernel = setting.kernel("forever");
    kernel.launch(1, 1, DEFAULT, args).unwrap();
    let error = setting.gpu.synchronize();
    driver.unset("SKEL_SHIM_LIMIT_S");
    assert_eq!(error, Err(Error::CUDA_ERROR_LAUNCH_TIMEOUT));
    setting.ends_with(Error::CUDA_ERROR_LAUNCH_TIMEOUT);
}

fn the_third_allocation(driver: Driver) {
    let setting = Setting::new();
    driver.fail(Some(0), Kind::Alloc, 3, Code::OUT_OF_MEMORY);
    let results = [(); 4].map(|()| setting.gpu.alloc(4).err());
    let full = Some(Error::CUDA_ERROR_OUT_OF_MEMORY);
    assert_eq!(results, [None, None, full, None]);
    setting.works();
    driver.fail(Some(1), Kind::Alloc, 1, Code::OUT_OF_MEMORY);
    setting.gpu.alloc(4).unwrap();
}

fn a_launch_that_fails_at_once(driver: Driver) {
    let setting = Setting::new();
    driver.fail(None, Kind::Launch, 1, Code::LAUNCH_OUT_OF_RESOURCES);
    let error = setting.store(setting.memory, 1);
    assert_eq!(error, Err(Error::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES));
    setting.works();
}

fn a_launch_that_fails_later(driver: Driver) {
    let setting = Setting::new();
    driver.fail(None, Kind::Launch, 1, Code::ECC_UNCORRECTABLE);
    setting.store(setting.memory, 1).unwrap();
    setting.ends_with(Error::CUDA_ERROR_ECC_UNCORRECTABLE);
}

fn a_launch_that_hangs(driver: Driver) {
    driver.set("SKEL_SHIM_LIMIT_S", "1");
    driver.fail(None, Kind::Launch, 1, Code::HANGS);
    let setting = Setting::new();
    let stream = Stream::new().unwrap();
    setting.store(setting.memory, 1).unwrap();
    // Other streams go on.
    let mut read = vec![0_u32; 2];
    let gpu = &setting.gpu;
    gpu.download_async(&mut read, setting.memory, stream)
        .unwrap();
    stream.synchronize().unwrap();
    let error = gpu.synchronize();
    driver.unset("SKEL_SHIM_LIMIT_S");
    assert_eq!(error, Err(Error::CUDA_ERROR_LAUNCH_TIMEOUT));
    setting.ends_with(Error::CUDA_ERROR_LAUNCH_TIMEOUT);
}

fn faults_by_variable(_: Driver) {
    let run = |faults: &str| {
        let this = env::current_exe().unwrap();
        let mut command = Command::new(this);
        command.env("SKEL_SHIM_FAIL", faults);
        let test = ["--exact", "blocks_have_shared_memory"];
        let out = command.args(test).output().unwrap();
        let said = [out.stdout, out.stderr].concat();
        (
            out.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    };
    let (passes, said) = run("alloc:100:2");
    assert!(passes, "{said}");
    let (passes, said) = run("launch:9:719,alloc:3:2");
    assert!(
        !passes && said.contains("CUDA_ERROR_OUT_OF_MEMORY"),
        "{said}"
    );
}
