//! Kernels that are right, written by hand, against plain Rust loops, in every order.

use crate::{
    Test,
    harness::{Args, values},
    shim::{Order, Shim},
};
use std::sync::OnceLock;

pub(crate) const TESTS: &[Test] = &[
    ("saxpy", saxpy),
    (
        "sums_of_integers_in_shared_memory",
        sums_of_integers_in_shared_memory,
    ),
    (
        "sums_of_floats_in_shared_memory",
        sums_of_floats_in_shared_memory,
    ),
    ("sums_by_shuffles", sums_by_shuffles),
    (
        "shuffles_and_votes_of_parts_of_a_warp",
        shuffles_and_votes_of_parts_of_a_warp,
    ),
    (
        "orders_differ_and_barriers_hold_in_each",
        orders_differ_and_barriers_hold_in_each,
    ),
    ("blocks_of_three_dimensions", blocks_of_three_dimensions),
    (
        "a_pointer_may_begin_within_its_buffer",
        a_pointer_may_begin_within_its_buffer,
    ),
    ("blocks_that_wait_for_blocks", blocks_that_wait_for_blocks),
    ("launches_from_many_threads", launches_from_many_threads),
    ("switching_without_assembler", switching_without_assembler),
];

const N: usize = 1_000_003;
const REDUCE: &str = include_str!("kernels/reduce.cu");
const INDEX_3D: &str = "
struct Params { unsigned int *out; };
extern \"C\" __global__ void skel_kernel(const Params params) {
    const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    params.out[block * 24 + thread] = blockIdx.y * 1000 + threadIdx.z * 100 + thread;
}";

/// All of them, each under its name.
pub(crate) fn sources() -> Vec<(&'static str, String)> {
    let mut all: Vec<(&str, String)> = [
        ("saxpy", include_str!("kernels/saxpy.cu")),
        ("warp_reduce", include_str!("kernels/warp_reduce.cu")),
        ("shuffles", include_str!("kernels/shuffles.cu")),
        ("order", include_str!("kernels/order.cu")),
        ("atomics", include_str!("kernels/atomics.cu")),
        ("convert", include_str!("kernels/convert.cu")),
        ("bits", include_str!("kernels/bits.cu")),
        ("look_back", include_str!("kernels/look_back.cu")),
        ("chain", include_str!("kernels/chain.cu")),
        ("index_3d", INDEX_3D),
    ]
    .map(|(name, source)| (name, source.to_owned()))
    .into();
    all.push(("reduce_u32", reduce("unsigned int")));
    all.push(("reduce_f32", reduce("float")));
    all
}

/// They are in one program.
pub(crate) fn shim() -> &'static Shim {
    static SHIM: OnceLock<Shim> = OnceLock::new();
    SHIM.get_or_init(|| {
        let sources = sources();
        let named: Vec<(&str, &str)> = sources
            .iter()
            .map(|(name, source)| (*name, source.as_str()))
            .collect();
        Shim::compile(&named).expect("they compile")
    })
}

/// `kernels/reduce.cu` for a type. The word is defined again for every kernel of a program.
fn reduce(element: &str) -> String {
    format!(
        "#define ELEMENT {element}\n{}",
        REDUCE.replace("ELEMENT(0)", "(ELEMENT)0")
    )
}

/// Floats without a pattern, of very different size.
fn floats(n: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let sign = if state & 1 == 0 { 1.0 } else { -1.0 };
        sign * ((state >> 8) as f32 / 256.0).powi(3)
    };
    std::iter::repeat_with(next).take(n).collect()
}

fn saxpy() {
    let (x, y) = (floats(N), floats(N + 7)[7..].to_vec());
    let expected: Vec<u32> = x
        .iter()
        .zip(&y)
        .map(|(x, y)| (1.7 * x + y).to_bits())
        .collect();
    for order in Order::ALL {
        let args = Args::default()
            .buffer(&y)
            .buffer(&x)
            .scalar(1.7_f32)
            .scalar(N as u32);
        let out = args
            .launch(shim(), "saxpy", N.div_ceil(256), 256, order)
            .unwrap();
        assert_eq!(values::<u32>(&out[0]), expected, "{order:?}");
        assert_eq!(values::<f32>(&out[1]), x, "{order:?}");
    }
}

