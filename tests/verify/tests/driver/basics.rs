//! Memory, copies, kernels.

use crate::{
    Test,
    gpu::{Arg, DEFAULT, Error, Gpu, Stream, compile, name_of},
};
use skel_backends::cuda::nvrtc::{Nvrtc, NvrtcError, Options};
use skel_verify::driver::Driver;
use std::fs;

pub(crate) const TESTS: &[Test] = &[
    ("saxpy_in_every_order", saxpy_in_every_order),
    ("parameters_of_all_sizes", parameters_of_all_sizes),
    ("functions_of_libraries", functions_of_libraries),
    ("ptx_ends_with_a_zero", ptx_ends_with_a_zero),
    ("blocks_have_shared_memory", blocks_have_shared_memory),
    ("full_memory", full_memory),
    ("fresh_memory_is_garbage", fresh_memory_is_garbage),
    ("this_process_cannot_touch_it", this_process_cannot_touch_it),
    ("copies_past_an_end", copies_past_an_end),
    ("what_does_not_compile", what_does_not_compile),
    ("what_is_no_image", what_is_no_image),
    (
        "launches_that_no_device_takes",
        launches_that_no_device_takes,
    ),
    ("devices_are_apart", devices_are_apart),
];

const SAXPY: &str = r#"
extern "C" __global__ void __launch_bounds__(64) saxpy(float a, const float *x, float *y, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}"#;

/// Of 1000 elements, with `a` = 2.
fn saxpy(gpu: &Gpu) -> Vec<f32> {
    let kernel = gpu.kernel(SAXPY, "saxpy").unwrap();
    let x: Vec<f32> = (0..1000_u16).map(f32::from).collect();
    let y = vec![0.5_f32; 1000];
    let (x, y) = (gpu.with(&x).unwrap(), gpu.with(&y).unwrap());
    let args = &mut [
        Arg::F32(2.0),
        Arg::Address(x),
        Arg::Address(y),
        Arg::U32(1000),
    ];
    kernel.launch(16, 64, DEFAULT, args).unwrap();
    gpu.download(y, 1000).unwrap()
}

fn expected_of_saxpy() -> Vec<f32> {
    (0..1000_u16).map(|i| 2.0 * f32::from(i) + 0.5).collect()
}

fn saxpy_in_every_order(driver: Driver) {
    for seed in 0..6 {
        driver.set("SKEL_SHIM_SEED", &seed.to_string());
        let gpu = Gpu::new(0).unwrap();
        assert_eq!(saxpy(&gpu), expected_of_saxpy(), "seed {seed}");
    }
    driver.set("SKEL_SHIM_EAGER", "1");
    let gpu = Gpu::new(1).unwrap();
    assert_eq!(saxpy(&gpu), expected_of_saxpy());
}

fn parameters_of_all_sizes(_: Driver) {
    let source = r#"
struct Pair { char tag; double value; };
extern "C" __global__ void all(unsigned a, double *to, float b, const Pair *pair) {
    to[threadIdx.x] = a + b + pair->value + pair->tag;
}"#;
    let gpu = Gpu::new(0).unwrap();
    let to = gpu.alloc(16).unwrap();
    // A byte and seven that do not count, then the number.
    let pair = gpu.with(&[0xff_ff_ff_ff_ff_ff_ff_04_u64, 0.25_f64.to_bits()]);
    let pair = pair.unwrap();
    let kernel = gpu.kernel(source, "all").unwrap();
    let args = &mut [
        Arg::U32(100),
        Arg::Address(to),
        Arg::F32(0.5),
        Arg::Address(pair),
    ];
    kernel.launch(1, 2, DEFAULT, args).unwrap();
    assert_eq!(gpu.download::<f64>(to, 2).unwrap(), [104.75, 104.75]);
}

fn functions_of_libraries(_: Driver) {
    let source = r#"
extern "C" __global__ void all(float *to, float x) {
    const __int128 wide = (__int128)(long long)(x * 1e9f) * 1000000007;
    to[0] = powf(x, 3.0f) + fmaf(x, x, 0.25f);
    to[1] = (float)(wide / 1000000007);
    to[2] = (float)ldexp(sqrt((double)x), 4);
}"#;
    let gpu = Gpu::new(0).unwrap();
    let to = gpu.alloc(12).unwrap();
    let kernel = gpu.kernel(source, "all").unwrap();
    let args = &mut [Arg::Address(to), Arg::F32(4.0)];
    kernel.launch(1, 1, DEFAULT, args).unwrap();
    assert_eq!(gpu.download::<f32>(to, 3).unwrap(), [80.25, 4e9, 32.0]);
}

