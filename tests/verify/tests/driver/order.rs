//! Streams and events: what is not ordered happens in a wrong order, sooner or later.

use crate::{
    Test,
    gpu::{Address, Arg, DEFAULT, Event, Gpu, Kernel, Pinned, Stream},
};
use skel_verify::driver::Driver;

pub(crate) const TESTS: &[Test] = &[
    ("streams_without_an_event", streams_without_an_event),
    ("streams_with_an_event", streams_with_an_event),
    ("the_default_stream_waits", the_default_stream_waits),
    ("streams_that_do_not_wait", streams_that_do_not_wait),
    ("blocks_that_wait_for_blocks", blocks_that_wait_for_blocks),
    ("locked_memory_is_read_late", locked_memory_is_read_late),
    ("other_memory_is_read_at_once", other_memory_is_read_at_once),
    (
        "events_that_were_not_recorded",
        events_that_were_not_recorded,
    ),
    ("time_passes_on_the_device", time_passes_on_the_device),
    ("asking_again_gets_there", asking_again_gets_there),
];

const SEEDS: u64 = 9;
const FILL: &str = r#"
extern "C" __global__ void fill(float *to, float value) { to[threadIdx.x] = value; }
extern "C" __global__ void twice(float *to, const float *from) { to[threadIdx.x] = 2.0f * from[threadIdx.x]; }
"#;

struct Setting {
    gpu: Gpu,
    fill: Kernel,
    twice: Kernel,
    from: Address,
    to: Address,
}

impl Setting {
    fn new(driver: Driver, seed: u64) -> Setting {
        driver.set("SKEL_SHIM_SEED", &seed.to_string());
        let gpu = Gpu::new(0).unwrap();
        Setting {
            fill: gpu.kernel(FILL, "fill").unwrap(),
            twice: gpu.kernel(FILL, "twice").unwrap(),
            from: gpu.with(&[1.0_f32; 8]).unwrap(),
            to: gpu.with(&[1.0_f32; 8]).unwrap(),
            gpu,
        }
    }

    fn fill(&self, value: f32, on: Stream) {
        let args = &mut [Arg::Address(self.from), Arg::F32(value)];
        self.fill.launch(1, 8, on, args).unwrap();
    }

    fn twice(&self, on: Stream) {
        let args = &mut [Arg::Address(self.to), Arg::Address(self.from)];
        self.twice.launch(1, 8, on, args).unwrap();
    }

    /// What is in `to`, copied in this stream.
    fn result(&self, on: Stream) -> f32 {
        let mut all = vec![0.0_f32; 8];
        self.gpu.download_async(&mut all, self.to, on).unwrap();
        on.synchronize().unwrap();
        assert!(all.iter().all(|one| one.to_bits() == all[0].to_bits()));
        all[0]
    }
}

/// `fill` in one stream, `twice` in another; `between` is what is done in between.
fn across(setting: &Setting, between: impl Fn(Stream, Stream)) -> f32 {
    setting.gpu.synchronize().unwrap();
    let [first, second] = [(); 2].map(|()| Stream::new().unwrap());
    setting.fill(21.0, first);
    between(first, second);
    setting.twice(second);
    setting.result(second)
}

fn streams_without_an_event(driver: Driver) {
    let run = |seed| across(&Setting::new(driver, seed), |_, _| ());
    let wrong = (0..SEEDS).filter(|seed| run(*seed) != 42.0).count();
    assert!(wrong > 0, "it goes well in every order");
}

fn streams_with_an_event(driver: Driver) {
    for seed in 0..SEEDS {
        let result = across(&Setting::new(driver, seed), |first, second| {
            let event = Event::new().unwrap();
            event.record(first).unwrap();
            second.wait(event).unwrap();
        });
        assert_eq!(result, 42.0, "seed {seed}");
    }
}

fn the_default_stream_waits(driver: Driver) {
    for seed in 0..SEEDS {
        let setting = Setting::new(driver, seed);
        let [first, second] = [(); 2].map(|()| Stream::blocking().unwrap());
        setting.fill(3.0, first);
        setting.twice(DEFAULT);
        setting.fill(5.0, second);
        // `to` is written by the default stream only, and `from` after that.
        assert_eq!(setting.result(second), 6.0, "seed {seed}");
    }
}