fn sums_of_integers_in_shared_memory() {
    let data: Vec<u32> = (0..N as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let expected: Vec<u32> = data
        .chunks(256)
        .map(|c| c.iter().fold(0_u32, |a, b| a.wrapping_add(*b)))
        .collect();
    for order in Order::ALL {
        let sums = vec![0_u32; expected.len()];
        let args = Args::default().buffer(&data).buffer(&sums).scalar(N as u32);
        let out = args
            .launch(shim(), "reduce_u32", sums.len(), 256, order)
            .unwrap();
        assert_eq!(values::<u32>(&out[1]), expected, "{order:?}");
    }
}

/// Neighbours, then pairs of neighbours, …, as the kernel groups them.
fn tree_sum(chunk: &[f32]) -> f32 {
    let mut tile = chunk.to_vec();
    tile.resize(256, 0.0);
    while tile.len() > 1 {
        tile = tile.chunks(2).map(|pair| pair[0] + pair[1]).collect();
    }
    tile[0]
}

fn sums_of_floats_in_shared_memory() {
    let data = floats(N);
    let expected: Vec<u32> = data.chunks(256).map(|c| tree_sum(c).to_bits()).collect();
    for order in Order::ALL {
        let sums = vec![0_f32; expected.len()];
        let args = Args::default().buffer(&data).buffer(&sums).scalar(N as u32);
        let out = args
            .launch(shim(), "reduce_f32", sums.len(), 256, order)
            .unwrap();
        assert_eq!(values::<u32>(&out[1]), expected, "{order:?}");
    }
}

fn sums_by_shuffles() {
    let data: Vec<i64> = (0..9600).map(|i| i * i * 1_000_003 - 7).collect();
    let warps = || data.chunks(32);
    let sums: Vec<i64> = warps().map(|w| w.iter().sum()).collect();
    let odd: Vec<u32> = warps()
        .map(|w| (0..32).filter(|i| w[*i] % 2 != 0).map(|i| 1 << i).sum())
        .collect();
    for order in Order::ALL {
        let args = Args::default()
            .buffer(&data)
            .buffer(&[0_i64; 300])
            .buffer(&[0_u32; 300]);
        let out = args.launch(shim(), "warp_reduce", 100, 96, order).unwrap();
        assert_eq!(values::<i64>(&out[1]), sums, "{order:?}");
        assert_eq!(values::<u32>(&out[2]), odd, "{order:?}");
    }
}

fn shuffles_and_votes_of_parts_of_a_warp() {
    let expected: Vec<i32> = (0..32)
        .flat_map(|lane: i32| {
            let (first, k) = (lane / 8 * 8, lane % 8);
            let up = if k < 2 { lane } else { lane - 2 };
            let down = if k > 5 { lane } else { lane + 2 };
            let high = i32::from(lane >= 16);
            [
                100 + first + 3,
                100 + up,
                100 + down,
                100 + (lane ^ 5),
                high,
                high,
            ]
        })
        .collect();
    for order in Order::ALL {
        let out = Args::default()
            .buffer(&[0_i32; 192])
            .launch(shim(), "shuffles", 1, 32, order);
        assert_eq!(values::<i32>(&out.unwrap()[0]), expected, "{order:?}");
    }
}

fn orders_differ_and_barriers_hold_in_each() {
    let came = |order| {
        let args = Args::default().buffer(&[0_u32; 256]).buffer(&[0_u32]);
        let out = args.launch(shim(), "order", 2, 64, order).unwrap();
        assert_eq!(values::<u32>(&out[1]), [256]);
        values::<u32>(&out[0])
    };
    let block = |b: u32| (b..b + 64).chain(b + 100..b + 164);
    let expected: Vec<u32> = block(0).chain(block(1000)).collect();
    assert_eq!(came(Order::Ascending), expected);
    let down = |b: u32| (b..b + 64).rev().chain((b + 100..b + 164).rev());
    let expected: Vec<u32> = down(1000).chain(down(0)).collect();
    assert_eq!(came(Order::Descending), expected);
    let (one, two) = (came(Order::Shuffled(1)), came(Order::Shuffled(2)));
    assert_ne!(one, two);
    assert_eq!(one, came(Order::Shuffled(1)), "the seed says all");
    // Whatever the order: of a block, all come before the barrier, then all after it.
    for came in [one, two] {
        for phase in came.chunks(64) {
            let mut sorted = phase.to_vec();
            sorted.sort_unstable();
            assert!(sorted.windows(2).all(|w| w[0] + 1 == w[1]), "{phase:?}");
        }
    }
}

fn blocks_of_three_dimensions() {
    use crate::shim::Launch;
    let expected: Vec<u32> = (0..12)
        .flat_map(|block| (0..24).map(move |t| block / 3 % 2 * 1000 + t / 12 * 100 + t))
        .collect();
    for order in Order::ALL {
        let mut buffers = vec![vec![0; 12 * 24 * 4]];
        let launch = Launch {
            kernel: "index_3d",
            grid: [3, 2, 2],
            block: [4, 3, 2],
            params: &[0; 8],
            pointers: &[(0, 0)],
            order,
        };
        shim().launch(&launch, &mut buffers).unwrap();
        assert_eq!(values::<u32>(&buffers[0]), expected, "{order:?}");
    }
}

fn a_pointer_may_begin_within_its_buffer() {
    use crate::shim::Launch;
    let mut params = [8_u64.to_le_bytes(), 0_u64.to_le_bytes()].concat();
    params.extend(2.0_f32.to_ne_bytes());
    params.extend(3_u32.to_ne_bytes());
    let launch = Launch {
        kernel: "saxpy",
        grid: [1, 1, 1],
        block: [32, 1, 1],
        params: &params,
        // Both are the same buffer: y begins two elements after x.
        pointers: &[(0, 0), (8, 0)],
        order: Order::Ascending,
    };
    let mut buffers = vec![crate::harness::bytes(&[1.0_f32, 2.0, 10.0, 20.0, 30.0])];
    shim().launch(&launch, &mut buffers).unwrap();
    // x[2] was y[0], which an earlier thread had written.
    assert_eq!(values::<f32>(&buffers[0]), [1.0, 2.0, 12.0, 24.0, 54.0]);
}

fn blocks_that_wait_for_blocks() {
    let scanned: Vec<u32> = (0..6400).map(|k| k * (k + 1) / 2).collect();
    let counted: Vec<u32> = (0..51).map(|k| 50 - k).collect();
    for order in Order::ALL {
        let args = Args::default()
            .buffer(&(0..6400).collect::<Vec<u32>>())
            .buffer(&[0_u64; 100])
            .buffer(&[0_u32]);
        let data = args.launch(shim(), "look_back", 100, 64, order).unwrap();
        assert_eq!(values::<u32>(&data[0]), scanned, "{order:?}");
        let args = Args::default().buffer(&[0_u32; 51]);
        let flags = args.launch(shim(), "chain", 50, 32, order).unwrap();
        assert_eq!(values::<u32>(&flags[0]), counted, "{order:?}");
    }
}

fn launches_from_many_threads() {
    std::thread::scope(|scope| {
        for t in 0..4_u16 {
            scope.spawn(move || {
                for k in 0..20_u16 {
                    let y = vec![f32::from(t * 100 + k); 70];
                    let args = Args::default().buffer(&y).buffer(&y).scalar(2.0_f32);
                    let args = args.scalar(70_u32);
                    let out = args.launch(shim(), "saxpy", 3, 32, Order::Shuffled(u64::from(k)));
                    let expected = vec![3.0 * y[0]; 70];
                    assert_eq!(values::<f32>(&out.unwrap()[0]), expected);
                }
            });
        }
    });
}

/// On other machines than x86-64 threads are switched by the C library.
fn switching_without_assembler() {
    let source = reduce("float");
    let portable = Shim::compile_with(&["-DSKEL_UCONTEXT"], &[("reduce", &source)]).unwrap();
    let data = floats(5000);
    let expected: Vec<u32> = data.chunks(256).map(|c| tree_sum(c).to_bits()).collect();
    for order in Order::ALL {
        let args = Args::default()
            .buffer(&data)
            .buffer(&[0_f32; 20])
            .scalar(5000_u32);
        let out = args.launch(&portable, "reduce", 20, 256, order).unwrap();
        assert_eq!(values::<u32>(&out[1]), expected, "{order:?}");
    }
}