fn ptx_ends_with_a_zero(_: Driver) {
    let nvrtc = Nvrtc::find().unwrap();
    let source = "extern \"C\" __global__ void k() {}";
    let of = |capability| {
        nvrtc
            .compile("k", source, &Options::ptx(capability))
            .unwrap()
    };
    let gpu = Gpu::new(0).unwrap();
    let load = |mut ptx: Vec<u8>, end: &[u8]| {
        ptx.extend(end);
        gpu.load(&ptx, "k").err()
    };
    assert_eq!(load(of(75), b"\0"), None);
    let invalid = Some(Error::CUDA_ERROR_INVALID_PTX);
    assert_eq!(load(of(75), b"!\0"), invalid);
    assert_eq!(load(of(100), b"\0"), invalid);
}

fn blocks_have_shared_memory(driver: Driver) {
    let source = r#"
extern "C" __global__ void sum(const unsigned *x, unsigned *totals) {
    __shared__ unsigned tile[128];
    const unsigned lane = threadIdx.x;
    tile[lane] = x[blockIdx.x * 128 + lane];
    for (unsigned reach = 64; reach > 0; reach /= 2) {
        __syncthreads();
        if (lane < reach) {
            tile[lane] += tile[lane + reach];
        }
    }
    if (lane == 0) {
        totals[blockIdx.x] = tile[0];
    }
}"#;
    for seed in 0..4 {
        driver.set("SKEL_SHIM_SEED", &seed.to_string());
        let gpu = Gpu::new(0).unwrap();
        let x = gpu.with(&(0..640).collect::<Vec<u32>>()).unwrap();
        let totals = gpu.alloc(20).unwrap();
        let kernel = gpu.kernel(source, "sum").unwrap();
        let args = &mut [Arg::Address(x), Arg::Address(totals)];
        kernel.launch(5, 128, DEFAULT, args).unwrap();
        let expected: Vec<u32> = (0..5).map(|b| (128 * b..128 * (b + 1)).sum()).collect();
        assert_eq!(gpu.download::<u32>(totals, 5).unwrap(), expected);
    }
}

fn full_memory(_: Driver) {
    let gpu = Gpu::new(0).unwrap();
    let all = gpu.free_bytes().unwrap();
    assert_eq!(all, 16 << 20);
    let most = gpu.alloc(all - 1000).unwrap();
    assert_eq!(gpu.free_bytes().unwrap(), 1000);
    let error = gpu.alloc(1001).unwrap_err();
    assert_eq!(error, Error::CUDA_ERROR_OUT_OF_MEMORY);
    assert_eq!(name_of(error), "CUDA_ERROR_OUT_OF_MEMORY");
    gpu.free(most).unwrap();
    assert_eq!(gpu.free(most), Err(Error::CUDA_ERROR_INVALID_VALUE));
    gpu.alloc(1001).unwrap();
    drop(gpu);
    // What a context had goes with it.
    assert_eq!(Gpu::new(0).unwrap().free_bytes().unwrap(), all);
}

fn fresh_memory_is_garbage(_: Driver) {
    let gpu = Gpu::new(0).unwrap();
    let address = gpu.alloc(4096).unwrap();
    gpu.upload(address, &[0_u8; 4096]).unwrap();
    gpu.free(address).unwrap();
    for _ in 0..3 {
        let address = gpu.alloc(4096).unwrap();
        let values = gpu.download::<u8>(address, 4096).unwrap();
        let zeros = values.iter().filter(|value| **value == 0).count();
        assert!(zeros < 1024, "{zeros} zeros");
    }
}

fn this_process_cannot_touch_it(_: Driver) {
    let gpu = Gpu::new(0).unwrap();
    let address = gpu.alloc(4096).unwrap();
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let holds = |line: &&str| {
        let (range, _) = line.split_once(' ').unwrap();
        let (begin, end) = range.split_once('-').unwrap();
        let [begin, end] = [begin, end].map(|hex| u64::from_str_radix(hex, 16).unwrap());
        (begin..end).contains(&address)
    };
    let line = maps.lines().find(holds).expect("the range is reserved");
    assert!(line.contains("---p"), "{line}");
}