fn streams_that_do_not_wait(driver: Driver) {
    let run = |seed| {
        let setting = Setting::new(driver, seed);
        setting.gpu.synchronize().unwrap();
        let stream = Stream::new().unwrap();
        setting.fill(3.0, stream);
        setting.twice(DEFAULT);
        setting.result(DEFAULT)
    };
    assert!((0..SEEDS).any(|seed| run(seed) != 6.0));
}

fn blocks_that_wait_for_blocks(driver: Driver) {
    let source = include_str!("../../../../skel-backends/tests/cuda/kernels/look_back.cu");
    for seed in 0..SEEDS {
        driver.set("SKEL_SHIM_SEED", &seed.to_string());
        let gpu = Gpu::new(0).unwrap();
        let data = gpu.with(&(0..6400).collect::<Vec<u32>>()).unwrap();
        let states = gpu.with(&[0_u64; 100]).unwrap();
        let ticket = gpu.with(&[0_u32]).unwrap();
        // Three parameters lie as a structure of three does.
        let args = &mut [data, states, ticket].map(Arg::Address);
        let plain = source
            .replace(
                "const Params params",
                "unsigned int *data, unsigned long long *states, unsigned int *ticket",
            )
            .replace("params.", "");
        let scan = gpu.kernel(&plain, "skel_kernel").unwrap();
        scan.launch(100, 64, DEFAULT, args).unwrap();
        let expected: Vec<u32> = (0..6400).map(|k| k * (k + 1) / 2).collect();
        assert_eq!(gpu.download::<u32>(data, 6400).unwrap(), expected);
    }
}

fn locked_memory_is_read_late(driver: Driver) {
    let run = |seed, waits: bool| {
        let setting = Setting::new(driver, seed);
        let stream = Stream::new().unwrap();
        let mut buffer = Pinned::new(8).unwrap();
        buffer.values().fill(4.0);
        setting.gpu.synchronize().unwrap();
        let upload = |buffer: &mut Pinned| {
            let values = buffer.values();
            setting.gpu.upload_async(setting.from, values, stream)
        };
        upload(&mut buffer).unwrap();
        if waits {
            stream.synchronize().unwrap();
        }
        buffer.values().fill(-1.0);
        setting.twice(stream);
        setting.result(stream)
    };
    assert!((0..SEEDS).any(|seed| run(seed, false) == -2.0));
    assert!((0..SEEDS).all(|seed| run(seed, true) == 8.0));
}

fn other_memory_is_read_at_once(driver: Driver) {
    for seed in 0..SEEDS {
        let setting = Setting::new(driver, seed);
        setting.gpu.synchronize().unwrap();
        let stream = Stream::new().unwrap();
        let mut buffer = vec![4.0_f32; 8];
        setting
            .gpu
            .upload_async(setting.from, &buffer, stream)
            .unwrap();
        buffer.fill(-1.0);
        setting.twice(stream);
        assert_eq!(setting.result(stream), 8.0, "seed {seed}");
    }
}

fn events_that_were_not_recorded(driver: Driver) {
    // Nothing is waited for, neither here nor there.
    let run = |seed| {
        across(&Setting::new(driver, seed), |first, second| {
            let event = Event::new().unwrap();
            second.wait(event).unwrap();
            event.synchronize().unwrap();
            event.record(first).unwrap();
        })
    };
    assert!((0..SEEDS).any(|seed| run(seed) != 42.0));
}

fn time_passes_on_the_device(driver: Driver) {
    let setting = Setting::new(driver, 0);
    let stream = Stream::new().unwrap();
    let events = [(); 2].map(|()| Event::new().unwrap());
    events[0].record(stream).unwrap();
    setting.fill(1.0, stream);
    events[1].record(stream).unwrap();
    assert!(events[0].elapsed_ms(events[1]).is_err(), "not yet");
    events[1].synchronize().unwrap();
    assert!(events[0].elapsed_ms(events[1]).unwrap() > 0.0);
}

fn asking_again_gets_there(driver: Driver) {
    for seed in 0..SEEDS {
        let setting = Setting::new(driver, seed);
        setting.gpu.synchronize().unwrap();
        for (value, asked) in [(3.0, Stream::new().unwrap()), (4.0, DEFAULT)] {
            for _ in 0..20 {
                setting.fill(value, asked);
                setting.twice(asked);
            }
            assert!(!asked.is_done().unwrap());
            while !asked.is_done().unwrap() {}
            assert_eq!(setting.result(DEFAULT), 2.0 * value);
        }
    }
}