fn copies_past_an_end(_: Driver) {
    let gpu = Gpu::new(0).unwrap();
    let address = gpu.alloc(100).unwrap();
    let wrong = Err(Error::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(gpu.upload(address, &[0_u8; 101]), wrong);
    assert_eq!(gpu.upload(address + 1, &[0_u8; 100]), wrong);
    assert_eq!(gpu.upload(address - 1, &[0_u8; 2]), wrong);
    let read = gpu.download::<u8>(address + 50, 51);
    assert_eq!(read, Err(Error::CUDA_ERROR_INVALID_VALUE));
    gpu.upload(address + 50, &[7_u8; 50]).unwrap();
    assert_eq!(gpu.download::<u8>(address + 99, 1).unwrap(), [7]);
}

fn what_does_not_compile(_: Driver) {
    let nvrtc = Nvrtc::find().unwrap();
    let compile = |source: &str| nvrtc.compile("broken", source, &Options::cubin(90));
    let source = "extern \"C\" __global__ void k(int *x) {\n    x[0] = y;\n}";
    let Err(NvrtcError::Compile { kernel, log }) = compile(source) else {
        panic!("it compiles");
    };
    assert_eq!(kernel, "broken");
    assert!(log.contains("broken.cu:2") && log.contains('y'), "{log}");
    let including = "#include <stdio.h>\nextern \"C\" __global__ void k() {}";
    assert!(matches!(
        compile(including),
        Err(NvrtcError::Compile { .. })
    ));
    let unknown = nvrtc.compile("k", "", &Options::cubin(12));
    assert!(matches!(unknown, Err(NvrtcError::Failed { .. })));
}

fn what_is_no_image(_: Driver) {
    let gpu = Gpu::new(0).unwrap();
    let image = compile("extern \"C\" __global__ void k() {}\n__global__ void mangled() {}");
    gpu.load(&image, "k").unwrap();
    for name in ["K", "mangled"] {
        let error = gpu.load(&image, name).err();
        assert_eq!(error, Some(Error::CUDA_ERROR_NOT_FOUND), "{name}");
    }
    let broken = gpu.load(b"\x7fELF\0", "k").err();
    assert_eq!(broken, Some(Error::CUDA_ERROR_INVALID_IMAGE));
    let mut damaged = image.clone();
    let middle = damaged.len() - 20;
    damaged[middle] ^= 1;
    let error = gpu.load(&damaged, "k").err();
    assert_eq!(error, Some(Error::CUDA_ERROR_INVALID_IMAGE));
    let nvrtc = Nvrtc::find().unwrap();
    let other = nvrtc
        .compile(
            "k",
            "extern \"C\" __global__ void k() {}",
            &Options::cubin(80),
        )
        .unwrap();
    let error = gpu.load(&other, "k").err();
    assert_eq!(error, Some(Error::CUDA_ERROR_NO_BINARY_FOR_GPU));
}

fn launches_that_no_device_takes(_: Driver) {
    let gpu = Gpu::new(0).unwrap();
    let kernel = gpu.kernel(SAXPY, "saxpy").unwrap();
    let x = gpu.with(&[1.0_f32]).unwrap();
    let args = &mut [Arg::F32(1.0), Arg::Address(x), Arg::Address(x), Arg::U32(1)];
    for (grid, block, error) in [
        (0, 64, Error::CUDA_ERROR_INVALID_VALUE),
        (1, 0, Error::CUDA_ERROR_INVALID_VALUE),
        (1, 1025, Error::CUDA_ERROR_INVALID_VALUE),
        (1, 65, Error::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    ] {
        assert_eq!(kernel.launch(grid, block, DEFAULT, args), Err(error));
    }
    // None of them is an error that stays.
    kernel.launch(1, 64, DEFAULT, args).unwrap();
    assert_eq!(gpu.download::<f32>(x, 1).unwrap(), [2.0]);
}

fn devices_are_apart(_: Driver) {
    let first = Gpu::new(0).unwrap();
    let x = first.with(&[1.0_f32]).unwrap();
    let stream = Stream::new().unwrap();
    let second = Gpu::new(1).unwrap();
    let kernel = second.kernel(SAXPY, "saxpy").unwrap();
    let args = &mut [Arg::F32(1.0), Arg::Address(x), Arg::Address(x), Arg::U32(1)];
    // Another device's stream is none here.
    let error = kernel.launch(1, 1, stream, args);
    assert_eq!(error, Err(Error::CUDA_ERROR_INVALID_HANDLE));
    // Nor can a kernel reach its memory.
    kernel.launch(1, 1, DEFAULT, args).unwrap();
    let error = second.synchronize();
    assert_eq!(error, Err(Error::CUDA_ERROR_ILLEGAL_ADDRESS));
    drop(second);
    first.enter().unwrap();
    assert_eq!(first.download::<f32>(x, 1).unwrap(), [1.0]);
}
